"""What all tests share."""

from __future__ import annotations

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
