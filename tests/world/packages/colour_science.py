"""Calls into colour-science: spectra, colourspaces, differences, adaptation."""

from __future__ import annotations

import colour
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "colour-science"
RGB = np.array([0.4, 0.2, 0.6])
RGB2 = np.array([0.7, 0.5, 0.3])
XYZ = np.array([0.206, 0.122, 0.051])
XYZ2 = np.array([0.3, 0.41, 0.25])


@call(XYZ, XYZ2)
def lightness(xyz):
    return np.sum(colour.XYZ_to_Lab(xyz) * np.array([1.0, 2.0, 3.0]))


@call(RGB, RGB2)
def srgb(rgb):
    return np.sum(colour.sRGB_to_XYZ(rgb))


@call(XYZ, XYZ2)
def to_srgb(xyz):
    return np.sum(colour.XYZ_to_sRGB(xyz) * np.array([1.0, 2.0, 3.0]))


@call(np.array([50.0, 20.0, 30.0]), np.array([61.0, -12.0, 8.0]))
def delta_76(lab):
    return colour.delta_E(lab, np.array([48.0, 22.0, 11.0]), method="CIE 1976")


@call(np.array([50.0, 20.0, 30.0]), np.array([61.0, -12.0, 8.0]))
def delta_2000(lab):
    return colour.delta_E(lab, np.array([48.0, 22.0, 11.0]))


@call(XYZ, XYZ2)
def luv(xyz):
    return np.sum(colour.XYZ_to_Luv(xyz) * np.array([1.0, 2.0, 3.0]))


@call(XYZ, XYZ2)
def chromaticity(xyz):
    return np.sum(colour.XYZ_to_xy(xyz) * np.array([1.0, 2.0])) + colour.XYZ_to_xyY(xyz)[2]


@call(XYZ, XYZ2)
def ok_lab(xyz):
    return np.sum(colour.XYZ_to_Oklab(xyz) * np.array([1.0, 2.0, 3.0]))


@call(XYZ, XYZ2)
def adapted(xyz):
    return np.sum(
        colour.adaptation.chromatic_adaptation_VonKries(
            xyz, np.array([0.95, 1.0, 1.08]), np.array([0.96, 1.0, 0.82])
        )
        * np.array([1.0, 2.0, 3.0])
    )


@call(XYZ, XYZ2)
def appearance(xyz):
    spec = colour.XYZ_to_CIECAM02(xyz * 100, np.array([95.05, 100.0, 108.88]), 318.31, 20.0)
    return spec.J + spec.C


@call(RGB, RGB2)
def hue(rgb):
    return np.sum(colour.RGB_to_HSV(rgb) * np.array([1.0, 2.0, 3.0]))


@call(RGB, RGB2)
def between_spaces(rgb):
    return np.sum(
        colour.RGB_to_RGB(
            rgb, colour.RGB_COLOURSPACES["sRGB"], colour.RGB_COLOURSPACES["ProPhoto RGB"]
        )
        * np.arange(3.0)
    )


@call(0.13, 0.61)
def transfer(v):
    return colour.cctf_encoding(v) + colour.cctf_decoding(v, function="sRGB")


@call(4300.0, 7200.0)
def daylight(cct):
    return np.sum(colour.CCT_to_xy(cct, method="CIE Illuminant D Series") * np.array([1.0, 2.0]))


@call(np.array([0.33, 0.34]), np.array([0.31, 0.29]))
def temperature(xy):
    return colour.xy_to_CCT(xy, method="McCamy 1992")


@call(4300.0, 7200.0)
def black_body(t):
    return colour.colorimetry.planck_law(560e-9, t) / 1e13


@call(0.21, 0.77)
def spectrum(a):
    sd = colour.SpectralDistribution({500: a, 510: 0.3, 520: 0.5, 530: a * a, 540: 0.1, 550: 0.2})
    return np.sum(sd.values**2)


@call(0.21, 0.77)
def spectrum_interpolated(a):
    sd = colour.SpectralDistribution({500: a, 510: 0.3, 520: 0.5, 530: a * a, 540: 0.1, 550: 0.2})
    return sd[515]


@call(0.8, 2.3)
def gamma(g):
    return colour.gamma_function(0.4, g) + colour.luminance(30.0 + g)


@call(0.8, 9.3)
def munsell(y):
    return colour.munsell_value(y * 10, method="Priest 1920")
