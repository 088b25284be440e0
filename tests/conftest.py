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
