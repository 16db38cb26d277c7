"""The machine's limit beside the library: the bare loops of the core in a program of their own, on one thread."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from conjunct import _core

ROOT = Path(__file__).parents[2]


def limits() -> Iterator[dict[str, object]]:
    """Build and run ``gram_tile.cpp``; yields what it measured."""
    with TemporaryDirectory() as folder:
        program = Path(folder) / "gram_tile"
        sources = [ROOT / "benchmarks/micro/gram_tile.cpp", ROOT / "core/simd/gram_avx2.cpp"]
        sources.append(ROOT / "core/simd/gram_count_avx2.cpp")
        sources += [ROOT / "core/kernels/tile_gram.cpp", ROOT / "core/kernels/plane_rows.cpp"]
        flags = ["c++", "-O3", "-std=c++20", "-mavx2", "-mpopcnt", "-DCONJUNCT_X86", f"-I{ROOT / 'core'}"]
        wide, wide_source = Path(folder) / "wide.o", ROOT / "core/simd/gram_count_avx512.cpp"
        more = ["-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq"]
        subprocess.run([*flags, *more, "-c", str(wide_source), "-o", str(wide)], check=True)
        subprocess.run([*flags, *map(str, sources), str(wide), "-o", str(program)], check=True)
        for n in (64, 256, 1024, 4096):
            command = [str(program), str(n), _core.simd_level()]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            yield from map(json.loads, output.splitlines())
