"""Incomplete gamma and beta functions and their inverses; distributions made of them."""

import numpy as np
from autodiff.templates.scipy.special.shapes import (
    beta_other_shape,
    beta_shape,
    gamma_shape,
    student_shape,
)
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.gammainc)
def gammainc(y, a, x):
    d[x] = d[y] * np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))
    d[a] = d[y] * gamma_shape(a, x)


@elementwise(special.gammaincc)
def gammaincc(y, a, x):
    d[x] = -d[y] * np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))
    d[a] = -d[y] * gamma_shape(a, x)


@elementwise(special.gammaincinv)
def gammaincinv(x, a, y):
    slope = np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))
    d[a] = -d[x] * gamma_shape(a, x) / slope
    d[y] = d[x] / slope


@elementwise(special.gammainccinv)
def gammainccinv(x, a, y):
    slope = np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))
    d[a] = -d[x] * gamma_shape(a, x) / slope
    d[y] = -d[x] / slope


@elementwise(special.betainc)
def betainc(y, a, b, x):
    slope = special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)
    d[x] = d[y] * np.exp(slope)
    d[a] = d[y] * beta_shape(a, b, x)
    d[b] = d[y] * beta_other_shape(a, b, x)


@elementwise(special.betaincinv)
def betaincinv(x, a, b, y):
    slope = special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)
    d[y] = d[x] * np.exp(-slope)
    d[a] = -d[x] * np.exp(-slope) * beta_shape(a, b, x)
    d[b] = -d[x] * np.exp(-slope) * beta_other_shape(a, b, x)


if hasattr(special, "betaincc"):  # SciPy 1.11

    @elementwise(special.betaincc)
    def betaincc(y, a, b, x):
        slope = special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)
        d[x] = -d[y] * np.exp(slope)
        d[a] = -d[y] * beta_shape(a, b, x)
        d[b] = -d[y] * beta_other_shape(a, b, x)

    @elementwise(special.betainccinv)
    def betainccinv(x, a, b, y):
        slope = special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)
        d[y] = -d[x] * np.exp(-slope)
        d[a] = -d[x] * np.exp(-slope) * beta_shape(a, b, x)
        d[b] = -d[x] * np.exp(-slope) * beta_other_shape(a, b, x)


@elementwise(special.chdtr)
def chdtr(y, v, x):
    log_slope = special.xlogy(v / 2 - 1, x / 2) - x / 2 - special.gammaln(v / 2)
    d[x] = d[y] * np.exp(log_slope) / 2
    d[v] = d[y] * gamma_shape(v / 2, x / 2) / 2


@elementwise(special.chdtrc)
def chdtrc(y, v, x):
    log_slope = special.xlogy(v / 2 - 1, x / 2) - x / 2 - special.gammaln(v / 2)
    d[x] = -d[y] * np.exp(log_slope) / 2
    d[v] = -d[y] * gamma_shape(v / 2, x / 2) / 2


@elementwise(special.chdtri)
def chdtri(x, v, p):
    log_slope = special.xlogy(v / 2 - 1, x / 2) - x / 2 - special.gammaln(v / 2)
    d[p] = -2 * d[x] * np.exp(-log_slope)
    d[v] = -d[x] * np.exp(-log_slope) * gamma_shape(v / 2, x / 2)


@elementwise(special.gdtr)
def gdtr(y, a, b, x):
    slope = np.exp(special.xlogy(b - 1, a * x) - a * x - special.gammaln(b))
    d[a] = d[y] * slope * x
    d[x] = d[y] * slope * a
    d[b] = d[y] * gamma_shape(b, a * x)


@elementwise(special.gdtrc)
def gdtrc(y, a, b, x):
    slope = np.exp(special.xlogy(b - 1, a * x) - a * x - special.gammaln(b))
    d[a] = -d[y] * slope * x
    d[x] = -d[y] * slope * a
    d[b] = -d[y] * gamma_shape(b, a * x)


@elementwise(special.pdtr)
def pdtr(y, k, m):
    k_whole = np.floor(k)
    d[m] = -d[y] * np.exp(special.xlogy(k_whole, m) - m - special.gammaln(k_whole + 1))


@elementwise(special.pdtrc)
def pdtrc(y, k, m):
    k_whole = np.floor(k)
    d[m] = d[y] * np.exp(special.xlogy(k_whole, m) - m - special.gammaln(k_whole + 1))


