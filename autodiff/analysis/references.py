"""Whose memory the value of an expression may share, for expressions in normal form."""

from __future__ import annotations

import inspect
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from autodiff.analysis.flow import keys_read
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import (
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Span,
    Static,
    Text,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.library import MAKING
from autodiff.analysis.memory_shared import memory_shared
from autodiff.analysis.operation import Operation
from autodiff.analysis.outer_reads import outer_reads
from autodiff.analysis.writing import outputs
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.runtime import (
    Slot,
    checkpointed_steps,
    collected,
    copied,
    expand,
    shadow,
    snapshot,
    sorting,
    stored,
    zeros_like,
)
from autodiff.runtime.scattering import placed
from autodiff.syntax.names import reads
from autodiff.syntax.walk import of_class

VIEWS = frozenset(
    "reshape ravel transpose matrix_transpose permute_dims swapaxes squeeze expand_dims asarray "
    "asanyarray ascontiguousarray asfortranarray require atleast_1d atleast_2d atleast_3d "
    "broadcast_to broadcast_arrays moveaxis rollaxis diagonal diag real imag flip fliplr flipud "
    "rot90 split array_split hsplit vsplit dsplit unstack real_if_close nan_to_num trim_zeros "
    "meshgrid ix_ astype array diff matrix_power asarray_chkfinite polyder polyint histogram "
    "histogram2d histogramdd histogram_bin_edges sliding_window_view fft2 ifft2 fftn ifftn "
    "float16 float32 float64 float128 longdouble complex64 complex128 complex256 "
    "clongdouble".split()
)
"""Functions of NumPy whose result may share memory with an argument."""

_COPYING = {"array": 2, "astype": 2, "nan_to_num": 1, "meshgrid": 9, "diff": 1}
_COPYING |= {"fft2": 1, "ifft2": 1, "fftn": 1, "ifftn": 1}
"""Those of them that copy with no more than so many arguments."""

_SELVES = frozenset({"conj", "conjugate"})
"""Methods that return a real array itself, unlike the functions of their names."""

_FRESH = (gast.Constant, gast.Compare, gast.JoinedStr, gast.UnaryOp)


def borrowed(value: gast.expr, kinds: Kinds) -> set[str]:
    """Names with which the value may share memory; a part of a container counts as shared."""
    if isinstance(value, gast.Name):
        return {value.id} if has_memory(value.id, kinds) else set()
    return {*kinds.answer(kinds.sources, value, _borrowed)}


def _borrowed(kinds: Kinds, value: gast.expr) -> frozenset[str]:
    if isinstance(value, (gast.BoolOp, gast.IfExp)):
        either = value.values if isinstance(value, gast.BoolOp) else (value.body, value.orelse)
        return frozenset().union(*(borrowed(part, kinds) for part in either))
    if isinstance(value, _FRESH) or not (_is_opaque(value, kinds) or is_mutable(kinds.of(value))):
        return frozenset()
    found = _sources(value, kinds)
    if found and _holds_values(kinds.of(value)):
        found = found - keys_read(value, kinds)
    return frozenset(n for n in found if has_memory(n, kinds))


def is_array_entry(statement: gast.stmt, kinds: Kinds) -> bool:
    """Whether a statement reads an array of an object of the caller's on entry.

    The arrays of arguments are checked to be apart, as far as they are changed.
    """
    return is_entry(statement, kinds) and isinstance(kinds.of(statement.value), Array)


def is_entry(statement: gast.stmt, kinds: Kinds) -> bool:
    """Whether a statement reads a part of an object of the caller's on entry."""
    if not isinstance(statement, gast.Assign) or not isinstance(statement.targets[0], gast.Name):
        return False
    value = statement.value
    return (
        isinstance(value, (gast.Attribute, gast.Subscript))
        and isinstance(value.value, gast.Name)
        and value.value.id in kinds.scope.opened
    )


def _is_opaque(value: gast.expr, kinds: Kinds) -> bool:
    """Whether an expression is a call of which nothing is known."""
    if not isinstance(value, gast.Call):
        return False
    operation = kinds.operation(value)
    return operation is None or not operation.pure


def _sources(value: gast.expr, kinds: Kinds) -> set[str]:
    if isinstance(value, gast.BinOp):
        sides = kinds.of(value.left), kinds.of(value.right)
        if _joins(sides):
            return set() if all(map(_holds_values, sides)) else reads(value)
        new = any(isinstance(side, (Array, Numeric, Scalar)) for side in sides)
        return set() if new else reads(value)
    if isinstance(value, gast.Subscript):
        is_array = isinstance(kinds.of(value.value), Array)
        copies = is_array and is_basic(value.slice, kinds.of) is False
        return set() if copies else reads(value.value)
    if isinstance(value, gast.Attribute):
        return reads(value.value)
    if isinstance(value, gast.Call):
        return _of_call(value, kinds)
    return reads(value)


def _joins(sides: tuple[Kind | None, ...]) -> bool:
    """Whether lists or tuples may be joined or repeated: `[u] * 3`."""
    return any(isinstance(side, (Record, Sequence)) for side in sides)


def _holds_values(side: Kind | None) -> bool:
    """Whether an operand is no memory, or a list of what cannot be changed."""
    if isinstance(side, Record):
        return not any(map(is_mutable, side.items))
    return not is_mutable(side.item if isinstance(side, Sequence) else side)


def _has_one_operand(call: gast.Call, kinds: Kinds) -> bool:
    """Whether `np.einsum` may get one: `("ii->i", a)`, `(a, [0, 0])` or `(a, [0, 0], [0])`."""
    of_text = isinstance(kinds.of(call.args[0]), Static) if call.args else False
    return len(call.args) < (3 if of_text else 4)


def returns_new(value: gast.Call, operation: Operation, kinds: Kinds) -> bool:
    """Whether a call of a function without side effects returns new memory, or a number."""
    function, own = operation.function, getattr(operation.function, "__name__", "")
    if isinstance(value.func, gast.Attribute) and value.func.attr in _SELVES:
        return False
    if function is expand and isinstance(kinds.of(operation.arguments[-1]), Array):
        return True
    if own == "einsum" and _has_one_operand(value, kinds):  # it may be a view
        return False
    operands = (*operation.arguments, *(own for _, own in operation.keywords))
    if Static(object) in map(kinds.of, operands):  # an array of what it is made of
        return False
    return makes_new(function, len(operands), any(k.arg == "copy" for k in value.keywords))


def makes_new(function: Any, given: int, may_copy: bool = False) -> bool:
    """The same of a function, where so many arguments are given; `may_copy`: one of them says."""
    if function in MAKING or registry.makes_new(function) or isinstance(function, np.ufunc):
        return True
    if module_of(function).startswith("autodiff.runtime"):
        return False
    if not registry.is_pure(function) or not _is_numerical(function):
        return False
    own = getattr(function, "__name__", "")
    copies = own in _COPYING and given <= _COPYING[own]
    return own not in VIEWS or copies and not may_copy


def _of_call(value: gast.Call, kinds: Kinds) -> set[str]:
    operation = kinds.operation(value)
    if operation is None or outputs(operation, kinds):
        return reads(value)
    function, rule = operation.function, operation.rule
    if function in _NEW and not any(may_hold_slots(kinds.of(own)) for own in value.args):
        return set()
    if function in (collected, sorting):  # nothing is added to what is collected; numbers
        return set()
    if returns_new(value, operation, kinds):
        return set()
    if isinstance(value.func, gast.Attribute) and value.func.attr in _SELVES:
        return reads(value)
    own = getattr(function, "__name__", "")
    if rule is not None and rule.elementwise and own not in VIEWS and function not in _CHOOSING:
        return set()
    if module_of(function).startswith("autodiff.runtime"):
        return reads(_shared(operation))
    return reads(value)


def _shared(operation: Operation) -> list[gast.expr]:
    """The operands of a helper of ours that its result may share; those of `**parts` are none."""
    signature, names = sharing(operation.function)
    bound = signature.bind_partial(*operation.arguments, **dict(operation.keywords)).arguments
    return [own for name, own in bound.items() if name in names and isinstance(own, gast.AST)]


@lru_cache(maxsize=1024)
def sharing(function: Any) -> tuple[inspect.Signature, frozenset[str]]:
    """The signature of a helper, and the parameters that its result may share memory with.

    Where the first one is an adjoint, `g`, it is no other: an adjoint is a new array, or a view
    of another adjoint. `like` only gives a form.
    """
    signature = inspect.signature(function)
    names = [*signature.parameters]
    if signature.return_annotation in _PLAIN:
        return signature, frozenset()
    return signature, frozenset(names[:1] if names[0] == "g" else names) - {"like"}


def may_hold_slots(kind: Kind | None) -> bool:
    """Whether a shadow may be part of a value: a copy of it has the same slots."""
    if isinstance(kind, Record):
        return kind.cls is Slot or any(map(may_hold_slots, kind.items))
    return isinstance(kind, (Mapping, Sequence)) and may_hold_slots(kind.item)


_PLAIN = ("bool", "float", "int", "str", "None")
"""Annotations of results that hold no memory."""

_NEW = (snapshot, copied, zeros_like, shadow, checkpointed_steps, stored, placed)
"""Helpers that return new containers and arrays, with new ones in them."""

_CHOOSING = (max, min)
"""Functions that return one of their operands."""


def _is_numerical(function: object) -> bool:
    """Whether a function belongs to a library whose results are arrays and numbers."""
    if getattr(function, "__objclass__", None) is np.ndarray:
        return True
    return module_of(function).startswith(("numpy", "math", "scipy"))


def has_memory(name: str, kinds: Kinds) -> bool:
    """Whether a local name holds something that can be changed in place."""
    return name in kinds.local and is_mutable(kinds.names.get(name))


def without_memory(tree: gast.FunctionDef, kinds: Kinds) -> bool:
    """Whether no name in a function holds anything that can be changed in place."""
    rest = {node.id for node in of_class(tree, gast.Name)} - kinds.numbers
    return not any(has_memory(name, kinds) for name in rest)


def is_mutable(kind: Kind | None) -> bool:
    """Whether a value, or a part of it, can be changed in place."""
    if isinstance(kind, Record) and issubclass(kind.cls, tuple):
        return any(map(is_mutable, kind.items))
    if isinstance(kind, Sequence) and issubclass(kind.cls, tuple):
        return is_mutable(kind.item)
    return not isinstance(kind, (Scalar, Span, Static, Text))


def outer_memory(value: gast.expr, kinds: Kinds) -> set[str]:
    """Globals, functions ... by whose names the value may be memory from outside."""
    if isinstance(value, _FRESH) or not (_is_opaque(value, kinds) or is_mutable(kinds.of(value))):
        return set()
    found = reads(value) if isinstance(value, gast.Name) else _sources(value, kinds)
    return {n for n in found - kinds.local if _may_lend(kinds.free(n))}


def outer_arrays(tree: gast.FunctionDef, kinds: Kinds) -> list[str]:
    """The names by which a function reads arrays from outside, or what may hold some."""
    found = sorted(reads(tree) & kinds.globals.keys() - kinds.local)
    is_code = (FunctionType, ModuleType, type)
    values = {n: getattr(kinds.globals[n], "value", None) for n in found}
    lending = (n for n in found if _may_lend(kinds.globals[n]))
    return [n for n in lending if not isinstance(values[n], is_code)]


def _may_lend(kind: Kind) -> bool:
    if not isinstance(kind, Static):
        return is_mutable(kind)
    held = [kind.value]
    if isinstance(kind.value, (FunctionType, type)) and not is_library(module_of(kind.value)):
        held = [read.value for read in outer_reads(held)]
    return memory_shared(held, held)
