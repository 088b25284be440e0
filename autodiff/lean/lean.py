"""The passes of this room, in their order."""

from __future__ import annotations

from autodiff.core import Function, References
from autodiff.dataflow.dead import remove_dead
from autodiff.dataflow.ordered import copied_rows
from autodiff.lean.cleared import clear_later, filled, last_clears
from autodiff.lean.constant_factors import products, transposes
from autodiff.lean.first import first_contributions
from autodiff.lean.grouped import contracted, grouped
from autodiff.lean.late import late_inside, make_late
from autodiff.lean.merged import displays, forwarded, merged, windows
from autodiff.lean.reuse import elements, invariants, read_once, reuse
from autodiff.lean.rewriting import Rewriting
from autodiff.lean.rotated import rotated
from autodiff.lean.sums import sums
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
    signs(Rewriting(function, references))
    reuse(function, references)
    read_once(function, references)
    work = Rewriting(function, references)
    for each in (like_terms, products, transposes, inner_products, contracted, displays):
        each(work)


def lean_tangent(function: Function, references: References) -> None:
    """Tangents, which stand beside their values as operations like others from now on. Sums round
    as those of derivatives inside do.
    """
    signs(Rewriting(function, references))
    reuse(function, references)
    work = Rewriting(function, references)
    like_terms(work)
    products(work)
    first_contributions(function, references)
    for op in function.body.walk():
        op.reverse = False


def lean_products(function: Function, references: References) -> None:
    """Products, with what is computed again; of derivatives inside, too, which are to give the very
    numbers that they give alone.
    """
    work = Rewriting(function, references)
    products(work)
    grouped(work)


def lean_inner(function: Function, references: References) -> None:
    """The sweeps of a derivative inside, which is differentiated again: shadows have shadows."""
    lean_products(function, references)
    make_late(function, references)
    first_contributions(function, references)
    copied_rows(function, references)


def lean_memory(function: Function, references: References) -> None:
    """Adjoint memory, when all else is in place, and constants of what is computed again."""
    elements(function, references)
    lean_products(function, references)
    reuse(function, references)
    invariants(function, references)
    last_clears(function, references)
    make_late(function, references)
    filled(function, references)
    first_contributions(function, references)
    clear_later(function, references)
    sums(function, references)
    copied_rows(function, references)
