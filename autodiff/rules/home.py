"""Where a function, or an object of a library, is at home.

>>> home(np.sin), home(np.linalg.inv)
(('numpy', 'sin'), ('numpy.linalg', 'inv'))
"""

from __future__ import annotations

import functools
import sys
from types import FunctionType
from typing import Any

import numpy as np

# NumPy's universal functions do not say which module they belong to.
_OF_UFUNCS = ("numpy", "scipy.special")


def home(value: Any) -> tuple[str | None, str | None]:
    """The module of a function, class or object, and its name there; None where that is unknown."""
    if isinstance(value, np.ufunc):
        name = value.__name__
        homes = (m for m in _OF_UFUNCS if getattr(sys.modules.get(m), name, None) is value)
        return next(homes, None), name
    receiver = getattr(value, "__self__", None)
    if receiver is not None and not isinstance(receiver, type(sys)):
        place, owner = home(receiver)
        return place, f"{owner}.{value.__name__}" if owner else value.__name__
    module = getattr(value, "__module__", None)
    if not isinstance(module, str):
        module = None  # a descriptor, in classes of some versions of Cython
    own: str | None = getattr(value, "__qualname__", None)
    return _place(value, module) if own is None and module is not None else (module, own)


def public_name(value: Any) -> str:
    """How a message calls a function: by the module that people import it from.

    >>> public_name(np.linalg.eig), public_name(len)
    ('numpy.linalg.eig', 'len')
    """
    module, own = home(value)
    if module is not None and is_library(module):
        public, found = _place(value, module)
        module, own = (public, found) if found else (module, own)
    own = own or getattr(value, "__name__", repr(value))
    return f"{module}.{own}" if module and module not in ("builtins", "__main__") else str(own)


def module_of(value: Any) -> str:
    """The module that an object, or else its class, says it is from; "" where neither does.

    A class of a compiled extension may keep what its instances answer under that name instead.
    """
    for part in (value, type(value)):
        module = getattr(part, "__module__", None)
        if isinstance(module, str) and module:
            return module
    return ""


@functools.cache
def is_library(module: str) -> bool:
    """Whether a module is of the standard library or of a large one: nobody changes what it holds.

    >>> is_library("numpy.linalg"), is_library("__main__")
    (True, False)
    """
    package = module.partition(".")[0]
    return package in _LIBRARIES or package in sys.stdlib_module_names and package != "__main__"


_LIBRARIES = frozenset({"numpy", "scipy", "autodiff", "pandas", "jax", "torch"})


def _place(value: Any, module: str) -> tuple[str, str | None]:
    """The outermost public module on the way to `module` that holds an object, and its name."""
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        name = ".".join(parts[:count])
        for own, held in vars(sys.modules.get(name, object)).items():
            if held is value:
                return name, own
    return module, None


def hashable(value: Any) -> bool:
    """Whether a value can be looked up in a table, and no code of the user's runs by that."""
    if isinstance(type(value).__hash__, FunctionType):
        return False
    try:
        hash(value)
    except TypeError:
        return False
    return True
