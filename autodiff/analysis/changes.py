"""The memory that a piece of code may change in place, as far as anyone can tell."""

from __future__ import annotations

import collections.abc
import functools
import types
from typing import Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Bound,
    Instance,
    Kind,
    Local,
    Mapping,
    OneOf,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    Unknown,
    classes_of,
    differentiable,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.analysis.purity import CHANGING, may_change_arguments
from autodiff.analysis.references import has_memory, is_mutable
from autodiff.analysis.special import told_operands
from autodiff.analysis.writing import is_adding, names_parts, outputs
from autodiff.rules import registry
from autodiff.runtime import checkpointed_steps, copied, distinct, inserted, restructured, snapshot
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import children, of_class
from autodiff.syntax.windows import root

_HARMLESS = frozenset(
    "builtins functools itertools logging math operator pprint time warnings".split()
)
"""Modules whose functions leave the arrays and lists they are given as they are."""

_WRITERS = frozenset(
    {np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal}
    | {setattr, delattr, object.__setattr__, object.__delattr__}
)
"""Functions that write to their first argument."""

_RUNTIME = (checkpointed_steps, copied, distinct, restructured, snapshot)

_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)

_CHANGING_NOTHING = frozenset((gast.Name, gast.Constant, gast.Lambda, gast.FunctionDef))
"""Functions are run when they are called."""

Inside = frozenset[int]
"""The functions defined inside that are being looked into, by id."""


def changed_in(node: gast.AST, kinds: Kinds) -> tuple[str, ...]:
    """The names whose memory any call, operator or attribute in a piece of code may change."""
    found: tuple[str, ...] = kinds.answer(kinds.changes, node, _all_changed)
    return found


def _all_changed(kinds: Kinds, node: gast.AST) -> tuple[str, ...]:
    if kinds.numbers.issuperset(reads(node)):
        return ()  # nothing is called, and operators on numbers run nobody's code
    return _held(_changed(node, kinds, frozenset()), kinds)


def changed_by(call: gast.Call, kinds: Kinds) -> tuple[str, ...]:
    """The names whose memory a call may change, those that change in its arguments left out."""
    return _held(_by_call(call, kinds, frozenset()), kinds)


def told_to_change(statement: gast.Expr, kinds: Kinds) -> set[str]:
    """A local object of unknown kind of which a method is called for its effect: `o.step()`."""
    call = statement.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return set()
    return {n for n in _base(call.func) if n in kinds.local and _is_unknown(kinds.names.get(n))}


def _is_unknown(kind: Kind | None) -> bool:
    return kind == UNKNOWN or isinstance(kind, Instance)


def _held(found: set[str], kinds: Kinds) -> tuple[str, ...]:
    return tuple(sorted(name for name in found if has_memory(name, kinds)))


def _changed(node: gast.AST, kinds: Kinds, inside: Inside) -> set[str]:
    cls = node.__class__
    if cls in _CHANGING_NOTHING:
        return set()
    found: set[str] = set()
    for child in children(node):
        if child.__class__ not in _CHANGING_NOTHING:
            found |= _changed(child, kinds, inside)
            if child.__class__ is gast.Call and not isinstance(node, gast.stmt):
                if getattr(child.func, "attr", "") in ("append", "extend"):
                    found |= _base(child.func)
    if cls in _COMPREHENSIONS:
        for generator in reversed(node.generators):  # an item is memory of what it is taken from
            if found & writes(generator.target):
                found = (found - writes(generator.target)) | reads(generator.iter)
    elif cls is gast.Call and getattr(kinds.of(node.func), "value", None) is inserted:
        return found
    elif cls is gast.Call:
        found |= _by_call(node, kinds, inside)
        for given in [*node.args, *(keyword.value for keyword in node.keywords)]:
            found |= _handed_on(given, kinds, inside)
        found |= _called_back(node, kinds)
    for operand in told_operands(node, kinds):
        found |= reads(operand)
    return found


