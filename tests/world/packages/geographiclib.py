"""Calls into geographiclib: geodesics on an ellipsoid."""

from __future__ import annotations

import numpy as np
from geographiclib.geodesic import Geodesic
from geographiclib.geomath import Math

from tests.world.calls import call

DISTRIBUTION = "geographiclib"


@call(35.2, -21.7)
def distance(lat):
    return Geodesic.WGS84.Inverse(40.6, -73.8, lat, 51.6)["s12"]


@call(10.2, 121.7)
def azimuth(lon):
    return Geodesic.WGS84.Inverse(40.6, -73.8, 12.0, lon)["azi1"]


@call(2.3e5, 5.1e6)
def direct_latitude(s):
    return Geodesic.WGS84.Direct(40.6, -73.8, 53.0, s)["lat2"]


@call(31.0, 142.0)
def direct_longitude(azi):
    return Geodesic.WGS84.Direct(-12.0, 30.0, azi, 3e6)["lon2"]


@call(1.2e6, 7.3e6)
def line_position(s):
    line = Geodesic.WGS84.Line(40.1, 116.6, 20.0)
    return line.Position(s)["lat2"]


@call(3.0, 61.0)
def arc_position(a):
    return Geodesic.WGS84.ArcDirect(10.0, 20.0, 30.0, a)["s12"]


@call(5.0, 44.0)
def waypoint(lat):
    line = Geodesic.WGS84.InverseLine(lat, 10.0, -33.9, 151.2)
    return line.Position(0.4 * line.s13)["lon2"]


@call(1 / 310, 1 / 150)
def flattening(f):
    return Geodesic(6378137.0, f).Inverse(10.0, 20.0, 40.0, 80.0)["s12"]


@call(6.1e6, 6.6e6)
def radius(a):
    return Geodesic(a, 1 / 298.0).Inverse(10.0, 20.0, 40.0, 80.0)["s12"]


@call(10.0, 44.0)
def area_under(lat):
    return Geodesic.WGS84.Inverse(lat, 20.0, 50.0, 80.0, Geodesic.AREA)["S12"] / 1e12


@call(np.array([10.0, 42.0, -8.0]), np.array([15.0, 30.0, 12.0]))
def polygon(lats):
    p = Geodesic.WGS84.Polygon()
    for lat, lon in zip(lats, (10.0, 40.0, 81.0)):
        p.AddPoint(lat, lon)
    n, perimeter, area = p.Compute()
    return perimeter / 1e6 + area / 1e12


@call(4e5, 9e5)
def polyline(s):
    p = Geodesic.WGS84.Polygon(True)
    p.AddPoint(10.0, 20.0)
    p.AddEdge(40.0, s)
    p.AddEdge(120.0, 3e5)
    p.AddPoint(11.0, 20.0)
    return p.Compute()[1] / 1e6


@call(12.0, 51.0)
def reduced_length(lat):
    g = Geodesic.WGS84.Inverse(40.6, -73.8, lat, 51.6, Geodesic.ALL)
    return g["m12"] / 1e6 + g["M12"]


@call(190.5, 402.0)
def normalized(angle):
    return Math.AngNormalize(angle) + Math.sincosd(angle)[0]


@call(0.4, 1.9)
def sine_degrees(x):
    return Math.atan2d(x, 1.3) + Math.norm(x, 2.0)[0]
