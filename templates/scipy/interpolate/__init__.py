"""scipy.interpolate: interpolants in the points, and in the values that they are made of."""

from autodiff.templates.scipy.interpolate import (
    bases,
    curves,
    fitpack,
    fitting,
    grids,
    piecewise,
    points,
    roots,
    scattered,
    splines,
    triangles,
)
from autodiff.templates.scipy.interpolate.points import interp1d_slope

__all__ = [
    "bases",
    "curves",
    "fitpack",
    "fitting",
    "grids",
    "interp1d_slope",
    "piecewise",
    "points",
    "roots",
    "scattered",
    "splines",
    "triangles",
]
