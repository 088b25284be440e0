"""Numbers that are computed again instead of being kept on the tape."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from autodiff.analysis.known import Kinds
from autodiff.native.again import Again
from autodiff.optimize.change import changed, map_blocks
from autodiff.optimize.tape import Pair, pairs, popping, pushing
from autodiff.syntax.names import Names
from autodiff.syntax.origin import origin_of, with_origin

_PRICE = 6
"""A push and a pop of a number cost as much as so many additions."""


def rematerialize(tree: gast.FunctionDef, known: Kinds, names: Names) -> gast.FunctionDef:
    """Push only what a few operations do not give back from the rest.

        d2 = dx * dx + dy * dy                  d2 = dx * dx + dy * dy
        tape.push((dx, dy, d2))                 tape.push((dx, dy))
        ...                                     ...
        dx, dy, d2 = tape.pop()                 dx, dy = tape.pop()
                                                d2 = dx * dx + dy * dy

    The operands are values of the same push, counters of the loops around, names that are bound
    once, and elements of arrays that are never stored into: they are then what they were.
    """
    found = pairs(tree)
    if not found:
        return tree
    again = Again(tree, known, names, found)
    plans = {site: plan for site, pair in found.items() if (plan := _plan(pair, again))}

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            plan = plans.get(node.__dict__.get("site") or "")
            if plan is None:
                result.append(map_blocks(block, node))
                continue
            pair = found[node.site]
            if node is pair.push and plan.kept:
                result.append(pushing(node, [pair.values[i] for i in plan.kept]))
            elif node is pair.pop:
                if plan.kept:
                    result.append(popping(node, [pair.targets[i] for i in plan.kept]))
                result.extend(with_origin(plan.code, origin_of(node)))
        return result

    result: gast.FunctionDef = changed(tree, body=block(tree.body)) if plans else tree
    return result


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which values of a push stay, and the statements that compute the others after the pop."""

    kept: list[int]
    code: list[gast.stmt]


def _plan(pair: Pair, again: Again) -> _Plan | None:
    """The values that stay, and what computes the others, last ones first as long as that pays."""
    targets = [target.id if isinstance(target, gast.Name) else "" for target in pair.targets]
    if "" in targets or len(set(targets)) < len(targets):
        return None
    everything = set(range(len(targets)))
    values = dict(zip(targets, pair.values))
    best = None
    dropped: set[int] = set()
    for index in sorted(everything, key=lambda i: again.when(pair, pair.values[i]), reverse=True):
        tried = dropped | {index}
        wanted = {n: values[n] for i, n in enumerate(targets) if i in tried}
        kept = {n for n in targets if n not in wanted and _is_name(values[n], n)}
        code = again.code(pair, wanted, kept)
        if code is not None and code.price <= _PRICE * len(tried):
            dropped = tried
            best = _Plan([i for i in everything if i not in tried], code.statements)
    return best


def _is_name(value: gast.expr, identifier: str) -> bool:
    return isinstance(value, gast.Name) and value.id == identifier
