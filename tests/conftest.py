"""What all tests share."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from hypothesis import settings

# Compiling makes the first example of a property much slower than the next ones.
settings.register_profile("autodiff", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("autodiff")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--brief",
        action="store_true",
        help="differentiate every program of the language by one transformation only",
    )
    parser.addoption(
        "--share",
        default="1/1",
        help="k/n: the k-th of n parts of the tests, of what reads a version's syntax all",
    )


_WHOLE = {"api", "errors", "frontend", "syntax"}
"""Tests that each version of Python runs all."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part, parts = map(int, config.getoption("--share").split("/"))
    shared = [item for item in items if item.path.parent.name not in _WHOLE]
    left_out = {id(item) for k, item in enumerate(shared) if k % parts != part - 1}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
    items[:] = [item for item in items if id(item) not in left_out]


@pytest.fixture(scope="session")
def root() -> Path:
    """The directory of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module", autouse=True)
def left_alone() -> None:
    """What is alive before a file of tests is not looked through for garbage while they run.

    Thousands of compiled functions are; looking took a tenth of the time of the whole suite.
    """
    gc.freeze()
