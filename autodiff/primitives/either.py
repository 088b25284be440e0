"""The kind of what is of one of two kinds."""

from __future__ import annotations

from autodiff.analysis.joins import as_sequence, join
from autodiff.analysis.kind import Kind, Record, Scalar, Sequence, number


def either(one: Kind, other: Kind) -> Kind:
    """The kind of what is of one of two kinds. A number that may be of a narrower type, `0` or `x`,
    is of an unknown class: it decides what arrays of integers become.

    >>> either(Scalar("int"), Scalar("float"))
    Scalar(type='float', dtype='?', value=None)
    """
    kind = join(one, other)
    if isinstance(one, Scalar) and isinstance(other, Scalar) and one.type != other.type:
        assert isinstance(kind, Scalar)
        return number(kind.type, "?")
    return kind


def items_alike(kind: Kind) -> Kind:
    """A list or tuple with known parts as one whose items are all of one kind."""
    if not isinstance(kind, Record) or not kind.items:
        return as_sequence(kind)
    item = kind.items[0]
    for other in kind.items[1:]:
        item = either(item, other)
    return Sequence(item, kind.cls)
