"""Loops over sequences, `enumerate`, `zip`, `reversed`, dictionaries ... become loops over ranges.

    for i, (x, y) in enumerate(zip(xs, ys)):      xs_seq = sequence(xs)
        s = s + x * y                             ys_seq = sequence(ys)
                                                  for i in range(min(len(xs_seq), len(ys_seq))):
                                                      x = xs_seq[i]
                                                      y = ys_seq[i]
                                                      s = s + x * y

`sequence` returns its argument if that can be indexed, else a list of its items.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import (
    assign,
    at,
    branch,
    call,
    compare,
    constant,
    loop,
    plus,
    repeat,
    shallow,
)
from autodiff.normalize.sugar.context import Context, meaning
from autodiff.normalize.sugar.hoist import hoist
from autodiff.normalize.sugar.resumed import leaves_rest
from autodiff.normalize.sugar.streams import (
    Stream,
    Streams,
    enumerated,
    is_call,
    is_zero,
    reversed_sequence,
)
from autodiff.rules.home import module_of
from autodiff.runtime.checkpoints import checkpointed
from autodiff.syntax.names import name, store, writes
from autodiff.syntax.origin import Origin, origin_of, place
from autodiff.syntax.walk import same, walk

Statements = list[gast.stmt]
_RESIZING = {"append", "extend", "insert", "pop", "remove", "clear"}


def loop_over(statement: gast.For, context: Context) -> Statements | None:
    """A `for` whose iterable is no range, or whose target is no name of its own."""
    origin = origin_of(statement)
    before, iterable = hoist(statement.iter, context, origin)
    if before:
        new = shallow(statement)
        new.iter = iterable
        return [*before, new]
    target, body = statement.target, statement.body
    if is_counted(iterable, context):
        if isinstance(target, gast.Name) and target.id not in writes(body):
            return None
        index = context.counter()
        return [_counting(statement, iterable, index, [assign(target, name(index), origin)])]
    if not context.is_builtin("range", "len"):
        return None
    sources = {child.id for child in walk(iterable) if isinstance(child, gast.Name)}
    if _draws_from(body, sources) or leaves_rest(statement, context):
        return _one_name(statement, context)
    streams = Streams(context, origin, writes(target) | writes(body))
    if is_call(iterable, context, "reversed"):
        inner = reversed_sequence(iterable, context)
        if inner is not None:
            stream = streams.over(streams.sequence(inner))
            index = context.counter()
            header = call("reversed", call("range", stream.length()))
            unpack = _assigned(target, stream.item(name(index)), context, origin)
            return [*streams.setup, _counting(statement, header, index, unpack)]
    own, counter = target, _own_counter(statement, context)
    if counter is not None:
        own, iterable = target.elts[1], iterable.args[0]
    stream = streams.read(iterable)
    if not stream.lengths:
        return [*streams.setup, *_endless(statement, stream, context)]
    if _resizes(body, streams.shared):
        return [*streams.setup, *_growing(statement, own, stream, context, counter)]
    index = counter or context.counter()
    unpack = _assigned(own, stream.item(name(index)), context, origin)
    made = _counting(statement, call("range", stream.length()), index, unpack)
    if stream.equal:
        made.orelse = [*_checked(stream.equal, origin), *made.orelse]
    return [*streams.setup, made]


def is_counted(iterable: gast.expr, context: Context) -> bool:
    """Whether the iterable is `range(...)` or `reversed(range(...))`."""
    if is_call(iterable, context, "reversed") and len(iterable.args) == 1:
        iterable = iterable.args[0]
    return is_call(iterable, context, "range")


def _counting(statement: gast.For, header: gast.expr, index: str, first: Statements) -> gast.For:
    origin = origin_of(statement)
    return loop(index, header, [*first, *statement.body], statement.orelse, origin)


def _own_counter(statement: gast.For, context: Context) -> str | None:
    """The name that counts in `for i, x in enumerate(xs)`, if it can be the loop's counter."""
    target, iterable = statement.target, statement.iter
    if not is_call(iterable, context, "enumerate") or not isinstance(target, gast.Tuple):
        return None
    parts = enumerated(iterable)
    if parts is None or not is_zero(parts[1]) or len(target.elts) != 2:
        return None
    first, second = target.elts
    if not isinstance(first, gast.Name) or isinstance(second, gast.Starred) or first.id == "_":
        return None
    return None if first.id in writes(second) | writes(statement.body) else first.id


def _assigned(
    target: gast.expr, value: gast.expr, context: Context, origin: Origin | None
) -> Statements:
    """`target = value`; the entry of a dictionary is looked up by the name of its key."""
    if isinstance(target, gast.Name) and target.id == "_" and "_" not in context.read:
        return []
    if _is_pair(target) and _is_pair(value) and not context.guarded:
        first, second = target.elts
        key, entry = value.elts
        if isinstance(first, gast.Name) and first.id not in writes(second):
            made = _assigned(first, key, context, origin)
            if made and isinstance(entry, gast.Subscript) and same(entry.slice, key):
                entry.slice = name(first.id)
            return [*made, *_assigned(second, entry, context, origin)]
    return [assign(target, value, origin)]


