import ast
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import conjunct

ROOT = Path(conjunct.__file__).parent
MODULES = sorted(
    [
        "conjunct",
        *(
            m.name
            for m in walk_packages([str(ROOT)], "conjunct.")
            if m.name.split(".")[-1] not in ("_core", "__main__")
        ),
    ]
)
LAZY = [name for name in MODULES if "_HOMES" in vars(import_module(name))]


def imports(path):
    """Yield what a source file imports, in full: module, or module.name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_bits_kernels_learners_and_streams_import_the_core():
    users = {
        path.relative_to(ROOT).parts[0]
        for path in ROOT.rglob("*.py")
        if any(name.startswith("conjunct._core") for name in imports(path))
    }
    assert users == {"bits", "kernels", "learners", "streams"}


@pytest.mark.parametrize("name", LAZY)
def test_a_package_lists_in_order_what_its_lazy_table_offers(name):
    module = import_module(name)
    rooms, others = getattr(module, "_ROOMS", set()), {"__version__"} if name == "conjunct" else set()
    assert list(module.__all__) == sorted(set(module._HOMES) | rooms | others)
    for public in module.__all__:
        assert getattr(module, public) is not None
    for public, home in module._HOMES.items():
        assert public in import_module(f"{name}.{home}").__all__
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.__getattr__("nothing")


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_of_a_module_exists_once(name):
    module = import_module(name)
    public = getattr(module, "__all__", ())
    assert len(set(public)) == len(public)
    for each in public:
        getattr(module, each)
