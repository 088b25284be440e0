"""A global that a helper rebinds between two reads would be read wrongly by the reverse sweep."""

import pytest

from autodiff import UnsupportedSyntaxError, grad

SCALE = 1.0


def rescale():
    global SCALE
    SCALE = SCALE + 1.0


def rescaled_between_reads(x):
    y = x * SCALE
    rescale()
    return y * SCALE


def test_a_helper_that_rebinds_a_global_is_refused():
    with pytest.raises(UnsupportedSyntaxError, match="rebinds the global `SCALE`"):
        grad(rescaled_between_reads)(0.7)
    assert SCALE == 1.0
