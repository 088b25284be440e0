"""Calls into vollib (py_vollib): option prices, greeks, implied volatilities."""

from __future__ import annotations

from vollib import black, black_scholes, black_scholes_merton
from vollib.black.greeks import analytical as black_greeks
from vollib.black_scholes.greeks import analytical, numerical
from vollib.black_scholes.implied_volatility import implied_volatility
from vollib.black_scholes_merton.greeks import analytical as merton_greeks
from vollib.black_scholes_merton.implied_volatility import implied_volatility as merton_implied
from vollib.helpers import pdf
from vollib.ref_python import black as ref_black
from vollib.ref_python import black_scholes as ref_bs
from vollib.ref_python import black_scholes_merton as ref_merton
from vollib.ref_python.black_scholes import implied_volatility as ref_implied
from vollib.ref_python.black_scholes.greeks import analytical as ref_greeks

from tests.world.calls import call

DISTRIBUTION = "py-vollib"


@call(0.2, 0.45)
def call_price(sigma):
    return black_scholes.black_scholes("c", 100.0, 90.0, 0.5, 0.01, sigma)


@call(95.0, 130.0)
def put_price(s):
    return black_scholes.black_scholes("p", s, 105.0, 0.5, 0.01, 0.2)


@call(0.2, 0.45)
def black_price(sigma):
    return black.black("c", 100.0, 110.0, sigma, 0.02, 0.5)


@call(0.01, 0.04)
def merton_price(q):
    return black_scholes_merton.black_scholes_merton("p", 100.0, 95.0, 0.5, 0.02, 0.3, q)


@call(8.0, 14.0)
def implied(price):
    return implied_volatility(price, 100.0, 100.0, 0.5, 0.01, "c")


@call(8.0, 14.0)
def implied_merton(price):
    return merton_implied(price, 100.0, 105.0, 1.0, 0.01, 0.02, "p")


@call(0.2, 0.45)
def greeks(sigma):
    a = ("c", 100.0, 105.0, 0.5, 0.01, sigma)
    return analytical.delta(*a) + analytical.gamma(*a) + analytical.vega(*a)


@call(0.3, 1.2)
def theta_rho(t):
    a = ("p", 100.0, 105.0, t, 0.01, 0.25)
    return analytical.theta(*a) + analytical.rho(*a)


@call(95.0, 120.0)
def greeks_black(f):
    a = ("c", f, 105.0, 0.5, 0.01, 0.25)
    return black_greeks.delta(*a) + black_greeks.vega(*a) + black_greeks.theta(*a)


@call(95.0, 120.0)
def greeks_merton(s):
    a = ("c", s, 105.0, 0.5, 0.01, 0.25, 0.02)
    return merton_greeks.delta(*a) + merton_greeks.gamma(*a) + merton_greeks.rho(*a)


@call(0.2, 0.45)
def numerical_delta(sigma):
    return numerical.delta("c", 100.0, 105.0, 0.5, 0.01, sigma)


@call(0.2, 0.45)
def normalised(s):
    return black.normalised_black(0.1, s, "c") + black.undiscounted_black(100.0, 120.0, s, 0.7, "p")


@call(0.3, 1.4)
def helpers(x):
    return pdf(x) * x


@call(0.2, 0.45)
def reference(sigma):
    return ref_bs.black_scholes("c", 60.0, 65.0, 0.25, 0.08, sigma) + ref_bs.d1(
        60.0, 65.0, 0.25, 0.08, sigma
    )


@call(0.2, 0.45)
def reference_greeks(sigma):
    a = ("c", 49.0, 50.0, 0.3846, 0.05, sigma)
    return ref_greeks.delta(*a) + ref_greeks.gamma(*a) + ref_greeks.theta(*a)


@call(8.0, 14.0)
def reference_implied(price):
    return ref_implied.implied_volatility(price, 100.0, 100.0, 0.5, 0.01, "c")


@call(0.2, 0.45)
def reference_others(sigma):
    a = ref_black.black("p", 100.0, 105.0, 0.5, 0.01, sigma)
    return a + ref_merton.black_scholes_merton("c", 100.0, 105.0, 0.5, 0.01, sigma, 0.02)
