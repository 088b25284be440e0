"""What is added to one element in several steps is added at once."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Scalar
from autodiff.native.memory import Memory, memory
from autodiff.native.values import NativeKinds
from autodiff.optimize.change import changed, map_blocks
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import same, walk


def updates(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """Sums to the same slot of an array, if nothing between them reads it.

        x_bar[i] += a                          x_bar[i - 1] += b
        x_bar[i - 1] += b                      x_bar[i] += a - c
        x_bar[i] -= c

    Each of them reads and writes memory, and the next one waits for it.
    """
    places = memory(tree, known)

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result = [map_blocks(block, node) for node in body]
        for index, node in enumerate(result):
            if not _is_update(node, known):
                continue
            later = _partner(result, index, known, places)
            if later is not None:
                result[later] = _joined(node, result[later])
                result[index] = gast.Pass()
        return [node for node in result if not isinstance(node, gast.Pass)] or [gast.Pass()]

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


def _is_update(node: gast.stmt, known: NativeKinds) -> bool:
    """Whether a statement is `x[i] += e` or `-=` for a float."""
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)):
        return False
    target = node.target
    kind = known.of(target)
    return (
        isinstance(target, gast.Subscript)
        and isinstance(target.value, gast.Name)
        and isinstance(kind, Scalar)
        and kind.type == "float"
        and not any(isinstance(part, gast.Call) for part in walk(node))
    )


def _partner(
    block: list[gast.stmt], index: int, known: NativeKinds, places: Memory
) -> int | None:
    """Where the next update of the same slot is, if this one may wait for it."""
    node = block[index]
    base = node.target.value.id
    operands = reads(node.value) | reads(node.target.slice)
    for later in range(index + 1, len(block)):
        other = block[later]
        if is_comment(other) or isinstance(other, gast.Pass):
            continue
        if not isinstance(other, (gast.Assign, gast.AugAssign)):
            return None
        if any(isinstance(part, gast.Call) and not _is_pure(part) for part in walk(other)):
            return None
        update = _is_update(other, known)
        read = reads(other.value) if update else reads(other)
        if any(places.share(base, n) for n in read if _is_array(n, known)):
            return None
        if update and same(other.target, node.target):
            return later
        if writes(other) & operands:
            return None
        stored = _stored(other)
        if stored is not None and any(
            places.share(stored, n) for n in operands if _is_array(n, known)
        ):
            return None
        if stored is not None and not update and places.share(stored, base):
            return None
    return None


def _is_pure(call: gast.Call) -> bool:
    """Whether a call is one of a function of a module, like `math.sqrt`."""
    return isinstance(call.func, gast.Attribute) and call.func.attr not in ("pop", "append")


def _is_array(identifier: str, known: NativeKinds) -> bool:
    return identifier in known.local and not isinstance(known.names.get(identifier), Scalar)


def _stored(node: gast.stmt) -> str | None:
    """The array into which a statement stores."""
    target = node.targets[0] if isinstance(node, gast.Assign) else node.target
    while isinstance(target, (gast.Subscript, gast.Attribute)):
        target = target.value
        if isinstance(target, gast.Name):
            return str(target.id)
    return None


def _joined(first: gast.AugAssign, second: gast.AugAssign) -> gast.AugAssign:
    """Both updates as one, with what the first one adds in front."""
    less, less_too = (isinstance(node.op, gast.Sub) for node in (first, second))
    left, right, sign = first.value, second.value, gast.Add()
    if less and not less_too:
        left, right, sign = right, left, gast.Sub()
    elif less_too and not less:
        sign = gast.Sub()
    both = less and less_too
    value = gast.BinOp(left=left, op=sign, right=right)
    new: gast.AugAssign = changed(second, op=gast.Sub() if both else gast.Add(), value=value)
    return new
