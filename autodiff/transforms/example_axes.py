"""Along which axis of which part of a structure the examples of `vmap` lie, and what is one."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from autodiff.errors import OptionError
from autodiff.rules.home import is_library, module_of
from autodiff.runtime.structure import fields, is_record
from autodiff.structure import pieces

Axes = Any
"""An int, None, or a structure of these."""

NUMBERS = (bool, int, float, complex, np.generic)
PLAIN = (np.ndarray, np.memmap)


def check_axis(axis: Any, name: str) -> None:
    """Refuse what is no axis."""
    if axis is not None and (isinstance(axis, bool) or not hasattr(axis, "__index__")):
        raise OptionError(
            f"{name} is {axis!r}, which is no axis",
            cure="say an int, None, or a structure of these like that of the argument",
        )


def check_plain(x: Any, where: str) -> None:
    """Refuse arrays of other classes and libraries, which hold more than numbers."""
    is_array = isinstance(x, np.ndarray)
    of_library = is_record(x) and is_library(module_of(type(x)))
    of_library = of_library and not isinstance(x, (tuple, list, dict, SimpleNamespace))
    if is_array and type(x) not in PLAIN or of_library:
        raise OptionError(
            f"{where} is a {type(x).__name__}",
            why="what else that holds would be lost",
            cure="pass plain arrays: np.asarray(x); or None in in_axes",
        )


def spread_axes(axes: Axes, x: Any, name: str, what: str) -> list[int | None]:
    """The axis of each piece of a value: axes say it for all of a part, or are parts in turn."""
    if axes is None or hasattr(axes, "__index__"):
        axis = None if axes is None else operator.index(axes)
        return [axis for _ in pieces(x)]
    found: list[int | None] = []
    both = _paired(axes, x)
    if both is None:
        raise OptionError(
            f"{name} does not have the structure of {what}",
            why=f"{name} is {form_of(axes)}, {what} is {form_of(x)}",
            cure="say an axis for all of it, or a structure with the same parts",
        )
    for path, own, part in both:
        found += spread_axes(own, part, name + path, what + path)
    return found


def _paired(axes: Axes, x: Any) -> Iterator[tuple[str, Axes, Any]] | None:
    """The parts of axes and of what they are of, in the order of `pieces`; None if they differ."""
    if isinstance(axes, (tuple, list)) and isinstance(x, (tuple, list)) and len(axes) == len(x):
        return ((f"[{k}]", *pair) for k, pair in enumerate(zip(axes, x)))
    if isinstance(axes, dict) and isinstance(x, dict) and axes.keys() == x.keys():
        return ((f"[{key!r}]", axes[key], x[key]) for key in x)
    if is_record(axes) and type(axes) is type(x) and fields(axes).keys() == fields(x).keys():
        return ((f".{key}", fields(axes)[key], part) for key, part in fields(x).items())
    return None


def is_numeric(x: Any) -> bool:
    """Whether a result is a number or an array."""
    return isinstance(x, (np.ndarray, *NUMBERS))


def form_of(x: Any) -> str:
    """What messages call a value."""
    if isinstance(x, np.ndarray):
        return f"an array of {x.dtype} of shape {x.shape}"
    if isinstance(x, (tuple, list, dict)):
        return f"a {type(x).__name__} of {len(x)} items"
    return repr(x) if x is None or isinstance(x, (str, int)) else f"a {type(x).__name__}"


def matched(form: Any, found: Any, parts: list[Any]) -> bool:
    """Whether two results have one structure; the pieces of the second are added to a list."""
    if is_numeric(form):
        parts.append(found)
        return True
    if isinstance(form, (tuple, list)):
        if type(found) is not type(form) or len(found) != len(form):
            return False
        return all(matched(one, other, parts) for one, other in zip(form, found))
    if isinstance(form, dict):
        if type(found) is not type(form) or found.keys() != form.keys():
            return False
        return all(matched(one, found[key], parts) for key, one in form.items())
    if is_record(form):
        if type(found) is not type(form) or fields(found).keys() != fields(form).keys():
            return False
        other = fields(found)
        return all(matched(one, other[key], parts) for key, one in fields(form).items())
    parts.append(found)
    return True
