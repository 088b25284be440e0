"""Exponentials, logarithms and trigonometry in other clothes; losses and entropies."""

import numpy as np
from scipy import special

from autodiff.rules import d, elementwise


@elementwise(special.expit)
def expit(y, x):
    d[x] = d[y] * y * (1 - y)


@elementwise(special.logit)
def logit(y, p):
    d[p] = d[y] / (p * (1 - p))


@elementwise(special.log_expit)
def log_expit(y, x):
    d[x] = d[y] * special.expit(-x)


if hasattr(special, "softplus"):

    @elementwise(special.softplus)
    def softplus(y, x):
        d[x] = d[y] * special.expit(x)


@elementwise(special.expm1)
def expm1(y, x):
    d[x] = d[y] * (y + 1)


@elementwise(special.log1p)
def log1p(y, x):
    d[x] = d[y] / (1 + x)


@elementwise(special.exp2)
def exp2(y, x):
    d[x] = d[y] * y * 0.6931471805599453


@elementwise(special.exp10)
def exp10(y, x):
    d[x] = d[y] * y * 2.302585092994046


@elementwise(special.exprel)
def exprel(y, x):
    """In the form that is right near 0: exprel is hyp1f1(1, 2, x)."""
    d[x] = d[y] * special.hyp1f1(2.0, 3.0, x) / 2


@elementwise(special.cbrt)
def cbrt(y, x):
    d[x] = d[y] / (3 * y**2)


@elementwise(special.cosm1)
def cosm1(y, x):
    d[x] = -d[y] * np.sin(x)


@elementwise(special.powm1)
def powm1(z, x, y):
    d[x] = d[z] * y * x ** (y - 1)
    d[y] = d[z] * (z + 1) * np.log(x)


@elementwise(special.sindg)
def sindg(y, x):
    d[x] = d[y] * special.cosdg(x) * (np.pi / 180)


@elementwise(special.cosdg)
def cosdg(y, x):
    d[x] = -d[y] * special.sindg(x) * (np.pi / 180)


@elementwise(special.tandg)
def tandg(y, x):
    d[x] = d[y] * (1 + y**2) * (np.pi / 180)


@elementwise(special.cotdg)
def cotdg(y, x):
    d[x] = -d[y] * (1 + y**2) * (np.pi / 180)


@elementwise(special.radian)
def radian(y, degrees, minutes, seconds):
    d[degrees] = d[y] * (np.pi / 180)
    d[minutes] = d[y] * (np.pi / 10800)
    d[seconds] = d[y] * (np.pi / 648000)


@elementwise(special.xlogy)
def xlogy(z, x, y):
    """0 in y where x is 0, whatever y is."""
    d[x] = d[z] * np.log(y)
    d[y] = d[z] * x / np.where(x == 0, 1.0, y)


@elementwise(special.xlog1py)
def xlog1py(z, x, y):
    """0 in y where x is 0, whatever y is."""
    d[x] = d[z] * np.log1p(y)
    d[y] = d[z] * x / np.where(x == 0, 1.0, 1 + y)


@elementwise(special.entr)
def entr(y, x):
    d[x] = -d[y] * (np.log(x) + 1)


@elementwise(special.rel_entr)
def rel_entr(z, x, y):
    """Where both are 0 their ratio counts as 1, as it is in the middle."""
    nothing = (x == 0) & (y == 0)
    ratio = np.where(nothing, 1.0, x) / np.where(nothing, 1.0, y)
    d[x] = d[z] * (np.log(ratio) + 1)
    d[y] = -d[z] * ratio


@elementwise(special.kl_div)
def kl_div(z, x, y):
    nothing = (x == 0) & (y == 0)
    ratio = np.where(nothing, 1.0, x) / np.where(nothing, 1.0, y)
    d[x] = d[z] * np.log(ratio)
    d[y] = d[z] * (1 - ratio)


@elementwise(special.huber)
def huber(y, delta, r):
    d[r] = d[y] * np.clip(r, -delta, delta)
    d[delta] = d[y] * np.maximum(np.abs(r) - delta, 0)


@elementwise(special.pseudo_huber)
def pseudo_huber(y, delta, r):
    d[r] = d[y] * r / np.sqrt(1 + (r / delta) ** 2)
    d[delta] = d[y] * (2 * y / delta - (r / delta) * r / np.sqrt(1 + (r / delta) ** 2))


@elementwise(special.boxcox)
def boxcox(y, x, lmbda):
    """(x^lmbda - 1) / lmbda = log(x) exprel(lmbda log(x)), which is right at lmbda = 0 too."""
    d[x] = d[y] * x ** (lmbda - 1)
    d[lmbda] = d[y] * np.log(x) ** 2 * special.hyp1f1(2.0, 3.0, lmbda * np.log(x)) / 2


@elementwise(special.boxcox1p)
def boxcox1p(y, x, lmbda):
    d[x] = d[y] * (1 + x) ** (lmbda - 1)
    d[lmbda] = d[y] * np.log1p(x) ** 2 * special.hyp1f1(2.0, 3.0, lmbda * np.log1p(x)) / 2


@elementwise(special.inv_boxcox)
def inv_boxcox(x, y, lmbda):
    slope = special.hyp1f1(2.0, 3.0, lmbda * np.log(x)) / 2
    d[y] = d[x] * x ** (1 - lmbda)
    d[lmbda] = -d[x] * np.log(x) ** 2 * slope * x ** (1 - lmbda)


@elementwise(special.inv_boxcox1p)
def inv_boxcox1p(x, y, lmbda):
    slope = special.hyp1f1(2.0, 3.0, lmbda * np.log1p(x)) / 2
    d[y] = d[x] * (1 + x) ** (1 - lmbda)
    d[lmbda] = -d[x] * np.log1p(x) ** 2 * slope * (1 + x) ** (1 - lmbda)


@elementwise(special.lambertw)
def lambertw(w, z, k=0, tol=1e-8):
    d[z] = d[w] * np.exp(-w) / (1 + w)


@elementwise(special.wrightomega)
def wrightomega(w, z):
    d[z] = d[w] * w / (1 + w)


@elementwise(special.diric)
def diric(y, x, n):
    """Near its peaks by the series, in which the quotient would cancel."""
    half = x / 2
    phase = half - np.pi * np.round(half / np.pi)
    near = np.abs(n * phase) < 1e-3
    sine = np.where(near, 1.0, np.sin(half))
    far = (np.cos(n * half) - y * np.cos(half)) / (2 * sine)
    bend = (n**2 - 1) * phase / 6 - (3 * n**4 - 10 * n**2 + 7) * phase**3 / 180
    d[x] = d[y] * np.where(near, -np.sign(y) * bend, far)
