"""Calls into eqsig: ground motions as signals."""

from __future__ import annotations

import eqsig
import numpy as np
from eqsig import sdof

from tests.world.calls import call

DISTRIBUTION = "eqsig"
TIME = np.arange(0, 2.0, 0.02)
SHAKE = np.sin(8 * TIME) * np.exp(-TIME) + 0.3 * np.cos(21 * TIME)


def motion(scale):
    return eqsig.AccSignal(SHAKE * scale, 0.02)


@call(1.0, 2.2)
def peaks(scale):
    own = motion(scale)
    return own.pga + own.pgv + own.pgd


@call(1.0, 2.2)
def arias(scale):
    own = motion(scale)
    own.generate_all_motion_stats()
    return own.arias_intensity


@call(1.0, 2.2)
def spectrum(scale):
    own = motion(scale)
    own.generate_response_spectrum(response_times=np.array([0.2, 0.5, 1.0]))
    return np.sum(own.s_a)


@call(0.05, 0.12)
def damped(xi):
    own = motion(1.0)
    own.generate_response_spectrum(response_times=np.array([0.2, 0.5]), xi=xi)
    return np.sum(own.s_d)


@call(1.0, 2.2)
def fourier(scale):
    own = motion(scale)
    return np.sum(np.abs(own.fa_spectrum[:20]))


@call(1.0, 2.2)
def velocity(scale):
    own = motion(scale)
    return own.velocity[40] + own.displacement[60]


@call(1.0, 2.2)
def filtered(scale):
    own = motion(scale)
    own.butter_pass((0.5, 10))
    return own.values[30] ** 2


@call(1.0, 2.2)
def detrended(scale):
    own = motion(scale)
    own.remove_poly(1)
    own.add_constant(0.1)
    return np.sum(own.values**2)


@call(0.3, 0.8)
def oscillator(period):
    moved, _ = sdof.single_elastic_response(SHAKE, 0.02, period, 0.05)
    return 100 * moved[50]


@call(0.3, 0.8)
def responses(period):
    d, v, a = sdof.response_series(SHAKE, 0.02, np.array([period, 1.1]), 0.05)
    return np.sum(d[0]) + v[1][30]


@call(0.3, 0.8)
def energy(period):
    return np.sum(sdof.calc_input_energy_spectrum(motion(1.0), np.array([period]), 0.05))


@call(1.0, 2.2)
def cumulative(scale):
    own = motion(scale)
    return np.max(eqsig.im.calc_cav(own)) + np.max(eqsig.im.calc_arias_intensity(own))


@call(0.3, 0.8)
def smoothed(scale):
    own = motion(scale)
    own.smooth_fa_frequencies = np.array([1.0, 2.0, 5.0])
    return np.sum(own.smooth_fa_spectrum)


@call(0.3, 0.8)
def combined(angle):
    a, b = motion(1.0), eqsig.AccSignal(SHAKE[::-1].copy(), 0.02)
    return np.max(np.abs(eqsig.combine_at_angle(a, b, 60 * angle).values[:50] ** 2))
