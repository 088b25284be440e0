"""The switch: each derivative asks Core first; what Core does not take yet goes the old way."""

from __future__ import annotations

import contextlib
import functools
import os
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from types import CellType, FunctionType
from typing import Any

import gast

from autodiff.analysis.size import Told
from autodiff.compiled import Compiled
from autodiff.core import (
    Call,
    Function,
    NotYet,
    Operation,
    SizesTold,
    Unseen,
    Untaken,
    Value,
    Verbatim,
)
from autodiff.core.verify import verify
from autodiff.dataflow.dead import remove_dead
from autodiff.dataflow.settle import settle
from autodiff.emit.calls import uncounted
from autodiff.emit.module import Definition, definition
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from autodiff.half import Half, half_of, rest_of
from autodiff.lean.lean import lean_memory, lean_sweep, lean_tangent
from autodiff.loader import at_the_users, load
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Unit
from autodiff.lower.flow.lasting import is_absent, staying
from autodiff.lower.functions.function import lowered
from autodiff.lower.functions.standing import Callee
from autodiff.lower.statement.trying import is_seen
from autodiff.pipeline.guards import bound, holding
from autodiff.pipeline.reals import checked_real
from autodiff.pipeline.request import Request
from autodiff.primitives import is_world
from autodiff.primitives.raising import complex_power, stay_real
from autodiff.reversal.checkpoints import outline
from autodiff.reversal.differentiate import begun, differentiate, take_seed
from autodiff.reversal.finish import finish
from autodiff.reversal.outside import read_before
from autodiff.reversal.placing import record
from autodiff.reversal.prices import NATIVE as NATIVE_PRICES
from autodiff.reversal.prices import PYTHON
from autodiff.rules import registry
from autodiff.second import composed, with_reverse_sweep
from autodiff.syntax.emit import emit
from autodiff.syntax.origin import entered
from autodiff.tangent.differentiate import with_tangent
from autodiff.tangent.directions.several import along_several
from autodiff.tangent.directions.spread import Unbatched

ENABLED = os.environ.get("AUTODIFF_CORE", "1") == "1"
"""Whether Core is asked at all; "0" asks the old way alone."""
NATIVE = os.environ.get("AUTODIFF_NATIVE", "1") == "1"
"""Whether it is asked for what Numba compiles."""
CHECKED = os.environ.get("AUTODIFF_VERIFY", "") == "1"
_ORDERED = (
    "a part of an expression runs code that changes something",
    "what else stands there may be computed before that",
    "give it a name, in a statement of its own",
)
_MOST = 10_000
"""So many operations are planned in seconds: the plans compare each with all others."""
REASONS: Counter[str] = Counter()
"""How often Core did not take a function yet, by reason."""


def taken(
    function: FunctionType, request: Request, doc: Docs, old: Callable[[], Compiled]
) -> Compiled | None:
    """The derivative by way of Core; None if it is not taken yet."""
    if not ENABLED:
        return None
    try:
        try:
            return through_core(function, request, doc)
        except (NotYet, Unseen) as reason:
            if request.backend is not None:
                raise
            request = replace(request, directions=False)
            with contextlib.suppress(NotYet, Unseen):
                return in_part(function, request, doc, old, reason)
            raise
    except NotYet as reason:
        REASONS[reason.reason] += 1
        if reason.entry and reason.origin is not None:
            place = entered(reason.origin, reason.entry)
            raise UnsupportedSyntaxError(reason.reason, place) from None
        return None
    except Unseen as call:
        raise refused(call) from None
    except AutodiffError as error:  # the old way says at which place
        why = type(error).__name__
        REASONS[why if request.backend is None else f"{why}: {error.what}"] += 1
        return None
    except Exception as fault:  # an error of Core's own
        if CHECKED or isinstance(fault, SizesTold):
            raise
        REASONS[f"fault: {type(fault).__name__}"] += 1
        return None


def refused(call: Unseen) -> UnsupportedSyntaxError:
    """What the old way would get wrong."""
    return UnsupportedSyntaxError(call.what, call.origin, why=call.why, cure=call.cure)


def in_part(
    function: FunctionType,
    request: Request,
    doc: Docs,
    old: Callable[[], Compiled],
    reason: NotYet | Unseen,
) -> Compiled:
    """The derivative without the paths that are not taken. Where one is reached it is made the old
    way; if others see that the function ran up to there, that comes first.
    """
    module = Module(leaving=True)
    made = through_core(function, request, doc, module)
    word = reason.reason if isinstance(reason, NotYet) else reason.what
    error: AutodiffError | None = refused(reason) if isinstance(reason, Unseen) else None
    if error is None and module.seen:
        try:
            return old()
        except AutodiffError as refusal:
            error = refusal
    REASONS[f"{word} (left out)"] += 1
    run = reaching(made.function, old, error)
    return replace(made, function=run, generated=made.generated or (made.function,))


