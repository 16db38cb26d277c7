from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conjunct import files


def test_every_public_name_is_found_and_visible() -> None:
    assert sorted(files.__all__) == list(files.__all__) == dir(files)
    for name in files.__all__:
        assert getattr(files, name).__name__ == name


def test_an_unknown_name_is_an_ordinary_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'conjunct\.files' has no attribute 'load_pickle'"):
        files.__getattr__("load_pickle")


def test_importing_the_room_does_not_import_numpy() -> None:
    script = "import sys, conjunct.files; sys.exit('numpy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[2])}
    assert subprocess.run([sys.executable, "-c", script], env=environment, check=False).returncode == 0
