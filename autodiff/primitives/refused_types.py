"""Which builtins refuse the types of what they are given, whatever the values are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autodiff.core import Apply, Value
from autodiff.kinds.kind import Array, Scalar
from autodiff.primitives.errors import Untried, of_value

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_LARGE = 10_000


def refusal(
    function: Any, given: Sequence[object], named: Mapping[str, object]
) -> TypeError | AttributeError | None:
    """The error by which a builtin refuses the types of numbers, texts, None and arrays, whatever
    they are: it is called with such, of one element and of several where nobody knows how many
    there are. What makes an iterator calls none of the functions that it is given.

    >>> refusal(iter, [Value("x", Scalar("float", None))], {})
    TypeError("'float' object is not iterable")
    """
    lazy = isinstance(function, type) or function is iter
    refused: TypeError | AttributeError | None = None
    for length in (1, 2):
        try:
            values = [plain(each, lazy, length) for each in given]
            words = {word: plain(each, lazy, length) for word, each in named.items()}
            function(*values, **words)
        except (TypeError, AttributeError) as error:
            refused = error
        except Exception:  # about what the values are, or of what stands for none
            return None
        else:
            return None
    return refused


def is_sure(value: Value) -> bool:
    """Whether a number is of the type that its kind says: what may be one of several numbers, of a
    list or of two paths, has the widest type of them.
    """
    kind, op = value.kind, value.op
    if not isinstance(kind, Scalar) or kind.type == "int" or kind.dtype not in (None, "?"):
        return True
    if op is None:
        return value.block is None or value.block.parent is None
    return isinstance(op, Apply) and all(map(is_sure, op.operands))


def plain(entry: object, lazy: bool, length: int) -> Any:
    """What stands for a number, a text, None, an array, or a function that is not called."""
    if not isinstance(entry, Value) or not is_sure(entry):
        raise Untried
    if isinstance(entry.kind, Array):
        shape = [n if type(n) is int else length for n in entry.kind.shape]
        if entry.kind.dtype is None or math.prod(shape) > _LARGE:
            raise Untried
        return np.ones(shape, entry.kind.dtype)
    if not entry.is_constant:
        found = of_value(entry, 1, {})
        return np.asarray(found)[()] if getattr(entry.kind, "dtype", None) else found
    known = type(entry.constant) in _PLAIN or lazy and callable(entry.constant)
    if not known or type(entry.constant) is int and abs(entry.constant) > _LARGE:
        raise Untried
    return entry.constant
