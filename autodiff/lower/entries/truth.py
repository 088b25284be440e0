"""Whether something is true, is the same object; choices, `a if c else b`, as branches."""

from __future__ import annotations

import operator as operator_
from types import BuiltinFunctionType, FunctionType, ModuleType

import gast
import numpy as np

from autodiff.core import ABSENT, LoadOuter, NotYet, Value, constant
from autodiff.kinds.kind import Array, Numeric, Record, Scalar, Sequence, Text, number
from autodiff.lower.entries import members
from autodiff.lower.entries.above import Values, Wholes
from autodiff.lower.entries.alternatives import chosen_by
from autodiff.lower.entries.boxes import called, special
from autodiff.lower.entries.cells import is_plain
from autodiff.lower.entries.defining import defines
from autodiff.lower.entries.entry import Bound, Box, Closure, DictView, Entry, Outer, Pack, Unbound
from autodiff.lower.entries.listings import is_empty
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.members import known_of, member_of
from autodiff.lower.entries.outer import check_lasting, plainly
from autodiff.normalize.build import assign, at, negated
from autodiff.primitives import SYNTAX, Application, hole, is_opaque, primitive_of, written
from autodiff.syntax.names import name

_NEVER = (Array, Numeric, Scalar, Record, Sequence, Text)
"""Kinds of what is no class and no `None`."""
_CODE = (type, FunctionType, BuiltinFunctionType, np.ufunc, ModuleType)
_SINGLE = (bool, type(None), type(Ellipsis), type(NotImplemented))


def truth(expressions: Values, entry: Entry) -> Value:
    """What `if` and `not` ask: a number, or a constant."""
    if (known := members.truth(entry)) is not None:
        return constant(known)
    if isinstance(entry, Value):
        return of_value(expressions, entry)
    if isinstance(entry, (Closure, Bound)):
        return constant(True)
    if isinstance(entry, DictView):
        entry = entry.box
    if not isinstance(entry, (Box, Pack, Outer)):
        raise NotYet("a test of what may be no number")
    for own in ("__bool__", "__len__"):
        method = special(expressions, entry, own)
        if method is not None:
            return truth(expressions, called(expressions, method, entry))
    if isinstance(entry, Pack):
        return constant(bool(entry.items))
    if isinstance(entry, Box) and entry.indexed:
        memory = memory_of(entry)
        return constant(bool(entry.slots)) if memory is None else length(expressions, memory)
    if isinstance(entry, Outer) and is_plain((entry := plainly(expressions, entry)).cls):
        check_lasting(expressions, entry)
        return constant(bool(entry.object))
    if defines(entry.cls, "__bool__") or defines(entry.cls, "__len__"):
        raise NotYet("a test of what may be no number")
    return constant(True)


def of_value(expressions: Values, value: Value) -> Value:
    """Numbers are asked themselves; an array says it if it has one element."""
    if is_opaque(value):
        return expressions.opaque(bool, value, kind=number("bool"))
    value = expressions.loaded(value)
    if not value.is_constant:
        value = expressions.unit.facts.decided(value)
        if (known := chosen_by(expressions.builder, bool, value)) is not None:
            return known
    if value.is_constant or isinstance(value.kind, Scalar):
        return value
    if isinstance(value.kind, Sequence):
        return length(expressions, value)
    if isinstance(value.kind, Record) and value.kind.indexed:
        return constant(bool(value.kind.keys))
    if isinstance(value.kind, (Array, Numeric, Text)):
        kind = number("bool")
        return expressions.builder.look("bool(_0)", kind, value, primitive=primitive_of(bool))
    raise NotYet("a test of what may be no number")


def length(expressions: Values, memory: Value) -> Value:
    """How many items a container has now."""
    if is_empty(expressions.unit, memory):
        return constant(0)
    return expressions.builder.look("len(_0)", number("int"), memory, primitive=primitive_of(len))


