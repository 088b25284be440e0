"""The conditions of masks: what may change them, and the names that some of them get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import gast

from autodiff.optimize.effects import effects
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers
from autodiff.syntax.names import Names, all_names, name, reads
from autodiff.syntax.walk import of_class

Place = tuple[int, str]
"""A mask: the statement in which it is (by `id`, as it was), and the way to it inside."""

NOWHERE: Place = (0, "")

_COMPUTED = (gast.Compare, gast.BinOp, gast.UnaryOp, gast.BoolOp)


class Conditions:
    """The conditions of one function that get a name.

    asked: the masks whose condition gets a name, each with one for all that share it; wanted: those
        whose condition was lost before it was asked again, and should have had one.
    is_new: for each such name whether it holds memory that nobody else sees.
    """

    def __init__(
        self, tree: gast.FunctionDef, facts: Facts, asked: Mapping[Place, Place] | None = None
    ) -> None:
        self.tree, self.facts = tree, facts
        self.asked = asked or {}
        self.wanted = dict(self.asked)
        self.is_new: dict[str, bool] = {}
        self.given: dict[Place, str] = {}
        self.own = cache(lambda: own_buffers(tree, facts))
        self.names = cache(lambda: Names({*all_names(tree), *facts.taken}))

    def want(self, place: Place, also: Iterable[Place]) -> None:
        """Let the condition of a mask have a name next time, the same as those of others."""
        places = [place, *also]
        shared = {self.wanted.get(other, other) for other in places}
        first = min(shared)
        for other in [*places, *(p for p, own in self.wanted.items() if own in shared)]:
            self.wanted[other] = first

    def named(self) -> Conditions | None:
        """The same, for a walk in which the conditions that were wanted have names, too."""
        return Conditions(self.tree, self.facts, self.wanted) if self.wanted != self.asked else None

    def called(self, condition: gast.expr, place: Place) -> str:
        """The name of the condition of a mask."""
        first = self.asked[place]
        if first not in self.given:
            self.given[first] = self.names().fresh("mask")
        own = self.given[first]
        self.is_new[own] = self.is_new.get(own, True) and self.computed(condition)
        self.facts.tells(own, condition)
        return own

    def computed(self, condition: gast.expr) -> bool:
        """Whether asking for the condition gives new memory, or a number."""
        if isinstance(condition, gast.Subscript):
            return self.computed(condition.value)
        if isinstance(condition, gast.Call):
            return self.facts.makes(condition)
        return isinstance(condition, _COMPUTED) or self.facts.scalar(condition)

    def lasts(self, condition: gast.expr, node: gast.stmt) -> bool:
        """Whether a statement that may change memory leaves the condition's alone."""
        floats = not effects(node, self.facts).calls and all(
            _is_inexact(target, self.facts) for target in changed_in(node, self.facts)
        )
        return all(self.name_lasts(own, floats) for own in reads(condition))

    def name_lasts(self, own: str, floats: bool) -> bool:
        if own in self.facts.numbers or self.is_new.get(own) or own in self.own():
            return True
        return floats and (own in self.is_new or self.facts.chooses(name(own)))


def changed_in(node: gast.stmt, facts: Facts) -> list[gast.expr]:
    """What a statement stores to, as far as that has a target in the text."""
    found = []
    for part in of_class(node, gast.Assign, gast.AugAssign):
        for target in part.targets if isinstance(part, gast.Assign) else [part.target]:
            is_stored = isinstance(target, (gast.Subscript, gast.Attribute))
            if is_stored or isinstance(part, gast.AugAssign) and target.id not in facts.numbers:
                found.append(target)
    return found


def _is_inexact(target: gast.expr, facts: Facts) -> bool:
    """Whether what is stored to is an array of floats, which is no mask."""
    own = target.value if isinstance(target, gast.Subscript) else target
    return not isinstance(target, gast.Attribute) and facts.shape(own) is not None
