"""Values of an iteration that are as cheap to compute again as to keep on the tape.

    quotient = c / x                         forward: nothing is pushed but x
    x = 0.5 * (x + quotient)                 reverse: quotient = c / x

One arithmetic operation on numbers, whose operands the reverse sweep has at hand anyway; the arrays
that `states` names; and elements of arrays, which are read again where that keeps less:

    for i in range(1, n):                    forward: one number is kept, the old u[i]
        u[i] = c * u[i] * u[i - 1]           reverse: u[i] is put back, then u[i - 1] is read
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Scalar
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.elements import elements
from autodiff.reverse.holders import holders
from autodiff.reverse.items import Block, Branch, Loop
from autodiff.reverse.listing import occurrences
from autodiff.reverse.overwriting import Overwriting, Overwritten
from autodiff.reverse.plan import Body, Held, Plan
from autodiff.reverse.refilled import refilled


def recompute(
    block: Block,
    kinds: Kinds,
    aliases: Aliases,
    steady: Set[str],
    made: Set[str],
    overwriting: Overwriting,
    native: bool = False,
) -> set[str]:
    """Puts recomputations into the adjoint code of loops; returns the names computed again.

    Names that are `steady` are there anyway; those of `made` belong to the reverse sweep alone.
    """
    work = _Recompute(kinds, aliases, steady, made, overwriting, occurrences(block))
    work.refilled = refilled(block, kinds, aliases) if native else frozenset()
    work.visit(block)
    return work.found


class _Recompute:
    def __init__(
        self,
        kinds: Kinds,
        aliases: Aliases,
        steady: Set[str],
        made: Set[str],
        overwriting: Overwriting,
        total: Counter[str],
    ) -> None:
        self.kinds = kinds
        self.aliases = aliases
        self.steady = steady
        self.made = made
        self.overwriting = overwriting
        self.total = total
        self.found: set[str] = set()
        self.refilled: frozenset[int] = frozenset()
        """Steps whose numbers are in arrays that are put back as they were, in native code."""

    def visit(self, items: Block, around: Loop | None = None) -> None:
        for item in items:
            if isinstance(item, Branch) and around is not None:
                for part in (item.then, item.orelse):  # names of its own are as those of a loop
                    self.visit(part, around)
                    plan = self.planned(Loop(around.primal, around.header, part))
                    plan.carry_out(part)
                    self.found |= plan.names
            elif isinstance(item, Loop):
                self.visit(item.body, item)
                plan = self.planned(item)
                plan.carry_out(item.body)
                self.found |= plan.names

    def planned(self, loop: Loop) -> Plan:
        body = Body(loop, self.kinds, self.aliases, self.total, self.steady)
        if any(id(item) in self.refilled for item in loop.body):
            return body.plan(self.refilled, Held(), follow=True)
        plan = body.plan(frozenset(), Held())
        groups = elements(loop, self.kinds, self.aliases) if plan.recorded else []
        if not groups:
            return plan
        before = self.overwritten(loop, plan)
        if before is None:
            return plan
        taken: frozenset[int] = frozenset()
        kept = self.held(loop, before)
        first = body.plan(taken, kept)
        cost = len(first.recorded), first.sums
        for group in groups:
            for steps in group:
                better = self.better(loop, body, taken | steps, before, kept, cost)
                if better is not None:
                    plan, cost = better
                    taken |= steps
                    break
        return plan

    def better(
        self,
        loop: Loop,
        body: Body,
        taken: frozenset[int],
        before: Overwritten,
        kept: Held,
        cost: tuple[int, int],
    ) -> tuple[Plan, tuple[int, int]] | None:
        """The plan that reads the values of some steps from their arrays, and what it costs."""
        plan = body.plan(taken, kept)
        after = self.overwritten(loop, plan)
        more = _more(before, after)
        if more:
            plan = body.plan(taken, self.held(loop, after))
            after = self.overwritten(loop, plan)
            more = _more(before, after)
        if after is None or not all(self.is_number_of(loop, after, *slot) for slot in more):
            return None
        if any(self.aliases.share(base, row) for base in _kept(after) for row in plan.rows):
            return None  # a row is read as it stays: it is no copy
        recorded = len(plan.recorded) + sum(not self.holders(after, *slot) for slot in more)
        own = recorded, plan.sums
        return (plan, own) if own < cost else None

    def overwritten(self, loop: Loop, plan: Plan) -> Overwritten | None:
        """What has to be kept if a plan is carried out; None where that cannot be."""
        plan.carry_out(loop.body)
        try:
            return self.overwriting(self.made | self.found | plan.names)
        except UnsupportedSyntaxError:
            return None
        finally:
            plan.undo(loop.body)

    def is_number_of(
        self, loop: Loop, found: Overwritten, step: int, slot: gast.expr | None
    ) -> bool:
        """Whether a loop stores just a number to the slot, in its own block."""
        return (
            found.places[step][0] is loop.body
            and isinstance(slot, gast.Subscript)
            and isinstance(self.kinds.known(slot), Scalar)
        )

    def holders(self, found: Overwritten, step: int, slot: gast.expr | None) -> list[str]:
        return holders(*found.places[step], slot, self.kinds, self.aliases)

    def held(self, loop: Loop, found: Overwritten | None) -> Held:
        names: set[str] = set()
        equal: dict[str, str] = {}
        for step, slot in _more(None, found):
            if found is not None and found.places[step][0] is loop.body:
                same = self.holders(found, step, slot)
                names.update(same[:1])
                equal.update(dict.fromkeys(same[1:], *same[:1]))
        return Held(frozenset(names), equal)


def _kept(found: Overwritten) -> set[str]:
    """The arrays of which something is kept and put back."""
    return {base for _, slots in found.found.values() for base, _ in slots}


def _more(
    before: Overwritten | None, after: Overwritten | None
) -> list[tuple[int, gast.expr | None]]:
    """The slots that are to be kept after but not before, each with the `id` of its step."""
    if after is None:
        return []
    old = {} if before is None else before.found
    return [
        (step, slot)
        for step, (_, slots) in after.found.items()
        for base, slot in slots
        if step not in old or (base, slot) not in old[step][1]
    ]
