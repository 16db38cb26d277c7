from __future__ import annotations

import subprocess
import sys

import pytest

from conjunct import datasets


def test_every_public_name_resolves_and_is_listed():
    assert dir(datasets) == sorted(datasets.__all__)
    for name in datasets.__all__:
        assert getattr(datasets, name) is getattr(datasets, name)
    for name in set(datasets.__all__) - {"EMBEDDED"}:
        assert getattr(datasets, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'mnist'"):
        _ = datasets.mnist


def modules_after(statement):
    code = f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()


def test_importing_the_room_imports_neither_numpy_nor_scikit_learn():
    modules = modules_after("import conjunct.datasets")
    assert "conjunct" in modules
    assert not {"numpy", "sklearn"} & set(modules)


def test_listing_the_embedded_names_imports_neither_numpy_nor_scikit_learn():
    assert not {"numpy", "sklearn"} & set(modules_after("from conjunct.datasets import EMBEDDED; tuple(EMBEDDED)"))


def test_only_the_breast_cancer_table_imports_scikit_learn():
    assert "sklearn" not in modules_after("from conjunct.datasets import embedded; embedded('tic-tac-toe')")
