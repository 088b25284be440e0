"""Constant folding in the statements of a function."""

from __future__ import annotations

import gast

from autodiff.optimize.change import PLAIN, changed, map_blocks, unchanged
from autodiff.optimize.effects import effects
from autodiff.optimize.facts import Facts
from autodiff.optimize.minus import without_sign
from autodiff.optimize.simplify import Simplifier
from autodiff.syntax.make import SIGNS

_VALUED = frozenset((gast.Assign, gast.AugAssign, gast.Expr, gast.Return))
_FLIPPED = {gast.Add: SIGNS[gast.Sub], gast.Sub: SIGNS[gast.Add]}


def fold(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Compute constants, drop operations that change nothing, decide tests that are constant.

    Exact only: every number stays the very number that it was.

    >>> import gast, textwrap
    >>> from autodiff.optimize.facts import Facts
    >>> tree = gast.parse(textwrap.dedent('''
    ...     def f(x, y_bar):
    ...         if None is None:
    ...             x_bar = 1.0 * y_bar * 2 * x ** (2 - 1)
    ...         return x_bar
    ... ''')).body[0]
    >>> tree = fold(tree, Facts(inexact=lambda expression: True))
    >>> import ast
    >>> print(ast.unparse(gast.gast_to_ast(tree)))
    def f(x, y_bar):
        x_bar = y_bar * 2 * x
        return x_bar
    """

    simplifier = _simplifier(facts)

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        new = [part for node in statements for part in statement(node)]
        return statements if unchanged(new, statements) else new

    def statement(node: gast.stmt) -> list[gast.stmt]:
        known = facts.folded.get(node)
        if known is None:
            inner = node if node.__class__ in PLAIN else map_blocks(block, node)
            known = facts.folded[node] = _folded(inner, simplifier, facts)
        return known

    body = block(tree.body)
    result: gast.FunctionDef = tree if body is tree.body else changed(tree, body=body)
    return result


def fold_statement(node: gast.AST, facts: Facts) -> gast.stmt:
    """A simple statement with its expressions folded."""
    [result] = _folded(node, _simplifier(facts), facts)
    return result


def _simplifier(facts: Facts) -> Simplifier:
    return Simplifier(
        facts.inexact,
        facts.scalar,
        facts.signed,
        facts.fits,
        lambda expression: effects(expression, facts).droppable,
        facts.makes,
    )


def _folded(node: gast.AST, simplifier: Simplifier, facts: Facts) -> list[gast.stmt]:
    cls = node.__class__
    if cls is gast.Expr and node.value.__class__ is gast.Constant:
        return [node]
    if cls is gast.If or cls is gast.While:
        test = simplifier.visit(node.test, True)
        if isinstance(test, gast.Constant):
            if cls is gast.If:
                taken = node.body if test.value else node.orelse
                return [s for s in taken if not isinstance(s, gast.Pass)]
            if not test.value and not node.orelse:
                return []
        return [node if test is node.test else changed(node, test=test)]
    if cls in _VALUED and node.value is not None:
        value = simplifier.visit(node.value, cls is gast.AugAssign)
        if value is not node.value:
            node = changed(node, value=value)
    elif cls is gast.For:
        iterable = simplifier.visit(node.iter, False)
        if iterable is not node.iter:
            node = changed(node, iter=iterable)
    if cls is gast.Assign:
        if len(node.targets) > 1 or node.targets[0].__class__ is not gast.Name:
            targets = simplifier.items(node.targets, False)
            if targets is not node.targets:
                node = changed(node, targets=targets)
    elif cls is gast.AugAssign:
        target = simplifier.visit(node.target, False)
        if target is not node.target:
            node = changed(node, target=target)
        node = _signed(node, facts)
    return [node]


def _signed(node: gast.AugAssign, facts: Facts) -> gast.AugAssign:
    """`x_bar += -e` as `x_bar -= e`."""
    flipped = _FLIPPED.get(type(node.op))
    positive = without_sign(node.value, facts.signed) if flipped else None
    if flipped is None or positive is None:
        return node
    result: gast.AugAssign = changed(node, op=flipped, value=positive)
    return result
