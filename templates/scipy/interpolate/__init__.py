"""scipy.interpolate: interpolants in the points, and in the values that they are made of."""

from autodiff.templates.scipy.interpolate import fitpack, points, splines
from autodiff.templates.scipy.interpolate.points import interp1d_slope

__all__ = ["fitpack", "interp1d_slope", "points", "splines"]
