"""Print requirements from pyproject.toml, one word each: ``build``, ``runtime``, or the name of an extra.

With ``--oldest`` first, the lowest versions that it allows, and no others.
"""

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
is_oldest = sys.argv[1:2] == ["--oldest"]
for name in sys.argv[1 + is_oldest :]:
    print(*(word.replace(">=", "==") if is_oldest else word for word in groups[name]))
