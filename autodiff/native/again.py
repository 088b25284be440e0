"""What the reverse sweep can compute again where it pops from the tape."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

import gast

from autodiff.analysis.kind import Array, Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.native.memory import memory
from autodiff.native.values import is_range
from autodiff.native.vocabulary import CHEAP
from autodiff.optimize.change import blocks
from autodiff.optimize.tape import Pair
from autodiff.syntax.names import Names, name, reads, store, substitute, writes
from autodiff.syntax.walk import children, same, walk

_PRICES = {gast.Add: 1, gast.Sub: 1, gast.Mult: 1, gast.Div: 4}
_ROOT = 4


@dataclass(slots=True)
class Code:
    """Statements, and how many additions they cost."""

    statements: list[gast.stmt] = field(default_factory=list)
    price: int = 0


@dataclass(frozen=True, slots=True)
class _Place:
    """A block, a position in it, the loops around, and which statement of the function it is in."""

    block: list[gast.stmt]
    position: int
    around: tuple[gast.stmt, ...]
    top: int


class Again:
    """Answers for the pairs of push and pop of one function."""

    def __init__(
        self, tree: gast.FunctionDef, known: Kinds, names: Names, found: dict[str, Pair]
    ) -> None:
        self.known = known
        self.names = names
        self.memory = memory(tree, known)
        self.mentions = _mentions(tree.body)
        self.inside = [_mentions([node]) for node in tree.body]
        self.bound = [writes(node) for node in tree.body]
        self.places: dict[int, _Place] = {}
        self.positions: dict[int, dict[str, list[int]]] = {}
        """By the `id` of a block: where in it each name is bound, in order."""
        self.wanted = {id(node) for pair in found.values() for node in (pair.push, pair.pop)}
        for k, node in enumerate(tree.body):
            self.collect([node], (), k)

    def collect(self, block: list[gast.stmt], around: tuple[gast.stmt, ...], top: int) -> None:
        for position, node in enumerate(block):
            if id(node) in self.wanted:
                self.places[id(node)] = _Place(block, position, around, top)
            is_loop = isinstance(node, (gast.For, gast.While))
            for inner in blocks(node):
                self.collect(inner, (*around, node) if is_loop else around, top)

    def when(self, pair: Pair, value: gast.expr) -> int:
        """The position of the statement that computes a value, in the block of the push."""
        place = self.places[id(pair.push)]
        if not isinstance(value, gast.Name):
            return place.position
        return self.defined(place, value.id, place.position)

    def defined(self, place: _Place, identifier: str, before: int) -> int:
        """Where a name was bound last before a position; -1 if not in this block."""
        bound = self.positions.get(id(place.block))
        if bound is None:
            bound = self.positions[id(place.block)] = {}
            for position, node in enumerate(place.block):
                for name_of in writes(node):
                    bound.setdefault(name_of, []).append(position)
        found = bound.get(identifier, ())
        index = bisect_left(found, before)
        return found[index - 1] if index else -1

    def code(self, pair: Pair, wanted: dict[str, gast.expr], kept: set[str]) -> Code | None:
        """What computes the wanted names from those that are kept; None where nothing does."""
        place = self.places[id(pair.push)]
        work = _Work(self, pair, place, kept, Code(), {})
        for target, value in wanted.items():
            if isinstance(value, gast.Name):
                if value.id != target:
                    return None
                done = work.name(value.id, place.position)
            else:
                done = work.statement(target, value, place.position)
            if done is None:
                return None
        return work.code

    def stays(self, identifier: str, pair: Pair) -> bool:
        """Whether a name means at the pop what it means at the push, and wherever it is read."""
        if not any(identifier in names for names in self.bound[self.between(pair)]):
            return True
        return self.counts(identifier, pair)

    def between(self, pair: Pair) -> slice:
        """The statements of the function that may run between the push and the pop."""
        return slice(self.places[id(pair.push)].top, self.places[id(pair.pop)].top + 1)

    def lasts(self, base: str, pair: Pair) -> bool:
        """Whether an array has at the pop the content that it had at the push."""
        run = self.between(pair)
        return self.memory.lasts(base, run.start, run.stop - 1)

    def counts(self, identifier: str, pair: Pair) -> bool:
        """Whether the name is the counter of a loop that the reverse sweep runs backwards."""
        forward, reverse = self.places[id(pair.push)].around, self.places[id(pair.pop)].around
        if len(forward) != len(reverse):
            return False
        for one, other in zip(forward, reverse):
            if not isinstance(one, gast.For) or not isinstance(other, gast.For):
                continue
            if not all(_target(loop) == identifier for loop in (one, other)):
                continue
            once = not any(identifier in writes(loop.body) for loop in (one, other))
            return once and _is_mirror(one.iter, other.iter)
        return False


@dataclass(slots=True)
class _Work:
    """The statements for one pop, as they are found."""

    again: Again
    pair: Pair
    place: _Place
    kept: set[str]
    code: Code
    made: dict[tuple[str, int], str]
    """By name and position of its definition: the name that it has in the code."""

    def name(self, identifier: str, at: int) -> str | None:
        """The name that holds, after the pop, what this one held at a position before the push."""
        position = self.again.defined(self.place, identifier, at)
        if (identifier, position) in self.made:
            return self.made[identifier, position]
        last = self.again.defined(self.place, identifier, self.place.position)
        if identifier in self.kept and position == last:
            return identifier
        if self.again.stays(identifier, self.pair):
            return identifier
        if position < 0:
            return None
        node = self.place.block[position]
        value = _value(node, identifier)
        return None if value is None else self.statement(identifier, value, position)

    def statement(self, identifier: str, value: gast.expr, position: int) -> str | None:
        """The name that holds the value of an expression as it was at a position."""
        price = self.price(value)
        if price is None:
            return None
        renamed: dict[str, gast.expr] = {}
        for operand in sorted(reads(value)):
            if operand not in self.again.known.local:
                continue
            now = self.name(operand, position)
            if now is None:
                return None
            if now != operand:
                renamed[operand] = name(now)
        own = self.own(identifier, position)
        self.made[identifier, position] = own
        new = gast.Assign(targets=[store(own)], value=substitute(value, renamed), type_comment=None)
        self.code.statements.append(new)
        self.code.price += price
        return own

    def own(self, identifier: str, position: int) -> str:
        """The name itself where the reverse sweep has no other use for it."""
        targets = {target.id for target in self.pair.targets}
        last = self.again.defined(self.place, identifier, self.place.position)
        if identifier in targets and (position == last or position == self.place.position):
            return identifier
        inside = self.again.inside[self.place.top]
        taken = identifier in targets or identifier in self.made.values()
        if not taken and inside[identifier] == self.again.mentions[identifier]:
            return identifier
        return self.again.names.fresh(identifier)

    def price(self, node: gast.AST) -> int | None:
        """How many additions an expression of numbers costs; None if it may mean another value."""
        known = self.again.known
        if isinstance(node, gast.Constant):
            return 0
        if isinstance(node, gast.Name):
            return 0 if isinstance(known.of(node), Scalar) else None
        if isinstance(node, gast.Subscript):
            base = node.value
            if not isinstance(base, gast.Name) or not isinstance(known.of(node), Scalar):
                return None
            if not isinstance(known.of(base), Array) or not self.again.lasts(base.id, self.pair):
                return None
            return self.all(node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice])
        own = self.operation(node)
        if own is None:
            return None
        parts = node.args if isinstance(node, gast.Call) else children(node)
        rest = self.all(parts)
        return None if rest is None else own + rest

    def all(self, nodes: list[gast.AST]) -> int | None:
        prices = [self.price(node) for node in nodes]
        return None if None in prices else sum(p for p in prices if p is not None)

    def operation(self, node: gast.AST) -> int | None:
        if isinstance(node, gast.BinOp):
            if isinstance(node.op, gast.Pow):
                right = node.right
                return 1 if isinstance(right, gast.Constant) and right.value in (2, 3) else None
            return _PRICES.get(type(node.op))
        if isinstance(node, (gast.Compare, gast.BoolOp, gast.UnaryOp)):
            return 1
        if isinstance(node, gast.Call) and not node.keywords:
            kind = self.again.known.of(node.func)
            if isinstance(kind, Static) and any(kind.value is other for other in CHEAP):
                return _ROOT
        return None


def _value(node: gast.stmt, identifier: str) -> gast.expr | None:
    """What a statement binds a name to: also one of `a, b = e, f`."""
    if not isinstance(node, gast.Assign):
        return None
    target, value = node.targets[0], node.value
    pairs = [(target, value)]
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
        pairs = list(zip(target.elts, value.elts))
    found = [v for t, v in pairs if isinstance(t, gast.Name) and t.id == identifier]
    return found[0] if len(found) == 1 else None


def _mentions(body: list[gast.stmt]) -> Counter[str]:
    return Counter(node.id for node in walk(body) if isinstance(node, gast.Name))


def _target(loop: gast.For) -> str | None:
    return loop.target.id if isinstance(loop.target, gast.Name) else None


def _is_mirror(one: gast.expr, other: gast.expr) -> bool:
    """Whether one of two iterables is the other one reversed, from where it was left if it was."""
    for forward, backward in ((one, other), (other, one)):
        if not isinstance(backward, gast.Call) or not isinstance(backward.func, gast.Name):
            continue
        if backward.func.id != "reversed" or not is_range(forward):
            continue
        whole = backward.args[0]
        if isinstance(whole, gast.Subscript) and isinstance(whole.slice, gast.Slice):
            whole = whole.value
        if same(whole, forward):
            return True
    return False
