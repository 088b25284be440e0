"""The adjoints that exist at one point of the reverse sweep.

An adjoint belongs to a *place*: a name and a path of keys into its fixed parts, so that the parts
of tuples, dicts and objects have adjoints of their own. A place without an entry has the adjoint
zero. An entry is an expression that is cheap to repeat (a constant, a name): passing an adjoint on
through a sum or a copy writes no statement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import gast

from autodiff.analysis.kind import UNKNOWN, Array, Kind, Record, Scalar, Sequence, is_number, join
from autodiff.analysis.known import Kinds
from autodiff.reverse.forecast import Trace
from autodiff.reverse.places import Place, leaves, primal_at
from autodiff.syntax.names import Names, name, reads, store
from autodiff.syntax.quote import quote


@dataclass(frozen=True, slots=True)
class Bar:
    """An adjoint: the expression that holds it, its kind, and whether we own its memory.

    `kind` may be smaller than that of the primal: an adjoint that is the same along an axis is
    kept unexpanded until someone needs all of it.
    """

    node: gast.expr
    kind: Kind
    owned: bool


class Bars:
    """The present adjoints, and the code that changes them."""

    def __init__(self, kinds: Kinds, names: Names, whole: frozenset[str]) -> None:
        self.kinds = kinds
        self.names = names
        self.whole = whole
        self.present: dict[Place, Bar] = {}
        self.variables: dict[Place, str] = {}
        self.made: set[str] = set()
        self.vague: set[str] = set()
        self.ever: dict[str, Kind] = {}
        self.out: list[gast.stmt] = []
        self.mutated: set[Place] = set()
        self.trace = Trace()
        self.helper: Callable[[str], gast.expr] = name

    # Places

    def places(self, identifier: str) -> list[Place]:
        """The places of a name: one for each leaf of its fixed structure."""
        kind = self.kinds.names.get(identifier, UNKNOWN)
        if identifier in self.whole:
            return [(identifier, ())]
        return [(identifier, path) for path in leaves(kind)]

    def of(self, identifier: str) -> list[Place]:
        """The places of a name that have an adjoint now."""
        return [place for place in self.present if place[0] == identifier]

    def kind(self, place: Place) -> Kind:
        """The kind of the primal value at a place."""
        kind = self.kinds.names.get(place[0], UNKNOWN)
        for key in place[1]:
            kind = (kind.get(key) if isinstance(kind, Record) else None) or UNKNOWN
        return kind

    def primal(self, place: Place) -> gast.expr:
        """The expression of the primal value at a place."""
        return primal_at(place, self.kinds)

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
        return new

    # Statements

    def assign(self, variable: str, value: gast.expr, kind: Kind) -> None:
        """`variable = value`; adjoints that live in the old content move elsewhere first."""
        if not _is_name(value, variable):
            self.spare(variable, value)
        self.define(variable, kind)
        self.out.append(gast.Assign(targets=[store(variable)], value=value))

    def spare(self, variable: str, value: gast.expr, owner: Place | None = None) -> None:
        """Move the adjoints in a variable which is about to get `value`; its owner's stays."""
        for place, bar in list(self.present.items()):
            if place != owner and variable in reads(bar.node):
                self.move(place, bar, reads(value))

    def define(self, variable: str, kind: Kind) -> None:
        """Tell the kinds what a variable of the reverse sweep holds."""
        self.kinds.names[variable] = kind
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
        if variable in awaited or any(
            variable in reads(other.node) for other in self.present.values()
        ):
            variable = self.temporary(f"{place[0]}_bar_kept")
        self.define(variable, bar.kind)
        self.out.append(gast.Assign(targets=[store(variable)], value=bar.node))
        self.present[place] = replace(bar, node=name(variable), owned=False)

    def protect(self, taken: dict[Place, Bar]) -> dict[Place, Bar]:
        """Adjoints of several parts, moved out of variables that passing one on may overwrite."""
        safe = {}
        for place, bar in taken.items():
            own = {v for p, v in self.variables.items() if p[0] == place[0]}
            if reads(bar.node) & (set(self.variables.values()) - own):
                kept = self.temporary(f"{place[0]}_bar_kept")
                self.assign(kept, bar.node, bar.kind)
                bar = replace(bar, node=name(kept))
            safe[place] = bar
        return safe

    def contribute(self, place: Place, value: gast.expr, kind: Kind, fresh: bool) -> None:
        """Add a contribution to an adjoint; the first one assigns."""
        self.trace.contributed(place[0])
        bar = self.present.get(place)
        if bar is None:
            if self.is_passed_on(value):
                self.present[place] = Bar(value, kind, fresh)
                return
            variable = self.variable(place)
            self.assign(variable, value, kind)
            self.present[place] = Bar(name(variable), kind, fresh)
            return
        variable = self.variable(place)
        in_place = _is_name(bar.node, variable) and self.adds_in_place(place, bar, kind)
        if in_place:
            self.spare(variable, value, place)
            target = store(variable)
            if not is_number(bar.kind):
                self.mutated.add(place)
            self.out.append(gast.AugAssign(target=target, op=gast.Add(), value=value))
            return
        total, total_kind = self.sum(place, bar, value, kind)
        del self.present[place]
        self.assign(variable, total, total_kind)
        self.present[place] = Bar(name(variable), total_kind, True)

    def sum(
        self, place: Place, bar: Bar, value: gast.expr, kind: Kind
    ) -> tuple[gast.expr, Kind]:
        numeric = isinstance(self.kind(place), (Array, Scalar))
        if not numeric or _is_structure(bar.kind) or _is_structure(kind):
            total = quote("f(a, b)", f=self.helper("accumulate"), a=bar.node, b=value)
            return total, bar.kind
        total = gast.BinOp(left=bar.node, op=gast.Add(), right=value)
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
        wide = gast.BinOp(left=bar.node, op=gast.Add(), right=bar.node)
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
            else:
                del self.present[place]
                self.assign(variable, self.copied(bar, full), full)
        self.present[place] = Bar(name(variable), full, True)
        return variable

    def unshare(self, place: Place) -> None:
        """Give the other adjoints that live in the same buffer a copy."""
        own = reads(self.present[place].node)
        for other, bar in list(self.present.items()):
            if other != place and own & reads(bar.node):
                variable = self.variable(other)
                del self.present[other]
                self.assign(variable, self.copied(bar, bar.kind), bar.kind)
                self.present[other] = Bar(name(variable), bar.kind, True)

    def copied(self, bar: Bar, full: Kind) -> gast.expr:
        if isinstance(full, (Sequence, Record)):
            return quote("list(x)", x=bar.node)
        if isinstance(bar.kind, Array):
            return quote("x.copy()", x=bar.node)
        if is_number(bar.kind):
            return bar.node
        return quote("f(x)", f=self.helper("copied"), x=bar.node)

    def zeros(self, place: Place) -> gast.expr:
        """The zero adjoint of a place, as a full value."""
        kind = self.kind(place)
        if isinstance(kind, Scalar):
            return gast.Constant(value=0j if kind.type == "complex" else 0.0, kind=None)
        if isinstance(kind, Array) and kind.dtype is not None and kind.dtype[0] in "fcl":
            return quote("np.zeros_like(x)", np=self.helper("np"), x=self.primal(place))
        if isinstance(kind, Record) and kind.cls is tuple or isinstance(kind, Sequence):
            zeros = quote("list(f(x))", f=self.helper("zeros_like"), x=self.primal(place))
            return zeros if kind.cls is tuple else zeros.args[0]
        return quote("f(x)", f=self.helper("zeros_like"), x=self.primal(place))

    def is_full(self, place: Place, bar: Bar) -> bool:
        """Whether the adjoint has all of its primal's shape."""
        full = self.kind(place)
        if isinstance(full, Scalar):
            return isinstance(bar.kind, Scalar)
        if isinstance(full, Array):
            return isinstance(bar.kind, Array) and len(bar.kind.shape) == len(full.shape) and all(
                own == size and own is not None or own is None and size is None
                for own, size in zip(bar.kind.shape, full.shape)
            )
        return not isinstance(bar.kind, Scalar) or not isinstance(full, (Sequence, Record))

    def expanded(self, place: Place, bar: Bar) -> gast.expr:
        """The full adjoint as an expression (a read-only view where it repeats)."""
        if isinstance(bar.node, gast.Name) and bar.node.id in self.vague:
            return quote("f(g, x)", f=self.helper("expand"), g=bar.node, x=self.primal(place))
        if self.is_full(place, bar):
            return bar.node
        full = self.kind(place)
        np = self.helper("np")
        if isinstance(full, Array) and not full.shape:
            return quote("np.asarray(g)", np=np, g=bar.node)
        if isinstance(full, Array):
            shape = gast.Attribute(value=self.primal(place), attr="shape", ctx=gast.Load())
            return quote("np.broadcast_to(g, s)", np=np, g=bar.node, s=shape)
        return bar.node

    def fill(self, place: Place) -> None:
        """Give an adjoint that is smaller than its primal the full shape, in its variable."""
        bar = self.present[place]
        full = self.kind(place)
        if not self.is_full(place, bar) and isinstance(full, Array):
            variable = self.variable(place)
            np = self.helper("np")
            if isinstance(bar.kind, Scalar) and full.dtype is not None and full.dtype[0] in "fcl":
                value = quote("np.full_like(x, g)", np=np, x=self.primal(place), g=bar.node)
            else:
                value = quote("f(g, x)", f=self.helper("expand"), g=bar.node, x=self.primal(place))
            del self.present[place]
            self.assign(variable, value, full)
            self.present[place] = Bar(name(variable), full, True)

    def settle(self, places: list[Place], certain: frozenset[str]) -> None:
        """Bring adjoints into their own variables, full, zero where absent (at joins).

        A name that is not `certain` to have a value has the adjoint 0.0, whatever its shape.
        """
        for place in places:
            if place in self.present and place[0] in certain:
                self.fill(place)
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
                if place[0] in certain or isinstance(full, Scalar):
                    self.assign(variable, self.zeros(place), full)
                    self.present[place] = Bar(name(variable), full, True)
                else:
                    self.assign(variable, gast.Constant(value=0.0, kind=None), UNKNOWN)
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
                    shared = bar.owned and not any(
                        reads(bar.node) & reads(other.node)
                        for p, other in self.present.items()
                        if p != place
                    )
                    del self.present[place]
                    self.assign(variable, bar.node, bar.kind)
                    self.present[place] = Bar(name(variable), bar.kind, shared)
                    break
            else:
                targets = [store(self.variable(place)) for place, _ in pending]
                values = [bar.node for _, bar in pending]
                self.out.append(
                    gast.Assign(
                        targets=[gast.Tuple(elts=targets, ctx=gast.Store())],
                        value=gast.Tuple(elts=values, ctx=gast.Load()),
                    )
                )
                for place, bar in pending:
                    self.define(self.variable(place), bar.kind)
                    self.present[place] = Bar(name(self.variable(place)), bar.kind, bar.owned)
                return


def _is_name(node: gast.expr, identifier: str) -> bool:
    return isinstance(node, gast.Name) and node.id == identifier


def _is_structure(kind: Kind) -> bool:
    return isinstance(kind, (Record, Sequence))
