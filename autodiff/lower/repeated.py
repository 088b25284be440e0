"""What loops carry: variables that their bodies bind and that are read in another iteration or
behind the loop.

A body is lowered until the kinds of what is carried last. Kinds are kept for each loop, so a loop
inside of others is lowered few times: the time does not double with each loop around it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.joins import join
from autodiff.analysis.kind import Array, Kind, Scalar, forget_values, number
from autodiff.analysis.size import Dim
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Loop
from autodiff.core.value import Value, nothing
from autodiff.lower.entry import (
    Entry,
    Maybe,
    Mixed,
    Pack,
    Stale,
    Unbound,
    Wanted,
    alike,
    bound,
    leaves,
    rebuilt,
)

if TYPE_CHECKING:
    from autodiff.lower.statements import Statements

Known = tuple[Entry, list[Kind]]
"""The form of a carried variable, and the kinds of its parts."""

_TOKEN = re.compile(r"v(\d+)")
_UNBOUND = Unbound()


class Repeated:
    """Lowers one loop.

    names: the variables that the body binds. before: what they hold before the loop. known: those
    that are carried. guessed: those read before the body binds them, taken for numbers until it is
    seen what it binds. certain: the body runs at least once.
    """

    def __init__(
        self, statements: Statements, node: Any, names: Iterable[str], certain: bool
    ) -> None:
        self.statements, self.node, self.certain = statements, node, certain
        self.frame = frame = statements.frame
        self.names, self.before, self.outer = list(names), dict(frame.names), frame.builder
        self.key = id(node), tuple(map(id, statements.unit.calls))
        kept = statements.unit.widened.setdefault(self.key, (node, {}))
        self.known: dict[str, Known] = kept[1]
        self.guessed: set[str] = set()
        self.wanted = {n for n in self.names if self.is_read_outside(n)}
        for n in self.names:
            self.start(n)

    def start(self, name: str) -> None:
        """What is known of a variable before the body is lowered."""
        entry = self.before.get(name, _UNBOUND)
        if not isinstance(bound(entry), (Value, Pack)):
            return
        values = list(leaves(entry))
        kinds = [forget_values(value.kind) for value in values]
        if not all(isinstance(kind, (Array, Scalar)) for kind in kinds):
            self.known.pop(name, None)
            return
        if name in self.known and len(self.known[name][1]) == len(kinds):
            kinds = [join(one, other) for one, other in zip(self.known[name][1], kinds)]
        self.known[name] = bound(entry), kinds

    def is_read_outside(self, name: str) -> bool:
        """Whether something else in the function than the loop reads a variable."""
        frame = self.frame
        return loads(frame.tree, frame)[name] > loads(self.node, frame)[name]

    def run(self, make: Callable[[], Loop], fill: Callable[[Loop], None]) -> Loop:
        """The loop. make: a new one. fill: lowers its body."""
        while True:
            op = make()
            mark = int(Value("", Scalar("int", None)).token[1:])
            carried = {n: self.parameter(n, *known) for n, known in self.known.items()}
            self.frame.names = {**self.before}
            for n in self.names:
                self.frame.names[n] = carried[n] if n in carried else self.uncarried(n)
            self.frame.builder = self.outer.inside(op.body)
            try:
                fill(op)
            except Wanted as wanted:
                self.take(wanted.stale)
                continue
            if self.settled(mark):
                break
        ends = self.frame.names
        self.frame.names, self.frame.builder = dict(self.before), self.outer
        self.outer.origin = getattr(self.node, "origin", None)
        self.outer.add(op)
        for n in self.names:
            if n in carried:
                self.frame.names[n] = self.carry(op, n, carried[n], ends[n])
            else:
                self.frame.names[n] = self.left(n, ends.get(n, _UNBOUND))
        return op

    def parameter(self, name: str, entry: Entry, kinds: list[Kind]) -> Entry:
        """What the loop carries in place of a variable."""
        before = self.before.get(name, _UNBOUND)
        memories = [value.memory for value in leaves(before)] if self.is_value(before) else []
        made = []
        for k, (value, kind) in enumerate(zip(leaves(entry), kinds)):
            if not isinstance(kind, (Array, Scalar)):
                raise NotYet(f"a loop carries {type(kind).__name__.lower()}")
            hint = name if isinstance(entry, Value) else value.hint
            own = Value(
                hint if hint.isidentifier() else "value",
                kind,
                memories[k] if memories else None,
                named=True,
            )
            own.partial = not self.is_value(before) or isinstance(before, Maybe)
            made.append(own)
        whole = rebuilt(entry, iter(made))
        return Maybe(whole) if any(value.partial for value in made) else whole

    def is_value(self, entry: Entry) -> bool:
        """Whether a variable holds something that can be carried."""
        return isinstance(bound(entry), (Value, Pack))

    def uncarried(self, name: str) -> Entry:
        """What the body sees of a variable that is not carried."""
        before = self.before.get(name, _UNBOUND)
        if self.is_value(before):
            return Mixed("a loop carries what is no number and no array")
        if isinstance(before, (Unbound, Stale)):
            return Stale(self.key, name)
        return before

    def take(self, stale: Stale) -> None:
        """A variable is read that an earlier iteration left."""
        if stale.loop != self.key:
            raise Wanted(stale)
        if stale.entry is not None:
            self.learn(stale.name, stale.entry)
            return
        if stale.name in self.guessed:
            raise NotYet("a variable that an earlier iteration leaves")
        self.guessed.add(stale.name)
        self.learn(stale.name, Value(stale.name, number("float", "float64")))

    def learn(self, name: str, entry: Entry) -> bool:
        """From now on a variable is carried, if it can be."""
        if not self.is_value(entry):
            return False
        kinds = [forget_values(value.kind) for value in leaves(entry)]
        if not all(isinstance(kind, (Array, Scalar)) for kind in kinds):
            return False
        self.known[name] = bound(entry), kinds
        return True

    def settled(self, mark: int) -> bool:
        """Whether kinds last; otherwise wider ones are taken."""
        ends, lasting = self.frame.names, True
        for n in self.guessed & self.known.keys():
            self.guessed.discard(n)
            lasting = False
            if not self.learn(n, ends[n]):
                raise NotYet("a variable that an earlier iteration leaves")
        if not lasting:
            return False
        for n, (entry, kinds) in self.known.items():
            if not alike(entry, bound(ends[n])):
                raise NotYet("a variable that changes its form in a loop")
            after = [
                join(kind, outlived(value.kind, mark))
                for kind, value in zip(kinds, leaves(ends[n]))
            ]
            if after != kinds:
                self.known[n] = entry, [forget_values(kind) for kind in after]
                lasting = False
        for n in self.wanted - self.known.keys():
            before = self.before.get(n, _UNBOUND)
            if isinstance(before, (Unbound, Stale)) and self.learn(n, ends[n]):
                entry, kinds = self.known[n]
                self.known[n] = entry, [outlived(kind, mark) for kind in kinds]
                lasting = False
        return lasting

    def carry(self, op: Loop, name: str, own: Entry, following: Entry) -> Entry:
        """One more carried variable; what it holds after the loop."""
        before = self.before.get(name, _UNBOUND)
        if isinstance(before, Stale):
            raise Wanted(Stale(before.loop, before.name, bound(following)))
        parameters = list(leaves(own))
        inits = (
            list(leaves(before)) if self.is_value(before) else [nothing(name) for _ in parameters]
        )
        results = []
        partial = isinstance(own, Maybe) and not self.certain or isinstance(following, Maybe)
        for init, parameter, value in zip(inits, parameters, leaves(following)):
            result = Value(parameter.hint, parameter.kind, parameter.memory, named=True)
            result.partial = partial
            op.carry(init, parameter, value, result)
            results.append(result)
        whole = rebuilt(bound(own), iter(results))
        return Maybe(whole) if partial else whole

    def left(self, name: str, end: Entry) -> Entry:
        """What a variable that is not carried holds after the loop."""
        before = self.before.get(name, _UNBOUND)
        if self.is_value(before):
            return Mixed("a loop carries what is no number and no array")
        if isinstance(before, (Unbound, Stale)):
            return before if isinstance(end, (Unbound, Stale)) else Mixed("a variable of a loop")
        if end is not before and end != before:
            raise NotYet("a variable that changes its form in a loop")
        return before


def loads(node: Any, frame: Any) -> Counter[str]:
    """How often each name is read in a tree; found once for each loop."""
    found: Counter[str] | None = frame.loads.get(id(node))
    if found is None:
        found = frame.loads[id(node)] = Counter()
        for part in gast.walk(node):
            if isinstance(part, gast.AugAssign):
                part = part.target
            elif not isinstance(getattr(part, "ctx", None), gast.Load):
                continue
            if isinstance(part, gast.Name):
                found[part.id] += 1
    return found


def outlived(kind: Kind, start: int) -> Kind:
    """The kind of a value that outlives an iteration: sizes named after values of the iteration are
    not known.
    """

    def lasts(size: Any) -> bool:
        return not isinstance(size, Dim) or all(int(k) < start for k in _TOKEN.findall(size.name))

    if isinstance(kind, Array):
        return Array(kind.dtype, tuple(size if lasts(size) else None for size in kind.shape))
    return forget_values(kind)
