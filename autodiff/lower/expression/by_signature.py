"""`np.vectorize(function, signature="(n),(m)->(m)")`: called with the last axes of its arrays, for
each place in the first.
"""

from __future__ import annotations

import re

import numpy as np

from autodiff.core import NotYet, Value, constant
from autodiff.kinds.kind import Array
from autodiff.lower.entries import boxes
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.boxes import called
from autodiff.lower.entries.entry import Bound, Entries, Entry, Keywords, Pack
from autodiff.lower.expression import over_arrays
from autodiff.lower.expression.over_arrays import as_array
from autodiff.lower.recipes import array_recipes as recipes


class Signed:
    """What stands for a call of what that gives."""

    def __call__(self) -> None: ...


SIGNED = Signed()


def vectorize(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """`np.vectorize(function, signature=...)`, and without."""
    by_name = dict(named)
    signature = by_name.pop("signature", None)
    if signature is None:
        return over_arrays.vectorize(expressions, given, named)
    if len(given) != 1 or by_name:
        raise NotYet("vectorize with options")
    return Bound(boxes.of_class(expressions, SIGNED), (given[0], signature))


def of_object(expressions: Expressions, target: np.vectorize, given: Entries) -> Entry:
    """A call of what it gave when the user's module was imported."""
    if target.signature is None or target.excluded or target.otypes is not None:
        return over_arrays.of_object(expressions, target, given)
    function = boxes.of_class(expressions, target.pyfunc)
    return by_signature(expressions, [function, constant(target.signature), *given], [])


def by_signature(expressions: Expressions, given: Entries, named: Keywords) -> Entry:
    """A call of it: one axis of places is looped over."""
    function, signature, *others = given
    text = signature.constant if isinstance(signature, Value) else None
    taken, gives = (re.findall(r"\(([^)]*)\)", half) for half in str(text).split("->"))
    arrays = [as_array(expressions, entry) for entry in others]
    shapes = [each.kind.shape if isinstance(each.kind, Array) else () for each in arrays]
    axes = [len([own for own in part.split(",") if own.strip()]) for part in taken]
    left = [len(shape) - own for shape, own in zip(shapes, axes)]
    if named or len(gives) != 1 or len(axes) != len(arrays) or not set(left) <= {0, 1}:
        raise NotYet("vectorize by signature over several axes, or of several results")
    if not any(left):
        found = expressions.as_value(called(expressions, recipes.called_once, function, *arrays))
        return expressions.builder.call("np.asarray", np.asarray, found)
    whole = Pack(tuple(constant(not own) for own in left))
    return called(expressions, recipes.by_places, function, whole, *arrays)
