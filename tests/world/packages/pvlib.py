"""Calls into pvlib: sun, irradiance, modules, inverters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pvlib
from pvlib import irradiance, location, pvsystem, temperature

from tests.world.calls import call

DISTRIBUTION = "pvlib"
TIMES = pd.date_range("2023-06-21 08:00", periods=4, freq="2h", tz="Etc/GMT+7")
CEC = dict(
    alpha_sc=0.004539, a_ref=2.6373, I_L_ref=5.114, I_o_ref=8.196e-10, R_sh_ref=381.68, R_s=1.065
)
INVERTER = dict(
    Paco=250.0,
    Pdco=259.59,
    Vdco=40.0,
    Pso=2.09,
    C0=-4.1e-5,
    C1=-9.1e-5,
    C2=4.94e-4,
    C3=-0.013,
    Pnt=0.075,
)


@call(12.0, 41.0)
def incidence(tilt):
    return irradiance.aoi(tilt, 180.0, 35.0, 140.0)


@call(15.0, 52.0)
def plane_irradiance(tilt):
    poa = irradiance.get_total_irradiance(tilt, 180.0, 40.0, 150.0, dni=800.0, ghi=650.0, dhi=120.0)
    return poa["poa_global"]


@call(15.0, 52.0)
def haydavies(tilt):
    return irradiance.haydavies(tilt, 180.0, 120.0, 800.0, 1366.0, 40.0, 150.0)


@call(310.0, 720.0)
def erbs(ghi):
    parts = irradiance.erbs(ghi, 42.0, 172)
    return parts["dni"] + 2 * parts["dhi"]


@call(23.0, 71.0)
def airmass(zenith):
    relative = pvlib.atmosphere.get_relative_airmass(zenith)
    return pvlib.atmosphere.get_absolute_airmass(relative, 98000.0)


@call(1.2, 3.7)
def clear_sky(turbidity):
    return pvlib.clearsky.ineichen(35.0, 1.3, turbidity, altitude=300.0)["dni"]


@call(0.3, 2.3)
def haurwitz(w):
    return pvlib.clearsky.bird(40.0, 1.4, 0.1, 0.07, w)["ghi"]


@call(300.0, 910.0)
def cell_temperature(poa):
    model = temperature.TEMPERATURE_MODEL_PARAMETERS["sapm"]["open_rack_glass_glass"]
    return temperature.sapm_cell(poa, 20.0, 3.0, **model)


@call(300.0, 910.0)
def faiman(poa):
    return temperature.faiman(poa, 20.0, 2.2) + temperature.pvsyst_cell(poa, 21.0, 1.3)


@call(310.0, 920.0)
def single_diode(effective):
    il, io, rs, rsh, nnsvth = pvsystem.calcparams_cec(effective, 41.0, Adjust=8.7, **CEC)
    return pvsystem.singlediode(il, io, rs, rsh, nnsvth, method="newton")["p_mp"]


@call(310.0, 920.0)
def desoto(effective):
    parts = pvsystem.calcparams_desoto(effective, 41.0, **CEC)
    return parts[0] + parts[1] * 1e8 + parts[3]


@call(21.0, 38.5)
def diode_current(v):
    return pvsystem.i_from_v(v, 4.9, 1e-8, 1.0, 390.0, 2.3, method="newton")


@call(50.0, 210.0)
def inverter(p):
    return pvlib.inverter.sandia(39.0, p, INVERTER)


@call(300.0, 910.0)
def watts(effective):
    dc = pvsystem.pvwatts_dc(effective, 40.0, 240.0, -0.004)
    return pvlib.inverter.pvwatts(dc, 240.0)


@call(21.0, 61.0)
def modifier(angle):
    return pvlib.iam.physical(angle) + pvlib.iam.ashrae(angle) + pvlib.iam.martin_ruiz(angle)


@call(320.0, 815.0)
def system_object(poa):
    array = pvsystem.Array(
        pvsystem.FixedMount(30.0, 180.0),
        module_parameters={"pdc0": 240.0, "gamma_pdc": -0.004},
        temperature_model_parameters={"u_c": 25.0, "u_v": 6.8},
    )
    system = pvsystem.PVSystem(arrays=[array], inverter_parameters={"pdc0": 240.0})
    cell = system.get_cell_temperature(poa, 20.0, 1.0, "pvsyst")
    return system.get_ac("pvwatts", system.pvwatts_dc(poa, cell))


@call(31.0, 47.0)
def sun_position(lat):
    sun = pvlib.solarposition.get_solarposition(TIMES, lat, -110.0, altitude=700.0)
    return sun["zenith"].mean()


@call(31.0, 47.0)
def site_clear_sky(lat):
    site = location.Location(lat, -110.0, tz="Etc/GMT+7", altitude=700.0)
    return site.get_clearsky(TIMES, model="haurwitz")["ghi"].sum()


@call(12.0, 33.0)
def tracking(zenith):
    angles = pvlib.tracking.singleaxis(
        np.array([zenith]), np.array([110.0]), 0.0, 180.0, 80.0, False, 0.3
    )
    return angles["aoi"][0] + angles["surface_tilt"][0]


@call(np.array([300.0, 620.0, 850.0]), np.array([410.0, 120.0, 730.0]))
def daily_energy(poa):
    cell = temperature.noct_sam(poa, np.array([18.0, 22.0, 25.0]), 2.1, 45.0, 0.18)
    return np.sum(pvsystem.pvwatts_dc(poa, cell, 5000.0, -0.0035))
