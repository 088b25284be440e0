"""The derivative of what the compiler refuses: each call follows the function while it runs.

The value is that of the function itself, run once; the tape says what was computed on the path that
it took, and each operation on it has the derivative that the compiler makes of that alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import PurePath
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError
from autodiff.loader import place_of
from autodiff.pipeline.compiled import Compiled
from autodiff.pipeline.request import Request
from autodiff.runtime import copied, no_real_scalar
from autodiff.structure import are_same
from autodiff.tracing import hooks
from autodiff.tracing.number import Number, plain_copy
from autodiff.tracing.one_run import Run, found_in, seeded
from autodiff.tracing.trace import Trace, Unfollowed, running

assert hooks.HOOKS
_MODES = ("grad", "value_and_grad", "vjp", "jvp")


def can_follow(request: Request) -> bool:
    """Whether there is such a derivative."""
    inner = request.inner
    if request.backend is not None or request.composed or not request.options.trace:
        return False
    if inner and (len(inner) > 1 or inner[0].mode != "grad" or inner[0].has_aux):
        return False
    if inner and request.has_aux:
        return False
    return request.mode in _MODES


def followed(function: FunctionType, request: Request, refusal: AutodiffError) -> Compiled:
    """The derivative that follows `function`; where that does not go, it raises the refusal."""
    name = "_".join([function.__name__, *(own.mode for own in request.inner), request.mode])
    run = _FORMS[bool(request.inner), request.mode == "jvp"]
    dots = [f"{own}_dot" for own in request.wrt] if request.mode == "jvp" else []

    def derivative(*args: Any, **keywords: Any) -> Any:
        companions = [keywords.pop(own) for own in dots]
        try:
            return run(function, request, args, keywords, companions)
        except Unfollowed as why:
            more = f"{refusal.why}; its run is not followed either: {why.reason}"
            error = type(refusal)(refusal.what, refusal.origin, why=more, cure=refusal.cure)
            error.unfollowed = why.reason  # type: ignore[attr-defined]
        raise error

    title = name if name.isidentifier() else f"function_{request.mode}"
    signed = _with_names(derivative, title, function, dots)
    text = _text(title, function, request, refusal)
    why = "each run is followed"
    return Compiled(signed, text, (), (), batched=why, followed=refusal.what)


def _with_names(
    derivative: Callable[..., Any], title: str, function: FunctionType, dots: list[str]
) -> FunctionType:
    """The derivative under its name, its tangents the last parameters."""
    names = ", ".join(f"{own}=None" for own in dots)
    given = ", ".join(f"{own}={own}" for own in dots)
    text = f"def {title}(*args, {names}{', ' if names else ''}**keywords):\n"
    text += f"    return derivative(*args, {given}{', ' if given else ''}**keywords)\n"
    space: dict[str, Any] = {"derivative": derivative}
    exec(compile(text, __file__, "exec"), space)  # a frame of ours
    made: FunctionType = space[title]
    return made


def _text(title: str, function: FunctionType, request: Request, refusal: AutodiffError) -> str:
    """What stands for the text: what is computed is known for each run alone."""
    names, place = ", ".join(request.wrt), place_of(function.__code__)
    kind = "Tangent" if request.mode == "jvp" else "Adjoints"
    last = "forward" if request.mode == "jvp" else "back"
    at = refusal.origin
    line = "" if at is None else f" (line {at.line} of {PurePath(at.file).name})"
    return (
        f"def {title}(*args, **keywords):\n"
        f'    """{kind} of {function.__name__} ({place}) with respect to {names}.\n\n'
        f"    Each run is followed: {refusal.what}{line}.\n"
        f'    """\n'
        f"    run = follow({function.__name__}, args, keywords)  # puts each operation on a tape\n"
        f"    return run.{last}()\n"
    )


# ---- arguments and results --------------------------------------------------------------------


def _is_real(x: Any) -> bool:
    value = x.value if x.__class__ is Number else x
    return isinstance(value, (float, np.floating)) or (
        isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind == "f"
    )


def _scalar(run: Run, request_aux: bool, function: FunctionType) -> tuple[Any, Any]:
    """The number that is differentiated, and what is returned beside it."""
    value, aux = (run.value, None) if not request_aux else run.value
    if not _is_real(value):
        if isinstance(value, (int, np.integer)):
            return value, aux
        name = f"{function.__name__} ({place_of(function.__code__)})"
        raise no_real_scalar(name, plain_copy(value))
    return value, aux


def _adjoints(run: Run, wrt: tuple[str, ...], name: str = "bar") -> tuple[Any, ...]:
    return tuple(found_in(run.trace, name, run.kept[own], None) for own in wrt)


