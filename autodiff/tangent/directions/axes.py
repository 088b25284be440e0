"""Functions that go along axes: for several directions, along the next ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.primitives import DISPLAY, Application, Builder, number_of, written
from autodiff.rules import registry
from autodiff.tangent.directions.forms import behind, known
from autodiff.tangent.directions.joined import numbers
from autodiff.tangent.rules import numbers as numbers_in

if TYPE_CHECKING:
    from autodiff.tangent.directions.widened import Widened

ALL, ONLY, GIVEN = "all axes", "the only axis", "given"
"""What is meant where no axis is given: all, the only one of an array without others, nothing."""

AXES: dict[Any, dict[str, str | int]] = {
    **{f: {"axis": ALL} for f in (np.sum, np.prod, np.mean, np.max, np.min, np.flip)},
    **{f: {"axis": ONLY} for f in (np.cumsum, np.cumprod, np.roll, np.repeat, np.take)},
    **{f: {"axis": GIVEN} for f in (np.expand_dims, np.squeeze)},
    **{f: {"axis": 0} for f in (np.concatenate, np.stack, np.split, np.array_split)},
    **{f: {"axis": -1} for f in (np.diff, np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft)},
    **{f: {"axis1": 0, "axis2": 1} for f in (np.trace, np.diagonal)},
    np.swapaxes: {"axis1": GIVEN, "axis2": GIVEN},
    np.moveaxis: {"source": GIVEN, "destination": GIVEN},
}
"""The parameters that are axes, and what they are where they are left out."""


def along(work: Widened, op: Apply, builder: Builder) -> Value | None:
    """The same operation along other axes, of its first argument alone."""
    rule = registry.rule_for(op.primitive.function)
    function, arguments = getattr(op.form, "func", None), list(op.application.arguments)
    if rule is None or function is None or not arguments:
        return None
    if any(work.has(v) and k != number_of(arguments[0]) for k, v in enumerate(op.operands)):
        return None
    others = [k for _, node in op.application.keywords for k in numbers_in(node)]
    if any(work.rank(op.operands[k]) != 0 for k in others):
        return None
    places = [parameter.name for parameter in rule.parameters]
    keywords = dict(op.application.keywords)
    operands = [arrays(work, builder, op.operands[0]), *op.operands[1:]]
    rank = work.rank(op.operands[0])
    for own, default in AXES[op.primitive.function].items():
        place = places.index(own) if own in places else len(arguments)
        node = arguments[place] if place < len(arguments) else keywords.get(own)
        axis = meant(default, rank) if node is None else known(node, op.operands)
        after = behind(axis)
        if after is None:
            return None
        if place < len(arguments):
            arguments[place] = written(after)
        elif node is not None or axis is not default or after != default:
            keywords[own] = written(after)
    bare = arguments[1:] if is_method(function) else arguments
    words = [gast.keyword(word, node) for word, node in keywords.items()]
    spelled = gast.Call(function, bare, words)
    given = Application(tuple(arguments), tuple(keywords.items()))
    return builder.apply(op.primitive, given, spelled, operands, op.result.kind)


def is_method(function: Any) -> bool:
    """Whether what is called is a method of an operand."""
    return number_of(getattr(function, "value", function)) is not None


def arrays(work: Widened, builder: Builder, value: Value) -> Value:
    """What is written out and joined, with arrays for the lists in it."""
    if not isinstance(value.op, Apply) or value.op.primitive is not DISPLAY:
        return value
    parts = [numbers(work, builder, part) or part for part in value.op.operands]
    return builder.display(list, tuple(range(len(parts))), parts)


def meant(default: str | int, rank: int | None) -> Any:
    """The axes where none are given; None where that is not known."""
    if isinstance(default, int):
        return default
    if default is ALL and rank:
        return tuple(range(rank)) if rank > 1 else 0
    return 0 if default is ONLY and rank == 1 else None
