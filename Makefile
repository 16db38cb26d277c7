# Every target sets up .venv itself; a second run costs seconds.
# Needs Python 3.11 or later, a C++20 compiler and make; everything else comes from PyPI.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
PINNED := --constraint constraints.txt
SOURCES := $(shell find core src -type f -not -path '*/__pycache__/*') CMakeLists.txt README.md
CORE := $(shell find core -name '*.?pp')
WORKERS ?= $(shell nproc 2>/dev/null || echo 1)
SPLIT := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
SANITIZED := build/sanitized
DIST := dist

.PHONY: demo test test-all test-oldest wheel bench bench-full bench-certify bench-bounds bench-conjunctions lint format sanitize clean

demo: $(VENV)/.built
	$(BIN)/conjunct demo

test: $(VENV)/.built $(VENV)/.test
	$(BIN)/pytest $(SPLIT) -m "not long"
	$(BIN)/pytest --quiet --doctest-modules --pyargs conjunct

test-all: $(VENV)/.built $(VENV)/.test
	$(BIN)/pytest $(SPLIT) --hypothesis-profile thorough
	$(BIN)/pytest --quiet --doctest-modules --pyargs conjunct

# The lowest versions that pyproject.toml allows; build tools are new, Python is as it is.
test-oldest:
	$(MAKE) VENV=.venv-oldest PINNED= VERSIONS=--oldest BUILD=--config-settings=build-dir=build/oldest test

# For machines without a compiler: pip install $(DIST)/conjunct-*.whl
wheel: $(VENV)/.base
	rm -f $(DIST)/conjunct-*.whl
	$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-build-isolation --no-deps --wheel-dir $(DIST) .

bench: $(VENV)/.built $(VENV)/.bench
	$(BIN)/python benchmarks/run.py

bench-full: $(VENV)/.built $(VENV)/.bench
	$(BIN)/python benchmarks/run.py --full

# Optimal trees beside other solvers, which live in an environment of their own; CONJUNCT_DATA names the tables.
bench-certify: $(VENV)/.built $(VENV)-peers/.peers
	$(BIN)/python benchmarks/certify.py --peers $(VENV)-peers/bin/python $(CERTIFY)

# How near bounds come that need no search for trees, and how few terms a DNF has.
bench-bounds: $(VENV)/.built
	$(BIN)/python benchmarks/bounds.py $(BOUNDS)

# The heaviest conjunctions beside other searches.
bench-conjunctions: $(VENV)/.built $(VENV)/.bench $(VENV)-subgroups/.subgroups
	$(BIN)/python benchmarks/conjunctions.py --peers $(VENV)-subgroups/bin/python $(CONJUNCTIONS)

lint: $(VENV)/.built $(VENV)/.lint
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CORE)
	$(BIN)/ruff check .
	$(BIN)/mypy --package conjunct
	$(BIN)/lint-imports

format: $(VENV)/.lint
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CORE)

# The core under the address and undefined-behaviour sanitizers, below the whole test suite.
sanitize: $(SANITIZED)/.built $(VENV)/.built $(VENV)/.test
	LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) $$($${CXX:-g++} -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 PYTHONPATH="$(CURDIR)/$(SANITIZED)" CONJUNCT_SANITIZED=1 $(BIN)/pytest $(SPLIT) -m "not long"

clean:
	rm -rf $(VENV) $(VENV)-peers $(VENV)-subgroups .venv-oldest build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.base: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) $(PINNED) $$($(BIN)/python tools/requirements.py build) $$($(BIN)/python tools/requirements.py $(VERSIONS) runtime)
	touch $@

$(VENV)/.test: $(VENV)/.base
	$(PIP) $(PINNED) $$($(BIN)/python tools/requirements.py $(VERSIONS) test)
	touch $@

$(VENV)/.bench: $(VENV)/.base
	$(PIP) $(PINNED) $$($(BIN)/python tools/requirements.py bench)
	touch $@

# Other tools, each kind in an environment of its own: they ask for different versions of NumPy.
$(VENV)-peers/.peers $(VENV)-subgroups/.subgroups: pyproject.toml
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip --disable-pip-version-check install --quiet $$($(PYTHON) tools/requirements.py $(patsubst .%,%,$(@F)))
	touch $@

$(VENV)/.lint: $(VENV)/.base
	$(PIP) $(PINNED) $$($(BIN)/python tools/requirements.py lint)
	touch $@

$(VENV)/.built: $(VENV)/.base $(SOURCES)
	$(PIP) --no-build-isolation --no-deps --force-reinstall $(BUILD) .
	touch $@

$(SANITIZED)/.built: $(VENV)/.base $(SOURCES)
	rm -rf $(SANITIZED)
	$(PIP) --no-build-isolation --no-deps --target $(SANITIZED) \
	  --config-settings=cmake.define.CONJUNCT_SANITIZE=ON --config-settings=build-dir=build/sanitize .
	touch $@
