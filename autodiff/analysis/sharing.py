"""Which names may share memory at each point of a function.

The analysis is sensitive to the flow, and keeps pairs: after `u, w = w, u` the two names still hold
two arrays. What the caller still holds of a parameter `x` goes by the name `x@`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import gast

from autodiff.analysis.kind import Array, Scalar, Span, Static, Text
from autodiff.analysis.known import Kinds
from autodiff.analysis.references import borrowed, has_memory, is_array_entry, outer_memory
from autodiff.syntax.names import captured, caught, parameters, reads, writes
from autodiff.syntax.windows import root

State = dict[str, frozenset[str]]
"""For each name the names that may share memory with it, itself not included."""

_NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sharing:
    """For each statement, by id, who shares memory with whom before and after it."""

    before: Mapping[int, State]
    after: Mapping[int, State]

    def partners(self, statement: gast.AST, name: str) -> frozenset[str]:
        """The names that may share memory with `name` when the statement begins."""
        return self.before.get(id(statement), {}).get(name, _NOBODY)


def caller(parameter: str) -> str:
    """What stands for the memory that the caller passed, or that a global refers to."""
    return f"{parameter}@"


def sharing(
    tree: gast.FunctionDef, kinds: Kinds, apart: gast.stmt | None = None
) -> Sharing:
    """Who shares memory with whom, for a function in normal form.

    apart: an assignment whose value is taken to be new memory.
    """
    flow = _Flow(kinds, apart)
    state: State = {}
    for parameter in parameters(tree.args):
        if has_memory(parameter, kinds):
            _pair(state, parameter, caller(parameter))
    flow.block(tree.body, state)
    return Sharing(flow.before, flow.after)


class _Flow:
    def __init__(self, kinds: Kinds, apart: gast.stmt | None) -> None:
        self.kinds = kinds
        self.apart = apart
        self.before: dict[int, State] = {}
        self.after: dict[int, State] = {}

    def block(self, statements: list[gast.stmt], state: State) -> State:
        for statement in statements:
            self.before[id(statement)] = state
            state = self.statement(statement, state)
            self.after[id(statement)] = state
        return state

    def statement(self, node: gast.stmt, state: State) -> State:
        if isinstance(node, gast.Assign):
            return self.assign(node, state)
        if isinstance(node, gast.If):
            return _joined(self.block(node.body, state), self.block(node.orelse, state))
        if isinstance(node, (gast.For, gast.While)):
            while True:
                after = _joined(state, self.block(node.body, state))
                if after == state:
                    return state
                state = after
        if isinstance(node, gast.With):
            state = self.bound(writes(node.items), reads(node.items), state)
            return _joined(state, self.block(node.body, state))
        if isinstance(node, gast.Try):
            return self.attempt(node, state)
        if isinstance(node, gast.Expr):
            return self.effect(node.value, state)
        if isinstance(node, gast.FunctionDef):
            return self.bound({node.name}, held_by(node), state)
        if isinstance(node, gast.AugAssign):
            return self.stored(node.target, node.value, state)
        if isinstance(node, gast.Return):
            return state
        return self.bound(writes(node), reads(node), state)

    def attempt(self, node: gast.Try, state: State) -> State:
        """An exception may come anywhere in the body."""
        anywhere = state
        after = state
        for statement in node.body:
            after = self.block([statement], after)
            anywhere = _joined(anywhere, after)
            for inner in _inside(statement):
                anywhere = _joined(anywhere, self.before.get(id(inner), {}))
        result = self.block(node.orelse, after)
        for handler in node.handlers:
            inside = self.bound(caught(handler), reads(node.body), anywhere)
            result = _joined(result, self.block(handler.body, inside))
        if node.finalbody:
            result = self.block(node.finalbody, _joined(result, anywhere))
        return result

    def assign(self, node: gast.Assign, state: State) -> State:
        target = node.targets[0]
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            return self.stored(target, node.value, state)
        state = self.effect(node.value, state)
        is_new = node is self.apart or is_array_entry(node, self.kinds)
        sources = set() if is_new else borrowed(node.value, self.kinds)
        after = self.bound(writes(target), sources, state)
        for outside in () if is_new else outer_memory(node.value, self.kinds):
            for own in writes(target):
                if has_memory(own, self.kinds):
                    _pair(after, own, caller(outside))
        return after

    def bound(self, targets: Iterable[str], sources: Iterable[str], state: State) -> State:
        """Names that get a new value, which may share memory with the sources."""
        targets = set(targets)
        if not targets:
            return state
        partners: set[str] = set()
        for source in sources:
            if has_memory(source, self.kinds):
                partners |= {source} | state.get(source, _NOBODY)
        new = dict(state)
        for target in targets:
            _alone(new, target)
        fresh = {target for target in targets if has_memory(target, self.kinds)}
        for target in fresh:
            for partner in (partners | fresh) - {target}:
                if partner not in targets or partner in fresh:
                    _pair(new, target, partner)
        if not partners and len(fresh) > 1:  # parts of one new value
            return new
        return new

    def stored(self, target: gast.expr, value: gast.expr, state: State) -> State:
        """What is put into a container is shared with it; an array takes a copy."""
        base = root(target)
        if isinstance(target, gast.Name) or base is None:
            return state
        if isinstance(self.kinds.names.get(base), (Array, Scalar)):
            return state
        return self.linked({base}, [value], state)

    def effect(self, node: gast.expr, state: State) -> State:
        """A call may put what it is given into its receiver, or into another argument."""
        if not isinstance(node, gast.Call):
            return state
        operation = self.kinds.operation(node)
        if operation is not None and operation.pure:
            return state
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, gast.Attribute):
            given.append(node.func.value)
        elif isinstance(node.func, gast.Name):
            given.append(node.func)
        names = {n for part in given for n in borrowed(part, self.kinds)}
        holders = {n for n in names if self.holds(n)}
        return self.linked(holders, given, state) if holders else state

    def holds(self, name: str) -> bool:
        """Whether a value can refer to other memory: containers, objects, whatever is unknown."""
        kind = self.kinds.names.get(name)
        return not isinstance(kind, (Array, Scalar, Span, Static, Text))

    def linked(self, holders: set[str], given: list[gast.expr], state: State) -> State:
        new = dict(state)
        sources = {n for part in given for n in borrowed(part, self.kinds)}
        outside = {caller(n) for part in given for n in outer_memory(part, self.kinds)}
        for holder in sorted(holders):
            owners = {holder} | {n for n in state.get(holder, _NOBODY) if self.holds(n)}
            partners = outside.union(
                *({n} | state.get(n, _NOBODY) for n in sources if has_memory(n, self.kinds))
            )
            for owner in owners:
                for partner in partners - {owner}:
                    _pair(new, owner, partner)
        return new


def held_by(function: gast.FunctionDef) -> set[str]:
    """Names whose memory a nested function may hand out: variables around it, and defaults."""
    defaults = [d for d in (*function.args.defaults, *function.args.kw_defaults) if d is not None]
    return captured(function) | reads([*defaults, *function.decorator_list])


def _pair(state: State, left: str, right: str) -> None:
    state[left] = state.get(left, _NOBODY) | {right}
    state[right] = state.get(right, _NOBODY) | {left}


def _alone(state: State, name: str) -> None:
    for partner in state.pop(name, _NOBODY):
        rest = state[partner] - {name}
        if rest:
            state[partner] = rest
        else:
            del state[partner]


def _joined(left: State, right: State) -> State:
    if left is right:
        return left
    joined = dict(left)
    for name, partners in right.items():
        joined[name] = joined.get(name, _NOBODY) | partners
    return joined


def _inside(statement: gast.stmt) -> list[gast.stmt]:
    found: list[gast.stmt] = []
    for field in ("body", "orelse", "finalbody"):
        for inner in getattr(statement, field, None) or []:
            found += [inner, *_inside(inner)]
    for handler in getattr(statement, "handlers", ()):
        for inner in handler.body:
            found += [inner, *_inside(inner)]
    return found


