"""Between which integers an index lies: by itself, and beside the counter of a loop around it.

    for i in range(n):
        for j in range(i):          # j is at least 0, and at least 1 less than i
            if i - j - 2 >= 0:      # in here i - j - 2 is at least 0
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf

import gast

from autodiff.analysis.kind import Array, Static
from autodiff.analysis.known import Kinds
from autodiff.optimize.literals import number
from autodiff.reverse.items import Branch, Loop
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import same, walk

Path = tuple[tuple[Loop | Branch | None, int], ...]
"""Where a step is: for each block around it, the loop whose body that is and the place in it.

Before a block of a branch comes the branch, with 0 where its test was true and 1 where it was not.
"""

Interval = tuple[float, float]
"""The smallest and the largest value, which may be infinite."""

ANY: Interval = (-inf, inf)

Comparison = tuple[gast.expr, type, gast.expr]


@dataclass(frozen=True, slots=True)
class Range:
    """The range that a loop goes over, for a counter that its body leaves alone."""

    counter: str
    start: gast.expr
    stop: gast.expr
    step: int
    grows: bool


@dataclass(frozen=True, slots=True)
class Ranges:
    """What is known of the integers of a function.

    defined: for each name with one assignment its value, and where that is. exposed: the names that
    the body of a loop reads before it sets them.
    """

    kinds: Kinds
    counts: Mapping[str, int]
    defined: Mapping[str, tuple[gast.expr, Path]]
    exposed: Callable[[Loop], set[str]]
    _asked: set[str] = field(default_factory=set)
    _found: dict[int, Range | None] = field(default_factory=dict)

    def range_of(self, loop: Loop) -> Range | None:
        """The range that a loop goes over; None where it is another one."""
        if id(loop) not in self._found:
            self._found[id(loop)] = _range_of(loop)
        return self._found[id(loop)]

    def absolute(self, part: gast.expr, path: Path) -> Interval:
        """Between which values an expression lies wherever it is evaluated at a path."""
        found = self._absolute(part, path)
        for comparison in self._comparisons(path):
            found = _both(found, _told(comparison, part))
        return found

    def relative(self, part: gast.expr, loop: Loop, path: Path) -> Interval:
        """The same for how much larger it is than the counter of a loop around the path."""
        own = self.range_of(loop)
        if own is None:
            return ANY
        counter = self._within(own, lambda bound: self.absolute(bound, _before(loop, path)))
        return _both(
            self._relative(part, loop, path), _minus(self.absolute(part, path), counter)
        )

    def apart(self, one: gast.expr, other: gast.expr, first: Path, second: Path) -> bool:
        """Whether branches around two paths tell that a counter at one differs from another's.

        In one and the same iteration of all loops that are around both.
        """
        loops, others = self._counters(first), self._counters(second)
        same_loops = {name for name, loop in loops.items() if others.get(name) is loop}
        for left, op, right in (*self._comparisons(first), *self._comparisons(second)):
            if op in (gast.NotEq, gast.Lt, gast.Gt) and reads([left, right]) <= same_loops:
                if same(left, one) and same(right, other) or same(left, other) and same(right, one):
                    return True
        return False

    def _absolute(self, part: gast.expr, path: Path) -> Interval:
        value = number(part)
        if type(value) is int:
            return value, value
        if isinstance(part, gast.Slice):
            least, most = self._window(part, path, lambda bound: self.absolute(bound, path))
            return max(least, 0), most
        if isinstance(part, gast.Name):
            loop = self._counters(path).get(part.id)
            if loop is not None:
                before, own = _before(loop, path), self.range_of(loop)
                return self._within(own, lambda bound: self.absolute(bound, before))
            if self.counts.get(part.id) == 1 and part.id in self.defined:
                return self._once(part.id)
        elif isinstance(part, gast.BinOp) and isinstance(part.op, (gast.Add, gast.Sub)):
            left, right = self.absolute(part.left, path), self.absolute(part.right, path)
            if isinstance(part.op, gast.Add):
                return _plus(left, right)
            return _both(_minus(left, right), self._difference(part, path))
        elif isinstance(part, gast.Call) and part.args and not part.keywords:
            extremum = self._extremum(part)
            if extremum is not None:
                return _by(extremum, [self.absolute(given, path) for given in part.args])
            if self._is_builtin(part.func, "len"):
                return 0, inf
        elif isinstance(part, gast.Subscript) and isinstance(part.value, gast.Attribute):
            owner = part.value
            if owner.attr == "shape" and isinstance(self.kinds.known(owner.value), Array):
                return 0, inf
        return ANY

    def _difference(self, part: gast.BinOp, path: Path) -> Interval:
        """Between which values a difference lies, by what both sides are beside one counter."""
        found = ANY
        for loop in self._counters(path).values():
            sides = [self.relative(side, loop, path) for side in (part.left, part.right)]
            if ANY not in sides:
                found = _both(found, _minus(*sides))
        return found

    def _window(
        self, part: gast.Slice, path: Path, bound: Callable[[gast.expr], Interval]
    ) -> Interval:
        """Between which values the indices of a slice lie, by those of its bounds."""
        step = 1 if part.step is None else number(part.step)
        if type(step) is not int or step < 0:
            return ANY
        least, most = ANY
        if part.lower is None or self.absolute(part.lower, path)[0] >= 0:  # not from the end
            least = bound(part.lower or gast.Constant(value=0, kind=None))[0]
        if part.upper is not None and self.absolute(part.upper, path)[0] >= 0:
            most = bound(part.upper)[1] - 1
        return least, most

    def _once(self, name: str) -> Interval:
        if name in self._asked:
            return ANY
        self._asked.add(name)
        try:
            return self.absolute(*self.defined[name])
        finally:
            self._asked.discard(name)

    def _relative(self, part: gast.expr, loop: Loop, path: Path) -> Interval:
        if isinstance(part, gast.Name):
            return self._name_beside(part.id, loop, path)
        if isinstance(part, gast.Slice):
            return self._window(part, path, lambda bound: self.relative(bound, loop, path))
        if isinstance(part, gast.BinOp) and isinstance(part.op, (gast.Add, gast.Sub)):
            left, right = part.left, part.right
            if isinstance(part.op, gast.Sub):
                return _minus(self.relative(left, loop, path), self.absolute(right, path))
            one = _plus(self.relative(left, loop, path), self.absolute(right, path))
            other = _plus(self.absolute(left, path), self.relative(right, loop, path))
            return _both(one, other)
        if isinstance(part, gast.Call) and part.args and not part.keywords:
            extremum = self._extremum(part)
            if extremum is not None:
                return _by(extremum, [self.relative(given, loop, path) for given in part.args])
        return ANY

    def _name_beside(self, name: str, loop: Loop, path: Path) -> Interval:
        counted = self._counters(path).get(name)
        if counted is loop:
            return 0, 0
        if counted is None:
            value, place = self.defined.get(name, (None, ()))
            if value is None or not place or place[-1][0] is not loop or name in self._asked:
                return ANY
            if self.counts.get(name) != 1 or name in self.exposed(loop):
                return ANY
            return self.relative(value, loop, place)
        before = _before(counted, path)
        if any(around is loop for around, _ in before):  # the counter of a loop inside
            return self._within(
                self.range_of(counted), lambda bound: self.relative(bound, loop, before)
            )
        inside = _before(loop, path)
        low, high = self._within(
            self.range_of(loop), lambda bound: self.relative(bound, counted, inside)
        )
        return -high, -low

    def _within(self, own: Range | None, bound: Callable[[gast.expr], Interval]) -> Interval:
        """Between which values a counter lies, by those of the bounds of its range."""
        if own is None:
            return ANY
        first, last = bound(own.start), bound(own.stop)
        return (first[0], last[1] - 1) if own.step > 0 else (last[0] + 1, first[1])

    def _counters(self, path: Path) -> dict[str, Loop]:
        """The counters of the loops around a path; of two of one name the inner one."""
        found = {}
        for loop, _ in path:
            own = self.range_of(loop) if isinstance(loop, Loop) else None
            if isinstance(loop, Loop) and own is not None:
                found[own.counter] = loop
        return found

    def _comparisons(self, path: Path) -> list[Comparison]:
        """What the branches around a path tell, of names that stay what they are meanwhile.

        Not of a counter that a loop inside of the branch uses again.
        """
        counters = self._counters(path)
        found: list[Comparison] = []
        for place, (around, side) in enumerate(path):
            if isinstance(around, Branch):
                test, outside = around.primal.test, self._counters(path[:place])
                told = {n for n, loop in outside.items() if counters.get(n) is loop}
                if all(n in told or self.counts.get(n, 0) == 1 for n in reads(test)):
                    found += _compared(test, side == 0)
        return found

    def _extremum(self, call: gast.Call) -> str | None:
        if len(call.args) < 2 or any(isinstance(given, gast.Starred) for given in call.args):
            return None
        return next((name for name in ("max", "min") if self._is_builtin(call.func, name)), None)

    def _is_builtin(self, func: gast.expr, name: str) -> bool:
        kind = self.kinds.known(func)
        return isinstance(kind, Static) and kind.value is getattr(builtins, name)


def _range_of(loop: Loop) -> Range | None:
    """The range of `for i in range(...)` or `reversed(range(...))`; None for other loops."""
    primal = loop.primal
    if not isinstance(primal, gast.For) or not isinstance(primal.target, gast.Name):
        return None
    call, grows = primal.iter, True
    if isinstance(call, gast.Call) and getattr(call.func, "id", None) == "reversed" and call.args:
        call, grows = call.args[0], False
    if not isinstance(call, gast.Call) or getattr(call.func, "id", None) != "range":
        return None
    if not call.args or call.keywords or primal.target.id in writes(primal.body):
        return None
    start = call.args[0] if len(call.args) > 1 else gast.Constant(value=0, kind=None)
    step = number(call.args[2]) if len(call.args) > 2 else 1
    if type(step) is not int or step == 0:
        return None
    stop = call.args[len(call.args) > 1]
    return Range(primal.target.id, start, stop, step, grows == (step > 0))


def _before(loop: Loop, path: Path) -> Path:
    """The path to a loop, of a path to what is in it."""
    return path[: next(place for place, (around, _) in enumerate(path) if around is loop)]


def _compared(test: gast.expr, holds: bool) -> list[Comparison]:
    """The comparisons that are true where a test is, or is not."""
    if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And if holds else gast.Or):
        return [comparison for part in test.values for comparison in _compared(part, holds)]
    if not isinstance(test, gast.Compare) or not holds and len(test.ops) > 1:
        return []
    sides = [test.left, *test.comparators]
    ops = [type(op) if holds else _OPPOSITE.get(type(op)) for op in test.ops]
    found = zip(sides, ops, sides[1:])
    return [(a, op, b) for a, op, b in found if op and _is_lasting(a) and _is_lasting(b)]


def _is_lasting(side: gast.expr) -> bool:
    """Whether only names decide what an expression is: what is in memory may change."""
    return all(isinstance(node, _LASTING) for node in walk(side))


def _told(comparison: Comparison, part: gast.expr) -> Interval:
    """Between which values a part lies by a comparison with a number."""
    left, op, right = comparison
    if same(right, part):
        left, op, right = right, _TURNED.get(op, op), left
    value = number(right)
    if not same(left, part) or type(value) is not int:
        return ANY
    return {
        gast.Eq: (value, value),
        gast.GtE: (value, inf),
        gast.Gt: (value + 1, inf),
        gast.LtE: (-inf, value),
        gast.Lt: (-inf, value - 1),
    }.get(op, ANY)


_LASTING = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp)
_TURNED = {gast.Lt: gast.Gt, gast.Gt: gast.Lt, gast.LtE: gast.GtE, gast.GtE: gast.LtE}
_OPPOSITE = {
    gast.Lt: gast.GtE,
    gast.GtE: gast.Lt,
    gast.Gt: gast.LtE,
    gast.LtE: gast.Gt,
    gast.Eq: gast.NotEq,
    gast.NotEq: gast.Eq,
}


def _plus(one: Interval, other: Interval) -> Interval:
    return one[0] + other[0], one[1] + other[1]


def _minus(one: Interval, other: Interval) -> Interval:
    return one[0] - other[1], one[1] - other[0]


def _both(one: Interval, other: Interval) -> Interval:
    return max(one[0], other[0]), min(one[1], other[1])


def _by(extremum: str, parts: list[Interval]) -> Interval:
    choose = max if extremum == "max" else min
    return choose(low for low, _ in parts), choose(high for _, high in parts)
