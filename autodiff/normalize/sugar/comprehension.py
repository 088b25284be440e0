"""List and dictionary comprehensions become loops.

    ys = [f(v) for v in xs if v > 0]        ys = []
                                            for v in xs:
                                                if v > 0:
                                                    ys.append(f(v))

Their variables become names of the function; one that is in use there already gets a new name.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.build import assign, branch, call, effect, loop, method, shallow
from autodiff.normalize.sugar.collecting import as_comprehension, as_generator
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.predicates import (
    COMPREHENSIONS,
    has_walrus,
    hides_itself,
    is_lowered_comprehension,
    is_pure,
)
from autodiff.normalize.sugar.streams import is_call
from autodiff.syntax.definition import definition
from autodiff.syntax.names import name, rename, substitute, writes
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, of_class, walk

Statements = list[gast.stmt]


def comprehension(statement: gast.Assign, context: Context) -> Statements | None:
    """`ys = [... for ...]`, `d = {...: ... for ...}` and `ys = list(... for ...)`."""
    value, target = statement.value, statement.targets[0]
    if is_call(value, context, "list", "dict"):
        value = as_comprehension(value, context)
    if not is_lowered_comprehension(value):
        return None
    origin = origin_of(statement)
    is_dict = isinstance(value, gast.DictComp)
    written = None if is_dict else unrolled(value, context, statement)
    if written is not None:
        return [*written[0], assign(target, written[1], origin)]
    if not isinstance(target, gast.Name) or not context.may_hold(target.id, [value]):
        hint = f"{target.id}_new" if isinstance(target, gast.Name) else "items"
        temporary = context.temporary(hint)
        return [
            assign(temporary, value, origin),
            assign(target, gast.copy_location(name(temporary), value), origin),
        ]
    value = _renamed(value, context)
    result = name(target.id)
    if is_dict:
        body = _entry(result, value.key, value.value, context, origin)
        empty: gast.expr = gast.Dict(keys=[], values=[])
    else:
        body = [effect(method(result, "append", value.elt), origin)]
        empty = gast.List(elts=[], ctx=gast.Load())
    return [assign(target, empty, origin), *_nested(value.generators, body, origin)]


def loop_over_generator(statement: gast.For, context: Context) -> Statements | None:
    """`for y in (f(v) for v in xs)`: the body runs as each item is made."""
    generator = statement.iter
    if is_call(generator, context, "map", "filter"):
        if generator.func.id == "filter" or isinstance(generator.args[0], gast.Lambda):
            generator = as_generator(generator, context)
    if not isinstance(generator, gast.GeneratorExp) or len(generator.generators) != 1:
        return None
    if generator.generators[0].is_async or hides_itself(generator):
        return None
    origin = origin_of(statement)
    generator = _renamed(generator, context)
    body = [assign(statement.target, generator.elt, origin), *statement.body]
    made = _nested(generator.generators, body, origin)
    made[0].orelse = statement.orelse
    return made


def _entry(
    result: gast.expr, key: gast.expr, value: gast.expr, context: Context, origin: Origin | None
) -> Statements:
    """`result[key] = value`, the key evaluated first."""
    before: Statements = []
    is_atom = isinstance(key, gast.Constant) or (
        isinstance(key, gast.Name) and not has_walrus(value)
    )
    if not is_atom and (context.exact or not (is_pure(key) and is_pure(value))):
        made = context.temporary("key")
        before, key = [assign(made, key, origin)], name(made)
    entry = gast.Subscript(value=result, slice=key, ctx=gast.Store())
    return [*before, assign(entry, value, origin)]


def _nested(generators: list[Any], body: Statements, origin: Origin | None) -> Statements:
    """The loops and tests of a comprehension around its element."""
    for generator in reversed(generators):
        if generator.ifs:
            tests = generator.ifs
            test = tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)
            body = [branch(test, body, [], origin)]
        body = [loop(generator.target, generator.iter, body, [], origin)]
    return body


def _renamed(value: Any, context: Context) -> Any:
    """The comprehension with variables that clash with no name of the function."""
    own: set[str] = set()
    for generator in value.generators:
        own |= writes(generator.target)
    inner = {
        variable
        for child in walk(value)
        if isinstance(child, COMPREHENSIONS) and child is not value
        for generator in child.generators
        for variable in writes(generator.target)
    }
    clashing = sorted(v for v in own if v in context.scope or v in inner)
    if not clashing:
        return value
    mapping = {variable: context.temporary(variable) for variable in clashing}

    def visit(node: Any) -> Any:
        return rename(node, mapping)

    new = shallow(value)
    for field in ("elt", "key", "value"):
        if hasattr(value, field):
            setattr(new, field, visit(getattr(value, field)))
    new.generators = []
    for position, generator in enumerate(value.generators):
        copy = shallow(generator)
        copy.target = visit(generator.target)
        copy.ifs = [visit(test) for test in generator.ifs]
        if position:  # the first iterable belongs to the scope around
            copy.iter = visit(generator.iter)
        new.generators.append(copy)
    return new


def named_generator(statement: gast.Assign, context: Context) -> list[gast.stmt] | None:
    """A generator that gets a name, also over the tuples of `zip` and `enumerate`: both `map` and
    `filter` give their items once, and each when it is asked for.

    before: `squares = (v * v for v in xs if v > 0)`
    after: `squares = map(lambda v: v * v, filter(lambda v: v > 0, xs))`
    """
    value, target = statement.value, statement.targets[0]
    if not isinstance(value, gast.GeneratorExp) or not isinstance(target, gast.Name):
        return None
    if len(value.generators) != 1 or has_walrus(value) or not context.is_builtin("map", "filter"):
        return None
    [generator] = value.generators
    iterable, item = generator.iter, generator.target
    parts: dict[str, gast.expr] = {}
    variable = item.id if isinstance(item, gast.Name) else context.temporary("item")
    if not isinstance(item, gast.Name):
        if not _is_unpacked(item, iterable, context):
            return None
        parts = {p.id: quote(f"x[{k}]", x=variable) for k, p in enumerate(item.elts)}
    for test in generator.ifs:
        iterable = call("filter", _function(variable, substitute(test, parts)), iterable)
    made = call("map", _function(variable, substitute(value.elt, parts)), iterable)
    return [assign(target, gast.copy_location(made, value), origin_of(statement))]


def _is_unpacked(item: gast.expr, iterable: gast.expr, context: Context) -> bool:
    """Whether each item is a tuple of just so many parts as there are names."""
    if not isinstance(item, gast.Tuple) or not all(isinstance(p, gast.Name) for p in item.elts):
        return False
    if not is_call(iterable, context, "zip", "enumerate") or iterable.keywords:
        return False
    given = iterable.args
    if any(isinstance(argument, gast.Starred) for argument in given):
        return False
    return len(item.elts) == (2 if iterable.func.id == "enumerate" else len(given))


def _function(variable: str, value: gast.expr) -> gast.Lambda:
    given = definition("function", [variable], []).args
    return gast.Lambda(args=given, body=value)


_MOST = 64
"""The nodes of all elements together, beyond which a loop is easier to read."""


def unrolled(
    value: gast.ListComp, context: Context, statement: gast.stmt
) -> tuple[list[gast.stmt], gast.List] | None:
    """The list of the elements after what computes the items, where these are written out; None
    where it stays a loop, which needs a list that grows, and its adjoint another.

    before: `s, t = [np.asarray(v) for v in (s, t)]`, or `s, t = map(np.asarray, (s, t))`
    after: `s, t = [np.asarray(s), np.asarray(t)]`

    The items are computed first, as Python does.
    """
    generator = value.generators[0]
    if len(value.generators) > 1 or generator.ifs or generator.is_async or has_walrus(value):
        return None
    element: Any = value.elt
    iterable: Any = generator.iter
    if is_call(iterable, context, "map"):
        if not _is_plain_map(value) or not _is_dotted(iterable.args[0]):
            return None
        called, iterable = iterable.args
        element = gast.Call(func=called, args=[value.elt], keywords=[])
        gast.copy_location(element, value.elt)
    items = _items(iterable, statement, context)
    if items is None or not isinstance(generator.target, gast.Name):
        return None
    if any(isinstance(item, gast.Starred) for item in items) or not items:
        return None
    if len(items) * len(list(walk(element))) > _MOST or of_class(context.tree, gast.Nonlocal):
        return None
    variable = generator.target.id
    if any(variable in writes(inner.target) for inner in of_class(element, gast.comprehension)):
        return None
    before: list[gast.stmt] = []
    made = []
    for item in items:
        own = item
        if not isinstance(item, (gast.Name, gast.Constant)):
            temporary = context.named_after(item)
            before.append(assign(temporary, item, origin_of(statement)))
            own = gast.copy_location(name(temporary), item)
        made.append(substitute(clone(element), {variable: own}))
    return before, gast.copy_location(gast.List(elts=made, ctx=gast.Load()), value)


def _items(iterable: gast.expr, statement: gast.stmt, context: Context) -> list[gast.expr] | None:
    """What is written out; the numbers of a range where there are as many targets."""
    if isinstance(iterable, (gast.Tuple, gast.List)):
        return list(iterable.elts)
    if not is_call(iterable, context, "range") or not isinstance(statement, gast.Assign):
        return None
    target, (count, *more) = statement.targets[0], iterable.args
    if not isinstance(count, gast.Constant) or more or not isinstance(target, gast.Tuple):
        return None
    if count.value != len(target.elts):
        return None
    numbers = (gast.Constant(value=number, kind=None) for number in range(count.value))
    return [gast.copy_location(number, count) for number in numbers]


def _is_plain_map(value: gast.ListComp) -> bool:
    """Whether a comprehension gives the items of `map(f, xs)` as they are."""
    call, target = value.generators[0].iter, value.generators[0].target
    same = isinstance(value.elt, gast.Name) and isinstance(target, gast.Name)
    return same and value.elt.id == target.id and len(call.args) == 2 and not call.keywords


def _is_dotted(node: gast.expr) -> bool:
    """Whether a function is named: `np.asarray`, not what a call gives."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)
