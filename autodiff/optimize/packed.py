"""A short vector that is filled number by number is written out."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.fresh import called
from autodiff.syntax.make import make
from autodiff.syntax.names import Names, all_names, name, reads, store, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class

_ZEROS = ("zeros", "zeros_like", "empty", "empty_like")
_SUMS = (gast.Add, gast.Sub)
_LONGEST = 6


def packed(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """In the reverse sweep, let the elements of a new vector be variables until all are there.

        p_bar = np.zeros_like(p)
        p_bar[0] = a                                p_0_bar = a
        t = 2 * a                   becomes         t = 2 * a
        p_bar[0] += t                               p_0_bar += t
        p_bar[1] = t                                p_1_bar = t
                                                    p_bar = np.array([p_0_bar, p_1_bar])

    Of doubles, of known length, in one block; `totals` and `substitute` do the rest.
    """
    if not any(_buffer(node, facts) for node in of_class(tree, gast.Assign)):
        return tree
    pack = _Packed(tree, facts)
    start = reverse_sweep(tree.body)
    ahead, back = tree.body[:start], pack.block(tree.body[start:])
    ahead = [map_blocks(pack.block, node) if is_generated(node, facts) else node for node in ahead]
    body = [*ahead, *back]
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


class _Packed:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.facts = facts
        self.names = Names({*all_names(tree), *facts.taken})

    def block(self, statements: Block) -> Block:
        new = [map_blocks(self.block, node) for node in statements]
        place = 0
        while place < len(new):
            buffer = _buffer(new[place], self.facts)
            if buffer is not None:
                new = self.filled(new, place, buffer) or new
            place += 1
        return statements if unchanged(new, statements) else new

    def filled(self, block: Block, place: int, buffer: str) -> Block | None:
        """The block with variables for the elements of the buffer that is made at `place`."""
        length = self.facts.shape(name(buffer))[0]  # type: ignore[index]
        last, stored = place, set[int]()
        for index in range(place + 1, len(block)):
            node = block[index]
            if buffer not in reads(node) | writes(node):
                continue
            found = self.slot(node, buffer, length, stored)
            if found is None:
                break
            stored.add(found)
            last = index
        empty = "empty" in (called(block[place].value) or "")
        if len(stored) < 2 or len(stored) < length - (not empty and length > 2):
            return None
        own: dict[int, str] = {}
        inside = [self.renamed(node, buffer, length, own) for node in block[place + 1 : last + 1]]
        parts = [
            name(own[k]) if k in own else literals.literal(0.0) for k in range(length)
        ]
        made = block[place]
        call = changed(made.value, func=changed(made.value.func, attr="array"))
        items = make(gast.List, elts=parts, ctx=gast.Load())
        whole = changed(made, value=changed(call, args=[items], keywords=[]))
        whole.origin = origin_of(block[last])
        return [*block[:place], *inside, whole, *block[last + 1 :]]

    def slot(self, node: Any, buffer: str, length: int, stored: set[int]) -> int | None:
        """The element that a statement sets or adds a number to; it reads only what is stored."""
        if isinstance(node, gast.AugAssign):
            target = node.target if isinstance(node.op, _SUMS) else None
        else:
            target = node.targets[0] if isinstance(node, gast.Assign) else None
        if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
            return None
        place = _element(target, buffer, length)
        if place is None or buffer in reads(node.value):
            return None
        plain = self.facts.double(node.value) and not self.facts.effects[node.value].writes
        return place if plain else None

    def renamed(self, node: Any, buffer: str, length: int, own: dict[int, str]) -> gast.stmt:
        """A statement with a variable for the element that it sets or adds to."""
        if buffer not in reads(node) | writes(node):
            result: gast.stmt = node
            return result
        is_sum = isinstance(node, gast.AugAssign)
        place = _element(node.target if is_sum else node.targets[0], buffer, length)
        assert place is not None
        if place in own:
            variable = store(own[place])
            return changed(node, **({"target": variable} if is_sum else {"targets": [variable]}))
        base = buffer.removesuffix("_bar")
        own[place] = self.names.fresh(f"{base}_{place}_bar")
        value = node.value
        if is_sum and isinstance(node.op, gast.Sub):
            value = make(gast.UnaryOp, op=gast.USub(), operand=value)
        self.facts.introduce(own[place], value)
        new = make(gast.Assign, targets=[store(own[place])], value=value)
        new.origin = origin_of(node)
        return new


def _buffer(node: Any, facts: Facts) -> str | None:
    """The buffer of `x_bar = np.zeros_like(x)`, for a few doubles."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    call = node.value
    if not isinstance(call, gast.Call) or called(call) not in _ZEROS:
        return None
    own: str = node.targets[0].id
    if own not in facts.temporaries or not isinstance(call.func, gast.Attribute):
        return None
    shape = facts.shape(name(own))
    if shape is None or len(shape) != 1 or type(shape[0]) is not int:
        return None
    return own if 1 < shape[0] <= _LONGEST and facts.wide(name(own)) else None


def _element(target: gast.Subscript, buffer: str, length: int) -> int | None:
    """Which element of the buffer it is, if the index is written out."""
    if target.value.id != buffer:
        return None
    place = literals.number(target.slice)
    if type(place) is not int or not -length <= place < length:
        return None
    return place % length
