"""The switch: each derivative asks Core first; what Core does not take yet goes the old way."""

from __future__ import annotations

import os
import re
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from types import CellType, CodeType, FunctionType
from typing import Any

from autodiff.analysis.kind import Kind
from autodiff.analysis.size import Told
from autodiff.compiled import Compiled
from autodiff.core.function import Function
from autodiff.core.notyet import NotYet
from autodiff.core.references import MARK
from autodiff.core.value import Value
from autodiff.core.verify import verify
from autodiff.dataflow.dead import remove_dead
from autodiff.emit.module import definition
from autodiff.emit.tape import uncounted
from autodiff.lean.lean import lean_memory, lean_sweep
from autodiff.loader import load, place_of
from autodiff.lower.form import form_of
from autodiff.lower.frame import Unit
from autodiff.lower.lowering import lowered
from autodiff.lower.standing import Callee
from autodiff.pipeline.guards import holding
from autodiff.pipeline.request import Request
from autodiff.reversal.differentiate import differentiate
from autodiff.reversal.finish import finish
from autodiff.reversal.ordinary import ordinary
from autodiff.reversal.record import record
from autodiff.syntax.emit import emit
from autodiff.syntax.names import parameters

ENABLED = os.environ.get("AUTODIFF_CORE", "") == "1"
"""Whether Core is asked at all: until it takes over, whoever wants to see it says so."""
CHECKED = os.environ.get("AUTODIFF_VERIFY", "") == "1"
REASONS: Counter[str] = Counter()
"""How often Core did not take a function yet, by reason."""


def taken(function: FunctionType, request: Request, doc: str) -> Compiled | None:
    """The derivative by way of Core; None if it is not taken yet."""
    if not ENABLED:
        return None
    try:
        return through_core(function, request, doc)
    except NotYet as reason:
        REASONS[reason.reason] += 1
        return None


def through_core(function: FunctionType, request: Request, doc: str) -> Compiled:
    """The derivative by way of Core, or `NotYet`."""
    if request.mode not in ("grad", "value_and_grad", "vjp"):
        raise NotYet(f"mode {request.mode}")
    if request.backend is not None or request.composed or request.has_aux or request.narrow:
        raise NotYet("a request of another kind")
    half = Half(function, request.kinds, request.wrt, request.mode, request.single)
    name = request.title or f"{form_of(function).tree.name}_{request.mode}"
    module = Module()
    loaded = module.compiled(half, name, doc, request.asked)
    text = "\n\n".join(module.texts)
    return Compiled(loaded, text, (), tuple(module.guards))


@dataclass(frozen=True, slots=True)
class Half:
    """A derivative to compile: of a function, for kinds, with respect to parameters, in a form."""

    function: FunctionType
    kinds: tuple[Kind, ...]
    wrt: tuple[str, ...]
    mode: str
    single: bool = False


class Module:
    """The text of one derivative: its main function, and before it the functions that it calls."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.guards: list[Callable[[], bool]] = []
        self.made: dict[Half, FunctionType] = {}
        self.begun: dict[Half, tuple[str, CellType]] = {}
        self.names: Counter[str] = Counter()

    def compiled(
        self, half: Half, name: str, doc: str, asked: frozenset[Told] = frozenset()
    ) -> FunctionType:
        """The function that a derivative is, from lowering to loading."""
        unit = lowered(half.function, half.kinds, asked, with_reverse_sweep)
        unit.compile = lambda callee, active: unit.references.use(*self.called(callee, active))
        made = unit.function
        made.name = name
        by_name = {value.hint: value for value in made.body.parameters}
        checked(unit, "lower")
        differentiate(unit, [by_name[own] for own in half.wrt], half.mode)
        if half.single:
            made.outputs = made.outputs[0]
        checked(unit, "differentiate")
        remove_dead(made, recorded=False)
        lean_sweep(made, unit.references)
        record(made)
        checked(unit, "record")
        finish(made, unit.references)
        uncounted(made)
        remove_dead(made)
        lean_memory(made, unit.references)
        remove_dead(made)
        checked(unit, "remove_dead")
        tree, helpers = definition(made, unit.main, unit.references.objects, unit.free, doc)
        emitted = emit(tree)
        place = place_of(half.function.__code__)
        loaded = load(emitted.text, f"{tree.name} {place}", unit.main, helpers, emitted.origins)
        self.texts.append(emitted.text)
        self.guards += [*holding(unit.found, unit.members), *staying(unit)]
        return loaded

    def called(self, callee: Callee, active: tuple[int, ...]) -> tuple[str, object]:
        """Name and function of value and pullback of a function that stays a function; where it
        calls itself, the cell that holds it once it is there.
        """
        names = parameters(form_of(callee.function).tree.args)
        half = Half(callee.function, callee.kinds, tuple(names[k] for k in active), "vjp")
        if half in self.begun:
            return self.begun[half]
        found = self.made.get(half)
        if found is None:
            own = f"{callee.function.__name__}_vjp"
            self.names[own] += 1
            if self.names[own] > 1:
                own = f"{own}_{self.names[own]}"
            place = place_of(callee.function.__code__)
            wrt = ", ".join(half.wrt)
            doc = (
                f"Value and pullback of {callee.function.__name__} ({place}) with respect to {wrt}."
            )
            _, cell = self.begun[half] = own, CellType()
            found = self.made[half] = self.compiled(half, own, doc)
            cell.cell_contents = found
            del self.begun[half]
        return found.__name__, found


def with_reverse_sweep(unit: Unit, function: Function, wrt: list[Value], form: str) -> None:
    """Appends the reverse sweep to a function that is called inside of another."""
    differentiate(replace(unit, function=function, entry=set()), wrt, form)
    remove_dead(function, recorded=False)
    lean_sweep(function, unit.references)
    record(function)
    remove_dead(function)
    ordinary(function, unit.references)


def staying(unit: Unit) -> Iterator[Callable[[], bool]]:
    """Checks that what is outside is what it was, where some of it changes."""
    watched = [*unit.lasting, *(unit.objects.items() if unit.cells else ())]
    for path, array in watched:
        root, rest = re.fullmatch(r"(@?\w+)(.*)", path, re.DOTALL).groups()  # type: ignore[union-attr]
        code, known = compile(f"root{rest}", path, "eval"), referred(array)
        read = unit.references.objects.get if root.startswith(MARK) else unit.main.lookup
        yield partial(is_there, partial(read, root), code, known)


def referred(found: Any) -> Callable[[], Any]:
    """What gives an object that is kept, if it can be, by others alone."""
    try:
        return weakref.ref(found)
    except TypeError:
        return lambda: found


def is_there(root: Callable[[], object], code: CodeType, known: Callable[[], object]) -> bool:
    """Whether an object is where it was."""
    try:
        found = root()
        found = found.cell_contents if isinstance(found, CellType) else found
        return eval(code, {"root": found}) is known()
    except (LookupError, AttributeError, ValueError):
        return False


def checked(unit: Unit, after: str) -> None:
    """The invariants of Core, in the tests. Between `differentiate` and `record` values of mirrored
    blocks are used.
    """
    if CHECKED and after not in ("differentiate",):
        verify(unit.function, after)
