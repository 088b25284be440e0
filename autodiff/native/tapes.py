"""The tape as typed memory: for each value of each push a store of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import gast
import numpy as np

from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.analysis.known import Kinds
from autodiff.errors import NativeError
from autodiff.native.helpers import exact, room
from autodiff.native.trips import Loop, trips
from autodiff.optimize.change import changed, map_blocks
from autodiff.optimize.tape import Pair, is_pop, is_push, pairs
from autodiff.reverse.helpers import Helpers
from autodiff.runtime import Tape
from autodiff.syntax.names import Names, reads
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import walk

_EMPTY = {"float": "np.empty(0)", "int": "np.empty(0, np.int64)", "bool": "np.empty(0, np.bool_)"}


def tapes(tree: gast.FunctionDef, known: Kinds, names: Names, helpers: Helpers) -> gast.FunctionDef:
    """Each value that is pushed goes into a store of its own type.

        tape = Tape()                      y_tape = np.empty(0)
                                           y_count = 0
        for k in range(n):                 y_tape = room(y_tape, y_count, len(range(n)))
                                           for k in range(n):
            tape.push(y)                       y_tape[y_count] = y
                                               y_count += 1

    Numbers lie in arrays, with one count for each site. Room is made before the outermost loop on
    entry to which it is known how much will be pushed; where a `while` pushes, when it is full.
    Arrays lie, as they do on the tape, in a list of references.
    """
    found = pairs(tree)
    lowering = _Tapes(known, names, helpers, found)
    body = lowering.block(tree.body, [])
    opening: list[gast.stmt] = []
    for node in body:
        opening.append(node)
        if node is lowering.made:
            opening.pop()
            opening.extend(s for site in lowering.sites.values() for s in site.opening)
    result: gast.FunctionDef = changed(tree, body=opening)
    lowering.check(result)
    return result


@dataclass(slots=True)
class _Site:
    """A pair of push and pop: how it begins, where its values lie, how many there are."""

    stores: list[str]
    dtypes: list[str | None]
    count: str
    opening: list[gast.stmt] = field(default_factory=list)


class _Tapes:
    def __init__(
        self, known: Kinds, names: Names, helpers: Helpers, found: dict[str, Pair]
    ) -> None:
        self.known = known
        self.names = names
        self.helpers = helpers
        self.pairs = found
        self.sites: dict[str, _Site] = {}
        self.rooms: dict[int, list[gast.stmt]] = {}
        """By the `id` of a loop: the statements that make room before it."""
        self.made: gast.stmt | None = None

    def block(self, body: list[gast.stmt], around: list[Loop]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            if is_push(node) and node.site in self.pairs:
                result.extend(self.push(node, around))
            elif is_pop(node) and node.site in self.sites:
                result.extend(self.pop(node))
            else:
                inside = [*around, node] if isinstance(node, _BLOCKS) else around
                new = map_blocks(partial(self.block, around=inside), node)
                result.extend(self.rooms.pop(id(node), []))
                result.append(new)
                if self.makes(node):
                    self.made = new
        return result

    def makes(self, node: gast.stmt) -> bool:
        """Whether a statement is `tape = Tape()`."""
        value = getattr(node, "value", None)
        if not isinstance(node, gast.Assign) or not isinstance(value, gast.Call):
            return False
        kind = self.known.of(value.func)
        return getattr(kind, "value", None) is Tape

    def push(self, node: gast.Expr, around: list[Loop]) -> list[gast.stmt]:
        pair = self.pairs[node.site]
        site = self.sites[node.site] = self.site(pair, node)
        code: list[gast.stmt] = []
        numbers = False
        for store, dtype, value in zip(site.stores, site.dtypes, pair.values):
            if dtype is None:
                code.extend(quote_statements("t.append(v)", t=store, v=value))
                continue
            numbers = True
            if dtype != "float":
                kept = gast.Constant(value=dtype, kind=None)
                value = quote("f(v, k)", f=self.helpers.use("exact", exact), v=value, k=kept)
            code.extend(quote_statements("t[c] = v", t=store, c=site.count, v=value))
        if numbers:
            code.extend(quote_statements("c += 1", c=site.count))
            before, wanted = trips(around)
            making = self.making(site, wanted)
            with_origin(making, origin_of(node))
            if before is None:
                code = [*making, *code]
            else:
                self.rooms.setdefault(id(before), []).extend(making)
        return with_origin(code, origin_of(node))

    def making(self, site: _Site, wanted: gast.expr) -> list[gast.stmt]:
        """Room for so many more values in each store of a site."""
        return [
            statement
            for store, dtype in zip(site.stores, site.dtypes)
            if dtype is not None
            for statement in quote_statements(
                "t = f(t, c, n)",
                t=store,
                f=self.helpers.use("room", room),
                c=site.count,
                n=wanted,
            )
        ]

    def pop(self, node: gast.Assign) -> list[gast.stmt]:
        pair, site = self.pairs[node.site], self.sites[node.site]
        code: list[gast.stmt] = []
        if any(dtype is not None for dtype in site.dtypes):
            code.extend(quote_statements("c -= 1", c=site.count))
        for store, dtype, target in zip(site.stores, site.dtypes, pair.targets):
            value = quote("t.pop()", t=store)
            if dtype is not None:
                value = quote("t[c]", t=store, c=site.count)
            code.append(gast.Assign(targets=[target], value=value, type_comment=None))
        return with_origin(code, origin_of(node))

    def site(self, pair: Pair, push: gast.Expr) -> _Site:
        dtypes = [self.dtype(self.known.of(value), value, push) for value in pair.values]
        stores = [self.names.fresh(f"{_hint(target)}_tape") for target in pair.targets]
        site = _Site(stores, dtypes, self.names.fresh(f"{_hint(pair.targets[0])}_count"))
        for store, dtype in zip(stores, dtypes):
            text = "t = []" if dtype is None else f"t = {_EMPTY[dtype]}"
            holes = {"np": self.helpers.use("np", np)} if dtype is not None else {}
            site.opening.extend(quote_statements(text, t=store, **holes))
        if any(dtype is not None for dtype in dtypes):
            site.opening.extend(quote_statements("c = 0", c=site.count))
        return site

    def dtype(self, kind: Kind | None, value: gast.expr, push: gast.Expr) -> str | None:
        """The type of a number; None for an array."""
        if isinstance(kind, Scalar) and kind.type in _EMPTY:
            return kind.type
        if isinstance(kind, Array):
            return None
        raise NativeError(
            "the type of a value that the reverse sweep needs is not known while compiling",
            origin_of(push),
            why=f"on a typed tape each value is a number or an array, and this one may be other: "
            f"`{_hint(value)}`",
            cure='leave backend="numba" out for this function',
        )

    def check(self, tree: gast.FunctionDef) -> None:
        """Refuse what would be left of a tape without types."""
        for node in walk(tree):
            if isinstance(node, gast.stmt) and (is_push(node) or is_pop(node) or self.makes(node)):
                raise NativeError(
                    "what this statement overwrites cannot be kept on a typed tape",
                    origin_of(node),
                    why="its push and pop are not a pair of the same values",
                    cure='leave backend="numba" out for this function',
                )


_BLOCKS = (gast.For, gast.While, gast.If)


def _hint(node: gast.expr) -> str:
    """A name for what an expression reads."""
    if isinstance(node, gast.Name):
        return str(node.id)
    return _hint(node.value) if isinstance(node, gast.Subscript) else min(reads(node) or {"value"})
