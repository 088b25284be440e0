"""Derivatives by finite differences and complex step, for arguments of any structure.

Nothing here knows of the compiler, so that a test may trust it. An argument is a structure (tuple,
list, dict, dataclass, object) whose *leaves* are floats, complex numbers and arrays of those; all
else (integers, strings, functions) is held fixed. The derivative is that of

    real(sum over leaves of conj(seed) * result)

and for a complex leaf z = x + iy it is d/dx + i d/dy: the adjoint in the Hermitian inner product,
the direction of steepest ascent (the convention of PyTorch; JAX and autograd give its conjugate).
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

OPAQUE = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.ModuleType,
    type,
    functools.partial,
    np.ufunc,
    np.random.Generator,
    np.ndarray,
    np.generic,
)


class OracleError(Exception):
    """The finite differences contradict each other: the point is at a kink, or too curved."""


def is_leaf(value: object) -> bool:
    """Whether a value is something that one differentiates."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc"
    return isinstance(value, (float, complex, np.floating, np.complexfloating))


def items(value: Any) -> list[tuple[Any, Any]] | None:
    """The (key, item) pairs of a container, in order; None if it is no container."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value)]
    if isinstance(value, (tuple, list)):
        return list(enumerate(value))
    if isinstance(value, Mapping):
        return list(value.items())
    if hasattr(value, "__dict__") and not isinstance(value, OPAQUE):
        return list(vars(value).items())
    return None


def leaves(value: Any) -> list[Any]:
    """All leaves of a structure, in order."""
    if is_leaf(value):
        return [value]
    return [leaf for _, item in items(value) or [] for leaf in leaves(item)]


def rebuild(value: Any, new: Iterator[Any]) -> Any:
    """A copy of a structure with its leaves taken from `new`; arrays that are no leaves copied."""
    if is_leaf(value):
        return next(new)
    if isinstance(value, np.ndarray):
        return value.copy()
    pairs = items(value)
    if pairs is None:
        return value
    parts = [(key, rebuild(item, new)) for key, item in pairs]
    if isinstance(value, tuple):
        made = [part for _, part in parts]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    if isinstance(value, list):
        return type(value)(part for _, part in parts)
    result = copy.copy(value)
    if isinstance(value, Mapping):
        result.update(parts)  # type: ignore[attr-defined]
    else:
        for key, part in parts:
            object.__setattr__(result, key, part)
    return result


def copied(value: Any) -> Any:
    """A copy that shares no array and no container with the original."""
    return rebuild(value, iter([copy.copy(leaf) for leaf in leaves(value)]))


def wide(leaf: Any, content: NDArray[Any]) -> Any:
    """`content` as the same sort of thing as `leaf` (number or array), in double precision."""
    if isinstance(leaf, np.ndarray):
        return content.copy(order="K")  # the layout decides what `reshape` shares
    number = content[()]
    return number if isinstance(leaf, np.generic) else number.item()


def project(seed: Any, value: Any) -> complex:
    """The sum over leaves of conj(seed) * value."""
    pairs = zip(leaves(seed), leaves(value), strict=True)
    return complex(sum(np.sum(np.conj(s) * np.asarray(v)) for s, v in pairs))


def seed_for(value: Any) -> Any:
    """A seed of the structure of `value`: 1.0 for a real number, else distinct fixed numbers."""
    if is_leaf(value) and np.ndim(value) == 0 and not np.iscomplexobj(value):
        return wide_like(value, 1.0)
    stream = np.random.default_rng(12345)
    made = []
    for leaf in leaves(value):
        content = stream.uniform(0.5, 1.5, np.shape(leaf))
        if np.iscomplexobj(leaf):
            content = content + 1j * stream.uniform(-1.0, 1.0, np.shape(leaf))
        made.append(wide_like(leaf, content))
    return rebuild(value, iter(made))


def wide_like(leaf: Any, content: Any) -> Any:
    """`content` with the type and dtype of `leaf`."""
    content = np.asarray(content, dtype=np.asarray(leaf).dtype)
    return wide(leaf, content)


def arguments(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> inspect.BoundArguments:
    """The arguments of a call by the name of their parameter."""
    return inspect.signature(function).bind(*args, **kwargs)


def gradients(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    wrt: Sequence[int | str],
    *,
    seed: Any = None,
    analytic: bool = False,
) -> list[list[NDArray[Any]]]:
    """The gradient of each wrt parameter, as one array per leaf (`compare` takes it).

    By complex step if `analytic`, else by differences of fourth order at two step widths, which
    must agree (`OracleError`). The arguments are not modified. A `*args` parameter is a tuple, a
    `**kwargs` parameter a dict.
    """
    bound = arguments(function, args, kwargs)
    everything = dict(bound.arguments)
    originals = leaves(everything)
    contents = [
        np.asarray(leaf, dtype=complex if np.iscomplexobj(leaf) else float) for leaf in originals
    ]
    owners = [name for name, value in everything.items() for _ in leaves(value)]

    def evaluate(index: int, at: Any, delta: complex) -> complex:
        moved = list(contents)
        content = contents[index].astype(np.result_type(contents[index], type(delta)))
        content[at] += delta
        moved[index] = content
        new = [wide(leaf, c) for leaf, c in zip(originals, moved, strict=True)]
        call = inspect.BoundArguments(bound.signature, rebuild(everything, iter(new)))
        value = function(*call.args, **call.kwargs)
        return project(seed_for(value) if seed is None else seed, value)

    def derivative(index: int, at: Any) -> complex:
        along = functools.partial(evaluate, index, at)
        if np.iscomplexobj(contents[index]):
            return difference(along, 1.0) + 1j * difference(along, 1j)
        if analytic:
            return along(1e-40j).imag / 1e-40
        return difference(along, max(abs(float(contents[index][at])), 0.3))

    def gradient(index: int) -> NDArray[Any]:
        result = np.zeros_like(contents[index])
        for at in np.ndindex(result.shape):
            result[at] = derivative(index, at)
        return result

    names = [place if isinstance(place, str) else list(everything)[place] for place in wrt]
    return [[gradient(i) for i, owner in enumerate(owners) if owner == name] for name in names]


def difference(along: Callable[[complex], complex], unit: complex) -> float:
    """The derivative of real(along(t * unit)) at t = 0, divided by abs(unit)."""

    def fourth(h: float) -> float:
        def at(t: float) -> float:
            step = t * h * unit
            return along(step if isinstance(unit, complex) else step.real).real

        inner, outer = at(1.0) - at(-1.0), at(2.0) - at(-2.0)
        return (8.0 * inner - outer) / (12.0 * h * abs(unit))

    coarse, fine = fourth(2e-3), fourth(1e-3)
    if not np.isclose(coarse, fine, rtol=1e-7, atol=1e-8):
        raise OracleError(f"differences of two step widths disagree: {coarse} and {fine}")
    return fine + (fine - coarse) / 15.0


def compare(
    gradient: Any,
    argument: Any,
    expected: Sequence[NDArray[Any]],
    tolerance: float,
    name: str = "gradient",
) -> None:
    """Fail unless `gradient` has the structure of `argument` and the numbers `expected`."""
    remaining = iter(expected)
    compare_at(gradient, argument, remaining, tolerance, name)
    assert next(remaining, None) is None


def compare_at(
    gradient: Any, argument: Any, expected: Iterator[NDArray[Any]], tolerance: float, path: str
) -> None:
    if is_leaf(argument):
        number = np.asarray(gradient)
        dtype = np.asarray(argument).dtype
        assert np.shape(gradient) == np.shape(argument), f"{path}: shape {np.shape(gradient)}"
        assert number.dtype == dtype, f"{path}: dtype {number.dtype}, argument has {dtype}"
        if isinstance(argument, np.ndarray) and argument.ndim:
            assert isinstance(gradient, np.ndarray), f"{path}: {type(gradient)}"
        close = max(tolerance, 1e-4 if dtype in (np.float32, np.complex64) else 0.0)
        np.testing.assert_allclose(
            number, next(expected), rtol=close, atol=close, err_msg=f"{path} is wrong"
        )
        return
    pairs = items(argument)
    if pairs is None or not leaves(argument):
        return
    if isinstance(argument, (tuple, list, Mapping)):
        assert type(gradient) is type(argument), f"{path}: {type(gradient)}"
        assert len(gradient) == len(argument), f"{path}: length {len(gradient)}"
    for key, item in pairs:
        by_key = isinstance(argument, (tuple, list, Mapping))
        part = gradient[key] if by_key else getattr(gradient, key)
        inner = f"{path}[{key!r}]" if by_key else f"{path}.{key}"
        compare_at(part, item, expected, tolerance, inner)


def assert_same(actual: Any, expected: Any, path: str = "value") -> None:
    """Fail unless both are the same structure of bitwise equal numbers."""
    if isinstance(expected, (np.ndarray, np.generic)):
        assert np.shape(actual) == np.shape(expected), path
        assert np.asarray(actual).dtype == expected.dtype, path
        np.testing.assert_array_equal(actual, expected, err_msg=path)
        return
    pairs = items(expected)
    if pairs is None:
        if isinstance(expected, OPAQUE):
            return
        if isinstance(expected, (float, complex)):
            np.testing.assert_array_equal(actual, expected, err_msg=path)
        else:
            assert actual == expected, path
        return
    assert type(actual) is type(expected), path
    found = items(actual)
    assert [key for key, _ in found or []] == [key for key, _ in pairs], path
    for (key, part), (_, item) in zip(found or [], pairs, strict=True):
        assert_same(part, item, f"{path}[{key!r}]")
