"""A derivative that a derivative is taken of: `grad(f)` in `grad(grad(f))`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """What it is told but its function; see `Request.inner`. mode: as in a request, or "adjoints",
    which takes the adjoint of the value behind the arguments, and gives those of these alone.
    seeds: so many it takes, as the value is a tuple.
    """

    mode: str
    wrt: tuple[str, ...]
    single: bool
    has_aux: bool = False
    options: Any = None
    seeds: int = 1
