"""jvp, linearize and jacfwd: what they take and give."""

import decimal
import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import AutodiffError, jacfwd, jacobian, jvp, linearize
from autodiff.errors import NonDifferentiableError
from autodiff.transforms.tangents import Tangent


def scaled(a, x):
    return a * x


def test_value_and_tangent():
    value, tangent = jvp(scaled, (2.0, np.array([1.0, 3.0])), (1.0, np.array([0.0, 10.0])))
    assert_allclose(value, [2.0, 6.0])
    assert_allclose(tangent, [1.0, 23.0])


def test_a_tangent_that_is_none_is_zero():
    assert jvp(scaled, (2.0, 3.0), (None, 1.0)) == (6.0, 2.0)
    assert jvp(scaled, (2, 3.0), (None, 1.0)) == (6.0, 2.0)
    with pytest.raises(AutodiffError, match="no tangent"):
        jvp(scaled, (2.0, 3.0), (None, None))


@pytest.mark.parametrize(
    ("primals", "tangents"),
    [
        ((2.0,), (1.0, 1.0)),
        ((2.0, np.ones(2)), (1.0, np.ones(3))),
        ((2.0, np.ones(2)), (1.0, 1.0)),
        ((2.0, 1.0), (1.0, 1j)),
        (2.0, 1.0),
    ],
)
def test_tangents_that_do_not_fit(primals, tangents):
    with pytest.raises(AutodiffError):
        jvp(scaled, primals, tangents)


def test_integers_have_no_tangent():
    with pytest.raises(NonDifferentiableError):
        jvp(scaled, (2, 3.0), (1.0, 1.0))


@dataclass
class Point:
    x: float
    y: np.ndarray
    label: str = "a"


def moved(p, by):
    return Point(p.x * by[0], p.y + by[1], p.label)


def test_structures():
    x = np.ones(2)
    p = Point(2.0, np.ones(2))
    value, tangent = jvp(moved, (p, (3.0, 4)), (Point(1.0, np.zeros(2)), (10.0, 0)))
    assert value.x == 6.0 and tangent.x == 23.0
    assert_allclose(tangent.y, 0.0)
    assert tangent.label is None
    value, tangent = jvp(lambda x: {"n": [len(x), x], "t": (x[0], 1)}, (x,), (x,))
    assert tangent["n"][0] == 0.0 and tangent["t"] == (1.0, 0.0)


def test_precision_is_kept():
    x = np.ones(3, np.float32)
    assert jvp(lambda x: np.sin(x) * 2 + 1, (x,), (x,))[1].dtype == np.float32
    wide = np.ones(3)
    value, tangent = jvp(lambda x: x + wide, (x,), (x,))
    assert value.dtype == tangent.dtype == np.float64
    table = np.ones((2, 3))
    value, tangent = jvp(lambda x: x + table, (x,), (x,))
    assert tangent.shape == (2, 3)


def test_the_tangent_is_memory_of_its_own():
    x, v = np.ones(3), np.ones(3)
    for function in (lambda x: x + 1.0, lambda x: [x + 1.0, 2.0][0]):
        _, tangent = jvp(function, (x,), (v,))
        assert not np.shares_memory(tangent, v)


def test_arguments_are_left_as_they_are():
    def f(x):
        x[0] = x[1] * x[2]
        return x

    x, v = np.array([1.0, 2.0, 3.0]), np.ones(3)
    value, tangent = jvp(f, (x,), (v,))
    assert_allclose(tangent, [5.0, 1.0, 1.0])
    assert x[0] == 1.0 and v[0] == 1.0


def test_methods_defaults_and_stars():
    class Model:
        def __init__(self):
            self.w = 3.0

        def __call__(self, x, scale=2.0):
            return self.w * x * scale

        def total(self, *xs, power=2):
            return sum(x**power for x in xs) * self.w

    model = Model()
    assert jvp(model, (1.0,), (1.0,)) == (6.0, 6.0)
    assert jvp(model, (1.0, 5.0), (None, 1.0)) == (15.0, 3.0)
    assert jvp(model.total, (1.0, 2.0), (1.0, 1.0)) == (15.0, 18.0)


def cubed(x):
    return x**3


def test_what_linearize_gives_is_pickled():
    _, linear = linearize(cubed, 2.0)
    assert repr(linear) == "<tangent of cubed at a point>"
    assert pickle.loads(pickle.dumps(linear))(1.0) == linear(1.0) == 12.0


def test_linearize():
    x = np.array([1.0, 2.0])
    value, linear = linearize(lambda x: x**2, x)
    assert_allclose(value, [1.0, 4.0])
    x[0] = 100.0  # the point is the one that was given
    assert_allclose(linear(np.array([1.0, 10.0])), [2.0, 40.0])
    assert_allclose(linear(None), 0.0)


