"""Calls into lenstronomy: lenses and light profiles by their names."""

from __future__ import annotations

import numpy as np
from lenstronomy.Data.psf import PSF
from lenstronomy.LensModel.lens_model import LensModel
from lenstronomy.LensModel.lens_model_extensions import LensModelExtensions
from lenstronomy.LightModel.light_model import LightModel
from lenstronomy.PointSource.point_source import PointSource
from lenstronomy.Util import kernel_util, param_util, util

from tests.world.calls import call

DISTRIBUTION = "lenstronomy"
X, Y = np.array([0.6, -1.1, 0.3]), np.array([0.8, 0.2, -0.9])
SHEAR = {"gamma1": 0.05, "gamma2": -0.02}


@call(1.2, 0.7)
def isothermal(theta):
    model = LensModel(["SIS"])
    return np.sum(model.potential(X, Y, [{"theta_E": theta, "center_x": 0.1, "center_y": 0.0}]))


@call(0.2, -0.1)
def elliptical(e1):
    model = LensModel(["SIE", "SHEAR"])
    lens = {"theta_E": 1.2, "e1": e1, "e2": 0.1, "center_x": 0.0, "center_y": 0.1}
    ax, ay = model.alpha(X, Y, [lens, SHEAR])
    return np.sum(ax * ax + ay)


@call(2.1, 1.8)
def power_law(gamma):
    model = LensModel(["EPL"])
    lens = {"theta_E": 1.2, "gamma": gamma, "e1": 0.1, "e2": -0.05}
    return np.sum(model.kappa(X, Y, [lens]))


@call(0.3, 0.8)
def halo(rs):
    model = LensModel(["NFW"])
    lens = {"Rs": rs, "alpha_Rs": 0.9, "center_x": 0.0, "center_y": 0.0}
    return np.sum(model.magnification(X, Y, [lens]))


@call(0.3, 0.8)
def hernquist(rs):
    model = LensModel(["HERNQUIST", "SHEAR"])
    lens = {"Rs": rs, "sigma0": 0.9, "center_x": 0.0, "center_y": 0.0}
    fx, fy = model.ray_shooting(X, Y, [lens, SHEAR])
    return np.sum(fx * fy)


@call(1.1, 2.6)
def sersic(n):
    light = LightModel(["SERSIC"])
    source = {"amp": 3.0, "R_sersic": 0.8, "n_sersic": n, "center_x": 0.1, "center_y": 0.0}
    return np.sum(light.surface_brightness(X, Y, [source]))


@call(0.2, -0.1)
def sersic_ellipse(e1):
    light = LightModel(["SERSIC_ELLIPSE", "GAUSSIAN"])
    first = {"amp": 3.0, "R_sersic": 0.8, "n_sersic": 2.0, "e1": e1, "e2": 0.1}
    first |= {"center_x": 0.1, "center_y": 0.0}
    second = {"amp": 1.0, "sigma": 0.7, "center_x": 0.0, "center_y": 0.2}
    return np.sum(light.surface_brightness(X, Y, [first, second]))


@call(0.4, 0.9)
def gaussian_flux(sigma):
    light = LightModel(["GAUSSIAN", "MULTI_GAUSSIAN"])
    first = {"amp": 2.0, "sigma": sigma, "center_x": 0.0, "center_y": 0.0}
    second = {"amp": [1.0, 0.5], "sigma": [0.4, sigma], "center_x": 0.1, "center_y": 0.0}
    return np.sum(light.surface_brightness(X, Y, [first, second]))


@call(1.3, 0.9)
def curved_arc(theta):
    extensions = LensModelExtensions(LensModel(["SIS"]))
    lens = {"theta_E": theta, "center_x": 0.0, "center_y": 0.0}
    found = extensions.radial_tangential_stretch(1.8, 0.4, [lens])
    return found[0] + found[1]


@call(0.8, 1.6)
def fwhm(width):
    psf = PSF("GAUSSIAN", fwhm=width, pixel_size=0.2)
    return psf.kernel_point_source[5, 6]


@call(0.3, 0.9)
def phi_q(phi):
    e1, e2 = param_util.phi_q2_ellipticity(phi, 0.7)
    back, q = param_util.ellipticity2phi_q(e1, e2)
    return back * 2 + q + e1


@call(1.3, 0.9)
def images(theta):
    source = PointSource(["LENSED_POSITION"], lens_model=LensModel(["SIS"]))
    given = [{"ra_image": [1.5, -0.6], "dec_image": [0.1, -0.1], "point_amp": [3.0, 1.0]}]
    lens = [{"theta_E": theta, "center_x": 0.0, "center_y": 0.0}]
    x, _ = source.source_position(given, lens)
    return np.sum(x[0])


@call(0.3, 0.9)
def turned(angle):
    x, y = util.rotate(X, Y, angle)
    kernel = kernel_util.kernel_gaussian(5, 1.0, 1.0 + angle)
    return np.sum(x * x * y) + kernel[1, 2]


@call(0.8, 1.4)
def deflected(rs):
    model = LensModel(["TNFW", "PJAFFE"])
    first = {"Rs": rs, "alpha_Rs": 0.6, "r_trunc": 3.0, "center_x": 0.1, "center_y": 0.0}
    second = {"sigma0": 0.8, "Ra": 0.3, "Rs": rs, "center_x": 0.0, "center_y": 0.0}
    ax, ay = model.alpha(X, Y, [first, second])
    return np.sum(ax * ay)


@call(0.8, 1.4)
def hessian(theta):
    model = LensModel(["NIE"])
    lens = {"theta_E": theta, "e1": 0.1, "e2": 0.05, "s_scale": 0.1}
    xx, xy, yx, yy = model.hessian(X, Y, [lens | {"center_x": 0.0, "center_y": 0.0}])
    return np.sum(xx * yy - xy * yx)


@call(0.3, 0.9)
def mass_sheet(kappa):
    model = LensModel(["CONVERGENCE", "SIS", "POINT_MASS"])
    lenses = [
        {"kappa": kappa, "ra_0": 0.0, "dec_0": 0.0},
        {"theta_E": 0.9, "center_x": 0.0, "center_y": 0.0},
        {"theta_E": 0.2, "center_x": 0.4, "center_y": 0.0},
    ]
    return np.sum(model.fermat_potential(X, Y, lenses, X, Y))


@call(0.8, 1.4)
def core_sersic(radius):
    light = LightModel(["CORE_SERSIC", "HERNQUIST"])
    first = {"amp": 2.0, "R_sersic": radius, "Rb": 0.2, "n_sersic": 2.0, "gamma": 0.3}
    first |= {"e1": 0.1, "e2": 0.0, "center_x": 0.0, "center_y": 0.0}
    second = {"amp": 1.0, "Rs": radius, "center_x": 0.0, "center_y": 0.0}
    return np.sum(light.surface_brightness(X, Y, [first, second]))
