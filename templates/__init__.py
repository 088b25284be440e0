"""Derivative rules, written as code that is never executed: one file per topic.

In a template the first parameter is the result `y`, the rest are the primitive's own parameters,
and `d[x] = ...` says what the adjoint of `x` receives, `d[y]` being the adjoint of the result.

Kinks and singular points:

| where | derivative |
|---|---|
| `abs`, `fabs`, `sign`, `norm`, `hypot` at 0 | 0, the middle of the subgradients |
| ties of `max`, `min`, `maximum`, `minimum` ... | share equally |
| `clip` at its bounds | 1, as inside |
| `where`, `nan_to_num`, `nansum` | nothing flows into what was not chosen, not even NaN |
| `std` of a constant | 0 |
| `prod`, `cumprod` with zeros | right: the product of the others |
| `x ** 0` in x, `0 ** y` in y, `sinc(0)` | 0 |
| `logaddexp(-inf, -inf)` | 0 |
| `sqrt(0)`, `cbrt(0)`, `arccos(1)`, `log(0)` | infinite, as the derivative is |
| equal eigenvalues | their eigenvectors contribute 0 to each other |
| `cholesky`, `eigh` | the symmetric derivative |

A complex `z` has the adjoint dL/dRe z + i dL/dIm z.
"""

from autodiff.templates import builtins, helpers, math, numpy, operators

__all__ = ["builtins", "helpers", "math", "numpy", "operators"]
