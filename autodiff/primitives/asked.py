"""The kind of a primitive's result, for the kinds of its operands."""

from __future__ import annotations

import contextlib
import functools
import operator
import warnings
from collections.abc import Hashable, Mapping
from types import MethodDescriptorType
from typing import Any

import numpy as np

from autodiff.core.value import Value
from autodiff.kinds.arithmetic import ARITHMETIC
from autodiff.kinds.joins import combined
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    forget_values,
    is_inexact,
)
from autodiff.kinds.kind import Mapping as MappingKind
from autodiff.kinds.known import Kinds
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.kinds.size import Dim
from autodiff.kinds.transfers import SPECIAL
from autodiff.primitives.algebra import is_counted, of_any_size
from autodiff.primitives.axes_found import along_the_axis
from autodiff.primitives.primitive import Application, Primitive, bound, constant_key, number_of
from autodiff.rules import registry
from autodiff.rules.home import hashable, module_of
from autodiff.rules.ruled import gives_number

_CONVERTING: dict[Any, Kind] = {cls: Scalar(cls.__name__) for cls in (bool, int, float, complex)}
_CONVERTING |= dict.fromkeys((len, operator.index), Scalar("int"))
"""What gives a number of Python's whatever it is given."""


_KINDS: dict[Hashable, Kind] = {}
_MOST = 4096


def kind_of(primitive: Primitive, application: Application, operands: list[Value]) -> Kind:
    """The kind of what a primitive makes of operands; what was asked before is remembered."""
    key = asking(primitive, application, operands)
    known = _KINDS.get(key) if key is not None else None
    if known is not None:
        return known
    own = Application(
        tuple(bound(node, operands) for node in application.arguments),
        tuple((word, bound(node, operands)) for word, node in application.keywords),
    )
    kind = applied_kind(primitive, own, {value.token: value.kind for value in operands})
    if key is not None:
        if len(_KINDS) >= _MOST:
            _KINDS.clear()
        _KINDS[key] = kind
    return kind


def asking(primitive: Primitive, application: Application, operands: list[Value]) -> Hashable:
    """All that the kind of a result depends on; None where that is more than kinds."""
    if application.keywords:
        return None
    given: list[Hashable] = []
    for node in application.arguments:
        number = number_of(node)
        if number is None:
            return None
        value = operands[number]
        given.append(operands.index(value))
        own = constant_key(value) if value.is_constant else kind_key(value.kind)
        if own is None:
            return None
        given.append(own)
    key = primitive.function, primitive.pure, primitive.elementwise, *given
    try:
        hash(key)
    except TypeError:
        return None
    return key


def kind_key(kind: Kind) -> Hashable:
    """A kind of numbers and arrays; None for others: their objects are not to be kept."""
    if isinstance(kind, (Array, Scalar)):
        return kind
    if isinstance(kind, Record):
        items = tuple(map(kind_key, kind.items))
        return None if None in items else (kind.cls, kind.keys, items)
    return None


def applied_kind(primitive: Primitive, application: Application, kinds: Mapping[str, Kind]) -> Kind:
    """The kind of the result, as far as it is sure.

    Of a number whose class is not known (it may be Python's or NumPy's, and of a narrower type) it
    is not known what its sums are, nor what it makes of arrays of integers. The sum of a list is an
    integer where that is empty.
    """
    found = _applied_kind(primitive, application, kinds)
    if found == UNKNOWN and gives_number(primitive.function):
        return Numeric()
    if found == UNKNOWN and primitive.function is np.shape:
        return Sequence(Scalar("int"), tuple)
    word = number_given(primitive.function) if found == UNKNOWN and primitive.elementwise else None
    found = Scalar(word) if word is not None else found
    if registry.is_uncertain(primitive.function):
        found = _of_any_dtype(found)
    if is_counted(primitive.function):
        found = of_any_size(found)
    if isinstance(found, Scalar) and is_inexact(found) and not application.keywords:
        given = list(map(Kinds(kinds).of, application.arguments))
        if given and is_open(given[0]) and of_nothing(primitive.function, len(given)) is int:
            return Scalar(found.type, "?")
    leaves = [leaf for kind in kinds.values() for leaf in _leaves(kind)]
    if primitive.function in (min, max) and isinstance(found, Scalar):
        classes = {leaf.dtype for leaf in leaves if isinstance(leaf, (Scalar, Array))}
        written = any(not hasattr(node, "id") for node in application.arguments)
        if len(classes | ({None} if written else set())) > 1:  # it is one of them as it is
            return Scalar(found.type, "?", found.value)
    if not any(map(_is_vague, leaves)) or (
        primitive.function in _CONVERTING or module_of(primitive.function) == "math"
    ):
        return found
    if isinstance(found, Scalar) and found.dtype is None:
        return Scalar(found.type, "?", found.value)
    if any(is_inexact(leaf) and not _is_vague(leaf) for leaf in leaves):
        return found
    if isinstance(found, Scalar) and is_inexact(found):
        return Scalar(found.type, "?", found.value)
    return _of_any_dtype(found) if is_inexact(found) else found


