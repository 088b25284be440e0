"""From a function to its derivative: the list of passes."""

from __future__ import annotations

import contextlib
import gc
import types
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import gast

from autodiff.analysis.complexity import complexity
from autodiff.analysis.kind import Kind
from autodiff.analysis.known import Kinds
from autodiff.compiled import Compiled
from autodiff.core import NotYet
from autodiff.errors import AutodiffError
from autodiff.forward.linear import check_linear
from autodiff.frontend.source import Namespace
from autodiff.loader import at_the_users, load, place_of
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Callee
from autodiff.optimize.facts import Facts
from autodiff.optimize.optimize import optimize
from autodiff.pipeline import recursive
from autodiff.pipeline.assumed import assumed
from autodiff.pipeline.builtin_names import check_builtins
from autodiff.pipeline.called import call_of, called
from autodiff.pipeline.facts import facts
from autodiff.pipeline.guards import guards
from autodiff.pipeline.normalize import normalize
from autodiff.pipeline.ordered import ordered
from autodiff.pipeline.outer import check_outer
from autodiff.pipeline.reals import checked_real, complex_power
from autodiff.pipeline.rebound import rebound
from autodiff.pipeline.recursive import pair
from autodiff.pipeline.refused import RETRIED, refusal
from autodiff.pipeline.request import Mode, Request
from autodiff.pipeline.rereads import check_rereads
from autodiff.pipeline.settle import settle
from autodiff.pipeline.sites import sites
from autodiff.pipeline.specialize import specialize
from autodiff.pipeline.tangent import tangent, tangent_parameters
from autodiff.pipeline.transform import transform
from autodiff.pipeline.unit import Unit
from autodiff.pipeline.value import value
from autodiff.pipeline.widened import widened
from autodiff.recursion import Recursion
from autodiff.reverse.assemble import decorate
from autodiff.rules import registry
from autodiff.syntax.emit import emit
from autodiff.syntax.memo import forget
from autodiff.syntax.names import parameters, reads, title_of
from autodiff.takeover import taken


def compile(
    function: types.FunctionType,
    request: Request,
    recursion: Recursion | None = None,
    titles: set[str] | None = None,
) -> Compiled:
    """The derivative of `function` for the kinds of arguments in `request`.

    `recursion` is shared with the function being compiled that calls this one. `titles` are the
    names of functions in the text of which this one is to be a part.
    """
    registry.load()
    collecting = gc.isenabled()
    gc.disable()  # there is no garbage in trees, but much to look through
    try:
        if recursion is None and titles is None:
            alive: Any = weakref.ref(function)
            told = replace(
                request, asked=frozenset(), directions=False
            )  # nobody begins again while it runs

            def old() -> Compiled:
                return compile(alive(), told, titles=set())

            made = taken(function, request, partial(docstring, function), old)
            request = replace(request, directions=False)
            if made is not None:
                return made
        return _compile(function, widened(request), recursion, titles)
    except AutodiffError as error:
        raise refusal(error) from error.__cause__
    finally:
        forget()
        registry.forget()
        if collecting:
            gc.enable()


def _compile(
    function: types.FunctionType,
    request: Request,
    recursion: Recursion | None,
    titles: set[str] | None,
) -> Compiled:
    if request.mode == "sparsity":
        raise NotYet("index sets of what goes the old way")
    if request.inner:
        return _of_text(function, request)
    if recursion is not None:
        return _compiled(normalize(function, request, recursion), function, request, recursion)
    begun: list[Recursion] = []
    whole = request.backend is not None  # which has no functions with a pullback
    try:
        return _by_forms(function, request, partial(_begin, titles, begun, whole))
    except RETRIED:
        if not any(each.divided for each in begun):
            raise
    return _by_forms(function, request, partial(_begin, titles, begun, whole=True))


