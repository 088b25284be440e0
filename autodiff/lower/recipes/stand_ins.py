"""Functions of a library whose own source says less than a plain one of ours, which is read in its
place like the user's code. One for functions that NumPy applies element by element has that as
its first parameter.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from autodiff.frontend.writers import written_function
from autodiff.rules import registry


def stand_in(target: Any, count: int, names: list[str]) -> FunctionType | None:
    """The plain function for one of a library, if it has parameters for the arguments."""
    plain = registry.written_for(target)
    if plain is None:
        return None if {*names} == {"out", "where"} else written_function(target, count, names)
    try:
        inspect.signature(plain).bind(*range(count), **dict.fromkeys(names))
    except TypeError:
        return None
    return plain
