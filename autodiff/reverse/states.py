"""Arrays of an iteration that the reverse sweep computes again from fewer others.

    un = u.copy()                                      forward: one array is kept, `un`
    flux = c * un[1:-1]
    slope = un[1:-1] - un[:-2]
    u[1:-1] = un[1:-1] - flux * slope                  reverse: flux and slope from `un`

A few sums and products cost no more than keeping their results, which takes memory, too. What is
changed in place after it was computed is another value, and not among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block, Step
from autodiff.reverse.listing import steps
from autodiff.syntax.names import reads
from autodiff.syntax.walk import children, of_class

_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div)
_PRICE = 3
"""So many operations on arrays cost no more than to keep one array."""


def states(
    body: Block,
    single: Set[str],
    wanted: Set[str],
    looked_at: Set[str],
    kinds: Kinds,
    aliases: Aliases,
) -> set[str]:
    """Names of arrays to compute again in the reverse sweep of a loop.

    single: the names that are set once, by a step of `body`, and not used outside of it.
    wanted: the names that the adjoint code of the loop reads; looked_at: not only their shapes.
    """
    if not any(isinstance(kinds.names.get(name), Array) for name in single):
        return set()
    return _States(body, single, wanted, kinds, aliases).found(looked_at)


class _States:
    def __init__(
        self, body: Block, single: Set[str], wanted: Set[str], kinds: Kinds, aliases: Aliases
    ) -> None:
        self.kinds = kinds
        self.aliases = aliases
        self.wanted = wanted
        self.held: set[str] = set()
        """Values that are kept, as others are computed from them."""
        self.bound: set[str] = set()
        self.stores: Counter[str] = Counter()
        self.views: dict[str, gast.expr] = {}
        self.values: dict[str, gast.expr] = {}
        for step in steps(body):
            self.stores.update(step.mutates)
            for node in of_class(step.primal, gast.Name):
                if not isinstance(node.ctx, gast.Load):
                    self.bound.add(node.id)
        for item in body:
            if isinstance(item, Step) and len(item.primal) == 1:
                self.define(item.primal[0], single)

    def define(self, statement: gast.stmt, single: Set[str]) -> None:
        if not isinstance(statement, gast.Assign):
            return
        target, value = statement.targets[0], statement.value
        name = target.id if isinstance(target, gast.Name) else ""
        if name not in single or not isinstance(self.kinds.names.get(name), Array):
            return
        if self.is_view(value):
            self.views[name] = value
        elif self.is_arithmetic(value) and not self.aliases.is_changed(name):
            self.values[name] = value

    def found(self, looked_at: Set[str]) -> set[str]:
        candidates = {name for name in self.values if name in looked_at}
        if not candidates:
            return set()
        chosen: set[str] = set()
        there = set(self.wanted) - candidates
        for name in self.wanted:
            if name in self.views:
                there |= self.leaves(name)
        while True:
            plan = self.plan(candidates - chosen - self.held, there)
            if plan is None:
                break
            middle = self.middle(plan, there)
            if middle is not None:
                plan = plan - {middle}
                self.held.add(middle)
                there.add(middle)
            chosen |= plan
            for name in plan:
                there |= self.leaves(name)
        again = set(chosen)
        for name in chosen:
            again |= self.parts(name, candidates - chosen)
        return again

    def plan(self, candidates: set[str], there: set[str]) -> set[str] | None:
        """Values that need fewer arrays, at a fair price, than they are."""
        needs = {name: frozenset(self.leaves(name) - there) for name in candidates}
        for kept in sorted({*needs.values(), frozenset().union(*needs.values())}, key=sorted):
            group = {name for name, own in needs.items() if own <= kept}
            group = {name for name in group if self.price({name}, candidates) <= _PRICE}
            saved = len(group) - sum(max(1, self.cost(leaf)) for leaf in kept)
            if saved > 0 and self.price(group, candidates) <= _PRICE * saved:
                return group
        return None

    def middle(self, group: set[str], there: set[str]) -> str | None:
        """One of the values that, if it is kept itself, takes the place of what it is made of."""
        least = self.memory(group, there)
        for name in sorted(group):
            self.held.add(name)
            own = self.memory(group, there)
            self.held.remove(name)
            if len(group) > 1 and own <= least:
                return name
        return None

    def memory(self, group: set[str], there: set[str]) -> int:
        """How many times memory has to be kept to compute these values."""
        leaves = set().union(*map(self.leaves, group)) - there
        return sum(max(1, self.cost(leaf)) for leaf in leaves)

    def price(self, group: set[str], candidates: set[str]) -> int:
        """How many operations it takes to compute a group of values."""
        parts = set().union(*(self.parts(name, candidates - group) for name in group))
        return len(parts & set(self.values))

    def cost(self, leaf: str) -> int:
        """How many times memory has to be kept for an array to have its content."""
        return sum(n for base, n in self.stores.items() if self.aliases.share(base, leaf))

    def leaves(self, name: str) -> set[str]:
        """The arrays from which a value is computed and that nothing else gives back."""
        if name in self.held:
            return {name}
        value = self.values.get(name, self.views.get(name))
        if value is not None:
            return set().union(*(self.leaves(part) for part in self.operands(value)))
        lost = name in self.bound or self.aliases.is_changed(name)
        return {name} if lost and isinstance(self.kinds.names.get(name), Array) else set()

    def parts(self, name: str, kept: set[str]) -> set[str]:
        """The values and views that have to be computed for this one, itself included."""
        value = self.values.get(name, self.views.get(name))
        if value is None or name in kept or name in self.held:
            return set()
        return {name}.union(*(self.parts(part, kept) for part in self.operands(value)))

    def operands(self, value: gast.expr) -> set[str]:
        return {name for name in reads(value) if name in self.kinds.local}

    def is_view(self, value: gast.expr) -> bool:
        return (
            isinstance(value, gast.Subscript)
            and isinstance(value.value, gast.Name)
            and is_basic(value.slice, self.kinds.of) is True
        )

    def is_arithmetic(self, value: gast.expr) -> bool:
        """Sums, products and quotients of numbers and arrays, element by element; squares."""
        if isinstance(value, gast.BinOp):
            square = isinstance(value.op, gast.Pow) and isinstance(value.right, gast.Constant)
            if not isinstance(value.op, _ARITHMETIC) and not (square and value.right.value == 2):
                return False
        elif not isinstance(value, gast.UnaryOp) or not isinstance(value.op, gast.USub):
            return False
        return all(self.is_operand(part) for part in children(value))

    def is_operand(self, part: gast.AST) -> bool:
        if isinstance(part, gast.Subscript) and not self.is_view(part):
            return False
        if not isinstance(part, (gast.Name, gast.Constant, gast.Subscript)):
            return False
        return isinstance(self.kinds.known(part), (Array, Scalar))
