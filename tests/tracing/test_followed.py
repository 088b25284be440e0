"""What the compiler refuses and a run can be followed through: values, all modes, what is left."""

from __future__ import annotations

import collections
import dataclasses
import functools
import heapq
import itertools
import logging
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, hessian, jacfwd, jacobian, jvp, value_and_grad, vjp
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from tests.tracing.alone import followed_alone

X = np.array([0.7, 1.3, 0.4])
LOG = logging.getLogger("autodiff.tests")
TABLE = np.array([2.0, 3.0, 5.0])


class Node:
    def __init__(self, value: Any, after: Any = None) -> None:
        self.value, self.after = value, after


def linked(x: Any) -> Any:
    head = None
    for k in range(len(x)):
        head = Node(x[k] * x[k], head)
    total = 0.0
    while head is not None:
        total = total + math.sin(head.value) * head.value
        head = head.after
    return total


class Counted(dict):  # type: ignore[type-arg]
    def __missing__(self, key: Any) -> Any:
        return 0.0

    def put(self, key: Any, value: Any) -> None:
        self[key] = self[key] + value


def derived_from_dict(x: Any) -> Any:
    found = Counted()
    for k in range(6):
        found.put(k % 2, x[k % 3] ** 2)
    return found[0] * found[1] + found["none"]


class TooSmall(Exception):
    def __init__(self, by: Any) -> None:
        super().__init__(f"by {by}")
        self.by = by


def errors_that_carry(x: Any) -> Any:
    try:
        if x[2] < 1.0:
            raise TooSmall(1.0 - x[2])
        return x[0]
    except TooSmall as error:
        return error.by * x[1]


def queued(x: Any) -> Any:
    queue = [(x[k] * (k + 1), k) for k in range(3)]
    heapq.heapify(queue)
    total = 0.0
    while queue:
        first, k = heapq.heappop(queue)
        total = total * x[0] + first
        if k == 1:
            heapq.heappush(queue, (first * x[2], 5))
    return total


def views_and_stores(x: Any) -> Any:
    a = np.zeros((2, 3))
    a[0] = x
    row = a[0, 1:]
    a[1, ::-1] = x * x
    row *= a[1, :2]
    a[:, 0] += row
    return np.sum(a * a) + a.T.reshape(-1)[2]


def records(x: Any) -> Any:
    a = np.zeros(3, dtype=[("p", float), ("q", float)])
    a["p"] = x * 2
    a["q"][1:] = x[1:] ** 2
    return np.sum(a["p"] * a["q"])


def asked_at_run_time(x: Any) -> Any:
    kinds = {"a": np.sin, "b": functools.partial(np.power, 2.0), "c": lambda v: v * x[0]}
    return sum(kinds[name](v) for name, v in zip("abc", x))


def cached(x: Any) -> Any:
    @functools.lru_cache(maxsize=None)
    def path(k: int) -> Any:
        return x[k % 3] if k < 2 else path(k - 1) * x[0] + path(k - 2)

    return path(12)


@dataclasses.dataclass
class Body:
    mass: Any
    speed: Any = 0.0
    log: list[Any] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        self.energy = self.mass * self.speed**2

    @property
    def momentum(self) -> Any:
        self.log.append(self.speed)
        return self.mass * self.speed


def bodies(x: Any) -> Any:
    own = [Body(v, speed=w) for v, w in itertools.pairwise([*x, x[0]])]
    own.sort(key=lambda b: b.energy)
    LOG.debug("sorted %s", own)
    return sum(b.momentum * (k + 1) for k, b in enumerate(own)) + own[0].log[0] ** 2


def matrices(x: Any) -> Any:
    m = np.outer(x, x) + np.diag([3.0, 4.0, 5.0])
    values, vectors = np.linalg.eigh(m)
    return np.sum(np.linalg.solve(m, x) * values) + np.abs(vectors[0, 0]) + np.linalg.det(m)


def texts(x: Any) -> Any:
    words = {f"{v:.1f}": v for v in x}
    return words["0.7"] * words["1.3"] if "1.3" in words else x[0]


def grouped(x: Any) -> Any:
    groups = collections.defaultdict(list)
    for k, v in enumerate(x):
        groups[k % 2].append(v)
    return np.prod([np.mean(own) for own in groups.values()])


PROGRAMS = [
    linked,
    derived_from_dict,
    errors_that_carry,
    queued,
    views_and_stores,
    records,
    asked_at_run_time,
    cached,
    bodies,
    matrices,
    texts,
    grouped,
]


