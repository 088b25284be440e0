"""Statements on arrays as loops over their elements."""

from __future__ import annotations

import gast
import numba

from autodiff import runtime
from autodiff.frontend.jitted import is_jitted
from autodiff.kinds.kind import Array
from autodiff.native.bindings import Helpers
from autodiff.native.fused import fused
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.readings import COUNTERS, TYPES, Element, Reading, Steps
from autodiff.native.slices import Window, goes_on, same_size, whole, window
from autodiff.native.sums import Sums
from autodiff.syntax.change import changed, map_blocks, map_parts
from autodiff.syntax.names import name, reads, store
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import walk


def elements(
    tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers, parallel: bool
) -> gast.FunctionDef:
    """What Numba would do with arrays, element by element: it compiles that faster, to faster code.

        flux[1:-1] = c * (u[2:] - u[:-2])      for i in range(len(flux) - 2):
                                                   flux[i + 1] = c * (u[i + 2] - u[i])

    Where sizes are not known to be equal they are compared when it runs, and what has one place
    is taken again and again. Where an element that is stored to may be read later a new array is
    filled first, and copied. Division is NumPy's. With `parallel` the loops whose iterations may
    run in any order are `prange`s.
    """
    lowering = _Elements(known, helpers, parallel)
    made: list[gast.stmt] = []

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            code = lowering.statement(node)
            made.extend(n for n in code or () if isinstance(n, gast.For))
            *before, last = [node] if code is None else code
            compound = isinstance(last, (gast.If, gast.While)) or last is node
            result.extend([*before, map_blocks(block, last) if compound else last])
        return result

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return fused(result, made, known)


