"""`np.emath`: functions that give complex numbers beyond their real domain.

Of arrays NumPy's own sources are followed. Whether one number is real is not found at run time.
"""

from __future__ import annotations

import numpy as np

from autodiff.errors import NonDifferentiableError
from autodiff.rules import registry


def of_numbers(function, plain, is_beyond):
    """A function that is `plain` in its real domain, and of complex numbers."""

    def own(x):
        if np.ndim(x) > 0:
            return function(x)
        if not np.iscomplexobj(x) and is_beyond(x):
            raise NonDifferentiableError(
                f"`np.emath.{plain.__name__}` of a real number beyond its real domain",
                why="it gives a complex number there, and a real one elsewhere",
                cure=f"compute with complex numbers, `np.{plain.__name__}(x + 0j)`",
            )
        return plain(x)

    return own


def is_negative(x):
    return x < 0


def is_far(x):
    return abs(x) > 1


DOMAINS = {
    is_negative: (np.sqrt, np.log, np.log2, np.log10),
    is_far: (np.arcsin, np.arccos, np.arctanh),
}
for is_beyond, functions in DOMAINS.items():
    for plain in functions:
        standing = getattr(np.emath, plain.__name__)
        source = getattr(standing, "__wrapped__", None)
        if source is not None:
            registry.add_written({standing: of_numbers(source, plain, is_beyond)})
