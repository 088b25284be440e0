"""Kinds of arguments as far as annotations and defaults tell: what to compile for before a call."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.derivatives.target import Target
from autodiff.errors import AutodiffError
from autodiff.kinds.arguments import kind_of
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
)
from autodiff.kinds.size import Dim, Size
from autodiff.pipeline.compiled import Compiled

if TYPE_CHECKING:
    from autodiff.derivatives.derivative import Derivative

_NUMBERS = {bool: "bool", int: "int", float: "float", complex: "complex"}


def annotated_kinds(target: Target) -> tuple[Kind, ...]:
    """One kind per parameter: what the callable holds, then annotations, then defaults. Where none
    of these tells it is taken to be a number or an array.
    """
    try:
        hints = typing.get_type_hints(target.function)
    except Exception:  # an annotation may name what is only imported for type checkers
        hints = {}
    held = dict(zip(target.names, target.prefix)) | dict(target.keywords or {})
    kinds: list[Kind] = []
    for name, parameter in target.signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            kinds.append(UNKNOWN)
        elif name in held:
            kinds.append(kind_of(held[name]))
        elif name in hints:
            kinds.append(kind_of_annotation(hints[name]))
        elif parameter.default is not inspect.Parameter.empty:
            kinds.append(kind_of(parameter.default))
        else:
            kinds.append(Numeric())
    return tuple(kinds)


def by_annotations(derivative: Derivative) -> Compiled:
    """What is compiled before a call; an AutodiffError where it is a guess what the arguments are,
    and there is no text for it.
    """
    kinds = annotated_kinds(derivative.target)
    guessed = any(kind == UNKNOWN or isinstance(kind, Numeric) for kind in kinds)
    found = derivative._compile_kinds(kinds)
    if not (guessed and found.followed):
        return found
    derivative._last = None
    raise AutodiffError(
        f"{derivative!r} is not compiled yet",
        why="its annotations and defaults do not tell what its arguments are, and for any numbers "
        f"or arrays there is no text: {found.followed}",
        cure="call it once, or ask source_for(x) with arguments",
    )


def kind_of_annotation(annotation: Any) -> Kind:
    """The kind that a type annotation promises.

    >>> kind_of_annotation(float)
    Scalar(type='float', dtype=None, value=None)
    >>> kind_of_annotation(list[float])
    Sequence(item=Scalar(type='float', dtype=None, value=None), cls=<class 'list'>)
    """
    if annotation in (None, type(None)):
        return kind_of(None)
    origin, items = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return kind_of_annotation(items[0])
    if origin is list and len(items) == 1:
        return Sequence(kind_of_annotation(items[0]))
    if origin is tuple and items:
        if items[-1] is Ellipsis:
            return Sequence(kind_of_annotation(items[0]), tuple)
        return Record(tuple, tuple(range(len(items))), tuple(map(kind_of_annotation, items)))
    if not isinstance(annotation, type) or isinstance(annotation, types.GenericAlias):
        return UNKNOWN
    if annotation in _NUMBERS:
        return Scalar(_NUMBERS[annotation])
    if issubclass(annotation, (str, bytes)):
        return Text()
    if issubclass(annotation, np.number):
        return kind_of(annotation())
    if dataclasses.is_dataclass(annotation):
        return _record(annotation)
    return UNKNOWN


def _record(cls: type) -> Kind:
    hints = typing.get_type_hints(cls)
    names = tuple(field.name for field in dataclasses.fields(cls))
    if any(hints[name] is cls for name in names):
        return UNKNOWN
    return Record(cls, names, tuple(kind_of_annotation(hints[name]) for name in names))


def generalized(kind: Kind | None) -> Kind:
    """A kind without sizes and constants."""
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype)
    if isinstance(kind, Array):
        return Array(kind.dtype, (None,) * len(kind.shape))
    if isinstance(kind, Static) and isinstance(kind.value, (str, bytes)):
        return Text()
    if isinstance(kind, Record) and (not kind.indexed):
        return replace(kind, items=tuple(generalized(item) for item in kind.items))
    if isinstance(kind, (Static, Text)):
        return kind
    if isinstance(kind, Sequence):
        return Sequence(generalized(kind.item), kind.cls)
    if isinstance(kind, Mapping):
        return replace(kind, item=generalized(kind.item), key=generalized(kind.key))
    return UNKNOWN


def alike(kinds: list[Kind]) -> list[Kind]:
    """The kinds of arguments, as `kinds_of` would find them: sizes under names of their own."""
    sizes: dict[object, Dim] = {}

    def size(own: Size) -> Size:
        if own is None or own == 1:
            return own
        plural = own.plural and not own.offset if isinstance(own, Dim) else own > 1
        return sizes.setdefault(own, Dim(f"n{len(sizes)}", 2 if plural else 0))

    def visit(kind: Kind) -> Kind:
        if isinstance(kind, Array):
            return Array(kind.dtype, tuple(map(size, kind.shape)))
        if isinstance(kind, Record) and kind.indexed:
            return Record(kind.cls, kind.keys, tuple(map(visit, kind.items)))
        return generalized(kind)

    return [visit(kind) for kind in kinds]
