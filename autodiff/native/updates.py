"""What is added to one element in several steps is added at once."""

from __future__ import annotations

import gast

from autodiff.kinds.kind import Scalar
from autodiff.native.memory import Memory, memory
from autodiff.native.values import NativeKinds
from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.comment import is_comment
from autodiff.syntax.memo import Memo
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.sections import FORWARD, REVERSE
from autodiff.syntax.walk import same, walk


def updates(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """Sums to the same slot of an array, if nothing between them reads it.

        x_bar[i] += a                          x_bar[i - 1] += b
        x_bar[i - 1] += b                      x_bar[i] += a - c
        x_bar[i] -= c

    Each of them reads and writes memory, and the next one waits for it. A number that gets its
    value in several steps gets it in one, which Numba is told in less time:

        y_bar = a * b                          y_bar = a * b - c
        y_bar -= c
    """
    places = memory(tree, known)

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result = [map_blocks(block, node) for node in body]
        joined = False
        for index, node in enumerate(result):
            later = None
            if _is_update(node, known):
                later = _partner(result, index, known, places)
            elif _is_first(node, known):
                later = _next(result, index, known, places)
            if later is not None:
                result[later] = _joined(node, result[later])
                result[index] = gast.Pass()
                joined = True
        return _without_gaps(result) if joined else result

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


def _partner(block: list[gast.stmt], index: int, known: NativeKinds, places: Memory) -> int | None:
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
        if _calls_others(other):
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


def _is_first(node: gast.stmt, known: NativeKinds) -> bool:
    """Whether a statement sets a name to a float that is made of sums and products."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return False
    kind = known.of(node.value)
    return isinstance(kind, Scalar) and kind.type == "float" and _is_sum(node.value, known)


def _is_sum(node: gast.expr, known: NativeKinds) -> bool:
    """Whether an expression raises nothing, and calls nothing, wherever it stands."""
    if isinstance(node, gast.BinOp):
        plain = isinstance(node.op, (gast.Add, gast.Sub, gast.Mult))
        return plain and _is_sum(node.left, known) and _is_sum(node.right, known)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.USub) and _is_sum(node.operand, known)
    if isinstance(node, gast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        return isinstance(node.value, gast.Name) and all(_is_sum(part, known) for part in parts)
    number = isinstance(known.of(node), Scalar)
    return number and isinstance(node, (gast.Name, gast.Constant))


def _next(block: list[gast.stmt], index: int, known: NativeKinds, places: Memory) -> int | None:
    """Where the next statement adds to the number that this one sets, if this one may wait."""
    node = block[index]
    own = node.targets[0].id
    operands = reads(node.value)
    arrays = [n for n in operands if _is_array(n, known)]
    for later in range(index + 1, len(block)):
        other = block[later]
        if is_comment(other) or isinstance(other, gast.Pass):
            continue
        if not isinstance(other, (gast.Assign, gast.AugAssign)) or own in reads(other.value):
            return None
        if _adds_to(other, own):
            return later
        if own in reads(other) or writes(other) & {own, *operands}:
            return None
        stored = _stored(other)
        if stored is not None and any(places.share(stored, n) for n in arrays):
            return None
        if arrays and _calls_others(other):
            return None
    return None


def _adds_to(node: gast.stmt, own: str) -> bool:
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)):
        return False
    return isinstance(node.target, gast.Name) and node.target.id == own


def _without_gaps(block: list[gast.stmt]) -> list[gast.stmt]:
    """The block without what is joined with others, and comments of which nothing is left."""
    left = [node for node in block if not isinstance(node, gast.Pass)]
    after = [*left[1:], None]
    found = [n for n, then in zip(left, after) if not (_heads(n) and _ends(then))]
    return found or [gast.Pass()]


def _heads(node: gast.stmt) -> bool:
    """Whether it is a comment that heads what belongs to a statement, not a sweep."""
    return is_comment(node) and str(node.value.value) not in (FORWARD, REVERSE, "")


def _ends(node: gast.stmt | None) -> bool:
    return node is None or is_comment(node)


def _calls_others(node: gast.stmt) -> bool:
    """Whether a statement calls anything but functions of modules."""
    return bool(_CALLING[node])


_CALLING = Memo(
    lambda node: any(isinstance(part, gast.Call) and not _is_pure(part) for part in walk(node))
)


def _is_pure(call: gast.Call) -> bool:
    """Whether a call is one of a function of a module, like `math.sqrt`."""
    return isinstance(call.func, gast.Attribute) and call.func.attr not in ("pop", "append")


def _is_array(identifier: str, known: NativeKinds) -> bool:
    return identifier in known.local and not isinstance(known.names.get(identifier), Scalar)


def _stored(node: gast.stmt) -> str | None:
    """The array into which a statement stores."""
    target = node.targets[0] if isinstance(node, gast.Assign) else node.target
    if isinstance(target, gast.Name) and isinstance(node, gast.AugAssign):
        return str(target.id)
    while isinstance(target, (gast.Subscript, gast.Attribute)):
        target = target.value
        if isinstance(target, gast.Name):
            return str(target.id)
    return None


def _joined(first: gast.stmt, second: gast.AugAssign) -> gast.stmt:
    """Both updates as one, with what the first one adds, or sets, in front."""
    if isinstance(first, gast.Assign):
        whole = gast.BinOp(left=first.value, op=second.op, right=second.value)
        added: gast.Assign = changed(first, value=whole)
        added.origin = origin_of(second)
        return added
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
