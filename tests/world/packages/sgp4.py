"""Calls into sgp4: satellites from their elements, in Python."""

from __future__ import annotations

import numpy as np
from sgp4 import earth_gravity, ext, propagation
from sgp4.functions import days2mdhms, jday
from sgp4.io import twoline2rv
from sgp4.model import WGS72, Satrec

from tests.world.calls import call

DISTRIBUTION = "sgp4"
LINES = (
    "1 25544U 98067A   19343.69339541  .00001764  00000-0  38792-4 0  9991",
    "2 25544  51.6439 211.2001 0007417  17.6667  85.6398 15.50103472202482",
)
DEEP = (
    "1 11801U          80230.29629788  .01431103  00000-0  14311-1      13",
    "2 11801  46.7916 230.4354 7318036  47.4722  10.4117  2.28537848    13",
)
EPOCH = 25545.69339541
WEIGHTS = np.array([1.0, 2.0, 3.0])


@call(0.31, 0.77)
def position_at(fr):
    satellite = Satrec.twoline2rv(*LINES)
    e, r, v = satellite.sgp4(2458827.0, fr)
    return r[0] + 2 * r[1] + 3 * r[2]


@call(21.0, 384.0)
def since_epoch(minutes):
    satellite = Satrec.twoline2rv(*LINES)
    e, r, v = satellite.sgp4_tsince(minutes)
    return np.dot(v, WEIGHTS)


@call(21.0, 384.0)
def deep_space(minutes):
    satellite = Satrec.twoline2rv(*DEEP)
    e, r, v = satellite.sgp4_tsince(minutes)
    return np.dot(r, WEIGHTS)


def made(bstar=2.8e-5, ecco=0.0007, inclo=0.9, nodeo=3.6, argpo=0.3, mo=1.5, no=0.0676):
    satellite = Satrec()
    satellite.sgp4init(
        WGS72, "i", 25544, EPOCH, bstar, 6.9e-13, 0.0, ecco, argpo, inclo, mo, no, nodeo
    )
    return satellite


@call(1e-4, 4e-4)
def by_drag(bstar):
    e, r, v = made(bstar=bstar).sgp4_tsince(500.0)
    return np.dot(r, WEIGHTS)


@call(0.002, 0.03)
def by_eccentricity(ecco):
    e, r, v = made(ecco=ecco).sgp4_tsince(90.0)
    return np.dot(r, WEIGHTS)


@call(0.4, 1.2)
def by_inclination(inclo):
    e, r, v = made(inclo=inclo).sgp4_tsince(90.0)
    return np.dot(v, WEIGHTS)


@call(0.055, 0.066)
def by_mean_motion(no):
    return made(no=no).a


@call(0.3, 2.1)
def by_node(nodeo):
    e, r, v = made(nodeo=nodeo).sgp4_tsince(30.0)
    return r[0] * v[1] + r[1]


@call(np.array([0.001, 0.9, 3.0]), np.array([0.01, 1.1, 0.4]))
def by_elements(p):
    satellite = made(ecco=p[0], inclo=p[1], nodeo=p[2])
    total = 0.0
    for minutes in (10.0, 55.0, 120.0):
        error, r, v = satellite.sgp4_tsince(minutes)
        total += np.linalg.norm(r) + v[2]
    return total


@call(31.0, 172.0)
def old_interface(minutes):
    satellite = twoline2rv(*LINES, earth_gravity.wgs72)
    r, v = propagation.sgp4(satellite, minutes)
    return r[0] + r[2]


@call(3.2, 41.7)
def with_seconds(second):
    satellite = Satrec.twoline2rv(*LINES)
    error, position, velocity = satellite.sgp4(*jday(2019, 12, 9, 18, 3, second))
    return position[1]


@call(6800.0, 7900.0)
def elements(x):
    p, a, ecc, incl, omega, argp, nu, m, *rest = ext.rv2coe(
        [x, 300.0, 200.0], [0.3, 7.4, 2.2], 398600.8
    )
    return a / 1e3 + ecc + incl + argp + m


@call(0.3, 1.7)
def true_anomaly(m):
    e0, nu = ext.newtonnu(0.2, m)
    return e0 + 2 * nu


@call(3.2, 41.7)
def julian_day(second):
    jd, fr = jday(2020, 2, 11, 13, 57, second)
    return fr * 100


@call(44.3, 201.7)
def calendar(day):
    month, d, hour, minute, second = days2mdhms(2020, day, round_to_microsecond=False)
    return d + hour / 24 + minute / 1440 + second / 86400


@call(123.3, 2136.5)
def sidereal(days):
    return propagation.gstime(2451545.0 + days) / 1e3
