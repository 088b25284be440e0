"""Array functions that Numba lacks, or compiles for some memory layouts only."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload, register_jitable

from autodiff import runtime
from autodiff.errors import SharedMemoryError
from autodiff.native.made import overlap
from autodiff.native.stands import stands_for

_HAS_BLAS = find_spec("scipy") is not None
"""Numba takes BLAS and LAPACK from SciPy."""


def filled(value: Any, shape: Any) -> Any:
    """A new float array of this shape, with a number or smaller array in it: `np.broadcast_to`."""


@overload(filled)
def _filled(value: Any, shape: Any) -> Any:

    def number(value: Any, shape: Any) -> Any:  # Numba compares signatures, with annotations
        return np.full(shape, value, np.float64)

    if not isinstance(value, types.Array):
        return number
    extra = getattr(shape, "count", 1) - value.ndim
    if extra < 0:
        return None

    def repeated(value: Any, shape: Any) -> Any:
        result = np.empty(shape)
        for axis in range(len(value.shape)):
            if value.shape[axis] != 1 and value.shape[axis] != result.shape[axis + extra]:
                raise ValueError("broadcast_to: an array larger than its shape")
        for at in np.ndindex(result.shape):
            result[at] = value[repeated_at(at, value.shape, extra)]
        return result

    return repeated


@register_jitable
def repeated_at(at: Any, shape: Any, extra: int) -> Any:
    """The element of an array of this shape that is repeated to give another one's at a place."""
    to = shape
    for axis in range(len(shape)):
        index = at[axis + extra] if shape[axis] != 1 else 0
        to = tuple_setitem(to, axis, index)  # type: ignore[call-arg]
    return to


@register_jitable
def reshaped(x: Any, shape: Any) -> Any:
    """A copy with another shape: `np.reshape` of what nobody changes."""
    return np.ascontiguousarray(x).reshape(shape)


@stands_for(np.linalg.norm, x="side")
@register_jitable
def norm(x: Any) -> Any:
    """`np.linalg.norm` of all elements."""
    total = 0.0
    for at in np.ndindex(x.shape):
        total += x[at] * x[at]
    return np.sqrt(total)


@register_jitable
def add_at(x: Any, index: Any, value: Any) -> None:
    """`np.add.at` with an array of indices into the first axis, and one value for all."""
    for k in range(len(index)):
        at = index[k]
        if not -len(x) <= at < len(x):
            raise IndexError("index out of bounds")
        x[at] += value


@register_jitable
def add_each_at(x: Any, index: Any, values: Any) -> None:
    """`np.add.at` with an array of indices into the only axis, and a value for each."""
    if len(index) != len(values):
        raise ValueError("np.add.at: sizes that differ")
    for k in range(len(index)):
        at = index[k]
        if not -len(x) <= at < len(x):
            raise IndexError("index out of bounds")
        x[at] += values[k]


@stands_for(np.inner, a="vector", b="vector")
def matmul(a: Any, b: Any) -> Any:
    """`a @ b` of floats or complex numbers, in any memory layout."""


_NUMBERS = {types.float64: (0.0, np.float64), types.complex128: (0j, np.complex128)}


@overload(matmul)
def _matmul(a: Any, b: Any) -> Any:
    if not isinstance(a, types.Array) or not isinstance(b, types.Array):
        return None
    if a.dtype not in _NUMBERS or b.dtype not in _NUMBERS:
        return None
    zero, dtype = _NUMBERS[b.dtype if a.dtype == types.float64 else a.dtype]
    if a.ndim <= 2 and b.ndim <= 2:
        return _MATMUL[a.ndim, b.ndim](a, b, zero, dtype)
    if b.ndim == 2:
        return _stack_matrix
    return _stacks if a.ndim == b.ndim else None


def _inner(a: Any, b: Any, zero: Any, dtype: Any) -> Any:
    def inner(a: Any, b: Any) -> Any:
        if len(a) != len(b):
            raise ValueError("matmul: sizes that differ")
        total = zero
        for k in range(len(a)):
            total += a[k] * b[k]
        return total

    return inner


