"""What fills one slot of a buffer, and is taken from it again, is a variable."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autodiff.normalize.anf import hint
from autodiff.optimize.buffers import is_new
from autodiff.optimize.change import Block, blocks, changed, map_blocks, map_parts, unchanged
from autodiff.optimize.effects import is_generated
from autodiff.optimize.facts import Facts
from autodiff.optimize.ownership import own_buffers, passing
from autodiff.optimize.sections import reverse_sweep
from autodiff.syntax.fresh import called
from autodiff.syntax.names import Names, all_names, name, reads, store, writes
from autodiff.syntax.walk import nodes, of_class, same

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Expr)
_ZEROS = ("zeros", "zeros_like")


def localize(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Where an adjoint buffer is zero before and after, its one slot in use is a variable.

        g_bar = np.zeros_like(g)
        for t in reversed(range(n)):            for t in reversed(range(n)):
            g_bar[t] += a * b         becomes       g_t_bar = a * b
            s = g_bar[t].copy()                     s = g_t_bar
            g_bar[t] = 0.0

    All mentions of the buffer are such stretches: of simple statements, from the first sum to the
    zero, with one index whose names keep their values.
    """
    if not of_class(tree, gast.Subscript):
        return tree
    start = reverse_sweep(tree.body)
    if start == len(tree.body) and not any(is_generated(node, facts) for node in tree.body):
        return tree
    localizing = _Localize(tree, facts)
    if not localizing.found:
        return tree
    ahead, back = tree.body[:start], localizing.block(tree.body[start:])
    ahead = [
        map_blocks(localizing.block, node) if is_generated(node, facts) else node for node in ahead
    ]
    result: gast.FunctionDef = changed(tree, body=[*ahead, *back])
    return result


class _Stretch:
    """Statements from the first sum in a slot to the zero."""

    def __init__(self, slot: gast.Subscript) -> None:
        self.slot = slot
        self.statements: Block = []
        self.last: gast.stmt | None = None

    def is_of(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Subscript) and same(node.value, self.slot.value) and same(
            node.slice, self.slot.slice
        )


