"""A buffer that is added to another in the end is that other one from the beginning."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import gast

from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.effects import effects, is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.names import reads, rename, writes
from autodiff.syntax.walk import of_class, same
from autodiff.syntax.windows import root

_ZEROS = ("zeros", "zeros_like")


def coalesce(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Add contributions where they end up.

        un_bar = np.zeros_like(u0)
        un_bar[:-2] += t                becomes     u_bar[:-2] += t
        un_bar[2:] -= t                             u_bar[2:] -= t
        u_bar += un_bar

    What is taken from `u_bar` meanwhile, `t = u_bar[i].copy()` and `u_bar[i] = 0.0`, is taken
    before. Only in the reverse sweep, where sums may be taken in another order.
    """
    joining = _Coalesce(tree, facts)
    start = reverse_sweep(tree.body)
    ahead, back = tree.body[:start], joining.block(tree.body[start:])
    ahead = [
        map_blocks(joining.block, node) if is_generated(node, facts) else node for node in ahead
    ]
    body = [*ahead, *back]
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


class _Coalesce:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts
        self.own: frozenset[str] | None = None

    @cached_property
    def counts(self) -> Counter[str]:
        """How often the function mentions each name."""
        return _mentions([self.tree])

    def block(self, statements: Block) -> Block:
        new = [map_blocks(self.block, node) for node in statements]
        place = 0
        while place < len(new):
            pair = self.pair(new[place])
            found = self.joined(new, place, *pair) if pair is not None else None
            if found is not None:
                new, place = found, -1
            place += 1
        return statements if unchanged(new, statements) else new

    def pair(self, node: gast.stmt) -> tuple[str, str] | None:
        """The two buffers of `u_bar += un_bar`."""
        if not isinstance(node, gast.AugAssign) or not isinstance(node.op, gast.Add):
            return None
        into, value = node.target, node.value
        if not isinstance(into, gast.Name) or not isinstance(value, gast.Name):
            return None
        shape = self.facts.shape(into)
        if not shape or None in shape or self.facts.shape(value) != shape:
            return None
        if not self.facts.wide(into) or not self.facts.wide(value):
            return None
        if self.own is None:
            self.own = own_buffers(self.tree, self.facts)
        if into.id == value.id or not {into.id, value.id} <= self.own:
            return None
        return into.id, value.id

    def joined(self, block: Block, end: int, into: str, buffer: str) -> Block | None:
        """The block without the buffer that is added at the statement `end`."""
        start = next((k for k in range(end) if _makes_zeros(block[k], buffer)), None)
        if start is None or _mentions(block[start : end + 1])[buffer] != self.counts[buffer]:
            return None
        taken: Block = []
        rest: Block = []
        for node in block[start + 1 : end]:
            if not _only_adds(node, buffer):
                return None
            if _only_adds(node, into):
                rest.append(node)
                continue
            if not _begins(node, into, taken) and not _ends(node, into, taken):
                return None
            if not self.moves_up(node, rest, into):
                return None
            taken.append(node)
        if taken and not _ends(taken[-1], into, taken[:-1]):
            return None
        rest = [rename(node, {buffer: into}) for node in rest]
        return [*block[:start], *taken, *rest, *block[end + 1 :]]

    def moves_up(self, node: gast.stmt, over: Block, into: str) -> bool:
        """Whether a statement on `into` and temporaries may run before others."""
        known = effects(node, self.facts)
        names = {*known.loads, *known.writes} - {into}
        for other in over:
            around = effects(other, self.facts)
            if into in around.loads or into in around.writes or around.calls:
                return False
            if names & around.writes or known.writes & set(around.loads):
                return False
        return not known.calls


def _mentions(block: Block) -> Counter[str]:
    return Counter([node.id for node in of_class(block, gast.Name)])


def _makes_zeros(node: gast.stmt, buffer: str) -> bool:
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return False
    call = node.value
    return (
        node.targets[0].id == buffer
        and isinstance(call, gast.Call)
        and isinstance(call.func, gast.Attribute)
        and call.func.attr in _ZEROS
        and buffer not in reads(call)
    )


def _only_adds(node: gast.stmt, buffer: str) -> bool:
    """Whether all that a statement does with a buffer, if anything, is to add to it."""
    mentions = _mentions([node])[buffer]
    if not mentions:
        return True
    if isinstance(node, (gast.For, gast.While, gast.If)):
        header = node.iter if isinstance(node, gast.For) else node.test
        inner = [*node.body, *node.orelse]
        return buffer not in reads(header) and all(_only_adds(part, buffer) for part in inner)
    return (
        isinstance(node, gast.AugAssign)
        and isinstance(node.op, (gast.Add, gast.Sub))
        and mentions == 1
        and _base(node.target) == buffer
    )


def _base(target: gast.expr) -> str | None:
    if isinstance(target, gast.Subscript):
        target = target.value
    return root(target) if isinstance(target, gast.Name) else None


def _begins(node: gast.stmt, into: str, taken: Block) -> bool:
    """`t = u_bar[i].copy()`, what was taken before being set to zero."""
    if taken and not _ends(taken[-1], into, taken[:-1]):
        return False
    return _slot(node, into) is not None


def _ends(node: gast.stmt, into: str, taken: Block) -> bool:
    """`u_bar[i] = 0.0` after `t = u_bar[i].copy()`."""
    if not taken or not isinstance(node, gast.Assign):
        return False
    target, slot = node.targets[0], _slot(taken[-1], into)
    if slot is None or not isinstance(target, gast.Subscript) or _base(target) != into:
        return False
    zero = isinstance(node.value, gast.Constant) and node.value.value == 0
    return zero and same(target.slice, slot)


def _slot(node: gast.stmt, into: str) -> gast.expr | None:
    """The index of `t = u_bar[i].copy()`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    call = node.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    window = call.func.value
    if call.func.attr != "copy" or not isinstance(window, gast.Subscript):
        return None
    if _base(window) != into or into in reads(window.slice) or into in writes(node):
        return None
    return window.slice
