"""What an entry of the table means for one call: its memory, and whether it may raise an error."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, NotYet, Value
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Numeric, Record, Scalar, Static, Unknown
from autodiff.kinds.size import at_least
from autodiff.primitives.errors import is_refused, refuses
from autodiff.primitives.memory import memory_of_call
from autodiff.primitives.primitive import Application, Primitive, hole, names_in
from autodiff.primitives.table import SYNTAX, primitive_of
from autodiff.rules.home import module_of


def at_call(
    primitive: Primitive, kinds: list[Kind], count: int, names: Collection[str]
) -> Primitive:
    """The entry with what is known of the memory of one call's result, by the kinds of what it is
    given, how many of them by position, and the names of others. `np.where(test)` is
    `np.nonzero(test)`.
    """
    if primitive.function is np.where and count == 1:
        primitive = primitive_of(np.nonzero)
    if primitive.function is None or not primitive.pure or primitive.lending is not None:
        return primitive
    memory = memory_of_call(primitive.function, kinds, count, names)
    return primitive if memory == primitive.memory else replace(primitive, memory=memory)


def of_call(primitive: Primitive, application: Application, operands: Sequence[Value]) -> Primitive:
    """The entry with what is known of the memory of an application's result."""
    first = bool(application.arguments) and application.arguments[0] == hole(0)
    kinds = [value.kind for value in operands]
    names = [name for name, _ in application.keywords]
    return at_call(
        primitive, kinds if first else [UNKNOWN, *kinds], len(application.arguments), names
    )


def sharing(
    primitive: Primitive, application: Application, operands: Sequence[Value]
) -> list[Value]:
    """The operands that the result may share memory with: NumPy makes an array of a list."""
    if primitive.memory == "new":
        return []
    if primitive is SYNTAX:
        return [operands[k] for k in dict.fromkeys(given_out(application.arguments[0], operands))]
    if primitive.memory == "view":
        return list(operands[:1])
    nodes = shared(primitive, application)
    if nodes is None:
        of_numpy = primitive.function is not None and module_of(primitive.function) == "numpy"
        return [v for v in operands if not (of_numpy and is_of_numbers(v.kind))]
    found: dict[int, Value] = {}
    for node in nodes:
        for word in names_in(node):
            if word.isdigit():
                found[int(word)] = operands[int(word)]
    return list(found.values())


def shared(primitive: Primitive, application: Application) -> list[gast.expr] | None:
    """The arguments that a result may share memory with, by position or by name; None for any."""
    if primitive.shares is None:
        return None
    given, found = application.arguments, []
    by_name = dict(application.keywords)
    for place in primitive.shares:
        name = parameter(primitive.function, place)
        if place >= len(given) and name is None:
            return None
        if place < len(given):
            found.append(given[place])
        elif name in by_name:
            found.append(by_name[name])
    return found


@functools.lru_cache(maxsize=1024)
def parameter(function: Any, place: int) -> str | None:
    """The name of a parameter, None if it is not known."""
    try:
        each = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    if place >= len(each) or any(own.kind is own.VAR_POSITIONAL for own in each[: place + 1]):
        return None
    return each[place].name


def given_out(form: Any, operands: Sequence[Value]) -> Iterator[int]:
    """The operands that may be what an expression gives: arithmetic of numbers and arrays gives
    new memory.

    `x if c else y * z`: x, not y or z
    """
    numbers = [int(word) for word in names_in(form) if word.isdigit()]
    if hasattr(form, "orelse"):
        yield from given_out(form.body, operands)
        yield from given_out(form.orelse, operands)
    elif hasattr(form, "op") and hasattr(form, "values"):
        for value in form.values:
            yield from given_out(value, operands)
    elif not (hasattr(form, "op") or hasattr(form, "ops")) or not all(
        isinstance(operands[k].kind, (Array, Numeric, Scalar)) for k in numbers
    ):
        yield from numbers


def is_of_numbers(kind: Kind) -> bool:
    """Whether a value is a list or tuple of numbers, or of such."""
    return isinstance(kind, Record) and all(isinstance(leaf, Scalar) for leaf in leaves(kind))


