"""Sizes that a function tells of its arguments: by taking them apart, and by what it reads."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.analysis.lengths import PARTING, parting
from autodiff.analysis.size import Dim, Size, Told, lowest
from autodiff.pipeline.unit import Unit
from autodiff.syntax.walk import of_class


def told_sizes(unit: Unit, known: Kinds) -> frozenset[Told]:
    """What a function tells of the sizes of its arguments.

    The sizes that axes may have which are taken apart, or read at places that are written out:

        x, y, z = state                 rate = np.array([s[1], -np.sin(s[0])])
                                        s = s + h * rate

    An argument of such a size is worth code of its own: with `s` of two numbers all sizes fit, and
    nothing may be broadcast. Sizes that are known are left out.

        w = np.zeros(6)                 w = np.array([1.0, 2.0, 1.0])

    are made in sizes that are written out, which arguments beside them may have.

        n = len(wh)                     gates = z[:, : 3 * n]
        m = len(y) // 2                 i, f, g = np.split(z, 3, axis=1)

    tell that the columns of `z` may be a multiple of the length of `wh`, or of 3, and the length of
    `y` of 2.
    """
    most: dict[tuple[str, int], int] = {}
    found: set[Told] = set()
    assigned = of_class(unit.tree, gast.Assign)
    for statement in assigned:
        target, value = statement.targets[0], statement.value
        if isinstance(target, gast.Tuple):
            for offset in _offsets(known, value, 0):
                found.add(len(target.elts) + offset)
    for node in of_class(unit.tree, gast.Subscript):
        if isinstance(node.value, gast.Name):
            for axis, place in _places(node.slice):
                for offset in _offsets(known, node.value, axis):
                    key = node.value.id, axis
                    most[key] = max(most.get(key, 0), place + 1 + offset)
            found.update(_multiples(known, node))
    for node in of_class(unit.tree, gast.BinOp, gast.Call):
        found.update(_divided(unit, known, node))
    found.update(_written(known, assigned))
    return frozenset(found | {*most.values()})


def _places(index: gast.expr) -> Iterator[tuple[int, int]]:
    """The places that an index says, with their axes."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    for axis, part in enumerate(parts):
        if isinstance(part, gast.Constant) and type(part.value) is int:
            yield axis, part.value
        elif not isinstance(part, (gast.Slice, gast.Name)):
            return  # a new axis, say


def _offsets(known: Kinds, array: gast.expr, axis: int) -> Iterator[int]:
    """How much shorter an axis is than the size after which it is called, where it is not known."""
    kind = known.of(array)
    if isinstance(kind, Array) and axis < len(kind.shape):
        size: Size = kind.shape[axis]
        if not isinstance(size, int):
            yield size.offset if isinstance(size, Dim) else 0  # in a loop nobody knows whose it is


def _multiples(known: Kinds, part: gast.Subscript) -> Iterator[tuple[str, str]]:
    """The names of sizes that may be multiples of others, after which slices of them are cut."""
    kind = known.of(part.value)
    slices = part.slice.elts if isinstance(part.slice, gast.Tuple) else [part.slice]
    for axis, cut in enumerate(slices):
        if not isinstance(cut, gast.Slice):
            if not isinstance(cut, (gast.Constant, gast.Name)):
                return  # a new axis, say
            continue
        size = kind.shape[axis] if isinstance(kind, Array) and axis < len(kind.shape) else None
        bounds = [known.of(bound) for bound in (cut.lower, cut.upper) if bound is not None]
        for bound in bounds:
            if isinstance(size, Dim) and isinstance(bound, Scalar) and isinstance(bound.value, Dim):
                whole, own = size.factored[1], bound.value.factored[1]
                if whole != own:
                    yield whole, own


def _divided(
    unit: Unit, known: Kinds, node: gast.BinOp | gast.Call
) -> Iterator[tuple[str, int]]:
    """The names of sizes that are divided, and by what number.

    What is divided may be the size of an array that a loop replaces: nobody knows whose it is.
    """
    if isinstance(node, gast.Call):
        operation = known.operation(node)
        if operation is None or operation.function not in PARTING:
            return
        arguments = tuple(known.known(part) for part in operation.arguments)
        keywords = tuple((key, known.known(part)) for key, part in operation.keywords)
        pieces = parting(operation.function, arguments, keywords)
        if pieces is None:
            return
        size: object = pieces[0].shape[pieces[1]]
        count: object = pieces[2]
    else:
        if not isinstance(node.op, gast.FloorDiv):
            return
        size, count = _value(known.of(node.left)), _value(known.of(node.right))
        if isinstance(size, int):
            return
    sizes = [size]
    if lowest(size) is None:
        sizes = [n for kind in unit.given.values() if isinstance(kind, Array) for n in kind.shape]
    for own in sizes:
        if isinstance(own, Dim) and type(count) is int and count > 1 and own.factored[0] == 1:
            yield own.name, count


def _written(known: Kinds, assigned: list[gast.Assign]) -> Iterator[int]:
    """The sizes of arrays that are made in sizes which are written out, or are held outside."""
    made = [known.of(s.value) for s in assigned if isinstance(s.value, gast.Call)]
    for kind in (*made, *known.names.values()):
        if isinstance(kind, Array):
            yield from (size for size in kind.shape if type(size) is int and size > 1)


def _value(kind: object) -> object:
    return kind.value if isinstance(kind, Scalar) else None
