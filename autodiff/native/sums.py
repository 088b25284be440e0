"""Sums and scalar products of what is computed element by element, as loops."""

from __future__ import annotations

import gast
import numpy as np

from autodiff.kinds.kind import Array, Scalar
from autodiff.native.helpers import vdot
from autodiff.native.made import REDUCES
from autodiff.native.readings import Reader, Reading
from autodiff.native.slices import same_size
from autodiff.rules.home import hashable
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote, quote_statements


class Sums(Reader):
    """Adds up the elements of expressions, without an array of them."""

    def summed(self, call: gast.Call) -> tuple[gast.expr, list[gast.stmt]] | None:
        factors = self.factors(call)
        return None if factors is None else self.total(call, *factors)

    def factors(self, call: gast.Call) -> tuple[list[gast.expr], tuple[int, ...], bool] | None:
        """The factors of what a call adds up, along which axes, and whether it keeps these."""
        called = self.known.called(call)
        kind = self.known.of(call.args[0]) if call.args else None
        if not isinstance(kind, Array) or call.keywords:
            return None
        every = tuple(range(len(kind.shape)))
        if called is vdot:
            return list(call.args), every, False
        if called is np.sum and len(call.args) == 1:
            found = every, False
        elif hashable(called) and called in REDUCES and REDUCES[called][0] == "sum":
            found = REDUCES[called][1:]
        else:
            return None
        return None if isinstance(call.args[0], gast.Name) else (list(call.args), *found)

    def total(
        self, call: gast.Call, factors: list[gast.expr], axes: tuple[int, ...], kept: bool
    ) -> tuple[gast.expr, list[gast.stmt]] | None:
        """The name of a sum of products of elements, and the loops that add them up."""
        kind, result = self.known.of(factors[0]), self.known.of(call)
        if not isinstance(kind, Array) or kind.dtype not in ("float64", "complex128"):
            return None
        for other in factors[1:]:
            own = self.known.of(other)
            if not isinstance(own, Array) or len(own.shape) != len(kind.shape):
                return None
            if not all(map(same_size, own.shape, kind.shape)):
                return None
        reading = Reading()
        parts = [self.element(factor, reading) for factor in factors]
        counts = self.counts(kind.shape, reading)
        if counts is None or None in parts:
            return None
        sizes, steps = counts
        counters = self.counters[: len(sizes)]
        element = parts[0](counters, steps)  # type: ignore[misc]
        for other_part in parts[1:]:
            element = quote("a * b", a=element, b=other_part(counters, steps))  # type: ignore[misc]
        total = self.known.fresh("total", Scalar(kind.dtype.rstrip("0123456789")))
        nest = list(zip(counters, sizes))
        zero = "t = 0.0" if kind.dtype == "float64" else "t = 0j"
        outer = [nest[k] for k in range(len(nest)) if k not in axes]
        if not outer and not kept:
            adding = self.nested(quote_statements("t += e", t=total, e=element), nest)
            return name(total), [*reading.before, *quote_statements(zero, t=total), *adding]
        if not isinstance(result, Array):
            return None
        sums = self.known.fresh("sums", result)
        index = [name(c) for c, _ in outer]
        if kept:
            index = [quote("0") if k in axes else name(c) for k, c in enumerate(counters)]
        room = [
            quote("1") if k in axes else s for k, s in enumerate(sizes) if kept or k not in axes
        ]
        at = index[0] if len(index) == 1 else gast.Tuple(elts=index, ctx=gast.Load())
        slot = gast.Subscript(value=name(sums), slice=at, ctx=gast.Load())
        if axes == tuple(range(len(outer), len(nest))):
            adding = self.nested(quote_statements("t += e", t=total, e=element), nest[len(outer) :])
            setting = quote_statements("s = t", s=slot, t=total)
            code = self.nested([*quote_statements(zero, t=total), *adding, *setting], outer)
            making = self.making("empty", sums, room, result)
        else:
            code = self.nested(quote_statements("s += e", s=slot, e=element), nest)
            making = self.making("zeros", sums, room, result)
        return name(sums), [*reading.before, *making, *code]

    def making(
        self, function: str, own: str, sizes: list[gast.expr], kind: Array
    ) -> list[gast.stmt]:
        """`own = np.empty(sizes)` of the dtype of a kind."""
        sizes = [self.positive(size) for size in sizes]
        room = sizes[0] if len(sizes) == 1 else gast.Tuple(elts=sizes, ctx=gast.Load())
        dtype = "" if kind.dtype == "float64" else f", np.{kind.dtype}".replace("bool", "bool_")
        np_name = self.helpers.use("np", np)
        return quote_statements(f"x = np.{function}(s{dtype})", x=own, np=np_name, s=room)

    @staticmethod
    def nested(code: list[gast.stmt], nest: list[tuple[str, gast.expr]]) -> list[gast.stmt]:
        """Statements in loops: counters and how often each runs, from the outermost."""
        for counter, count in reversed(nest):
            [loop] = quote_statements("for i in range(n): pass", i=counter, n=count)
            loop.body = code
            code = [loop]
        return code
