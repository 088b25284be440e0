# Assumes Python 3.10 or later with pip, and nothing else.

PYTHON ?= python3
VENV ?= .venv
SWEEPS ?= 1/1
TIER ?= all
BIN := $(VENV)/bin

.PHONY: demo test test-all bench survey world clean

## Install into .venv and differentiate a Gaussian mixture, then fit it.
demo: $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[demo]"
	$(BIN)/python examples/gaussian_mixture.py

## Install into .venv and run lint, types and of each test some cases: five minutes on two cores.
test: TIER = quick
test: test-all

## The same with all tests; with SWEEPS=k/n a part of what is marked heavy.
test-all: $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal --tier $(TIER) --sweeps $(SWEEPS)

## Install into .venv, time the generated gradients against hand-written ones and autograd's.
bench: $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	$(BIN)/python -m tests.benchmarks

## What of the corpus is differentiated, and why the rest is refused; PART=k/n looks at a part.
PART ?= 1/1
survey: $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	$(BIN)/python -W ignore -m tests.core.survey $(PART)

## Calls into public packages, judged by differences; writes docs/world.md.
world: $(VENV)
	$(BIN)/python -m pip install --quiet --prefer-binary --editable ".[world]"
	$(BIN)/python -m tests.world

$(VENV):
	$(PYTHON) -c 'import sys; sys.exit("autodiff needs Python 3.10 or later" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
