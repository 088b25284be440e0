"""`with`: what the manager does before and behind the block stands there.

    with Scale(k) as factor:          Scale.__enter__ inlined, factor = what it gives
        y = factor * x                y = factor * x
                                      Scale.__exit__ inlined

A manager that sets how NumPy and Python warn stays: its operations know their context, and so do
their adjoints.
"""

from __future__ import annotations

import contextlib
from functools import partial
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core import Context, Loop, NotYet, Unseen, Value, constant
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.entry import Box, Entry
from autodiff.lower.entries.members import known_of
from autodiff.lower.expression.application import Arguments
from autodiff.lower.expression.effects import applied, callee, dotted
from autodiff.lower.flow import generators
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.heap import Mark
from autodiff.lower.recipes.uncounted import Managed
from autodiff.lower.statement.trying import closed, guarded
from autodiff.normalize.build import at, skip
from autodiff.primitives.opaque import only_warns, sets_warnings
from autodiff.primitives.primitive import filled
from autodiff.runtime.checkpoints import checkpointed
from autodiff.syntax.names import name, parameters, reads, store
from autodiff.syntax.origin import origin_of

_ONE_LOOP = (
    "a checkpointed block is one loop",
    "what else is in it belongs to no step",
    "move it before or after the `with`, and leave the loop neither by `break` nor by `return`",
)
_SNAPSHOTS = (
    "a checkpointed loop does not say how many states to keep",
    "that many snapshots are held in memory at once",
    "write checkpointed(range(n), snapshots=100)",
)


def entered(statements: Statements, node: gast.With) -> None:
    """A `with` of one manager."""
    [item] = node.items
    manager = item.context_expr
    target = callee(statements, manager.func) if isinstance(manager, gast.Call) else None
    if target is contextlib.suppress:
        suppressed(statements, node, manager)
    elif target is contextlib.nullcontext:
        arguments = Arguments(statements, manager)
        values = [*arguments.positional, *(entry for _, entry in arguments.named)]
        bind(statements, item, values[0] if values else constant(None))
        statements.block(node.body)
    elif target is checkpointed:
        kept(statements, node, manager)
    elif target is not None and only_warns(target):
        warned(statements, node, manager, target)
    else:
        by_methods(statements, node, statements.entry(manager))


def bind(statements: Statements, item: Any, entry: Entry) -> None:
    """`as NAME`."""
    if item.optional_vars is not None:
        statements.bind(item.optional_vars, entry)


def kept(statements: Statements, node: gast.With, manager: gast.Call) -> None:
    """`with checkpointed(snapshots=s):` around a loop: how many states of it are kept."""
    *before, last = node.body
    loops = [isinstance(own, (gast.For, gast.While)) for own in node.body]
    if sum(loops) != 1 or not loops[-1]:
        raise Unseen(origin_of(node), *_ONE_LOOP)
    arguments = Arguments(statements, manager)
    count = dict(arguments.named).get("snapshots")
    if count is None or len(arguments.named) > 1 or arguments.positional:
        raise Unseen(origin_of(node), *_SNAPSHOTS)
    if not isinstance(count, Value):
        raise NotYet("a number of states of another form")
    bind(statements, node.items[0], constant(None))
    statements.block(before)
    mark = Mark(statements.frame)
    statements.block([last])
    for op in mark.since():
        if isinstance(op, Loop) and op.origin == origin_of(last):
            statements.unit.checkpointed[op] = count


def suppressed(statements: Statements, node: gast.With, manager: gast.Call) -> None:
    """`with suppress(E): ...` is `try: ... except E: pass`."""
    if node.items[0].optional_vars is not None or manager.keywords:
        raise NotYet("a context manager of another form")
    origin = getattr(node, "origin", None)
    classes = gast.Tuple(elts=list(manager.args), ctx=gast.Load())
    handler = gast.ExceptHandler(type=classes, name=None, body=[skip(origin)])
    made = gast.Try(body=node.body, handlers=[handler], orelse=[], finalbody=[])
    statements.block([at(made, origin)])


def warned(statements: Statements, node: gast.With, manager: gast.Call, target: Any) -> None:
    """A manager that changes what is warned about, not what is computed."""
    form = settled(statements, manager)
    given = node.items[0].optional_vars
    if given is not None and target is not np.errstate and (form.args or form.keywords):
        raise NotYet("a context manager of another form")  # it may give what was warned about
    bind(statements, node.items[0], constant(None))
    count = settings(statements, node.body)
    setup = [gast.Expr(value=settled(statements, own.value)) for own in node.body[:count]]
    raises = any(raising(part) for own in (form, *setup) for part in gast.walk(own))
    context = Context(form, not raises, setup)
    builder = statements.builder
    builder.contexts = (*builder.contexts, context)
    try:
        statements.block(node.body[count:])
    finally:
        builder.contexts = tuple(own for own in builder.contexts if own is not context)


