"""What a call does to what it is given, seen by running it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.primitives.variants import arrays, in_form, lists


@dataclass(frozen=True, slots=True)
class Observed:
    """One call.

    changed: the operands whose content differs afterwards.
    shares: the operands that a result shares memory with, or a container of which it is.
    whole: every array of the result shares memory with operand 0.
    repeats: another call with equal operands shares memory with this one.
    writable: every array of the result may be written to.
    """

    operands: tuple[Any, ...]
    result: Any
    changed: tuple[int, ...]
    shares: tuple[int, ...]
    whole: bool
    repeats: bool
    writable: bool


def observed(
    function: Callable[..., Any], args: Any, kwargs: dict[str, Any], form: str
) -> Observed:
    """Calls a function with its operands in a form; what it raises goes on."""
    given = in_form(form, list(args)), in_form(form, dict(kwargs))
    operands = (*given[0], *given[1].values())
    before = list(map(content, operands))
    result = function(*given[0], **given[1])
    after = list(map(content, operands))
    again = function(*in_form(form, list(args)), **in_form(form, dict(kwargs)))
    own = [array for array in arrays(result) if array.size]
    return Observed(
        operands,
        result,
        tuple(k for k in range(len(operands)) if before[k] != after[k]),
        tuple(k for k, operand in enumerate(operands) if meets(result, operand)),
        all(meets(array, operands[0]) for array in own) if operands and own else False,
        any(map(meets, own, [again] * len(own))),
        all(array.flags.writeable for array in arrays(result)),
    )


def content(value: Any) -> list[Any]:
    """What the memory of a value holds, byte by byte."""
    held: list[Any] = [
        (array.tobytes(), array.shape, array.strides, array.dtype) for array in arrays(value)
    ]
    return [*held, *([id(item) for item in container] for container in lists(value))]


def meets(one: Any, other: Any) -> bool:
    """Whether two values have memory in common."""
    if any(mine is theirs for mine in lists(one) for theirs in lists(other)):
        return True
    pairs = [(mine, theirs) for mine in arrays(one) for theirs in arrays(other)]
    return any(mine is theirs or np.shares_memory(mine, theirs) for mine, theirs in pairs)
