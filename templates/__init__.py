"""Derivative rules, written as code that is never executed: one file per topic.

In a template the first parameter is the result `y`, the rest are the primitive's own parameters,
and `d[x] = ...` says what the adjoint of `x` receives, `d[y]` being the adjoint of the result.

What is right at kinks and singular points says the table of `docs/hard-points.md`.

A complex `z` has the adjoint dL/dRe z + i dL/dIm z.
"""

from autodiff.templates import (
    builtins,
    complex_math,
    helpers,
    math,
    numpy,
    operators,
    products,
    unbroadcasting,
)

__all__ = [
    "builtins",
    "complex_math",
    "helpers",
    "math",
    "numpy",
    "operators",
    "products",
    "unbroadcasting",
]
