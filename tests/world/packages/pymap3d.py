"""Calls into pymap3d: coordinates on and above the Earth."""

from __future__ import annotations

import datetime

import numpy as np
import pymap3d as pm
from pymap3d import latitude, los, lox, rcurve, rsphere, utils, vincenty
from pymap3d.haversine import anglesep, anglesep_meeus

from tests.world.calls import call

DISTRIBUTION = "pymap3d"


@call(42.0, -13.0)
def ecef(lat):
    x, y, z = pm.geodetic2ecef(lat, -82.0, 200.0)
    return (x + y * 2 + z) / 1e6


@call(6.6e6, 4.4e6)
def geodetic(x):
    lat, lon, alt = pm.ecef2geodetic(x, -4.7e6, 4.2e6)
    return lat + lon + alt / 1e5


@call(33.0, 140.0)
def look(az):
    lat, lon, alt = pm.aer2geodetic(az, 70.0, 1e4, 42.0, -82.0, 200.0)
    return lat + lon + alt / 1e3


@call(42.1, 42.7)
def azimuth(lat):
    az, el, r = pm.geodetic2aer(lat, -81.5, 1200.0, 42.0, -82.0, 200.0)
    return az + el + r / 1e4


@call(42.1, 42.7)
def enu(lat):
    e, n, u = pm.geodetic2enu(
        lat, -81.5, 1200.0, 42.0, -82.0, 200.0, ell=pm.Ellipsoid.from_name("grs80")
    )
    return (e + 2 * n + u) / 1e4


@call(186.0, 900.0)
def enu_back(e):
    lat, lon, alt = pm.enu2geodetic(e, 286.0, 939.0, 42.0, -82.0, 200.0)
    return lon * 100 + alt / 1e3


@call(186.0, 900.0)
def enu_aer(e):
    az, el, r = pm.enu2aer(e, 286.0, 939.0)
    return az + el + r


@call(33.0, 140.0)
def ned(az):
    n, e, d = pm.aer2ned(az, 60.0, 1000.0)
    lat, lon, h = pm.ned2geodetic(n, e, d, 42.0, -82.0, 200.0)
    return n / 100 + lat * 10 + h / 100


@call(42.1, 42.7)
def vectors(lat):
    u, v, w = pm.enu2uvw(10.0, 20.0, 30.0, lat, -82.0)
    return u + v + pm.ecef2enuv(u, v, w, 40.0, -80.0)[1]


@call(33.0, 60.0)
def line_of_sight(tilt):
    lat, lon, d = los.lookAtSpheroid(42.0, -82.0, 5e5, 30.0, tilt)
    return lat + d / 1e5


@call(10.2, 20.5)
def vincenty_distance(lat):
    d, a = vincenty.vdist(lat, 10.0, 11.0, 12.0)
    return d / 1e5 + a


@call(3e4, 2e5)
def vincenty_reckon(r):
    lat, lon = vincenty.vreckon(10.0, 20.0, r, 38.0)
    return lat + lon


@call(10.2, 20.5)
def loxodrome(lat):
    d, a = lox.loxodrome_inverse(lat, 10.0, 11.0, 12.0)
    return d / 1e5 + a


@call(3e4, 2e5)
def loxodrome_on(r):
    lat, lon = lox.loxodrome_direct(10.0, 20.0, r, 38.0)
    return lat + lon


@call(10.2, 50.5)
def latitudes(lat):
    a = latitude.geodetic2authalic(lat) + latitude.geodetic2rectifying(lat)
    b = latitude.geodetic2conformal(lat) + latitude.geodetic2parametric(lat)
    return a * 2 + b + latitude.geodetic2isometric(lat)


@call(10.2, 50.5)
def latitudes_back(lat):
    a = latitude.authalic2geodetic(lat) + latitude.rectifying2geodetic(lat)
    return a + latitude.conformal2geodetic(lat) + latitude.isometric2geodetic(lat)


@call(10.2, 50.5)
def radii(lat):
    r = rcurve.meridian(lat) + rcurve.transverse(lat) + rcurve.parallel(lat)
    return (r + rsphere.curve(lat) + rsphere.euler(lat, 10.0, 20.0, 30.0)) / 1e6


@call(10.2, 50.5)
def angles(lat):
    return anglesep(10.0, lat, 20.0, 30.0) + anglesep_meeus(10.0, lat, 20.0, 30.0)


@call(np.array([42.1, 42.7, 40.0]), np.array([-10.0, 20.0, 30.0]))
def arrays(lat):
    x, y, z = pm.geodetic2ecef(lat, np.array([-82.0, 10.0, 20.0]), np.array([1.0, 2.0, 3.0]))
    return np.sum(x * z) / 1e13


@call(np.array([6.6e6, 4.4e6]), np.array([3.3e6, 5.0e6]))
def arrays_back(x):
    lat, lon, alt = pm.ecef2geodetic(x, np.array([1e6, 2e6]), np.array([4e6, -3e6]))
    return np.sum(lat) + np.sum(alt) / 1e5


@call(-5762640.0, -4.1e6)
def inertial(x):
    t = datetime.datetime(2019, 1, 4, 12, 0)
    a, b, c = pm.eci2ecef(x, -1682738.0, 3156028.0, t, force_non_astropy=True)
    return (a + 2 * b) / 1e6


@call(-5762640.0, -4.1e6)
def spherical(x):
    az, el, r = utils.cart2sph(x, -1682738.0, 3156028.0)
    lat, lon, radius = pm.geodetic2spherical(az * 10, 20.0, 30.0)
    return el + r / 1e6 + lat + radius / 1e6


@call(33.0, 140.0)
def heading(h):
    dr, cr, above = pm.geodetic2dca(42.1, -81.9, 100.0, 42.0, -82.0, 200.0, h)
    return (dr + cr) / 1e3
