"""Files: the one atomic writer, the model file format, and compressed input."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.files.atomic import write_atomically
    from conjunct.files.compressed import InputStream
    from conjunct.files.model_file import ModelFile, model_bytes, pack_model, read_model, unpack_model, write_model

__all__ = [
    "InputStream",
    "ModelFile",
    "model_bytes",
    "pack_model",
    "read_model",
    "unpack_model",
    "write_atomically",
    "write_model",
]

_HOMES = {
    "InputStream": "compressed",
    "ModelFile": "model_file",
    "model_bytes": "model_file",
    "pack_model": "model_file",
    "read_model": "model_file",
    "unpack_model": "model_file",
    "write_atomically": "atomic",
    "write_model": "model_file",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
