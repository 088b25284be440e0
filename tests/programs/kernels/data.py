"""Sample arguments of the kernels: read-only, generic (no ties, no symmetry), of any shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.language.data import fixed


def wavy(*shape: int, phase: float = 0.0, low: float = -1.0, high: float = 1.0) -> Any:
    """Numbers between `low` and `high` without a pattern; `phase` chooses which."""
    k = np.arange(np.prod(shape)) + 1.0
    content = np.sin(1.7 * k + 0.61 * k**2 + phase)
    return fixed(low + (high - low) * 0.5 * (1.0 + content).reshape(shape))


def dominant(n: int, phase: float = 0.0) -> Any:
    """A well conditioned matrix."""
    return fixed(wavy(n, n, phase=phase) + n * np.eye(n))


def definite(n: int, phase: float = 0.0) -> Any:
    """A symmetric positive definite matrix."""
    m = wavy(n, n, phase=phase)
    return fixed(m @ m.T + np.eye(n))


def complex_wavy(*shape: int, phase: float = 0.0) -> Any:
    """Complex numbers without a pattern."""
    return fixed(wavy(*shape, phase=phase) + 1j * wavy(*shape, phase=phase + 1.1), complex)
