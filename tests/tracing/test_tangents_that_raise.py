"""An error of a tangent is none of the function's, which may catch errors where it stands."""

from __future__ import annotations

import pytest

from autodiff import jacfwd, jvp
from tests.tracing.alone import followed_alone


def root_at_zero(x):
    try:
        y = abs(x) ** 0.5
    except ZeroDivisionError:
        y = -1.0
    return y


WAYS = [lambda: jvp(root_at_zero, (0.0,), (1.0,)), lambda: jacfwd(root_at_zero)(0.0)]


@pytest.mark.parametrize("way", WAYS)
def test_it_is_not_caught_there(way):
    with followed_alone(), pytest.raises(ZeroDivisionError):
        way()