def is_open(kind: Kind) -> bool:
    """Whether something may be empty, as nothing is known of how long it is."""
    size = kind.shape[0] if isinstance(kind, Array) and kind.shape else 1
    short = size is None or isinstance(size, Dim) and size.least <= size.offset
    return isinstance(kind, Sequence) or short


@functools.cache
def of_nothing(function: Any, count: int) -> type | None:
    """The class of what a function gives for an empty list (and numbers beside it), if it does.

    >>> of_nothing(sum, 1), of_nothing(max, 1), of_nothing(np.sum, 1)
    (<class 'int'>, None, <class 'numpy.float64'>)
    """
    if not registry.is_pure(function) or count > 2:
        return None
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return type(function([], *[1] * (count - 1)))
    return None


@functools.cache
def number_given(function: Any) -> str | None:
    """The type of the number that a function of `math` or `cmath` gives whatever it is given.

    >>> import math
    >>> number_given(math.sin), number_given(math.modf), number_given(np.sin)
    ('float', None, None)
    """
    if module_of(function) not in ("math", "cmath"):
        return None
    for given in ((0.5,), (1.5,), (0.5, 0.5)):
        with contextlib.suppress(TypeError, ValueError):
            return {float: "float", complex: "complex"}.get(type(function(*given)))
    return None


def _leaves(kind: Kind) -> list[Kind]:
    if isinstance(kind, Record):
        return [leaf for item in kind.items for leaf in _leaves(item)]
    if isinstance(kind, (Sequence, MappingKind)):
        return _leaves(kind.item)
    return [kind]


def _is_vague(kind: Kind) -> bool:
    """Whether a number may be of a narrower type."""
    return isinstance(kind, Scalar) and kind.dtype == "?"


def _of_any_dtype(kind: Kind) -> Kind:
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(_of_any_dtype, kind.items)))
    return Array(None, kind.shape) if isinstance(kind, Array) else kind


def _applied_kind(
    primitive: Primitive, application: Application, kinds: Mapping[str, Kind]
) -> Kind:
    asked = Kinds(kinds)
    function = primitive.function
    operation = Operation(function, application.arguments, application.keywords)
    special = SPECIAL.get(function) if hashable(function) else None
    found = special(asked, operation) if special is not None else UNKNOWN
    if found != UNKNOWN:
        return found
    arguments = [asked.of(argument) for argument in application.arguments]
    keywords = [(name, asked.of(value)) for name, value in application.keywords]
    arithmetic = ARITHMETIC.get(function)
    folded = arithmetic(*arguments) if arithmetic is not None and not keywords else None
    if folded is not None:
        return folded
    if not registry.is_pure(function):
        return UNKNOWN
    found = of_number(function, arguments, keywords)
    if found == UNKNOWN:
        found = library_kind(function, primitive.elementwise, arguments, keywords)
    if found == UNKNOWN:  # an error for these values: `1 / n`
        given = list(map(forget_values, arguments))
        found = library_kind(function, primitive.elementwise, given, keywords)
    parts = registry.parts_of(function) if found == UNKNOWN else ()
    if parts:
        items = tuple(Scalar("int") if own is int else Numeric() for own in parts)
        return Record(tuple, tuple(range(len(parts))), items)
    if found in (UNKNOWN, Numeric()):
        along = along_the_axis(function, tuple(arguments), tuple(keywords))
        found = found if along == UNKNOWN else along
    two = len(arguments) == 2 and not keywords and found == UNKNOWN
    if two and not _gives_several(function):
        found = combined(_operator(function), *arguments)
    return _CONVERTING.get(function, UNKNOWN) if found == UNKNOWN and hashable(function) else found


def of_number(function: Any, arguments: list[Kind], keywords: list[tuple[str, Kind]]) -> Kind:
    """What a method of arrays gives that NumPy's numbers have, too: as of an array of no axes."""
    first = arguments[0] if arguments else UNKNOWN
    if not isinstance(first, Scalar) or first.dtype in (None, "?"):
        return UNKNOWN
    if not isinstance(function, MethodDescriptorType) or function.__objclass__ is not np.ndarray:
        return UNKNOWN
    found = library_kind(function, False, [Array(first.dtype, ()), *arguments[1:]], keywords)
    if not isinstance(found, Array) or found.shape or found.dtype is None:
        return found
    cls = np.dtype(found.dtype).type(0).item().__class__
    return Scalar(cls.__name__, found.dtype)


_ROW, _SQUARE = np.ones(3), np.eye(3) + 1.0
_PAIRS = ((1.5, 2.0), (_ROW, _ROW), (_SQUARE, _ROW), (_SQUARE, _SQUARE), (_ROW, _ROW[:2]))


@functools.lru_cache(maxsize=1024)
def _gives_several(function: Any) -> bool:
    """Whether a function of two numbers or arrays gives neither: `divmod`, `lstsq`."""
    if registry.is_demanding(function):
        return True
    for given in _PAIRS:
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return isinstance(function(*given), (tuple, list))
    return False


def _operator(function: Any) -> Any:
    from autodiff.kinds.operation import BINARY  # noqa: PLC0415

    return next((cls() for cls, own in BINARY.items() if own is function), None)
