"""The steps of a checkpointed loop and their adjoints, compiled for a backend."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autodiff.analysis.kind import Kind
from autodiff.compiled import Compiled
from autodiff.frontend.source import Namespace
from autodiff.loader import load, place_of
from autodiff.pipeline.request import Request
from autodiff.pipeline.unit import Unit
from autodiff.recursion import alike
from autodiff.syntax.names import name

Compile = Callable[..., Compiled]


def stepped(
    unit: Unit,
    request: Request,
    compiled: Compile,
    step: types.FunctionType,
    test: object,
    kinds: list[Kind],
    width: int,
    places: list[int],
) -> tuple[gast.expr, gast.expr]:
    """Names of the functions that run the steps of a loop, and that reverse them.

    step: one step. test: that of a `while` loop, else None.
    kinds: of the counter, the state and the constants. width: how many values make the state.
    places: those of state and constants through which a derivative flows. The function that
    reverses a step takes and returns the adjoints of these, and adds to those of the constants.
    """
    from autodiff.native.checkpoints import stepping  # noqa: PLC0415 (Numba is an optional extra)
    from autodiff.native.values import wide  # noqa: PLC0415

    given = step.__code__.co_varnames[: len(kinds)]
    own = tuple(given[1 + k] for k in places)
    sure = tuple(map(wide, alike(kinds)))
    made = replace(request, mode="value", wrt=own, has_aux=False, kinds=sure)
    recursion = unit.recursion

    def native(function: types.FunctionType, asked: Request) -> Any:
        found = compiled(function, asked, titles=recursion.titles)
        unit.include(found)
        return found.native

    through = _through(step, given, width, own)
    functions = [native(step, made), native(through, replace(made, mode="adjoints"))]
    if isinstance(test, types.FunctionType):
        functions.append(native(test, replace(made, kinds=made.kinds[1:])))
    names = [unit.titled(hint) for hint in ("run_steps", "reverse_steps")]
    arguments = ", ".join(function.__name__ for function in functions)
    recursion.sources.append(f"{', '.join(names)} = stepping({arguments})\n")
    recursion.beside["stepping"] = stepping
    unit.scope.helpers.update(zip(names, stepping(*functions)))
    run_steps, reverse_steps = map(name, names)
    return run_steps, reverse_steps


def _through(
    step: types.FunctionType, given: tuple[str, ...], width: int, own: tuple[str, ...]
) -> types.FunctionType:
    """A step that returns, of state and constants, those through which a derivative flows."""
    text = (
        f"def {step.__name__}({', '.join(given)}):\n"
        f"    {', '.join(given[1 : width + 1])}, = the_step({', '.join(given)})\n"
        f"    return {', '.join(own)},\n"
    )
    title = f"{step.__name__} {place_of(step.__code__)}"
    return load(text, title, Namespace(step.__globals__), {"the_step": step}, {})
