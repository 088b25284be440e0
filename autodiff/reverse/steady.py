"""Names that hold one and the same value whenever they are set: nothing has to keep it.

    for _ in range(n):
        dx_pow_2 = dx**2            # no iteration changes dx
        u = u + nu / dx_pow_2 * w

After any iteration, and after the last one too, `dx_pow_2` is what the reverse sweep needs.
"""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.constants import operands
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.analysis.writing import output
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import of_class, walk

_LOOPS = (gast.For, gast.While)
_ELSEWHERE = frozenset((gast.Global, gast.Nonlocal))
_DEFINITIONS = frozenset((gast.FunctionDef, gast.ClassDef))
_BLOCKS = ("body", "orelse", "handlers", "finalbody")
_OPAQUE = (
    *(gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp),
    *(gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom),
)


def steady(
    body: list[gast.stmt], parameters: list[str], kinds: Kinds, aliases: Aliases
) -> frozenset[str]:
    """Numbers, and arrays that nobody changes, that are set once or to the same in each iteration.

    `body` is the primal in normal form.
    """
    if of_class(body, *_ELSEWHERE):
        return frozenset()
    bound: Counter[str] = Counter(parameters)
    bound.update([n.id for n in of_class(body, gast.Name) if not _is_load(n)])
    bound.update([n.name for n in of_class(body, *_DEFINITIONS)])

    def lasting(name: str) -> bool:
        kind = kinds.names.get(name)
        single = bound[name] == 1 and name in kinds.local
        return single and (
            isinstance(kind, Scalar) or isinstance(kind, Array) and not aliases.is_changed(name)
        )

    once = set(parameters)
    repeated: list[gast.Assign] = []
    _sort(body, once, repeated, False)
    found = {name for name in once if lasting(name)}
    single = [node for node in repeated if lasting(node.targets[0].id)]
    numbers = kinds.numbers & kinds.local
    while True:
        more = {
            node.targets[0].id
            for node in single
            if found.issuperset(reads(node.value) & numbers)  # of most that tells enough
            and _is_fixed(node.value, found, kinds)
        }
        if more <= found:
            bound_inside = {node.targets[0].id for node in repeated}
            return frozenset(
                found
                - {
                    node.targets[0].id
                    for node in repeated
                    if node.targets[0].id in found
                    and _folds(node.value, kinds)
                    and not reads(node.value) & bound_inside
                }
            )
        found |= more


def _sort(
    body: list[gast.stmt], once: set[str], repeated: list[gast.Assign], in_loop: bool
) -> None:
    """Names that statements outside of loops bind, and the assignments inside of loops."""
    for node in body:
        if node.__class__ is gast.Assign:
            if not in_loop:
                once |= writes(node)
            elif isinstance(node.targets[0], gast.Name):
                repeated.append(node)
            continue
        if isinstance(node, gast.AugAssign) and not in_loop:
            once |= writes(node)
        for field in _BLOCKS:
            for part in getattr(node, field, None) or []:
                inner = part.body if isinstance(part, gast.ExceptHandler) else [part]
                _sort(inner, once, repeated, in_loop or isinstance(node, _LOOPS))


def _is_fixed(value: gast.expr, found: set[str], kinds: Kinds) -> bool:
    """Whether an expression gives the same whenever it is evaluated."""
    called: set[int] = set()
    for node in operands(value, kinds):
        if isinstance(node, _OPAQUE):
            return False
        if isinstance(node, gast.Call):
            operation = kinds.operation(node)
            if operation is None or not operation.pure or output(operation) is not None:
                return False
            called.update(id(part) for part in walk(node.func))
        elif isinstance(node, gast.Name) and node.id not in found:
            if id(node) not in called or node.id in kinds.local:
                return False
    return True


def _folds(value: gast.expr, kinds: Kinds) -> bool:
    """Whether a number, of what comes from outside the loop, is better computed again.

    It folds with its use, or leaves the loop.
    """
    if not isinstance(kinds.known(value), Scalar):
        return False
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Div):
        return isinstance(value.right, gast.Constant)
    return isinstance(value, (gast.UnaryOp, gast.BinOp)) and not isinstance(value.op, gast.Pow)


def _is_load(node: gast.Name) -> bool:
    return isinstance(node.ctx, gast.Load)
