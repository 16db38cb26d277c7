"""Print requirements from pyproject.toml, one word each: ``build``, ``runtime``, or the name of an extra."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
groups = {
    "build": [*project["build-system"]["requires"], "cmake>=3.18", "ninja>=1.10"],
    "runtime": project["project"]["dependencies"],
    **project["project"]["optional-dependencies"],
}
for name in sys.argv[1:]:
    print(*groups[name])
