"""Array statements that become loops, whatever their windows are: gradients agree with Python's."""

import warnings

import numpy as np
import pytest

pytest.importorskip("numba")

from autodiff import grad
from tests.language.oracle import copied, leaves
from tests.native import windows


@pytest.mark.parametrize("case", windows.CASES, ids=lambda case: case[0].__name__)
def test_gradients_agree(case):
    function, args, wrt = case
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # whole numbers that wrap around
        wanted = grad(function, wrt)(*copied(list(args)))
    found = grad(function, wrt, backend="numba")(*copied(list(args)))
    for one, other in zip(leaves(found), leaves(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_sizes_that_do_not_fit_are_an_error():
    native = grad(windows.one_or_many, (0, 1), backend="numba")
    with pytest.raises(ValueError, match="broadcast"):
        native(windows.X, windows.M, 2)
