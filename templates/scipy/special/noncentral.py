"""The noncentral chi-square distribution, in all but its number of degrees of freedom.

dF_k / dnc = (F_(k + 2) - F_k) / 2. Source: Johnson, Kotz and Balakrishnan, Continuous univariate
distributions 2 (1995), 29.4.
"""

import numpy as np
from scipy import special
from scipy.special import _ufuncs

from autodiff.rules import d, elementwise, registry


@elementwise(special.chndtr)
def chndtr(y, x, df, nc):
    own = np.where(nc == 0, 1.0, nc)
    scale = special.xlogy(df / 4 - 0.5, x / own) - (np.sqrt(x) - np.sqrt(own)) ** 2 / 2
    central = special.xlogy(df / 2 - 1, x / 2) - x / 2 - special.gammaln(df / 2)
    d[x] = d[y] * np.where(
        nc == 0,
        np.exp(central) / 2,
        np.exp(scale) * special.ive(df / 2 - 1, np.sqrt(x * own)) / 2,
    )
    d[nc] = d[y] * (special.chndtr(x, df + 2, nc) - y) / 2


@elementwise(special.chndtrix)
def chndtrix(x, p, df, nc):
    own = np.where(nc == 0, 1.0, nc)
    scale = special.xlogy(df / 4 - 0.5, x / own) - (np.sqrt(x) - np.sqrt(own)) ** 2 / 2
    central = special.xlogy(df / 2 - 1, x / 2) - x / 2 - special.gammaln(df / 2)
    density = np.where(
        nc == 0,
        np.exp(central) / 2,
        np.exp(scale) * special.ive(df / 2 - 1, np.sqrt(x * own)) / 2,
    )
    d[p] = d[x] / density
    d[nc] = d[x] * (p - special.chndtr(x, df + 2, nc)) / 2 / density


@elementwise(special.chndtrinc)
def chndtrinc(nc, x, df, p):
    """The noncentrality for which `p` is the probability of values below `x`."""
    own = np.where(nc == 0, 1.0, nc)
    scale = special.xlogy(df / 4 - 0.5, x / own) - (np.sqrt(x) - np.sqrt(own)) ** 2 / 2
    central = special.xlogy(df / 2 - 1, x / 2) - x / 2 - special.gammaln(df / 2)
    density = np.where(
        nc == 0,
        np.exp(central) / 2,
        np.exp(scale) * special.ive(df / 2 - 1, np.sqrt(x * own)) / 2,
    )
    by_nc = (special.chndtr(x, df + 2, nc) - p) / 2
    d[x] = -d[nc] * density / by_nc
    d[p] = d[nc] / by_nc


if hasattr(_ufuncs, "_ncx2_sf"):  # what `scipy.stats.ncx2.sf` asks
    registry.add_making([_ufuncs._ncx2_pdf])

    @elementwise(_ufuncs._ncx2_sf)
    def _ncx2_sf(y, x, df, nc):
        d[x] = -d[y] * _ufuncs._ncx2_pdf(x, df, nc)
        d[nc] = d[y] * (_ufuncs._ncx2_sf(x, df + 2, nc) - y) / 2
