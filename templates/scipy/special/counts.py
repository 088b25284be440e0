"""Distributions of counts, in their probability."""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.nbdtr)
def nbdtr(y, k, n, p):
    """I_p(n, k + 1)."""
    slope = special.xlogy(n - 1, p) + special.xlog1py(k, -p) - special.betaln(n, k + 1)
    d[p] = d[y] * np.exp(slope)


@elementwise(special.nbdtrc)
def nbdtrc(y, k, n, p):
    slope = special.xlogy(n - 1, p) + special.xlog1py(k, -p) - special.betaln(n, k + 1)
    d[p] = -d[y] * np.exp(slope)
