"""What is asked about a whole function while its calls are resolved."""

from __future__ import annotations

import types
from collections import Counter
from functools import cached_property

import gast

from autodiff.analysis.activity import varied
from autodiff.analysis.consumption import changes, read_at_once
from autodiff.analysis.exposure import definition_counts, escaping
from autodiff.analysis.kind import Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.taken_once import taken_once
from autodiff.runtime import sequence
from autodiff.syntax.names import parameters, reads
from autodiff.syntax.walk import COMPOUND, of_class


class Overview:
    """Each answer is found when it is asked for: most functions need few of them."""

    def __init__(self, tree: gast.FunctionDef, kinds: Kinds, inputs: tuple[str, ...]) -> None:
        self.tree = tree
        self.kinds = kinds
        self.inputs = inputs

    @cached_property
    def varied(self) -> frozenset[str]:
        """The names that may depend on an input."""
        return varied(self.tree, self.kinds, self.inputs)

    @cached_property
    def loads(self) -> Counter[str]:
        """How often each name is read."""
        names = of_class(self.tree, gast.Name)
        return Counter([node.id for node in names if node.ctx.__class__ is gast.Load])

    @cached_property
    def taken_once(self) -> dict[str, gast.expr | None]:
        """Names that one call (or unpacking) alone reads, once, with what that calls."""
        return taken_once(self.tree)

    def used_once(self, value: gast.Call) -> bool:
        """Whether the items of the result of a call are asked for once, as far as that is seen.

        A function that is still to be inlined may ask for them several times.
        """
        target = self.targets.get(id(value))
        if target is None or not self.loads[target]:
            return True
        if target not in self.taken_once:
            return False
        taker = self.taken_once[target]
        if taker is None:
            return True
        kind = self.kinds.of(taker)
        own = kind.value if isinstance(kind, Static) else None
        return own is sequence or own is not None and not isinstance(own, types.FunctionType)

    @cached_property
    def targets(self) -> dict[int, str]:
        """The name that receives a value, by the `id` of that."""
        found = [(node, node.targets[0]) for node in of_class(self.tree, gast.Assign)]
        return {id(node.value): t.id for node, t in found if isinstance(t, gast.Name)}

    @cached_property
    def touched(self) -> set[str]:
        """The names in calls that read what is varied."""
        read = map(reads, of_class(self.tree, gast.Call))
        return set().union(*[names for names in read if names & self.varied])

    @cached_property
    def stores(self) -> bool:
        """Whether memory is changed in place."""
        changing = of_class(self.tree, gast.Call, gast.Subscript, gast.AugAssign)
        return any(changes(node, self.kinds) for node in changing)

    @cached_property
    def rebound(self) -> set[str]:
        """The variables that are assigned more than once."""
        own = set(parameters(self.tree.args))
        counts = definition_counts(self.tree.body)
        return {name for name, count in counts.items() if count + (name in own) > 1}

    @cached_property
    def lasting(self) -> dict[str, set[str]]:
        """Names that live past an iteration, with all names that the loop assigns."""
        return escaping(self.tree)

    @cached_property
    def blocks(self) -> list[list[gast.stmt]]:
        """The blocks of statements in the function, its own among them."""
        return [
            getattr(node, field, None) or []
            for node in of_class(self.tree, *COMPOUND)
            for field in ("body", "orelse", "finalbody")
        ]

    @cached_property
    def consumed(self) -> set[int]:
        """Values that the statement after them reads to their end, by `id`."""
        return set().union(*[read_at_once(block, self.kinds) for block in self.blocks])
