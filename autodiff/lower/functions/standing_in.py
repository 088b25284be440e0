"""Functions of a library whose own source says less than a plain one of ours, which is read in its
place like the user's code. One for functions that NumPy applies element by element has that first.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.frontend.ufunc_methods import ufunc_of, written_ufunc_method
from autodiff.frontend.writers import written_function
from autodiff.rules import registry


def stand_in(target: Any, count: int, names: list[str]) -> FunctionType | None:
    """The plain function for one of a library, if it has parameters for the arguments."""
    plain = registry.written_for(target)
    if plain is None and ufunc_of(target) is not None and registry.rule_for(target) is None:
        own: FunctionType | None = written_ufunc_method(target, count, names)
        return own
    if plain is None:
        return None if {*names} == {"out", "where"} else written_function(target, count, names)
    try:
        inspect.signature(plain).bind(*range(count), **dict.fromkeys(names))
    except TypeError:
        return None
    return plain


def applied_by(target: Any) -> list[np.ufunc]:
    """What the plain function for one of a library applies: a ufunc, for this and its methods."""
    own = target if isinstance(target, np.ufunc) else ufunc_of(target)
    return [] if own is None else [own]
