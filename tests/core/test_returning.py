"""Functions that return containers (`lower/flow/lifted.py`), and adjoints of namedtuples."""

from __future__ import annotations

import collections
import dataclasses

import numpy as np
import pytest

from autodiff import grad, jvp, value_and_grad, vjp
from autodiff.core.notyet import NotYet
from tests.core.judge import core_alone
from tests.language import oracle

X = np.array([0.7, 0.4, 1.2])
Point = collections.namedtuple("Point", ["x", "y"])


@dataclasses.dataclass
class Reading:
    value: object
    file: object
    scale: float = 2.0


def nested(x, k):
    return {"a": [x * k, (x[0], "word", None)], 3: {"b": np.sum(x) * k}}


def fields(x, k):
    return Reading(x * k, file=Point(y=x[0] * x[1], x=k))


def views_of_each_other(x, k):
    a = x * k
    b = a[1:]
    b[0] = a[0] * x[2]
    return [a, (b, a[::2]), {"a": a}]


def of_a_loop(x, k):
    pair = [x[0], x]
    for i in range(3):
        pair[0] = pair[0] * x[i]
        pair[1] = pair[1] * k
    return pair


def by_branch(x, k):
    if k > 0.0:
        y = Point(x, k * x[0])
    else:
        y = Point(x * x, 1.0)
    return [y, y.x]


class State:
    """An object that no call of its class with its attributes makes."""

    def __init__(self, x):
        self.x, self.log = x, []

    def step(self, k):
        self.x = self.x * k
        self.log.append(np.sum(self.x))


def an_object(x, k):
    state = State(x)
    for i in range(3):
        state.step(k + x[i])
    return state


def a_list_that_grows(x, k):
    rows = [x * k]
    for i in range(len(x)):
        rows.append(rows[-1] * x)
        rows[0] = rows[0] + k
    return rows


def numbers_and_rows(x, k):
    found, count = [], 0
    for v in x:
        if v > 0.5:
            found.append(v * k)
            count += 1
    return {"found": found, "count": count, "rows": (x, [np.exp(x)])}


def a_list_of_shared_memory(x, k):
    w = x * k
    rows = []
    for i in range(2):
        w[i] = w[i] * w[i + 1]
        rows.append(w)
    return rows


def empty_or_not(x, k):
    found = []
    while len(found) < k - 1.0:
        found.append(np.exp(x[0]))
    return found, x * k


@pytest.mark.parametrize(
    "function",
    [
        *(nested, fields, views_of_each_other, of_a_loop, by_branch, an_object, a_list_that_grows),
        *(numbers_and_rows, a_list_of_shared_memory, empty_or_not),
    ],
    ids=lambda f: f.__name__,
)
def test_pullbacks_of_containers(function):
    primal = function(X.copy(), 0.3)
    seed = oracle.seed_for(primal)
    with core_alone():
        value, pullback = vjp(function, X.copy(), 0.3)
        adjoints = [pullback(seed)]
        spoil(value)
        adjoints.append(pullback(seed))
        value, _ = vjp(function, X.copy(), 0.3)
    assert type(value) is type(primal)
    for one, other in zip(oracle.leaves(value), oracle.leaves(primal), strict=True):
        assert np.allclose(one, other)
    wanted = oracle.gradients(function, [X.copy(), 0.3], {}, ["x", "k"], seed=seed)
    for found in adjoints:
        for name, own, want in zip(("x", "k"), found, wanted, strict=True):
            oracle.compare(own, X if name == "x" else 0.3, want, 1e-6, name)


def spoil(value):
    """The value is the caller's: the pullback does not see what becomes of it."""
    if isinstance(value, np.ndarray):
        value[...] = 17.0
    elif isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            spoil(item)
        if isinstance(value, list):
            value[:] = [17.0 if isinstance(item, float) else item for item in value]


def twice(x):
    one = [x, x * x]
    return one, {"again": one}


def test_identity_is_not_lost():
    with core_alone():
        value, pullback = vjp(twice, 0.7)
        (value_2, tangent) = jvp(twice, (0.7,), (2.0,))
    assert value == value_2 == twice(0.7)
    for found in (value, value_2, tangent):
        assert found[1]["again"] is found[0]
    assert tangent[0] == [2.0, 2.8]
    assert pullback(([1.0, 2.0], {"again": [3.0, 4.0]})) == (4.0 + 6.0 * 1.4,)


def holds_itself(x):
    one = [x]
    one.append(one)
    return one


def test_a_list_that_holds_itself():
    with core_alone(), pytest.raises(NotYet):
        vjp(holds_itself, 0.7)


def test_an_argument_that_is_returned():
    def changed(body, k):
        body.step(k)
        return body

    body = State(0.7)
    with core_alone():
        value, pullback = vjp(changed, body, 3.0)
        body_bar, k_bar = pullback(value)
    assert (body.x, body.log) == (0.7, [])
    assert np.allclose([value.x, *value.log], 2.1)
    assert np.allclose([body_bar.x, k_bar], [2 * 2.1 * 3.0, 2 * 2.1 * 0.7])


def rows_and_options(first, *rows, scale=2.0, **options):
    s = first * scale
    for k, row in enumerate(rows):
        s = s + np.sum(row) * (k + 1.0)
    for key in options:
        s = s * options[key] if key != "n" else s + options[key]
    return s


@pytest.mark.parametrize("wrt", ["rows", "options", "scale", ("first", "rows", "options")])
def test_starred_parameters(wrt):
    args, given = (0.7, X, X * 0.5), {"scale": 1.5, "k": 0.3, "n": 2}
    with core_alone():
        value, found = value_and_grad(rows_and_options, wrt=wrt)(*args, **given)
    whole = rows_and_options(*args, **given)
    assert value == whole
    single = isinstance(wrt, str)
    by = dict(zip([wrt] if single else wrt, [found] if single else found))
    if "rows" in by:
        assert isinstance(by["rows"], tuple)
        assert np.allclose(by["rows"][1], np.full(3, 2 * 0.3))
    if "options" in by:
        assert by["options"].keys() == {"k", "n"}
        assert np.isclose(by["options"]["k"], 0.7 * 1.5 + np.sum(X) + np.sum(X))
    if "scale" in by:
        assert np.isclose(by["scale"], 0.7 * 0.3)
    with core_alone():
        assert grad(rows_and_options)(0.7) == 2.0


def of_a_point(point, k):
    return point.x * point.y * k + np.sum(point.y)


def test_adjoint_of_a_namedtuple():
    with core_alone():
        found = grad(of_a_point, wrt="point")(Point(0.7, 0.4), 3.0)
    assert type(found) is Point
    assert np.allclose(found, [1.2, 3.1])
