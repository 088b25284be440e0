"""Which optimisations run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """One switch per optimisation: each may change the text of the result, never its numbers."""

    fold: bool = True
    propagate: bool = True
    dead_code: bool = True
    merge_pushes: bool = True
    substitute: bool = True
    recompute: bool = True
