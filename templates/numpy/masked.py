"""`numpy.ma`, as far as plain arrays may be asked there; loaded where the user imports it."""

import numpy as np

from autodiff.rules import nondifferentiable

nondifferentiable(np.ma.getmask, np.ma.getmaskarray, np.ma.is_mask, np.ma.is_masked)
