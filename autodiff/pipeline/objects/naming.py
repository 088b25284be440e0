"""Temporaries that only repeat a variable go, and the variables of parts get their best names.

    p_x = p_x_2                 p_x = p_x + dt * p_v
    p_x_2 = p_x + dt * p_v
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autodiff.normalize.inline import Inliner
from autodiff.normalize.sites import Made
from autodiff.pipeline.objects.opening import renamed_body, with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import all_names, captured, name, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import shallow, walk

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)


def tidied(unit: Unit, objects: dict[str, Made], inliner: Inliner) -> None:
    """Tidy what is left of objects in the whole function."""
    tidier = _Tidier(unit, inliner)
    unit.tree = with_body(unit.tree, tidier.block(unit.tree.body))
    taken = all_names(unit.tree)
    mapping: dict[str, str] = {}
    for made in objects.values():
        for key, variable in made.fields.items():
            hint = made.hint(key)
            if variable != hint and variable in taken and hint not in taken:
                if hint in unit.names.free_again:
                    mapping[variable] = hint
                    taken.add(hint)
    if mapping:
        body = unit.tree.body
        for old, new in mapping.items():
            body = renamed_body(body, old, new, inliner)
            unit.temporaries.discard(new)
            if old in unit.temporaries:
                unit.temporaries.add(new)
        unit.tree = with_body(unit.tree, body)
    unit.names.taken -= unit.names.free_again - all_names(unit.tree)


class _Tidier:
    def __init__(self, unit: Unit, inliner: Inliner) -> None:
        self.unit = unit
        self.inliner = inliner
        self.loads: Counter[str] = Counter()
        self.stores: Counter[str] = Counter()
        for node in walk(unit.tree.body):
            if isinstance(node, gast.Name):
                (self.loads if isinstance(node.ctx, gast.Load) else self.stores)[node.id] += 1
        self.captured = captured(unit.tree.body)

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out = [self.inside(statement) for statement in body]
        number = 0
        while number < len(out):
            if self.is_copy(out[number]):
                rest = self.propagated(out[number], out[number + 1 :])
                if rest is not None:
                    out[number:] = rest
                    continue
            number += 1
        return out

    def inside(self, statement: Any) -> Any:
        if not isinstance(statement, _COMPOUND):
            return statement
        new = shallow(statement)
        for field in ("body", "orelse", "finalbody"):
            if getattr(statement, field, None):
                made = self.block(getattr(statement, field))
                if not made:
                    made = [gast.Pass()]
                    made[0].origin = origin_of(statement)
                setattr(new, field, made)
        if isinstance(statement, gast.Try):
            new.handlers = [self.inside(handler) for handler in statement.handlers]
        return new

    def is_copy(self, statement: Any) -> bool:
        """Whether a statement gives a variable of the compiler's the value of another one."""
        if not isinstance(statement, gast.Assign) or not isinstance(statement.value, gast.Name):
            return False
        target = statement.targets[0]
        if not isinstance(target, gast.Name) or target.id not in self.unit.temporaries:
            return False
        own = {target.id, statement.value.id}
        return self.stores[target.id] == 1 and not own & self.captured and len(own) == 2

    def propagated(
        self, statement: Any, rest: list[gast.stmt]
    ) -> list[gast.stmt] | None:
        """The statements after a copy without it; None if the source changes before its last use.
        """
        target, source = statement.targets[0].id, statement.value.id
        left = self.loads[target]
        out: list[gast.stmt] = []
        for number, following in enumerate(rest):
            count = sum(
                1
                for node in walk(following)
                if isinstance(node, gast.Name)
                and node.id == target
                and isinstance(node.ctx, gast.Load)
            )
            left -= count
            stores = source in writes(following)
            compound = isinstance(following, _COMPOUND)
            if stores and (compound and (count or left) or left):
                return None
            if stores and isinstance(following, gast.AugAssign) and count:
                return None
            new = following
            if count:
                new = substitute(following, {target: name(source)})
                self.inliner.carry(following, new)
            out.append(new)
            if not left:
                self.loads[source] += self.loads[target] - 1
                self.loads[target] = 0
                self.unit.names.free_again.add(target)
                return [*out, *rest[number + 1 :]]
        return None if left else rest