def _matrix_vector(a: Any, b: Any, zero: Any, dtype: Any) -> Any:
    def product(a: Any, b: Any) -> Any:
        rows, columns = a.shape
        if columns != len(b):
            raise ValueError("matmul: sizes that differ")
        result = np.zeros(rows, dtype)
        for i in range(rows):
            total = zero
            for k in range(columns):
                total += a[i, k] * b[k]
            result[i] = total
        return result

    return product


def _vector_matrix(a: Any, b: Any, zero: Any, dtype: Any) -> Any:
    def product(a: Any, b: Any) -> Any:
        rows, columns = b.shape
        if rows != len(a):
            raise ValueError("matmul: sizes that differ")
        result = np.zeros(columns, dtype)
        for k in range(rows):
            for j in range(columns):
                result[j] += a[k] * b[k, j]
        return result

    return product


def _matrices(a: Any, b: Any, zero: Any, dtype: Any) -> Any:
    if _HAS_BLAS and a.dtype == b.dtype:
        own, other = (x.layout in "CF" for x in (a, b))

        def by_blas(a: Any, b: Any) -> Any:
            left = a if own else np.ascontiguousarray(a)
            right = b if other else np.ascontiguousarray(b)
            return np.dot(left, right)

        return by_blas

    def by_loops(a: Any, b: Any) -> Any:
        if a.shape[1] != b.shape[0]:
            raise ValueError("matmul: sizes that differ")
        result = np.zeros((a.shape[0], b.shape[1]), dtype)
        for i in range(a.shape[0]):
            for k in range(a.shape[1]):
                for j in range(b.shape[1]):
                    result[i, j] += a[i, k] * b[k, j]
        return result

    return by_loops


def _stack_matrix(a: Any, b: Any) -> Any:
    flat = np.ascontiguousarray(a).reshape((-1, a.shape[-1]))
    return matmul(flat, b).reshape(a.shape[:-1] + b.shape[1:])


def _stacks(a: Any, b: Any) -> Any:
    if a.shape[:-2] != b.shape[:-2]:
        raise ValueError("matmul: stacks of matrices that differ")
    first = matmul(a[0], b[0])
    result = np.empty(a.shape[:1] + first.shape, first.dtype)
    result[0] = first
    for k in range(1, len(a)):
        result[k] = matmul(a[k], b[k])
    return result


_MATMUL = {
    (1, 1): _inner,
    (2, 1): _matrix_vector,
    (1, 2): _vector_matrix,
    (2, 2): _matrices,
}


@stands_for(runtime.matmul_left, g="array", x="array", y="matrix")
@register_jitable
def matmul_left(g: Any, x: Any, y: Any) -> Any:
    """The adjoint of a stack of matrices that a matrix is multiplied to."""
    return matmul(g, y.T)


@stands_for(runtime.matmul_right, g="array", x="array", y="matrix")
@register_jitable
def matmul_right(g: Any, x: Any, y: Any) -> Any:
    """The adjoint of a matrix that a stack of matrices is multiplied with."""
    left = np.ascontiguousarray(x).reshape((-1, x.shape[-1]))
    return matmul(left.T, np.ascontiguousarray(g).reshape((-1, g.shape[-1])))


@register_jitable
def apart(changed: Any, other: Any) -> None:
    """Refuse arguments that share memory where one of them is changed in place."""
    if overlap(changed, other):
        raise SharedMemoryError(  # whose arguments Numba takes by their places
            "an argument is updated in place and shares memory with another: pass a copy"
        )


stands_for(runtime.winners, x="array", y="number")(runtime.winners)


@overload(runtime.winners)
def _winners(x: Any, best: Any) -> Any:
    if not isinstance(x, types.Array) or isinstance(best, types.Array):
        return None

    def shares(x: Any, best: Any) -> Any:
        count = 0
        for at in np.ndindex(x.shape):
            if x[at] == best:
                count += 1
        result = np.zeros(x.shape)
        for at in np.ndindex(x.shape):
            if x[at] == best:
                result[at] = 1.0 / count
        return result

    return shares


