"""What a compilation gives."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autodiff.errors import AutodiffError
from autodiff.kinds.kind import Kind


@dataclass(slots=True)
class Made:
    """What a derivative was loaded from, and what was read for it, for who keeps it.

    loads: text, name, namespace, helpers, origins and function of each. outside, members: as in
    `holding`. others: whether anything else has to hold. power: as in `checked_real`.
    """

    loads: list[tuple[Any, ...]] = field(default_factory=list)
    outside: list[tuple[Any, str, Any]] = field(default_factory=list)
    members: list[tuple[Any, str]] = field(default_factory=list)
    others: bool = False
    power: Any = None


@dataclass(frozen=True, slots=True)
class Compiled:
    """A derivative: the function, its text, the text after each pass, and what must still hold."""

    function: types.FunctionType
    source: str
    stages: tuple[tuple[str, str], ...]
    guards: tuple[Callable[[], bool], ...]
    native: Any = None
    """The dispatcher of Numba's, which other jitted functions may call; None for Python."""
    generated: tuple[types.FunctionType, ...] = ()
    """The functions that `source` is the text of, where `function` calls them."""
    beside: Mapping[str, object] = field(default_factory=dict)
    """What the source reads outside of functions."""
    batched: str | None = None
    """For tangents along several directions: empty if there are such, else why there are none."""
    least: int = 1
    """So many directions are taken at once, fewer one by one."""
    kinds: tuple[Kind, ...] = ()
    """Those of the arguments that it was made for."""
    followed: str = ""
    """Why each run is followed instead; then there is no text of what it computes."""
    left: tuple[AutodiffError, ...] = ()
    """What it raises where it comes to a path that was left out."""
    made: Made | None = None
    """What it was loaded from; None where it is more than that."""
    unmarked: bool = False
    """Whether checkpointed loops were made plain, to be differentiated again."""


Offer = tuple[types.FunctionType, tuple[Callable[[], bool], ...]]
"""A function that a call comes to, and checks that hold as long as it does."""
