"""Calls into pyfeng: prices of options."""

from __future__ import annotations

import numpy as np
import pyfeng as pf

from tests.world.calls import call

DISTRIBUTION = "pyfeng"


@call(0.2, 0.35)
def price(sigma):
    return pf.Bsm(sigma, intr=0.02).price(105.0, 100.0, 1.2)


@call(95.0, 108.0)
def greeks(spot):
    model = pf.Bsm(0.25, intr=0.03, divr=0.01)
    return (
        model.delta(100.0, spot, 0.7) + model.gamma(100.0, spot, 0.7) + model.vega(100.0, spot, 0.7)
    )


@call(6.0, 11.0)
def implied(price):
    return pf.Norm(10.0).impvol(price, 102.0, 100.0, 1.0)


@call(0.5, 1.5)
def barrier(texp):
    return pf.Bsm(0.3).price_barrier(100.0, 120.0, 100.0, texp, cp=1, io=-1)


@call(15.0, 24.0)
def bachelier(sigma):
    strike = np.arange(80.0, 121.0, 10.0)
    return np.sum(pf.Norm(sigma).price(strike, 100.0, 1.2, cp=-1))


@call(0.2, 0.6)
def hagan(vov):
    model = pf.SabrHagan2002(2.0, vov=vov, rho=-0.25, beta=0.3)
    return np.sum(model.price(np.array([90.0, 100.0, 112.0]), 100.0, 2.0))


@call(-0.3, 0.4)
def smile(rho):
    model = pf.SabrChoiWu2021H(0.3, vov=0.5, rho=rho, beta=0.6)
    return np.sum(model.vol_smile(np.array([0.8, 1.05, 1.2]), 1.0, 1.0))


@call(0.3, 0.7)
def elasticity(beta):
    return pf.Cev(0.25, beta=beta).price(1.1, 1.0, 1.0)


@call(0.04, 0.09)
def heston(v0):
    model = pf.HestonFft(v0, vov=0.5, mr=1.5, rho=-0.6, theta=0.06)
    return model.price(np.array([95.0, 104.0]), 100.0, 1.0)[1]


@call(0.2, 0.35)
def cosines(sigma):
    return pf.BsmCos(sigma).price(np.array([92.0, 105.0]), 100.0, 0.8)[0]


@call(np.array([0.2, 0.3]), np.array([0.35, 0.25]))
def spread(sigma):
    return pf.BsmSpreadKirk(sigma, rho=0.4).price(5.0, np.array([105.0, 98.0]), 1.0)


@call(0.1, 0.6)
def basket(rho):
    cor = np.full((3, 3), rho) + (1 - rho) * np.eye(3)
    model = pf.BsmBasketJu2002(np.array([0.2, 0.3, 0.4]), cor, weight=np.array([0.3, 0.3, 0.4]))
    return model.price(100.0, np.array([95.0, 100.0, 110.0]), 1.5)
