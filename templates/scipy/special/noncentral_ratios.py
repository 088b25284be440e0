"""The noncentral F and t distributions, in all but their numbers of degrees of freedom.

Both are mixtures: densities of F with 1F1 (Johnson, Kotz and Balakrishnan, Continuous univariate
distributions 2 (1995), 30.3), those of t by integrals that are parabolic cylinder functions,
DLMF 12.5.1.
"""

from typing import Any

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise, registry


def ratio_density(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """The density of the noncentral F distribution."""
    x = dfn * f / (dfn * f + dfd)
    scale = special.xlogy(dfn / 2 - 1, x) + special.xlog1py(dfd / 2, -x) - nc / 2
    series = special.hyp1f1((dfn + dfd) / 2, dfn / 2, nc * x / 2)
    inner = dfn / (dfn * f + dfd)
    return np.exp(scale - special.betaln(dfn / 2, dfd / 2)) * series * inner


def ratio_by_nc(y: Any, dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """The slope of the distribution function, which is `y`, in the noncentrality."""
    return (special.ncfdtr(dfn + 2, dfd, nc, f * dfn / (dfn + 2)) - y) / 2


def student_mean(df: Any, nc: Any, t: Any, power: float) -> Any:
    """The mean of s^power phi(t s - nc), where df s^2 has the chi-square distribution of df."""
    n = df + power
    q = df + t**2
    z = -t * nc / np.sqrt(q)
    own = special.xlogy(df / 2, df / 2) - special.gammaln(df / 2) + special.gammaln(n)
    scale = own + z**2 / 4 - nc**2 / 2 - n / 2 * np.log(q)
    return np.exp(scale) * special.pbdv(-n, z)[0] * (2 / np.pi) ** 0.5


registry.add_making([ratio_density, ratio_by_nc, student_mean])


@elementwise(special.ncfdtr)
def ncfdtr(y, dfn, dfd, nc, f):
    d[nc] = d[y] * ratio_by_nc(y, dfn, dfd, nc, f)
    d[f] = d[y] * ratio_density(dfn, dfd, nc, f)


@elementwise(special.ncfdtri)
def ncfdtri(f, dfn, dfd, nc, p):
    density = ratio_density(dfn, dfd, nc, f)
    d[nc] = -d[f] * ratio_by_nc(p, dfn, dfd, nc, f) / density
    d[p] = d[f] / density


@elementwise(special.ncfdtrinc)
def ncfdtrinc(nc, dfn, dfd, p, f):
    by_nc = ratio_by_nc(p, dfn, dfd, nc, f)
    d[p] = d[nc] / by_nc
    d[f] = -d[nc] * ratio_density(dfn, dfd, nc, f) / by_nc


@elementwise(special.nctdtr)
def nctdtr(y, df, nc, t):
    d[nc] = -d[y] * student_mean(df, nc, t, 0.0)
    d[t] = d[y] * student_mean(df, nc, t, 1.0)


@elementwise(special.nctdtrit)
def nctdtrit(t, df, nc, p):
    density = student_mean(df, nc, t, 1.0)
    d[nc] = d[t] * student_mean(df, nc, t, 0.0) / density
    d[p] = d[t] / density


@elementwise(special.nctdtrinc)
def nctdtrinc(nc, df, p, t):
    by_nc = student_mean(df, nc, t, 0.0)
    d[p] = -d[nc] / by_nc
    d[t] = d[nc] * student_mean(df, nc, t, 1.0) / by_nc
