"""`contextlib.suppress` as the `try` that it stands for.

with suppress(KeyError):        try:
    y = f(x)                        y = f(x)
                                except KeyError:
                                    pass
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autodiff.normalize.build import shallow, skip
from autodiff.syntax.origin import origin_of

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_FIELDS = ("body", "orelse", "finalbody", "handlers")
_PLAIN = (gast.Name, gast.Attribute)


def suppress(
    tree: gast.FunctionDef, suppresses: Callable[[gast.expr], bool]
) -> gast.FunctionDef:
    """The tree with each `with suppress(...)` as a `try`; `suppresses` knows the function."""

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        new = [one(statement) for statement in statements]
        return statements if all(a is b for a, b in zip(new, statements)) else new

    def one(statement: gast.stmt) -> gast.stmt:
        if not isinstance(statement, _COMPOUND):
            return statement
        fields = {field: getattr(statement, field, None) for field in _FIELDS}
        made = {field: block(part) for field, part in fields.items() if part}
        if any(made[field] is not fields[field] for field in made):
            statement = shallow(statement)
            for field, part in made.items():
                setattr(statement, field, part)
        manager = statement.items[0].context_expr if isinstance(statement, gast.With) else None
        if isinstance(manager, gast.Call) and suppresses(manager.func) and _is_plain(statement):
            return _attempt(statement, manager.args)
        return statement

    body = block(tree.body)
    if body is tree.body:
        return tree
    new = shallow(tree)
    new.body = body
    return new


def _is_plain(statement: gast.With) -> bool:
    """Whether the exceptions may as well be looked up when one has come."""
    item = statement.items[0]
    call = item.context_expr
    named = all(isinstance(argument, _PLAIN) for argument in call.args)
    return named and bool(call.args) and not call.keywords and item.optional_vars is None


def _attempt(statement: gast.With, errors: list[gast.expr]) -> gast.Try:
    origin = origin_of(statement)
    caught = errors[0] if len(errors) == 1 else gast.Tuple(elts=errors, ctx=gast.Load())
    handler = gast.ExceptHandler(type=caught, name=None, body=[skip(origin)])
    new = gast.Try(body=statement.body, handlers=[handler], orelse=[], finalbody=[])
    gast.copy_location(new, statement)
    new.origin = origin
    return new
