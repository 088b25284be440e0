"""The tape as typed memory: for each value of each push a store of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import gast
import numpy as np

from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Static
from autodiff.native.bindings import Helpers
from autodiff.native.helpers import exact
from autodiff.native.lists import is_list
from autodiff.native.native_kinds import NativeKinds, is_taken
from autodiff.native.taped import longer, times
from autodiff.native.trips import Loop, trips
from autodiff.runtime import Tape
from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.pushes import Pair, is_pop, is_push, pairs
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import same, walk

_NEW = {"float": "np.empty(n)", "int": "np.empty(n, np.int64)", "bool": "np.empty(n, np.bool_)"}
_NEW["complex"] = "np.empty(n, np.complex128)"
_STORES: dict[str | None, Kind] = {
    None: Record(list, (), ()),
    **{own: Array(str(np.dtype(own)), (None,)) for own in _NEW},
}
_FIRST = 64
"""For how many pushes there is room in the beginning, where nobody knows how many there will be."""


def tapes(
    tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers
) -> tuple[gast.FunctionDef, frozenset[str], list[str]]:
    """Each value that is pushed goes into a store of its own type; the stores that are arrays, and
    what counts the values in them: for Numba its 0 has another type than what it becomes, which
    takes one more round through all statements, if nobody tells.

        tape = Tape()                      y_count = 0
        for k in range(n):                 y_tape = np.empty(len(range(n)))
            tape.push(y)                   for k in range(n):
                                               y_tape[y_count] = y
                                               y_count += 1

    Numbers lie in arrays, with one count for each site. They are made before the outermost loop on
    entry to which it is known how much will be pushed; where that is in a loop itself, they grow.
    Where it is known for no loop, they grow at the push that finds no room.
    Arrays lie, as they do on the tape, in a list of references.
    """
    found = pairs(tree)
    lowering = _Tapes(known, helpers, found)
    body = lowering.block(tree.body, [])
    opening: list[gast.stmt] = []
    for node in body:
        opening.append(node)
        if node is lowering.made:
            opening.pop()
            opening.extend(s for site in lowering.sites.values() for s in site.opening)
    result: gast.FunctionDef = changed(tree, body=opening)
    lowering.check(result)
    arrays = (store for site in lowering.sites.values() for store, _ in site.arrays())
    counts = sorted(site.count for site in lowering.sites.values() if site.arrays())
    return result, frozenset(arrays), counts


@dataclass(slots=True)
class _Site:
    """A pair of push and pop: how it begins, where its values lie, how many there are."""

    stores: list[str]
    dtypes: list[str | None]
    count: str
    opening: list[gast.stmt] = field(default_factory=list)

    def arrays(self) -> list[tuple[str, str]]:
        """The stores of numbers, with what they hold."""
        stores = zip(self.stores, self.dtypes)
        return [(store, dtype) for store, dtype in stores if dtype is not None]


class _Tapes:
    def __init__(self, known: NativeKinds, helpers: Helpers, found: dict[str, Pair]) -> None:
        self.known = known
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
                result.extend(self.counted(self.rooms.pop(id(node), [])))
                result.append(new)
                if self.makes(node):
                    self.made = new
        return result

    def makes(self, node: gast.stmt) -> bool:
        """Whether a statement is `tape = Tape()`."""
        value = getattr(node, "value", None)
        if not isinstance(node, gast.Assign) or not isinstance(value, gast.Call):
            return False
        return self.known.called(value) is Tape

    def push(self, node: gast.Expr, around: list[Loop]) -> list[gast.stmt]:
        pair = self.pairs[node.site]
        before, counts = trips(around, self.known)
        site = self.sites[node.site] = self.site(pair, node, before is None)
        code: list[gast.stmt] = []
        for store, dtype, value in zip(site.stores, site.dtypes, pair.values):
            if dtype in ("int", "bool"):
                kept = gast.Constant(value=dtype, kind=None)
                value = quote("f(v, k)", f=self.helpers.use("exact", exact), v=value, k=kept)
            if dtype is None:
                code.extend(quote_statements("t.append(v)", t=store, v=value))
            else:
                code.extend(quote_statements("t[c] = v", t=store, c=site.count, v=value))
        if site.arrays():
            code.extend(quote_statements("c += 1", c=site.count))
        if site.arrays() and before is None:
            one = gast.Constant(value=1, kind=None)
            code = [*self.growing(site, "c == len(t)", one), *code]
        elif site.arrays():
            once = before is around[0]
            wanted = counts[0] if len(counts) == 1 else self.times(counts)
            making = with_origin(self.making(site, wanted, once), origin_of(node))
            if once:
                made = {store for store, _ in site.arrays()}
                site.opening = [s for s in site.opening if s.targets[0].id not in made]
            self.rooms.setdefault(id(before), []).extend(making)
        return with_origin(code, origin_of(node))

    def times(self, counts: list[gast.expr]) -> gast.expr:
        """How often a statement in several loops runs."""
        result: gast.expr = gast.Call(
            func=self.helpers.use("times", times), args=counts, keywords=[]
        )
        return result

    def counted(self, making: list[gast.stmt]) -> list[gast.stmt]:
        """Statements that make arrays, where a length that several have is computed once."""
        lengths: list[gast.expr] = [
            node.value.args[0] for node in making if isinstance(node, gast.Assign)
        ]
        for length in lengths:
            alike = [other for other in lengths if same(other, length)]
            if len(alike) == 1 or isinstance(length, (gast.Name, gast.Constant)):
                continue
            if not any(isinstance(part, gast.Call) and part.args for part in walk(length)):
                continue
            trips = self.known.fresh("trips", Scalar("int"))
            first = with_origin(quote_statements("t = n", t=trips, n=length), origin_of(making[0]))
            for node in making:
                if isinstance(node, gast.Assign) and any(node.value.args[0] is o for o in alike):
                    node.value.args[0] = name(trips)
            return [*first, *self.counted(making)]
        return making

    def making(self, site: _Site, wanted: gast.expr, once: bool) -> list[gast.stmt]:
        """Room for so many more values in each array of a site; all are of one length."""
        if once:
            holes = {"np": self.helpers.use("np", np), "n": wanted}
            return [
                statement
                for store, dtype in site.arrays()
                for statement in quote_statements(f"t = {_NEW[dtype]}", t=store, **holes)
            ]
        return self.growing(site, "n > len(t) - c", wanted)

    def growing(self, site: _Site, test: str, wanted: gast.expr) -> list[gast.stmt]:
        """Room for so many more values in each array of a site, if a test finds none left."""
        use = self.helpers.use("longer", longer)
        first, _ = site.arrays()[0]
        [check] = quote_statements(f"if {test}: pass", t=first, c=site.count, n=wanted)
        check.body = [
            statement
            for store, _ in site.arrays()
            for statement in quote_statements(
                "t = f(t, c, n)", t=store, f=use, c=site.count, n=wanted
            )
        ]
        return [check]

    def pop(self, node: gast.Assign) -> list[gast.stmt]:
        pair, site = self.pairs[node.site], self.sites[node.site]
        code = quote_statements("c -= 1", c=site.count) if site.arrays() else []
        for store, dtype, target in zip(site.stores, site.dtypes, pair.targets):
            value = quote("t.pop()" if dtype is None else "t[c]", t=store, c=site.count)
            code.append(gast.Assign(targets=[target], value=value, type_comment=None))
        return with_origin(code, origin_of(node))

    def site(self, pair: Pair, push: gast.Expr, grows: bool) -> _Site:
        dtypes = [
            self.dtype(self.known.of(target), value, push)
            for target, value in zip(pair.targets, pair.values)
        ]
        stores = [
            self.known.fresh(f"{_hint(target)}_tape", _STORES[dtype])
            for target, dtype in zip(pair.targets, dtypes)
        ]
        count = self.known.fresh(f"{_hint(pair.targets[0])}_count", Scalar("int"))
        site = _Site(stores, dtypes, count)
        first = gast.Constant(value=_FIRST if grows else 0, kind=None)
        for store, dtype in zip(stores, dtypes):
            if dtype is None:
                site.opening.extend(quote_statements("t = []", t=store))
            else:
                holes = {"np": self.helpers.use("np", np), "n": first}
                site.opening.extend(quote_statements(f"t = {_NEW[dtype]}", t=store, **holes))
        if site.arrays():
            site.opening.extend(quote_statements("c = 0", c=count))
        return site

    def dtype(self, kind: Kind | None, value: gast.expr, push: gast.Expr) -> str | None:
        """The type of a number; None for an array, tuple, list or range."""
        if isinstance(kind, Scalar) and kind.type in _NEW:
            return kind.type
        if isinstance(kind, Array) or isinstance(kind, Record) and is_taken(kind):
            return None
        if is_list(kind):
            return None
        if isinstance(kind, Static) and kind.value is range:  # what `reverse` says of one
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
