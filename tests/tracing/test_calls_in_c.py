"""What C is given in a run: it tells something of it, or holds it (tracing/calls_in_c.py)."""

from __future__ import annotations

import collections
import contextvars
import fractions
import gc
import io
import operator
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


def put_into_a_list(x):
    items = []
    operator.iconcat(items, x)
    return items[0] ** 2


def counted(x):
    counts = collections.Counter(x)
    return sum(key**2 for key in counts)


def joined(x):
    return np.sum((types.MappingProxyType({"row": x}) | {})["row"] ** 2)


@pytest.mark.parametrize("f", [pickled, written, copied, put_into_a_list, counted, joined])
def test_what_is_made_in_c_is_refused(f):
    with pytest.raises(AutodiffError):
        grad(f)(X)


def a_fraction(x):
    return float(fractions.Fraction(x)) * x


def a_ratio(x):
    above, below = x.as_integer_ratio()
    return above / below * x


def a_text(x):
    return float.fromhex(x.hex()) * x


def other_bits(x):
    return np.sum(x.view(np.int64).view(np.float64) * x)


def its_bytes(x):
    return np.sum(np.frombuffer(x.tobytes()) * x)


@pytest.mark.parametrize("f", [a_fraction, a_ratio, a_text, other_bits, its_bytes])
@pytest.mark.parametrize("trace", [True, False], ids=["followed", "compiled"])
def test_what_says_all_of_a_number_is_refused(f, trace):
    with pytest.raises(AutodiffError):
        grad(f, trace=trace)(X if f in (other_bits, its_bytes) else X[1].item())


def written_through_a_lock(x):
    """Cython gets at memory that may not be written to."""
    from scipy.signal import _upfirdn

    return np.sum(_upfirdn._UpFIRDn(np.ones(2), x.dtype, 1, 1).apply_filter(x) ** 2)


def test_what_c_writes_through_a_lock_is_refused():
    pytest.importorskip("scipy")
    with pytest.raises(AutodiffError, match="_apply"):
        grad(written_through_a_lock)(X)


def steps_of(x):
    """Followed: the compiler asks what `getsizeof` gives."""
    return np.sum(x[0] ** 2 * x[-1]) * (1.0 if sys.getsizeof(x) else 2.0)


def test_an_argument_of_other_strides():
    for x in (np.arange(12.0).reshape(4, 3)[:2, :2], np.arange(8.0)[::-2]):
        np.testing.assert_allclose(grad(steps_of)(x), grad(steps_of)(x.copy()))