def _of_text(function: types.FunctionType, request: Request) -> Compiled:
    """What is asked of a derivative, made of the old way's text of that."""
    *others, last = request.inner
    first = replace(request, mode=last.mode, wrt=last.wrt, inner=tuple(others), composed=True)
    first = replace(first, backend=None, directions=False, single=last.single, has_aux=last.has_aux)
    made = _compile(function, first, None, set())
    if request.mode == "value":
        return made
    found = compile(made.function, replace(request, inner=()))
    keeping: Callable[[], bool] = partial(callable, made.function)  # alive
    checks = (*made.guards, *found.guards, keeping)
    return replace(found, guards=checks, unmarked=made.unmarked, told=made.told | found.told)


def _begin(titles: set[str] | None, begun: list[Recursion], whole: bool = False) -> Recursion:
    begun.append(recursive.recursion(titles, whole))
    return begun[-1]


def _by_forms(
    function: types.FunctionType, request: Request, begin: Callable[[], Recursion]
) -> Compiled:
    """The derivative, of a form of the function for these types of arguments if it has to be."""
    form = called(function)
    try:
        return _tried(form, function, request, begin)
    except RETRIED:
        decided = assumed(form, dict(zip(parameters(form.tree.args), request.kinds)))
        if decided is not None:
            with contextlib.suppress(*RETRIED):
                return _tried(decided, function, request, begin)
        with contextlib.suppress(*RETRIED):
            form = call_of(function, request.kinds)
            return _tried(form, function, request, begin, by_kinds=True)
        raise


def _tried(
    form: Callee,
    function: types.FunctionType,
    request: Request,
    begin: Callable[[], Recursion],
    by_kinds: bool = False,
) -> Compiled:
    """The derivative, by lists and dicts that are held by their parts as long as that works."""
    unit = normalize(function, request, begin(), form)
    if by_kinds:
        unit.scope.by_kinds, unit.main = True, form.identity
    try:
        return _compiled(unit, function, request, None)
    except RETRIED:
        if not unit.holds_containers():
            raise
        whole = normalize(function, request, begin(), form)
        whole.scope.whole, whole.scope.by_kinds, whole.main = True, by_kinds, unit.main
        with contextlib.suppress(*RETRIED):
            return _compiled(whole, function, request, None)
        raise


def _compiled(
    unit: Unit, function: types.FunctionType, request: Request, recursion: Recursion | None
) -> Compiled:
    known, told, optimized = _transformed(unit, function, request)
    unit.tree = decorate(optimized, docstring(function, request))
    unit.tree.name = request.title or unit.tree.name
    check_builtins(unit, reads(optimized.body))
    unit.keep("optimize")
    told.forget()
    known.forget()  # else all that was found out waits for the garbage collector
    known.paired.clear()
    emitted = emit(unit.tree)
    namespace: Namespace = unit.scope.namespace
    place = place_of(function.__code__)
    loaded = load(
        emitted.text, f"{unit.tree.name} {place}", namespace, unit.scope.helpers, emitted.origins
    )
    if recursion is not None:
        recursion.sources.append(emitted.text)
        return Compiled(loaded, emitted.text, _Stages(unit.stages), guards(unit))
    text = "\n\n".join([*unit.recursion.sources, emitted.text])
    stages = _Stages(unit.stages)
    checks = (*guards(unit), *unit.recursion.guards)
    made = Compiled(loaded, text, stages, checks)
    if unit.power is not None and not request.composed:
        checked = checked_real(loaded, at_the_users(unit.power))
        made = replace(made, function=checked, generated=(loaded,))
    return replace(made, unmarked=unit.unmarked, is_scalar=unit.is_scalar, told=unit.told)


