"""What a compilation leaves behind."""

from __future__ import annotations

import gc

import pytest

from autodiff import grad
from autodiff.errors import AutodiffError


def twice(x: float) -> float:
    return 2.0 * x


def whole(n: int) -> float:
    return n * 1.0


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_as_before(collecting: bool) -> None:
    was = gc.isenabled()
    try:
        gc.enable() if collecting else gc.disable()
        assert grad(twice)(1.0) == 2.0
        assert gc.isenabled() is collecting
        with pytest.raises(AutodiffError):
            grad(whole)(1)
        assert gc.isenabled() is collecting
    finally:
        gc.enable() if was else gc.disable()
