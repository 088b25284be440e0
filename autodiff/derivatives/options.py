"""The options of a derivative as a user writes them."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from typing import Any

from autodiff.derivatives.target import Wrt
from autodiff.errors import OptionError
from autodiff.pipeline.request import FLAGS, Options

OPTIONS = (
    "argnums",
    "backend",
    "debug_nans",
    *(own.name for own in dataclasses.fields(Options)),
    *FLAGS,
)
_BESIDE = ("wrt", "has_aux", *OPTIONS)


def chosen(wrt: Wrt, options: Mapping[str, Any]) -> tuple[Wrt, dict[str, Any]]:
    """What the derivative is taken with respect to, and the other options.

    `argnums` is another name of `wrt`. Raises OptionError for an option that is none, and for both.
    """
    for name in options:
        if name not in OPTIONS:
            near = difflib.get_close_matches(name, _BESIDE, 1)
            raise OptionError(
                f"there is no option {name!r}",
                why=f"the options are {', '.join(_BESIDE)}",
                cure=f"did you mean {near[0]}?" if near else "leave it out",
            )
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
