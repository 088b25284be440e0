"""Calls into pythermalcomfort: indices of thermal comfort."""

from __future__ import annotations

import numpy as np
from pythermalcomfort import models, utilities

from tests.world.calls import call

DISTRIBUTION = "pythermalcomfort"


@call(24.3, 27.1)
def pmv(tdb):
    return models.pmv_ppd_iso(
        tdb=tdb, tr=25.0, vr=0.1, rh=50.0, met=1.4, clo=0.5, round_output=False
    ).pmv


@call(23.2, 27.1)
def dissatisfied(tdb):
    result = models.pmv_ppd_ashrae(
        tdb=tdb, tr=25.0, vr=0.3, rh=50.0, met=1.2, clo=0.5, round_output=False
    )
    return result.ppd


@call(22.3, 31.0)
def universal_index(tdb):
    return models.utci(tdb=tdb, tr=25.0, v=1.3, rh=50.0, round_output=False).utci


@call(24.4, 27.2)
def effective_temperature(tdb):
    return models.set_tmp(
        tdb=tdb, tr=25.0, v=0.1, rh=50.0, met=1.2, clo=0.5, round_output=False
    ).set


@call(24.4, 29.2)
def two_nodes(tdb):
    result = models.two_nodes_gagge(
        tdb=tdb, tr=25.0, v=0.3, rh=50.0, met=1.2, clo=0.5, round_output=False
    )
    return result.t_skin + result.t_core + result.m_rsw


@call(17.3, 24.1)
def adaptive(t):
    return models.adaptive_ashrae(
        tdb=25.0, tr=25.0, t_running_mean=t, v=0.1, round_output=False
    ).tmp_cmf


@call(31.0, 36.4)
def heat_index(tdb):
    return models.heat_index_rothfusz(tdb=tdb, rh=61.0, round_output=False).hi


@call(310.0, 720.0)
def solar(radiation):
    return models.solar_gain(
        sol_altitude=20.0,
        sharp=120.0,
        sol_radiation_dir=radiation,
        sol_transmittance=0.5,
        f_svv=0.5,
        f_bes=0.5,
        round_output=False,
    ).delta_mrt


@call(16.1, 24.7)
def european(t):
    result = models.adaptive_en(tdb=25.0, tr=25.0, t_running_mean=t, v=0.1, round_output=False)
    return result.tmp_cmf


@call(21.0, 26.0)
def wet_bulb_globe(twb):
    return models.wbgt(twb=twb, tg=32.0, tdb=29.0, with_solar_load=True, round_output=False).wbgt


@call(26.3, 31.2)
def apparent(tdb):
    return models.at(tdb=tdb, rh=30.0, v=0.1, round_output=False).at


@call(11.2, 33.1)
def net_effective(tdb):
    return models.net(tdb=tdb, rh=60.0, v=2.2, round_output=False).net


@call(-11.2, -3.3)
def wind_chill(tdb):
    return models.wind_chill_temperature(tdb=tdb, v=15.0, round_output=False).wct


@call(26.2, 33.1)
def humidity_index(tdb):
    return models.humidex(tdb=tdb, rh=60.0, round_output=False).humidex


@call(23.3, 31.7)
def psychrometrics(tdb):
    air = utilities.psy_ta_rh(tdb, 55.0)
    return air.h / 1e3 + air.hr * 100 + air.p_vap / 1e3


@call(23.3, 31.7)
def radiant_temperature(tg):
    return utilities.mean_radiant_tmp(tg, 24.2, 0.3, standard="ISO") + utilities.wet_bulb_tmp(
        tg, 40.0
    )


@call(0.4, 1.1)
def clothing(clo):
    return utilities.clo_area_factor(clo) + utilities.clo_dynamic_iso(clo, met=1.9, v=0.3)


@call(np.array([24.1, 25.3, 27.2]), np.array([23.3, 26.1, 25.2]))
def several_rooms(tdb):
    result = models.pmv_ppd_iso(
        tdb=tdb, tr=25.0, vr=0.1, rh=50.0, met=1.4, clo=0.5, round_output=False
    )
    return np.mean(result.ppd)


@call(np.array([20.1, 18.3, 22.2]), np.array([19.3, 23.1, 21.2]))
def running_mean(t):
    return utilities.running_mean_outdoor_temperature(t.tolist(), alpha=0.8)


@call(22.0, 29.5)
def physiological(tdb):
    return models.pet_steady(tdb=tdb, tr=25.0, v=0.2, rh=50.0, met=1.37, clo=0.5).pet
