"""What C is given in a run: it tells something of it, or holds it (tracing/in_c.py)."""

from __future__ import annotations

import contextvars
import gc
import io
import pickle
import sys
import types

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.differences import check_both_modes

X = np.array([0.7, 1.3, -0.4])


def told(x):
    known = gc.is_tracked(x) and sys.getsizeof(x) > 0
    return np.sum(x**2) * (1.0 if known else 2.0)


def held_by_a_proxy(x):
    table = types.MappingProxyType({"row": x, "first": x[0]})
    return np.sum(table["row"] ** 2) * table["first"]


def held_by_a_variable(x):
    variable = contextvars.ContextVar("variable", default=x * x)
    return np.sum(variable.get() * x)


@pytest.mark.parametrize("f", [told, held_by_a_proxy, held_by_a_variable])
def test_right(f):
    check_both_modes(f, X)


def pickled(x):
    return np.sum(pickle.loads(pickle.dumps(x)) ** 2)


def written(x):
    stream = io.BytesIO()
    stream.write(x)
    return np.sum(np.frombuffer(stream.getvalue()) ** 2)


def copied(x):
    return np.sum(np.frombuffer(io.BytesIO(x).getvalue()) ** 2)


@pytest.mark.parametrize("f", [pickled, written, copied])
def test_what_is_copied_to_bytes_is_refused(f):
    with pytest.raises(AutodiffError):
        grad(f)(X)
