"""Whether the arguments named by `wrt` can carry a derivative."""

from __future__ import annotations

from collections.abc import Set
from numbers import Number
from typing import Any

import numpy as np

from autodiff.derivatives.target import Target
from autodiff.errors import NonDifferentiableError
from autodiff.kinds.classes import is_named_tuple
from autodiff.kinds.kind import Kind, Record, Scalar, Sequence, Static, Text, differentiable


def check_wanted(
    target: Target, wrt: tuple[str, ...], kinds: tuple[Kind, ...], values: tuple[Any, ...]
) -> None:
    """Refuse a derivative with respect to an integer, a string, None, a function ..."""
    for name, kind, value in zip(target.names, kinds, values):
        if name not in wrt:
            continue
        own = _own_class(kind)
        if own is not None:
            base = next(base for base in _CONTENTS if issubclass(own, base))
            why = f"{own.__name__} is a class of its own, derived from {base.__name__}"
            cure = f"pass a plain {base.__name__}"
        elif not _wanted(kind) or _is_no_float(value):
            what, cure = _describe(name, kind, value)
            why = f"{name} is {what}, which has no derivative"
        else:
            continue
        raise NonDifferentiableError(
            f"cannot differentiate {target.place} with respect to {name}", why=why, cure=cure
        )


_CONTENTS = (np.ndarray, list, tuple, dict, set, frozenset, float, complex)
"""Classes whose instances hold more than attributes."""


def _own_class(kind: Kind) -> type | None:
    """The class of a part that is derived from one of containers, arrays or numbers."""
    if isinstance(kind, Record):
        plain = kind.cls in (list, tuple, dict) or is_named_tuple(kind.cls)
        if issubclass(kind.cls, _CONTENTS) and not plain:
            return kind.cls
        return next(filter(None, map(_own_class, kind.items)), None)
    return _own_class(kind.item) if isinstance(kind, Sequence) else None


def _wanted(kind: Kind) -> bool:
    if isinstance(kind, Record) and not kind.items:  # an empty list has an empty gradient
        return True
    return differentiable(kind)


def _is_no_float(value: Any) -> bool:
    """Whether a value is a number of another kind, or an array of what are no numbers."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "fc" and value.dtype.names is None
    return isinstance(value, (Number, Set)) and not isinstance(value, (float, complex, np.inexact))


def _describe(name: str, kind: Kind, value: Any) -> tuple[str, str]:
    if isinstance(kind, Scalar):
        article = "an" if kind.type == "int" else "a"
        return f"{article} {kind.type}", f"pass a float: {name}={float(value)!r}"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}", f"pass floats: {name}.astype(float)"
    if _is_no_float(value):
        return f"a {type(value).__name__}", "pass a float or an array of floats"
    if isinstance(kind, (Record, Sequence)):
        return f"a {type(value).__name__} without a float in it", "pass floats"
    if isinstance(kind, Static) and value is None:
        return "None", "pass a float or an array of floats"
    if isinstance(kind, Text) or isinstance(value, str):  # a string's kind is its content
        return f"a {type(value).__name__}", "pass a float or an array of floats"
    return f"a {type(value).__name__}", "choose another parameter with wrt"
