"""Which names of a function hold nothing but numbers and arrays, judged by its text.

`x * 2` may be a list twice, `x * 2.0` and `x - y` are numbers or arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.rules.home import hashable
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import walk

NUMBERS = (float, int, complex, np.generic)
ARITHMETIC = (gast.Sub, gast.Div, gast.FloorDiv, gast.Pow, gast.MatMult)
"""What gives new numbers and arrays: lists have no such operators."""

MAKING: frozenset[Any] = frozenset(
    (
        *(np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like),
        *(np.full_like, np.arange, np.linspace, np.eye, np.identity, np.array, np.copy),
        *(np.sum, np.mean, np.prod, np.dot, np.outer, np.where, np.concatenate, np.stack),
        *(np.cumsum, np.max, np.min, np.vdot, np.inner),
    )
)
"""Functions that make new numbers and arrays, whatever they are given."""


class NumbersByText:
    """What is known of the names of a function, from all of its code in whatever order it runs."""

    def __init__(
        self,
        tree: gast.FunctionDef,
        classes: dict[str, type],
        lookup: Callable[[str], Any],
    ) -> None:
        self.lookup = lookup
        self.nodes = walk(tree)
        self.given = {p for n in self.nodes if isinstance(n, gast.arguments) for p in parameters(n)}
        self.unknown = self._unknown()
        names = [n for n in self.nodes if isinstance(n, gast.Name)]
        bound = {n.id for n in names if not isinstance(n.ctx, gast.Load)}  # inside, too
        self.local = self.given | self.unknown | bound
        self.values = [
            (t, n.value) for n in self.nodes if isinstance(n, gast.Assign) for t in n.targets
        ]
        arrays = {n for n, cls in classes.items() if issubclass(cls, (np.ndarray, *NUMBERS))}
        other = (self.given - arrays) | self.unknown
        loops = [node for node in self.nodes if isinstance(node, gast.For)]
        counters = {n for loop in loops for n in writes(loop.target)}
        counters |= {n for n, cls in classes.items() if issubclass(cls, (int, np.integer))}
        self.reals: set[str] = set()
        self.numeric: set[str] = set()
        self._hold(self.reals, self.local - other - counters, self.is_real)
        self._hold(self.numeric, self.local - other, self.is_numeric)

    def _unknown(self) -> set[str]:
        """Names that something else than an assignment or a range binds."""
        found: set[str] = set()
        for node in self.nodes:
            if isinstance(node, gast.With):
                found |= writes(node.items)
            elif isinstance(node, gast.ExceptHandler) and node.name is not None:
                found.add(getattr(node.name, "id", node.name))
            elif isinstance(node, (gast.Global, gast.Nonlocal)):
                found |= {*node.names}
            elif isinstance(node, (gast.FunctionDef, gast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, (gast.Import, gast.ImportFrom)):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        return found

    def _hold(self, found: set[str], names: set[str], are: Callable[[gast.expr], bool]) -> None:
        """The names that are assigned nothing but such values; `found` is what `are` reads."""
        found |= names
        while True:
            other = {
                n
                for target, value in self.values
                for n in ({target.id} if isinstance(target, gast.Name) else writes(target))
                if not (isinstance(target, gast.Name) and are(value))
            }
            if not other & found:
                return
            found -= other

    def is_real(self, value: gast.expr) -> bool:
        """Whether an expression certainly is of floats: a list times an int would be a list."""
        if isinstance(value, gast.Constant):
            return isinstance(value.value, (float, complex))
        if isinstance(value, gast.Name):
            return value.id in self.reals
        if isinstance(value, gast.BinOp):
            right = self.is_real(value.right) and not isinstance(value.op, gast.Mod)  # of a text
            return right or self.is_real(value.left)
        if isinstance(value, (gast.Subscript, gast.UnaryOp)):
            inner = value.value if isinstance(value, gast.Subscript) else value.operand
            return self.is_real(inner) and not isinstance(getattr(value, "op", None), gast.Not)
        function = self.function(value)
        is_known = isinstance(function, np.ufunc) or function in MAKING
        return is_known and any(map(self.is_real, value.args[:1]))

    def is_numeric(self, value: gast.expr) -> bool:
        """Whether an expression certainly is a number or an array."""
        if isinstance(value, gast.Constant):
            return isinstance(value.value, (int, float, complex))
        if isinstance(value, gast.Name):
            return value.id in self.numeric
        if isinstance(value, gast.BinOp):
            either = self.is_numeric(value.left), self.is_numeric(value.right)
            if self.is_real(value) or isinstance(value.op, gast.Mult):
                return self.is_real(value) or all(either)
            return isinstance(value.op, ARITHMETIC) or any(either)
        if isinstance(value, gast.UnaryOp):
            return not isinstance(value.op, gast.Not)
        if isinstance(value, gast.Subscript):
            return self.is_numeric(value.value)
        if isinstance(value, gast.IfExp):
            return self.is_numeric(value.body) and self.is_numeric(value.orelse)
        function = self.function(value)
        return isinstance(function, np.ufunc) or function in MAKING

    def function(self, value: gast.expr) -> Any:
        """What is called, where that is a global, or an attribute of one; else None."""
        if not isinstance(value, gast.Call) or any(k.arg == "out" for k in value.keywords):
            return None
        path, node = [], value.func
        while isinstance(node, gast.Attribute):
            path.append(node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or node.id in self.local:
            return None
        try:
            found = self.lookup(node.id)
        except (KeyError, ValueError):
            return None
        for attribute in reversed(path):
            found = getattr(found, attribute, None)
        if not hashable(found):
            return None
        return found