def _transformed(
    unit: Unit, function: types.FunctionType, request: Request
) -> tuple[Kinds, Facts, gast.FunctionDef]:
    """From the normal form to the optimised derivative, and what is known of its names."""
    unit.scope.forward = request.mode == "jvp"
    if request.mode == "jvp":
        unit.names.taken.update(tangent_parameters(unit.tree, request.wrt))
    known = specialize(unit)
    known = settle(unit, known)
    if request.mode != "value":
        check_outer(unit, known)
    if request.backend is None:  # Numba copies what overlaps, and has powers of floats only
        ordered(unit, known)
        power = complex_power(unit.tree, known)
        if power and not (unit.complex or complexity(unit.tree, known, unit.given.values())):
            unit.power = power
    if request.mode == "jvp":
        again = partial(_both, unit)
        tree, known = tangent(unit, known, request, partial(_transposed, unit, request), again)
    elif request.mode == "value":
        tree = value(unit, known)
    else:
        mode: Mode = "adjoints" if request.composed else "vjp"
        halves = partial(pair, unit, _half, mode=mode)
        tree = transform(unit, known, request, function, halves, compile)
    exact = request.mode != "grad" or request.has_aux
    told = facts(unit, known, exact, place=int(request.mode == "grad"))
    options = request.options
    if request.backend is not None or request.composed:  # there is no one tape to go over
        off = dict.fromkeys(("unwind", "wholes", "packed", "first_items"), False)
        options = replace(options, **off)
    tree = optimize(tree, told, options)
    check_rereads(unit, tree, told)
    if request.composed:
        tree = sites(rebound(tree, told), unit.names)
    return known, told, tree


def _both(
    unit: Unit,
    function: types.FunctionType,
    wrt: tuple[str, ...],
    kinds: Sequence[Kind | None],
) -> tuple[gast.expr, tuple[str, ...]]:
    """A name for the function that returns value and tangent, and the names of its tangents."""
    dots = tangent_parameters(normal_form(function).tree, wrt)
    return pair(unit, _half, function, wrt, kinds, "jvp"), dots


def _transposed(
    unit: Unit,
    request: Request,
    tree: gast.FunctionDef,
    seed: str,
    kinds: dict[str, Kind],
    linear: bool,
) -> tuple[gast.FunctionDef, Callable[[str], Any]]:
    """The gradient of a function that forward mode has written, with respect to one parameter.

    `linear`: it is known to be linear in the parameter, else that is proved, or refused.
    """
    emitted = emit(tree)
    scope = unit.scope
    place = unit.main.co_name
    function = load(emitted.text, f"{tree.name} {place}", scope.namespace, scope.helpers, {})
    options = replace(request.options, unwind=False)  # the loops stay those of normal form
    asked = Request("grad", (seed,), True, False, tuple(kinds.values()), options)
    inner = normalize(function, asked, recursive.recursion())
    inner.complex = unit.complex
    known, _, optimized = _transformed(inner, function, asked)
    if not linear:
        check_linear(dict(inner.stages)["settle"], optimized, known, seed)
    unit.guards.extend(inner.guards)
    unit.recursion.guards.extend(inner.recursion.guards)
    return optimized, inner.scope.lookup


def _half(
    function: types.FunctionType, request: Request, recursion: Recursion
) -> types.FunctionType:
    made = compile(function, request, recursion)
    recursion.guards.extend(made.guards)
    return made.function


class _Stages(tuple):  # type: ignore[type-arg]
    """The stages, printed only when someone looks at them."""

    __slots__ = ()

    def __iter__(self) -> Any:
        for stage, tree in tuple.__iter__(self):
            yield stage, emit(tree).text

    def tree(self, stage: str) -> gast.FunctionDef:
        """The tree after a pass."""
        return dict(tuple.__iter__(self))[stage]


_TITLES = {
    "grad": "Gradient",
    "value_and_grad": "Value and gradient",
    "vjp": "Value and pullback",
    "adjoints": "Adjoints for a seed",
    "jvp": "Value and tangent",
    "sparsity": "Value and index sets",
}


def docstring(function: types.FunctionType, request: Request) -> str:
    """What the generated function says of itself."""
    place = place_of(function.__code__)
    if request.mode == "value":
        return f"Value of {function.__name__} ({place})."
    inputs = ", ".join(request.wrt)
    title = "Tangent" if request.mode == "jvp" and request.single else _TITLES[request.mode]
    if request.directions:
        title = "Value and tangents"
    if request.seeded and request.mode == "vjp":
        title = "Value, and adjoints for a seed,"
    steps = [step.mode for step in request.inner]
    name = "_".join([title_of(function), *steps]) if steps else function.__name__
    return f"{title} of {name} ({place}) with respect to {inputs}."
