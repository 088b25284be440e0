"""What no iteration changes is computed before the loop, where it may raise an error, too."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autodiff.kinds.kind import Array, Scalar, forget_values
from autodiff.native.native_kinds import NativeKinds, is_range, literal
from autodiff.native.vocabulary import CHEAP, ELEMENTWISE, MATH
from autodiff.syntax.change import blocks, changed, map_blocks
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import children, map_children, same, walk

_PURE = (*CHEAP, *ELEMENTWISE, *MATH)


def invariants(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """Numbers that each iteration computes again are computed once, if there is any.

        for i in range(1, n):                  if n > 1:
            w[i] = dt / dx * u[i]                  factor = dt / dx
                                               for i in range(1, n):
                                                   w[i] = factor * u[i]

    A division that may raise an error keeps LLVM from vectorising the loop.
    """

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            new = map_blocks(block, node)
            test = runs(new) if isinstance(new, gast.For) else None
            if test is not None:
                before, new = _split(new, known)
                more, new = _split(_named(new, known), known)
                if before + more:
                    result.append(gast.If(test=test, body=before + more, orelse=[]))
            result.append(new)
        return result

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


def _named(loop: gast.For, known: NativeKinds) -> gast.For:
    """The loop in which quotients and calls of what it does not change have names."""
    bound = {loop.target.id, *_bound(loop.body)}
    made: list[gast.Assign] = []

    def visit(node: Any) -> Any:
        if isinstance(node, (gast.IfExp, gast.BoolOp)) or len(getattr(node, "ops", ())) > 1:
            return node  # not all of it is computed
        if isinstance(node, gast.BinOp) and not reads(node) & bound:
            kind = known.of(node)
            if isinstance(kind, Scalar) and kind.type == "float" and _is_pure(node, known):
                if any(isinstance(part, gast.Call) or _divides(part) for part in walk(node)):
                    return named(node)
        return map_children(visit, node)

    def named(node: gast.expr) -> gast.expr:
        for other in made:
            if same(other.value, node):
                return name(other.targets[0].id)
        own = known.fresh("factor", forget_values(known.of(node)))
        made.append(gast.Assign([store(own)], node, None))
        return name(own)

    body = [
        changed(node, value=visit(node.value))
        if isinstance(node, (gast.Assign, gast.AugAssign))
        else node
        for node in loop.body
    ]
    return changed(loop, body=[*made, *body]) if made else loop


def _divides(node: gast.AST) -> bool:
    """Whether an operation takes long, or may raise an error."""
    return isinstance(node, gast.BinOp) and not isinstance(node.op, (gast.Add, gast.Sub, gast.Mult))


def _split(loop: gast.For, known: NativeKinds) -> tuple[list[gast.stmt], gast.For]:
    """The statements that may stand before a loop, and the loop without them."""
    before: list[gast.stmt] = []
    body = list(loop.body)
    bound = _bound(body)
    bound[loop.target.id] += 1
    while True:
        earlier = reads(loop.iter)
        for node in body:
            names = writes(node)
            alone = all(bound[name] == 1 for name in names) and not names & earlier
            given = reads(node) - names if isinstance(node, gast.If) else reads(node)
            if alone and _is_hoistable(node, known) and not any(bound[n] for n in given):
                break
            earlier |= reads(node)
        else:
            return before, changed(loop, body=body or [gast.Pass()])
        before.append(node)
        body.remove(node)
        bound.subtract(writes(node))


def _bound(body: list[gast.stmt]) -> Counter[str]:
    """How many statements bind each name."""
    found: Counter[str] = Counter()
    for node in body:
        inner = blocks(node)
        own = writes(node).difference(*(writes(part) for part in inner))
        found.update(own)
        for part in inner:
            found += _bound(part)
    return found


def _is_hoistable(node: gast.stmt, known: NativeKinds) -> bool:
    """Whether a statement sets numbers to what follows from numbers."""
    if isinstance(node, gast.If):
        plain = not node.orelse and _is_pure(node.test, known)
        return plain and all(_is_hoistable(inner, known) for inner in node.body)
    return (
        isinstance(node, gast.Assign)
        and isinstance(node.targets[0], gast.Name)
        and not isinstance(node.value, (gast.Name, gast.Constant))
        and isinstance(known.of(node.value), Scalar)
        and _is_pure(node.value, known)
    )


def _is_pure(node: gast.AST, known: NativeKinds) -> bool:
    """Whether an expression reads no memory, and changes nothing."""
    if isinstance(node, (gast.Name, gast.Constant)):
        return True
    if isinstance(node, gast.Call):
        called = known.called(node)
        if called is len:
            [counted] = node.args
            return isinstance(counted, gast.Name) and isinstance(known.of(counted), Array)
        if node.keywords or not any(called is other for other in _PURE):
            return False
        return all(_is_pure(part, known) for part in node.args)
    if not isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp)):
        return False
    return all(_is_pure(part, known) for part in children(node) if isinstance(part, gast.expr))


def runs(loop: gast.For) -> gast.expr | None:
    """Whether a loop has an iteration, as an expression; None where that is not simple."""
    if not is_range(loop.iter) or not isinstance(loop.target, gast.Name):
        return None
    arguments = list(loop.iter.args)
    step = literal(arguments[2], ...) if len(arguments) == 3 else 1
    if len(arguments) == 1:
        return quote("n > 0", n=arguments[0])
    if step not in (1, -1):
        return None
    return quote("b > a" if step == 1 else "a > b", a=arguments[0], b=arguments[1])
