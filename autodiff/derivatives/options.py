"""The options of a derivative as a user writes them."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any, Literal, TypedDict, TypeVar

from autodiff.derivatives.target import Wrt
from autodiff.errors import OptionError
from autodiff.pipeline.request import FLAGS, Options

F = TypeVar("F", bound=Callable[..., Any])


class Given(TypedDict, total=False):
    """The options by name, for type checkers."""

    argnums: Wrt
    backend: Literal["python", "numba"]
    sizes: bool
    trace: bool
    boundscheck: bool
    cache: bool
    error_model: Literal["python", "numpy"]
    fastmath: bool | set[str]
    parallel: bool


OPTIONS = ("argnums", "backend", *(own.name for own in dataclasses.fields(Options)), *FLAGS)
_BESIDE = ("wrt", "has_aux", *OPTIONS)


def shown(function: F) -> F:
    """The function; its signature says the options that `**options` takes."""
    own = inspect.signature(function)
    most = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    defaults = {"backend": "python", **dataclasses.asdict(Options())}
    named = [Parameter(o, Parameter.KEYWORD_ONLY, default=defaults.get(o)) for o in OPTIONS]
    function.__signature__ = own.replace(parameters=[*most, *named])  # type: ignore[attr-defined]
    return function


def unknown(name: str, known: tuple[str, ...]) -> OptionError:
    """What is said of an option that is none of these."""
    near = difflib.get_close_matches(name, known, 1)
    return OptionError(
        f"there is no option {name!r}",
        why=f"the options are {', '.join(known)}",
        cure=f"did you mean {near[0]}?" if near else "leave it out",
    )


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
