"""Keywords of public functions: one that there is not is refused, with the one that was meant."""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
from collections.abc import Callable, Collection
from typing import Any, TypeVar, cast

from autodiff.errors import OptionError

F = TypeVar("F", bound=Callable[..., Any])
_NOTHING = contextlib.nullcontext()


def unknown(name: str, known: tuple[str, ...]) -> OptionError:
    """What is said of an option that is none of these."""
    near = difflib.get_close_matches(name, known, 1) or [k for k in known if k.startswith(name)]
    return OptionError(
        f"there is no option {name!r}",
        why=f"the options are {', '.join(known)}",
        cure=f"did you mean {near[0]}?" if near else "leave it out",
    )


def with_options(
    function: F,
    names: Collection[str],
    options: tuple[str, ...],
    hiding: contextlib.AbstractContextManager[Any] = _NOTHING,
) -> F:
    """The function; a keyword that is none of the names is an OptionError, with the options that
    there are.

    hiding: keeps our frames out of the traceback.
    """

    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        with hiding:
            for name in keywords:
                if name not in names:
                    raise unknown(name, options)
            return function(*args, **keywords)

    return cast(F, checked)


def options_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters of a function that are options: they may be left out, or are keywords."""
    return tuple(
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.KEYWORD_ONLY or p.default is not p.empty and p.name not in ("f", "iterable")
    )


def spelled(function: F) -> F:
    """The function; a keyword that is none of its parameters is an OptionError."""
    return with_options(function, [*inspect.signature(function).parameters], options_of(function))
