"""The passes of this room, in their order."""

from __future__ import annotations

from autodiff.core.function import Function, References
from autodiff.dataflow.dead import remove_dead
from autodiff.lean.first import first_contributions
from autodiff.lean.late import clear_later, last_clears, late_inside, make_late
from autodiff.lean.merged import displays, forwarded, merged, windows
from autodiff.lean.reuse import elements, invariants, reuse
from autodiff.lean.rotated import rotated
from autodiff.lean.sums import products, sums
from autodiff.lean.terms import inner_products, like_terms, signs


def lean_sweep(function: Function, references: References) -> None:
    """The reverse sweep as it is written by rules, before it is decided what is kept for it."""
    windows(function, references)
    remove_dead(function, recorded=False)  # views that nobody looks through any more
    rotated(function, references)
    merged(function, references)
    forwarded(function, references)
    late_inside(function, references)
    remove_dead(function, recorded=False)
    signs(function, references)
    reuse(function, references)
    like_terms(function, references)
    products(function, references)
    inner_products(function, references)
    displays(function, references)


def lean_memory(function: Function, references: References) -> None:
    """Adjoint memory, when all else is in place, and constants of what is computed again."""
    products(function, references)
    elements(function, references)
    reuse(function, references)
    invariants(function, references)
    last_clears(function, references)
    make_late(function, references)
    first_contributions(function, references)
    clear_later(function, references)
    sums(function, references)
