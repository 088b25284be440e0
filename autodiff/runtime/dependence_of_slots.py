"""Index sets of slots and adjoint buffers to which a gradient adds that is followed in its turn.

What is added to a number is united with the set of the number: sets are numbers, but no sum of two
is their union.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.dependence import depends
from autodiff.runtime.slots import Slot


def united_value(slot_from: Slot, slot: Slot, g_from: Any) -> None:
    """What `slot.value += g` does to the sets; an array is changed in place as that one is."""
    new = depends(slot.value, slot_from.value, g_from)
    old = slot_from.value
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.shape == new.shape:
        old[...] = new
    else:
        slot_from.value = new


def united_slots(s_from: Any, s: Any, g_from: Any) -> None:
    """What `give(s, g)` does to the sets of a shadow `s`.

    >>> from autodiff.runtime.indexsets import index_sets
    >>> s, s_from = [Slot(1.0), Slot(2.0)], [Slot(1), Slot(2)]
    >>> with index_sets(2):
    ...     united_slots(s_from, s, [1, 1])
    >>> [slot.value for slot in s_from]
    [1, 3]
    """
    if isinstance(s_from, Slot):
        if g_from is not None:
            s_from.value = depends(s.value, s_from.value, g_from)
    elif g_from is None or isinstance(g_from, (int, float, np.number)):
        if g_from:  # one set for all
            for key in s_from if isinstance(s_from, dict) else range(len(s_from)):
                united_slots(s_from[key], s[key], g_from)
    elif isinstance(s_from, dict):
        for key, part in g_from.items():
            united_slots(s_from[key], s[key], part)
    else:
        for own_from, own, part in zip(s_from, s, g_from):
            united_slots(own_from, own, part)


def united_back(g_from: Any, g: Any, part_from: Any) -> None:
    """What `give_back(g, part)` does to the sets of the array `g`."""
    if not np.shares_memory(g_from, part_from):
        g_from[...] = depends(g, g_from, np.reshape(part_from, g.shape))
