"""Calls into numpy-financial: annuities and internal rates."""

from __future__ import annotations

import numpy as np
import numpy_financial as npf

from tests.world.calls import call

DISTRIBUTION = "numpy-financial"
FLOWS = np.array([-100.0, 39.0, 59.0, 55.0, 20.0])


@call(0.05 / 12, 0.08 / 12)
def future_value(rate):
    return npf.fv(rate, 10 * 12, -100, -100)


@call(0.05, 0.08)
def payment(rate):
    return npf.pmt(rate / 12, 12 * 15, 200000)


@call(0.04, 0.07)
def periods(rate):
    return npf.nper(rate / 12, -150, 8000)


@call(0.0824, 0.05)
def interest(rate):
    return npf.ipmt(rate / 12, 3, 12, 2500.0)


@call(0.0824, 0.05)
def principal(rate):
    return npf.ppmt(rate / 12, np.arange(12) + 1, 12, 2500.0)[3]


@call(0.05, 0.08)
def present_value(rate):
    return npf.pv(np.array([rate, 2 * rate]) / 12, 10 * 12, -100, 15692.93).sum()


@call(3500.0, 4200.0)
def solved_rate(worth):
    return npf.rate(10, 0, -worth, 10000)


@call(FLOWS, FLOWS * 1.1 + 1)
def internal_rate(flows):
    return npf.irr(flows)


@call(0.281, 0.1)
def net_present_value(rate):
    return npf.npv(rate, FLOWS)


@call(FLOWS, FLOWS * 1.1 + 1)
def modified_rate(flows):
    return npf.mirr(flows, 0.1, 0.12)
