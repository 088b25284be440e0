"""Methods and attributes of arrays and numbers, as the functions that mean the same.

>>> method("sum").function is np.sum
True
>>> attribute("T") is np.transpose
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MethodDescriptorType
from typing import Any

import gast
import numpy as np

Arguments = list[gast.expr]
Keywords = list[tuple[str | None, gast.expr]]
Bind = Callable[[gast.expr, Arguments, Keywords], tuple[Arguments, Keywords]]

# Methods that change the array itself, and so have no function that means the same.
MUTATING = frozenset({"fill", "sort", "partition", "put", "resize", "itemset", "setflags"})


@dataclass(frozen=True, slots=True)
class Method:
    """The function that a method means, and how the call's arguments become the function's.

    `bind` takes the receiver, the arguments, and the keywords as pairs of name and value.
    """

    function: Callable[..., Any]
    bind: Bind


def _receiver_first(
    receiver: gast.expr, arguments: Arguments, keywords: Keywords
) -> tuple[Arguments, Keywords]:
    return [receiver, *arguments], keywords


def _receiver_second(
    receiver: gast.expr, arguments: Arguments, keywords: Keywords
) -> tuple[Arguments, Keywords]:
    return [*arguments[:1], receiver, *arguments[1:]], keywords


def _packed(
    receiver: gast.expr, arguments: Arguments, keywords: Keywords
) -> tuple[Arguments, Keywords]:
    """`x.reshape(2, 3)` means the same as `x.reshape((2, 3))`."""
    several = len(arguments) > 1 or any(_is_axis(argument) for argument in arguments)
    if several:
        arguments = [gast.Tuple(elts=list(arguments), ctx=gast.Load())]
    return [receiver, *arguments], keywords


def _is_axis(argument: gast.expr) -> bool:
    if isinstance(argument, gast.UnaryOp):
        argument = argument.operand
    return isinstance(argument, gast.Starred) or (
        isinstance(argument, gast.Constant) and isinstance(argument.value, int)
    )


def _bounds(
    receiver: gast.expr, arguments: Arguments, keywords: Keywords
) -> tuple[Arguments, Keywords]:
    """`x.clip(max=1)` means `np.clip(x, None, 1)`: the function needs both bounds."""
    given = dict(keywords)
    none = gast.Constant(value=None, kind=None)
    bounds = arguments[:2]
    for key in ("min", "max")[len(bounds) :]:
        bounds.append(given.pop(key, none))
    return [receiver, *bounds, *arguments[2:]], list(given.items())


_METHODS: dict[str, Method] = {
    "conj": Method(np.conjugate, _receiver_first),
    "flatten": Method(np.ndarray.flatten, _receiver_first),
    "astype": Method(np.ndarray.astype, _receiver_first),
    "item": Method(np.ndarray.item, _receiver_first),
    "__array__": Method(np.asarray, _receiver_first),
    "tolist": Method(np.ndarray.tolist, _receiver_first),
    "is_integer": Method(float.is_integer, _receiver_first),
    "reshape": Method(np.reshape, _packed),
    "transpose": Method(np.transpose, _packed),
    "clip": Method(np.clip, _bounds),
    "compress": Method(np.compress, _receiver_second),
}

_ATTRIBUTES: dict[str, Callable[..., Any]] = {
    "T": np.transpose,
    "real": np.real,
    "imag": np.imag,
    "shape": np.shape,
    "size": np.size,
    "ndim": np.ndim,
    "dtype": np.result_type,
}
if hasattr(np, "matrix_transpose"):  # NumPy 2.0
    _ATTRIBUTES["mT"] = np.matrix_transpose


def method(name: str) -> Method | None:
    """The meaning of the method `name` of an array or number; None if it is not known.

    A method that changes nothing means NumPy's function of its name, with the array first, unless
    it stands in the table.
    """
    own, function = getattr(np.ndarray, name, None), getattr(np, name, None)
    if name in _METHODS or name in MUTATING or not isinstance(own, MethodDescriptorType):
        return _METHODS.get(name)
    return Method(function, _receiver_first) if callable(function) and name[0] != "_" else None


def attribute(name: str) -> Callable[..., Any] | None:
    """The function of an array or number that its attribute `name` is; None if it is not known."""
    return _ATTRIBUTES.get(name)
