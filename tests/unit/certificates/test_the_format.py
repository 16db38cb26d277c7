from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conjunct.certificates import checker

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = json.loads((DOCS / "certificate-header.schema.json").read_text())
TABLE = "a,b,c,d,y\n" + "".join(
    f"{','.join(f'{k:04b}')},{'yes' if f'{k:04b}'.count('1') >= 2 and k != 5 else 'no'}\n" for k in range(16)
)


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4])
def test_the_program_of_the_documents_writes_what_the_checker_accepts(tmp_path: Path, depth: int) -> None:
    (tmp_path / "t.csv").write_text(TABLE)
    program = DOCS / "examples" / "write_certificate.py"
    command = [sys.executable, "-I", "-S", str(program), "t.csv", str(depth)]
    written = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    (tmp_path / "c").write_text(written)
    verdict = checker.check(str(tmp_path / "c"), str(tmp_path / "t.csv"))
    assert verdict.lower == verdict.upper
    assert len(program.read_text().splitlines()) <= 100
    assert "conjunct" not in re.findall(r"^import (\w+)", program.read_text(), re.MULTILINE)


def test_the_schema_has_the_keys_of_the_checker_in_their_order() -> None:
    assert list(SCHEMA["properties"]) == SCHEMA["required"] == list(checker.HEADER)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("kind", ["tree", "partition", "frontier", "other"]),
        ("depth", [0, 4, 5, 999999999, 10**9, -1, "any", "0"]),
        ("price", ["1", "2", "0", None, 1]),
        ("lower", ["1", "2/3", ["1", "0"], ["x"], [], None]),
        ("upper", ["1", None, []]),
        ("witness", [[0, -1, -2], None, "1"]),
    ],
)
@pytest.mark.parametrize("kind", ["tree", "frontier"])
def test_the_schema_and_the_checker_agree_on_what_a_key_of_each_kind_holds(
    kind: str, key: str, values: list[object]
) -> None:
    grammars = checker.HEADER | (checker.FRONTIER if kind == "frontier" else {})
    for value in values:
        is_matched = re.fullmatch(grammars[key], json.dumps(value, separators=(",", ":"))) is not None
        other = SCHEMA["then" if kind == "frontier" else "else"]["properties"].get(key, {})
        holds = fits(SCHEMA["properties"][key], value) and fits(other, value)
        assert holds == is_matched or (key, value) == ("price", "0"), (key, value)  # a ratio, but not a price


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether a value fits a schema, of the words that this one uses."""
    types = {"null": type(None), "array": list, "integer": int, "string": str, "object": dict, "boolean": bool}
    if "$ref" in schema:
        return fits(SCHEMA["$defs"][schema["$ref"].split("/")[-1]], value)
    return (
        ("type" not in schema or isinstance(value, types[schema["type"]]))
        and ("const" not in schema or value == schema["const"])
        and ("enum" not in schema or value in schema["enum"])
        and (not isinstance(value, int) or schema.get("minimum", value) <= value <= schema.get("maximum", value))
        and (not isinstance(value, str) or re.search(schema.get("pattern", ""), value) is not None)
        and (not isinstance(value, list) or len(value) >= schema.get("minItems", 0))
        and (not isinstance(value, list) or all(fits(schema.get("items", {}), entry) for entry in value))
        and ("oneOf" not in schema or sum(fits(own, value) for own in schema["oneOf"]) == 1)
    )


@pytest.mark.parametrize("text", ["0", "7", "1/3", "0/3", "03", "1/0", "-1", "1.5", "", "9" * 40, "9" * 41])
def test_the_schema_and_the_checker_agree_on_what_a_ratio_is(text: str) -> None:
    is_ratio = re.fullmatch(checker.RATIO, f'"{text}"') is not None
    assert (re.search(SCHEMA["$defs"]["ratio"]["pattern"], text) is not None) == is_ratio