class _Localize:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts
        self.made: dict[str, int] = {}
        self.stretches: dict[str, list[_Stretch]] = {}
        self.search(tree.body)
        self.found: dict[str, list[_Stretch]] = {}
        if not self.stretches:
            return
        self.names = Names({*all_names(tree), *facts.taken})
        self.mentions = Counter(n.id for n in of_class(tree, gast.Name))
        own = own_buffers(tree, facts)
        self.found = {
            buffer: stretches
            for buffer, stretches in self.stretches.items()
            if buffer in own
            and self.made.get(buffer) == 1
            and 1 + sum(_count(s.statements, buffer) for s in stretches) == self.mentions[buffer]
        }
        self.starts = {id(s.statements[0]): s for part in self.found.values() for s in part}

    def search(self, block: Block) -> None:
        """Note the stretches of a block, and of those in it."""
        current: dict[str, _Stretch] = {}
        for node in block:
            buffer = _zeros(node)
            if buffer is not None:
                self.made[buffer] = self.made.get(buffer, 0) + 1
            for inner in [] if isinstance(node, gast.Try) else blocks(node):
                self.search(inner)
            for stretch in list(current.values()):
                self.follow(node, stretch, current)
            slot = _sum(node)
            if slot is not None and slot.value.id not in current and self.begins(node, slot):
                stretch = current[slot.value.id] = _Stretch(slot)
                stretch.statements.append(node)

    def follow(self, node: gast.stmt, stretch: _Stretch, current: dict[str, _Stretch]) -> None:
        """Take a statement into a stretch, which may end there or turn out to be none."""
        buffer = stretch.slot.value.id
        stretch.statements.append(node)
        if not isinstance(node, _SIMPLE) or writes(node) & reads(stretch.slot):
            del current[buffer]
        elif _is_zeroed(node, stretch):
            del current[buffer]
            self.stretches.setdefault(buffer, []).append(stretch)
        elif _count([node], buffer):
            windows = sum(stretch.is_of(part) for part in nodes(node))
            if windows != _count([node], buffer) or _stores(node, stretch):
                del current[buffer]
            stretch.last = node

    def begins(self, node: Any, slot: gast.Subscript) -> bool:
        """Whether `x_bar[i] += e` sets the slot, which is zero, to an array of doubles."""
        if _count([node], slot.value.id) != 1:
            return False
        shape = self.facts.shape(slot)
        if not shape or None in shape or self.facts.shape(node.value) != shape:
            return False
        parts = of_class(slot.slice, gast.Name)
        if not all(map(self.facts.scalar, parts)):
            return False
        return self.facts.wide(slot.value) and self.facts.wide(node.value)

    def block(self, statements: Block) -> Block:
        """The block with variables for the slots."""
        new: Block = []
        renamed: dict[int, gast.stmt | None] = {}
        for node in statements:
            stretch = self.starts.get(id(node))
            if stretch is not None:
                local = self.variable(node, stretch, statements)
                self.replace(stretch, local, renamed)
            if _zeros(node) in self.found:
                continue
            kept = renamed.get(id(node), node)
            if kept is not None:
                new.append(map_blocks(self.block, kept))
        return statements if unchanged(new, statements) else new

    def variable(self, node: Any, stretch: _Stretch, block: Block) -> str:
        """The name of the variable: that of what is added first, if nobody else needs that."""
        value = node.value
        if isinstance(value, gast.Name) and isinstance(node.op, gast.Add):
            identifier: str = value.id
            if self.mentions[identifier] == 2 and any(
                isinstance(other, gast.Assign)
                and isinstance(other.targets[0], gast.Name)
                and other.targets[0].id == identifier
                and self.is_own(other.value)
                for other in block
            ):
                return identifier
        base = stretch.slot.value.id.removesuffix("_bar")
        return self.names.fresh(f"{hint(changed(stretch.slot, value=name(base)))}_bar")

    def replace(self, stretch: _Stretch, local: str, renamed: dict[int, gast.stmt | None]) -> None:
        """What becomes of the statements of a stretch."""
        first: Any = stretch.statements[0]
        value = (renamed.get(id(first)) or first).value
        if isinstance(value, gast.Name) and value.id == local:
            renamed[id(first)] = None
        else:
            if isinstance(first.op, gast.Sub):
                value = gast.UnaryOp(op=gast.USub(), operand=value)
            elif not self.is_own(value):
                copy = gast.Attribute(value=value, attr="copy", ctx=gast.Load())
                value = gast.Call(func=copy, args=[], keywords=[])
            origin = getattr(first, "origin", None)
            new = gast.Assign(targets=[store(local)], value=value)
            renamed[id(first)] = changed(new, origin=origin)
        renamed[id(stretch.statements[-1])] = None
        for node in stretch.statements[1:-1]:
            now = renamed.get(id(node), node)
            if now is None:  # a part of another stretch
                continue
            now = _without_copy(now, stretch, self.facts) if node is stretch.last else now
            renamed[id(node)] = _renamed(now, stretch, local)

    def is_own(self, value: gast.expr) -> bool:
        """Whether an expression makes an array that nobody else refers to."""
        return is_new(value, self.facts)


def _count(block: Block, identifier: str) -> int:
    return sum(n.id == identifier for n in of_class(block, gast.Name))


def _zeros(node: Any) -> str | None:
    """The buffer of `x_bar = np.zeros_like(x)`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    if not isinstance(node.value, gast.Call) or called(node.value) not in _ZEROS:
        return None
    target: str = node.targets[0].id
    return None if target in reads(node.value) else target


def _sum(node: gast.stmt) -> gast.Subscript | None:
    """The slot of `x_bar[i] += e`."""
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)):
        return None
    target = node.target
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
        return target
    return None


def _stores(node: gast.stmt, stretch: _Stretch) -> bool:
    return isinstance(node, gast.Assign) and any(
        stretch.is_of(part) for target in node.targets for part in nodes(target)
    )


def _is_zeroed(node: gast.stmt, stretch: _Stretch) -> bool:
    """Whether a statement is `x_bar[i] = 0.0`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Constant):
        return False
    zero = type(node.value.value) is float and node.value.value == 0
    return zero and len(node.targets) == 1 and stretch.is_of(node.targets[0])


def _without_copy(node: Any, stretch: _Stretch, facts: Facts) -> gast.stmt:
    """The last use of a slot, which may take its memory."""
    buffer = stretch.slot.value.id
    if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Call):
        return node
    func = node.value.func
    if not isinstance(func, gast.Attribute) or func.attr != "copy" or node.value.args:
        return node
    if passing(func.value, facts) != {buffer}:
        return node
    result: gast.stmt = changed(node, value=func.value)
    return result


def _renamed(node: gast.AST, stretch: _Stretch, local: str) -> Any:
    if stretch.is_of(node):
        return store(local) if isinstance(node.ctx, gast.Store) else name(local)
    return map_parts(lambda part: _renamed(part, stretch, local), node)
