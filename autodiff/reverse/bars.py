"""The adjoints that exist at one point of the reverse sweep.

An adjoint belongs to a *place*: a name and a path of keys into its fixed parts, so that the parts
of tuples, dicts and objects have adjoints of their own. A place without an entry has the adjoint
zero. An entry is an expression that is cheap to repeat (a constant, a name): passing an adjoint on
through a sum or a copy writes no statement.
"""

from __future__ import annotations

import gast

from autodiff.analysis.joins import join
from autodiff.analysis.kind import UNKNOWN, Array, Kind, Scalar, Sequence, is_number
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.forecast import Trace
from autodiff.reverse.passing import passed
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar, Values, asks_helpers, is_narrow, is_structure, vague_zero
from autodiff.syntax.make import LOAD, SIGNS, STORE, make
from autodiff.syntax.names import USES, Names, name, reads, store
from autodiff.syntax.quote import quote


class Bars(Values):
    """The present adjoints, and the code that changes them."""

    def __init__(self, kinds: Kinds, names: Names, whole: frozenset[str]) -> None:
        super().__init__(kinds, whole)
        self.names = names
        self.present: dict[Place, Bar] = {}
        self.variables: dict[Place, str] = {}
        self.made: set[str] = set()
        self.ever: dict[str, Kind] = {}
        self.out: list[gast.stmt] = []
        self.mutated: set[Place] = set()
        self.shadows: dict[str, str] = {}
        self.mirrors: dict[str, str] = {}
        self.awaited: set[str] = set()
        """Variables that contributions read which are not written yet."""
        self.given: list[tuple[str, str]] = []
        """Hints and names of temporaries that were asked for lately; `instances` looks at it."""
        self.trace = Trace()
        self.complex = False  # whether a value of unknown kind may be

    # Places

    def of(self, identifier: str) -> list[Place]:
        """The places of a name that have an adjoint now."""
        return [place for place in self.present if place[0] == identifier]

    def variable(self, place: Place) -> str:
        """The variable that holds the adjoint of a place, where it needs one."""
        if place not in self.variables:
            parts = [place[0], *(str(key) for key in place[1]), "bar"]
            text = "_".join(parts)
            new = self.names.fresh(text if text.isidentifier() else f"{place[0]}_part_bar")
            self.variables[place] = new
            self.made.add(new)
        return self.variables[place]

    def temporary(self, hint: str) -> str:
        """A fresh name for an intermediate of the reverse sweep."""
        new = self.names.fresh(hint)
        self.made.add(new)
        self.given.append((hint, new))
        return new

    # Statements

    def assign(self, variable: str, value: gast.expr, kind: Kind) -> None:
        """`variable = value`; adjoints that live in the old content move elsewhere first."""
        if not _is_name(value, variable):
            self.spare(variable, value)
        self.define(variable, kind)
        self.out.append(make(gast.Assign, targets=[store(variable)], value=value))

    def disown(self, value: gast.expr, owner: Place) -> None:
        """The variable of `owner` holds `value` from now on: no other adjoint owns that memory."""
        handed_on = passed(value)
        for place, bar in self.present.items():
            if place != owner and bar.owned and reads(bar.node) & handed_on:
                self.present[place] = bar._replace(owned=False)

    def spare(self, variable: str, value: gast.expr, owner: Place | None = None) -> None:
        """Move the adjoints in a variable which is about to get `value`; its owner's stays."""
        reading = [pair for pair in self.present.items() if variable in USES[pair[1].node][0]]
        for place, bar in reading:
            if place != owner:
                self.move(place, bar, reads(value))

    def define(self, variable: str, kind: Kind) -> None:
        """Tell the kinds what a variable of the reverse sweep holds."""
        self.kinds.names[variable] = kind
        if variable not in self.kinds.local:
            self.kinds.local |= {variable}
        self.made.add(variable)
        old = self.ever.get(variable)
        self.ever[variable] = kind if old is None else join(old, kind)

    def joined_kinds(self) -> dict[str, Kind]:
        """For each variable of the reverse sweep the kind that covers all it ever held."""
        return dict(self.ever)

    def move(self, place: Place, bar: Bar, awaited: set[str]) -> None:
        """Keep an adjoint whose variable a value that reads `awaited` is about to overwrite."""
        variable = self.variable(place)
        if variable in awaited | self.awaited or any(
            variable in reads(other.node) for other in self.present.values()
        ):
            variable = self.temporary(f"{place[0]}_bar_kept")
        self.define(variable, bar.kind)
        self.out.append(make(gast.Assign, targets=[store(variable)], value=bar.node))
        self.disown(bar.node, place)
        self.present[place] = bar._replace(node=name(variable), owned=False)

    def protect(self, taken: dict[Place, Bar]) -> dict[Place, Bar]:
        """Adjoints of several parts, moved out of variables that passing one on may overwrite."""
        safe = {}
        for place, bar in taken.items():
            own = {v for p, v in self.variables.items() if p[0] == place[0]}
            if reads(bar.node) & (set(self.variables.values()) - own):
                kept = self.temporary(f"{place[0]}_bar_kept")
                self.assign(kept, bar.node, bar.kind)
                bar = bar._replace(node=name(kept))
            safe[place] = bar
        return safe

    def contribute(self, place: Place, value: gast.expr, kind: Kind, fresh: bool) -> None:
        """Add a contribution to an adjoint; the first one assigns."""
        if place[0] in self.shadows:
            self.out.append(self.added(place[0], value))
            return
        self.check_value(place[0])
        self.trace.contributed(place[0])
        bar = self.present.get(place)
        changes = getattr(self.kind(place), "cls", None) is not tuple  # it can, in place
        if bar is None:
            fresh = fresh and changes and not (self.composed and asks_helpers(value))
            if self.is_passed_on(value):
                self.present[place] = Bar(value, kind, fresh)
                return
            variable = self.variable(place)
            self.assign(variable, value, kind)
            if not fresh:
                self.disown(value, place)
            self.present[place] = Bar(name(variable), kind, fresh)
            return
        variable = self.variable(place)
        in_place = _is_name(bar.node, variable) and self.adds_in_place(place, bar, kind)
        if in_place:
            self.spare(variable, value, place)
            target = store(variable)
            if not is_number(bar.kind):
                self.mutated.add(place)
            self.out.append(make(gast.AugAssign, target=target, op=SIGNS[gast.Add], value=value))
            return
        total, total_kind = self.sum(place, bar, value, kind)
        del self.present[place]
        self.assign(variable, total, total_kind)
        self.present[place] = Bar(name(variable), total_kind, changes)

    def check_value(self, identifier: str) -> None:
        """An error if an adjoint is about to flow past the slots of a container."""
        if identifier in self.mirrors:
            raise UnsupportedSyntaxError(
                f"a derivative flows into `{identifier}`, a list or dict that changes, in a way "
                "that autodiff does not follow",
                self.trace.place,
                why="it follows what is put in and taken out item by item",
                cure="copy the items that are needed into a new list first",
            )

    def added(self, identifier: str, value: gast.expr) -> gast.stmt:
        """`u_bar[...] += value`: a shadow is added to in place, whatever else shares its memory."""
        whole = make(gast.Constant, value=..., kind=None)
        shadow = name(self.shadows[identifier])
        target = make(gast.Subscript, value=shadow, slice=whole, ctx=STORE)
        return make(gast.AugAssign, target=target, op=SIGNS[gast.Add], value=value)

    def sum(
        self, place: Place, bar: Bar, value: gast.expr, kind: Kind
    ) -> tuple[gast.expr, Kind]:
        numeric = isinstance(self.kind(place), (Array, Scalar))
        if not numeric or is_structure(bar.kind) or is_structure(kind):
            total = quote("f(a, b)", f=self.helper("accumulate"), a=bar.node, b=value)
            return total, bar.kind
        total = make(gast.BinOp, left=bar.node, op=SIGNS[gast.Add], right=value)
        return total, self.kinds.known(total)

    def is_passed_on(self, value: gast.expr) -> bool:
        """Whether an expression can stand for an adjoint without a variable of its own."""
        if isinstance(value, gast.Constant):
            return True
        return isinstance(value, gast.Name) and value.id in self.made

    def adds_in_place(self, place: Place, bar: Bar, kind: Kind) -> bool:
        """Whether `bar += value` is the sum: numbers rebind, arrays if they are ours and fit."""
        if isinstance(bar.kind, Scalar):
            return isinstance(kind, Scalar)
        if not bar.owned or not isinstance(bar.kind, Array):
            return False
        if not isinstance(kind, (Array, Scalar)):
            return False
        full = self.kind(place)
        if not isinstance(full, Array) or bar.kind.shape != full.shape or None in full.shape:
            return False
        if any(
            variable in reads(other.node)
            for other_place, other in self.present.items()
            if other_place != place
            for variable in reads(bar.node)
        ):
            return False
        wide = make(gast.BinOp, left=bar.node, op=SIGNS[gast.Add], right=bar.node)
        return bar.kind.dtype == kind.dtype or (
            isinstance(kind, Scalar) and kind.dtype is None and self.kinds.of(wide) is not None
        )

    # Whole values

    def apart(self, place: Place, value: gast.expr, kind: Kind) -> gast.expr:
        """A value that does not read the variable of a place, which is about to be overwritten."""
        if self.variable(place) not in reads(value):
            return value
        kept = self.temporary(f"{place[0]}_bar_kept")
        self.assign(kept, value, kind)
        return name(kept)

    def own(self, place: Place) -> str:
        """Make the adjoint a full buffer of our own that can be updated in place; its variable."""
        if place[0] in self.shadows:
            return self.shadows[place[0]]
        self.check_value(place[0])
        self.trace.contributed(place[0])
        variable = self.variable(place)
        bar = self.present.get(place)
        full = self.kind(place)
        self.mutated.add(place)
        if bar is None:
            self.assign(variable, self.zeros(place), full)
        else:
            self.fill(place)
            bar = self.present[place]
            shared = any(
                reads(bar.node) & reads(other.node)
                for other_place, other in self.present.items()
                if other_place != place
            )
            if _is_name(bar.node, variable) and bar.owned and not shared:
                return variable
            if _is_name(bar.node, variable) and bar.owned:
                self.unshare(place)
            elif not (bar.owned and not shared and self.brought_home(place)):
                del self.present[place]
                self.assign(variable, self.copied_whole(place, bar, full), full)
        self.present[place] = Bar(name(variable), full, True)
        return variable

    def brought_home(self, place: Place) -> bool:
        """Move an adjoint of our own, uncopied, to its variable; who lives there moves too.

        False where that would overwrite what is still to be read.
        """
        moving = {place}
        while True:
            targets = {self.variable(p) for p in moving}
            living = {p for p, bar in self.present.items() if reads(bar.node) & targets}
            if living <= moving:
                break
            moving |= living
        if targets & self.awaited or not self.is_passed_on(self.present[place].node):
            return False
        self.parallel([(p, bar) for p, bar in self.present.items() if p in moving])
        return True

    def unshare(self, place: Place) -> None:
        """Give the other adjoints that live in the same buffer a copy."""
        own = reads(self.present[place].node)
        for other, bar in list(self.present.items()):
            if other != place and own & reads(bar.node):
                variable = self.variable(other)
                if variable in self.awaited:
                    variable = self.temporary(f"{other[0]}_bar_kept")
                del self.present[other]
                self.assign(variable, self.copied(bar, bar.kind), bar.kind)
                self.present[other] = Bar(name(variable), bar.kind, True)

    def fill(self, place: Place, there: bool = True) -> None:
        """Give an adjoint smaller than its primal all its shape and dtype, in its variable.

        `there`: the primal has a value.
        """
        bar = self.present[place]
        full = self.kind(place)
        if isinstance(full, Sequence) and self.is_vague(bar):
            del self.present[place]
            self.assign(self.variable(place), self.expanded(place, bar), full)
            self.present[place] = Bar(name(self.variable(place)), full, True)
            return
        if not self.is_full(place, bar) and isinstance(full, Array):
            variable = self.variable(place)
            np = self.helper("np")
            if not there:
                value = quote("z + g", z=self.zeros(place, False), g=bar.node)
            elif isinstance(bar.kind, Scalar) and full.dtype is not None and full.dtype[0] in "fcl":
                value = quote("np.full_like(x, g)", np=np, x=self.primal(place), g=bar.node)
            else:
                value = quote("f(g, x)", f=self.helper("expand"), g=bar.node, x=self.primal(place))
            own = getattr(bar.kind, "dtype", None)
            filled = Array(own, full.shape) if isinstance(bar.kind, Array) else full
            del self.present[place]
            self.assign(variable, value, filled)
            self.present[place] = Bar(name(variable), filled, True)
        bar = self.present[place]
        if isinstance(full, Array) and is_narrow(bar.kind, full):
            variable = self.variable(place)
            value = quote(f"g.astype({full.dtype!r})", g=bar.node)
            del self.present[place]
            self.assign(variable, value, full)
            self.present[place] = Bar(name(variable), full, True)

    def settle(self, places: list[Place], certain: frozenset[str]) -> None:
        """Bring adjoints into their own variables, full, zero where absent (at joins).

        A name that is not `certain` to have a value, nor of known shape, has the adjoint 0.0.
        """
        for place in places:
            if place in self.present and self.is_sure(place, certain):
                self.fill(place, place[0] in certain)
        moves: list[tuple[Place, Bar]] = []
        for place in places:
            bar = self.present.get(place)
            if bar is None:
                continue
            if not _is_name(bar.node, self.variable(place)):
                moves.append((place, bar))
        self.parallel(moves)
        for place in places:
            if place not in self.present:
                variable = self.variable(place)
                full = self.kind(place)
                if self.is_sure(place, certain):
                    self.assign(variable, self.zeros(place, place[0] in certain), full)
                    self.present[place] = Bar(name(variable), full, True)
                else:
                    self.assign(variable, vague_zero(full), UNKNOWN)
                    self.vague.add(variable)
                    self.present[place] = Bar(name(variable), UNKNOWN, False)

    def parallel(self, moves: list[tuple[Place, Bar]]) -> None:
        """Assign several adjoints to their variables at once, whatever reads whatever."""
        pending = list(moves)
        while pending:
            for index, (place, bar) in enumerate(pending):
                variable = self.variable(place)
                others = [b for p, b in pending if p != place]
                if not any(variable in reads(other.node) for other in others):
                    pending.pop(index)
                    owned = self.present[place].owned and not any(  # one before may have it
                        reads(bar.node) & reads(other.node)
                        for p, other in self.present.items()
                        if p != place
                    )
                    del self.present[place]
                    self.assign(variable, bar.node, bar.kind)
                    self.disown(bar.node, place)
                    self.present[place] = Bar(name(variable), bar.kind, owned)
                    break
            else:
                targets = [store(self.variable(place)) for place, _ in pending]
                values = [bar.node for _, bar in pending]
                self.out.append(
                    make(
                        gast.Assign,
                        targets=[make(gast.Tuple, elts=targets, ctx=STORE)],
                        value=make(gast.Tuple, elts=values, ctx=LOAD),
                    )
                )
                for place, bar in pending:
                    self.disown(bar.node, place)
                for place, bar in pending:
                    self.define(self.variable(place), bar.kind)
                    owned = self.present[place].owned
                    self.present[place] = Bar(name(self.variable(place)), bar.kind, owned)
                return


def _is_name(node: gast.expr, identifier: str) -> bool:
    return isinstance(node, gast.Name) and node.id == identifier
