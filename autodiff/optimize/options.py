"""Which optimisations run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """One switch per optimisation: each may change the text of the result, never its numbers."""

    shifts: bool = True
    sizes: bool = True
    fold: bool = True
    displays: bool = True
    propagate: bool = True
    dead_code: bool = True
    dead_stores: bool = True
    merge_pushes: bool = True
    common_pushes: bool = True
    signs: bool = True
    reuse: bool = True
    substitute: bool = True
    recompute: bool = True
    coalesce: bool = True
    localize: bool = True
    slots: bool = True
    packed: bool = True
    popped: bool = True
    first_stores: bool = True
    first_items: bool = True
    roots: bool = True
    totals: bool = True
    like_terms: bool = True
    contract: bool = True
    transposes: bool = True
    complements: bool = True
    likes: bool = True
    constants: bool = True
    methods: bool = True
    chosen: bool = True
    retest: bool = True
    regroup: bool = True
    hoist: bool = True
    independent: bool = True
    same_tests: bool = True
    wholes: bool = True
    last_copies: bool = True
    unwind: bool = True
