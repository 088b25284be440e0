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

from autodiff.normalize.build import assign, branch, effect, loop, method, shallow
from autodiff.normalize.sugar.collecting import as_comprehension, as_generator
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.forms import (
    COMPREHENSIONS,
    has_walrus,
    hides_itself,
    is_lowered_comprehension,
    is_pure,
)
from autodiff.normalize.sugar.streams import is_call
from autodiff.normalize.sugar.unrolling import unrolled
from autodiff.syntax.names import name, rename, writes
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import walk

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
