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
