"""How SciPy's own sources ask of which library their arrays are: here all are NumPy's.

With that they are followed like any other source: `scipy.optimize.rosen`, `integrate.romb` ...
"""

from __future__ import annotations

import importlib

import numpy as np
from scipy._lib import _array_api

from autodiff.rules import registry

_COMPATIBLE = "scipy._lib.array_api_compat.numpy"
_HOME = np if hasattr(np, "permute_dims") else importlib.import_module(_COMPATIBLE)
"""NumPy 1 has some of what is asked for under other names."""


def namespace(*arrays):
    return _HOME


def promoted(x, *, force_floating=False, xp=None):
    """`xp_promote` of one argument; several are not followed."""
    x = np.asarray(x)
    return x.astype(np.float64) if force_floating and x.dtype.kind in "biu" else x


def at_least(x, /, *, ndim, xp=None):
    """`atleast_nd`: new axes come first."""
    x = np.asarray(x)
    return x if np.ndim(x) >= ndim else np.reshape(x, (1,) * (ndim - np.ndim(x)) + np.shape(x))


STANDING = {"array_namespace": namespace, "xp_promote": promoted}
# None of these names is public: a SciPy may lack any of them.
registry.add_written(
    {getattr(_array_api, key): ours for key, ours in STANDING.items() if hasattr(_array_api, key)}
)
if hasattr(_array_api, "xpx"):
    registry.add_written({_array_api.xpx.atleast_nd: at_least})
