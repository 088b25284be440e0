"""State spaces: the four matrices, and the transfer function that they mean."""

from __future__ import annotations

import numpy as np
from scipy import signal

from autodiff.rules import registry


def abcd_normalize(A=None, B=None, C=None, D=None):
    """What is not given is zero, as large as the others say."""
    a = np.zeros((0, 0)) if A is None else np.atleast_2d(A)
    b = np.zeros((0, 0)) if B is None else np.atleast_2d(B)
    c = np.zeros((0, 0)) if C is None else np.atleast_2d(C)
    e = np.zeros((0, 0)) if D is None else np.atleast_2d(D)
    n = np.shape(a)[0] or np.shape(b)[0] or np.shape(c)[1]
    p = np.shape(b)[1] or np.shape(e)[1]
    q = np.shape(c)[0] or np.shape(e)[0]
    if n == 0 or p == 0 or q == 0:
        raise ValueError("the matrices do not tell how many states, inputs and outputs there are")
    a = np.zeros((n, n)) if np.size(a) == 0 else a
    b = np.zeros((n, p)) if np.size(b) == 0 else b
    c = np.zeros((q, n)) if np.size(c) == 0 else c
    e = np.zeros((q, p)) if np.size(e) == 0 else e
    fits = np.shape(a) == (n, n) and np.shape(b) == (n, p)
    if not fits or np.shape(c) != (q, n) or np.shape(e) != (q, p):
        raise ValueError("the matrices of a state space do not fit each other")
    return a, b, c, e


registry.add_written({signal.abcd_normalize: abcd_normalize})
