"""Which names may share memory, and whose memory no statement stores into."""

from __future__ import annotations

import gast

from autodiff.frontend.jitted import is_jitted
from autodiff.kinds.kind import Array, Scalar
from autodiff.native.helpers import UNCHANGING
from autodiff.native.native_kinds import NativeKinds, is_range
from autodiff.native.vocabulary import SHARING
from autodiff.primitives.memory import claim_of
from autodiff.rules import methods
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import children, statements, walk
from autodiff.syntax.windows import root

_OUTSIDE = ""
"""Stands for what the caller holds: two arguments may be one array."""
_NEW = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp, gast.Constant)


class Memory:
    """The groups of names that may share memory, wherever in the function."""

    def __init__(self) -> None:
        self.leaders: dict[str, str] = {}
        self.stored: list[tuple[str, int]] = []
        """Names into whose memory is stored, and in which statement of the function's body."""

    def group(self, name: str) -> str:
        """One name for all that may share memory with this one."""
        while self.leaders.get(name, name) != name:
            name = self.leaders[name]
        return name

    def share(self, one: str, other: str) -> bool:
        return self.group(one) == self.group(other)

    def lasts(self, name: str, first: int, last: int) -> bool:
        """Whether no statement of the body from `first` to `last` stores into a name's memory."""
        return not any(first <= k <= last and self.share(name, n) for n, k in self.stored)

    def join(self, names: set[str]) -> None:
        first, *rest = sorted(map(self.group, names)) or [_OUTSIDE]
        for other in rest:
            self.leaders[other] = first


def memory(tree: gast.FunctionDef, known: NativeKinds) -> Memory:
    """The memory of all names of a function without nested functions, whatever the order.

    A call of what `vocabulary` lists gives new memory; one of a jitted function of the user's may
    give back and change what it is given.
    """
    return _Reader(known).read(tree)


def held(node: gast.expr, known: NativeKinds) -> set[str]:
    """Names whose memory the value of an expression may share: none for a new array."""
    return _Reader(known).held(node)


class _Reader:
    def __init__(self, known: NativeKinds) -> None:
        self.known = known
        self.found = Memory()
        self.place = 0

    def read(self, tree: gast.FunctionDef) -> Memory:
        self.found.join({_OUTSIDE, *parameters(tree.args)})
        for self.place, outer in enumerate(tree.body):
            self.block(statements(outer))
        return self.found

    def block(self, body: list[gast.stmt]) -> None:
        for node in body:
            if isinstance(node, gast.Assign):
                self.assign(node.targets[0], node.value)
            elif isinstance(node, gast.For):
                self.assign(node.target, node.iter)
            elif isinstance(node, gast.AugAssign):
                if not self.is_number(node.target) or isinstance(node.target, gast.Subscript):
                    self.store(node.target)
            elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
                self.found.join(self.mentioned(node.value))  # what is appended is held
            for part in walk([p for p in children(node) if isinstance(p, gast.expr)]):
                if isinstance(part, gast.Call) and self.is_users(part, changing=True):
                    self.found.stored += [(n, self.place) for n in self.mentioned(part)]

    def assign(self, target: gast.expr, value: gast.expr) -> None:
        if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
            for inner, part in zip(target.elts, value.elts):
                self.assign(inner, part)
        elif isinstance(target, gast.Subscript):
            self.store(target)
            if not isinstance(self.known.of(target.value), Array):  # a list holds it
                self.found.join({root(target) or _OUTSIDE} | self.held(value))
        elif held := self.held(value):
            self.found.join(writes(target) | held)

    def store(self, target: gast.expr) -> None:
        self.found.stored.append((root(target) or _OUTSIDE, self.place))

    def held(self, node: gast.expr) -> set[str]:
        """Names whose memory the value of an expression may share."""
        if isinstance(node, _NEW) or is_range(node) or self.is_number(node):
            return set()
        if isinstance(node, gast.Name):
            return {node.id}
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            return self.held(node.value)
        if isinstance(node, gast.Call) and not self.is_users(node):
            called = self.known.called(node)
            if called is not None and not any(called is other for other in SHARING):
                return set()
            if called is not None:  # a new array has memory of its own here, too
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                return set().union(*map(self.held, given))
            own = methods.method(getattr(node.func, "attr", ""))
            if own is not None and claim_of(own.function).memory == "new":
                return set()
        return self.mentioned(node)

    def is_users(self, node: gast.Call, changing: bool = False) -> bool:
        """Whether a call may give back, or change, what it is given."""
        called = self.known.called(node)
        return is_jitted(called) and not (changing and called in UNCHANGING)

    def mentioned(self, node: gast.expr) -> set[str]:
        names = [n for n in walk(node) if isinstance(n, gast.Name) and n.id in self.known.local]
        return {n.id for n in names if not self.is_number(n)}

    def is_number(self, node: gast.expr) -> bool:
        return isinstance(self.known.of(node), Scalar)