def changed(primitive: Primitive, application: Application) -> tuple[int, ...]:
    """The operands that an application writes to; `NotYet` where it may do more than that."""
    effects = primitive.effects
    if not effects.written(application.arguments, application.keywords):
        return ()
    surely = all(slot.harmless == () for slot in effects.writes)
    given = list(effects.targets(application.arguments, application.keywords))
    if effects.others or effects.permits or not surely:
        raise NotYet(f"{primitive.name} writes to what it is given")
    if not all(isinstance(target, gast.Name) for target in given):
        raise NotYet(f"{primitive.name} writes to what it is given")
    return tuple(int(target.id) for target in given)


def may_raise(op: Apply, numbers: bool = True) -> bool:
    """Whether an application may raise an error for some values of its operands. numbers: also one
    about what Python's numbers have no result for.
    """
    primitive, operands, kinds = op.primitive, op.operands, [value.kind for value in op.operands]
    if primitive.shaped:
        return not is_of_fitting_shapes(primitive, op.result.kind, kinds) or is_refused(op)
    if not primitive.total or not fits(primitive, op.result.kind, operands) or is_refused(op):
        return True
    if not (primitive.partial and numbers):
        return False
    divisor = operands[1].constant if len(operands) > 1 and operands[1].is_constant else None
    return refuses(primitive.function, kinds, divisor)


def is_meant(op: Apply) -> bool:
    """Whether an application may raise an error that is part of what it means."""
    return not op.primitive.partial and op.primitive.raises or may_raise(op, numbers=False)


def is_of_fitting_shapes(primitive: Primitive, kind: Kind, operands: list[Kind]) -> bool:
    """Whether shapes are known, and to be alike where they are put side by side."""
    if not all(map(is_sized, (kind, *operands))):
        return False
    shapes = [leaf.shape for own in operands for leaf in leaves(own) if isinstance(leaf, Array)]
    if primitive.function in _INNER:
        return are_inner(shapes)
    if module_of(primitive.function) == "builtins":
        return primitive.function is sum or not shapes
    return len(set(shapes)) < 2


def leaves(kind: Kind) -> list[Kind]:
    """The numbers and arrays in a container with known parts."""
    if isinstance(kind, Record):
        return [leaf for item in kind.items for leaf in leaves(item)]
    return [kind]


def are_inner(shapes: list[Any]) -> bool:
    """Whether an axis of the one is as long as that of the other that it is summed with."""
    if len(shapes) != 2 or not all(0 < len(shape) <= 2 for shape in shapes):
        return len(shapes) < 2
    one, two = shapes
    last, first = one[-1], two[0] if len(two) == 1 else two[-2]
    return last is not None and last == first


def is_sized(kind: Kind) -> bool:
    """Whether a value is of numbers and arrays that have elements, of known shapes."""
    if isinstance(kind, Record):
        return all(map(is_sized, kind.items))
    if isinstance(kind, Array):
        return all(at_least(size) > 0 for size in kind.shape)
    return isinstance(kind, (Scalar, Static))


_INNER = (operator.matmul, np.matmul, np.dot)


def fits(primitive: Primitive, kind: Kind, operands: Sequence[Value]) -> bool:
    """Whether shapes are known to fit, so that nothing can be raised."""
    if primitive.function is None and primitive.total:
        return True
    arrays = [value.kind for value in operands if isinstance(value.kind, Array)]
    if isinstance(kind, Unknown) and not isinstance(kind, Numeric):
        return False
    if isinstance(kind, Array) and kind.dtype is None and all(is_typed(v.kind) for v in operands):
        return False  # it was tried with such operands, and raised
    if len(arrays) < 2:
        return all(
            isinstance(value.kind, (Array, Scalar)) or value.is_constant for value in operands
        )
    return primitive.elementwise and all(covers(kind, own) for own in arrays)


def is_typed(kind: Kind) -> bool:
    """Whether it is known of what type numbers are."""
    if isinstance(kind, Array):
        return kind.dtype is not None
    return isinstance(kind, Scalar) and kind.dtype != "?"


def covers(whole: Kind, part: Array) -> bool:
    """Whether an array surely has a shape that a target broadcasts to."""
    if not isinstance(whole, Array) or len(part.shape) > len(whole.shape):
        return False
    pairs = zip(reversed(part.shape), reversed(whole.shape))
    return all(size is not None and size in (1, own) for size, own in pairs)
