"""scipy.ndimage: images, in their values, in weights, and in the places where they are read.

What SciPy gives is the value, bit by bit: its functions stand in plain Python on a few that have a
rule, and each of these calls SciPy. `output` is written as an array of the user's is.
"""

from autodiff.templates.scipy.ndimage import (
    filters,
    interpolated,
    labels,
    morphology,
    ranks,
    smoothing,
    transforms,
)

__all__ = ["filters", "interpolated", "labels", "morphology", "ranks", "smoothing", "transforms"]
