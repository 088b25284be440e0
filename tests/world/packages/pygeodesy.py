"""Calls into pygeodesy: points, datums, projections."""

from __future__ import annotations

import numpy as np
import pygeodesy
from pygeodesy import ecef, ellipsoidalKarney, ellipsoidalVincenty, sphericalNvector
from pygeodesy import sphericalTrigonometry as st

from tests.world.calls import call

DISTRIBUTION = "pygeodesy"


@call(48.2, -12.5)
def spherical_distance(lat):
    return st.LatLon(52.2, 0.1).distanceTo(st.LatLon(lat, 2.35))


@call(48.2, -12.5)
def bearing(lat):
    return st.LatLon(52.2, 0.1).initialBearingTo(st.LatLon(lat, 2.35))


@call(2.1e5, 4.4e6)
def destination(d):
    return st.LatLon(51.4778, -0.0015).destination(d, 300.7).lat


@call(0.2, 0.7)
def intermediate(f):
    p = st.LatLon(52.2, 0.12).intermediateTo(st.LatLon(48.86, 2.35), f)
    return p.lat + p.lon


@call(51.1, 55.3)
def cross_track(lat):
    return st.LatLon(53.26, -0.80).crossTrackDistanceTo(
        st.LatLon(lat, -1.73), st.LatLon(53.19, 0.13)
    )


@call(48.2, 12.5)
def nvector_distance(lat):
    return sphericalNvector.LatLon(52.2, 0.1).distanceTo(sphericalNvector.LatLon(lat, 2.35))


@call(48.2, 12.5)
def vincenty(lat):
    return ellipsoidalVincenty.LatLon(52.2, 0.1).distanceTo(ellipsoidalVincenty.LatLon(lat, 2.35))


@call(4e4, 3e6)
def vincenty_direct(d):
    return ellipsoidalVincenty.LatLon(-37.95, 144.42).destination(d, 306.87).lat


@call(48.2, 12.5)
def karney(lat):
    return ellipsoidalKarney.LatLon(52.2, 0.1).distanceTo(ellipsoidalKarney.LatLon(lat, 2.35))


@call(48.2, 12.5)
def cartesian(lat):
    p = ellipsoidalVincenty.LatLon(lat, 2.3, height=100.0).toCartesian()
    return (p.x + 2 * p.y + 3 * p.z) / 1e6


@call(4.1e6, 4.4e6)
def to_geodetic(x):
    return ecef.EcefKarney(pygeodesy.Datums.WGS84).reverse(x, 2.1e5, 4.7e6).lat


@call(48.2, 12.5)
def haversine(lat):
    return pygeodesy.haversine(52.2, 0.1, lat, 2.35) / 1e3


@call(48.2, 12.5)
def other_formulas(lat):
    return (
        pygeodesy.cosineLaw(52.2, 0.1, lat, 2.35)
        + pygeodesy.equirectangular(52.2, 0.1, lat, 2.35, limit=None)
        + pygeodesy.vincentys(52.2, 0.1, lat, 2.35)
    ) / 1e3


@call(0.31, 1.9)
def vectors(x):
    a = pygeodesy.vector3d.Vector3d(x, 2.0, 3.0)
    b = pygeodesy.vector3d.Vector3d(1.0, x, 0.5)
    return a.cross(b).length + a.dot(b) + a.unit().x


@call(48.2, 12.5)
def utm(lat):
    u = pygeodesy.toUtm8(lat, 2.35)
    return (u.easting + u.northing) / 1e6


@call(48.2, 12.5)
def mercator(lat):
    return pygeodesy.webmercator.toWm(lat, 2.35).y / 1e6


@call(20.0, 51.0)
def ellipsoid_radius(lat):
    e = pygeodesy.Ellipsoids.WGS84
    return (e.Rgeocentric(lat) + e.rocMeridional(lat)) / 1e6


@call(np.array([10.0, 42.0, -8.0]), np.array([15.0, 30.0, 12.0]))
def spherical_area(lats):
    points = [st.LatLon(a, b) for a, b in zip(lats, (10.0, 40.0, 81.0))]
    return st.areaOf(points) / 1e12 + st.perimeterOf(points) / 1e6


@call(47.0, 50.0)
def triangulated(lat):
    return st.intersection(st.LatLon(lat, 0.25), 108.55, st.LatLon(49.0, 2.55), 32.44).lon
