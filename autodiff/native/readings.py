"""What an expression on arrays is at one place of a loop, and how often the loop runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import gast
import numpy as np

from autodiff import runtime
from autodiff.kinds.kind import Array, Scalar, forget_values
from autodiff.kinds.size import Size
from autodiff.native.bindings import Helpers
from autodiff.native.helpers import choose, fit, span, stretch
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.slices import Axis, Window, same_size, whole, window
from autodiff.native.vocabulary import ELEMENTWISE, arity
from autodiff.syntax.change import changed, map_parts
from autodiff.syntax.names import name, store
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import same, walk

COUNTERS = "ijklpq"
_SIGNS = (gast.Add, gast.Sub, gast.Mult)
_BITS = (gast.BitAnd, gast.BitOr, gast.BitXor)
_ORDERED = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)
TYPES = ("float64", "int64", "bool", "complex128")
_FORMS = (gast.BinOp, gast.UnaryOp, gast.Compare)

Steps: TypeAlias = Mapping[int, Mapping[int, str]]
"""By the `id` of a window and its axis, the names of numbers that are 0 where it is repeated."""
Element: TypeAlias = Callable[[list[str], Steps], gast.expr]
"""The expression for one element, of the counters of the loops around."""


@dataclass(slots=True)
class Reading:
    """What an expression reads: windows, and statements that compute its numbers beforehand."""

    before: list[gast.stmt] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    spans: dict[str, tuple[str, str]] = field(default_factory=dict)
    like: list[Window] = field(default_factory=list)
    """Windows of which sizes are asked, and no elements."""


class Reader:
    """Reads expressions; what has to be computed before the loop is for `Sums` and `Elements`."""

    def __init__(self, known: NativeKinds, helpers: Helpers, parallel: bool) -> None:
        self.parallel = parallel
        self.known = known
        self.helpers = helpers
        self.memory = known.memory
        self.counters = [known.fresh(letter, Scalar("int")) for letter in COUNTERS]

    def visited(self, part: gast.AST, before: list[gast.stmt]) -> gast.AST:
        """The expression with names for what is computed before."""
        raise NotImplementedError

    def filled(self, own: str, value: gast.expr, kind: Array) -> list[gast.stmt] | None:
        """`own` as a new array with the elements of an expression."""
        raise NotImplementedError

    def summed(self, call: gast.Call) -> tuple[gast.expr, list[gast.stmt]] | None:
        """The name of the sum that a call is, and the loops that add it up."""
        raise NotImplementedError

    def is_elements(self, node: gast.expr) -> bool:
        """Whether it is an array of which each element is computed."""
        if isinstance(node, gast.Call):
            called = self.known.called(node)
            return self.is_elementwise(node) or any(
                called is own for own in (np.full_like, np.where)
            )
        return isinstance(node, _FORMS)

    def counts(
        self, shape: tuple[Size, ...], reading: Reading, target: Window | None = None
    ) -> tuple[list[gast.expr], Steps] | None:
        """How many places each axis of the result has, and what is repeated along which."""
        every = [*reading.windows, *reading.like]
        if any(len(own.shape) > len(shape) for own in every):
            return None
        sizes: list[gast.expr] = []
        for k, size in enumerate(shape):
            places = [(w, k - len(shape) + len(w.shape)) for w in every]
            places = [(w, p) for w, p in places if p >= 0 and w.shape[p] != 1]
            if target is not None:
                sizes.append(target.count(k))
            elif isinstance(size, int):
                sizes.append(gast.Constant(value=size, kind=None))
            elif own := [w.count(p) for w, p in places if same_size(w.shape[p], size)]:
                sizes.append(own[0])
            elif not places:
                return None
            else:
                first, *others = (w.count(p) for w, p in places)
                for other in others:
                    if not same(first, other):
                        first = self.number(fit, [first, other], reading.before)
                sizes.append(first)
        steps: dict[int, Mapping[int, str]] = {}
        for w in every:
            if target is None or w is not target:
                steps.update(self.steps(w, shape, sizes, reading.before, True))  # type: ignore[arg-type]
        return sizes, steps

    def steps(
        self,
        own: Window,
        shape: tuple[Size, ...],
        sizes: list[gast.expr],
        before: list[gast.stmt],
        by_window: bool = False,
    ) -> dict[int, str]:
        """By axis of a window, numbers that are 0 where it has one place and the result several."""
        found: dict[int, str] = {}
        for place, size in enumerate(own.shape):
            k = place + len(shape) - len(own.shape)
            count = own.count(place)
            if size == 1 or same_size(size, shape[k]) or same(count, sizes[k]):
                continue
            found[place] = self.number(stretch, [count, sizes[k]], before).id  # type: ignore[attr-defined]
        return {id(own): found} if by_window else found  # type: ignore[dict-item, return-value]

    def positive(self, count: gast.expr) -> gast.expr:
        """A size that is not negative."""
        if not isinstance(count, gast.BinOp):
            return count
        return quote("f(n, 0)", f=self.helpers.use("max", max), n=count)

    def number(
        self, function: object, given: list[gast.expr], before: list[gast.stmt]
    ) -> gast.expr:
        """A name for a number that a helper gives."""
        own = self.known.fresh("size" if function is fit else "step", Scalar("int"))
        use = self.helpers.use(function.__name__, function)  # type: ignore[attr-defined]
        slots = {f"x{k}": self.positive(node) for k, node in enumerate(given)}
        before += quote_statements(f"n = f({', '.join(slots)})", n=own, f=use, **slots)
        return name(own)

    def spanning(self, reading: Reading) -> Callable[[gast.expr, gast.Slice, int], tuple[str, str]]:
        """Where slices begin that have other ends than literals, computed once in a statement."""

        def spanned(size: gast.expr, part: gast.Slice, step: int) -> tuple[str, str]:
            key = gast.dump(size) + gast.dump(part)
            if key not in reading.spans:
                first, count = (self.known.fresh(n, Scalar("int")) for n in ("first", "count"))
                reading.spans[key] = first, count
                lower = part.lower or (quote("0") if step > 0 else quote("n - 1", n=size))
                upper = part.upper or (size if step > 0 else quote("-n - 1", n=size))
                use, by = self.helpers.use("span", span), gast.Constant(value=step, kind=None)
                reading.before += quote_statements(
                    "a, n = f(s, lower, upper, k)",
                    a=first,
                    n=count,
                    f=use,
                    s=size,
                    lower=lower,
                    upper=upper,
                    k=by,
                )
            return reading.spans[key]

        return spanned

    def element(self, node: gast.expr, reading: Reading) -> Element | None:
        """The expression for one element; None where there is none."""
        kind = self.known.of(node)
        if isinstance(kind, Scalar):
            number = self.scalar(node, kind, reading)
            return None if number is None else lambda counters, steps: number
        if not isinstance(kind, Array) or kind.dtype not in TYPES:
            return None
        if isinstance(node, gast.Call) and self.is_window_copy(node):
            node = node.func.value
        if isinstance(node, gast.Subscript) and _is_all(node.slice):
            return self.element(node.value, reading)
        called = self.known.called(node)
        if called is np.full_like and len(node.args) == 2 or called is np.broadcast_to:
            like = self.shaped(node, kind, reading)
            reading.like += like or ()
            return self.element(node.args[called is np.full_like], reading) if like else None
        parts = self.operands(node, kind)
        if parts is None:
            own = self.read(node, kind, reading)
            if own is None:
                return None
            reading.windows.append(own)
            return lambda counters, steps: own.element(counters, steps.get(id(own)))
        new = [self.element(part, reading) for part in parts]
        if None in new:
            return None
        return lambda counters, steps: self.combined(
            node,
            [part(counters, steps) for part in new],  # type: ignore[misc]
        )

    def shaped(self, call: gast.Call, kind: Array, reading: Reading) -> list[Window]:
        """What has the sizes that a call asks for, of an array or by a tuple."""
        shape: gast.expr = call.args[0]
        if self.known.called(call) is np.broadcast_to:
            shape = call.args[1]
            if isinstance(shape, gast.Tuple):
                names = [self.known.fresh("size", Scalar("int")) for _ in shape.elts]
                reading.before += [
                    gast.Assign(targets=[store(own)], value=size, type_comment=None)
                    for own, size in zip(names, shape.elts)
                ]
                axes = [Axis(place=k, count=own) for k, own in enumerate(names)]
                return [Window("", tuple(axes), kind.shape)]
            if not isinstance(shape, gast.Attribute):
                return []
            shape = shape.value
        asked = Reading(before=reading.before, spans=reading.spans)
        return [] if self.element(shape, asked) is None else [*asked.windows, *asked.like]

    def read(self, node: gast.expr, kind: Array, reading: Reading) -> Window | None:
        """The window that an array is, or that of a new one that is made before the loop."""
        own = window(node, self.known, self.spanning(reading))
        if own is not None:
            return own
        code = None
        made = self.known.fresh("items", kind)
        if isinstance(node, gast.Call):
            found = self.summed(node)
            if found is not None:
                reading.before += found[1]
                return whole(found[0].id, kind.shape)  # type: ignore[attr-defined]
            if self.known.called(node) is runtime.unbroadcast:
                code = self.filled(made, node, kind)
            elif self.known.called(node) is None or arity(self.known.called(node)) is None:
                return None
        elif not isinstance(node, gast.Subscript):
            return None
        if code is None:
            new = map_parts(lambda part: self.visited(part, reading.before), node)
            code = [gast.Assign(targets=[store(made)], value=new, type_comment=None)]
            for part in walk(new):
                if isinstance(part, gast.Name) and isinstance(self.known.of(part), Array):
                    self.memory.join(part.id, made)
        reading.before += code
        return whole(made, kind.shape)

    def scalar(self, node: gast.expr, kind: Scalar, reading: Reading) -> gast.expr | None:
        if kind.type not in ("float", "int", "bool", "complex"):
            return None
        if isinstance(node, (gast.Name, gast.Constant)):
            return node
        new = self.visited(node, reading.before)
        factor = self.known.fresh("factor", forget_values(kind))
        reading.before.append(gast.Assign(targets=[store(factor)], value=new, type_comment=None))
        return name(factor)

    def operands(self, node: gast.expr, kind: Array) -> list[gast.expr] | None:
        """The parts of an expression that is computed element by element."""
        if isinstance(node, gast.BinOp):
            both = [node.left, node.right]
            if isinstance(node.op, _BITS):
                return both if kind.dtype == "bool" else None
            if kind.dtype == "bool":
                return None
            if isinstance(node.op, (*_SIGNS, gast.Div)):
                return both
            if not isinstance(node.op, gast.Pow):
                return None
            if isinstance(node.right, gast.Constant) and node.right.value in (2, 3):
                return [node.left]
            return both if all(map(self.is_real, both)) and kind.dtype == "float64" else None
        if isinstance(node, gast.UnaryOp):
            minus = isinstance(node.op, gast.USub) and kind.dtype != "bool"
            turned = isinstance(node.op, (gast.Invert, gast.Not)) and kind.dtype == "bool"
            return [node.operand] if minus or turned else None
        if isinstance(node, gast.Compare) and len(node.ops) == 1:
            compared = isinstance(node.ops[0], _ORDERED)
            return [node.left, node.comparators[0]] if compared else None
        if isinstance(node, gast.Call):
            if (
                self.known.called(node) is np.where
                and len(node.args) == 3
                or self.is_elementwise(node)
            ):
                return list(node.args)
        return None

    def is_real(self, node: gast.expr) -> bool:
        kind = self.known.of(node)
        return getattr(kind, "dtype", None) == "float64" or getattr(kind, "type", "") == "float"

    def combined(self, node: gast.expr, parts: list[gast.expr]) -> gast.expr:
        np_name = self.helpers.use("np", np)
        if isinstance(node, gast.BinOp):
            if isinstance(node.op, gast.Div):  # Python's raises an error for zero
                return quote("np.divide(a, b)", np=np_name, a=parts[0], b=parts[1])
            if isinstance(node.op, gast.Pow):
                if len(parts) == 1:
                    return changed(node, left=parts[0])  # type: ignore[no-any-return]
                return quote("np.power(a, b)", np=np_name, a=parts[0], b=parts[1])
            return changed(node, left=parts[0], right=parts[1])  # type: ignore[no-any-return]
        if isinstance(node, gast.UnaryOp):
            if not isinstance(node.op, gast.USub):
                return quote("not x", x=parts[0])
            return changed(node, operand=parts[0])  # type: ignore[no-any-return]
        if isinstance(node, gast.Compare):
            return changed(node, left=parts[0], comparators=parts[1:])  # type: ignore[no-any-return]
        if self.known.called(node) is np.where:
            use = self.helpers.use("choose", choose)
            return quote("f(c, a, b)", f=use, c=parts[0], a=parts[1], b=parts[2])
        return changed(node, args=parts)  # type: ignore[no-any-return]

    def is_elementwise(self, node: gast.Call) -> bool:
        called = self.known.called(node)
        counts = [n for f, n in ELEMENTWISE.items() if f is called]
        if not counts or len(node.args) != counts[0] or node.keywords:
            return False
        kinds = [self.known.of(part) for part in node.args]
        tests = called in (np.logical_and, np.logical_or, np.logical_not)
        return tests or not all(_is_bool(kind) for kind in kinds)

    def is_window_copy(self, node: gast.Call) -> bool:
        function = node.func
        return (
            isinstance(function, gast.Attribute)
            and function.attr == "copy"
            and not node.args
            and isinstance(function.value, gast.Subscript)
            and window(function.value, self.known) is not None
        )


def _is_bool(kind: object) -> bool:
    return getattr(kind, "dtype", None) == "bool" or getattr(kind, "type", None) == "bool"


def _is_all(index: gast.expr) -> bool:
    return isinstance(index, gast.Constant) and index.value is ...
