"""Arrays whose axes have another order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from autodiff.optimize import literals
from autodiff.optimize.facts import Facts

FORMS = frozenset(("T", "mT", "swapaxes", "transpose"))
_NUMPY = ("np", "numpy")


@dataclass(frozen=True, slots=True)
class Turned:
    """An `array`, and where each axis of the turned one is found in it."""

    array: gast.expr
    axes: tuple[int, ...]


def turned(node: gast.expr, facts: Facts) -> Turned | None:
    """What `x.T`, `x.mT`, `x.swapaxes(1, 2)`, `np.transpose(x, (0, 2, 1))` ... is; else None.

    Of what is certainly an array of floats or complex numbers, with axes that are written out.
    """
    array, form, axes = _taken_apart(node)
    shape = facts.shape(array) if array is not None else None
    if array is None or not shape:
        return None
    rank = len(shape)
    places = list(range(rank))
    if form == "mT" or form == "swapaxes":
        pair = (-1, -2) if form == "mT" else axes
        if pair is None or len(pair) != 2 or any(not -rank <= axis < rank for axis in pair):
            return None
        one, two = pair
        places[one], places[two] = places[two], places[one]
    elif not axes:
        places.reverse()
    else:
        places = [axis + rank if axis < 0 else axis for axis in axes]
        if sorted(places) != list(range(rank)):
            return None
    return Turned(array, tuple(places))


def undoes(axes: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """Whether what was turned by `before`, turned by `axes`, is as it was."""
    return [before[axis] for axis in axes] == list(range(len(before)))


def _taken_apart(node: Any) -> tuple[gast.expr | None, str, tuple[int, ...] | None]:
    """The array, the form, and the axes if they are written out."""
    if isinstance(node, gast.Attribute) and node.attr in ("T", "mT"):
        return node.value, node.attr, ()
    nothing = None, "", None
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return nothing
    form = node.func.attr
    if form not in ("swapaxes", "transpose") or node.keywords:
        return nothing
    array, given = node.func.value, list(node.args)
    if isinstance(array, gast.Name) and array.id in _NUMPY:
        if not given:
            return nothing
        array = given.pop(0)
    if len(given) == 1 and isinstance(given[0], gast.Tuple):
        given = given[0].elts
    axes = [literals.number(axis) for axis in given]
    if any(type(axis) is not int for axis in axes):
        return nothing
    return array, form, tuple(axes)  # type: ignore[arg-type]
