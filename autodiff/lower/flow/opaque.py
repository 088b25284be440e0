"""Callables of which nothing is known, and what they give: an operation that runs where it stands,
once, in order with all others of this kind.

    generator = random.Random(seed)        a call
    total += x * generator.random()        an attribute, a call, and the number that it has given

All memory that such an operation is given, and what it gives, is one region (`Unit.world`): whoever
has seen a part of it may have kept it, and change it later. What is outside may be changed, too
(`reach_outside`). Beside what may carry a derivative, what they give has to be a number or an array
(`number`). Whether a derivative gets lost is found out when all regions are known (`Activity`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

import gast
import numpy as np

from autodiff.core import Apply, LoadOuter, NotYet, Value
from autodiff.dataflow.carrying import has_text
from autodiff.errors import UnsupportedSyntaxError
from autodiff.kinds import kind as kinds
from autodiff.lower.entries.entry import (
    Bound,
    Box,
    Entries,
    Entry,
    Keywords,
    Outer,
    Own,
    Pack,
    inner,
)
from autodiff.lower.entries.handed import holders
from autodiff.lower.entries.wording import check_frame
from autodiff.lower.flow.heap import Mark
from autodiff.primitives import ASKED, CALL, DISPLAY, KEY, MADE, OPAQUE, Application, hole, written
from autodiff.primitives.opaque import (
    given_by_method,
    is_opaque,
    is_table,
    may_run,
)
from autodiff.rules import foreign
from autodiff.rules.home import public_name
from autodiff.runtime import numeric
from autodiff.syntax.names import name

_NUMBERS = (bool, int, float, complex, np.number, np.bool_, np.ndarray)
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))

Found = TypeVar("Found")


def asked(
    expressions: Any, build: Callable[..., gast.expr], *given: Entry, kind: kinds.Kind = OPAQUE
) -> Value:
    """What an expression gives of which nothing is known. build: makes it of its operands."""
    unit = expressions.unit
    if expressions.trusts:
        raise NotYet("a call of which nothing is known, in a template")
    operands: list[Value] = []
    form = build(*[written_out(expressions, entry, operands) for entry in given])
    whole = isinstance(kind, kinds.Drawing)
    value: Value = expressions.builder.apply(
        CALL if whole else ASKED, Application(()), form, operands, kind
    )
    world, op = unit.world.find(), value.op
    for own in (value, *operands) if whole else operands:
        if own.memory is not None:
            world.unite(own.memory)
    world.find().written = world.find().exposed = True
    assert isinstance(op, Apply)
    op.reads, op.outside = True, (world,)
    return value


def written_out(expressions: Any, entry: Entry, operands: list[Value]) -> gast.expr:
    """An operand as it is, memory and all."""

    def within(part: Entry) -> gast.expr:
        return written_out(expressions, part, operands)

    if isinstance(entry, Pack) and entry.cls is tuple:
        return gast.Tuple(elts=[*map(within, entry.items)], ctx=gast.Load())
    if isinstance(entry, Pack) and entry.cls is slice:
        return reference(expressions, "slice", slice)(*map(within, entry.items))
    if isinstance(entry, Box) and entry.cls in (list, dict) and entry.memory is None:
        if holders(expressions.frame)[entry] > 1:  # beside this expression
            raise NotYet("a container that a call may change of which nothing is known")
        items = [*map(within, entry.slots.values())]
        if entry.cls is list:
            return gast.List(elts=items, ctx=gast.Load())
        return gast.Dict(keys=[*map(written, entry.slots)], values=items)
    if isinstance(entry, Bound) and isinstance(entry.function, Value):
        own = entry.function.constant
        if isinstance(own, Own) and not entry.keywords:
            return gast.Attribute(within(entry.arguments[0]), own.name, gast.Load())
    if isinstance(entry, Outer) and foreign.is_followed(entry.cls):
        raise NotYet(f"what an object of {public_name(entry.cls)} does")
    if isinstance(entry, Outer) and not is_read(expressions, entry):
        expressions.unit.reaches = True
        value = Value("", kinds.Static(entry.object))
        expressions.builder.add(LoadOuter(entry.path, value, expressions.builder.origin))
        entry = value
    if not isinstance(entry, Value) or entry.partial:
        raise NotYet("a container or function that is given to a call of which nothing is known")
    if isinstance(entry.constant, _PLAIN):
        return written(entry.constant)
    plain = (kinds.Array, kinds.Drawing, kinds.Numeric, kinds.Scalar, kinds.Static, kinds.Text)
    shown = isinstance(entry.op, Apply) and entry.op.primitive is DISPLAY
    if not isinstance(entry.kind, plain) and not shown:
        raise NotYet("a container that is given to a call of which nothing is known")
    expressions.unit.runs |= may_run(entry.kind)
    if isinstance(entry.kind, kinds.Static) and entry.is_constant and not shown:
        word = getattr(entry.constant, "__name__", "").rpartition(".")[2]
        word = word if word.isidentifier() else "value"
        return name(expressions.unit.references.use(word, entry.constant))
    operands.append(entry)
    return hole(len(operands) - 1)


def is_plain(entry: Entry) -> bool:
    """Whether something is made of numbers and texts alone."""
    if isinstance(entry, Pack) or isinstance(entry, Box) and entry.cls in (list, dict):
        return all(map(is_plain, inner(entry)))
    return isinstance(entry, Value) and not may_run(entry.kind)


def is_read(expressions: Any, entry: Outer) -> bool:
    """Whether a container of outside is read part by part."""
    if is_table(entry.object):
        return True
    kind = expressions.frame.kind(entry.object)
    return entry.cls in (tuple, list, dict) and isinstance(kind, kinds.Record)


def reference(expressions: Any, own: str, function: Any) -> Callable[..., gast.expr]:
    """Calls a function by a name of our choice."""
    called = name(expressions.unit.references.use(own, function))
    return lambda *given: gast.Call(func=called, args=[*given], keywords=[])


def is_alone(*entries: Entry) -> bool:
    """Whether some of this is opaque, and none may carry a derivative."""
    return any(map(is_opaque, entries)) and not any(map(may_carry, entries))


def may_carry(entry: Entry) -> bool:
    """Whether something may carry a derivative."""
    if isinstance(entry, Pack) or isinstance(entry, Box) and entry.cls in (list, dict):
        return any(map(may_carry, inner(entry)))
    known = isinstance(entry, Value) and (entry.is_constant or not kinds.differentiable(entry.kind))
    return not known and not isinstance(entry, Outer)


def is_derived(unit: Any, entry: Entry) -> bool:
    """Whether something may come from what the function is given."""
    todo, seen = [entry], set[int]()
    while todo:
        each = todo.pop()
        if id(each) in seen or not may_carry(each):
            continue
        op = each.op if isinstance(each, Value) and each not in unit.derived else None
        if op is None or op.blocks:
            if isinstance(entry, Value):
                unit.derived.add(entry)
            return True
        seen.add(id(each))
        todo += op.operands
    return False


def is_told(unit: Any, entry: Entry) -> bool:
    """Whether something may come from what the function is given, or be text that says it."""
    if not isinstance(entry, Value) or not has_text(entry.kind) or entry.is_constant:
        return is_derived(unit, entry)
    op = entry.op
    return op is None or bool(op.blocks) or any(is_told(unit, each) for each in op.operands)


def called(
    expressions: Any,
    function: Entry | gast.expr,
    positional: Entries,
    named: Keywords,
    kind: kinds.Kind = OPAQUE,
    target: Any = None,
    instead: NotYet | None = None,
) -> Value:
    """A call. target: what is called, if that is known. instead: why it is not lowered."""
    check_frame(target)
    if target is not None and foreign.is_followed(target):
        raise NotYet(f"what {public_name(target)} gives")
    keys, values = [key for key, _ in named], [entry for _, entry in named]
    operations = expressions.builder.block.operations
    begins, word = [] if isinstance(function, gast.AST) else [function], ""
    if isinstance(function, Value):
        kind, op = given_by_method(function), function.op
        if isinstance(op, Apply) and op in operations[-1:] and isinstance(op.form, gast.Attribute):
            if op.form.value == hole(0):
                begins, word = [op.operands[0]], op.form.attr
                operations.pop()
    base = begins[0] if word else None
    if isinstance(function, Value) and not (isinstance(base, Value) and not may_run(base.kind)):
        expressions.unit.runs, expressions.unit.unseen = True, expressions.builder.origin

    def build(*given: gast.expr) -> gast.expr:
        own, *others = given if begins else (function, *given)
        own = gast.Attribute(own, word, gast.Load()) if word else own
        count = len(positional)
        keywords = [gast.keyword(arg=key, value=value) for key, value in zip(keys, others[count:])]
        return gast.Call(func=own, args=others[:count], keywords=keywords)

    made = asked(expressions, build, *begins, *positional, *values, kind=kind)
    assert isinstance(made.op, Apply)
    made.op.target, made.op.instead = target, instead
    return made


def attribute(expressions: Any, base: Entry, word: str) -> Value:
    """`base.word`."""
    check_frame(base, word)
    return asked(expressions, lambda own: gast.Attribute(own, word, gast.Load()), base)


def item(expressions: Any, base: Entry, index: Entry) -> Value:
    """`base[index]`."""
    made = MADE if isinstance(base, Value) and base.kind == MADE and is_plain(index) else OPAQUE

    def build(own: gast.expr, at: gast.expr) -> gast.expr:
        return gast.Subscript(own, at, gast.Load())

    return asked(expressions, build, base, index, kind=made)


def done(expressions: Any, function: Any, *given: Entry, kind: kinds.Kind = OPAQUE) -> Value:
    """A function of ours or of Python's, of what is opaque."""
    return asked(
        expressions, reference(expressions, function.__name__, function), *given, kind=kind
    )


