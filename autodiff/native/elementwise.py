"""Statements on arrays as loops over their elements."""

from __future__ import annotations

from dataclasses import dataclass, field

import gast
import numba
import numpy as np

from autodiff.kinds.kind import Array, Scalar, forget_values
from autodiff.kinds.size import Size
from autodiff.native.bindings import Helpers
from autodiff.native.fused import fused
from autodiff.native.helpers import vdot
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.slices import Window, goes_on, same_size, whole, window
from autodiff.native.vocabulary import ELEMENTWISE, SHARING, arity
from autodiff.syntax.change import changed, map_blocks, map_parts
from autodiff.syntax.names import name, reads, store
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.quote import quote, quote_statements

_COUNTERS = "ijkl"
_SIGNS = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*"}


def elements(
    tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers, parallel: bool
) -> gast.FunctionDef:
    """What Numba would do with arrays, element by element, which it compiles to faster code.

        flux[1:-1] = c * (u[2:] - u[:-2])      for i in range(len(flux) - 2):
                                                   flux[i + 1] = c * (u[i + 2] - u[i])

    Only where all sizes are known to be equal, or 1, and where an element that is stored to is not
    read later: else a new array is filled first, and copied. Division is NumPy's. With `parallel`
    the loops whose iterations may run in any order are `prange`s.
    """
    lowering = _Elements(known, helpers, parallel)
    made: list[gast.stmt] = []

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            code = lowering.statement(node)
            made.extend(n for n in code or () if isinstance(n, gast.For))
            result.extend([map_blocks(block, node)] if code is None else code)
        return result

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return fused(result, made, known)


@dataclass(slots=True)
class _Scalars:
    """What an expression reads: windows, and statements that compute its numbers beforehand."""

    before: list[gast.stmt] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)


