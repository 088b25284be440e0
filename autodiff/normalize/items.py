"""Augmented assignments to items of lists and dicts, and merging of dicts, in their parts.

    xs[i] += e                  xs_i = xs[i]
                                xs_i += e
                                xs[i] = xs_i
    xs += ys                    xs.extend(ys)
    d |= e                      d.update(e)
    f = d | e                   f = d.copy()
                                f.update(e)

What `xs_i += e` does is decided by the kind of the item. `meaning` says of a target whether it is
a list, a dict, an item of one, or none of these; `merges` of two operands whether they are dicts.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.normalize.anf import hint
from autodiff.normalize.build import assign
from autodiff.normalize.rebind import shared, within
from autodiff.syntax.names import Names, name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, shallow

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_METHODS = {("list", gast.Add): "extend", ("dict", gast.BitOr): "update"}


def items(
    tree: gast.FunctionDef,
    names: Names,
    meaning: Callable[[gast.expr], str | None],
    merges: Callable[[gast.expr, gast.expr], bool],
) -> gast.FunctionDef:
    """The tree in which items of containers are only read and assigned."""

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        return shared([part for s in statements for part in one(s)], statements)

    def one(statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, _COMPOUND):
            return [within(statement, block)]
        if isinstance(statement, gast.Assign):
            return _merged(statement, names) if is_merging(statement) else [statement]
        if not isinstance(statement, gast.AugAssign):
            return [statement]
        found = meaning(statement.target)
        if found == "item":
            return _apart(statement, names)
        method = _METHODS.get((found or "", type(statement.op)))
        return [statement] if method is None else [_called(statement, method)]

    def is_merging(statement: gast.Assign) -> bool:
        value = statement.value
        if not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.BitOr):
            return False
        return merges(value.left, value.right)

    new: gast.FunctionDef = within(tree, block)
    return new


def _merged(statement: gast.Assign, names: Names) -> list[gast.stmt]:
    origin, value = origin_of(statement), statement.value
    made = names.fresh(hint(value))
    copied = gast.copy_location(quote("x.copy()", x=value.left), value)
    first = gast.copy_location(assign(made, copied, origin), statement)
    last = gast.copy_location(assign(statement.targets[0], name(made), origin), statement)
    return [first, _effect(statement, "update", name(made), value.right), last]


def _called(statement: gast.AugAssign, method: str) -> gast.stmt:
    target = clone(statement.target)
    target.ctx = gast.Load()
    return _effect(statement, method, target, statement.value)


def _effect(
    statement: gast.stmt, method: str, target: gast.expr, value: gast.expr
) -> gast.stmt:
    call = quote(f"x.{method}(v)", x=target, v=value)
    new = gast.copy_location(gast.Expr(value=gast.copy_location(call, statement)), statement)
    new.origin = origin_of(statement)
    return new


def _apart(statement: gast.AugAssign, names: Names) -> list[gast.stmt]:
    origin = origin_of(statement)
    before: list[gast.stmt] = []
    target = shallow(statement.target)
    if not isinstance(target.slice, (gast.Name, gast.Constant)):
        key = names.fresh(hint(target.slice))
        before.append(assign(key, target.slice, origin))
        target.slice = gast.copy_location(name(key), target.slice)
    read = clone(target)
    read.ctx = gast.Load()
    own = names.fresh(hint(read))
    changed = shallow(statement)
    changed.target = gast.copy_location(store(own), target)
    first = gast.copy_location(assign(own, read, origin), statement)
    last = gast.copy_location(assign(target, name(own), origin), statement)
    return [*before, first, changed, last]