@elementwise(special.stdtr)
def stdtr(y, df, t):
    log_scale = special.gammaln(df / 2) - special.gammaln((df + 1) / 2) + np.log(df * np.pi) / 2
    d[t] = d[y] * np.exp(-(df + 1) / 2 * np.log1p(t**2 / df) - log_scale)
    d[df] = d[y] * student_shape(df, t)


@elementwise(special.stdtrit)
def stdtrit(t, df, p):
    log_scale = special.gammaln(df / 2) - special.gammaln((df + 1) / 2) + np.log(df * np.pi) / 2
    slope = np.exp((df + 1) / 2 * np.log1p(t**2 / df) + log_scale)
    d[df] = -d[t] * slope * student_shape(df, t)
    d[p] = d[t] * slope


@elementwise(special.fdtr)
def fdtr(y, dfn, dfd, x):
    w = dfn * x / (dfn * x + dfd)
    log_slope = special.xlogy(dfn / 2, w) + special.xlog1py(dfd / 2, -w)
    part = np.exp(log_slope - special.betaln(dfn / 2, dfd / 2))
    d[dfn] = d[y] * (beta_shape(dfn / 2, dfd / 2, w) / 2 + part / dfn)
    d[dfd] = d[y] * (beta_other_shape(dfn / 2, dfd / 2, w) / 2 - part / dfd)
    d[x] = d[y] * part / x


@elementwise(special.fdtrc)
def fdtrc(y, dfn, dfd, x):
    w = dfn * x / (dfn * x + dfd)
    log_slope = special.xlogy(dfn / 2, w) + special.xlog1py(dfd / 2, -w)
    part = np.exp(log_slope - special.betaln(dfn / 2, dfd / 2))
    d[dfn] = -d[y] * (beta_shape(dfn / 2, dfd / 2, w) / 2 + part / dfn)
    d[dfd] = -d[y] * (beta_other_shape(dfn / 2, dfd / 2, w) / 2 - part / dfd)
    d[x] = -d[y] * part / x


@elementwise(special.fdtri)
def fdtri(x, dfn, dfd, p):
    w = dfn * x / (dfn * x + dfd)
    log_slope = special.xlogy(dfn / 2, w) + special.xlog1py(dfd / 2, -w)
    part = np.exp(special.betaln(dfn / 2, dfd / 2) - log_slope)
    d[dfn] = -d[x] * x * (beta_shape(dfn / 2, dfd / 2, w) / 2 * part + 1 / dfn)
    d[dfd] = -d[x] * x * (beta_other_shape(dfn / 2, dfd / 2, w) / 2 * part - 1 / dfd)
    d[p] = d[x] * part * x


@elementwise(special.tklmbda)
def tklmbda(y, x, lmbda):
    """Outside of the support, where `y` is 0 or 1, it is constant."""
    slope = 1 / (y ** (lmbda - 1) + (1 - y) ** (lmbda - 1))
    d[x] = d[y] * np.where((y > 0) & (y < 1), slope, 0.0)


@elementwise(special.pdtri)
def pdtri(m, k, y):
    k_whole = np.trunc(k)
    d[y] = -d[m] * np.exp(m + special.gammaln(k_whole + 1) - special.xlogy(k_whole, m))


@elementwise(special.gdtria)
def gdtria(a, p, b, x):
    """`a * x` is the quantile of `p`."""
    slope = np.exp(special.xlogy(b - 1, a * x) - a * x - special.gammaln(b))
    d[p] = d[a] / (slope * x)
    d[x] = -d[a] * a / x
    d[b] = -d[a] * gamma_shape(b, a * x) / (slope * x)


@elementwise(special.gdtrix)
def gdtrix(x, a, b, p):
    slope = np.exp(special.xlogy(b - 1, a * x) - a * x - special.gammaln(b))
    d[a] = -d[x] * x / a
    d[p] = d[x] / (slope * a)
    d[b] = -d[x] * gamma_shape(b, a * x) / (slope * a)


@elementwise(special.nrdtrimn)
def nrdtrimn(mn, p, std, x):
    """The mean, where `p` is the probability of values below `x`."""
    z = (x - mn) / std
    d[p] = -d[mn] * std * np.exp(z**2 / 2) * np.sqrt(2 * np.pi)
    d[std] = -d[mn] * z
    d[x] = d[mn]


@elementwise(special.nrdtrisd)
def nrdtrisd(std, mn, p, x):
    z = (x - mn) / std
    d[mn] = -d[std] / z
    d[p] = -d[std] * std / z * np.exp(z**2 / 2) * np.sqrt(2 * np.pi)
    d[x] = d[std] / z
