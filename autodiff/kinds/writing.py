"""Calls that write into an array they are given: what they write, and where."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

"""The array, the values, the index."""


def by_place(function: Any) -> tuple[str, ...]:
    """The names of the parameters that may be given by place; none where they are not known."""
    try:
        return _by_place(function)
    except TypeError:  # not hashable
        return ()


@cache
def _by_place(function: Any) -> tuple[str, ...]:
    try:
        found = inspect.signature(function).parameters.values()
        return tuple(p.name for p in found if p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL))
    except (TypeError, ValueError):  # in C: the signature stands in the documentation
        text = (getattr(function, "__doc__", None) or "").partition("(")[2].partition(")")[0]
        positional = text.partition("*")[0].split(",")
        return tuple(part.strip().partition("=")[0] for part in positional)
