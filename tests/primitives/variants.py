"""The operands of a sample in other memory: order, steps, direction, sizes, what may be written.

>>> [name for name in FORMS]
['plain', 'fortran', 'strided', 'reversed', 'frozen', 'one', 'row', 'single']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def _plain(leaf: np.ndarray) -> np.ndarray:
    return leaf.copy(order="C")


def _fortran(leaf: np.ndarray) -> np.ndarray:
    return leaf.copy(order="F")


def _strided(leaf: np.ndarray) -> np.ndarray:
    """A window of a larger array: neither of C order nor of Fortran's."""
    if not leaf.ndim:
        return leaf.copy()
    wide = np.zeros(tuple(2 * size + 1 for size in leaf.shape), leaf.dtype)
    window: np.ndarray = wide[tuple(slice(1, None, 2) for _ in leaf.shape)]
    window[...] = leaf
    return window


def _reversed(leaf: np.ndarray) -> np.ndarray:
    """The same elements, stored backwards."""
    turned = tuple(slice(None, None, -1) for _ in leaf.shape)
    return leaf[turned].copy()[turned]


def _frozen(leaf: np.ndarray) -> np.ndarray:
    made = leaf.copy(order="K")
    made.flags.writeable = False
    return made


def _one(leaf: np.ndarray) -> np.ndarray:
    """One element, with as many axes."""
    return leaf[tuple(slice(0, 1) for _ in leaf.shape)].copy()


def _row(leaf: np.ndarray) -> np.ndarray:
    """One axis fewer."""
    return leaf[0].copy() if leaf.ndim > 1 and leaf.size else leaf.copy()


def _single(leaf: np.ndarray) -> np.ndarray:
    """One element and no axes."""
    return np.array(leaf.flat[0]) if leaf.size else leaf.copy()


FORMS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "plain": _plain,
    "fortran": _fortran,
    "strided": _strided,
    "reversed": _reversed,
    "frozen": _frozen,
    "one": _one,
    "row": _row,
    "single": _single,
}
SAME_SHAPES = ("plain", "fortran", "strided", "reversed", "frozen")
"""The forms under which a sample must work if it works at all."""

BAD: dict[str, Any] = {"zeros": 0.0, "ones": 1.0, "negative": -1.5, "huge": 1e300}
BAD |= {"infinite": np.inf, "nan": np.nan}
"""Values that functions may refuse."""


def mapped(change: Callable[[Any], Any], x: Any) -> Any:
    """A structure with its leaves changed; other objects are leaves."""
    if isinstance(x, (list, tuple)):
        items = [mapped(change, item) for item in x]
        return type(x)._make(items) if hasattr(x, "_make") else type(x)(items)
    if isinstance(x, dict):
        return {key: mapped(change, item) for key, item in x.items()}
    return change(x)


def in_form(form: str, args: Any) -> Any:
    """Arguments whose arrays are in a form."""
    change = FORMS[form]
    return mapped(lambda leaf: change(leaf) if type(leaf) is np.ndarray else leaf, args)


def bad(value: float, args: Any) -> Any:
    """Arguments whose real numbers all are this one."""

    def change(leaf: Any) -> Any:
        if type(leaf) is np.ndarray and leaf.dtype.kind in "fc":
            return np.full_like(leaf, value)
        return type(leaf)(value) if isinstance(leaf, (float, np.floating)) else leaf

    return mapped(change, args)


def arrays(x: Any) -> Iterator[np.ndarray]:
    """The arrays in a structure, and in the objects of it."""
    if isinstance(x, np.ndarray):
        yield x
    elif isinstance(x, (list, tuple)):
        for item in x:
            yield from arrays(item)
    elif isinstance(x, dict):
        for item in x.values():
            yield from arrays(item)
    elif type(x).__module__.partition(".")[0] in ("numpy", "scipy") and hasattr(x, "__dict__"):
        for item in vars(x).values():
            yield from arrays(item)


def lists(x: Any) -> Iterator[Any]:
    """The containers in a structure that can change."""
    if isinstance(x, (list, dict)):
        yield x
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from lists(item)
    elif isinstance(x, dict):
        for item in x.values():
            yield from lists(item)