def test_jacfwd_has_the_form_of_jacobian():
    def f(a, p):
        return {"y": a * p["x"], "z": a * a}

    args = 2.0, {"x": np.array([1.0, 3.0])}
    for wrt in (0, 1, (0, 1)):
        columns, rows = jacfwd(f, wrt)(*args), jacobian(f, wrt)(*args)
        for key in ("y", "z"):
            one, other = columns[key], rows[key]
            for a, b in zip(one, other) if isinstance(wrt, tuple) else [(one, other)]:
                a, b = (a["x"], b["x"]) if isinstance(a, dict) else (a, b)
                assert_allclose(a, b)
                assert np.shape(a) == np.shape(b)
    assert jacfwd(lambda x: x**2)(3.0) == 6.0
    assert jacfwd(lambda x: x**2)(np.ones(0)).shape == (0, 0)
    assert jacfwd(lambda x: x**2)(np.ones(2, np.float32)).dtype == np.float32
    assert_allclose(jacfwd(wrt="x")(scaled)(2.0, np.ones(2)), 2.0 * np.eye(2))


def test_the_source_is_the_tangent():
    tangent = Tangent(scaled, "jvp", ("x",))
    assert "x_dot" in tangent.source_for(2.0, 3.0)


def test_recursion():
    def power(x, n):
        return 1.0 if n == 0 else x * power(x, n - 1)

    assert jvp(power, (2.0, 3), (1.0, None)) == (8.0, 12.0)


def test_tape_free_loops_with_lists():
    def f(x):
        xs = []
        for i in range(4):
            xs.append(x * i)
        total = 0.0
        while xs:
            total = total * xs.pop() + x
        return total

    h = 1e-6
    wanted = (f(0.7 + h) - f(0.7 - h)) / (2 * h)
    assert_allclose(jvp(f, (0.7,), (1.0,))[1], wanted, rtol=1e-8)


def view_or_not(x):
    """Whether `flat` is a view depends on how x lies in memory."""
    y = x.copy()
    flat = y.ravel()
    flat[1] = x[0, 0] * 2.0
    return np.sum(y**2 * np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("other", ["C", "F"])
def test_memory_of_tangents_lies_as_that_of_primals(order, other):
    x = np.asarray(np.arange(1.0, 7.0).reshape(2, 3), order=order)
    v = np.asarray(np.ones((2, 3)), order=other)
    h = 1e-6
    wanted = (view_or_not(x + h * np.ones_like(x)) - view_or_not(x - h * np.ones_like(x))) / (2 * h)
    assert_allclose(jvp(view_or_not, (x,), (v,))[1], wanted, rtol=1e-7)


ORDER = "k"


def raveled_by_a_global(x):
    return np.sum((x * 2.0).ravel(ORDER) ** 3 * np.arange(6.0))


def raveled_as_said(x, order):
    return np.sum(x.ravel(order) ** 3 * np.arange(6.0))


@pytest.mark.parametrize("order", "CFAKcfak")
def test_the_order_in_memory_is_that_of_the_primal(order):
    x = np.asfortranarray(np.arange(1.0, 7.0).reshape(2, 3))
    v = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, 7.0]])
    said = 3 * np.sum(x.ravel(order) ** 2 * np.asfortranarray(v).ravel(order) * np.arange(6.0))
    assert_allclose(jvp(raveled_as_said, (x, order), (v, None))[1], said)
    by_memory = 24 * np.sum(x.ravel("K") ** 2 * np.asfortranarray(v).ravel("K") * np.arange(6.0))
    assert_allclose(jvp(raveled_by_a_global, (x,), (v,))[1], by_memory)


def caught(x):
    try:
        y = np.sqrt(x) if x > 0 else 1.0 / x
    except ZeroDivisionError:
        y = x
    return y


def test_caught():
    for x in (0.7, -0.7):
        slope = (caught(x + 1e-6) - caught(x - 1e-6)) / 2e-6
        assert jvp(caught, (x,), (1.0,))[1] == pytest.approx(slope)
    assert jvp(caught, (0.0,), (1.0,)) == (0.0, 1.0)


def unknown(x):
    return len(str(x)) + float(str(x)) ** 2


GLOBAL = np.zeros(2)


def into_a_global(x):
    GLOBAL[0] = x
    return np.sum(GLOBAL)


def opaque(x):
    return float(decimal.Decimal(x))


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (unknown, AutodiffError),
        (opaque, AutodiffError),
    ],
)
def test_refused(function, error):
    with pytest.raises(error):
        jvp(function, (0.7,), (1.0,))


def test_a_store_into_a_global():
    value, tangent = jvp(into_a_global, (0.7,), (2.0,))
    assert (value, tangent) == (0.7, 2.0)
    assert GLOBAL[0] == 0.7


def test_jacobian_takes_the_cheaper_mode():
    """A function of one number with many results: its primal runs once more, not 50 times."""
    calls = []

    def f(x):
        calls.append(1)
        return np.sin(x * np.arange(50.0))

    found = jacobian(f)(0.3)
    assert_allclose(found, np.arange(50.0) * np.cos(0.3 * np.arange(50.0)))
    assert len(calls) == 2


def test_columns_of_one_function_value():
    random = np.random.default_rng(0)

    def noisy(x):
        return np.concatenate([x, x]) * random.standard_normal(2 * len(x))

    one_sweep = jacfwd(noisy)(np.ones(2))
    assert one_sweep[0, 1] == one_sweep[2, 1] == 0.0
    with pytest.raises(AutodiffError, match="the same value twice"):
        jacfwd(noisy)(np.ones(200))  # in two blocks of directions
    found = jacobian(noisy)(np.ones(2))  # falls back to the reverse sweeps of one value
    assert_allclose(found[0, 1], 0.0)
