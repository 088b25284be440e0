"""Classes that say what functions of NumPy's give of them, and arrays of objects."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp, value_and_grad
from autodiff.errors import AutodiffError
from tests.core.differences import check_both_modes
from tests.tracing.alone import followed_alone

X = np.array([0.7, 1.3, 0.4])
SIDE = np.array([1.0, -2.0, 0.5])
PROGRAMS: list[Callable[[Any], Any]] = []


def program(function: Any) -> Any:
    PROGRAMS.append(function)
    return function


class Named(np.ndarray):
    """An array that keeps a name, and how many elements it has."""

    name: Any = None
    count = 0

    def __array_finalize__(self, other: Any) -> None:
        self.count = self.size
        self.name = getattr(other, "name", None)


class Wrapped(np.ndarray):
    """An array whose results are of its class, but numbers."""

    def __new__(cls, x: Any) -> Any:
        if not np.isfinite(np.asarray(x)).all():
            raise ValueError("not finite")
        return np.asarray(x).view(cls)

    def __array_wrap__(self, x: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return x[()] if return_scalar or x.ndim == 0 else type(self)(x)


class Column(np.ndarray):
    """An array of one column whose universal functions say what they give."""

    def __new__(cls, x: Any) -> Any:
        return np.asarray(x).reshape(-1, 1).view(cls)

    def __array_ufunc__(self, ufunc: Any, way: str, *given: Any, **named: Any) -> Any:
        given = tuple(np.asarray(own) if isinstance(own, Column) else own for own in given)
        if "out" in named:
            named["out"] = tuple(map(np.asarray, named["out"]))
        found = super().__array_ufunc__(ufunc, way, *given, **named)
        if isinstance(found, np.ndarray) and found.ndim == 2 and found.shape[1] == 1:
            return found.view(Column)
        return found

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__((index, 0) if isinstance(index, int) else index)

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__((index, 0) if isinstance(index, int) else index, value)


class Doubled(np.ndarray):
    """An array whose sums are twice as much: no rule of NumPy's says so."""

    def __array_ufunc__(self, ufunc: Any, way: str, *given: Any, **named: Any) -> Any:
        given = tuple(np.asarray(own) for own in given)
        factor = 2.0 if ufunc is np.add else 1.0
        return super().__array_ufunc__(ufunc, way, *given, **named) * factor


