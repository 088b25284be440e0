"""Shapes that do not fit raise, though nothing needs what they are put together in (`dead.py`)."""

import numpy as np
import pytest

from autodiff import grad, jvp

PROGRAMS = {
    "a written length": lambda x: np.sum(x + np.ones(2)),
    "a long one": lambda x: np.sum(x - np.ones(7)),
    "two axes": lambda x: np.sum(x + np.ones((3, 2))),
    "arguments": lambda x, y: np.sum(x + y),
    "a part": lambda x: np.sum(x[1:] + x),
    "product": lambda x: x @ np.ones(2),
    "matrix": lambda x: np.sum(np.ones((2, 2)) @ x),
    "store": lambda x: stored(np.zeros(2), x),
    "update": lambda x: updated(np.zeros(2), x),
    "joined": lambda x: np.sum(np.concatenate([x[None], np.ones((1, 2))])),
    "stacked": lambda x: np.sum(np.stack([x, np.ones(2)])),
    "chosen": lambda x: np.sum(np.where(np.ones(2) > 0.0, x, 0.0)),
}


def stored(y, x):
    y[:] = x
    return np.sum(y)


def updated(y, x):
    y += x
    return np.sum(y)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("size", [3, 5, 9])
def test_what_raises_is_no_gradient(name, size):
    f = PROGRAMS[name]
    args = [np.ones(size - k) for k in range(f.__code__.co_argcount)]
    for ask in (lambda: f(*args), lambda: grad(f)(*args), lambda: jvp(f, args, args)):
        with pytest.raises(ValueError, match=r"broadcast|mismatch|must match|same shape"):
            ask()


def test_what_fits_is_left_out():
    g = grad(lambda x: np.sum(x + np.ones(2)))
    np.testing.assert_array_equal(g(np.zeros(2)), np.ones(2))
    assert "x +" not in g.source
