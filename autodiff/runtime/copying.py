"""Copies of values that generated code is about to change."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.structure import as_tuple, fields, is_record


def copied(x: Any) -> Any:
    """A copy that shares no mutable memory with `x`: arrays, lists, dicts and objects, nested."""
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, tuple):
        return as_tuple(x, [copied(item) for item in x])
    if isinstance(x, list):
        return [copied(item) for item in x]
    if isinstance(x, dict):
        return {key: copied(item) for key, item in x.items()}
    if is_record(x):
        result = object.__new__(type(x))
        for field, item in fields(x).items():
            object.__setattr__(result, field, copied(item))
        return result
    return x


def expand(g: Any, like: Any) -> Any:
    """The adjoint `g`, which may repeat along axes, as a new array with all the shape of `like`."""
    if not isinstance(like, np.ndarray):
        return g
    return np.array(np.broadcast_to(g, like.shape))


def restructured(x: Any, parts: dict[str, Any]) -> Any:
    """An object of the class of `x` whose attributes are the adjoints given; others are None."""
    result = object.__new__(type(x))
    for field in fields(x):
        object.__setattr__(result, field, parts.get(field))
    return result


def adjoint_of(g: Any, like: Any) -> Any:
    """The adjoint `g` as a new value with the structure, shape and dtype of `like`.

    Real where `like` is real; repeated along axes where `g` stands for equal elements.
    """
    if isinstance(like, np.ndarray) and like.dtype.kind in "fc":
        g = np.broadcast_to(g, like.shape)
        if like.dtype.kind == "f":
            g = g.real
        return np.array(g, dtype=like.dtype)
    if isinstance(like, np.generic) and like.dtype.kind in "fc":
        g = np.asarray(g)
        return like.dtype.type((g if like.dtype.kind == "c" else g.real)[()])
    if isinstance(like, float):
        return g.real if isinstance(g, (complex, np.complexfloating)) else g
    if isinstance(like, tuple) and isinstance(g, (tuple, list)):
        return as_tuple(like, [adjoint_of(part, own) for part, own in zip(g, like)])
    if isinstance(like, list) and isinstance(g, (tuple, list, np.ndarray)):
        return [adjoint_of(part, own) for part, own in zip(g, like)]
    return copied(g)


def scalar_seed(y: Any) -> float:
    """The seed of a gradient, 1; an error where the result `y` is not one real number.

    Raises:
        TypeError: `y` is an array with several elements, complex, or no number at all.
    """
    if isinstance(y, (float, np.floating, int, np.integer)):
        return 1.0
    if isinstance(y, np.ndarray) and not y.shape and y.dtype.kind == "f":
        return 1.0
    shape = f" of shape {y.shape}" if isinstance(y, np.ndarray) else ""
    raise TypeError(
        f"a gradient needs a function that returns a real scalar, not {type(y).__name__}{shape}"
    )
