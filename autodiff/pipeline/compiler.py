"""From a function to its derivative, by way of Core; or a refusal."""

from __future__ import annotations

import contextlib
import functools
import gc
import weakref
from collections import Counter
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any

from autodiff.core import Left, NotYet, SizesTold, TooMuch, Unseen, Untaken
from autodiff.emit.stages import Stages
from autodiff.errors import AutodiffError
from autodiff.frames import is_shown
from autodiff.loader import at_the_users, place_of
from autodiff.lower.flow.form import form_of
from autodiff.lower.functions.custom_calls import call_of
from autodiff.pipeline import assembly
from autodiff.pipeline.assembly import TITLES, Module
from autodiff.pipeline.compiled import Compiled, checked_real
from autodiff.pipeline.half import half_of, rest_of
from autodiff.pipeline.refusal import in_the_users_file, refused
from autodiff.pipeline.request import Request
from autodiff.rules import registry
from autodiff.rules.ruled import user_rule
from autodiff.syntax.memo import forget
from autodiff.syntax.names import title_of
from autodiff.tangent.directions.spread import Unbatched

REASONS: Counter[str] = Counter()
"""How often a function was not taken, by reason."""


def compile(function: FunctionType, request: Request) -> Compiled:
    """The derivative of `function` for the kinds of arguments in `request`, or a refusal."""
    registry.load()
    collecting = gc.isenabled()
    gc.disable()  # there is no garbage in trees, but much to look through
    try:
        return made(function, request)
    except AutodiffError as error:
        told = in_the_users_file(error)
        told.early = error.early
        raise told from error.__cause__
    finally:
        forget()
        registry.forget()
        if collecting:
            gc.enable()


def made(function: FunctionType, request: Request) -> Compiled:
    """The derivative, or what refuses it, in words for the user."""
    try:
        try:
            return by_core(function, request)
        except (NotYet, Unseen) as reason:
            if request.backend is not None or isinstance(reason, TooMuch):
                raise
            with contextlib.suppress(NotYet, Unseen):
                return in_part(function, replace(request, directions=False), reason)
            raise
    except (NotYet, Unseen, AutodiffError) as reason:
        REASONS[getattr(reason, "reason", type(reason).__name__)] += 1
        error = refused(reason, function, request.backend is not None)
        error.early = reason.early
        cause: BaseException | None = reason if is_shown() else None
        if isinstance(reason, AutodiffError):
            cause = cause or reason.__cause__
    except Exception as fault:
        if assembly.CHECKED or isinstance(fault, SizesTold):
            raise
        REASONS[f"fault: {type(fault).__name__}"] += 1
        error, cause = refused(fault, function), fault
    raise error from cause  # behind the handlers: the user may handle an error of their own


def in_part(function: FunctionType, request: Request, reason: NotYet | Unseen) -> Compiled:
    """The derivative without the paths that are not taken: reaching one is refused."""
    left = Left()
    left.unseen = isinstance(reason, Unseen)
    left.is_short = request.options.trace
    found = by_core(function, request, Module(left=left))
    word = reason.reason if isinstance(reason, NotYet) else reason.what
    REASONS[f"{word} (left out)"] += 1
    refusals = {line: in_the_users_file(refused(why, function)) for line, why in left.items()}
    run = refusing(found.function, refusals)
    own = found.generated or (found.function,)
    return replace(found, function=run, generated=own, left=(*refusals.values(),), made=None)


def refusing(function: FunctionType, refusals: dict[str, AutodiffError]) -> FunctionType:
    """The derivative, which refuses the paths that were left out where one is reached."""

    @functools.wraps(function)
    def run(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except Untaken as path:
            error = refusals[str(path)]
        raise error.with_traceback(None)

    return run  # type: ignore[return-value]


def by_core(function: FunctionType, request: Request, module: Module | None = None) -> Compiled:
    """The derivative by way of Core, or `NotYet`; along one direction where it is not known what it
    is along several.
    """
    try:
        return whole(function, request, docstring(function, request), module or Module())
    except Unbatched as why:
        single = replace(request, directions=False)
        made = whole(function, single, docstring(function, single), Module())
        return replace(made, batched=why.reason)


def whole(function: FunctionType, request: Request, doc: str, module: Module) -> Compiled:
    """The derivative as it is asked for."""
    title = form_of(function).tree.name
    if user_rule(function) is not None:
        title = function.__name__ if function.__name__.isidentifier() else "function"
        function = call_of(function)
    if request.backend is not None:
        if request.directions:
            raise NotYet("several directions at once")
        from autodiff.native.of_core import native  # noqa: PLC0415 (Numba is an optional extra)

        return native(function, request, doc)
    if request.mode == "value" and not request.inner:
        raise NotYet(f"mode {request.mode}")
    form = partial(half_of, rest_of(request))
    module.marks = request.composed and request.mode == "jvp"
    half = form(function)
    modes = [*(step.mode for step in request.inner), request.mode]
    name = request.title or "_".join([title, *modes])
    loaded = module.compiled(half, name, doc, request.asked)
    text = "\n\n".join(module.texts)
    own = weakref.ref(function)  # which the stages do not keep alive
    again = partial(Module, left=module.left)
    stages: Any = Stages(own, form, name, doc, request.asked, again, module.tree)
    found = Compiled(
        loaded,
        text,
        stages,
        tuple(module.guards),
        made=None if module.meets else module.origin,
        meets=module.meets,
        unmarked=module.unmarked,
        batched="" if request.directions else None,
        least=module.least,
    )
    if module.power is None or request.composed:  # where it is called it is asked again
        return found
    module.origin.power = at_the_users(module.power)
    checked = checked_real(loaded, module.origin.power)
    return replace(found, function=checked, generated=(loaded,))


_TITLES = {"grad": "Gradient", "value_and_grad": "Value and gradient", **TITLES}


def docstring(function: FunctionType, request: Request) -> str:
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
