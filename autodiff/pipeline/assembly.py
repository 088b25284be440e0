"""From a function in Core to the text and function of its derivative: the list of passes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import CellType, FunctionType
from typing import Any

import gast

from autodiff.core import Call, Function, Left, NotYet, Steps, TooMuch, Unseen, Value
from autodiff.core.verify import verify
from autodiff.dataflow.dead import remove_dead
from autodiff.dataflow.settle import settle
from autodiff.deadline import check
from autodiff.emit.module import Definition, definition
from autodiff.emit.over_tape import uncounted
from autodiff.emit.stages import Watching
from autodiff.kinds.kind import Kind, Record
from autodiff.kinds.size import Told
from autodiff.lean.lean import lean_memory, lean_sweep, lean_tangent
from autodiff.loader import load
from autodiff.lower.flow.frame import Unit
from autodiff.lower.flow.lasting import is_absent, staying
from autodiff.lower.functions.function import lowered
from autodiff.lower.functions.insertion import BLOCKS
from autodiff.lower.functions.standing import Callee
from autodiff.pipeline.compiled import Made, bound, holding
from autodiff.pipeline.half import Half
from autodiff.pipeline.second import composed, with_reverse_sweep
from autodiff.primitives import is_world
from autodiff.primitives.raising import complex_power, stay_real
from autodiff.reversal.checkpointing import outline
from autodiff.reversal.differentiate import begun, differentiate
from autodiff.reversal.finish import finish
from autodiff.reversal.one_number import alone, take_seed
from autodiff.reversal.outer_arrays import read_before
from autodiff.reversal.placing import record
from autodiff.reversal.prices import NATIVE as NATIVE_PRICES
from autodiff.reversal.prices import PYTHON
from autodiff.reversal.reopened import ajar
from autodiff.rules import foreign
from autodiff.rules.home import public_name
from autodiff.runtime import numeric
from autodiff.syntax.definition import definition as definition_of
from autodiff.syntax.emit import emit
from autodiff.tangent.directions.several import along_several
from autodiff.tangent.forward_mode import mark, with_tangent
from autodiff.tangent.index_sets import Dependence
from autodiff.tangent.propagation import Tangents

CHECKED = os.environ.get("AUTODIFF_VERIFY", "") == "1"
"""Whether the invariants of Core are checked after each pass, and its faults raised."""
_MOST = 10_000
"""So many operations are planned in seconds: the plans compare each with all others."""
BESIDE = {"jvp": Tangents, "sparsity": Dependence}
"""What writes beside each operation what a mode asks for."""
TITLES = {
    "vjp": "Value and pullback",
    "jvp": "Value and tangent",
    "sparsity": "Value and index sets",
    "adjoints": "Adjoints for a seed",
}


def check_classes(kind: Kind) -> None:
    """Objects of a library, sparse arrays, get adjoints of their class where they are followed."""
    if isinstance(kind, Record):
        if foreign.is_followed(kind.cls):
            raise NotYet(f"{public_name(kind.cls)} with a derivative as an argument")
        for part in kind.items:
            check_classes(part)


class Module:
    """The text of one derivative: its main function, and before it the functions that it calls.

    tree, kinds: of the main function, and of its names. watch: is told of each pass over it. power:
    where it raises to a power that may be complex.
    left: the paths that are not taken, which are left out; None: none is.
    unmarked: checkpointed loops keep all states, as they are differentiated again. marks: they are
    marked in the text, for who differentiates that.
    least: from how many directions on all of them at once are faster.
    meets: it may meet what is no number, with nothing stored outside before.
    """

    native = strict = False
    """Whether everything is to be one function, of plain statements; see `Function`."""

    def __init__(self, watch: Watching | None = None, left: Left | None = None) -> None:
        self.watch, self.left = watch, left
        self.texts: list[str] = []
        self.tree: gast.FunctionDef | None = None
        self.kinds: dict[str, Kind] = {}
        self.power: Any = None
        self.guards: list[Callable[[], bool]] = []
        self.origin = Made()
        self.least, self.unmarked, self.marks, self.meets = 1, False, False, False
        self.made: dict[Half, FunctionType] = {}
        self.begun: dict[Half, tuple[str, CellType]] = {}
        self.names: Counter[str] = Counter()

    def compiled(
        self, half: Half, name: str, doc: str, asked: frozenset[Told] = frozenset()
    ) -> FunctionType:
        """The function that a derivative is, from lowering to loading."""
        watch, self.watch = self.watch, None
        own = self.sweep, self.left, self.native or bool(half.inner)
        try:
            unit = lowered(half.function, half.kinds, asked, *own)
        except (NotYet, Unseen) as reason:
            reason.early = True
            raise
        if self.left is not None and unit.stores:
            raise NotYet("a place outside that is stored into, before a path that is left out")
        beside = half.mode if half.mode in BESIDE else "vjp"
        unit.compile = lambda callee, active: unit.references.use(
            *self.called(callee, active, beside, half.several)
        )
        made = unit.function
        made.driven = partial(self.driven, unit) if self.native else None
        if sum(1 for _ in made.body.walk()) > _MOST:
            raise TooMuch("a function of very many operations")
        if self.begun and any(map(is_world, made.body.walk())):
            raise NotYet("a call that stays a call, of what nothing is known")
        made.name, made.strict, made.called = name, self.strict, bool(self.begun)
        self.prepared(unit)
        if not self.native:
            self.power = self.power or complex_power(made)
            stay_real(made, unit.references)
        by_name = {value.hint: value for value in made.body.parameters}
        passed(unit, "lower", watch, again=True)
        for step in half.inner:
            composed(unit, [by_name[own] for own in step.wrt], step)
            by_name.update((value.hint, value) for value in made.body.parameters)
            passed(unit, step.mode, watch, again=True)
        self.unmarked |= unit.unmarked
        drawn = any(own is numeric for own in unit.references.objects.values())
        self.meets |= drawn and not unit.stores
        if self.marks:
            mark(unit)
        wrt = [by_name[own] for own in half.wrt]
        for value in wrt:
            check_classes(value.kind)
        if half.mode == "primal":
            if getattr(half.function, "changed", ()):
                begun(unit)  # it gives back what it changes, in copies
            settle(made, unit.references)
            self.primal(unit, made)
        elif half.mode == "value":  # which leaves its arguments as they are
            begun(unit)
        elif half.mode in BESIDE:
            with_tangent(unit, wrt, half.single, BESIDE[half.mode])
            if self.marks:
                ajar(made, unit.references)
        else:
            outline(unit, wrt)
            if half.mode == "adjoints":
                alone(made, wrt)
            form = "vjp" if half.mode == "adjoints" else half.mode
            differentiate(unit, wrt, form, half.aux)
            if self.native and form == "vjp":
                take_seed(unit, half.mode == "adjoints")
        if half.single and half.mode not in BESIDE:
            made.outputs = made.outputs[0]
        passed(unit, "differentiate", watch)
        if half.mode in ("primal", "value", "sparsity"):
            remove_dead(made, recorded=False)
        elif half.mode == "jvp":
            remove_dead(made, recorded=False)
            if half.several:
                self.least = along_several(unit, len(wrt))
            lean_tangent(made, unit.references)
            remove_dead(made, recorded=False)
        else:
            lean_sweep(made, unit.references)
            passed(unit, "lean_sweep", watch)
            record(made, NATIVE_PRICES if self.native else PYTHON)
            passed(unit, "record", watch)
            finish(made, unit.references)
            if half.aux and half.mode == "grad":
                made.outputs, made.result = (made.outputs, made.result), None
            if made.seeds is not None:
                read_before(made)
            if not self.native:
                uncounted(made)
            remove_dead(made)
            passed(unit, "finish", watch)
            lean_memory(made, unit.references)
            remove_dead(made)
        for op in made.body.walk():
            if isinstance(op, Call) and not (op.variant or op.name):
                op.variant = unit.references.use(*self.called(op.callee, None))
        passed(unit, "lean_memory", watch)
        self.finished(made)
        written = definition(made, unit.main, unit.references.objects, unit.free, doc, self.native)
        place = Callee(half.function, half.kinds).place
        self.written_out(written)
        loaded = self.load(half, written, unit, place)
        self.tree, self.kinds = written.tree, written.kinds
        others = [*bound(half.kinds), *staying(unit)]
        others += [partial(is_absent, *own) for own in unit.absent]
        self.guards += [*holding([*unit.found.values()], unit.members), *others]
        self.origin.others |= bool(others)
        self.origin.outside += unit.found.values()
        self.origin.members += [(owner, name) for (_, name), (owner, _) in unit.members.items()]
        return loaded

    def prepared(self, unit: Unit) -> None:
        """What else is done with a function that is lowered."""

    def finished(self, function: Function) -> None:
        """What else is done with a function before it becomes text."""

    def written_out(self, written: Definition) -> None:
        """Blocks on adjoints that a function calls stand before it."""
        for own, value in written.helpers.items():
            tree = BLOCKS.get(value) if isinstance(value, FunctionType) else None
            if tree is not None:
                text = emit(definition_of(own, tree.args, tree.body)).text
                self.texts += [text] if text not in self.texts else []

    def primal(self, unit: Unit, function: Function) -> None:
        """What else is done with a function itself."""

    def sweep(self, unit: Unit, function: Function, wrt: list[Value], form: str) -> None:
        """Appends the reverse sweep to a function that is called inside of another."""
        self.primal(unit, function)
        with_reverse_sweep(unit, function, wrt, form)

    def driven(self, unit: Unit, op: Steps) -> tuple[str, str]:
        """Natively: references to what runs a checkpointed loop, and to what reverses it."""
        raise NotImplementedError

    def load(self, half: Half, written: Definition, unit: Unit, place: str) -> FunctionType:
        """The function that a text defines."""
        emitted = emit(written.tree)
        self.texts.append(emitted.text)
        name = f"{written.tree.name} {place}"
        own = emitted.text, name, unit.main, written.helpers, emitted.origins
        loaded = load(*own)
        self.origin.loads.append((*own, loaded))
        return loaded

    def called(
        self,
        callee: Callee,
        active: tuple[int, ...] | None,
        beside: str = "vjp",
        several: bool = False,
    ) -> tuple[str, object]:
        """Name and function of value and pullback of a function that stays a function (`beside`:
        or tangent), of its value alone if `active` is None; where it calls itself, the cell that
        holds it once it is there.
        """
        wrt = tuple(callee.parameters[k] for k in active or ())
        mode = "primal" if active is None else beside
        half = Half(callee.function, callee.kinds, wrt, mode, False, False, callee.inner, several)
        if half in self.begun:
            return self.begun[half]
        found = self.made.get(half)
        if found is None:
            own = callee.name if active is None else f"{callee.name}_{beside}"
            self.names[own] = self.names.get(own, callee.is_known(own)) + 1
            if self.names[own] > 1:
                own = f"{own}_{self.names[own]}"
            place, names = callee.place, ", ".join(wrt)
            what = "Value and tangents" if several else TITLES[beside]
            doc = f"{what} of {callee.name} ({place}) with respect to {names}."
            if active is None:
                doc = f"Value of {callee.name} ({place})."
            _, cell = self.begun[half] = own, CellType()
            found = self.made[half] = self.compiled(half, own, doc)
            cell.cell_contents = found
            del self.begun[half]
        return found.__name__, found


def passed(unit: Unit, after: str, watch: Watching | None, again: bool = False) -> None:
    """After a pass: the invariants of Core, in the tests, and whoever watches. From `differentiate`
    to `record` values of mirrored blocks are used.
    """
    check()
    if CHECKED and after not in ("differentiate", "lean_sweep"):
        verify(unit.function, after, again=again)
    if watch is not None:
        watch(after, unit)
