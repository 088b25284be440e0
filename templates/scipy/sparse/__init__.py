"""Sparse arrays and matrices: their structure is known, their data may carry a derivative.

All classes and their methods are Python on top of a few functions in C, which a run that is
followed goes through: what has a rule is these, in terms of NumPy.
"""

from autodiff.templates.scipy.sparse import (  # noqa: F401
    combined,
    constant,
    krylov,
    lists,
    moved,
    multiplied,
    solving,
)
