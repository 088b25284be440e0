"""`np.split` into equal parts as the slices that they are.

    a, b = np.split(x, 2)          part = x.shape[0] // 2
                                   a = x[:part]
                                   b = x[part:]

`np.split` is written in Python and takes longer than the slices; the adjoints of slices are stored
where they go, those of a list of parts would be joined.
"""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.lengths import PARTING, parting
from autodiff.analysis.size import Dim
from autodiff.normalize.build import assign
from autodiff.normalize.rebind import shared, within
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import COMPOUND, of_class


def cut(unit: Unit, known: Kinds) -> Kinds:
    """Write splits whose parts are known to be equal, and get names at once, as slices."""

    def block(statements: list[gast.stmt]) -> list[gast.stmt]:
        new: list[gast.stmt] = []
        for statement in statements:
            if statement.__class__ in COMPOUND:
                new.append(within(statement, block))
                continue
            slices = _slices(unit, known, new[-1], statement) if new else []
            if slices and mentions[statement.value.id] > 2:  # others read the list, too
                slices = []
            new[len(new) - bool(slices) :] = slices or [statement]
        return shared(new, statements)

    if not any(_is_split(known, node) for node in of_class(unit.tree.body, gast.Call)):
        return known
    mentions = Counter(node.id for node in of_class(unit.tree.body, gast.Name))
    tree = within(unit.tree, block)
    if tree is unit.tree:
        return known
    unit.tree = tree
    return kinds(tree, unit.given, unit.scope, unit.recursion.result)


def _is_split(known: Kinds, value: gast.expr) -> bool:
    operation = known.operation(value) if isinstance(value, gast.Call) else None
    return operation is not None and operation.function in PARTING


def _slices(
    unit: Unit, known: Kinds, before: gast.stmt, statement: gast.stmt
) -> list[gast.stmt]:
    """What `parts = np.split(x, 2)` and then `a, b = parts` are together; nothing if not that."""
    if not isinstance(before, gast.Assign) or not isinstance(statement, gast.Assign):
        return []
    parts, targets = before.targets[0], statement.targets[0]
    if not isinstance(targets, gast.Tuple) or not isinstance(parts, gast.Name):
        return []
    if parts.id not in unit.temporaries or getattr(statement.value, "id", "") != parts.id:
        return []
    operation = known.operation(before.value) if _is_split(known, before.value) else None
    if operation is None or not isinstance(operation.arguments[0], gast.Name):
        return []
    pieces = parting(
        operation.function,
        tuple(known.known(part) for part in operation.arguments),
        tuple((key, known.known(part)) for key, part in operation.keywords),
    )
    if pieces is None or len(targets.elts) != pieces[2] or pieces[2] < 2:
        return []
    whole, axis, count = pieces
    size, base = whole.shape[axis], operation.arguments[0]
    even = size.over(count) if isinstance(size, Dim) else None
    names = [target.id for target in targets.elts]
    if even is None or base.id in names or len({*names}) < count:
        return []
    own = unit.names.fresh("part")
    unit.temporaries.add(own)
    axis %= len(whole.shape)
    length = quote(f"x.shape[{axis}] // {count}", x=base)
    origin = origin_of(before)
    new: list[gast.stmt] = [assign(own, length, origin)]
    for k, target in enumerate(names):
        first = "" if k == 0 else "n" if k == 1 else f"{k} * n"
        last = "" if k == count - 1 else "n" if k == 0 else f"{k + 1} * n"
        index = ", ".join([":"] * axis + [f"{first}:{last}"])
        new.append(assign(target, quote(f"x[{index}]", x=base, n=name(own)), origin))
    return new
