"""What is added to an item of a list that is still zero is put there."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import gast

from autodiff.optimize.buffers import is_new
from autodiff.optimize.change import Block, changed, map_blocks, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import map_reverse, reverse_sweep
from autodiff.syntax.fresh import called
from autodiff.syntax.names import reads, writes
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class, same


def first_items(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Put new arrays into a list of zeros where a loop reaches each item once.

        ws_bar = zeros_like(ws)                             ws_bar = [None] * len(ws)
        for i in reversed(range(len(ws))):                  for i in reversed(range(len(ws))):
            ...                                                 ...
            ws_bar[i] = accumulate(ws_bar[i], h.T @ g)          ws_bar[i] = h.T @ g
        return [ws_bar[0].copy(), ws_bar[1].copy()]         return [ws_bar[0], ws_bar[1]]

    The adjoint `[unbroadcast(1.0, like=item) for item in terms]` of a list of numbers is
    `[1.0] * len(terms)`.

    Also pairs of them, and of numbers. Of the list nothing else may be asked in the loop, which
    may leave items out, in other cases: then zeros and copies stay.
    """
    if of_class(tree, gast.ListComp):
        tree = map_reverse(lambda node: _repeated(node, facts), tree, facts)
    if not any(called(call) == "accumulate" for call in of_class(tree, gast.Call)):
        return tree
    items = _Items(tree, facts)
    start = reverse_sweep(tree.body)
    body = [*tree.body[:start], *items.block(tree.body[start:])]
    body = [map_blocks(items.block, n) if is_generated(n, facts) else n for n in body]
    if unchanged(body, tree.body):
        return tree
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _repeated(node: Any, facts: Facts) -> gast.stmt:
    """A statement that makes a list of one number for each number of another list."""
    made = node.value if isinstance(node, gast.Assign) else None
    result: gast.stmt = node
    if not isinstance(made, gast.ListComp) or len(made.generators) > 1:
        return result
    [over], call = made.generators, made.elt
    if over.ifs or not isinstance(over.iter, gast.Name) or not isinstance(call, gast.Call):
        return result
    if called(call) != "unbroadcast" or len(call.args) != 1 or len(call.keywords) != 1:
        return result
    [g], [like] = call.args, call.keywords
    item = gast.Subscript(over.iter, gast.Constant(0, None), gast.Load())
    own = getattr(over.target, "id", "")
    plain = getattr(like.value, "id", None) == own != getattr(g, "id", None)
    plain = plain and isinstance(g, (gast.Name, gast.Constant))
    if plain and facts.double(g) and facts.double(item):
        result = changed(node, value=quote("[g] * len(x)", g=g, x=over.iter))
    return result


