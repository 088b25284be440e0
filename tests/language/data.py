"""Sample arguments. Read-only, generic (no ties, no symmetry), of moderate size."""

from __future__ import annotations

from typing import Any

import numpy as np


def fixed(content: Any, dtype: Any = float) -> Any:
    """A read-only array."""
    array = np.array(content, dtype=dtype)
    array.flags.writeable = False
    return array


V3 = fixed([0.31, -0.72, 1.13])
W3 = fixed([1.42, 0.57, -0.64])
P3 = fixed([0.43, 1.21, 2.37])
V4 = fixed([0.81, -0.33, 0.52, 1.74])
W4 = fixed([-0.42, 1.15, 0.67, 0.29])
P4 = fixed([0.65, 1.32, 0.18, 2.11])
V5 = fixed([0.37, -1.26, 0.88, 1.91, -0.54])
P5 = fixed([0.71, 1.36, 0.29, 2.41, 0.94])
V6 = fixed([0.23, -0.91, 1.48, 0.66, -1.17, 0.35])
ROW3 = fixed([[0.52, -1.18, 0.77]])
COL3 = fixed([[0.91], [-0.46], [1.23]])
COL2 = fixed([[0.62], [-0.85]])
M23 = fixed([[0.34, -0.81, 1.27], [0.95, 0.48, -0.59]])
M32 = fixed([[0.74, -0.26], [1.13, 0.67], [-0.41, 0.89]])
M33 = fixed([[0.83, -0.29, 0.47], [0.36, 1.21, -0.58], [-0.64, 0.15, 0.92]])
M34 = fixed([[0.21, 0.86, -0.43, 1.12], [-0.77, 0.39, 0.64, -0.18], [0.95, -1.08, 0.27, 0.53]])
M42 = fixed([[0.58, -0.37], [0.12, 1.04], [-0.83, 0.45], [0.69, 0.26]])
SPD3 = fixed([[2.31, 0.42, -0.35], [0.42, 1.87, 0.28], [-0.35, 0.28, 1.56]])
T234 = fixed(np.sin(np.arange(24.0).reshape(2, 3, 4) * 1.7) + 0.2)
F32 = fixed([0.31, -0.72, 1.13], np.float32)
FM32 = fixed([[0.34, -0.81, 1.27], [0.95, 0.48, -0.59]], np.float32)
Z3 = fixed([0.31 + 0.2j, -0.72 - 0.5j, 1.13 + 0.9j], complex)
ZERO_D = fixed(0.83)
X32 = np.float32(0.83)
X64 = np.float64(0.83)
