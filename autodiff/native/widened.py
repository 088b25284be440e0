"""Floats of 32 bits, as compiled code takes them."""

from __future__ import annotations

from dataclasses import replace

from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.pipeline.request import Request

NARROW = "float32"


def widened(request: Request) -> Request:
    """The request with floats of 64 bits for those of 32, where the native backend computes so.

    Numba has a number of 64 bits wherever one of 32 meets a Python float, NumPy one of 32. So
    arguments are converted on entry, and gradients on return: nothing is less exact than either.
    """
    if request.backend is None or request.mode not in ("grad", "value_and_grad"):
        return request
    if request.has_aux or not any(map(is_narrow, request.kinds)):
        return request
    kinds = tuple(_wide(kind) if is_narrow(kind) else kind for kind in request.kinds)
    return replace(request, kinds=kinds, narrow=tuple(map(is_narrow, request.kinds)))


def is_narrow(kind: Kind) -> bool:
    return isinstance(kind, (Scalar, Array)) and kind.dtype == NARROW


def _wide(kind: Kind) -> Kind:
    assert isinstance(kind, (Scalar, Array))
    return replace(kind, dtype="float64")
