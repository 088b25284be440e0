"""Densities on an interval. `logarithmic` says which of pdf and logpdf a template is for."""

import numpy as np
from scipy import special, stats

from autodiff.rules import d, elementwise


def uniform(logarithmic):
    @elementwise(stats.uniform.logpdf if logarithmic else stats.uniform.pdf)
    def density(y, x, loc=0, scale=1):
        outside = np.abs((x - loc) / scale - 0.5) > 0.5
        d[x] = 0.0
        d[loc] = 0.0
        d[scale] = -(np.where(outside, 0.0, d[y]) if logarithmic else d[y] * y) / scale


def beta(logarithmic):
    @elementwise(stats.beta.logpdf if logarithmic else stats.beta.pdf)
    def density(y, x, a, b, loc=0, scale=1):
        z = (x - loc) / scale
        left = np.where(z > 0, z, 1.0)
        right = np.where(z < 1, 1 - z, 1.0)
        slope = (a - 1) / left - (b - 1) / right
        within = (z > 0) & (z < 1) | (z == 0) & (a == 1) | (z == 1) & (b == 1)
        g = np.where(within, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        first = np.where(a == 2, b * (b + 1), np.where(a < 2, np.inf, 0.0)) / scale
        last = np.where(b == 2, a * (a + 1), np.where(b < 2, np.inf, 0.0)) / scale
        at_ends = ((z == 0) | (z == 1)) & (y == 0)
        edge = np.where(z == 0, first, -last)
        rise = g * slope if logarithmic else np.where(at_ends, d[y] * edge, g * slope)
        d[x] = rise / scale
        d[a] = g * (np.log(left) - special.psi(a) + special.psi(a + b))
        d[b] = g * (np.log(right) - special.psi(b) + special.psi(a + b))
        d[loc] = -rise / scale
        d[scale] = -(g + np.where((z > 0) & (z <= 1), z * rise, 0.0)) / scale


for template in (uniform, beta):
    template(logarithmic=True)
    template(logarithmic=False)
