"""What all tests share."""

from __future__ import annotations

import gc
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# What the tests compile is compiled; `tests/api/test_kept.py` keeps it where it says.
os.environ["AUTODIFF_CACHE"] = "0"
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
        help="k/n: the k-th of n parts of the tests, of what depends on a version a quarter or all",
    )
    parser.addoption(
        "--tier",
        default="all",
        choices=["quick", "rest", "all"],
        help="quick: one in sixteen of each test's cases, nothing slow or heavy; rest: the others",
    )
    parser.addoption(
        "--sweeps",
        default="1/1",
        help="k/n: the k-th of n parts of what is marked heavy",
    )


_WHOLE = {"errors", "frontend", "syntax"}
"""Tests that each version of Python runs all."""
_OFTEN = {"api", "tracing"}
"""Tests of which each version of Python runs a quarter."""


def pytest_collection_finish() -> None:
    """Files that tests write again within a second are read again: from here on none is cached."""
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    often = [item for item in items if item.path.parent.name in _OFTEN]
    shared = [item for item in items if item.path.parent.name not in _WHOLE | _OFTEN]
    heavy = [item for item in items if item.get_closest_marker("heavy") is not None]
    share = config.getoption("--share")
    part, parts = map(int, share.split("/"))
    quarter = f"{4 * (part - 1) // parts + 1}/{min(4, parts)}"
    left_out = _others(shared, share) | _others(often, quarter)
    left_out |= _others(heavy, config.getoption("--sweeps"))
    if config.getoption("--tier") != "all":
        slow = [item for item in items if item.get_closest_marker("slow") is not None]
        quick = _quick(items) - {id(item) for item in (*heavy, *slow)}
        every = {id(item) for item in items}
        left_out |= every - quick if config.getoption("--tier") == "quick" else quick
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
    items[:] = [item for item in items if id(item) not in left_out]


def _others(items: list[pytest.Item], share: str) -> set[int]:
    """What is not of the k-th of n parts; a part has some of each file."""
    part, parts = map(int, share.split("/"))
    return {id(item) for k, item in enumerate(items) if k % parts != part - 1}


def _quick(items: list[pytest.Item]) -> set[int]:
    """The first of each test's cases, and one in sixteen of the others."""
    seen: dict[tuple[Path, str], int] = {}
    found = set()
    for item in items:
        test = (item.path, getattr(item, "originalname", item.name))
        seen[test] = seen.get(test, -1) + 1
        if seen[test] % 16 == 0:
            found.add(id(item))
    return found


@pytest.fixture(autouse=True)
def _compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the compiler refuses stays refused, but in the tests of runs that are followed, and of
    programs that are marked so.
    """
    followed = request.node.get_closest_marker("followed") is not None
    if not followed and request.node.path.parent.name not in ("tracing", "world"):
        monkeypatch.setattr("autodiff.derivatives.cache.FOLLOWING", False)


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


@pytest.fixture(autouse=True)
def own_numbers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test draws from its module's `RNG` does not depend on which tests ran before."""
    if isinstance(getattr(request.module, "RNG", None), np.random.Generator):
        own = np.random.default_rng(zlib.crc32(request.node.name.encode()))
        monkeypatch.setattr(request.module, "RNG", own)


@pytest.fixture(autouse=True)
def infinite_slopes(request: pytest.FixtureRequest) -> Iterator[None]:
    """NumPy warns of infinite slopes, also where a mask leaves them out."""
    if "masks_in_loops." in request.node.name:
        with np.errstate(all="ignore"):
            yield
    else:
        yield
