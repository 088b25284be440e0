"""What is asked of a place before something is stored there."""

from __future__ import annotations

from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.core.operation import Operation


def changes(op: Operation) -> bool:
    """Whether an operation changes memory: which regions are one is not known before the end."""
    return any(effect.what == "write" for effect in op.effects())


def has_axes_of(whole: Kind, part: Array) -> bool:
    """Whether a window has as many axes as what is put there: sizes are compared when it runs."""
    axes = len(whole.shape) if isinstance(whole, Array) else 0
    return len(part.shape) <= axes and isinstance(whole, (Array, Scalar))
