"""Calls into lmfit: parameters, models of peaks."""

from __future__ import annotations

import lmfit
import numpy as np
from lmfit import Parameters, lineshapes, models

from tests.world.calls import call

DISTRIBUTION = "lmfit"
X = np.linspace(-2.0, 4.0, 13)
DATA = np.exp(-((X - 0.9) ** 2) / 1.3) + 0.1 * X


@call(0.6, 1.4)
def gaussian_residual(center):
    model = models.GaussianModel()
    params = model.make_params(amplitude=2.0, center=center, sigma=0.7)
    return np.sum((model.eval(params, x=X) - DATA) ** 2)


@call(0.4, 1.1)
def composite(sigma):
    model = models.GaussianModel(prefix="g_") + models.LinearModel(prefix="l_")
    params = model.make_params(
        g_amplitude=2.0, g_center=0.8, g_sigma=sigma, l_slope=0.1, l_intercept=0.0
    )
    return np.sum((model.eval(params, x=X) - DATA) ** 2)


@call(0.4, 1.1)
def keywords(sigma):
    return np.sum(models.LorentzianModel().eval(x=X, amplitude=1.0, center=0.5, sigma=sigma) ** 2)


@call(0.6, 1.8)
def parameter_objects(a):
    params = Parameters()
    params.add("amp", value=a, min=0.0)
    params.add("decay", value=0.4)
    return np.sum(params["amp"].value * np.exp(-params["decay"] * X**2))


@call(0.6, 1.8)
def values_of_parameters(a):
    params = lmfit.create_params(amp=a, decay=0.4)
    v = params.valuesdict()
    return np.sum(v["amp"] ** 2 * np.sin(v["decay"] * X + v["amp"]))


@call(0.6, 1.8)
def constrained(a):
    params = Parameters()
    params.add("a", value=a)
    params.add("b", expr="2*a + 1")
    return params["b"].value ** 2


@call(0.6, 1.8)
def own_model(k):
    def decay(t, amp, tau):
        return amp * np.exp(-t / tau)

    model = lmfit.Model(decay)
    return np.sum(model.eval(t=np.abs(X), amp=1.5, tau=k))


@call(np.array([1.2, 0.8, 0.5]), np.array([0.7, -0.3, 0.9]))
def residual(p):
    return np.sum((lineshapes.gaussian(X, p[0], p[1], p[2]) - DATA) ** 2)


@call(0.4, 1.3)
def voigt(sigma):
    return np.sum(lineshapes.voigt(X, 1.0, 0.3, sigma, gamma=0.4) ** 2)


@call(0.4, 1.3)
def pseudo_voigt(sigma):
    return np.sum(lineshapes.pvoigt(X, 1.0, 0.3, sigma, 0.4) ** 2)


@call(0.4, 1.3)
def moffat(sigma):
    return np.sum(lineshapes.moffat(X, 1.0, 0.3, sigma, 1.4) ** 2) + np.sum(
        lineshapes.pearson7(X, 1.0, 0.3, sigma, 1.7)
    )


@call(0.4, 1.3)
def skewed(gamma):
    return np.sum(lineshapes.skewed_gaussian(X, 1.0, 0.3, 0.8, gamma) ** 2)


@call(0.4, 1.3)
def step(sigma):
    return np.sum(lineshapes.step(X, 1.0, 0.3, sigma, form="erf") ** 2) + np.sum(
        lineshapes.step(X, 1.0, 0.3, sigma, form="logistic")
    )


@call(0.4, 1.3)
def exponentials(decay):
    return (
        np.sum(models.ExponentialModel().func(X, 1.3, decay))
        + lineshapes.expgaussian(X, 1.0, 0.2, decay, 0.8).sum()
    )


@call(0.3, 1.6)
def polynomial(c):
    model = models.PolynomialModel(degree=3)
    params = model.make_params(c0=1.0, c1=c, c2=0.5, c3=c * c)
    return np.sum(model.eval(params, x=X) ** 2)


@call(0.3, 1.6)
def components(c):
    model = models.GaussianModel(prefix="a_") * models.ConstantModel(prefix="b_")
    params = model.make_params(a_amplitude=1.0, a_center=0.2, a_sigma=0.9, b_c=c)
    parts = model.eval_components(params=params, x=X)
    return np.sum(parts["a_"] * parts["b_"] ** 2)


@call(0.3, 1.6)
def internal_values(a):
    p = lmfit.Parameter("a", value=a, min=0.0, max=3.0)
    return p.setup_bounds() + p.scale_gradient(0.3) + p.value


@call(0.3, 1.6)
def damped(q):
    return np.sum(lineshapes.damped_oscillator(np.abs(X) + 0.2, 1.0, 1.3, q)) + np.sum(
        lineshapes.breit_wigner(X, 1.0, 0.3, 0.8, q)
    )
