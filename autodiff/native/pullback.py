"""A pullback that is compiled: the value first, both sweeps for each seed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any, cast

from autodiff.pipeline.compiled import Compiled
from autodiff.runtime import copied


def with_pullback(primal: Compiled, both: Compiled) -> Compiled:
    """The function that returns the value, and the adjoints as a function of the seed.

    What a reverse sweep needs cannot leave compiled code, so each seed has both sweeps run, at the
    arguments as they were.
    """
    value, pulled = primal.function, both.function

    def native(*args: Any, **keywords: Any) -> Any:
        kept, named = copied(args), copied(keywords)
        return value(*args, **keywords), partial(_adjoints, pulled, kept, named)

    source, guards = f"{primal.source}\n\n{both.source}", (*primal.guards, *both.guards)
    function, generated = cast("FunctionType", native), (*primal.generated, *both.generated)
    return replace(both, function=function, source=source, guards=guards, generated=generated)


def _adjoints(both: Any, args: tuple[Any, ...], keywords: dict[str, Any], seed: Any) -> Any:
    return both(*args, seed, **keywords)[1]
