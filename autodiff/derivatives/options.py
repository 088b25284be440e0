"""The options of a derivative as a user writes them, and the backend that they ask for."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from inspect import Parameter
from typing import Any, Literal, TypedDict, TypeVar

from autodiff.derivatives.target import Wrt
from autodiff.errors import AutodiffError, OptionError
from autodiff.frames import hidden
from autodiff.frontend.jitted import is_jitted
from autodiff.pipeline.request import FLAGS, Backend, Options
from autodiff.runtime.keywords import options_of, unknown, with_options

F = TypeVar("F", bound=Callable[..., Any])


class Given(TypedDict, total=False):
    """The options by name, for type checkers."""

    argnums: Wrt
    backend: Literal["python", "numba"]
    sizes: bool
    trace: bool
    boundscheck: bool
    cache: bool
    debug_nans: bool
    timeout: float
    error_model: Literal["python", "numpy"]
    fastmath: bool | set[str]
    parallel: bool


OPTIONS = (
    "argnums",
    "backend",
    "debug_nans",
    *(own.name for own in dataclasses.fields(Options)),
    "timeout",
    *FLAGS,
)
_BESIDE = ("wrt", "has_aux", *OPTIONS)


def shown(function: F) -> F:
    """The function; its signature says the options that `**options` takes, and a keyword that is
    none of these is refused by the names that there are.
    """
    own = inspect.signature(function)
    most = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    names = {*own.parameters, *OPTIONS}
    checked = with_options(function, names, (*options_of(function), *OPTIONS), hidden)
    defaults = {"backend": "python", **dataclasses.asdict(Options())}
    named = [Parameter(o, Parameter.KEYWORD_ONLY, default=defaults.get(o)) for o in OPTIONS]
    checked.__signature__ = own.replace(parameters=[*most, *named])  # type: ignore[attr-defined]
    return checked


def chosen(wrt: Wrt, options: Mapping[str, Any]) -> tuple[Wrt, dict[str, Any]]:
    """What the derivative is taken with respect to, and the other options.

    `argnums` is another name of `wrt`. Raises OptionError for an option that is none, and for both.
    """
    for name in options:
        if name not in OPTIONS:
            raise unknown(name, OPTIONS if name in _BESIDE else _BESIDE)
    rest = dict(options)
    if "argnums" not in rest:
        return wrt, rest
    given = rest.pop("argnums")
    if wrt not in (0, given):
        raise OptionError(
            f"wrt={wrt!r} and argnums={given!r} are two names of one option",
            cure="pass one of them",
        )
    return given, rest


def backend_of(
    primal: Callable[..., Any], options: Mapping[str, Any]
) -> tuple[Backend | None, dict[str, Any]]:
    """The backend that is asked for, None for Python, and the options that are left.

    `backend` is "python" or "numba". A function that Numba compiled, and a derivative that it will
    compile, have Numba for their default, and the options that they are compiled with.
    """
    rest = dict(options)
    chosen = rest.pop("backend", None)
    inherited = _inherited(primal)
    if chosen is None:
        chosen = "python" if inherited is None else "numba"
    flags = {flag: rest.pop(flag) for flag in FLAGS if flag in rest}
    if chosen == "python":
        if flags:
            raise AutodiffError(
                f"the option {next(iter(flags))} is one of Numba's",
                why="the backend is Python",
                cure='pass backend="numba" as well',
            )
        return None, rest
    if chosen != "numba":
        raise AutodiffError(
            f"there is no backend {chosen!r}", cure='pass backend="python" or backend="numba"'
        )
    if find_spec("numba") is None:
        raise AutodiffError(
            'backend="numba" needs Numba, which is not installed',
            cure="install it: pip install 'source-autodiff[numba]'",
        )
    return Backend(tuple(sorted({**(inherited or {}), **flags}.items()))), rest


def _inherited(primal: Any) -> dict[str, object] | None:
    """The options that a dispatcher or a native derivative compiles with; None for all others."""
    backend = getattr(primal, "backend", None)
    if isinstance(backend, Backend):
        return dict(backend.flags)
    if not is_jitted(primal):
        return None
    given = primal.targetoptions
    flags = {flag: given[flag] for flag in FLAGS if given.get(flag) is not None}
    return {**flags, "cache": True} if primal.stats.cache_path is not None else flags


def timeout_of(given: Any) -> float | None:
    """How many seconds a compilation may take; None: as long as it takes.

    Raises OptionError for what is no positive number.
    """
    number = isinstance(given, (int, float)) and not isinstance(given, bool)
    if given is None or number and given > 0:
        found: float | None = given
        return found
    raise OptionError(f"timeout is {given!r}", cure="say a number of seconds: timeout=10.0")
