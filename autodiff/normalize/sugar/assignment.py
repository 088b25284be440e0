"""Assignments of every kind become assignments of one value to one name, item or attribute.

    a = b = f(x)           a = f(x)             (a, (b, c)), d = t     pair, d = t
                           b = a                                       a, pair_2 = pair
    x, y = y, x + y        x_new = y                                   b, c = pair_2
                           y = x + y            first, *rest = xs      xs_seq = sequence(xs)
                           x = x_new                                   first = xs_seq[0]
                                                                       rest = list(xs_seq[1:])

The one tuple that stays on the left is a flat one of names whose value is not a tuple display.
"""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.normalize.build import assign, at, branch, call, compare, constant, item, shallow
from autodiff.normalize.sugar.collecting import as_generator
from autodiff.normalize.sugar.context import SEQUENCE, Context
from autodiff.syntax.names import name, store, writes
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import of_class

Statements = list[gast.stmt]
_DISPLAYS = (gast.Tuple, gast.List)


def annotated(statement: gast.AnnAssign, context: Context) -> Statements | None:
    """`x: float = e` without its annotation; nothing for a bare `x: float`."""
    if statement.value is None:
        return []
    return [assign(statement.target, statement.value, origin_of(statement))]


def chained(statement: gast.Assign, context: Context) -> Statements | None:
    """`a = b = e`: one evaluation, then stores from left to right."""
    if len(statement.targets) == 1:
        return None
    origin = origin_of(statement)
    first, *others = statement.targets
    value = statement.value
    bound = [n for target in statement.targets for n in sorted(writes(target))]
    if isinstance(value, gast.Constant) or (isinstance(value, gast.Name) and value.id not in bound):
        return [assign(target, shallow(value), origin) for target in statement.targets]
    if isinstance(first, gast.Name) and bound.count(first.id) == 1:
        made, carrier = [assign(first, value, origin)], first.id
    else:
        carrier = context.named_after(value)
        made = [assign(carrier, value, origin), assign(first, name(carrier), origin)]
    return [*made, *(assign(target, name(carrier), origin) for target in others)]


def walrus(statement: gast.Assign, context: Context) -> Statements | None:
    """`y = (n := e)`."""
    value = statement.value
    if not isinstance(value, gast.NamedExpr):
        return None
    origin = origin_of(statement)
    return [
        assign(value.target.id, value.value, origin),
        assign(statement.targets[0], name(value.target.id), origin),
    ]


def unpacked(statement: gast.Assign, context: Context) -> Statements | None:
    """A tuple of targets that holds anything but names, or has a starred one.

    A name that is there more than once, as in `a, a = t` or `x[i], i = t`, waits for its turn.
    """
    target = statement.targets[0]
    if not isinstance(target, _DISPLAYS) or isinstance(statement.value, _DISPLAYS):
        return None
    origin = origin_of(statement)
    is_iterator = isinstance(statement.value, gast.GeneratorExp) or as_generator(
        statement.value, context
    )
    if is_iterator and context.is_builtin("list"):
        return [assign(target, call("list", statement.value), origin)]
    if any(isinstance(part, gast.Starred) for part in target.elts):
        return _starred(target.elts, statement.value, context, origin)
    mentions = Counter(node.id for node in of_class(target, gast.Name))
    direct = [isinstance(part, gast.Name) and mentions[part.id] == 1 for part in target.elts]
    if all(direct):
        if isinstance(target, gast.Tuple):
            return None
        return [assign(_flat(target.elts), statement.value, origin)]
    flat: list[gast.expr] = []
    stores: Statements = []
    for part, is_direct in zip(target.elts, direct):
        if is_direct:
            flat.append(part)
            continue
        temporary = _temporary(part, context)
        flat.append(store(temporary))
        stores.append(assign(part, name(temporary), origin))
    return [assign(_flat(flat), statement.value, origin), *stores]


def _flat(names: list[gast.expr]) -> gast.Tuple:
    return gast.Tuple(elts=names, ctx=gast.Store())


def _temporary(target: gast.expr, context: Context) -> str:
    if isinstance(target, _DISPLAYS):
        return context.temporary("pair" if len(target.elts) == 2 else "items")
    if isinstance(target, gast.Name):
        return context.temporary(f"{target.id}_new")
    return context.named_after(target)


def _starred(
    targets: list[gast.expr], value: gast.expr, context: Context, origin: Origin | None
) -> Statements:
    """`a, *b, c = e` by positions in the sequence."""
    hint = f"{value.id}_seq" if isinstance(value, gast.Name) else "items"
    sequence = context.temporary(hint)
    star = next(n for n, part in enumerate(targets) if isinstance(part, gast.Starred))
    after = len(targets) - star - 1
    made: Statements = [assign(sequence, call(SEQUENCE, value), origin)]
    if star or after:  # no IndexError, nor an item that is taken from both ends
        made.append(_checked_length(sequence, star + after, origin))
    for position, target in enumerate(targets):
        if position < star:
            part: gast.expr = item(name(sequence), constant(position))
        elif position > star:
            part = item(name(sequence), _number(position - len(targets)))
        else:
            target = target.value
            upper = _number(-after) if after else None
            lower = constant(star) if star else None
            part = item(name(sequence), gast.Slice(lower=lower, upper=upper, step=None))
            part = _listed(part, context)
        made.append(assign(target, part, origin))
    return made


def _number(value: int) -> gast.expr:
    if value < 0:
        return gast.UnaryOp(op=gast.USub(), operand=constant(-value))
    return constant(value)


def _listed(value: gast.expr, context: Context) -> gast.expr:
    if context.is_builtin("list"):
        return call("list", value)
    return gast.List(elts=[gast.Starred(value=value, ctx=gast.Load())], ctx=gast.Load())


def _checked_length(sequence: str, least: int, origin: Origin | None) -> gast.stmt:
    message = constant(f"not enough values to unpack (expected at least {least})")
    error = at(gast.Raise(exc=call("ValueError", message), cause=None), origin)
    test = compare(call("len", name(sequence)), gast.Lt(), constant(least))
    return branch(test, [error], [], origin)
