"""Operations that copy the parts of containers: their adjoints move, no rule is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Kind, Numeric, Record, Sequence
from autodiff.reverse.parts import assembled, joined, part_of, take_part
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def concatenation(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> bool:
    """`xs + ys` of two lists or tuples: each part has its own source."""
    node = statement.value
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, gast.Add):
        return False
    sides = [reverse.kinds.known(side) for side in (node.left, node.right)]
    if not all(isinstance(kind, (Record, Sequence)) for kind in sides):
        return False
    if any(path for _, path in taken) and not all(isinstance(kind, Record) for kind in sides):
        taken = {(target, ()): assembled(reverse, target, taken)}
    taken = reverse.bars.protect(taken)
    offset: int | None = 0
    for operand, kind in zip((node.left, node.right), sides):
        if isinstance(operand, gast.Name) and operand.id in reverse.active:
            parts: dict[Place, Bar] = {}
            for (name_, path), bar in taken.items():
                if path and isinstance(kind, Record) and offset is not None:
                    index = path[0] - offset  # type: ignore[operator]
                    if 0 <= index < len(kind.keys):
                        parts[name_, (index, *path[1:])] = bar
                elif not path:
                    text = "g[:len(x)]" if operand is node.left else "g[len(x):]"
                    part = quote(text, g=bar.node, x=node.left)
                    # the other side may hold complex numbers
                    own = bar.kind if isinstance(bar.kind, Sequence) else kind
                    parts[name_, ()] = Bar(part, own, False)
            for place, bar in joined(reverse, parts, operand.id):
                reverse.pass_on(place, bar, statement, True)
        size = len(kind.keys) if isinstance(kind, Record) else None
        offset = None if offset is None or size is None else offset + size
    return True


def identity(
    reverse: Reverse, statement: gast.Assign, source: gast.expr, taken: dict[Place, Bar]
) -> bool:
    """`list(xs)`, `tuple(xs)`, `sequence(xs)`: the same parts in another container."""
    if not isinstance(source, gast.Name):
        return False
    kind = reverse.kinds.known(source)
    target_kind = reverse.kinds.known(statement.targets[0])
    if isinstance(kind, (Array, Numeric)) and not isinstance(target_kind, Array):
        return False
    if source.id in reverse.active:
        for place, bar in joined(reverse, taken, source.id):
            if _becomes_list(kind, target_kind) and not place[1] and not bar.owned:
                bar = Bar(quote("list(g)", g=bar.node), kind, True)  # items may be taken from it
            reverse.pass_on(place, bar, statement)
    return True


def _becomes_list(kind: Kind, target: Kind) -> bool:
    """Whether a list was made a tuple; the adjoints of items are taken from a list one by one."""
    return isinstance(kind, Sequence) and kind.cls is list and getattr(target, "cls", None) is tuple


def listing(
    reverse: Reverse, statement: gast.Assign, call: gast.Call, taken: dict[Place, Bar]
) -> bool:
    """`d.items()` and `d.values()` of a dict whose keys are known."""
    function = call.func
    if not isinstance(function, gast.Attribute) or not isinstance(function.value, gast.Name):
        return False
    base = function.value.id
    kind = reverse.kinds.known(function.value)
    if not isinstance(kind, Record) or kind.cls is not dict or call.args:
        return False
    if function.attr not in ("items", "values"):
        return bool(function.attr == "keys")
    (target, _) = next(iter(taken))
    for number, key in enumerate(kind.keys):
        parts: dict[Place, Bar] = {}
        for (_, path), bar in taken.items():
            index: tuple[object, ...] = (number,) if function.attr == "values" else (number, 1)
            if not path:
                node = part_of(bar.node, index)
                parts[target, ()] = Bar(node, kind.items[number], False)
            elif path[: len(index)] == index:
                parts[target, path[len(index) :]] = bar
        if parts:
            take_part(reverse, base, key, parts)
    return True
