"""Public names, imported when they are asked for: a package lists them once, in its ``__init__.pyi``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["public_names"]

IMPORTED = re.compile(r"^from (\S+) import [(\s]*(\w+) as \2,?[)\s]*$", re.MULTILINE)


def public_names(
    package: str,
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package from the imports in its stub.

    Type checkers read the same lines. A module that bears the name of what it holds does not hide it.

    Examples
    --------
    >>> import conjunct.kernels
    >>> _, _, names = public_names("conjunct.kernels")
    >>> "Conjunctions" in names
    True
    """
    module = sys.modules[package]
    loader: Any = module.__loader__
    stub = loader.get_data(f"{module.__file__}i").decode()
    homes = {name: home for home, name in IMPORTED.findall(stub)}

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value: object = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        setattr(module, name, value)
        return value

    class Package(ModuleType):
        def __setattr__(self, name: str, value: object) -> None:
            is_hiding = isinstance(value, ModuleType) and homes.get(name, package) != package
            if not is_hiding:  # as the import of a submodule is
                super().__setattr__(name, value)

    module.__class__ = Package
    names = sorted(homes)
    return get, lambda: list(names), names
