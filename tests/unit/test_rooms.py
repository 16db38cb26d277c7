import ast
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import conjunct
from parts import case

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
ROOMS = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
STUBS = sorted(path.relative_to(ROOT.parent).parent.as_posix().replace("/", ".") for path in ROOT.rglob("__init__.pyi"))


def imports(path):
    """Yield what a source file imports, in full: module, or module.name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_the_rooms_of_hot_loops_import_the_core():
    users = {
        path.relative_to(ROOT).parts[0]
        for path in ROOT.rglob("*.py")
        if any(name.startswith("conjunct._core") for name in imports(path))
    }
    assert users == {"bits", "kernels", "learners", "search", "tables"}


@pytest.mark.parametrize("name", STUBS)
def test_a_package_offers_what_its_stub_lists(name):
    module = import_module(name)
    tree = ast.parse((ROOT.parent / name.replace(".", "/") / "__init__.pyi").read_text(encoding="utf-8"))
    homes = {node.names[0].name: node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    version = {"__version__"} if name == "conjunct" else set()
    assert [*module.__all__] == [*sorted(homes), *version]
    assert dir(module) == sorted(homes)
    for public, home in homes.items():
        assert public in (import_module(home).__all__ if home != name else {public})
        assert getattr(module, public) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.__getattr__("nothing")


@pytest.mark.parametrize("room", ROOMS)
def test_dir_of_every_room_shows_its_names(room):
    module = import_module(f"conjunct.{room}")
    assert dir(module) == sorted(module.__all__) != []


def test_functions_are_not_hidden_by_the_modules_that_hold_them():
    import_module("conjunct.datasets.monks")
    assert callable(import_module("conjunct.datasets").monks)


def test_every_public_name_of_a_module_exists_once():
    assert len(MODULES) > 200
    for name in MODULES:
        with case(name):
            module = import_module(name)
            public = getattr(module, "__all__", ())
            assert len(set(public)) == len(public)
            for each in public:
                getattr(module, each)