def slopes(f: Callable[[Any], Any], x: Any, step: float = 1e-6) -> Any:
    units = np.eye(len(x)) * step
    return np.array([(f(x + e) - f(x - e)) / (2 * step) for e in units])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_right(program: Callable[[Any], Any]) -> None:
    expected = slopes(program, X)
    with followed_alone():
        value, gradient = value_and_grad(program)(X)
        assert value == program(X)
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(jacfwd(program)(X), expected, rtol=1e-6, atol=1e-8)
        second = slopes(lambda x: np.asarray(grad(program)(x)), X)
        if program is not matrices:  # its operations give several results
            np.testing.assert_allclose(hessian(program)(X), second, rtol=1e-5, atol=1e-6)


def test_what_is_refused_at_first_is_followed() -> None:
    derivative = grad(linked)
    np.testing.assert_allclose(derivative(X), slopes(linked, X), rtol=1e-6)
    assert "Each run is followed" in derivative.source
    for refused in (derivative.graph, lambda: derivative.save("never_written.py")):
        with pytest.raises(AutodiffError, match="each run is followed"):
            refused()


def test_it_may_be_left_out() -> None:
    with pytest.raises(UnsupportedSyntaxError):
        grad(linked, trace=False)(X)


def test_what_is_not_followed_is_refused_as_the_compiler_says() -> None:
    def opaque(x: Any) -> Any:
        return np.random.default_rng(1).standard_gamma(linked(x))

    with pytest.raises(AutodiffError) as found:
        grad(opaque)(X)
    assert "gamma" in found.value.unfollowed  # type: ignore[attr-defined]


class Model:
    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.last = 0.0
        self.parts = {"a": 1.0}

    def loss(self, x: Any) -> Any:
        self.last = x[0] * x[1]
        self.seen.append(self.last)
        self.parts["a"] = (self.last, [x[2]])
        return self.last * self.parts["a"][1][0] + linked(x)


def test_nothing_of_the_run_is_left() -> None:
    model = Model()
    SEEN.clear()

    def noted(x: Any) -> Any:
        SEEN.append(x[0] * 2.0)
        return linked(x) * SEEN[-1]

    np.testing.assert_allclose(grad(noted)(X), slopes(noted, X), rtol=1e-6)
    assert all(type(own) in (float, np.float64) for own in SEEN)
    np.testing.assert_allclose(grad(model.loss)(X), slopes(Model().loss, X), rtol=1e-6)
    assert type(model.last) in (float, np.float64)
    for own in (*model.seen, model.parts["a"]):
        for part in own if isinstance(own, tuple) else (own,):
            assert type(part) in (float, np.float64, list)


SEEN: list[Any] = []


def test_a_pullback_is_called_again() -> None:
    def function(x: Any) -> Any:
        return {"a": x * linked(x), "b": (linked(x), "text")}

    value, pullback = vjp(function, X)
    assert value["b"] == (linked(X), "text")
    ones = pullback({"a": np.ones(3), "b": (0.0, None)})[0]
    twos = pullback({"a": 2 * np.ones(3), "b": (0.0, None)})[0]
    np.testing.assert_allclose(twos, 2 * ones)
    np.testing.assert_allclose(ones, slopes(lambda x: np.sum(x * linked(x)), X), rtol=1e-6)


def test_structures_keywords_and_what_comes_beside() -> None:
    def function(p: Any, n: int, *, scale: float = 1.0) -> Any:
        return sum(linked(p["w"]) * p["b"] for _ in range(n)) * scale, {"n": n, "b": p["b"]}

    p = {"w": X, "b": 2.0}
    gradient, aux = grad(function, has_aux=True)(p, 2, scale=3.0)
    assert aux == {"n": 2, "b": 2.0}
    assert type(aux["b"]) is float
    np.testing.assert_allclose(gradient["w"], 12.0 * slopes(linked, X), rtol=1e-6)
    np.testing.assert_allclose(gradient["b"], 6.0 * linked(X), rtol=1e-12)
    assert type(gradient["b"]) is float


def test_tables_outside_and_arguments_stay_as_they_are() -> None:
    def function(x: Any) -> Any:
        x[0] = x[1] * TABLE[2]
        return linked(x) + np.sum(TABLE * x)

    given = X.copy()
    found = grad(function)(given)
    np.testing.assert_array_equal(given, X)
    np.testing.assert_allclose(found, slopes(lambda x: function(x.copy()), X), rtol=1e-6)
    _, tangent = jvp(function, (given,), (np.array([0.0, 1.0, 0.0]),))
    np.testing.assert_allclose(tangent, found[1], rtol=1e-12)


