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

from autodiff.normalize.build import shallow, skip
from autodiff.normalize.sugar import (
    assignment,
    checkpoints,
    choice,
    comprehension,
    constants,
    generators,
    grouping,
    inserting,
    loops,
    matching,
    merging,
    operands,
    parallel,
    pranges,
)
from autodiff.normalize.sugar.context import Context
from autodiff.syntax.names import Names
from autodiff.syntax.origin import origin_of

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
        generators.named_generator,
        comprehension.comprehension,
        merging.merged,
        operands.assigned,
    ),
    gast.AnnAssign: (assignment.annotated,),
    gast.AugAssign: (choice.augmented_choice, operands.augmented),
    gast.Return: (choice.returned_choice, operands.returned),
    gast.Expr: (grouping.constant_statement, choice.effect_of_choice, operands.evaluated),
    gast.If: (operands.tested,),
    gast.While: (operands.looped,),
    gast.For: (
        *(checkpoints.block_of, pranges.in_turn),
        *(comprehension.loop_over_generator, loops.loop_over),
    ),
    gast.With: (constants.constant_block, inserting.block_on_adjoint, grouping.entered),
    gast.Delete: (grouping.deleted,),
    gast.Match: (matching.matched,),
}
_COMPOUND = (gast.If, gast.While, gast.For, gast.With, gast.Try)


def desugar(
    tree: gast.FunctionDef,
    names: Names,
    *,
    shadowed: frozenset[str] = frozenset(),
    lookup: Callable[[str], object] | None = None,
) -> gast.FunctionDef:
    """The same function in fewer forms.

    `shadowed` are names of builtins that mean something else in the function's module; `lookup`
    gives the value of a global name (KeyError if there is none), for the classes in patterns.
    """
    new = shallow(tree)
    new.body = _block(tree.body, Context(tree, names, shadowed, lookup), origin_of(tree))
    return new


def _block(statements: list[gast.stmt], context: Context, origin: Any) -> list[gast.stmt]:
    """The statements without sugar; `pass` if nothing is left."""
    done: list[gast.stmt] = []
    waiting = statements[::-1]
    while waiting:
        statement = waiting.pop()
        for rule in RULES.get(type(statement), ()):
            made = rule(statement, context)
            if made is not None:
                waiting.extend(reversed(made))
                break
        else:
            done.append(_inside(statement, context))
    kept = [s for s in done if not isinstance(s, gast.Pass)]
    return kept or [skip(origin)]


def _inside(statement: Any, context: Context) -> gast.stmt:
    """A compound statement with its blocks done."""
    if not isinstance(statement, _COMPOUND):
        return statement
    origin = origin_of(statement)
    new = shallow(statement)
    is_try = isinstance(statement, gast.Try)
    guards = is_try or (isinstance(statement, gast.With) and grouping.may_suppress(statement))
    counter = str(statement.target.id) if _is_counting(statement) else ""
    held = counter not in context.active
    if held:
        context.active.add(counter)
    context.guarded += guards
    new.body = _block(statement.body, context, origin)
    for field in ("orelse", "finalbody"):
        if getattr(statement, field, None):
            setattr(new, field, _block(getattr(statement, field), context, origin))
    if is_try:
        new.handlers = []
        for handler in statement.handlers:
            copy = shallow(handler)
            copy.body = _block(handler.body, context, origin)
            new.handlers.append(copy)
    context.guarded -= guards
    if held:
        context.active.discard(counter)
    return new


def _is_counting(statement: Any) -> bool:
    return isinstance(statement, gast.For) and isinstance(statement.target, gast.Name)
