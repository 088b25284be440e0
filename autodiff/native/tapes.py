"""The tape as typed memory: for each value of each push a store of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

import gast

from autodiff.errors import NativeError
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Static
from autodiff.native.bindings import Helpers
from autodiff.native.helpers import exact
from autodiff.native.lists import is_list
from autodiff.native.native_kinds import NativeKinds, is_taken, literal
from autodiff.native.taped import longer, new_tape, release, times
from autodiff.native.trips import Loop, trips, trips_of
from autodiff.runtime import Tape
from autodiff.syntax.change import changed, map_blocks
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.pushes import Pair, is_pop, is_push, pairs
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import same, statements, walk

_DTYPES = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128"}
_ONE = gast.Constant(value=1, kind=None)
_FIRST = 64
"""For how many pushes there is room in the beginning, where nobody knows how many there will be."""


def tapes(
    tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers
) -> tuple[gast.FunctionDef, list[str], list[str]]:
    """Each push goes into stores of its own; those of numbers, and what counts the pushes in them:
    for Numba its 0 has another type than what it becomes, which takes one more round through all
    statements, if nobody tells.

        tape = Tape()                      y_count = 0
        for k in range(n):                 y_tape = new_tape(len(range(n)), "float64 * 2")
            tape.push((y, z))              for k in range(n):
                                               y_tape[y_count] = y, z
                                               y_count += 1

    Numbers lie side by side in tapes of their own type (`taped`), with one count for each site; for
    a loop that runs in any order each in one, as vectors are read from there. They are made before
    the outermost loop on entry to which it is known how much will be pushed; where that is in a
    loop itself, they grow. Where it is known for no loop, they grow at the push that finds no room.
    Arrays lie, as they do on the tape, in a list of references.
    """
    found = pairs(tree)
    loops = (node for node in statements(tree) if getattr(node, "unordered", False))
    single = {node.site for loop in loops for node in loop.body if is_pop(node)}
    lowering = _Tapes(known, helpers, found, single)
    body = lowering.block(tree.body, [])
    opening: list[gast.stmt] = []
    for node in body:
        opening.append(node)
        if node is lowering.made:
            opening.pop()
            opening.extend(s for site in lowering.sites.values() for s in site.opening)
    result: gast.FunctionDef = changed(tree, body=opening)
    lowering.check(result)
    sites = [site for site in lowering.sites.values() if site.tapes()]
    made = sorted(store.name for site in sites for store in site.tapes())
    return result, made, sorted(site.count for site in sites)


def released(tree: gast.FunctionDef, stores: list[str], helpers: Helpers) -> gast.FunctionDef:
    """The function that gives back the memory of its tapes before it returns."""
    if not stores:
        return tree
    *body, last = tree.body
    call = gast.Call(helpers.use("release", release), [*map(name, stores)], [])
    result: gast.FunctionDef = changed(tree, body=[*body, gast.Expr(value=call), last])
    return result


@dataclass(slots=True)
class _Store:
    """Where values lie: which of a push, and of what types if these are numbers."""

    name: str
    places: list[int]
    dtypes: list[str]

    def of(self, parts: Sequence[gast.expr], cls: type = gast.Load) -> gast.expr:
        """Its values, or their targets."""
        own = [parts[k] for k in self.places]
        return own[0] if len(own) == 1 else gast.Tuple(elts=own, ctx=cls())

    def text(self) -> gast.Constant:
        """The types of its numbers: `float64 * 2, int64`."""
        counted = [(dtype, len([*run])) for dtype, run in groupby(self.dtypes)]
        parts = [dtype if n == 1 else f"{dtype} * {n}" for dtype, n in counted]
        return gast.Constant(value=", ".join(parts), kind=None)


@dataclass(slots=True)
class _Site:
    """A pair of push and pop: how it begins, where its values lie, how many there are."""

    stores: list[_Store]
    count: str
    opening: list[gast.stmt] = field(default_factory=list)

    def tapes(self) -> list[_Store]:
        """The stores of numbers."""
        return [store for store in self.stores if store.dtypes]


class _Tapes:
    def __init__(
        self, known: NativeKinds, helpers: Helpers, found: dict[str, Pair], single: set[str]
    ) -> None:
        self.known = known
        self.helpers = helpers
        self.pairs = found
        self.single = single
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
                result.extend(self.pop(node, around))
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
        values = list(pair.values)
        code: list[gast.stmt] = []
        for store in site.stores:
            for k, dtype in zip(store.places, store.dtypes):
                if dtype in ("int64", "bool"):
                    kept = gast.Constant(value=dtype.removesuffix("64"), kind=None)
                    use = self.helpers.use("exact", exact)
                    values[k] = quote("f(v, k)", f=use, v=values[k], k=kept)
            text = "t[c] = v" if store.dtypes else "t.append(v)"
            code += quote_statements(text, t=store.name, c=site.count, v=store.of(values))
        if site.tapes():
            code.extend(quote_statements("c += 1", c=site.count))
        if site.tapes() and before is None:
            code = [*self.growing(site, "c == len(t)", _ONE), *code]
        elif site.tapes():
            once = before is around[0]
            wanted = counts[0] if len(counts) == 1 else self.times(counts)
            making = with_origin(self.making(site, wanted, once), origin_of(node))
            if once:
                made = {store.name for store in site.tapes()}
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
        """Room for so many more pushes in each tape of a site; all are of one length."""
        return self.new(site, wanted) if once else self.growing(site, "n > len(t) - c", wanted)

    def new(self, site: _Site, wanted: gast.expr) -> list[gast.stmt]:
        use = self.helpers.use("new_tape", new_tape)
        return [
            statement
            for store in site.tapes()
            for statement in quote_statements(
                "t = f(n, k)", t=store.name, f=use, n=wanted, k=store.text()
            )
        ]

    def growing(self, site: _Site, test: str, wanted: gast.expr) -> list[gast.stmt]:
        """Room for so many more pushes in each tape of a site, if a test finds none left."""
        use = self.helpers.use("longer", longer)
        tapes = [store.name for store in site.tapes()]
        [check] = quote_statements(f"if {test}: pass", t=tapes[0], c=site.count, n=wanted)
        check.body = [
            statement
            for own in tapes
            for statement in quote_statements(
                "t = f(t, c, n)", t=own, f=use, c=site.count, n=wanted
            )
        ]
        return [check]

    def pop(self, node: gast.Assign, around: list[Loop]) -> list[gast.stmt]:
        """What was pushed last; in a loop that need not run backwards, in this iteration."""
        pair, site = self.pairs[node.site], self.sites[node.site]
        code = quote_statements("c -= n", c=site.count, n=_ONE) if site.tapes() else []
        place: gast.expr = name(site.count)
        if node.site in self.single:
            loop = around[-1]
            [taken] = code
            code = []
            taken.value = trips_of(loop.iter)
            self.rooms.setdefault(id(loop), []).extend(with_origin([taken], origin_of(node)))
            step: gast.expr = name(loop.target.id)
            if len(loop.iter.args) > 1 and literal(loop.iter.args[0], ...) != 0:
                step = quote("i - low", i=step, low=loop.iter.args[0])
            place = quote("c + i", c=place, i=step)
        for store in site.stores:
            value = quote("t[c]" if store.dtypes else "t.pop()", t=store.name, c=place)
            target = store.of(pair.targets, gast.Store)
            code.append(gast.Assign(targets=[target], value=value, type_comment=None))
        return with_origin(code, origin_of(node))

    def site(self, pair: Pair, push: gast.Expr, grows: bool) -> _Site:
        stores: list[_Store] = []
        numbers: _Store | None = None
        for k, (target, value) in enumerate(zip(pair.targets, pair.values)):
            dtype = self.dtype(self.known.of(target), value, push)
            if dtype is not None and numbers is not None:
                numbers.places.append(k)
                numbers.dtypes.append(dtype)
                continue
            kind: Kind = Record(list, (), ()) if dtype is None else Array(dtype, (None,))
            own = self.known.fresh(f"{_hint(target)}_tape", kind)
            stores.append(_Store(own, [k], [dtype] if dtype else []))
            if dtype is not None and push.site not in self.single:
                numbers = stores[-1]
        count = self.known.fresh(f"{_hint(pair.targets[0])}_count", Scalar("int"))
        site = _Site(stores, count)
        for store in stores:
            if not store.dtypes:
                site.opening.extend(quote_statements("t = []", t=store.name))
        site.opening += self.new(site, gast.Constant(value=_FIRST if grows else 0, kind=None))
        if site.tapes():
            site.opening.extend(quote_statements("c = 0", c=count))
        return site

    def dtype(self, kind: Kind | None, value: gast.expr, push: gast.Expr) -> str | None:
        """The type of a number; None for an array, tuple, list or range."""
        if isinstance(kind, Scalar) and kind.type in _DTYPES:
            return _DTYPES[kind.type]
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