def _one(value: Any) -> Any:
    own = value.value if value.__class__ is Number else value
    return np.ones_like(own) if isinstance(own, np.ndarray) else type(own)(1.0)


def _backward(
    function: FunctionType, request: Request, args: Any, keywords: Any, companions: Any
) -> Any:
    run = Run(function, request.wrt, args, keywords, {}, Trace())
    if request.mode == "vjp":
        return run.result, _pullback(function, request, args, keywords, run)
    value, _ = _scalar(run, request.has_aux, function)
    with running(run.trace):
        seeded(run.trace, "bar", value, _one(value))
        run.trace.back()
    slopes: Any = _adjoints(run, request.wrt)
    slopes = slopes[0] if request.single else slopes
    if request.mode == "value_and_grad":
        return run.result, slopes
    return (slopes, run.result[1]) if request.has_aux else slopes


def _pullback(
    function: FunctionType, request: Request, args: Any, keywords: Any, run: Run
) -> Callable[[Any], Any]:
    """The pullback: the tape is read again for each seed."""

    def pullback(seed: Any) -> tuple[Any, ...]:
        with running(run.trace):
            run.trace.reset()
            seeded(run.trace, "bar", run.value, seed)
            run.trace.back()
        return _adjoints(run, request.wrt)

    return pullback


def _forward(
    function: FunctionType, request: Request, args: Any, keywords: Any, companions: Any
) -> Any:
    dots = dict(zip(request.wrt, companions))
    run = Run(function, request.wrt, args, keywords, dots, Trace(forward=True))
    tangent = found_in(run.trace, "dot", run.value, None)
    return tangent if request.single else (run.result, tangent)


def _second(
    function: FunctionType, request: Request, args: Any, keywords: Any, companions: Any
) -> Any:
    """Adjoints and their tangents: of the gradient by a tangent, or by the seed of another."""
    (step,) = request.inner
    if request.mode == "vjp":
        return _second_pullback(function, request, args, keywords)
    if request.mode == "jvp":
        dots, wrt = dict(zip(request.wrt, companions)), step.wrt
    else:
        bound = inspect.signature(function).bind(*args, **keywords)
        bound.apply_defaults()
        first = bound.arguments[step.wrt[0]]
        if len(step.wrt) != 1 or not isinstance(first, float):
            raise Trace().fail("a gradient of a gradient in several variables")
        dots, wrt = {step.wrt[0]: 1.0}, request.wrt
    run = _along(function, request, args, keywords, dots)
    if request.mode == "jvp":
        slopes: Any = _adjoints(run, wrt)
        moved: Any = _adjoints(run, wrt, "bar_dot")
        if step.single:
            slopes, moved = slopes[0], moved[0]
        return moved if request.single else (slopes, moved)
    moved = _adjoints(run, wrt, "bar_dot")
    moved = moved[0] if request.single else moved
    if request.mode == "grad":
        return moved
    slope = _adjoints(run, step.wrt)
    return slope[0] if step.single else slope, moved


def _along(
    function: FunctionType, request: Request, args: Any, keywords: Any, dots: dict[str, Any]
) -> Run:
    """A run with adjoints, and their tangents in a direction."""
    names = tuple(dict.fromkeys((*request.inner[0].wrt, *request.wrt)))
    given = {own: dots.get(own) for own in names}
    run = Run(function, names, args, keywords, given, Trace(second=True))
    value, _ = _scalar(run, False, function)
    with running(run.trace):
        seeded(run.trace, "bar", value, _one(value))
        run.trace.back()
    return run


def _second_pullback(function: FunctionType, request: Request, args: Any, keywords: Any) -> Any:
    """A gradient and its pullback: what that gives for a seed is the change of the adjoints along
    it, since second derivatives do not depend on their order.
    """
    (step,) = request.inner
    args, keywords = copied(args), copied(keywords)  # the pullback runs the function again

    def pullback(seed: Any) -> tuple[Any, ...]:
        dots = dict(zip(step.wrt, (seed,) if step.single else seed))
        run = _along(function, request, args, keywords, dots)
        if not are_same(_adjoints(run, step.wrt), slopes):
            raise AutodiffError(
                f"{function.__name__} ({place_of(function.__code__)}) does not give the same twice",
                why="each call of the pullback runs it again",
                cure="draw random numbers outside and pass them, or use hvp",
            )
        return _adjoints(run, request.wrt, "bar_dot")

    slopes = _adjoints(_along(function, request, args, keywords, {}), step.wrt)
    return slopes[0] if step.single else slopes, pullback


_FORMS = {
    (False, False): _backward,
    (False, True): _forward,
    (True, False): _second,
    (True, True): _second,
}
