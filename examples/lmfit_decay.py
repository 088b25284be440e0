"""A fit by lmfit, with bounds and a parameter that is held, and the Jacobian by autodiff.

    python examples/lmfit_decay.py            # --source prints the generated code

Two decays on a background. lmfit wants the derivative of the residuals by each parameter that
varies, in their order: the columns of `jacobian(residuals)` that belong to them. The last line
compares the rate of the fast decay with what lmfit finds by finite differences.
"""

from __future__ import annotations

import sys

import lmfit
import numpy as np

from autodiff import jacobian

TIMES = np.linspace(0.0, 8.0, 120)


def residuals(values, times, counts):
    fast, fast_rate, slow, slow_rate, background = values
    decays = fast * np.exp(-fast_rate * times) + slow * np.exp(-slow_rate * times)
    return decays + background - counts


def numbers(parameters):
    """The values of all parameters as an array."""
    return np.array([*parameters.valuesdict().values()])


def of_parameters(parameters, times, counts):
    return residuals(numbers(parameters), times, counts)


slopes = jacobian(residuals)


def by_parameters(parameters, times, counts):
    """One row for each parameter that varies."""
    vary = [parameter.vary for parameter in parameters.values()]
    return slopes(numbers(parameters), times, counts).T[vary]


def main():
    rng = np.random.default_rng(0)
    truth = np.array([3.0, 2.0, 1.0, 0.3, 0.2])
    counts = residuals(truth, TIMES, 0.02 * rng.standard_normal(len(TIMES)))
    start = lmfit.create_params(
        fast={"value": 1.0, "min": 0.0},
        fast_rate={"value": 1.0, "min": 0.0, "max": 10.0},
        slow={"value": 0.5, "min": 0.0},
        slow_rate={"value": 0.1, "min": 0.0, "max": 10.0},
        background={"value": 0.2, "vary": False},
    )
    given = {"args": (TIMES, counts), "ftol": 1e-14, "xtol": 1e-12}
    fit = lmfit.minimize(of_parameters, start, Dfun=by_parameters, col_deriv=True, **given)
    plain = lmfit.minimize(of_parameters, start, **given)
    if "--source" in sys.argv:
        print(slopes.source)
    for name, parameter in fit.params.items():
        print(f"{name:10}: {parameter.value:.3f} +- {parameter.stderr or 0.0:.3f}")
    print(f"calls of the residuals: {fit.nfev} with the Jacobian, {plain.nfev} without")
    found, expected = (own.params["fast_rate"].value for own in (fit, plain))
    print(f"rate of the fast decay: {found:.6f} (expected {expected:.6f})")


if __name__ == "__main__":
    main()