@overload(runtime.direction)
@overload(runtime.phase)
def _phase(x: Any) -> Any:
    def of_number(x: Any) -> Any:
        size = abs(x)
        return x / (1.0 if size == 0.0 else size)

    def of_array(x: Any) -> Any:
        size = np.abs(x)
        return x / np.where(size == 0.0, 1.0, size)

    return of_array if isinstance(x, types.Array) else of_number


@register_jitable
def undiff(g: Any, size: int) -> Any:
    """The adjoint of `x`, of this length, when `g` is that of `np.diff(x)`, for one axis."""
    result = np.zeros(size)
    for k in range(len(g)):
        result[k] -= g[k]
        result[k + 1] += g[k]
    return result


@stands_for(runtime.scatter_diagonal, g="vector", like="matrix", offset=(None, 0))
@register_jitable
def scatter_diagonal(g: Any, like: Any) -> Any:
    """The adjoint of a matrix when `g` is that of its main diagonal."""
    result = np.zeros(like.shape)
    for k in range(min(like.shape)):
        result[k, k] = g[k]
    return result


@stands_for(np.diag, v="matrix")
@register_jitable
def diagonal_of(x: Any) -> Any:
    """A copy of the main diagonal of a matrix."""
    result = np.empty(min(x.shape))
    for k in range(len(result)):
        result[k] = x[k, k]
    return result


@stands_for(np.diag, v="vector")
@register_jitable
def diagonal(x: Any) -> Any:
    """The matrix with a vector on its diagonal: `np.diag`."""
    result = np.zeros((len(x), len(x)))
    for k in range(len(x)):
        result[k, k] = x[k]
    return result


@stands_for(np.sort, a="vector")
@register_jitable
def ordered(x: Any) -> Any:
    """`np.sort` of one axis."""
    return np.sort(x)


@stands_for(np.argsort, a="vector")
@register_jitable
def order(x: Any) -> Any:
    """`np.argsort` of one axis; equal elements keep their order."""
    return np.argsort(x, kind="mergesort")


@stands_for(runtime.unsorted, g="vector", order="indices")
@register_jitable
def unsorted(g: Any, places: Any) -> Any:
    """`runtime.unsorted` of one axis."""
    result = np.empty(len(g))
    for k in range(len(g)):
        result[places[k]] = g[k]
    return result


@stands_for(runtime.stored, g="vector", at="indices")
@register_jitable
def stored(g: Any, at: Any) -> Any:
    """`runtime.stored` of one axis: what is stored to one element twice counts the last time."""
    last = np.full(len(g), -1)
    result = np.zeros(len(at))
    for k in range(len(at)):
        last[at[k]] = k
    for k in range(len(at)):
        if last[at[k]] == k:
            result[k] = g[at[k]]
    return result


@register_jitable
def difference(x: Any) -> Any:
    """`np.diff` of one axis."""
    return x[1:] - x[:-1]


def viewed(x: Any, shape: Any) -> Any:
    """`np.reshape` of memory that changes: a view, as NumPy's is of what lies in C order."""


@overload(viewed)
def _viewed(x: Any, shape: Any) -> Any:
    if not isinstance(x, types.Array):
        return None
    if x.layout != "C":
        raise TypingError(
            "a view of another shape, of an array that changes and is not known to lie in C order; "
            "copy it before: x.copy().reshape(...)"
        )

    def view(x: Any, shape: Any) -> Any:
        return x.reshape(shape)

    return view


def in_order(x: Any) -> None:
    """Refuse, while Numba finds the types, arrays that are not known to be in C order."""


@overload(in_order)
def _in_order(x: Any) -> Any:
    parts: Any = getattr(x, "types", [x])
    if any(isinstance(part, types.Array) and part.layout != "C" for part in parts):
        raise TypingError(
            "an argument is not in C order, and a view of another shape changes; "
            "pass np.ascontiguousarray(x)"
        )

    def nothing(x: Any) -> None:
        return None

    return nothing
