"""What a compilation leaves behind."""

from __future__ import annotations

import gc

import pytest

from autodiff import grad
from autodiff.errors import AutodiffError
from tests.language.refused import REFUSED


def twice(x: float) -> float:
    return 2.0 * x


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_as_before(collecting: bool) -> None:
    was = gc.isenabled()
    try:
        gc.enable() if collecting else gc.disable()
        assert grad(twice)(1.0) == 2.0
        assert gc.isenabled() is collecting
        refused, arguments = REFUSED[0]
        with pytest.raises(AutodiffError):
            grad(refused)(*arguments)
        assert gc.isenabled() is collecting
    finally:
        gc.enable() if was else gc.disable()
