"""Whether results of primitives are new memory. `tests/primitives` runs them all.

A function of NumPy or SciPy that is registered as pure gives new memory unless it stands here, or
its templates say that it may share; of other functions nothing is known unless somebody says so.

Functions that give what they are given under another form, as a view where NumPy can.

Whether `m.reshape(-1)` is a view depends on how `m` lies in memory. The shadow of `m` lies as `m`
does, so the same call on it gives a view exactly where the call on `m` does; where it gives a copy,
the reverse sweep gives back what was added there. Where a call does something else for other values
(`np.real_if_close`), the shadow is found by where the result lies in `m`.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff import runtime
from autodiff.core import Apply, Value
from autodiff.kinds.helper_kinds import MAKING
from autodiff.kinds.kind import (
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Unknown,
    is_complex,
    is_real,
)
from autodiff.primitives.primitive import Memory, Slot, number_of
from autodiff.rules import registry
from autodiff.rules.home import module_of


@dataclass(frozen=True, slots=True)
class Claim:
    """What a result is; where one of some parameters is given, nobody knows. shares: the arguments
    that it may share memory with if it is not new, None for any. of_complex, of_real: what it is of
    such an array alone, if that is known.
    """

    memory: Memory
    unless: tuple[Slot, ...] = ()
    shares: tuple[int, ...] | None = None
    of_complex: Memory | None = None
    of_real: Memory | None = None


_NEW, _VIEW, _UNKNOWN = Claim("new"), Claim("view"), Claim("unknown")
_OF_THE_FIRST = Claim("unknown", shares=(0,))
_OF_BINS = Claim("unknown", shares=(1,))


def _of_numpy(*names: str) -> tuple[Any, ...]:
    """Functions that not every version of NumPy has."""
    places = (np, np.linalg)
    return tuple(getattr(m, name) for m in places for name in names if hasattr(m, name))


_OF_OURS = (
    *(runtime.blanks, runtime.zeros_like, runtime.share, runtime.winners, runtime.fold_back),
    *(runtime.nanquantile_level_adjoint, runtime.accumulate, runtime.stored),
    *(runtime.replica, runtime.zeros_alike, runtime.gated),
    *(runtime.order_of, runtime.reordered, runtime.spacing_adjoint, runtime.adjoint_of),
    *(runtime.tangent_of, runtime.copied, runtime.lstsq_adjoint),
)
_VIEWS = (
    *(np.transpose, np.swapaxes, np.squeeze, np.expand_dims, np.moveaxis, np.rollaxis, np.flip),
    *(np.fliplr, np.flipud, np.rot90, *_of_numpy("matrix_transpose", "unstack")),
    *(np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit),
)
"""Functions of which the result always is the memory of the first operand, and may be written to if
that may.
"""
_NEW_OF_ROWS = frozenset((np.diag, *_of_numpy("unstack")))
"""Functions that give new memory for an array of one axis: a matrix, numbers."""
_OF_FIRST = (
    *(np.reshape, np.ravel, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray),
    *(np.require, np.broadcast_to, np.diag, np.diagonal),
    *(np.real_if_close, np.trim_zeros),
    *(np.linalg.matrix_power, np.asarray_chkfinite, np.polyder, np.polyint),
    *(np.lib.stride_tricks.sliding_window_view, np.lib.stride_tricks.as_strided),
    *(np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn),
    *_of_numpy("diagonal"),
    *(runtime.unbroadcast, runtime.split, runtime.fitted),
    *(runtime.resized, runtime.block_adjoint),
)
"""Functions that give a view of the first operand for some operands."""
_SHARING = (*(np.atleast_1d, np.atleast_2d, np.atleast_3d, np.broadcast_arrays, np.ix_, np.einsum),)
"""Functions that give a view of some operand for some operands."""
_COPYING: dict[Any, tuple[Slot, ...]] = {
    np.array: (Slot(None, "copy"),),
    np.ndarray.astype: (Slot(5, "copy"),),
    np.meshgrid: (Slot(None, "copy"),),
    np.nan_to_num: (Slot(1, "copy"),),
    np.diff: (Slot(1, "n"),),
    sum: (Slot(1, "start"),),
    math.prod: (Slot(None, "start"),),
    **dict.fromkeys(_of_numpy("astype"), (Slot(None, "copy"),)),
}
"""Functions that give new memory unless some parameter says otherwise."""
_CONJUGATES = (np.ndarray.conj, np.ndarray.conjugate, np.conjugate, runtime.conj)
"""`np.conjugate` stands for the method as well: a real array gives itself."""
_CHOOSING = (max, min, getattr, next, sorted, reversed, zip, enumerate, map, filter, iter)
"""Builtins that give parts of what they are given."""
_CONTAINING = (slice, operator.getitem)
"""Those that hold what they are given, or give what it holds."""

CLAIMS: dict[Any, Claim] = {
    **dict.fromkeys((*_OF_OURS, *MAKING), _NEW),
    **dict.fromkeys(_VIEWS, _VIEW),
    **dict.fromkeys(_OF_FIRST, _OF_THE_FIRST),
    np.real: Claim("unknown", (), (0,), "view", "view"),
    np.imag: Claim("unknown", (), (0,), "view"),
    **dict.fromkeys(_CONJUGATES, Claim("unknown", (), (0,), "new")),
    **dict.fromkeys((np.histogramdd, np.histogram_bin_edges), _OF_BINS),
    np.histogram: _UNKNOWN,
    np.histogram2d: Claim("unknown", shares=(2,)),
    **dict.fromkeys((runtime.shadow_of, runtime.shadow_from), Claim("unknown", shares=(2,))),
    **dict.fromkeys((*_SHARING, *_CHOOSING, *_CONTAINING), _UNKNOWN),
    **{function: Claim("new", unless) for function, unless in _COPYING.items()},
    np.ndarray.astype: Claim("new", _COPYING[np.ndarray.astype], (0,)),  # not with its dtype
}
_OPERATORS = ("operator", "_operator")
_OF_PYTHON = (*_OPERATORS, math.__name__, "cmath", "builtins")

_AS_ARRAYS = frozenset((np.atleast_1d, np.atleast_2d, np.atleast_3d, np.asarray, np.asanyarray))
"""Functions that give an array itself, perhaps with more axes."""


@functools.lru_cache(maxsize=4096)
def claim_of(function: Any) -> Claim:
    """Whether a function returns new memory, a view of its first operand, or nobody knows.

    >>> claim_of(np.sin).memory, claim_of(np.transpose).memory, claim_of(np.reshape).memory
    ('new', 'view', 'unknown')
    """
    found = CLAIMS.get(function)
    if found is not None:
        return found
    if isinstance(function, np.ufunc) or registry.makes_new(function):
        return _NEW
    if isinstance(function, type) and issubclass(function, np.generic):
        return _UNKNOWN  # `np.float64(x)` of an array of doubles
    if not registry.is_pure(function) and module_of(function) not in _OF_PYTHON:
        return _UNKNOWN
    numerical = getattr(function, "__objclass__", None) is np.ndarray or module_of(
        function
    ).startswith(("numpy", "scipy", *_OF_PYTHON))
    if registry.may_share(function):
        return _OF_THE_FIRST
    return _NEW if numerical else _UNKNOWN


def memory_of_call(function: Any, kinds: list[Kind], count: int, names: Collection[str]) -> Memory:
    """What the result of a call is. kinds: those of the operands, the first argument first; count,
    names: how many arguments are given by position, and which by name.

    >>> x = Array("float64", (3,))
    >>> memory_of_call(np.array, [x], 1, ()), memory_of_call(np.array, [x], 1, ("copy",))
    ('new', 'unknown')
    >>> memory_of_call(np.atleast_1d, [x], 1, ()), memory_of_call(np.atleast_1d, [x, x], 2, ())
    ('view', 'unknown')
    """
    if function is np.einsum and count > 2 and not isinstance(kinds[0], Array):
        return "new"  # of several arrays
    claim = claim_of(function)
    single = function in _NEW_OF_ROWS or function in (max, min) and count == 1
    if single and isinstance(kinds[0], Array) and len(kinds[0].shape) == 1:
        return "new"
    if any(
        slot.position is not None and slot.position < count or slot.name in names
        for slot in claim.unless
    ):
        return "unknown"
    if claim.memory == "new":
        operator_ = module_of(function) in _OPERATORS
        return "new" if not operator_ or all(map(is_numeric, kinds)) else "unknown"
    of_array = count >= 1 and bool(kinds) and isinstance(kinds[0], Array)
    alone = count == 1 and not names
    if claim.shares == (0,) or alone and function in _AS_ARRAYS:
        listed = count >= 1 and bool(kinds) and isinstance(kinds[0], (Sequence, Record))
        listed = listed or function in _AS_ARRAYS and isinstance(kinds[0], Scalar)
        if listed and module_of(function).startswith("numpy"):
            return "new"  # the array that is made of a list or a number
    if claim.memory == "view":
        return "view" if of_array else "unknown"
    alone = alone and of_array
    if alone and is_complex(kinds[0]) and claim.of_complex is not None:
        return claim.of_complex
    if alone and is_real(kinds[0]) and claim.of_real is not None:
        return claim.of_real
    return "view" if alone and function in _AS_ARRAYS else "unknown"


def is_numeric(kind: Kind) -> bool:
    """Whether a value is a number or an array."""
    return isinstance(kind, (Array, Scalar, Numeric))


_FORMS = frozenset((np.reshape, np.ravel, np.ascontiguousarray, np.asfortranarray, np.require))
"""Those that copy what lies in memory as they cannot give it."""
_THEMSELVES = frozenset(
    (np.asarray, np.asanyarray, np.asarray_chkfinite, np.real, np.einsum, np.array)
    + (np.atleast_1d, np.atleast_2d, np.atleast_3d, np.ndarray.astype)
)
"""Those that give a view, or the array itself, unless a parameter says otherwise."""
READ_ONLY = frozenset(
    (np.broadcast_to, np.diagonal, np.diag, np.lib.stride_tricks.sliding_window_view)
)
"""Functions whose result nobody can write to, or is new: what is in it is read where it is made."""


_OVERLAPPING = frozenset((np.lib.stride_tricks.as_strided, np.linalg.matrix_power))
"""Functions that give elements several times, or of which the slopes depend on what they read."""


def lent(op: Apply) -> int | None:
    """The number of the one operand whose memory the result may be, each element once."""
    kind = op.result.kind
    if op.primitive.memory != "unknown" or not isinstance(kind, Array):
        return None
    if op.primitive.function is None or op.primitive.function in READ_ONLY | _OVERLAPPING:
        return None
    if module_of(op.primitive.function).startswith("scipy"):
        return None  # slopes that depend on what it reads
    own, shares = op.application.arguments, op.primitive.shares
    places: list[int | None] = [*range(len(op.operands))]
    if shares and shares != (0,) and max(shares) < len(own):  # a first one may be read-only
        places = [number_of(own[k]) for k in shares]
    given_out = [op.operands[k] for k in places if k is not None]
    if any(isinstance(v.kind, (Numeric, Unknown)) and not v.is_constant for v in given_out):
        return None  # which may be arrays, too
    arrays = [k for k in places if k is not None and op.operands[k].is_array]
    if len(arrays) != 1:
        return None
    given = op.operands[arrays[0]].kind
    assert isinstance(given, Array)
    alike = given.dtype == kind.dtype or kind.dtype is None and not is_by_form(op)
    return arrays[0] if alike else None


def is_by_form(op: Apply) -> bool:
    """Whether the same operation on a shadow gives that of the result."""
    return op.primitive.function in _FORMS | _THEMSELVES


def may_copy(op: Apply, place: int) -> bool:
    """Whether what an operation lends may be a copy."""
    function, keywords = op.primitive.function, op.application.keywords
    if function in _THEMSELVES:
        return bool(keywords) or function in (np.array, np.einsum, np.ndarray.astype)
    made = op.operands[place].op
    if (
        keywords
        or not is_by_form(op)
        or not isinstance(made, Apply)
        or made.primitive.memory != "new"
    ):
        return True
    is_row = isinstance(made.result.kind, Array) and len(made.result.kind.shape) == 1
    filled = made.primitive.function in MAKING and not made.application.keywords
    return function not in (np.reshape, np.ravel) or not (
        filled or is_row and is_laid_out(made.result)
    )


def is_laid_out(value: Value) -> bool:
    """Whether zeros like an array lie in memory as it does: it has no gaps."""
    op = value.op
    if not isinstance(op, Apply) or op.primitive.memory != "new":
        return False
    return op.primitive.elementwise or op.primitive.function in MAKING | _DENSE


_DENSE = frozenset((np.copy, np.outer, np.array, np.ndarray.flatten, np.arange))
