"""From a function to its derivative: the list of passes."""

from __future__ import annotations

import contextlib
import gc
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Any

from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.optimize.facts import Facts
from autodiff.optimize.optimize import optimize
from autodiff.optimize.options import Options
from autodiff.pipeline import recursive
from autodiff.pipeline.backend import Backend
from autodiff.pipeline.builtin_names import check_builtins
from autodiff.pipeline.facts import facts
from autodiff.pipeline.guards import guards
from autodiff.pipeline.normalize import normalize
from autodiff.pipeline.recursive import pair
from autodiff.pipeline.request import Mode, Request
from autodiff.pipeline.settle import settle
from autodiff.pipeline.specialize import specialize
from autodiff.pipeline.transform import transform
from autodiff.pipeline.unit import Unit
from autodiff.recursion import Recursion
from autodiff.reverse.assemble import decorate
from autodiff.rules import registry
from autodiff.syntax.emit import emit
from autodiff.syntax.memo import forget


@dataclass(frozen=True, slots=True)
class Compiled:
    """A derivative: the function, its text, the text after each pass, and what must still hold."""

    function: types.FunctionType
    source: str
    stages: tuple[tuple[str, str], ...]
    guards: tuple[Callable[[], bool], ...]
    native: Any = None
    """The dispatcher of Numba's, which other jitted functions may call; None for Python."""


def compile(
    function: types.FunctionType, request: Request, recursion: Recursion | None = None
) -> Compiled:
    """The derivative of `function` for the kinds of arguments in `request`.

    `recursion` is shared with the function being compiled that calls this one.
    """
    registry.load()
    collecting = gc.isenabled()
    gc.disable()  # there is no garbage in trees, but much to look through
    try:
        return _compile(function, request, recursion)
    finally:
        forget()
        registry.forget()
        if collecting:
            gc.enable()


def _compile(
    function: types.FunctionType, request: Request, recursion: Recursion | None
) -> Compiled:
    unit = normalize(function, request, recursion or recursive.recursion())
    try:
        return _compiled(unit, function, request, recursion)
    except UnsupportedSyntaxError:
        if recursion is not None or not unit.holds_containers():
            raise
        whole = normalize(function, request, recursive.recursion())
        whole.scope.whole = True
        with contextlib.suppress(UnsupportedSyntaxError):
            return _compiled(whole, function, request, recursion)
        raise


def _compiled(
    unit: Unit, function: types.FunctionType, request: Request, recursion: Recursion | None
) -> Compiled:
    """The derivative, by lists and dicts that are held by their parts as long as that works."""
    known = specialize(unit)
    known = settle(unit, known)
    sweeps = transform(unit, known, request, function, partial(pair, unit, _half))
    exact = request.mode != "grad" or request.has_aux
    told = facts(unit, known, exact, place=int(request.mode == "grad"))
    options = request.options
    if request.backend is not None:  # there is no one tape to go over
        options = replace(options, unwind=False)
    optimized = optimize(sweeps, told, options)
    unit.tree = decorate(optimized, docstring(function, request))
    check_builtins(unit)
    unit.keep("optimize")
    if request.backend is not None:
        return _native(unit, known, function, request.backend, told)
    emitted = emit(unit.tree)
    namespace: Namespace = unit.scope.namespace
    place = f"{PurePath(function.__code__.co_filename).name}:{function.__code__.co_firstlineno}"
    loaded = load(
        emitted.text, f"{unit.tree.name} {place}", namespace, unit.scope.helpers, emitted.origins
    )
    if recursion is not None:
        recursion.sources.append(emitted.text)
        return Compiled(loaded, emitted.text, _Stages(unit.stages), guards(unit))
    text = "\n\n".join([*unit.recursion.sources, emitted.text])
    return Compiled(loaded, text, _Stages(unit.stages), guards(unit))


def _native(
    unit: Unit, known: Kinds, function: types.FunctionType, backend: Backend, told: Facts
) -> Compiled:
    """The derivative lowered to what Numba takes."""
    from autodiff.native.build import build  # noqa: PLC0415 (Numba is an optional extra)
    from autodiff.native.frozen import frozen  # noqa: PLC0415
    from autodiff.native.lower import lower  # noqa: PLC0415

    unit.tree = lower(unit, known, told)
    check_builtins(unit)
    unit.keep("native")
    emitted = emit(unit.tree)
    place = f"{PurePath(function.__code__.co_filename).name}:{function.__code__.co_firstlineno}"
    namespace: Namespace = unit.scope.namespace
    loaded = load(
        emitted.text, f"{unit.tree.name} {place}", namespace, unit.scope.helpers, emitted.origins
    )
    known.local |= unit.local()
    checks = (*guards(unit), *frozen(unit.tree, known))
    dispatcher, called = build(loaded, backend, emitted.origins)
    return Compiled(called, emitted.text, _Stages(unit.stages), checks, dispatcher)


def _half(
    function: types.FunctionType, request: Request, recursion: Recursion
) -> types.FunctionType:
    return compile(function, request, recursion).function


class _Stages(tuple):  # type: ignore[type-arg]
    """The stages, printed only when someone looks at them."""

    __slots__ = ()

    def __iter__(self) -> Any:
        for stage, tree in tuple.__iter__(self):
            yield stage, emit(tree).text


_TITLES = {
    "grad": "Gradient",
    "value_and_grad": "Value and gradient",
    "vjp": "Value and pullback",
}


def docstring(function: types.FunctionType, request: Request) -> str:
    """What the generated function says of itself."""
    code = function.__code__
    place = f"{PurePath(code.co_filename).name}:{code.co_firstlineno}"
    inputs = ", ".join(request.wrt)
    return f"{_TITLES[request.mode]} of {function.__name__} ({place}) with respect to {inputs}."


__all__ = ["Compiled", "Mode", "Options", "Request", "compile"]
