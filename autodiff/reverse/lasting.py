"""Stores into slots of which the reverse sweep reads nothing that was there before.

    h = np.zeros((n + 1, m))
    for t in range(n):
        h[t + 1] = np.tanh(w @ h[t])          # reverse: h[t], which no later store overwrites

An array that is filled element by element is its own record. That is seen by comparing indices:
an element that adjoint code reads, and those that are stored to after it was used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.exposure import definition_counts, upward_exposed
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.analysis.references import borrowed
from autodiff.reverse.items import Attempt, Block, Branch, Context, Loop, Step
from autodiff.reverse.listing import primal_of
from autodiff.reverse.ranges import ANY, Interval, Path, Ranges
from autodiff.syntax.content import content_reads
from autodiff.syntax.disjoint import disjoint
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import children, map_children, of_class


@dataclass(frozen=True, slots=True)
class _Read:
    """An index, and where it was evaluated: another loop may have a counter of the same name."""

    index: gast.expr
    path: Path


class Lasting:
    """Asked again whenever adjoint code has become other code; the primal statements stay."""

    def __init__(
        self, block: Block, parameters: list[str], kinds: Kinds, aliases: Aliases
    ) -> None:
        self.kinds = kinds
        self.aliases = aliases
        self.parameters = frozenset(parameters)
        body = primal_of(block)
        self.counts = definition_counts(body)
        for parameter in parameters:
            self.counts[parameter] = self.counts.get(parameter, 0) + 1
        self.steps = list(_walk(block, ()))
        self.defined: dict[str, tuple[gast.expr, Path]] = {}
        self.unclear: set[str] = set()
        self.loops: dict[int, set[str]] = {}
        for step, path in self.steps:
            for node in step.primal:
                if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                    self.defined[node.targets[0].id] = node.value, path
        for code in _headers(block):
            self.unclear |= content_reads(code)
        self.reads: list[tuple[Step, Path, set[str]]] = []
        self.ranges = Ranges(kinds, self.counts, self.defined, self.exposed)
        repeated = writes([*of_class(body, gast.For, gast.While)])
        self.sizes = {
            name: least
            for name, least in kinds.sizes.items()
            if self.counts.get(name) == 1 and name not in repeated
        }
        """Names that hold one size throughout, with the smallest that may be."""

    def found(self) -> frozenset[int]:
        """The `id` of each step that stores where nothing that is wanted is overwritten."""
        self.reads = [(step, path, content_reads(step.adjoint)) for step, path in self.steps]
        return frozenset(
            id(step)
            for step, path in self.steps
            if step.mutates and step.slots and all(self.is_kept(s, path) for s in step.slots)
        )

    def is_kept(self, slot: gast.expr, path: Path) -> bool:
        """Whether a store leaves alone all that is read of the array and was there before."""
        if not isinstance(slot, gast.Subscript) or not isinstance(slot.value, gast.Name):
            return False
        base = slot.value.id
        if self.counts.get(base) != 1 or not isinstance(self.kinds.names.get(base), Array):
            return False
        group = set(self.aliases.sharing(base))
        if group & self.unclear:
            return False
        return not any(
            self.moves(base, path, place)
            or self.meets(slot, path, read, place, self.depth(base, path, place))
            for step, place, names in self.reads
            for name in names & group
            for read in self.indices(step, name, base, place)
        )

    def moves(self, base: str, store: Path, read: Path) -> bool:
        """Whether the same index may mean another element by then, as the array is a view.

            for j in range(3):
                v = np.flip(h[: j + 3])       # v[j] is h[2] in each iteration
        """
        if base not in self.defined:
            return base not in self.parameters
        if not borrowed(self.defined[base][0], self.kinds):
            return False
        own = {id(loop) for loop, _ in self.defined[base][1] if isinstance(loop, Loop)}
        return any(one[0] is other[0] and id(one[0]) in own for one, other in zip(store, read))

    def depth(self, base: str, store: Path, read: Path) -> int:
        """How many of the blocks around both do not count, as the array is made in the innermost.

        In another iteration of their loops it is another array.
        """
        if base not in self.defined or borrowed(self.defined[base][0], self.kinds):
            return 0
        own = self.defined[base][1]
        if any(base in self.exposed(loop) for loop, _ in own if isinstance(loop, Loop)):
            return 0  # it may be that of the iteration before
        last = len(own) - 1
        inside = all(path[:last] == own[:last] and len(path) > last for path in (store, read))
        return last if inside and store[last][0] is read[last][0] is own[last][0] else 0

    def indices(self, step: Step, name: str, base: str, place: Path) -> list[_Read | None]:
        """What adjoint code reads of the array under a name; None where that may be anything."""
        if name != base:
            if self.counts.get(name) != 1 or name not in self.defined:
                return [None]
            value, path = self.defined[name]
            if any(name in self.exposed(loop) for loop, _ in path if isinstance(loop, Loop)):
                return [None]  # it may be that of the iteration before
            if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name):
                return [None]
            if value.value.id == base:
                return [_Read(value.slice, path)]
            return self.indices(step, value.value.id, base, path)
        found: list[gast.expr] = []
        for statement in step.adjoint:
            if base in content_reads(statement) and not _subscripts(statement, base, found):
                return [None]
        return [_Read(index, place) for index in found] or [None]

    def meets(
        self, slot: gast.Subscript, store: Path, read: _Read | None, place: Path, depth: int
    ) -> bool:
        """Whether a store may change, after it was used, an element that is read."""
        if read is not None and disjoint(slot.slice, read.index, self.sizes):
            return False
        for (loop, _), (other, _) in list(zip(store, place))[depth + 1 :]:
            if loop is not other:
                break
            if not isinstance(loop, Loop):
                continue
            if read is None:
                return True
            least, most = self.distance(loop, slot.slice, store, read)
            if most < 0 or least > most:  # earlier, or never
                return False
            if most > 0:
                return True
        if read is not None:
            pairs = zip(self.axes(slot.slice), self.axes(read.index))
            if any(self.ranges.apart(*pair, store, read.path) for pair in pairs):
                return False
        return [k for _, k in store] > [k for _, k in place]  # its own step reads what it stored

    def distance(self, loop: Loop, stored: gast.expr, store: Path, read: _Read) -> Interval:
        """How many iterations after its use an element is stored to, at least and at most."""
        own = self.ranges.range_of(loop)
        if own is None or not any(around is loop for around, _ in read.path):
            return ANY
        least, most = ANY
        for one, other in zip(self.axes(stored), self.axes(read.index)):
            ways = (one, store), (other, read.path)
            if any(self.ranges.absolute(*way)[0] < 0 for way in ways):
                continue  # it may count from the end
            first, second = (self.ranges.relative(part, loop, path) for part, path in ways)
            least, most = max(least, second[0] - first[1]), min(most, second[1] - first[0])
        return (least, most) if own.grows else (-most, -least)

    def exposed(self, loop: Loop) -> set[str]:
        """The names that the body of a loop reads before it sets them."""
        if id(loop) not in self.loops:
            primal = map_children(lambda child: child, loop.primal)
            primal.body = primal_of(loop.body)
            self.loops[id(loop)] = upward_exposed(primal)
        return self.loops[id(loop)]

    def axes(self, index: gast.expr) -> list[gast.expr]:
        """The parts of an index, one for each axis, up to the first that may take several."""
        found: list[gast.expr] = []
        for part in index.elts if isinstance(index, gast.Tuple) else [index]:
            kind = None if isinstance(part, gast.Slice) else self.kinds.of(part)
            if kind is not None and not (isinstance(kind, Scalar) and kind.type == "int"):
                break
            if kind is None and not isinstance(part, gast.Slice):
                break
            found.append(part)
        return found


def _walk(block: Block, path: Path, loop: Loop | None = None) -> Iterator[tuple[Step, Path]]:
    for place, item in enumerate(block):
        here = (*path, (loop, place))
        if isinstance(item, Step):
            yield item, here
        elif isinstance(item, Loop):
            yield from _walk(item.body, here, item)
        else:
            around = item if isinstance(item, Branch) else None
            for side, inner in enumerate(_blocks(item)):
                yield from _walk(inner, (*here, (around, side)))


def _blocks(item: Branch | Context | Attempt) -> list[Block]:
    if isinstance(item, Branch):
        return [item.then, item.orelse]
    if isinstance(item, Context):
        return [item.body]
    return [item.body, item.orelse, *(block or [] for block in item.handlers), item.final]


def _headers(block: Block) -> Iterator[gast.AST]:
    """What the reverse sweep evaluates beside the adjoint code of steps."""
    for item in block:
        if isinstance(item, Loop):
            yield item.header.iter
            yield from _headers(item.body)
        elif not isinstance(item, Step):
            if isinstance(item, Branch):
                yield item.flag
            elif isinstance(item, Context):
                yield item.primal.items[0].context_expr
            for inner in _blocks(item):
                yield from _headers(inner)


def _subscripts(node: gast.AST, base: str, found: list[gast.expr]) -> bool:
    """Collects the indices under which an array is read; False if it is read as a whole."""
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        if node.value.id == base:
            found.append(node.slice)
            return base not in reads(node.slice)
    if isinstance(node, gast.Name):
        return bool(node.id != base)
    if not isinstance(node, gast.expr) or base in content_reads(node):
        return all(_subscripts(part, base, found) for part in children(node))
    return True
