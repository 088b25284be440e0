"""What all that a loop adds to a number is divided by divides the sum, after the loop."""

from __future__ import annotations

import gast

from autodiff.kinds.kind import Scalar
from autodiff.native.invariants import runs
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.split import is_flat
from autodiff.syntax.change import changed
from autodiff.syntax.comment import is_comment
from autodiff.syntax.make import SIGNS, make
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.sections import replace_in_reverse


def common_factors(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """Invariant factors of a sum stand outside of its loop where one of them is a divisor.

        for i in range(n):                     total = 0.0
            nu_bar += a[i] / h * dt            for i in range(n):
                                                   total += a[i]
                                               if n > 0:
                                                   nu_bar += total / h * dt

    A division costs as much as ten sums, and since it may raise an error LLVM vectorises no loop
    that has one. Only in the reverse sweep: the order of operations differs.
    """

    def code(node: gast.stmt) -> list[gast.stmt] | None:
        return _taken_out(node, known) if is_flat(node) else None

    return replace_in_reverse(code, tree)


def _taken_out(loop: gast.For, known: NativeKinds) -> list[gast.stmt] | None:
    """The loop with sums of what is left, between their zeros and products; None if none is."""
    test = runs(loop)
    body = [node for node in loop.body if not is_comment(node)]
    bound = {loop.target.id}.union(*(writes(node) for node in body))
    before: list[gast.stmt] = []
    after: list[gast.stmt] = []
    result: list[gast.stmt] = []
    for node in loop.body:
        if test is not None and _is_sum(node, loop, body, known):
            taken, left = _factors(node.value, bound, known)
            if left and any(op is gast.Div for op, _ in taken):
                total = known.fresh("total", Scalar("float"))
                before += quote_statements("t = 0.0", t=total)
                own: Factors = [(gast.Mult, name(total)), *taken]
                after.append(changed(node, value=joined(own)))
                node = changed(node, target=store(total), op=gast.Add(), value=joined(left))
        result.append(node)
    if not after:
        return None
    return [*before, changed(loop, body=result), gast.If(test=test, body=after, orelse=[])]


def _is_sum(node: gast.stmt, loop: gast.For, body: list[gast.stmt], known: NativeKinds) -> bool:
    """Whether a statement adds a float to a name that the loop only adds to."""
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)):
        return False
    target = node.target
    if not isinstance(target, gast.Name) or target.id in reads(loop.iter):
        return False
    kinds = known.of(target), known.of(node.value)
    if not all(isinstance(kind, Scalar) and kind.type == "float" for kind in kinds):
        return False
    return all(
        target.id not in (reads(other.value) if _is_added(other, target.id) else _names(other))
        for other in body
    )


def _is_added(node: gast.stmt, own: str) -> bool:
    added = isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub))
    return added and isinstance(node.target, gast.Name) and node.target.id == own


def _names(node: gast.stmt) -> set[str]:
    return reads(node) | writes(node)


def _factors(node: gast.expr, bound: set[str], known: NativeKinds) -> tuple[Factors, Factors]:
    """The factors of a product that no iteration changes, and the others, a factor first."""
    taken: Factors = []
    left: Factors = []
    for op, factor in factors_of(node):
        kind = known.of(factor)
        number = isinstance(kind, Scalar) and kind.type in ("float", "int")
        fixed = number and isinstance(factor, gast.Name) and factor.id not in bound
        (taken if fixed else left).append((op, factor))
    if not left or left[0][0] is gast.Div or not reads(joined(left)) & bound:
        return [], []
    return taken, left


Factors = list[tuple[type, gast.expr]]
"""Each with `gast.Mult` or `gast.Div`, by which it joins those before it."""


def factors_of(node: gast.expr, op: type = gast.Mult) -> Factors:
    """`a / b * c` as factors and divisors in their order; `a * (b * c)` has three factors, too."""
    if op is gast.Mult and node.__class__ is gast.BinOp:
        own = node.op.__class__
        if own is gast.Mult or own is gast.Div:
            return [*factors_of(node.left), *factors_of(node.right, own)]
    return [(op, node)]


def joined(factors: Factors) -> gast.expr:
    """The product; the first one is no divisor."""
    result = factors[0][1]
    for op, factor in factors[1:]:
        result = make(gast.BinOp, left=result, op=SIGNS[op], right=factor)
    return result