def number(expressions: Any, value: Value) -> Value:
    """The number or array that something is now; an object of a class that is known is none."""
    classes = value.kind.classes if isinstance(value.kind, kinds.Drawing) else ()
    if not any(issubclass(each, _NUMBERS) or each is object for each in classes):
        name = " or ".join(each.__name__ for each in classes) or "a class that is not known"
        raise NotYet.saying(
            "an object that is computed with",
            f"an object of {name} is used as a number or an array",
            "what it holds is only known at run time",
            "take the numbers out of it before, and compute with these",
        )
    kind = kinds.Scalar("int", "?") if value.kind == KEY else kinds.Numeric()
    return done(expressions, numeric, value, kind=kind)


def tried(
    expressions: Any, lowered: Callable[[], Found], otherwise: Callable[[], Entry]
) -> Found | Entry:
    """What is lowered; what is not taken is asked when it runs."""
    mark, unit = Mark(expressions.frame), expressions.unit
    known = unit.risks
    try:
        with unit.whole():
            return lowered()
    except (NotYet, UnsupportedSyntaxError) as reason:
        other = type(reason) not in (NotYet, UnsupportedSyntaxError)
        if other or expressions.trusts or unit.doors.names:
            raise
        mark.back()
        unit.risks = known
        with contextlib.suppress(NotYet):
            made = otherwise()
            if isinstance(made, Value) and isinstance(made.op, Apply):
                made.op.instead = reason
            return made
        raise