class _Elements(Sums):
    def statement(self, node: gast.stmt) -> list[gast.stmt] | None:
        code = None
        if isinstance(node, gast.Assign) and not hasattr(node, "site"):
            code = self.assign(node.targets[0], node.value)
        elif isinstance(node, gast.AugAssign):
            code = self.augmented(node)
        if code is None and isinstance(
            node, (gast.Assign, gast.AugAssign, gast.Return, gast.Expr, gast.If)
        ):
            code = self.parts(node)
        return None if code is None else with_origin(code, origin_of(node))

    def parts(self, node: gast.stmt) -> list[gast.stmt] | None:
        """Arrays and sums that are computed in a statement, as loops before it."""
        own = "test" if isinstance(node, gast.If) else "value"
        value = getattr(node, own)
        if value is None or any(is_jitted(self.known.called(part)) for part in walk(value)):
            return None  # which may change what is read
        before: list[gast.stmt] = []
        new = self.visited(value, before)
        return [*before, changed(node, **{own: new})] if before else None

    def visited(self, part: gast.AST, before: list[gast.stmt]) -> gast.AST:
        """The expression with names for what is computed before."""
        if isinstance(part, (gast.IfExp, gast.BoolOp)):
            return part  # what is not computed stays so
        if not isinstance(part, gast.expr):
            return part
        kind, code, own = self.known.of(part), None, ""
        if isinstance(part, gast.Call):
            code = self.summed(part)
        if code is None and isinstance(kind, Array) and self.is_elements(part):
            own = self.known.fresh("items", kind)
            filled = self.filled(own, part, kind)
            code = None if filled is None else (name(own), filled)
        if code is None:
            return map_parts(lambda p: self.visited(p, before), part)  # type: ignore[no-any-return]
        before.extend(code[1])
        self.known.given[id(code[0])] = code[0], kind
        return code[0]

    def assign(self, target: gast.expr, value: gast.expr) -> list[gast.stmt] | None:
        if isinstance(target, gast.Name):
            return self.new(target.id, value)
        reading = Reading()
        own = window(target, self.known, self.spanning(reading))
        return None if own is None else self.stored(own, value, reading)

    def augmented(self, node: gast.AugAssign) -> list[gast.stmt] | None:
        target = quote("x", x=node.target)
        target.ctx = gast.Load()
        self.known.given[id(target)] = target, self.known.of(node.target)
        reading = Reading()
        own = window(target, self.known, self.spanning(reading))
        if own is None:
            return None
        total = gast.BinOp(left=target, op=node.op, right=node.value)
        self.known.given[id(total)] = total, self.known.of(target)
        return self.stored(own, total, reading)

    def new(self, identifier: str, value: gast.expr) -> list[gast.stmt] | None:
        """`x = e`, a new array."""
        kind = self.known.of(value)
        if not isinstance(kind, Array):
            return None
        is_copy = isinstance(value, gast.Call) and self.is_window_copy(value)
        reducing = self.known.called(value) is runtime.unbroadcast
        if not is_copy and not reducing and not self.is_elements(value):
            return None
        own = identifier
        if identifier in reads(value):
            own = self.known.fresh(identifier, kind)
        made = self.filled(own, value, kind)
        if made is not None and own != identifier:
            made.append(gast.Assign(targets=[store(identifier)], value=name(own)))
            self.memory.join(identifier, own)
        return made

    def filled(self, own: str, value: gast.expr, kind: Array) -> list[gast.stmt] | None:
        """`own` as a new array with the elements of an expression."""
        if not 0 < len(kind.shape) <= len(COUNTERS) or kind.dtype not in TYPES:
            return None
        if self.known.called(value) is runtime.unbroadcast:
            return self.unbroadcast(own, value)
        reading = Reading()
        element = self.element(value, reading)
        counts = self.counts(kind.shape, reading)
        if element is None or counts is None:
            return None
        making = self.making("empty", own, counts[0], kind)
        slot = whole(own, kind.shape).element(self.counters[: len(kind.shape)])
        return [*reading.before, *making, *self.loops(slot, element, *counts)]

    def unbroadcast(self, own: str, call: gast.expr) -> list[gast.stmt] | None:
        """`own` with each element of an adjoint added to the element that was repeated for it."""
        given, like = call.args
        kind, wanted = self.known.of(given), self.known.of(like)
        if not isinstance(kind, Array) or not isinstance(wanted, Array):
            return None
        if len(kind.shape) == len(wanted.shape) and all(map(same_size, kind.shape, wanted.shape)):
            return self.filled(own, given, kind)
        reading = Reading()
        element = self.element(given, reading)
        read = self.read(like, wanted, reading)
        counts = None if element is None or read is None else self.counts(kind.shape, reading)
        if counts is None:
            return None
        room = [read.count(k) for k in range(len(wanted.shape))]  # type: ignore[union-attr]
        result = whole(own, read.shape)  # type: ignore[union-attr]
        making = self.making("zeros", own, room, wanted)
        steps = self.steps(result, kind.shape, counts[0], reading.before)
        counters = self.counters[: len(kind.shape)]
        [adding] = quote_statements("x += e", x=result.element(counters, steps))
        adding.value = element(counters, counts[1])  # type: ignore[misc]
        before = [s for s in reading.before if not _measures(s, own)]
        after = [s for s in reading.before if _measures(s, own)]
        return [*before, *making, *after, *self.nested([adding], list(zip(counters, counts[0])))]

    def stored(
        self, own: Window, value: gast.expr, reading: Reading, may_read: bool = True
    ) -> list[gast.stmt] | None:
        """`x[...] = e`."""
        shape = own.shape
        base, kind = self.known.names.get(own.base), self.known.of(value)
        if not isinstance(base, Array) or base.dtype not in TYPES or not shape:
            return None
        if isinstance(kind, Array) and len(kind.shape) > len(shape) or len(shape) > len(COUNTERS):
            return None
        spanned = len(reading.before)
        element = self.element(value, reading)
        if element is None:
            return None
        if may_read and not all(self.goes_on(own, source) for source in reading.windows):
            assert isinstance(kind, Array)
            temporary = self.known.fresh(f"{own.base}_new", kind)
            made = self.filled(temporary, value, kind)
            again = Reading(before=[*(made or ()), *reading.before[:spanned]])
            copy = name(temporary)
            return None if made is None else self.stored(own, copy, again, False)
        counts = self.counts(shape, reading, own)
        if counts is None:
            return None
        ordered = any(self.memory.share(own.base, source.base) for source in reading.windows)
        slot = own.element(self.counters[: len(shape)])
        return [*reading.before, *self.loops(slot, element, *counts, ordered)]

    def goes_on(self, target: Window, source: Window) -> bool:
        """Whether ascending loops read each element of the source before they store to it."""
        return not self.memory.share(target.base, source.base) or goes_on(target, source)

    def loops(
        self,
        slot: gast.expr,
        element: Element,
        sizes: list[gast.expr],
        steps: Steps,
        ordered: bool = False,
    ) -> list[gast.stmt]:
        slot.ctx = gast.Store()
        counters = self.counters[: len(sizes)]
        value = element(counters, steps)
        code: list[gast.stmt] = [gast.Assign(targets=[slot], value=value, type_comment=None)]
        code = self.nested(code, list(zip(counters, sizes)))
        if self.parallel and not ordered:
            code[0].iter.func = self.helpers.use("prange", numba.prange)
        return code


def _measures(node: gast.stmt, own: str) -> bool:
    """Whether a statement asks for the sizes of an array."""
    return own in reads(node)
