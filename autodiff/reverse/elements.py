"""Numbers that are elements of arrays, where they can be read again; and rows that were stored.

    for i in range(1, n):
        y_before = y[i - 1]               forward: nothing is pushed
        e = np.exp(y_before)
        y[i] = e                          reverse: e = y[i], y_before = y[i - 1]
"""

from __future__ import annotations

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Loop, Step
from autodiff.syntax.names import name, reads
from autodiff.syntax.walk import clone, walk


def elements(
    loop: Loop, kinds: Kinds, aliases: Aliases
) -> list[tuple[frozenset[int], frozenset[int]]]:
    """For each array that changes: the `id` of the steps of a loop whose values are in it.

    First all of them, those that take a number from the array and those that store something there;
    then without the latter.
    """
    candidates: dict[str, list[Step]] = {}
    for step in loop.body:
        if isinstance(step, Step):
            base = base_of(step, kinds) or stored_in(step, kinds)
            if base is not None and aliases.is_changed(base):
                candidates.setdefault(base, []).append(step)
    found = []
    for taken in candidates.values():
        readers = [step for step in taken if stored_in(step, kinds) is None]
        found.append((frozenset(map(id, taken)), frozenset(map(id, readers))))
    return found


def stored_in(step: Step, kinds: Kinds) -> str | None:
    """The array of `y[i] = t`, which has the number or the array `t` from then on."""
    if len(step.primal) != 1 or not isinstance(step.primal[0], gast.Assign):
        return None
    target, value = step.primal[0].targets[0], step.primal[0].value
    if not isinstance(value, gast.Name) or not isinstance(target, gast.Subscript):
        return None
    base = _array(target, kinds)
    kind = kinds.known(value)
    sizes = kind.shape if isinstance(kind, Array) else ()
    same = isinstance(kind, (Scalar, Array)) and kind.dtype not in (None, "?") and None not in sizes
    return base if same and kinds.known(_loaded(target)) == kind else None


def read_back(step: Step) -> gast.stmt:
    """`t = y[i]` for the step `y[i] = t`."""
    store = step.primal[0]
    target = name(store.value.id, gast.Store())
    return gast.Assign(targets=[target], value=_loaded(store.targets[0]))


def _loaded(slot: gast.expr) -> gast.expr:
    read = clone(slot)
    read.ctx = gast.Load()
    return read


def base_of(step: Step, kinds: Kinds) -> str | None:
    """The array of `t = y[i]`, a number."""
    if len(step.primal) != 1 or not isinstance(step.primal[0], gast.Assign):
        return None
    target, value = step.primal[0].targets[0], step.primal[0].value
    if not isinstance(target, gast.Name) or not isinstance(kinds.names.get(target.id), Scalar):
        return None
    return _array(value, kinds) if isinstance(value, gast.Subscript) else None


def _array(element: gast.Subscript, kinds: Kinds) -> str | None:
    """The array of an element whose index can be evaluated again."""
    if not isinstance(element.value, gast.Name):
        return None
    if any(isinstance(part, (gast.Call, gast.List)) for part in walk(element.slice)):
        return None
    base: str = element.value.id
    known = isinstance(kinds.names.get(base), Array) and base not in reads(element.slice)
    return base if known else None
