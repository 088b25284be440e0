"""Names: values that one variable can hold share a name; hints are made unique by interference."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

import gast

from autodiff.core import MARK, Apply, Function, If, Load, LoadOuter, Loop, Pop, View
from autodiff.core.value import Block, Value
from autodiff.emit.lives import Life, Lives, disjoint, meets, overlap
from autodiff.emit.placement import Places
from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.normalize.anf import hint as hint_of
from autodiff.primitives import BOUND, filled, index_node, written
from autodiff.syntax.names import name


def named(function: Function, places: Places, taken: Iterable[str]) -> dict[Value, str]:
    """A name for each value that does not print inline; of values of one form, if plain."""
    return _Names(function, places, set(taken)).names


class _Names:
    def __init__(self, function: Function, places: Places, taken: set[str]) -> None:
        self.function, self.places = function, places
        values = [v for v in _all(function.body) if v not in places.inline]
        values += [v for v in function.seeds or () if v not in values]
        lives = Lives(places)
        self.lives: dict[Value, Life] = {v: lives.of(v) for v in values}
        self.before: dict[Value, Life] = {v: lives.before(v) for v in values}
        self.members: dict[Value, list[Value]] = {v: [v] for v in values}
        self.leader: dict[Value, Value] = {v: v for v in values}
        loops = [op for op in function.body.walk() if isinstance(op, Loop)]
        for op in loops:
            for parameter, result in zip(op.carried, op.results):
                self.unite(parameter, result, force=True)
        branches = [op for op in function.body.walk() if isinstance(op, If)]
        for pair in (pair for op in branches for pair in joins(op) if pair[0].partial):
            self.unite(*pair)  # first, since what may hold nothing is not copied
        for each in function.body.walk():
            if isinstance(each, Loop):
                for init, parameter, following in zip(each.inits, each.carried, each.body.results):
                    self.unite(parameter, following)
                    self.unite(init, parameter)
            elif isinstance(each, If):
                for pair in joins(each):
                    self.unite(*pair)
        self.names: dict[Value, str] = {}
        self.give(taken)

    def give(self, taken: set[str]) -> None:
        """Names for the groups. busy: where one is taken. known: those that follow from a hint."""
        busy: dict[str, Life] = {}
        known: dict[str, list[tuple[str, Life]]] = {}
        forms: dict[str, object] = {}
        fixed = set(self.function.body.parameters)
        order = sorted(
            self.members,
            key=lambda v: (not fixed & set(self.members[v]), min(self.lives[v] + self.before[v])),
        )
        for leader in order:
            group = sorted(
                self.members[leader],
                key=lambda v: (v not in fixed, not v.named, self.places.where(v)),
            )
            base, life = hint(group[0]), disjoint(self.lives[leader] + self.before[leader])
            names = known.setdefault(base, [])
            pushed = (self.names[v] for v in map(kept_of, group) if v in self.names)
            own = next(pushed, "")
            form: object = form_of(leader.kind) if self.places.plain else None
            if self.places.plain and not own and leader.op is not None and leader.op.reverse:
                form = leader  # so that it is clear what does not change
            taken_by = busy.get(own, [(-1.0, math.inf)])
            for count in itertools.count(1):
                fits = own not in taken and forms.get(own, form) == form
                if fits and not meets(taken_by, life):
                    break
                if count > len(names):
                    own = numbered(base, count)
                    names.append((own, busy.setdefault(own, [])))
                own, taken_by = names[count - 1]
            forms[own] = form
            taken_by += life
            taken_by.sort()
            for value in group:
                self.names[value] = own

    def unite(self, a: Value, b: Value, force: bool = False) -> None:
        a, b = self.printed(a), self.printed(b)
        if a not in self.leader or b not in self.leader:
            return
        a, b = self.leader[a], self.leader[b]
        words = {v.hint for v in self.members[a] + self.members[b] if v.named}
        one, other = self.lives[a], self.lives[b]
        meet = (one, other), (one, self.before[b]), (self.before[a], other)
        if a is b or not force and (any(overlap(*pair) for pair in meet) or len(words) > 1):
            return
        if not force and self.places.plain and form_of(a.kind) != form_of(b.kind):
            return
        self.members[a] += self.members.pop(b)
        one += other
        self.before[a] += self.before[b]
        for value in self.members[a]:
            self.leader[value] = a

    def printed(self, value: Value) -> Value:
        """What a value prints as that is another one under the same name."""
        while value in self.places.inline and isinstance(value.op, Apply):
            if value.op.primitive is not BOUND:
                break
            value = value.op.operands[0]
        return value


def form_of(kind: Kind) -> object:
    """What compiled code has to know of a variable before it runs."""
    if isinstance(kind, Scalar):
        return kind.type
    return (kind.dtype, len(kind.shape)) if isinstance(kind, Array) else type(kind)


def joins(op: If) -> Iterator[tuple[Value, Value]]:
    """What the blocks of a branch leave, and what it is behind it."""
    for block in op.blocks:
        yield from zip(block.results, op.results)


def kept_of(value: Value) -> Value | None:
    """What was pushed of what is popped: it gets the same name, if that is free."""
    op = value.op
    return op.push.operands[op.results.index(value)] if isinstance(op, Pop) else None


def numbered(base: str, count: int) -> str:
    """The name with a number that follows from a hint: `x_2_bar`, `x_2_dot`."""
    if count == 1:
        return base
    derived = base.endswith(("_bar", "_dot"))
    return f"{base[:-4]}_{count}{base[-4:]}" if derived else f"{base}_{count}"


def _all(block: Block) -> Iterator[Value]:
    yield from block.parameters
    for op in block.operations:
        for inner in op.blocks:
            yield from _all(inner)
        yield from op.results


def hint(value: Value) -> str:
    """The name that a value would like to have."""
    value.hint = _hint(value, 0)[0]
    return value.hint


def _hint(value: Value, depth: int) -> tuple[str, bool]:
    """The same, seen from some operations away; and whether nothing was too far for that."""
    if value.hint:
        return (value.hint if value.hint.isidentifier() else "value"), True
    op = value.op
    if depth > 3 or op is None:
        return "value", op is None
    whole = True

    def fill(operand: Value) -> gast.expr:
        nonlocal whole
        if operand.is_constant:
            return written(operand.constant)
        own, all_of_it = _hint(operand, depth + 1)
        whole = whole and all_of_it
        return name(own)

    text = "value"
    if isinstance(op, LoadOuter):
        text = op.path.rpartition(".")[2].removeprefix(MARK)
    elif isinstance(op, Apply) and op.form is not None:
        text = hint_of(filled(_plain(op.form), lambda number: fill(op.operands[number])))
    elif isinstance(op, (Load, View)):
        if op.window is None:
            text, whole = _hint(op.base, depth + 1)
        else:
            index = index_node(op.window, [fill(v) for v in op.index])
            text = hint_of(gast.Subscript(value=fill(op.base), slice=index, ctx=gast.Load()))
    text = text if text.isidentifier() else "value"
    if whole:
        value.hint = text
    return text, whole


def _plain(form: gast.AST) -> gast.AST:
    """The form with references as the names that they probably get."""
    from autodiff.syntax.walk import map_children  # noqa: PLC0415

    if isinstance(form, gast.Name):
        return name(form.id[1:]) if form.id.startswith("@") else form
    return map_children(_plain, form)
