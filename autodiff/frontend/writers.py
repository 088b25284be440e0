"""Functions of NumPy that convert what they are given, or take functions, in plain Python.

The compiler inlines them in place of the originals.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autodiff.rules.home import hashable
from autodiff.rules.installed import newer


def vectorized(function: Callable[..., Any], array: Any) -> Any:
    """What calling `np.vectorize(function)` does; all results have the type of the first."""
    flat = np.ravel(array)
    items = [function(flat[k]) for k in range(flat.size)]
    values = np.array(items)
    assert values.dtype == np.asarray(items[0]).dtype, "let np.vectorize compute floats only"
    return np.reshape(values, np.shape(array))


def typed(
    function: Any, x: Any, *, dtype: Any, casting: Any = "same_kind", order: Any = "K"
) -> Any:
    """A ufunc of one operand, computed in another precision."""
    return function(np.asarray(x).astype(dtype, casting=casting))


def typed_pair(
    function: Any, x: Any, y: Any, *, dtype: Any, casting: Any = "same_kind", order: Any = "K"
) -> Any:
    """A ufunc of two operands, computed in another precision."""
    left = np.asarray(x).astype(dtype, casting=casting)
    return function(left, np.asarray(y).astype(dtype, casting=casting))


def typed_into(
    function: Any, x: Any, *, out: Any, dtype: Any, casting: Any = "same_kind", order: Any = "K"
) -> Any:
    """A ufunc of one operand, computed in another precision, into an array."""
    np.copyto(out, function(np.asarray(x).astype(dtype, casting=casting)))
    return out


def typed_pair_into(
    function: Any,
    x: Any,
    y: Any,
    *,
    out: Any,
    dtype: Any,
    casting: Any = "same_kind",
    order: Any = "K",
) -> Any:
    """A ufunc of two operands, computed in another precision, into an array."""
    left = np.asarray(x).astype(dtype, casting=casting)
    np.copyto(out, function(left, np.asarray(y).astype(dtype, casting=casting)))
    return out


def matmul(function: Any, x: Any, y: Any, *, axes: Any) -> Any:
    """`np.matmul` of matrices along other axes than the last two."""
    product = np.moveaxis(x, axes[0], (-2, -1)) @ np.moveaxis(y, axes[1], (-2, -1))
    return np.moveaxis(product, (-2, -1), axes[2])


def vecdot(function: Any, x: Any, y: Any, *, axis: int = -1, keepdims: bool = False) -> Any:
    """`np.vecdot` along an axis, which counts in each operand by itself."""
    product = function(np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1))
    return np.expand_dims(product, axis) if keepdims else product


def vecdot_of_linalg(x: Any, y: Any, *, axis: int) -> Any:
    """`np.linalg.vecdot` along an axis."""
    return np.linalg.vecdot(np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1))


def clip(a: Any, *, min: Any = None, max: Any = None) -> Any:
    """`np.clip` with the bounds by their new names."""
    return np.clip(a, min, max)


def in_a_row(*parts: Any) -> Any:
    """`np.r_[...]` of vectors and numbers."""
    return np.hstack(parts)


def below(*parts: Any) -> Any:
    """`np.r_[...]` of arrays."""
    return np.concatenate(parts)


def beside(*parts: Any) -> Any:
    """`np.c_[...]` of vectors and matrices."""
    return np.column_stack(parts)


def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    """`np.apply_over_axes`; one axis may be a number."""
    result = np.asarray(a)
    for given in axes if isinstance(axes, (tuple, list, np.ndarray)) else (axes,):
        axis = given + np.ndim(a) if given < 0 else given
        made = func(result, axis)
        made = made if np.ndim(made) == np.ndim(result) else np.expand_dims(made, axis)
        if np.ndim(made) != np.ndim(result):
            raise ValueError("function is not returning an array of the correct shape")
        result = made
    return result


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.apply_over_axes: apply_over_axes,
    np.clip: clip,
    newer.linalg.vecdot: vecdot_of_linalg,
}


def written_function(function: Any, arguments: int, keywords: Iterable[str]) -> Any:
    """The plain Python function for a call of a library function; None where there is none.

    For a ufunc with `dtype`, its first parameter is the ufunc.
    """
    if isinstance(function, np.ufunc):
        if function.nout != 1 or arguments != function.nin or arguments > 2:
            return None
        given = set(keywords) - {"order"}
        if given == {"axes"} and function is np.matmul:
            return matmul
        if given and given <= {"axis", "keepdims"} and function is newer.vecdot:
            return vecdot
        if given - {"casting"} == {"dtype"} and _is_uniform(function):
            return (typed, typed_pair)[arguments - 1]
        if given - {"casting"} == {"dtype", "out"} and _is_uniform(function):
            return (typed_into, typed_pair_into)[arguments - 1]
        return None
    if not hashable(function):
        return None
    return _fitting(_FUNCTIONS.get(function), arguments, keywords)


def _is_uniform(function: np.ufunc) -> bool:
    """Whether the operands may be brought to the dtype of the result before."""
    mixed: set[str] = set()
    uniform: set[str] = set()
    for loop in function.types:
        operands, _, result = loop.partition("->")
        (uniform if set(operands) == {result} else mixed).add(result)
    return "d" in uniform and not (mixed - uniform) & set("efdgFDG")


def _fitting(found: Any, arguments: int, keywords: Iterable[str]) -> Any:
    if found is None:
        return None
    try:
        inspect.signature(found).bind(*range(arguments), **dict.fromkeys(keywords))
    except TypeError:  # an argument that it does not know
        return None
    return found
