"""From lowered text to a function that Numba compiles when it is called."""

from __future__ import annotations

import functools
import gc
import re
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any

import gast
import numba
from numba.core.compiler import Compiler
from numba.core.errors import NumbaError

from autodiff.codegen.quick import Quick, hastened
from autodiff.errors import NativeError
from autodiff.kinds.kind import Kind
from autodiff.loader import load, origin_in
from autodiff.native.disk import keep_on_disk
from autodiff.native.frozen import frozen
from autodiff.native.lower import lower
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.stepping import closed
from autodiff.pipeline.compiled import Compiled
from autodiff.pipeline.request import Backend, Request
from autodiff.syntax.emit import emit
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.origin import Origin

FIRST, AFTER = (0, 68), (0, 69)
"""The versions of Numba whose passes `quick` was tried with; others compile with their own."""

_LINE = re.compile(r'File "(<autodiff [^"]*>)", line (\d+)')
_OWN = re.compile(r"^\s*TypingError: (.+)$", re.MULTILINE)


def compiled(
    tree: gast.FunctionDef,
    given: Mapping[str, Kind],
    known: NativeKinds,
    request: Request,
    place: str,
) -> Compiled:
    """A derivative that Numba compiles when it is called; it has no stages yet.

    given, known: what its parameters and names hold.
    """
    lowered, ints = lower(tree, given, known, request)
    emitted = emit(lowered)
    scope = known.scope
    name = f"{lowered.name} {place}"
    loaded = load(emitted.text, name, scope.namespace, scope.helpers, emitted.origins)
    known.local |= writes(lowered.body) | {*parameters(lowered.args)}
    assert request.backend is not None
    dispatcher, called = build(loaded, emitted.text, request.backend, emitted.origins, ints)
    checks = frozen(lowered, known)
    return Compiled(called, emitted.text, (), checks, dispatcher, (loaded,))


def build(
    loaded: FunctionType,
    text: str,
    backend: Backend,
    origins: Mapping[int, Origin],
    ints: Iterable[str],
) -> tuple[Any, Any]:
    """The dispatcher of a loaded function, and a function that calls it and explains its errors."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise NativeError(
            f"Numba does not compile {loaded.__name__}",
            None,
            why="NUMBA_DISABLE_JIT is set, so it compiles nothing",
            cure='unset it, or leave backend="numba" out: Python runs the same derivative',
        )
    flags: dict[str, Any] = dict(backend.flags)
    kept = flags.pop("cache", False)
    quick = not flags.get("parallel") and FIRST <= numba.version_info.short < AFTER
    pipeline = Quick if quick else Compiler
    dispatcher = numba.njit(
        locals=dict.fromkeys(ints, numba.int64), pipeline_class=pipeline, **flags
    )(loaded)
    compiler = dispatcher._compiler
    compiler.compile = _uncollected(hastened()(compiler.compile) if quick else compiler.compile)
    if kept:
        keep_on_disk(dispatcher, text, flags, origins)

    def native(*args: Any, **keywords: Any) -> Any:
        try:
            return dispatcher(*args, **keywords)
        except (NumbaError, NotImplementedError) as error:  # the latter from its code generator
            raise _explained(error, loaded.__name__) from error
        except BaseException:
            closed()
            raise

    native.__name__ = native.__qualname__ = loaded.__name__
    native.__doc__ = loaded.__doc__
    return dispatcher, native


def _uncollected(function: Callable[..., Any]) -> Callable[..., Any]:
    """Without garbage collection meanwhile, which takes 4 % of what Numba compiles in, and as long
    as half of it where all objects of the process are looked through."""

    @functools.wraps(function)
    def called(*args: Any) -> Any:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return function(*args)
        finally:
            if collecting:
                gc.enable()

    return called


def _explained(error: Exception, name: str) -> NativeError:
    """What Numba could not compile, at the statement of the user's that it comes from."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = _LINE.findall(text)
    origin = None if not lines else origin_in(lines[-1][0], int(lines[-1][1]))
    shown = [line for line in text.splitlines() if line.strip()][:6]
    if "type pyobject" in text and "typing of argument" in text:
        shown = ["Numba has no type for an argument: an array in another byte order, say"]
    if own := _OWN.findall(text):  # what helpers of ours refuse
        shown = [own[-1]]
    return NativeError(
        f"Numba cannot compile {name}",
        origin,
        why="\n".join(shown),
        cure='leave backend="numba" out: Python runs the same derivative',
    )
