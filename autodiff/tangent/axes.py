"""Functions that go along axes: for several directions, along the next ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.core import Apply, Value
from autodiff.primitives import Application, Builder, bound, hole, number_of, written
from autodiff.rules import registry

if TYPE_CHECKING:
    from autodiff.tangent.several import Several

ALL, ONLY, GIVEN = "all axes", "the only axis", "given"
"""What is meant where no axis is given: all, the only one of an array without others, nothing."""

AXES: dict[Any, dict[str, str | int]] = {
    **dict.fromkeys((np.sum, np.prod, np.mean, np.max, np.min, np.flip), {"axis": ALL}),
    **dict.fromkeys((np.cumsum, np.cumprod, np.roll, np.repeat, np.take), {"axis": ONLY}),
    **dict.fromkeys((np.expand_dims, np.squeeze), {"axis": GIVEN}),
    **dict.fromkeys((np.concatenate, np.stack, np.split, np.array_split), {"axis": 0}),
    **dict.fromkeys((np.diff, np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft), {"axis": -1}),
    **dict.fromkeys((np.trace, np.diagonal), {"axis1": 0, "axis2": 1}),
    np.swapaxes: {"axis1": GIVEN, "axis2": GIVEN},
    np.moveaxis: {"source": GIVEN, "destination": GIVEN},
}
"""The parameters that are axes, and what they are where they are left out."""


def along(work: Several, op: Apply, builder: Builder) -> Value | None:
    """The same operation along other axes, of its first argument alone."""
    rule = registry.rule_for(op.primitive.function)
    form, arguments = op.form, list(op.application.arguments)
    if rule is None or not isinstance(form, gast.Call) or not arguments:
        return None
    if any(work.has(v) and k != number_of(arguments[0]) for k, v in enumerate(op.operands)):
        return None
    places = [parameter.name for parameter in rule.parameters]
    keywords = dict(op.application.keywords)
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
    bare = arguments
    if isinstance(form.func, gast.Attribute) and number_of(form.func.value) is not None:
        bare = arguments[1:]
    words = [gast.keyword(word, node) for word, node in keywords.items()]
    spelled = gast.Call(form.func, bare, words)
    given = Application(tuple(arguments), tuple(keywords.items()))
    return builder.apply(op.primitive, given, spelled, op.operands, op.result.kind)


def meant(default: str | int, rank: int | None) -> Any:
    """The axes where none are given; None where that is not known."""
    if isinstance(default, int):
        return default
    if default is ALL and rank:
        return tuple(range(rank)) if rank > 1 else 0
    return 0 if default is ONLY and rank == 1 else None


def known(node: gast.expr, operands: list[Value]) -> Any:
    """The axis, or the axes, that are written somewhere; None where these are found at run time."""
    number = number_of(node)
    if number is not None:
        value = operands[number]
        return value.constant if value.is_constant else getattr(value.kind, "value", None)
    try:
        return gast.literal_eval(bound(node, operands))
    except ValueError:
        return None


def behind(axis: Any) -> Any:
    """The axes with that of the directions in front.

    >>> behind(0), behind(-1), behind((0, 2))
    (1, -1, (1, 3))
    """
    if isinstance(axis, (tuple, list)):
        after = tuple(map(behind, axis))
        return None if None in after else after
    return None if type(axis) is not int else axis + 1 if axis >= 0 else axis


__all__ = ["AXES", "along", "behind", "hole", "known"]