class _Items:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts

    def block(self, statements: Block) -> Block:
        new = [node if is_generated(node, self.facts) else map_blocks(self.block, node)
               for node in statements]
        for place, node in enumerate(new):
            own = _zeros(node)
            if own is None or own not in self.facts.temporaries:
                continue
            for index in range(place + 1, len(new)):
                if _mentions([new[index]], own):
                    loop = self.filled(new[index], own)
                    if loop is None:
                        break
                    new[index], whole = loop, node.value.args[0]
                    over = _is_over(loop.iter, whole)
                    if over and self.may_pass(whole, new[place + 1 : index]):
                        new[place] = _blank(node, loop.iter)
                        new[index + 1 :] = _taken(new[index + 1 :], own)
                    break
        return statements if unchanged(new, statements) else new

    def may_pass(self, whole: gast.expr, between: Block) -> bool:
        """Whether a list is as long after these statements as before them."""
        effects = [self.facts.effects[node] for node in between]
        return not any(e.calls or not e.writes.isdisjoint(reads(whole)) for e in effects)

    def filled(self, loop: gast.stmt, own: str) -> gast.For | None:
        """The loop that stores into each item of a list once, if the statement is one."""
        if not isinstance(loop, gast.For) or not isinstance(loop.target, gast.Name):
            return None
        counter: str = loop.target.id
        if not _counts_up(loop.iter) or counter in writes(loop.body) or loop.orelse:
            return None
        for place, node in enumerate(loop.body):
            value = _added(node, own, counter)
            if value is None:
                continue
            if _mentions(loop.body, own) != 2 or not self.is_new(value):
                return None
            body = [*loop.body]
            body[place] = changed(node, value=value)
            result: gast.For = changed(loop, body=body)
            return result
        return None

    def is_new(self, value: gast.expr) -> bool:
        """Whether it is an array of doubles that nobody else holds, a number, or a pair of such."""
        if isinstance(value, gast.Tuple):
            return all(map(self.is_new, value.elts))
        if self.facts.double(value):
            return True
        if not self.facts.wide(value):
            return False
        if isinstance(value, gast.Name):
            known = self.made.get(value.id, [])
            return self.read[value.id] == 1 and bool(known) and all(
                is_new(made, self.facts) for made in known
            )
        return is_new(value, self.facts)

    @cached_property
    def made(self) -> dict[str, list[gast.expr]]:
        """What temporaries are bound to, where that is by plain assignments."""
        found: dict[str, list[gast.expr]] = {}
        bound: Counter[str] = Counter()
        for name in of_class(self.tree, gast.Name):
            bound[name.id] += not isinstance(name.ctx, gast.Load)
        for node in of_class(self.tree, gast.Assign):
            if isinstance(node.targets[0], gast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
        return {own: known for own, known in found.items() if len(known) == bound[own]}

    @cached_property
    def read(self) -> Counter[str]:
        names = of_class(self.tree, gast.Name)
        return Counter(name.id for name in names if isinstance(name.ctx, gast.Load))


def _taken(block: Block, own: str) -> Block:
    """Results without copies of the items, if each item is one result and no more is asked."""
    last = block[-1] if block else None
    if not isinstance(last, gast.Return) or last.value is None:
        return block
    items = [
        call.func.value
        for call in of_class(last, gast.Call)
        if isinstance(call.func, gast.Attribute) and call.func.attr == "copy" and not call.args
    ]
    items = [item for item in items if _constant(item, own) is not None]
    places = {_constant(item, own) for item in items}
    if not items or len(places) < len(items) or _mentions(block, own) != len(items):
        return block

    def part(node: Any) -> Any:
        if isinstance(node, gast.Call) and getattr(node.func, "value", None) in items:
            return node.func.value
        if isinstance(node, (gast.List, gast.Tuple, gast.Call, gast.Dict)):
            fields = {
                f: [part(e) for e in v] for f, v in vars(node).items() if isinstance(v, list)
            }
            return changed(node, **fields)
        return node

    return [*block[:-1], changed(last, value=part(last.value))]


def _constant(node: gast.expr, own: str) -> int | None:
    """The place of an item that is written out, `ws_bar[1]`."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
        return None
    place = node.slice.value if isinstance(node.slice, gast.Constant) else None
    return place if node.value.id == own and type(place) is int else None


def _is_over(iterable: gast.expr, whole: gast.expr) -> bool:
    """Whether a range goes over all items of a list: `reversed(range(len(ws)))`."""
    call: Any = iterable
    while isinstance(call, gast.Call) and len(call.args) == 1:
        if getattr(call.func, "id", None) == "len":
            return same(call.args[0], whole)
        call = call.args[0]
    return False


def _blank(node: gast.Assign, iterable: gast.expr) -> gast.Assign:
    """`ws_bar = [None] * len(ws)`."""
    length: Any = iterable
    while getattr(length.func, "id", None) != "len":
        length = length.args[0]
    result: gast.Assign = changed(node, value=quote("[None] * n", n=length))
    return result


def _zeros(node: Any) -> str | None:
    """The list of `xs_bar = zeros_like(xs)`, by our helper."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    call = node.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Name):
        return None
    return str(node.targets[0].id) if call.func.id == "zeros_like" else None


def _added(node: Any, own: str, counter: str) -> gast.expr | None:
    """What is added in `own[counter] = accumulate(own[counter], value)`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Subscript):
        return None
    target, call = node.targets[0], node.value
    if not isinstance(call, gast.Call) or called(call) != "accumulate" or len(call.args) != 2:
        return None
    if getattr(target.value, "id", None) != own or getattr(target.slice, "id", None) != counter:
        return None
    old, value = call.args
    is_old = isinstance(old, gast.Subscript) and same(old.value, target.value)
    added: gast.expr = value
    return added if is_old and same(old.slice, target.slice) else None


def _mentions(block: Block, own: str) -> int:
    return sum(name.id == own for name in of_class(block, gast.Name))


def _counts_up(iterable: gast.expr) -> bool:
    """Whether it is `range(n)` or its reverse: no number twice, none negative."""
    if not isinstance(iterable, gast.Call) or len(iterable.args) != 1:
        return False
    function = getattr(iterable.func, "id", None)
    return function == "range" or function == "reversed" and _counts_up(iterable.args[0])
