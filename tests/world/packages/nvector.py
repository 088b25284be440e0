"""Calls into nvector: positions on the ellipsoid, as objects and as arrays."""

from __future__ import annotations

import numpy as np
import nvector as nv

from tests.world.calls import call

DISTRIBUTION = "nvector"
WGS84 = nv.FrameE(name="WGS84")


@call(10.0, 41.0)
def delta_north(lat):
    a = WGS84.GeoPoint(latitude=lat, longitude=2.0, z=3.0, degrees=True)
    b = WGS84.GeoPoint(latitude=lat + 4.0, longitude=5.0, z=6.0, degrees=True)
    north = a.delta_to(b)
    return float(north.azimuth_deg) + float(north.pvector[0, 0]) / 1e5


@call(10.0, 41.0)
def surface_distance(lat):
    a = WGS84.GeoPoint(lat, 2.0, degrees=True)
    b = WGS84.GeoPoint(lat + 4.0, 5.0, degrees=True)
    return nv.great_circle_distance(a.to_nvector().normal, b.to_nvector().normal)[0]


@call(10.0, 41.0)
def geodesic(lat):
    a = WGS84.GeoPoint(lat, 2.0, degrees=True)
    b = WGS84.GeoPoint(lat + 4.0, 5.0, degrees=True)
    distance, azimuth, _ = a.distance_and_azimuth(b)
    return float(distance) / 1e5 + float(azimuth)


@call(20000.0, 310000.0)
def displaced(distance):
    a = WGS84.GeoPoint(41.0, 2.0, degrees=True)
    b, azimuth = a.displace(distance=distance, azimuth=200, degrees=True)
    return b.latitude_deg + azimuth


@call(0.2, 0.7)
def interpolated(t):
    path = nv.GeoPath(
        WGS84.GeoPoint(60, 11, degrees=True).to_nvector(),
        WGS84.GeoPoint(65, 20, degrees=True).to_nvector(),
    )
    point = path.interpolate(t).to_geo_point()
    return float(point.latitude_deg + point.longitude_deg)


@call(10.0, 41.0)
def cross_track(lat):
    path = nv.GeoPath(
        WGS84.GeoPoint(0, 0, degrees=True).to_nvector(),
        WGS84.GeoPoint(10, 3, degrees=True).to_nvector(),
    )
    point = WGS84.GeoPoint(lat, 1.5, degrees=True).to_nvector()
    return float(path.cross_track_distance(point, method="greatcircle")) / 1e3


@call(10.0, 41.0)
def meeting(lat):
    one = nv.GeoPath(
        WGS84.GeoPoint(lat, 20, degrees=True).to_nvector(),
        WGS84.GeoPoint(30, 40, degrees=True).to_nvector(),
    )
    other = nv.GeoPath(
        WGS84.GeoPoint(50, 60, degrees=True).to_nvector(),
        WGS84.GeoPoint(70, 80, degrees=True).to_nvector(),
    )
    found = one.intersect(other).to_geo_point()
    return float(found.latitude_deg)


@call(10.0, 41.0)
def mean_position(lat):
    points = WGS84.GeoPoint(
        latitude=np.array([lat, 60.0, 50.0]), longitude=np.array([0.0, -20.0, 10.0]), degrees=True
    )
    found = points.to_nvector().mean().to_geo_point()
    return float(found.latitude_deg)


@call(np.array([0.3, 0.7, 1.2]), np.array([1.1, -0.4, 0.5]))
def normals(p):
    n = nv.unit(p.reshape(3, 1))
    lat, lon = nv.n_E2lat_lon(n)
    return float(lat[0]) + float(lon[0])


@call(np.array([0.3, 0.7, 1.2]), np.array([1.1, -0.4, 0.5]))
def rotations(a):
    matrix = nv.zyx2R(a[0], a[1], a[2])
    return np.sum(matrix @ np.array([0.1, 0.5, 0.9])) + nv.R2xyz(matrix)[0]


@call(6371e3, 6378e3)
def ecef(r):
    n, depth = nv.p_EB_E2n_EB_E(np.array([[0.6 * r], [0.1 * r], [0.79 * r]]))
    return float(depth[0]) / 1e3 + float(n[0, 0])


@call(0.3, 0.7)
def local_frame(yaw):
    a = WGS84.GeoPoint(1, 2, 3, degrees=True)
    frame = nv.FrameB(a.to_nvector(), yaw=yaw, pitch=0.2, roll=0.1)
    moved = frame.Pvector(np.r_[3000, 2000, 100].reshape((-1, 1))).to_ecef_vector()
    return float(moved.pvector[0, 0] + moved.pvector[2, 0]) / 1e3
