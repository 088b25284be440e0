"""The switch: each derivative asks Core first; what Core does not take yet goes the old way."""

from __future__ import annotations

import contextlib
import functools
import os
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any

from autodiff import assembly
from autodiff.assembly import Module
from autodiff.compiled import Compiled
from autodiff.core import (
    NotYet,
    SizesTold,
    Unseen,
    Untaken,
)
from autodiff.emit.stages import Stages
from autodiff.errors import AutodiffError
from autodiff.frames import SHOWN
from autodiff.half import half_of, rest_of
from autodiff.loader import at_the_users
from autodiff.lower.flow.form import form_of
from autodiff.lower.functions.custom_calls import call_of
from autodiff.pipeline.reals import checked_real
from autodiff.pipeline.refused import refusal
from autodiff.pipeline.request import Request
from autodiff.refusal import refused
from autodiff.rules.ruled import user_rule
from autodiff.tangent.directions.spread import Unbatched

ENABLED = os.environ.get("AUTODIFF_CORE", "1") == "1"
"""Whether Core is asked at all; "0" asks the old way alone."""
OLD = True
"""Whether the old way is asked for what Core does not take; else that is refused."""
_ORDERED = (
    "a part of an expression runs code that changes something",
    "what else stands there may be computed before that",
    "give it a name, in a statement of its own",
)
Docs = Callable[[Request], str]
"""What a derivative says of itself."""
REASONS: Counter[str] = Counter()
"""How often Core did not take a function yet, by reason."""


def taken(
    function: FunctionType, request: Request, doc: Docs, old: Callable[[], Compiled]
) -> Compiled | None:
    """The derivative by way of Core; None if it is not taken yet."""
    if not OLD or request.backend is not None:
        return alone(function, request, doc)
    if not ENABLED:
        return None
    try:
        try:
            return through_core(function, request, doc)
        except (NotYet, Unseen) as reason:
            if request.backend is not None or request.composed:
                raise
            request = replace(request, directions=False)
            with contextlib.suppress(NotYet, Unseen):
                return in_part(function, request, doc, old, reason)
            raise
    except NotYet as reason:
        REASONS[reason.reason] += 1
        return None
    except Unseen as call:
        raise refused(call, function) from None
    except AutodiffError as error:  # the old way says at which place
        if request.backend is not None:
            raise
        REASONS[type(error).__name__] += 1
        return None
    except Exception as fault:  # an error of Core's own
        if assembly.CHECKED or isinstance(fault, SizesTold) or request.backend is not None:
            raise
        REASONS[f"fault: {type(fault).__name__}"] += 1
        return None


def alone(function: FunctionType, request: Request, doc: Docs) -> Compiled:
    """The derivative, or a refusal."""
    try:
        try:
            return through_core(function, request, doc)
        except (NotYet, Unseen) as reason:
            if request.backend is not None:
                raise
            with contextlib.suppress(NotYet, Unseen):
                return without(function, replace(request, directions=False), doc, reason)
            raise
    except (NotYet, Unseen, AutodiffError) as reason:
        REASONS[getattr(reason, "reason", type(reason).__name__)] += 1
        made = refused(reason, function, request.backend is not None)
        cause: BaseException | None = reason if SHOWN in os.environ else None
        if isinstance(reason, AutodiffError):
            cause = cause or reason.__cause__
    except Exception as fault:
        if assembly.CHECKED or isinstance(fault, SizesTold):
            raise
        REASONS[f"fault: {type(fault).__name__}"] += 1
        made, cause = refused(fault, function), fault
    raise made from cause  # behind the handlers: the user may handle an error of their own


def without(
    function: FunctionType, request: Request, doc: Docs, reason: NotYet | Unseen
) -> Compiled:
    """The derivative without the paths that are not taken: reaching one is refused."""
    module = Module(leaving=True)
    made = through_core(function, request, doc, module)
    word = reason.reason if isinstance(reason, NotYet) else reason.what
    REASONS[f"{word} (left out)"] += 1
    refusals = {line: refusal(refused(each, function)) for line, each in module.left.items()}
    run = refusing(made.function, refusals)
    return replace(made, function=run, generated=made.generated or (made.function,))


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
    error: AutodiffError | None = refused(reason, function) if isinstance(reason, Unseen) else None
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
    title = form_of(function).tree.name
    if user_rule(function) is not None:
        title = function.__name__ if function.__name__.isidentifier() else "function"
        function = call_of(function)
    if request.backend is not None:
        if request.directions:
            raise NotYet("several directions at once")
        from autodiff.native.of_core import native  # noqa: PLC0415 (Numba is an optional extra)

        return native(function, request, doc)
    if request.mode == "adjoints" or request.mode == "value" and not request.inner:
        raise NotYet(f"mode {request.mode}")
    form = partial(half_of, rest_of(request))
    module.marks = request.composed and request.mode == "jvp"
    half = form(function)
    modes = [*(step.mode for step in request.inner), request.mode]
    name = request.title or "_".join([title, *modes])
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
        unmarked=module.unmarked,
        batched="" if request.directions else None,
        least=module.least,
    )
    if module.power is None or request.composed:  # where it is called it is asked again
        return made
    checked = checked_real(loaded, at_the_users(module.power))
    return replace(made, function=checked, generated=(loaded,))