def identity(expressions: Values, operator: gast.cmpop, left: Entry, right: Entry) -> Entry:
    """`x is None`, `a is b`, where it is known."""
    same = is_same(left, right)
    if same is not None:
        return constant(same is isinstance(operator, gast.Is))
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Value) and isinstance(one.constant, bool) and isinstance(other, Value):
            if isinstance(other.kind, Scalar):
                form = gast.Compare(hole(0), [operator], [written(one.constant)])
                given = (Application((form,)), form, [other], number("bool"))
                return expressions.builder.apply(SYNTAX, *given)
    memory = [e.memory if isinstance(e, Box) else None for e in (left, right)]
    if memory[0] is not None and memory[1] is not None:
        text = "_0 is _1" if isinstance(operator, gast.Is) else "_0 is not _1"
        return expressions.builder.look(text, number("bool"), memory[0], memory[1])
    numbers = [e for e in (left, right) if isinstance(e, Value) and isinstance(e.kind, Scalar)]
    if len(numbers) == 2 and any(isinstance(each.op, LoadOuter) for each in numbers):
        form = gast.Compare(hole(0), [operator], [hole(1)])  # a number outside is one object
        given = Application((form,)), form, numbers, number("bool")
        return expressions.builder.apply(SYNTAX, *given)
    if is_opaque(left) or is_opaque(right):
        found = operator_.is_ if isinstance(operator, gast.Is) else operator_.is_not
        return expressions.opaque(found, left, right, kind=number("bool"))
    raise NotYet("a test of identity")


def are_same(left: Box, right: Box) -> bool | None:
    """Whether two containers or objects are one: what is memory may be seen by two entries."""
    if left is right:
        return True
    memory = left.memory, right.memory
    if None not in memory and left.cls is right.cls:
        return True if memory[0] is memory[1] else None
    return None if left.given is not None and right.given is not None else False


def is_same(left: Entry, right: Entry) -> bool | None:
    """Whether two entries are the same object; None where that is not known."""
    members = member_of(left), member_of(right)
    if None not in members:
        return members[0] is members[1]
    if isinstance(left, Box) and isinstance(right, Box):
        return are_same(left, right)
    if isinstance(left, Outer) and isinstance(right, Outer):
        return None
    for one, other in ((left, right), (right, left)):
        known = known_of(one)
        if isinstance(known, bool) or not isinstance(known, (*_SINGLE, *_CODE)):
            continue
        if isinstance(other, (Pack, Box, Closure, Bound, DictView)):
            return False
        if isinstance(other, Outer):
            return None if isinstance(known, _CODE) else known is other.object
        if known_of(other) is not ABSENT:
            return known_of(other) is known
        if isinstance(other, Value) and isinstance(other.kind, _NEVER):
            return False
    if isinstance(left, (Box, Pack)) is not isinstance(right, (Box, Pack)):
        values = [each for each in (left, right) if isinstance(each, Value)]
        if any(value.is_constant or isinstance(value.kind, _NEVER) for value in values):
            return False
    return None


def chosen(expressions: Wholes, node: gast.IfExp) -> Entry:
    """`a if c else b`."""
    own = expressions.frame.temporary("chosen")
    origin = expressions.builder.origin
    made = gast.If(
        test=node.test,
        body=[assign(own, node.body, origin)],
        orelse=[assign(own, node.orelse, origin)],
    )
    return given(expressions, own, [at(made, origin)])


def connected(expressions: Wholes, node: gast.BoolOp) -> Entry:
    """`a and b and c`: the first that is false, or the last."""
    own = expressions.frame.temporary("chosen")
    origin = expressions.builder.origin
    first, *rest = node.values
    statements: list[gast.stmt] = []
    for value in reversed(rest):
        test = name(own) if isinstance(node.op, gast.And) else negated(name(own))
        body = [assign(own, value, origin), *statements]
        statements = [at(gast.If(test=test, body=body, orelse=[]), origin)]
    return given(expressions, own, [assign(own, first, origin), *statements])


def given(expressions: Wholes, own: str, statements: list[gast.stmt]) -> Entry:
    """What statements leave in a variable, which is then gone."""
    block = getattr(expressions, "block", None)
    if block is None:
        raise NotYet("a choice in a template")
    block(statements)
    entry = expressions.frame.names.pop(own, Unbound())
    if isinstance(entry, Unbound):
        raise NotYet("a choice between what is not joined")
    return entry
