"""Whose memory the value of an expression may share, for expressions in normal form."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff.kinds.library import MAKING
from autodiff.rules import registry
from autodiff.rules.home import module_of

VIEWS = frozenset(
    "reshape ravel transpose matrix_transpose permute_dims swapaxes squeeze expand_dims asarray "
    "asanyarray ascontiguousarray asfortranarray require atleast_1d atleast_2d atleast_3d "
    "broadcast_to broadcast_arrays moveaxis rollaxis diagonal diag real imag flip fliplr flipud "
    "rot90 split array_split hsplit vsplit dsplit unstack real_if_close nan_to_num trim_zeros "
    "meshgrid ix_ astype array diff matrix_power asarray_chkfinite polyder polyint histogram "
    "histogram2d histogramdd histogram_bin_edges sliding_window_view fft2 ifft2 fftn ifftn "
    "float16 float32 float64 float128 longdouble complex64 complex128 complex256 "
    "clongdouble".split()
)
"""Functions of NumPy whose result may share memory with an argument."""

_COPYING = {"array": 2, "astype": 2, "nan_to_num": 1, "meshgrid": 9, "diff": 1}
_COPYING |= {"fft2": 1, "ifft2": 1, "fftn": 1, "ifftn": 1}
"""Those of them that copy with no more than so many arguments."""

"""Methods that return a real array itself, unlike the functions of their names."""


def makes_new(function: Any, given: int, may_copy: bool = False) -> bool:
    """The same of a function, where so many arguments are given; `may_copy`: one of them says."""
    if function in MAKING or registry.makes_new(function) or isinstance(function, np.ufunc):
        return True
    if module_of(function).startswith("autodiff.runtime"):
        return False
    if not registry.is_pure(function) or not _is_numerical(function):
        return False
    own = getattr(function, "__name__", "")
    copies = own in _COPYING and given <= _COPYING[own]
    return own not in VIEWS or copies and not may_copy


@lru_cache(maxsize=1024)
def sharing(function: Any) -> tuple[inspect.Signature, frozenset[str]]:
    """The signature of a helper, and the parameters that its result may share memory with.

    Where the first one is an adjoint, `g`, it is no other: an adjoint is a new array, or a view
    of another adjoint. `like` only gives a form.
    """
    signature = inspect.signature(function)
    names = [*signature.parameters]
    if signature.return_annotation in _PLAIN:
        return signature, frozenset()
    return signature, frozenset(names[:1] if names[0] == "g" else names) - {"like"}


_PLAIN = ("bool", "float", "int", "str", "None")
"""Annotations of results that hold no memory."""

"""Helpers that return new containers and arrays, with new ones in them."""

"""Functions that return one of their operands."""


def _is_numerical(function: object) -> bool:
    """Whether a function belongs to a library whose results are arrays and numbers."""
    if getattr(function, "__objclass__", None) is np.ndarray:
        return True
    return module_of(function).startswith(("numpy", "math", "scipy"))