def settled(statements: Statements, node: gast.Call) -> gast.expr:
    """A call of constants and classes alone."""
    form, operands = applied(statements, node, dotted(statements, node.func))
    classes = [known_of(operand) for operand in operands]
    if not all(isinstance(cls, type) for cls in classes):
        raise NotYet("a context that is found at run time")
    names = [statements.unit.references.use(cls.__name__, cls) for cls in classes]
    found: Any = filled(form, lambda number: name(names[number]))
    return found


def raising(node: gast.AST) -> bool:
    """Whether a part of a call says that what is warned about is an error."""
    return getattr(node, "value", None) in ("raise", "error")


def by_methods(statements: Statements, node: gast.With, manager: Entry) -> None:
    """An object: its `__enter__`, the block, its `__exit__`."""
    if isinstance(manager, Box) and manager.cls is Managed:
        generator = manager.slots["generator"]
        if not isinstance(generator, generators.Suspended) or not gives_once(generator.text.tree):
            raise NotYet("a context manager of another form")
        generators.run(statements, repeated(statements, node), generator)
        return
    methods = [boxes.special(statements, manager, own) for own in ("__enter__", "__exit__")]
    enter, leave = methods
    if enter is None or leave is None or not suppresses_nothing(leave):
        raise NotYet("a context manager that may suppress an error")
    bind(statements, node.items[0], boxes.called(statements, enter, manager))

    def close() -> None:
        boxes.called(statements, leave, manager, *(constant(None) for _ in range(3)))

    function, own = (statements.frame.temporary(word) for word in ("leave", "manager"))
    names = statements.frame.names
    names[function], names[own] = boxes.of_function(statements, leave), manager
    nothing = [gast.Constant(value=None, kind=None)] * 3
    call = gast.Call(func=name(function), args=[name(own), *nothing], keywords=[])
    final = [at(gast.Expr(value=call), getattr(node, "origin", None))]
    again = partial(guarded, statements, node, node.body, final) if is_blind(leave) else None
    closed(statements, lambda: statements.block(node.body), close, again)


def is_blind(leave: FunctionType) -> bool:
    """Whether an `__exit__` does not look at the error."""
    tree = form_of(leave).tree
    _, *given = parameters(tree.args)
    return reads(tree.body).isdisjoint(given)


def gives_once(tree: gast.FunctionDef) -> bool:
    """Whether a generator surely comes to a `yield`, and to no other."""
    body, count = list(tree.body), sum(isinstance(n, gast.Yield) for n in gast.walk(tree))
    found = 0
    while body:
        statement = body.pop()
        if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Yield):
            found += 1
        elif (
            isinstance(statement, gast.Try)
            and not statement.handlers
            or isinstance(statement, gast.With)
        ):
            body += statement.body
    leaves = any(isinstance(n, (gast.Return, gast.YieldFrom)) for n in gast.walk(tree))
    return found == count == 1 and not leaves


def repeated(statements: Statements, node: gast.With) -> gast.For:
    """The block of a `with` as the body of a loop over what its generator gives."""
    unit = statements.unit
    key = id(node), Managed
    if key not in unit.turned:
        [item] = node.items
        target = item.optional_vars or store(statements.frame.temporary("given"))
        over = gast.Constant(value=None, kind=None)
        made = gast.For(target, over, node.body, [], None)
        unit.turned[key] = at(made, getattr(node, "origin", None)), node
    found: gast.For = unit.turned[key][0]
    return found


def suppresses_nothing(leave: Any) -> bool:
    """Whether an `__exit__` gives a constant that is false."""
    if not isinstance(leave, FunctionType):
        return False
    last = form_of(leave).tree.body[-1]
    value = last.value if isinstance(last, gast.Return) else last
    return value is None or isinstance(value, gast.Constant) and not value.value


def settings(statements: Statements, body: list[Any]) -> int:
    """How many statements at the beginning of such a block say what is warned about."""
    for k, statement in enumerate(body):
        call = statement.value if isinstance(statement, gast.Expr) else None
        target = callee(statements, call.func) if isinstance(call, gast.Call) else None
        if target is None or not sets_warnings(target):
            return k
    return len(body)