def _handed_on(given: gast.expr, kinds: Kinds, inside: Inside) -> set[str]:
    """What an argument may change that is a function, or that holds one: `map(h, xs)` calls it."""
    found: set[str] = set()
    todo: list[gast.AST] = [given]
    while todo:
        part = todo.pop()
        if isinstance(part, (gast.Name, gast.Lambda)):
            found |= _when_called(kinds.of(part), kinds, inside)
        elif not isinstance(part, gast.Call):
            todo.extend(children(part))
    return found


def _called_back(call: gast.Call, kinds: Kinds) -> set[str]:
    """A function that nothing is known of, and that is going to be called: `map(f, xs)`."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
    if getattr(kinds.of(call.func), "value", None) in (map, filter, functools.reduce):
        given += call.args[:1]
    unknown = [part for part in given if isinstance(kinds.of(part), Unknown)]
    return {n for part in unknown for n in reads(part) if n in kinds.local}


def _is_false(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is False


def _by_call(call: gast.Call, kinds: Kinds, inside: Inside) -> set[str]:
    if is_adding(call, kinds):
        array = root(call.args[0])
        return set() if array is None else {array}
    changed: set[str] = set()
    operation = kinds.operation(call)
    function = operation.function if operation is not None else None
    for keyword in [] if names_parts(function) else call.keywords:
        unlike = keyword.arg == "copy" and getattr(call.func, "attr", "") == "nan_to_num"
        overwrites = (keyword.arg or "").startswith("overwrite") and not _is_false(keyword.value)
        if unlike or overwrites:
            changed |= reads(call)
        if keyword.arg == "file":  # `print`
            changed |= reads(keyword.value)
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    if operation is None:
        changed |= {n for k in call.keywords if k.arg == "out" for n in reads(k.value)}
    else:
        changed |= {n for target in outputs(operation, kinds) for n in reads(target)}
    if isinstance(call.func, gast.Attribute):
        base = kinds.known(call.func.value)
        if isinstance(base, (Sequence, Mapping, Record)) and base.cls in (list, dict, tuple):
            arguments = []
            if call.func.attr in CHANGING - {"append", "extend"}:
                changed |= _base(call.func)
        elif classes := classes_of(base):
            for cls in classes:
                found = class_attribute(cls, call.func.attr)
                if isinstance(found, types.FunctionType) and may_change_arguments(found, (cls,)):
                    changed |= _base(call.func)
        elif isinstance(base, Array) and (
            call.func.attr in CHANGING or call.func.attr.startswith("__")
        ):
            changed |= _base(call.func)
            arguments = []
        elif isinstance(base, (Array, Scalar, Text)):
            arguments = []
        elif call.func.attr in CHANGING and _base(call.func) - kinds.local:
            changed |= _base(call.func)  # of an item of a comprehension, nothing is known
    elif isinstance(call.func, gast.Name) and call.func.id in kinds.local:
        own = kinds.names.get(call.func.id)
        if isinstance(own, Local):
            changed |= _when_called(own, kinds, inside)
        elif isinstance(own, Bound):
            arguments = [*own.arguments, *arguments, *(value for _, value in own.keywords)]
            function = own.function.value if isinstance(own.function, Static) else None
            changed |= _when_called(own, kinds, inside)
            if not isinstance(own.function, (Static, Local)):
                changed.add(call.func.id)  # `partial(b.fill, 0.0)`
        elif not isinstance(own, (Static, OneOf)) and not registry.is_pure(function):
            changed.add(call.func.id)  # a bound method may change what it is bound to
    elif isinstance(call.func, gast.Call):
        changed |= {n for n in reads(call.func) if n in kinds.local}
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc) and getattr(function, "__name__", "") == "at":
        function = np.copyto
    module = (getattr(function, "__module__", None) or "").partition(".")[0]
    if _is_one_of(function, _WRITERS):
        changed |= reads(arguments[0]) if call.args else reads([*arguments, call])
    elif function not in _RUNTIME and not (
        registry.is_pure(function) or registry.is_nondifferentiable(function) or module in _HARMLESS
        or not may_change_arguments(function, [class_of(a, kinds) for a in arguments])
    ):
        values = [a.value if isinstance(a, gast.Starred) else a for a in arguments]
        passed = [value for value in values if is_mutable(kinds.of(value))]
        changed |= {n for argument in passed for n in reads(argument)}
    return changed


def operand_classes(bound: collections.abc.Mapping[str, object], kinds: Kinds) -> dict[str, type]:
    """The classes of operands by parameter, where they are known."""
    found = {p: class_of(v, kinds) for p, v in bound.items() if isinstance(v, gast.expr)}
    return {p: cls for p, cls in found.items() if cls is not None}


def class_of(argument: gast.expr, kinds: Kinds) -> type | None:
    """The class of an argument, where that is known."""
    kind = kinds.of(argument)
    if isinstance(kind, (Array, Scalar)) and differentiable(kind):
        return np.ndarray if isinstance(kind, Array) else float  # or another number
    if isinstance(kind, Local) or _is_harmless(kind):
        return types.FunctionType  # what it does to other things is asked elsewhere
    is_one = isinstance(kind, (Record, Parts)) and not kind.indexed
    return kind.cls if is_one else None  # type: ignore[union-attr]


def _is_harmless(kind: Kind | None) -> bool:
    """Whether a value is a function that leaves its arguments as they are."""
    found = isinstance(kind, Static) and isinstance(kind.value, types.FunctionType)
    return found and not may_change_arguments(kind.value)  # type: ignore[union-attr]


def _when_called(kind: Kind | None, kinds: Kinds, inside: Inside) -> set[str]:
    """The names that a function defined inside, or a method, may change whenever it is called."""
    if isinstance(kind, Bound):
        parts = [kind.function, *(kinds.of(a) for a in kind.arguments)]
        parts += [kinds.of(a) for _, a in kind.keywords]
        return set().union(*(_when_called(part, kinds, inside) for part in parts))
    if not isinstance(kind, Local) or id(kind.node) in inside:
        return set()
    body = kind.node.body if isinstance(kind.node.body, list) else [kind.node.body]
    deeper = inside | {id(kind.node)}
    changes = set().union(*(_changed(part, kinds, deeper) for part in body))
    if not any(has_memory(n, kinds) for n in changes) and not _stores(kind.node):
        return set()
    found = changes | reads(kind.node)
    return {n for n in found if not isinstance(kinds.names.get(n), Local)}


def _stores(node: gast.AST) -> bool:
    """Whether a nested function may change what it closes over."""
    return any(
        isinstance(part, (gast.Subscript, gast.Attribute))
        and isinstance(part.ctx, (gast.Store, gast.Del))
        or isinstance(part, gast.Call)
        and (
            isinstance(part.func, gast.Attribute)
            and (part.func.attr in CHANGING or part.func.attr.startswith("__"))
            or any(keyword.arg == "out" for keyword in part.keywords)
        )
        or isinstance(part, gast.AugAssign)
        and _is_part(part.target, node)
        for part in of_class(node, gast.Subscript, gast.Attribute, gast.Call, gast.AugAssign)
    )


def _is_part(target: gast.expr, function: gast.AST) -> bool:
    """Whether a name may be a part of something else in a function: `v = a[:2]`, `for v in rows:`.

    What is added to it in place is added to that.
    """
    if not isinstance(target, gast.Name):
        return True
    for node in of_class(function, gast.Assign, gast.For):
        if target.id in writes(node.target if isinstance(node, gast.For) else node.targets):
            if isinstance(node, gast.For) or isinstance(node.value, _WINDOWS):
                return True
    return False


_WINDOWS = (gast.Name, gast.Subscript, gast.Attribute, gast.Tuple, gast.IfExp)


def _is_one_of(function: Any, functions: frozenset[Any]) -> bool:
    try:
        return function in functions
    except TypeError:  # not hashable
        return False


def _base(target: gast.expr) -> set[str]:
    base = root(target.value if isinstance(target, gast.Starred) else target)
    return set() if base is None else {base}