def test_jacobians() -> None:
    def function(x: Any) -> Any:
        return x * linked(x)

    rows = np.stack([slopes(lambda x, k=k: function(x)[k], X) for k in range(3)])
    np.testing.assert_allclose(jacobian(function)(X), rows, rtol=1e-6)


def test_errors_are_the_users() -> None:
    def function(x: Any) -> Any:
        return [linked(x)][int(x[0] * 10)]

    with pytest.raises(IndexError):
        grad(function)(X)


def test_a_path_that_the_compiler_left_out_is_followed() -> None:
    def function(x: Any, far: bool) -> Any:
        if far:
            return linked(x) * x[0]
        return np.sum(x * x)

    derivative = grad(function)
    np.testing.assert_allclose(derivative(X, False), 2.0 * X)
    expected = slopes(lambda x: function(x, True), X)
    np.testing.assert_allclose(derivative(X, True), expected, rtol=1e-6)
    with followed_alone():
        np.testing.assert_allclose(grad(function)(X, False), 2.0 * X)


MEMO: dict[Any, Any] = {}


def test_what_was_kept_for_a_number_is_not_found_by_a_run() -> None:
    def kept(x: Any) -> Any:
        key = (x[0], "sine")
        if key not in MEMO:
            MEMO[key] = math.sin(x[0])
        return MEMO[key] * linked(x) + MEMO.get(x[1], x[1])

    expected = slopes(kept, X)
    for _ in range(2):
        np.testing.assert_allclose(grad(kept)(X), expected, rtol=1e-6)
        MEMO.clear()
        kept(X)
    assert list(MEMO.values()) == [math.sin(X[0])]


def test_numbers_of_numpy_make_arrays_of_lists() -> None:
    def function(x: Any) -> Any:
        total = linked(x)
        for part in (x[0] / [2.0, 4.0], [x[1], 2.0] / x[2], np.float64(2.0) - [x[0], x[1]]):
            total = total + part[0] * part[1]
        return total + (x[0] - (1.0, 3.0))[1]

    with followed_alone():
        np.testing.assert_allclose(grad(function)(X), slopes(function, X), rtol=1e-6)


def test_numbers_that_happen_to_be_equal_are_kept_apart() -> None:
    def kept(x: Any) -> Any:
        @functools.lru_cache(maxsize=None)
        def sine(pair: Any) -> Any:
            return math.sin(pair[0]) * pair[1]

        a, b = x[0], x[1]
        return sine((a, 2.0)) * sine((b, 2.0)) + linked(x)

    x = np.ones(3)
    with followed_alone():
        np.testing.assert_allclose(grad(kept)(x), slopes(kept, x), rtol=1e-6)


def test_a_gradient_of_a_gradient_by_keyword() -> None:
    def function(x: Any, n: int) -> Any:
        return linked(np.array([x, x * 2.0])) * n

    with followed_alone():
        found = grad(grad(function))(x=0.4, n=2)
        by_place = grad(grad(function))(0.4, 2)
        step = 1e-5
        first = [grad(function)(0.4 + own, 2) for own in (step, -step)]
    assert found == by_place
    np.testing.assert_allclose(found, (first[0] - first[1]) / (2 * step), rtol=1e-5)


def test_elements_that_are_there_twice() -> None:
    def function(x: Any) -> Any:
        windows = np.lib.stride_tricks.as_strided(x * x, (2, 2), (8, 8))
        return np.sum(windows * windows) + linked(x)

    def stored(x: Any) -> Any:
        windows = np.lib.stride_tricks.as_strided(x * x, (2, 2), (8, 8))
        windows[:, :] = np.outer(x[:2], x[:2])
        return np.sum(windows)

    with followed_alone():
        np.testing.assert_allclose(grad(function)(X), slopes(function, X), rtol=1e-6)
        with pytest.raises(AutodiffError, match="twice"):
            grad(stored)(X)


def test_what_is_given_out_may_hold_itself() -> None:
    def function(x: Any) -> Any:
        node = Node(linked(x) * x[0])
        node.after = node
        return node.value, node

    with followed_alone():
        gradient, node = grad(function, has_aux=True)(X)
    expected = slopes(lambda x: linked(x) * x[0], X)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6)
    assert node.after is node
    assert node.value == function(X)[0]
    assert type(node.value) is np.float64


def test_numbers_that_are_given_out_in_what_is_not_seen_are_not_lost() -> None:
    def function(x: Any) -> Any:
        found = Counted()
        found["a"] = linked(x)
        return found

    with followed_alone(), pytest.raises(AutodiffError, match="given out"):
        vjp(function, X)