class Length:
    """A number with a unit: what NumPy makes arrays of objects of."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __add__(self, other: Any) -> Any:
        return Length(self.value + getattr(other, "value", other))

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        return Length(np.multiply(self.value, getattr(other, "value", other)))

    __rmul__ = __mul__

    def __le__(self, other: Any) -> bool:
        return bool(self.value <= other.value)

    def __float__(self) -> float:
        return float(self.value)

    def sin(self) -> Any:
        return Length(np.sin(self.value))


@program
def finalized(x: Any) -> Any:
    own = x.view(Named)
    own.name = "metres"
    part = (own * 2.0)[1:]
    return np.sum(part**2) * part.count * len(part.name or "unit")


@program
def stored_by_finalize(x: Any) -> Any:
    own = x.view(Named)
    own.name = x[0] * x[1]
    return np.sum(own[1:].copy()) * own[1:].name


@program
def wrapped(x: Any) -> Any:
    own, other = Wrapped(x), Wrapped([0.2, 1.0, 0.5])
    far = np.sqrt(((own - other) ** 2).sum())
    return far + np.linalg.norm(own * 2.0) + own.mean() + float(isinstance(own + x, Wrapped))


@program
def compared(x: Any) -> Any:
    own = Wrapped(x)
    return np.sum(own * (own > 0.5)) + float(np.isclose(own, own).all()) * own.dot(own)


@program
def in_place(x: Any) -> Any:
    own = Wrapped(x * 1.0)
    own += x
    own *= 2.0
    return np.sum(abs(-own) ** 2)


class Tripled(np.ndarray):
    """An array whose results are three times as much, but where they are written to."""

    def __array_wrap__(self, x: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return np.asarray(x) * 3.0


@program
def into_places(x: Any) -> Any:
    own, place = x.view(Tripled), np.zeros(3)
    np.multiply(own, x, out=place)
    there = (x * 2.0).view(Tripled)
    before = np.asarray(there)
    there += own
    return np.sum(place**2) * np.sum(before) + np.sum(there) + np.sum(np.sin(own))


class Scaled(np.ndarray):
    scale: Any = 1.0

    def __array_finalize__(self, other: Any) -> None:
        self.scale = getattr(other, "scale", 1.0)


@program
def copies(x: Any) -> Any:
    own = x.view(Scaled)
    own.scale = x[0]
    one, other = copy.copy(own), copy.deepcopy(own)
    one[0] = 2.0
    return np.sum(one * other) * one.scale


@program
def columns(x: Any) -> Any:
    own = Column(x)
    own[0] = own[1] * own[2]
    made = np.eye(3) @ (own + own * 2.0)
    return made[1] * np.sum(np.exp(own)) + np.trace(made @ made.T)


@program
def not_numpys(x: Any) -> Any:
    own = x.view(Doubled)
    return np.sum(np.asarray(own + own) * np.asarray(own * 3.0))


@program
def stored_whole(x: Any) -> Any:
    own = Column(np.zeros(3))
    own[1:] = Column(x[:2] * 3.0)
    return np.sum(np.asarray(own) ** 2)


@program
def objects(x: Any) -> Any:
    own = np.array([Length(x[0]), Length(x[1]), Length(3.0)])
    made = np.sin(own * np.array([1.0, 2.0, 3.0]) + x[2])
    return made.sum().value * (own @ own).value + np.add.accumulate(own)[1].value


@program
def numbers_as_objects(x: Any) -> Any:
    own = np.array([[x[0], x[1]], [x[2], 2.0]], dtype=object)
    own += 1.0
    moved = np.concatenate([own.T, own])
    return np.sum(moved * moved) + np.dot(own, own)[0, 1] + own.astype(float).mean() ** 2


@program
def objects_as_numbers(x: Any) -> Any:
    own = np.array([Length(x[0]), Length(x[1])])
    smaller = np.minimum(own[:1], own[1:])
    whole = np.array([np.array([x[0], x[1]]), np.array([x[2], 1.0])], dtype=object)
    return np.sum(np.array(list(own), dtype=float) ** 2) * smaller[0].value + whole[1, 0] ** 2


@program
def computed_beside_hooks(x: Any) -> Any:
    own = [Sine(x[0]), Sine(x[1]), Sine(x[2])]
    return np.mean(np.array(own)).of * x[1]


class Sine:
    def __init__(self, of: Any) -> None:
        self.of = of

    def __add__(self, other: Any) -> Any:
        return Sine(np.sin(self.of) + np.exp(other.of) * np.float64(2.0))

    def __truediv__(self, count: Any) -> Any:
        return Sine(np.sqrt(self.of) / count)


class Stateful:
    def __init__(self, scale: Any) -> None:
        self.scale, self.cache = scale, {"kept": 1}

    def __getstate__(self) -> Any:
        state = self.__dict__.copy()
        state["cache"] = None
        state["scale"] = state["scale"] * 2.0
        return state


@program
def copied_by_its_state(x: Any) -> Any:
    return copy.copy(Stateful(x[0] * x[1])).scale ** 2


class Truth:
    def __init__(self, x: Any) -> None:
        self.x = x

    @property
    def size(self) -> Any:
        return self.x * self.x

    def __bool__(self) -> bool:
        return bool(self.size > 0.1)


@program
def truths(x: Any) -> Any:
    own = Truth(x[0])
    return own.size * x[1] if own and not Truth(x[0] * 0.1) else x[1]


@program
def read_only(x: Any) -> Any:
    own = x * 2.0
    own.setflags(write=False)
    try:
        own[0] = 3.0
    except ValueError:
        own = own * 1.5
    return np.sum(own**2)


@program
def buffers(x: Any) -> Any:
    own = x * 2.0
    seen = np.ndarray((2,), float, buffer=own.data, offset=8)
    seen[0] = x[0] * x[1]
    return np.sum(own**3)


@program
def asked_of_numbers(x: Any) -> Any:
    multiply = getattr(2.0, "__mul__")  # noqa: B009
    whole = (3).__mul__(x[0])  # NotImplemented, as x[0] is no whole number
    scaled = 1.0 if whole is NotImplemented else 7.0
    return multiply(x[0]) * float.__truediv__(scaled, x[1]) + x[2].__neg__() * x[0]


FORMULA = eval("lambda a, b: -a / b + b ** 2 * a")


@program
def without_source(x: Any) -> Any:
    return FORMULA(x[0], x[1]) * x[2]


@program
def few_digits(x: Any) -> Any:
    name = f"x{x[0]}"
    own = np.zeros(3, dtype="float")
    own[:2] = x[:2] * 2.0
    return x[1] ** int(f"{len(name) * 0 + 2}") + np.sum(own)


@program
def forms_of_complex(x: Any) -> Any:
    own = x * (1.0 + 2.0j)
    made = np.empty_like(own)
    made[...] = own
    return abs(made[0].item() * np.zeros_like(own).sum().real + np.sum(made)) ** 2


@program
def where_always(x: Any) -> Any:
    return np.sum(np.multiply(x, x, where=True))


def slopes(f: Callable[[Any], Any], step: float = 1e-6) -> Any:
    return np.array([(f(X + e) - f(X - e)) / (2 * step) for e in np.eye(3) * step])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_followed(program: Callable[[Any], Any]) -> None:
    value, expected = program(X.copy()), slopes(program)
    with followed_alone():
        found, gradient = value_and_grad(program)(X)
        _, tangent = jvp(program, (X,), (SIDE,))
    assert found == pytest.approx(value, rel=1e-14)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tangent, expected @ SIDE, rtol=1e-6, atol=1e-7)


class Summed(np.ndarray):
    total: Any = 0.0

    def __array_finalize__(self, other: Any) -> None:
        self.total = float(np.sum(self.view(np.ndarray)))


def test_what_c_computes_and_stores_is_refused() -> None:
    def program(x: Any) -> Any:
        return (x.view(Summed) * 2.0).total

    with followed_alone(), pytest.raises(AutodiffError, match="__array_finalize__"):
        grad(program)(X)


def test_memory_that_is_written_past_numpy_is_refused() -> None:
    def program(x: Any) -> Any:
        own = x * 2.0
        own.data[1] = 5.0
        return np.sum(own**2)

    with followed_alone(), pytest.raises(AutodiffError, match="memoryview"):
        grad(program)(X)


def test_long_texts_are_refused() -> None:
    def program(x: Any) -> Any:
        return int(repr(float(x[0]))[2:] + "1234567") * x[1]

    with followed_alone(), pytest.raises(AutodiffError, match="read from text"):
        grad(program)(X)


def test_a_derivative_that_raises_is_refused() -> None:
    def program(x: Any) -> Any:
        return np.sum(np.polyval(np.outer([1.0, 2.0, 3.0], x), x * 0.5))

    with followed_alone(), pytest.raises(AutodiffError, match="a derivative that raises"):
        grad(program)(X)


def sums_of_a_matrix(x):
    made = np.asmatrix(np.outer(x, x))
    return made.sum() + np.asarray(made.sum(axis=1)).ravel() @ x + made.max() + made.mean(0).sum()


def products_of_matrices(x):
    made = np.asmatrix(np.outer(x, x))
    return (made * np.asmatrix(x).T).sum() + (made**2)[0, 0] + np.multiply(made, made).sum()


def parts_of_a_matrix(x):
    made = np.asmatrix(np.outer(x, x))
    return made[0, 1] + made[1].sum() + (made.T + made.H)[0, 1] + np.sum(made.A1**2)


def matrix_of_rows(x):
    made = np.matrix([[x[0], 1.0], [2.0, x[1]]])
    return (made * made)[0, 0] + made.getA1() @ x[[0, 1, 0, 1]]


MATRICES = [sums_of_a_matrix, products_of_matrices, parts_of_a_matrix, matrix_of_rows]


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("f", MATRICES, ids=lambda f: f.__name__)
def test_matrices(f):
    check_both_modes(f, np.array([1.5, -0.4, 0.7]))


class Measured(np.ndarray):  # type: ignore[type-arg]
    """Keeps its unit, which its sums have."""

    def __array_finalize__(self, obj):
        self.unit = getattr(obj, "unit", 1.0)

    def sum(self):  # type: ignore[override]
        return np.ndarray.sum(self, keepdims=True)


def in_a_unit(x):
    own = (x * 1.0).view(Measured)
    own.unit = 3.0
    found = own.sum()
    return np.asarray(found)[0] * found.unit


def test_what_a_sum_keeps_beside_its_elements_is_not_lost():
    with pytest.raises(AutodiffError):
        grad(in_a_unit)(np.array([1.5, -0.4, 0.7]))