class _Elements:
    def __init__(self, known: NativeKinds, helpers: Helpers, parallel: bool) -> None:
        self.parallel = parallel
        self.known = known
        self.helpers = helpers
        self.memory = known.memory
        self.counters = [known.fresh(letter, Scalar("int")) for letter in _COUNTERS]

    def statement(self, node: gast.stmt) -> list[gast.stmt] | None:
        if isinstance(node, gast.Assign) and not hasattr(node, "site"):
            code = self.assign(node.targets[0], node.value)
        elif isinstance(node, gast.AugAssign):
            code = self.augmented(node)
        elif isinstance(node, gast.Return):
            code = self.returned(node)
        else:
            code = None
        if code is None and isinstance(node, (gast.Assign, gast.AugAssign, gast.Return)):
            code = self.totals(node)
        return None if code is None else with_origin(code, origin_of(node))

    def returned(self, node: gast.Return) -> list[gast.stmt] | None:
        """Arrays that are computed where they are returned."""
        parts = node.value.elts if isinstance(node.value, gast.Tuple) else [node.value]
        code: list[gast.stmt] = []
        new: list[gast.expr] = []
        for part in parts:
            kept = len(code)
            if isinstance(part, gast.BinOp) and _is_float(self.known.of(part)):
                own = self.known.fresh("result", self.known.of(part))
                code.extend(self.new(own, part) or ())
            new.append(part if len(code) == kept else name(own))
        if not code:
            return None
        several = isinstance(node.value, gast.Tuple)
        value = gast.Tuple(elts=new, ctx=gast.Load()) if several else new[0]
        return [*code, changed(node, value=value)]

    def totals(self, node: gast.stmt) -> list[gast.stmt] | None:
        """Sums and scalar products in a statement, as loops before it."""
        before: list[gast.stmt] = []

        def visit(part: gast.AST) -> gast.AST:
            if isinstance(part, gast.IfExp):
                return part  # what is not computed stays so
            factors = self.factors(part) if isinstance(part, gast.Call) else None
            code = None if factors is None else self.total(factors)
            if code is None:
                return map_parts(visit, part)  # type: ignore[no-any-return]
            before.extend(code[1])
            known = self.known.of(part)
            self.known.given[id(code[0])] = code[0], known
            return code[0]

        value = visit(node.value) if node.value is not None else None
        if not before:
            return None
        return [*before, changed(node, value=value)]

    def factors(self, call: gast.Call) -> list[gast.expr] | None:
        """The factors of what a call of `np.sum` or `np.vdot` adds up."""
        called = self.known.called(call)
        wanted = 1 if called is np.sum else 2 if called is vdot else 0
        if len(call.args) != wanted or call.keywords or not wanted:
            return None
        plain = all(isinstance(argument, gast.Name) for argument in call.args)
        return None if plain and wanted == 1 else list(call.args)

    def total(self, factors: list[gast.expr]) -> tuple[gast.expr, list[gast.stmt]] | None:
        """The name of a sum of products of elements, and the loop that adds them up."""
        kind = self.known.of(factors[0])
        if not isinstance(kind, Array) or not _is_float(kind):
            return None
        shape = kind.shape
        for other in factors[1:]:
            own = self.known.of(other)
            if not isinstance(own, Array) or len(own.shape) != len(shape):
                return None
            if not all(map(same_size, own.shape, shape)):
                return None
        scalars = _Scalars()
        counters = self.counters[: len(shape)]
        parts = [self.element(factor, shape, counters, scalars) for factor in factors]
        counts = [self.count(k, shape, scalars.windows) for k in range(len(shape))]
        if None in parts or None in counts:
            return None
        total = self.known.fresh("total", Scalar("float"))
        element = parts[0]
        for other_part in parts[1:]:
            element = quote("a * b", a=element, b=other_part)  # type: ignore[arg-type]
        loop = self.loops(name(total), element, counters, counts, ordered=True)  # type: ignore[arg-type]
        inner = loop
        for _ in counters[1:]:
            inner = inner[0].body
        inner[0].body = quote_statements("t += e", t=total, e=element)  # type: ignore[arg-type]
        start = quote_statements("t = 0.0", t=total)
        return name(total), [*scalars.before, *start, *loop]

    def assign(self, target: gast.expr, value: gast.expr) -> list[gast.stmt] | None:
        if isinstance(target, gast.Name):
            return self.new(target.id, value)
        own = window(target, self.known)
        return None if own is None else self.stored(own, value)

    def augmented(self, node: gast.AugAssign) -> list[gast.stmt] | None:
        target = quote("x", x=node.target)
        target.ctx = gast.Load()
        own = window(target, self.known)
        if own is None:
            return None
        if isinstance(target, gast.Subscript):
            self.known.given[id(target)] = target, self.known.of(node.target)
        total = gast.BinOp(left=target, op=node.op, right=node.value)
        self.known.given[id(total)] = total, self.known.of(target)
        return self.stored(own, total)

    def new(self, identifier: str, value: gast.expr) -> list[gast.stmt] | None:
        """`x = e`, a new array."""
        kind = self.known.of(value)
        if isinstance(value, (gast.Name, gast.Subscript)) or not _is_float(kind):
            return None
        if isinstance(value, gast.Call) and not self.is_window_copy(value):
            if not self.is_elementwise(value):
                return None
        assert isinstance(kind, Array)
        own = identifier
        if identifier in reads(value):
            own = self.known.fresh(identifier, kind)
        made = self.filled(own, value, kind.shape)
        if made is not None and own != identifier:
            made.append(gast.Assign(targets=[store(identifier)], value=name(own)))
            self.memory.join(identifier, own)
        return made

    def filled(self, own: str, value: gast.expr, shape: tuple[Size, ...]) -> list[gast.stmt] | None:
        """`own` as a new array with the elements of an expression."""
        scalars = _Scalars()
        counters = self.counters[: len(shape)]
        element = self.element(value, shape, counters, scalars)
        counts = [self.count(k, shape, scalars.windows) for k in range(len(shape))]
        if element is None or None in counts:
            return None
        sizes = [c if isinstance(c, gast.Constant) else self.positive(c) for c in counts]  # type: ignore[arg-type]
        room = sizes[0] if len(sizes) == 1 else gast.Tuple(elts=sizes, ctx=gast.Load())
        np_name = self.helpers.use("np", np)
        making = quote_statements("x = np.empty(s)", x=own, np=np_name, s=room)
        loop = self.loops(whole(own, shape).element(counters), element, counters, counts)  # type: ignore[arg-type]
        return [*scalars.before, *making, *loop]

    def positive(self, count: gast.expr) -> gast.expr:
        """A size that is not negative."""
        if not isinstance(count, gast.BinOp):
            return count
        return quote("f(n, 0)", f=self.helpers.use("max", max), n=count)

    def stored(self, own: Window, value: gast.expr) -> list[gast.stmt] | None:
        """`x[...] = e`."""
        shape = own.shape
        if len(shape) == 0 or not self.is_float_name(own.base):
            return None
        scalars = _Scalars()
        counters = self.counters[: len(shape)]
        element = self.element(value, shape, counters, scalars)
        if element is None:
            return None
        if not all(self.goes_on(own, source) for source in scalars.windows):
            temporary = self.known.fresh(f"{own.base}_new", Array("float64", shape))
            made = self.filled(temporary, value, shape)
            if made is None:
                return None
            element, before = whole(temporary, shape).element(counters), made
        else:
            before = scalars.before
        counts = [self.count(k, shape, [own]) for k in range(len(shape))]
        if None in counts:
            return None
        ordered = any(self.memory.share(own.base, source.base) for source in scalars.windows)
        loop = self.loops(own.element(counters), element, counters, counts, ordered)  # type: ignore[arg-type]
        return [*before, *loop]

    def goes_on(self, target: Window, source: Window) -> bool:
        """Whether ascending loops read each element of the source before they store to it."""
        return not self.memory.share(target.base, source.base) or goes_on(target, source)

    def loops(
        self,
        slot: gast.expr,
        element: gast.expr,
        counters: list[str],
        counts: list[gast.expr],
        ordered: bool = False,
    ) -> list[gast.stmt]:
        slot.ctx = gast.Store()
        code: list[gast.stmt] = [gast.Assign(targets=[slot], value=element, type_comment=None)]
        for counter, count in reversed(list(zip(counters, counts))):
            [loop] = quote_statements("for i in range(n): pass", i=counter, n=count)
            loop.body = code
            code = [loop]
        if self.parallel and not ordered:
            code[0].iter.func = self.helpers.use("prange", numba.prange)
        return code

    def count(self, place: int, shape: tuple[Size, ...], windows: list[Window]) -> gast.expr | None:
        """How many places an axis of the result has, as some window says."""
        if isinstance(shape[place], int):
            return gast.Constant(value=shape[place], kind=None)
        for own in windows:
            behind = len(shape) - place
            if behind <= len(own.shape) and same_size(own.shape[-behind], shape[place]):
                if own.run()[-behind].position is not None:
                    return own.count(len(own.shape) - behind)
        return None

    def element(
        self, node: gast.expr, shape: tuple[Size, ...], counters: list[str], scalars: _Scalars
    ) -> gast.expr | None:
        """The expression for one element; None where it is not certain."""
        kind = self.known.of(node)
        if isinstance(kind, Scalar):
            return self.scalar(node, kind, scalars)
        if not isinstance(kind, Array) or kind.dtype not in ("float64", "bool"):
            return None
        if isinstance(node, gast.Call) and self.is_window_copy(node):
            node = node.func.value
        own = window(node, self.known)
        if own is not None:
            if kind.dtype != "float64" or not self.fits(own, shape):
                return None
            scalars.windows.append(own)
            return own.element(counters)
        parts = self.operands(node)
        if parts is None:
            made = self.made(node, kind, scalars)
            if made is None or not self.fits(made, shape):
                return None
            scalars.windows.append(made)
            return made.element(counters)
        new = [self.element(part, shape, counters, scalars) for part in parts]
        if None in new:
            return None
        return self.combined(node, new)  # type: ignore[arg-type]

    def made(self, node: gast.expr, kind: Array, scalars: _Scalars) -> Window | None:
        """The result of a call that makes a new array, made before the loop."""
        called = self.known.called(node)
        if called is None or arity(called) is None or not _is_float(kind):
            return None
        if any(called is other for other in SHARING) or not isinstance(node.func, gast.Name):
            return None
        own = self.known.fresh(node.func.id, kind)
        scalars.before.append(gast.Assign(targets=[store(own)], value=node, type_comment=None))
        return whole(own, kind.shape)

    def fits(self, own: Window, shape: tuple[Size, ...]) -> bool:
        """Whether a window has the sizes of the last axes of a shape, or 1."""
        if len(own.shape) > len(shape):
            return False
        behind = shape[len(shape) - len(own.shape) :]
        return all(a == 1 or same_size(a, b) for a, b in zip(own.shape, behind))

    def scalar(self, node: gast.expr, kind: Scalar, scalars: _Scalars) -> gast.expr | None:
        if kind.type not in ("float", "int"):
            return None
        if isinstance(node, (gast.Name, gast.Constant)):
            return node
        factor = self.known.fresh("factor", forget_values(kind))
        scalars.before.append(gast.Assign(targets=[store(factor)], value=node, type_comment=None))
        return name(factor)

    def operands(self, node: gast.expr) -> list[gast.expr] | None:
        if isinstance(node, gast.BinOp):
            if type(node.op) in _SIGNS or isinstance(node.op, gast.Div):
                return [node.left, node.right]
            square = isinstance(node.right, gast.Constant) and node.right.value in (2, 3)
            return [node.left] if isinstance(node.op, gast.Pow) and square else None
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            return [node.operand]
        if isinstance(node, gast.Call) and self.is_elementwise(node):
            return list(node.args)
        return None

    def combined(self, node: gast.expr, parts: list[gast.expr]) -> gast.expr:
        if isinstance(node, gast.BinOp):
            if isinstance(node.op, gast.Div):  # Python's raises an error for zero
                np_name = self.helpers.use("np", np)
                return quote("np.divide(a, b)", np=np_name, a=parts[0], b=parts[1])
            if isinstance(node.op, gast.Pow):
                new: gast.expr = changed(node, left=parts[0])
                return new
            new = changed(node, left=parts[0], right=parts[1])
            return new
        if isinstance(node, gast.UnaryOp):
            new = changed(node, operand=parts[0])
            return new
        new = changed(node, args=parts)
        return new

    def is_elementwise(self, node: gast.Call) -> bool:
        called = self.known.called(node)
        counts = [n for f, n in ELEMENTWISE.items() if f is called]
        return bool(counts) and len(node.args) == counts[0] and not node.keywords

    def is_window_copy(self, node: gast.Call) -> bool:
        function = node.func
        return (
            isinstance(function, gast.Attribute)
            and function.attr == "copy"
            and not node.args
            and isinstance(function.value, gast.Subscript)
            and window(function.value, self.known) is not None
        )

    def is_float_name(self, identifier: str) -> bool:
        return _is_float(self.known.names.get(identifier))


def _is_float(kind: object) -> bool:
    return isinstance(kind, Array) and kind.dtype == "float64" and 0 < len(kind.shape) <= 4
