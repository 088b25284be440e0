"""Functions that go along axes: for several directions, along the next ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.kinds.kind import Array, Kind, Record
from autodiff.kinds.rounds import Round
from autodiff.primitives import DISPLAY, Application, Builder, number_of, written
from autodiff.primitives.axes_found import is_axis, meant
from autodiff.primitives.errors import tried
from autodiff.rules import registry
from autodiff.tangent.directions.forms import behind, known
from autodiff.tangent.directions.spread import shape_of
from autodiff.tangent.directions.stacking import numbers

if TYPE_CHECKING:
    from autodiff.tangent.directions.widened import Widened


def along(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """The same operation along other axes, of its first argument alone: that of a function which
    has parameters for axes, if small arrays agree.
    """
    function, arguments = op.primitive.function, list(op.application.arguments)
    called, rule = getattr(op.form, "func", None), registry.rule_for(function)
    places = [] if rule is None else [own.name for own in rule.parameters]
    asked = registry.is_pure(function) and not registry.is_demanding(function)
    if not asked or not any(map(is_axis, places)) or called is None or not arguments:
        return None
    if number_of(arguments[0]) != 0 or any(map(work.has, op.operands[1:])):
        return None
    keywords = dict(op.application.keywords)
    rank = work.rank(op.operands[0])
    for place, parameter in enumerate(rule.parameters if rule is not None else ()):
        if not is_axis(parameter.name):
            continue
        given = arguments[place] if place < len(arguments) else keywords.get(parameter.name)
        axis = parameter.default
        if given is not None or axis is None:
            axis = known(given, op.operands) if given is not None else meant(function, rank)
        after = behind(axis)
        if after is None:
            return None
        if place < len(arguments):
            arguments[place] = written(after)
        elif given is not None or after != parameter.default:
            keywords[parameter.name] = written(after)
    found = Application(tuple(arguments), tuple(keywords.items()))
    if not agrees(work, op, found):
        return None
    operands = [arrays(work, builder, op.operands[0]), *op.operands[1:]]
    bare = arguments[1:] if is_method(called) else arguments
    words = [gast.keyword(word, node) for word, node in keywords.items()]
    return builder.apply(
        op.primitive, found, gast.Call(called, bare, words), operands, op.result.kind
    )


def is_method(function: Any) -> bool:
    """Whether what is called is a method of an operand."""
    return number_of(getattr(function, "value", function)) is not None


def arrays(work: Widened, builder: Builder, value: Value) -> Value:
    """What is written out and joined, with arrays for the lists in it."""
    if not isinstance(value.op, Apply) or value.op.primitive is not DISPLAY:
        return value
    parts = [numbers(work, builder, part) or part for part in value.op.operands]
    return builder.display(list, tuple(range(len(parts))), parts)


def agrees(work: Widened, op: Apply, along: Application) -> bool:
    """Whether a call gives for two directions, of small arrays, what `op` gives for each."""
    numbers, sizes = np.random.default_rng(0), Round(1, sizes=_SIZES)

    def array(kind: Kind) -> Any:
        shape = shape_of(kind)
        if shape is not None:
            return numbers.normal(size=(2, *map(sizes.size, shape)))
        return np.stack([array(item) for item in getattr(kind, "items", ())], axis=1)

    def small(kind: Kind) -> Kind:
        if isinstance(kind, Record):
            return Record(kind.cls, kind.keys, tuple(map(small, kind.items)))
        if not isinstance(kind, Array):
            return kind
        return Array(kind.dtype, tuple(min(n, _LONG) if type(n) is int else n for n in kind.shape))

    def same(found: Any, wanted: Any, k: int) -> bool:
        if isinstance(wanted, (list, tuple)):
            return len(found) == len(wanted) and all(map(same, found, wanted, [k] * len(found)))
        return np.shape(found[k]) == np.shape(wanted) and np.allclose(found[k], wanted)

    function, kind = op.primitive.function, small(work.one(op.operands[0]))
    listed = isinstance(kind, Record)
    try:
        others = [
            v.constant if v.is_constant else sizes.value(small(v.kind)) for v in op.operands[1:]
        ]
        given = [array(item) for item in (kind.items if isinstance(kind, Record) else [kind])]
        found = tried(function, along, [given if listed else given[0], *others])
        for k in range(2):
            each = [part[k] for part in given]
            wanted = tried(function, op.application, [each if listed else each[0], *others])
            if not same(found, wanted, k):
                return False
    except Exception:  # whatever a function says of other arrays
        return False
    return True


_SIZES, _LONG = (12,) * 8, 60
"""Sizes that are tried for those that are not known, and for long ones: many counts divide them."""
