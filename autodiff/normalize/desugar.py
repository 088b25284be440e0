"""Bring Python into fewer forms, without changing what it does.

    >>> import ast, gast
    >>> from autodiff.syntax.names import Names, all_names
    >>> tree = gast.parse('''
    ... def f(xs, ys):
    ...     total, last = 0.0, None
    ...     for i, (x, y) in enumerate(zip(xs, ys)):
    ...         total += x * y if i else y
    ...         last = y
    ...     return total or last
    ... ''').body[0]
    >>> tree = desugar(tree, Names(all_names(tree)))
    >>> print(ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree))))
    def f(xs, ys):
        total = 0.0
        last = None
        xs_seq = $sequence(xs)
        ys_seq = $sequence(ys)
        for i in range(min(len(xs_seq), len(ys_seq))):
            x = xs_seq[i]
            y = ys_seq[i]
            if i:
                total += x * y
            else:
                total += y
            last = y
        choice = total
        if not choice:
            choice = last
        return choice

Each construct is one rule in `sugar/`: a statement in, the statements that replace it out. The
rules are applied to what they return until none has anything to do. Nested functions are left
alone; they get their turn when they are inlined. `$sequence` is a helper of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.normalize.build import at, skip
from autodiff.normalize.sugar import (
    assignment,
    choice,
    comprehension,
    constants,
    grouping,
    iteration,
    matching,
    operands,
    parallel,
)
from autodiff.normalize.sugar.context import INSERTED, Context
from autodiff.normalize.sugar.hoist import hoist, merged
from autodiff.syntax.names import Names, name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import shallow

Rule = Callable[[Any, Context], list[gast.stmt] | None]

# The order matters: whole values first, then what is left inside an expression.
RULES: dict[type[gast.AST], tuple[Rule, ...]] = {
    gast.Assign: (
        assignment.chained,
        parallel.parallel,
        assignment.unpacked,
        assignment.walrus,
        choice.assigned_choice,
        choice.assigned_boolean,
        comprehension.named_generator,
        comprehension.comprehension,
        merged,
        operands.assigned,
    ),
    gast.AnnAssign: (assignment.annotated,),
    gast.AugAssign: (choice.augmented_choice, operands.augmented),
    gast.Return: (choice.returned_choice, operands.returned),
    gast.Expr: (grouping.constant_statement, choice.effect_of_choice, operands.evaluated),
    gast.If: (operands.tested,),
    gast.While: (operands.looped,),
    gast.For: (
        iteration.block_of,
        iteration.in_turn,
        comprehension.loop_over_generator,
        iteration.loop_over,
    ),
    gast.With: (constants.constant_block, constants.block_on_adjoint, grouping.entered),
    gast.Match: (matching.matched,),
}
_COMPOUND = (gast.If, gast.While, gast.For, gast.With, gast.Try)
Draws = Callable[[gast.For], bool]


def no_loop(_: gast.For) -> bool:
    """Every loop is one over numbers."""
    return False


def desugar(
    tree: gast.FunctionDef,
    names: Names,
    shadowed: frozenset[str] = frozenset(),
    lookup: Callable[[str], object] | None = None,
    draws: Draws = no_loop,
    exact: bool = False,
) -> gast.FunctionDef:
    """The same function in fewer forms.

    shadowed: names of builtins that mean something else in the function's module.
    lookup: gives the value of a global name (KeyError if there is none), for classes in patterns.
    draws: which loops stay as they are, since they draw from iterators.
    exact: attributes, items and operators may run code that changes something.
    """
    new = shallow(tree)
    context = Context(tree, names, shadowed, lookup, exact)
    new.body = Sugar(context, draws).block(tree.body, origin_of(tree))
    return new


class Sugar:
    """Applies the rules to one function. draws: which loops stay as they are."""

    def __init__(self, context: Context, draws: Draws) -> None:
        self.context, self.draws = context, draws

    def block(self, statements: list[gast.stmt], origin: Any) -> list[gast.stmt]:
        """The statements without sugar; `pass` if nothing is left."""
        done: list[gast.stmt] = []
        waiting = statements[::-1]
        while waiting:
            statement = waiting.pop()
            made = self.first(statement)
            if made is None:
                done.append(self.inside(statement))
            else:
                waiting.extend(reversed(made))
        return [s for s in done if not isinstance(s, gast.Pass)] or [skip(origin)]

    def first(self, statement: gast.stmt) -> list[gast.stmt] | None:
        """What the first rule makes of a statement that has anything to do there."""
        if isinstance(statement, gast.For) and self.draws(statement):
            before, iterable = hoist(statement.iter, self.context, origin_of(statement))
            if not before:
                return None
            new = shallow(statement)
            new.iter = iterable
            return [*before, new]
        if isinstance(statement, gast.Delete):
            return None
        call = statement.value if isinstance(statement, gast.Expr) else None
        if isinstance(call, gast.Call) and getattr(call.func, "id", None) == INSERTED:
            target = name(call.args[0].id, gast.Store())  # another value from here on
            return [at(gast.Assign([target], call, None), origin_of(statement))]
        for rule in RULES.get(type(statement), ()):
            made = rule(statement, self.context)
            if made is not None:
                return made
        return None

    def inside(self, statement: Any) -> gast.stmt:
        """A compound statement with its blocks done."""
        if not isinstance(statement, _COMPOUND):
            return statement
        context, origin = self.context, origin_of(statement)
        new = shallow(statement)
        is_try = isinstance(statement, gast.Try)
        guards = is_try or isinstance(statement, gast.With) and grouping.may_suppress(statement)
        counts = isinstance(statement, gast.For) and isinstance(statement.target, gast.Name)
        counter = str(statement.target.id) if counts else ""
        held = counter not in context.active
        if held:
            context.active.add(counter)
        context.guarded += guards
        new.body = self.block(statement.body, origin)
        for field in ("orelse", "finalbody"):
            if getattr(statement, field, None):
                setattr(new, field, self.block(getattr(statement, field), origin))
        if is_try:
            new.handlers = [self.handler(each, origin) for each in statement.handlers]
        context.guarded -= guards
        if held:
            context.active.discard(counter)
        return new

    def handler(self, handler: Any, origin: Any) -> Any:
        """A clause of `try` with its block done."""
        new = shallow(handler)
        new.body = self.block(handler.body, origin)
        return new
