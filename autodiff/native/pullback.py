"""A pullback that is compiled: the value first, both sweeps for each seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autodiff.runtime import copied


def pullback(value: Callable[..., Any], both: Callable[..., Any]) -> Any:
    """The function that returns the value, and the adjoints as a function of the seed.

    What a reverse sweep needs cannot leave compiled code, so each seed has both sweeps run, at the
    arguments as they were.
    """

    def native(*args: Any, **keywords: Any) -> Any:
        kept, named = copied(args), copied(keywords)
        return value(*args, **keywords), partial(_adjoints, both, kept, named)

    return native


def _adjoints(both: Any, args: tuple[Any, ...], keywords: dict[str, Any], seed: Any) -> Any:
    return both(*args, seed, **keywords)[1]
