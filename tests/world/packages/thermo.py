"""Calls into thermo: equations of state, activity models, properties by temperature."""

from __future__ import annotations

import numpy as np
import thermo

from tests.world.calls import call

DISTRIBUTION = "thermo"


@call(310.0, 420.0)
def peng_robinson_volume(t):
    eos = thermo.PR(Tc=507.6, Pc=3025000.0, omega=0.2975, T=t, P=1e5)
    return eos.V_g


@call(2.1e5, 1.4e6)
def soave_departure(p):
    eos = thermo.SRK(Tc=507.6, Pc=3025000.0, omega=0.2975, T=430.0, P=p)
    return eos.H_dep_l + eos.T * eos.S_dep_l


@call(260.0, 390.0)
def vdw_fugacity(t):
    eos = thermo.VDW(Tc=190.564, Pc=4599000.0, T=t, P=2e6)
    return eos.fugacity_g


@call(300.0, 450.0)
def saturation_pressure(t):
    eos = thermo.PR(Tc=507.6, Pc=3025000.0, omega=0.2975, T=299.0, P=1e6)
    return eos.Psat(t)


@call(115.0, 180.0)
def mixture_z(t):
    eos = thermo.PRMIX(
        T=t,
        P=1e6,
        Tcs=[126.1, 190.6],
        Pcs=[33.94e5, 46.04e5],
        omegas=[0.04, 0.011],
        zs=[0.5, 0.5],
        kijs=[[0, 0.0289], [0.0289, 0]],
    )
    return eos.Z_g


@call(3.1e6, 5.2e6)
def mixture_fugacity(p):
    eos = thermo.SRKMIX(
        T=240.0,
        P=p,
        Tcs=[126.1, 190.6],
        Pcs=[33.94e5, 46.04e5],
        omegas=[0.04, 0.011],
        zs=[0.4, 0.6],
        kijs=[[0, 0.03], [0.03, 0]],
    )
    return sum(eos.lnphis_g)


@call(310.0, 365.0)
def nrtl_gibbs(t):
    model = thermo.NRTL(
        T=t,
        xs=[0.25, 0.75],
        tau_bs=[[0.0, -121.3], [1337.2, 0.0]],
        alpha_cs=[[0.0, 0.29], [0.29, 0.0]],
    )
    return model.GE() + model.gammas()[1]


@call(305.0, 349.0)
def wilson_enthalpy(t):
    model = thermo.Wilson(
        T=t,
        xs=[0.252, 0.748],
        lambda_as=[[0.0, 0.3], [-0.2, 0.0]],
        lambda_bs=[[0.0, -153.9], [-351.1, 0.0]],
    )
    return model.HE()


@call(303.0, 352.0)
def uniquac_gammas(t):
    model = thermo.UNIQUAC(
        xs=[0.7273, 0.0909, 0.1818],
        T=t,
        rs=[0.92, 2.1055, 3.1878],
        qs=[1.4, 1.972, 2.4],
        tau_bs=[[0.0, -526.02, -309.64], [318.06, 0.0, 91.532], [-1325.1, -302.57, 0.0]],
    )
    return model.gammas()[0] * model.gammas()[2]


@call(np.array([0.3, 0.7]), np.array([0.65, 0.35]))
def wilson_composition(x):
    model = thermo.Wilson(T=331.42, xs=x.tolist(), lambda_bs=[[0.0, -153.9], [-351.1, 0.0]])
    return model.GE()


@call(290.0, 380.0)
def regular_solution(t):
    model = thermo.RegularSolution(T=t, xs=[0.5, 0.5], Vs=[89e-6, 109e-6], SPs=[18818.4, 18219.0])
    return model.GE() + model.gammas()[0]


@call(320.0, 610.0)
def vapor_pressure(t):
    law = thermo.VaporPressure(
        CASRN="7732-18-5",
        Tb=373.124,
        Tc=647.14,
        Pc=22048320.0,
        omega=0.344,
        method="WAGNER_MCGARRY",
    )
    return law.T_dependent_property(t)


@call(310.0, 730.0)
def heat_capacity(t):
    law = thermo.HeatCapacityGas(CASRN="142-82-5", MW=100.2, method="POLING_POLY")
    return law(t)


@call(290.0, 410.0)
def latent_heat(t):
    law = thermo.EnthalpyVaporization(
        CASRN="64-17-5", Tb=351.39, Tc=514.0, Pc=6137000.0, omega=0.635, Zc=0.241, method="PITZER"
    )
    return law.T_dependent_property(t)


CONSTANTS = thermo.ChemicalConstantsPackage(
    Tcs=[508.1],
    Pcs=[4.7e6],
    omegas=[0.309],
    MWs=[58.08],
    Tms=[178.5],
    Tbs=[329.4],
    CASs=["67-64-1"],
)
CORRELATIONS = thermo.PropertyCorrelationsPackage(
    constants=CONSTANTS,
    HeatCapacityGases=[
        thermo.HeatCapacityGas(
            poly_fit=(
                200.0,
                1000.0,
                [
                    -1.3320002425347943e-21,
                    6.4063345232664645e-18,
                    -1.251025808150141e-14,
                    1.2265314167534311e-11,
                    -5.535306305509636e-09,
                    -4.32538332013644e-08,
                    0.0010438724775716248,
                    -0.19650919978971002,
                    63.84239495676709,
                ],
            )
        )
    ],
)


@call(320.0, 480.0)
def gas_phase(t):
    gas = thermo.CEOSGas(
        thermo.PRMIX,
        dict(Tcs=[508.1], Pcs=[4.7e6], omegas=[0.309]),
        HeatCapacityGases=CORRELATIONS.HeatCapacityGases,
        T=300.0,
        P=1e5,
        zs=[1.0],
    )
    return gas.to(T=t, P=2e5, zs=[1.0]).H()


@call(420.0, 560.0)
def flash_pure(t):
    kwargs = dict(Tcs=CONSTANTS.Tcs, Pcs=CONSTANTS.Pcs, omegas=CONSTANTS.omegas)
    gas = thermo.CEOSGas(thermo.PRMIX, kwargs, HeatCapacityGases=CORRELATIONS.HeatCapacityGases)
    liquid = thermo.CEOSLiquid(
        thermo.PRMIX, kwargs, HeatCapacityGases=CORRELATIONS.HeatCapacityGases
    )
    flasher = thermo.FlashPureVLS(CONSTANTS, CORRELATIONS, gas=gas, liquids=[liquid], solids=[])
    return flasher.flash(T=t, P=1e5).H()


@call(350.0, 520.0)
def ideal_gas_speed(t):
    gas = thermo.IdealGas(T=t, P=1e5, zs=[1.0], HeatCapacityGases=CORRELATIONS.HeatCapacityGases)
    return gas.H() + gas.Cp() * gas.V()
