"""Arrays of other libraries: what holds numbers that NumPy makes an array of."""

from __future__ import annotations

import numpy as np


def is_foreign_array(cls: type) -> bool:
    """Whether objects of a class are arrays of another library's: NumPy makes its own of them."""
    return hasattr(cls, "__array__") and not issubclass(cls, (np.ndarray, np.generic))


def numbers_of(name: str, cls: type) -> str:
    """How a message spells the array of NumPy with the numbers of such an object."""
    return f"{name}.to_numpy()" if hasattr(cls, "to_numpy") else f"np.asarray({name})"
