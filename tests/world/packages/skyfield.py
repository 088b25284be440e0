"""Calls into skyfield: times, positions, satellites."""

from __future__ import annotations

import numpy as np
from skyfield.api import Angle, Distance, EarthSatellite, Star, load, wgs84
from skyfield.elementslib import OsculatingElements
from skyfield.framelib import itrs
from skyfield.functions import angle_between, rot_z, to_spherical
from skyfield.keplerlib import _KeplerOrbit
from skyfield.nutationlib import iau2000b_radians
from skyfield.positionlib import ICRF, Geocentric
from skyfield.units import Velocity

from tests.world.calls import call

DISTRIBUTION = "skyfield"
TS = load.timescale(builtin=True)
GM = 398600.4418
TLE = (
    "1 25544U 98067A   14020.93268519  .00009878  00000-0  18200-3 0  5082",
    "2 25544  51.6498 109.4756 0003572  55.9686 274.8005 15.49815350868473",
)


@call(0.21, 0.74)
def sidereal_time(day):
    return TS.tt_jd(2458000.0, day).gmst


@call(0.21, 0.74)
def apparent_sidereal(day):
    return TS.tt_jd(2459123.0, day).gast


@call(0.21, 0.74)
def barycentric_time(day):
    return (
        TS.tt_jd(2458000.0, day).tdb_fraction + TS.tt_jd(2458000.0, day).delta_t / 86400.0
    ) * 10.0


@call(0.21, 0.74)
def earth_rotation(day):
    t = TS.tt_jd(2458000.0, day)
    return np.sum(itrs.rotation_at(t) * np.arange(9.0).reshape(3, 3))


@call(0.21, 0.74)
def nutation(day):
    psi, eps = iau2000b_radians(TS.tt_jd(2458000.0, day))
    return (psi + 2 * eps) * 1e9


@call(2.3, 19.7)
def calendar(hour):
    return TS.utc(2020, 5, 17, hour).tt_fraction * 10


@call(31.0, -42.0)
def ground_position(lat):
    place = wgs84.latlon(lat, -110.0, elevation_m=700.0)
    return np.sum(place.itrs_xyz.km * np.array([1.0, 2.0, 3.0]))


@call(31.0, -42.0)
def observer(lat):
    t = TS.tt_jd(2458000.3)
    return np.sum(wgs84.latlon(lat, -110.0).at(t).position.km * np.array([1.0, 2.0, 3.0]))


@call(np.array([0.4, 0.5, 0.6]), np.array([-0.2, 0.9, 0.3]))
def right_ascension(xyz):
    ra, dec, distance = ICRF(xyz, t=TS.tt_jd(2458000.3)).radec()
    return ra.hours + dec.degrees + distance.au


@call(np.array([0.4, 0.5, 0.6]), np.array([-0.2, 0.9, 0.3]))
def separation(xyz):
    return ICRF(xyz).separation_from(ICRF(np.array([1.0, 0.3, 0.2]))).degrees


@call(np.array([0.4, 0.5, 0.6]), np.array([-0.2, 0.9, 0.3]))
def ecliptic(xyz):
    lat, lon, d = ICRF(xyz).ecliptic_latlon()
    return lat.degrees + 2 * lon.degrees


@call(np.array([4400.0, 3100.0, 3900.0]), np.array([-4400.0, 2100.0, 4600.0]))
def subpoint(km):
    position = Geocentric(Distance(km=km).au, t=TS.tt_jd(2458000.3), center=399)
    place = wgs84.geographic_position_of(position)
    return place.latitude.degrees + place.elevation.km / 1e3


@call(np.array([7000.0, 300.0, 200.0]), np.array([6800.0, -900.0, 1300.0]))
def orbital_elements(km):
    elements = OsculatingElements(
        Distance(km=km), Velocity(km_per_s=np.array([0.3, 7.1, 2.2])), TS.tt_jd(2458000.3), GM
    )
    return elements.semi_major_axis.km / 1e3 + elements.eccentricity + elements.inclination.degrees


@call(0.1, 0.64)
def kepler(e):
    orbit = _KeplerOrbit._from_mean_anomaly(
        semilatus_rectum_au=1.2,
        eccentricity=e,
        inclination_degrees=10.0,
        longitude_of_ascending_node_degrees=40.0,
        argument_of_perihelion_degrees=60.0,
        mean_anomaly_degrees=50.0,
        epoch=TS.tt_jd(2458000.0),
        gm_km3_s2=1.327e11,
    )
    return np.sum(orbit.at(TS.tt_jd(2458100.0)).position.au * np.array([1.0, 2.0, 3.0]))


@call(0.2, 7.1)
def star(hours):
    barnard = Star(ra_hours=hours, dec_degrees=4.7, ra_mas_per_year=-798.7, parallax_mas=545.4)
    return barnard._position_au @ np.array([1.0, 2.0, 3.0]) / 1e5


@call(0.4, 2.3)
def rotation(x):
    r, theta, phi = to_spherical(rot_z(x) @ np.array([0.3, 0.4, 0.5]))
    return r + theta + 2 * phi + angle_between(np.array([x, 0.2, 0.3]), np.array([1.0, 0.5, 0.1]))


@call(20.3, 77.0)
def units(degrees):
    angle = Angle(degrees=degrees)
    sign, d, m, s = angle.signed_dms()
    return (
        angle.radians
        + angle.hours
        + sign * (d + m / 60 + s / 3600)
        + Distance(au=angle.radians).km / 1e8
    )


@call(0.21, 0.74)
def satellite(day):
    return np.sum(EarthSatellite(*TLE, "ISS", TS).at(TS.tt_jd(2458000.0, day)).position.km)