def _is_pair(node: Any) -> bool:
    return (
        isinstance(node, gast.Tuple)
        and len(node.elts) == 2
        and not any(isinstance(part, gast.Starred) for part in node.elts)
    )


def _one_name(statement: gast.For, context: Context) -> Statements | None:
    """The loop over the iterator itself, the items of which get one name."""
    if isinstance(statement.target, gast.Name) and isinstance(statement.iter, gast.Name):
        return None
    origin = origin_of(statement)
    before: Statements = []
    new = shallow(statement)
    if not isinstance(statement.iter, gast.Name):
        own = context.temporary("items")
        before.append(assign(own, statement.iter, origin))
        new.iter = name(own)
    if not isinstance(statement.target, gast.Name):
        item = context.temporary("item")
        new.target = store(item)
        new.body = [assign(statement.target, name(item), origin), *statement.body]
    return [*before, new]


def _draws_from(body: Statements, sources: set[str]) -> bool:
    """Whether the body takes items out of the iterator itself, with `next`."""
    return any(
        isinstance(child, gast.Call)
        and isinstance(child.func, gast.Name)
        and child.func.id == "next"
        and any(isinstance(part, gast.Name) and part.id in sources for part in child.args)
        for statement in body
        for child in walk(statement)
    )


def _resizes(body: Statements, sources: set[str]) -> bool:
    """Whether the body makes one of these lists longer or shorter."""
    for statement in body:
        for child in walk(statement):
            changed = None
            if isinstance(child, gast.Attribute) and child.attr in _RESIZING:
                changed = child.value
            elif isinstance(child, gast.AugAssign) and isinstance(child.op, gast.Add):
                changed = child.target
            elif isinstance(child, gast.Subscript) and isinstance(child.ctx, gast.Del):
                changed = child.value
            if isinstance(changed, gast.Name) and changed.id in sources:
                return True
    return False


def _growing(
    statement: gast.For, target: gast.expr, stream: Stream, context: Context, counter: str | None
) -> Statements:
    """A loop over a list that its body makes longer or shorter: the length is asked each time."""
    origin = origin_of(statement)
    position = context.temporary("position")
    counted = [assign(counter, name(position), origin)] if counter else []
    body = [
        *counted,
        *_assigned(target, stream.item(name(position)), context, origin),
        assign(position, plus(name(position), constant(1)), origin),
        *statement.body,
    ]
    test = compare(name(position), gast.Lt(), stream.length())
    return [assign(position, constant(0), origin), repeat(test, body, statement.orelse, origin)]


def _endless(statement: gast.For, stream: Stream, context: Context) -> Statements:
    """A loop over `itertools.count()`."""
    origin = origin_of(statement)
    position = context.temporary("position")
    body = [
        *_assigned(statement.target, stream.item(name(position)), context, origin),
        assign(position, plus(name(position), constant(1)), origin),
        *statement.body,
    ]
    return [assign(position, constant(0), origin), repeat(constant(True), body, [], origin)]


def _checked(lengths: tuple[gast.expr, ...], origin: Origin | None) -> Statements:
    """What `zip(strict=True)` says at the end of the loop when the lengths differ."""
    first, *others = lengths
    tests = [compare(first, gast.NotEq(), other) for other in others]
    if not tests:
        return []
    test = tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.Or(), values=tests)
    message = constant("zip() arguments have different lengths")
    error = at(gast.Raise(exc=call("ValueError", message), cause=None), origin)
    return [branch(test, [error], [], origin)]


def block_of(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """The block around the plain loop."""
    call, origin = statement.iter, origin_of(statement)
    if not isinstance(call, gast.Call) or meaning(call.func, context) is not checkpointed:
        return None
    if len(call.args) != 1 or not is_counted(call.args[0], context):
        raise UnsupportedSyntaxError(
            "a checkpointed loop that does not run over a range",
            place(call, origin),
            why="its steps are told apart by a counter",
            cure="write `for k in checkpointed(range(len(xs)), snapshots=...)` and take `xs[k]`",
        )
    loop = shallow(statement)
    loop.iter = call.args[0]
    manager = gast.Call(func=call.func, args=[], keywords=call.keywords)
    gast.copy_location(manager, call)
    items = [gast.withitem(context_expr=manager, optional_vars=None)]
    return [at(gast.With(items=items, body=[loop], type_comment=None), origin)]


def in_turn(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """The loop over the range; which iterations of its adjoint are independent is not asked."""
    iterable = statement.iter
    if not isinstance(iterable, gast.Call) or iterable.keywords or not iterable.args:
        return None
    called = meaning(iterable.func, context)
    if not module_of(called).startswith("numba.") or getattr(called, "__name__", "") != "prange":
        return None
    if not context.is_builtin("range"):
        return None
    loop = shallow(statement)
    loop.iter = gast.copy_location(call("range", *iterable.args), iterable)
    return [loop]
