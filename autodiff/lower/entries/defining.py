"""What objects have from their class."""

from __future__ import annotations

import numpy as np

NUMBERS = (bool, int, float, complex, np.bool_, np.int64, np.float64, np.complex128)
"""What a number may be; other numbers of NumPy's have what one of these has."""


def defines(cls: type, name: str) -> bool:
    """Whether objects of a class have an attribute from it; what the class itself has from its
    metaclass, as `__call__`, they have not.
    """
    return any(name in base.__dict__ for base in cls.__mro__)
