"""`with` statements of several items, and what is dropped: `del name`, docstrings, constants.

with a as x, b as y:        with a as x:
    body                        with b as y:
                                    body
"""

from __future__ import annotations

import gast

from autodiff.normalize.build import assign, shallow
from autodiff.normalize.sugar.context import Context
from autodiff.normalize.sugar.hoist import hoist
from autodiff.syntax.names import name, store
from autodiff.syntax.origin import origin_of

Statements = list[gast.stmt]
_HONEST = frozenset(
    "checkpointed errstate printoptions catch_warnings open localcontext no_grad nullcontext "
    "redirect_stdout redirect_stderr".split()
)


def entered(statement: gast.With, context: Context) -> Statements | None:
    """One context manager at a time, bound to a name."""
    origin = origin_of(statement)
    first, *others = statement.items
    if others:
        inner = shallow(statement)
        inner.items = others
        outer = shallow(statement)
        outer.items, outer.body = [first], [inner]
        return [outer]
    before, manager = hoist(first.context_expr, context, origin)
    target = first.optional_vars
    if not before and (target is None or isinstance(target, gast.Name)):
        return None
    new, new_item = shallow(statement), shallow(first)
    new.items, new_item.context_expr = [new_item], manager
    if target is not None and not isinstance(target, gast.Name):
        entered_as = context.temporary("entered")
        new_item.optional_vars = store(entered_as)
        new.body = [assign(target, name(entered_as), origin), *statement.body]
    return [*before, new]


def may_suppress(statement: gast.With) -> bool:
    """Whether the manager might swallow an exception, so that code after the block goes on."""
    for entry in statement.items:
        manager = entry.context_expr
        function = manager.func if isinstance(manager, gast.Call) else manager
        called = function.attr if isinstance(function, gast.Attribute) else None
        if isinstance(function, gast.Name):
            called = function.id
        if called not in _HONEST:
            return True
    return False


def constant_statement(statement: gast.Expr, context: Context) -> Statements | None:
    """A docstring or `...` does nothing."""
    return [] if isinstance(statement.value, gast.Constant) else None