def reaching(
    function: FunctionType, old: Callable[[], Compiled], error: AutodiffError | None
) -> FunctionType:
    """The derivative, which is made the old way once a path is reached that Core left out.

    error: what is raised there instead.
    """
    made: list[FunctionType] = []

    @functools.wraps(function)
    def run(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except Untaken:
            if error is not None:
                raise error from None
            if not made:
                made.append(old().function)
        return made[0](*args, **keywords)

    return run  # type: ignore[return-value]


def through_core(
    function: FunctionType, request: Request, doc: Docs, module: Module | None = None
) -> Compiled:
    """The derivative by way of Core, or `NotYet`; along one direction where it is not known what it
    is along several.
    """
    try:
        return whole(function, request, doc(request), module or Module())
    except Unbatched as why:
        single = replace(request, directions=False)
        return replace(whole(function, single, doc(single), Module()), batched=why.reason)


def whole(function: FunctionType, request: Request, doc: str, module: Module) -> Compiled:
    """The derivative as it is asked for."""
    rule = registry.rule_for(function)
    if rule is not None and not registry.is_of_library(rule):
        raise NotYet("a function that has derivatives of its own")
    if request.composed:
        raise NotYet("a request of another kind")
    if request.backend is not None:
        if not NATIVE or request.directions:
            raise NotYet("natively")
        from autodiff.native.of_core import native  # noqa: PLC0415 (Numba is an optional extra)

        return native(function, request, doc)
    if request.mode not in ("grad", "value_and_grad", "vjp", "jvp"):
        raise NotYet(f"mode {request.mode}")
    form = partial(half_of, rest_of(request))
    half = form(function)
    modes = [*(step.mode for step in request.inner), request.mode]
    name = request.title or "_".join([form_of(function).tree.name, *modes])
    try:
        loaded = module.compiled(half, name, doc, request.asked)
    except NotYet as reason:
        if module.ordered:  # the old way does not look at the order
            raise Unseen(module.ordered[0], *_ORDERED) from reason
        raise
    text = "\n\n".join(module.texts)
    own = weakref.ref(function)  # which the stages do not keep alive
    again = partial(Module, leaving=module.leaving)
    stages: Any = Stages(own, form, name, doc, request.asked, again, module.tree)
    made = Compiled(
        loaded,
        text,
        stages,
        tuple(module.guards),
        batched="" if request.directions else None,
        least=module.least,
        unmarked=module.unmarked,
    )
    if module.power is None:
        return made
    checked = checked_real(loaded, at_the_users(module.power))
    return replace(made, function=checked, generated=(loaded,))


Docs = Callable[[Request], str]
"""What a derivative says of itself."""
Watching = Callable[[str, Unit], None]
"""What is told of each pass: its name, and what it has left."""


class Module:
    """The text of one derivative: its main function, and before it the functions that it calls.

    tree: of the main function. watch: is told of each pass over it. power: where it raises to a
    power that may be complex. ordered: where parts of expressions run code that changes something.
    leaving: paths that are not taken are left out. seen: others see that the function ran.
    least: from how many directions on all of them at once are faster.
    unmarked: checkpointed loops keep all states, as they are differentiated again.
    """

    native = strict = False
    """Whether everything is to be one function, of plain statements; see `Function`."""

    def __init__(self, watch: Watching | None = None, leaving: bool = False) -> None:
        self.watch, self.leaving, self.seen = watch, leaving, False
        self.texts: list[str] = []
        self.tree: gast.FunctionDef | None = None
        self.power: Any = None
        self.ordered: list[Any] = []
        self.guards: list[Callable[[], bool]] = []
        self.unmarked, self.least = False, 1
        self.made: dict[Half, FunctionType] = {}
        self.begun: dict[Half, tuple[str, CellType]] = {}
        self.names: Counter[str] = Counter()

    def compiled(
        self, half: Half, name: str, doc: str, asked: frozenset[Told] = frozenset()
    ) -> FunctionType:
        """The function that a derivative is, from lowering to loading."""
        watch, self.watch = self.watch, None
        own = self.sweep, self.ordered, self.leaving, self.native or bool(half.inner)
        unit = lowered(half.function, half.kinds, asked, *own)
        if self.leaving and unit.cells:
            raise NotYet("a place outside that is stored into, before a path that is left out")
        self.seen = self.seen or any(map(is_seen_outside, unit.function.body.walk()))
        beside = "jvp" if half.mode == "jvp" else "vjp"
        unit.compile = lambda callee, active: unit.references.use(
            *self.called(callee, active, beside, half.several)
        )
        made = unit.function
        self.unmarked |= unit.unmarked
        if self.native and (unit.checkpointed or unit.again):
            raise NotYet("natively, a checkpointed loop or call")
        if sum(1 for _ in made.body.walk()) > _MOST:
            raise NotYet("a function of very many operations")
        if self.begun and any(map(is_world, made.body.walk())):
            raise NotYet("a call that stays a call, of what nothing is known")
        made.name, made.strict = name, self.strict
        if not self.native:
            self.power = self.power or complex_power(made)
            stay_real(made, unit.references)
        by_name = {value.hint: value for value in made.body.parameters}
        passed(unit, "lower", watch)
        for step in half.inner:
            composed(unit, [by_name[own] for own in step.wrt], step)
            passed(unit, step.mode, watch)
        wrt = [by_name[own] for own in half.wrt]
        if half.mode == "primal":
            settle(made, unit.references)
            self.primal(unit, made)
        elif half.mode == "value":  # which leaves its arguments as they are
            begun(unit)
        elif half.mode == "jvp":
            with_tangent(unit, wrt, half.single)
        else:
            outline(unit, wrt)
            differentiate(unit, wrt, half.mode, half.aux)
            if self.native and half.mode == "vjp":
                take_seed(unit)
        if half.single and half.mode != "jvp":
            made.outputs = made.outputs[0]
        passed(unit, "differentiate", watch)
        if half.mode in ("primal", "value"):
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
        written = definition(made, unit.main, unit.references.objects, unit.free, doc, self.native)
        place = Callee(half.function, half.kinds).place
        loaded = self.load(half, written, unit, place)
        self.tree = written.tree
        self.guards += [
            *holding([*unit.found.values()], unit.members),
            *bound(half.kinds),
            *staying(unit),
        ]
        self.guards += [partial(is_absent, *own) for own in unit.absent]
        return loaded

    def primal(self, unit: Unit, function: Function) -> None:
        """What else is done with a function itself."""

    def sweep(self, unit: Unit, function: Function, wrt: list[Value], form: str) -> None:
        """Appends the reverse sweep to a function that is called inside of another."""
        self.primal(unit, function)
        with_reverse_sweep(unit, function, wrt, form)

    def load(self, half: Half, written: Definition, unit: Unit, place: str) -> FunctionType:
        """The function that a text defines."""
        emitted = emit(written.tree)
        self.texts.append(emitted.text)
        name = f"{written.tree.name} {place}"
        return load(emitted.text, name, unit.main, written.helpers, emitted.origins)

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
        half = Half(callee.function, callee.kinds, wrt, mode, several=several)
        if half in self.begun:
            return self.begun[half]
        found = self.made.get(half)
        if found is None:
            own = callee.name if active is None else f"{callee.name}_{beside}"
            self.names[own] = self.names.get(own, callee.is_known(own)) + 1
            if self.names[own] > 1:
                own = f"{own}_{self.names[own]}"
            place, names = callee.place, ", ".join(wrt)
            what = "pullback" if beside == "vjp" else "tangents" if several else "tangent"
            doc = f"Value and {what} of {callee.name} ({place}) with respect to {names}."
            if active is None:
                doc = f"Value of {callee.name} ({place})."
            _, cell = self.begun[half] = own, CellType()
            found = self.made[half] = self.compiled(half, own, doc)
            cell.cell_contents = found
            del self.begun[half]
        return found.__name__, found


def is_seen_outside(op: Operation) -> bool:
    """Whether others see that an operation ran, where the function is called once more."""
    return is_seen(op) and not (isinstance(op, Verbatim) and isinstance(op.form, gast.Raise))


def passed(unit: Unit, after: str, watch: Watching | None) -> None:
    """After a pass: the invariants of Core, in the tests, and whoever watches. From `differentiate`
    to `record` values of mirrored blocks are used.
    """
    if CHECKED and after not in ("differentiate", "lean_sweep"):
        verify(unit.function, after)
    if watch is not None:
        watch(after, unit)


@dataclass(frozen=True, slots=True)
class Stages:
    """The text after each pass; it is compiled again for whoever looks at it."""

    function: Callable[[], FunctionType | None]
    half: Callable[..., Half]
    name: str
    doc: str
    asked: frozenset[Told]
    module: Callable[[Watching], Module]
    last: gast.FunctionDef | None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        found: list[tuple[str, str]] = []

        def watch(after: str, unit: Unit) -> None:
            objects = unit.references.objects
            made = definition(unit.function, unit.main, objects, unit.free, self.doc)
            found.append((after, emit(made.tree).text))

        half = self.half(self.function())
        module = self.module(watch)
        module.compiled(half, self.name, self.doc, self.asked)
        return iter([*found, *([("native", module.texts[-1])] if module.native else ())])

    def tree(self, _: str) -> gast.FunctionDef | None:
        """The tree of the text."""
        return self.last
