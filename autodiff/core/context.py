"""`with` around operations: a context in which they run, which changes no values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """A context manager as it prints: `np.errstate(divide="ignore")`.

    setup: statements at the beginning of each block: `warnings.simplefilter("ignore")`.
    again: the adjoints run in it, too.
    """

    form: Any
    again: bool
    setup: list[Any] = field(default_factory=list)
