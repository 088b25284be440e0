"""What is added to a slot that is still zero is stored there."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.disjoint import disjoint
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import same

_ZEROS = ("zeros", "zeros_like")


def first_stores(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Store into a new buffer where nothing is yet.

        x_bar = np.zeros_like(x)                    x_bar = np.zeros_like(x)
        x_bar[1:-1] += t            becomes         x_bar[1:-1] = t
        x_bar[0] += s                               x_bar[0] = s
        x_bar[1:] -= t                              x_bar[1:] -= t

    Only what the compiler wrote, in one block. `-=` is as cheap as a store of the negative. Where
    slices that are stored leave nothing out, `x_bar[:n]` and `x_bar[n:]`, the buffer begins empty.
    """

    def block(statements: Block) -> Block:
        new = [map_blocks(block, node) for node in statements]
        for place, node in enumerate(new):
            buffer = _zeros(node)
            if buffer is not None and buffer in facts.temporaries:
                new = _stored(new, place + 1, buffer, facts)
        return statements if unchanged(new, statements) else new

    start = reverse_sweep(tree.body)
    ahead, back = tree.body[:start], block(tree.body[start:])
    ahead = [map_blocks(block, node) if is_generated(node, facts) else node for node in ahead]
    body = [*ahead, *back]
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _stored(block: Block, place: int, buffer: str, facts: Facts) -> Block:
    """The block with stores into the buffer, which is zero at `place`."""
    new = list(block)
    filled: list[gast.expr] = []
    stores, bound = 0, set[str]()
    least = dict(facts.least)
    for index in range(place, len(block)):
        node = block[index]
        for changed_size in writes(node) & least.keys():
            del least[changed_size]
        bound |= writes(node) if filled else set()
        if buffer not in reads(node) | writes(node):
            continue
        target = _slot(node, buffer)
        if target is None or buffer in reads(node.value) | reads(target.slice):
            break
        apart = all(disjoint(target.slice, other, least) for other in filled)
        if isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Add) and apart:
            store = gast.Assign(targets=[target], value=node.value)
            store.origin = getattr(node, "origin", None)
            new[index] = store
        filled.append(target.slice)
        stores += isinstance(new[index], gast.Assign)
        lasting = not any(bound & reads(part) for part in filled)
        if stores == len(filled) and lasting and _is_tiled(filled):
            new[place - 1] = _emptied(new[place - 1])
            break
    return new


def _is_tiled(indices: list[gast.expr]) -> bool:
    """Whether slices along one axis are all of it: each begins where another ends.

    Whatever the bounds are: what is not before the last one is behind it.

    >>> tiled = lambda *texts: _is_tiled([gast.parse(f"x[{t}]").body[0].value.slice for t in texts])
    >>> tiled(":n", "n:"), tiled(":, 2 * n:", ":, n:2 * n", ":, :n"), tiled(":n", "m:")
    (True, True, False)
    """
    found = [_cut(index) for index in indices]
    if len({axis for axis, _ in found}) != 1 or any(axis < 0 for axis, _ in found):
        return False
    rest = [part for _, part in found]
    end: gast.expr | None = None
    while rest:
        following = next((k for k, part in enumerate(rest) if _begins(part, end)), None)
        if following is None:
            return False
        end = rest.pop(following).upper
    return end is None


def _cut(index: gast.expr) -> tuple[int, Any]:
    """The axis along which an index is one slice, of all that is along others, and that slice."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    for part in parts:
        if not isinstance(part, gast.Slice) or part.step is not None:
            return -1, index
    cut = [k for k, part in enumerate(parts) if part.lower is not None or part.upper is not None]
    return (cut[0], parts[cut[0]]) if len(cut) == 1 else (-1, index)


def _begins(part: gast.Slice, end: gast.expr | None) -> bool:
    if end is None or part.lower is None:
        return end is None and part.lower is None
    return same(part.lower, end)


def _emptied(node: gast.Assign) -> gast.Assign:
    """`x_bar = np.zeros_like(x)` as `x_bar = np.empty_like(x)`."""
    call = node.value
    func = changed(call.func, attr=call.func.attr.replace("zeros", "empty"))
    result: gast.Assign = changed(node, value=changed(call, func=func))
    return result


def _zeros(node: Any) -> str | None:
    """The buffer of `x_bar = np.zeros_like(x)`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    call = node.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    return str(node.targets[0].id) if call.func.attr in _ZEROS else None


def _slot(node: Any, buffer: str) -> gast.Subscript | None:
    """The slot of `x_bar[i] += e`, `x_bar[i] -= e` or `x_bar[i] = e`."""
    if isinstance(node, gast.AugAssign):
        target = node.target if isinstance(node.op, (gast.Add, gast.Sub)) else None
    else:
        target = node.targets[0] if isinstance(node, gast.Assign) else None
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
        return target if target.value.id == buffer else None
    return None
