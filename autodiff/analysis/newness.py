"""How many levels of what a name holds were made by the function itself, judged by its text.

    d = {"u": x * 1.0, "v": x}      1: the dict is new; of its items `v` is not
    d = {"u": x * 1.0}              new to the bottom, as `d["u"]` is new and holds numbers

So a function may change `d`, and of the second one also `d["u"]`, without its caller noticing. What
is stored in a container counts for all names that may be connected with it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.numbers_by_text import ARITHMETIC, MAKING, NUMBERS, NumbersByText
from autodiff.syntax.names import writes
from autodiff.syntax.walk import walk
from autodiff.syntax.windows import root

ALL = math.inf
"""New to the bottom; numbers are."""

_CONVERTING = frozenset((float, int, complex, bool, str, len, abs, round, range))
_COPYING = frozenset((list, dict, sorted, tuple, set, reversed))
_FACTORIES = frozenset("float int complex list dict set".split())
_TAKING = frozenset("pop get setdefault popitem".split())
ADDING = frozenset("append extend insert update add setdefault __setitem__ __iadd__".split())
_SPREADING = frozenset("extend update __iadd__".split())


class Newness(NumbersByText):
    """How new what names hold is; all of a function's code counts, in whatever order it runs."""

    def __init__(
        self,
        tree: gast.FunctionDef,
        classes: dict[str, type],
        lookup: Callable[[str], Any],
    ) -> None:
        super().__init__(tree, classes, lookup)
        self.depth: dict[str, float] = dict.fromkeys(self.local, ALL)
        for own in self.unknown | self.given:
            self.depth[own] = ALL if issubclass(classes.get(own, object), NUMBERS) else 0
        self.groups = self._groups()
        while self._lowered():
            pass

    def of(self, value: gast.expr) -> float:
        """How many levels of a value are new."""
        if isinstance(value, gast.Constant):
            return ALL
        if isinstance(value, gast.Name):
            return self.depth.get(value.id, 0)
        if isinstance(value, (gast.UnaryOp, gast.Compare, gast.JoinedStr)):
            return ALL
        if isinstance(value, gast.BinOp):
            if self.is_numeric(value) or isinstance(value.op, ARITHMETIC):
                return ALL
            return max(1, min(self.of(value.left), self.of(value.right)))
        if isinstance(value, gast.Subscript):
            inner = self.of(value.value)
            return inner if _is_part(value.slice) else max(0, inner - 1)
        if isinstance(value, gast.Attribute):
            return self.of(value.value) if value.attr == "T" else max(0, self.of(value.value) - 1)
        if isinstance(value, (gast.Tuple, gast.List, gast.Set)):
            return 1 + self._least(value.elts)
        if isinstance(value, gast.Dict):
            spread = [v for k, v in zip(value.keys, value.values) if k is None]
            own = [v for k, v in zip(value.keys, value.values) if k is not None]
            return 1 + min(self._least(own), max(0, self._least(spread) - 1))
        if isinstance(value, gast.IfExp):
            return self._least([value.body, value.orelse])
        if isinstance(value, gast.BoolOp):
            return self._least(value.values)
        return self._of_call(value) if isinstance(value, gast.Call) else 0

    def is_made(self, value: gast.expr) -> bool:
        """Whether an expression makes an array or container that nobody else has."""
        return self.of(value) > 0 and not _is_view(value)

    def _least(self, values: Iterable[gast.expr]) -> float:
        return min(
            (max(0, self.of(v.value) - 1) if isinstance(v, gast.Starred) else self.of(v))
            for v in (*values, gast.Constant(0, None))
        )

    def _of_call(self, value: gast.Call) -> float:
        function = self.function(value)
        if isinstance(function, np.ufunc) or function in _CONVERTING:
            return ALL
        if function in MAKING and not value.keywords:
            return ALL
        if function in _COPYING and len(value.args) <= 1 and not value.keywords:
            return max(1, self._least(value.args))
        if function is defaultdict and len(value.args) == 1:
            factory = value.args[0]
            return ALL if getattr(factory, "id", None) in _FACTORIES else 1
        if function is None and isinstance(value.func, gast.Attribute) and not value.keywords:
            base = value.func.value
            if value.func.attr == "copy":
                return ALL if self.is_numeric(base) else max(1, self.of(base))
            if value.func.attr in _TAKING and self.of(base) > 0:
                return min(max(0, self.of(base) - 1), self._least(value.args[1:]))
        return 0

    def _groups(self) -> dict[str, set[str]]:
        """The names that may hold, or be held by, the same containers."""
        groups = {n: {n} for n in self.local}

        def join(names: set[str]) -> None:
            joined = set().union(*(groups[n] for n in names))
            for n in joined:
                groups[n] = joined

        for target, value in self.values:
            if not self.is_numeric(value):
                join((_names(target) | _names(value)) & self.local - self.numeric)
        for node in self.nodes:
            if isinstance(node, gast.AugAssign):
                join((_names(node.target) | _names(node.value)) & self.local - self.numeric)
            elif isinstance(node, gast.Call):
                join(_names(node) & self.local - self.numeric)
        return groups

    def _lowered(self) -> bool:
        """Look at all assignments and stores once; whether a name turned out to be less new."""
        before = dict(self.depth)
        for target, value in self.values:
            found = self.of(value)
            if isinstance(target, gast.Name):
                self.depth[target.id] = min(self.depth[target.id], found)
            elif isinstance(target, gast.Tuple):
                for own in writes(target):
                    self.depth[own] = min(self.depth[own], max(0, found - 1))
            else:
                self._stored(target, found)
        for node in self.nodes:
            if isinstance(node, gast.AugAssign):
                self._stored(node.target, max(0, self.of(node.value) - 1))
            elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
                if node.func.attr in ADDING:
                    spread = 1 if node.func.attr in _SPREADING else 0
                    self._stored(node.func, max(0, self._least(node.args) - spread))
        return before != self.depth

    def _stored(self, target: gast.expr, depth: float) -> None:
        base = root(target)
        if base is None or base not in self.local or base in self.numeric:
            return  # an array takes numbers
        for own in self.groups[base]:
            self.depth[own] = min(self.depth[own], 1 + depth)

    def may_change(self, target: gast.expr) -> bool:
        """Whether a store into `d["u"][0]`, or a call of a method `d["u"].append`, is only into
        what the function made itself."""
        levels, node = 0, target
        while isinstance(node, (gast.Subscript, gast.Attribute)):
            part = isinstance(node, gast.Subscript) and _is_part(node.slice) and node is not target
            levels += 0 if part else 1
            node = node.value
        return isinstance(node, gast.Name) and self.depth.get(node.id, 0) >= max(levels, 1)

    def may_add(self, target: gast.expr) -> bool:
        """The same of `d["u"] += e`, which changes `d["u"]` itself."""
        if isinstance(target, gast.Name):
            return self.depth.get(target.id, 0) >= 1
        if root(target) in self.numeric or _is_part(getattr(target, "slice", None)):
            return self.may_change(target)
        return self.may_change(gast.Subscript(value=target, slice=None, ctx=gast.Store()))


def _is_view(value: gast.expr) -> bool:
    return isinstance(value, (gast.Name, gast.Subscript, gast.Attribute, gast.IfExp, gast.BoolOp))


def _names(node: gast.AST) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, gast.Name)}


def _is_part(index: gast.expr | None) -> bool:
    """Whether an index takes a part of a list or array, not an item."""
    several = index.elts if isinstance(index, gast.Tuple) else [index]
    return any(isinstance(part, gast.Slice) for part in several)
