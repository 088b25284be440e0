"""Find the parameters of a Lorenz system from noisy measurements of its state.

    python examples/lorenz.py            # --source prints the generated code

A trajectory is made with sigma = 10, rho = 28, beta = 8/3 and measured every tenth step with noise.
The misfit integrates the system again by a Runge-Kutta loop over plain numbers, and autodiff writes
the reverse loop; scipy then walks back from a wrong guess to the parameters.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from autodiff import value_and_grad

TRUE = np.array([10.0, 28.0, 8.0 / 3.0])
GUESS = np.array([8.0, 24.0, 2.0])
NOISE = 0.5
EXPECTED = 28.0154  # rho of the best fit to these measurements


def velocity(x, y, z, sigma, rho, beta):
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def step(x, y, z, sigma, rho, beta, h):
    """One step of the classical Runge-Kutta method."""
    a1, b1, c1 = velocity(x, y, z, sigma, rho, beta)
    a2, b2, c2 = velocity(x + h / 2 * a1, y + h / 2 * b1, z + h / 2 * c1, sigma, rho, beta)
    a3, b3, c3 = velocity(x + h / 2 * a2, y + h / 2 * b2, z + h / 2 * c2, sigma, rho, beta)
    a4, b4, c4 = velocity(x + h * a3, y + h * b3, z + h * c3, sigma, rho, beta)
    x = x + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    y = y + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    z = z + h / 6 * (c1 + 2 * c2 + 2 * c3 + c4)
    return x, y, z


def trajectory(parameters, steps, h):
    """The states at every step, one row each."""
    states = [(1.0, 1.0, 20.0)]
    for _ in range(steps):
        states.append(step(*states[-1], *parameters, h))
    return np.array(states)


def misfit(parameters, measured, every, h):
    """The mean square distance to the measurements."""
    sigma, rho, beta = parameters
    x, y, z = 1.0, 1.0, 20.0
    total = 0.0
    for k in range(1, every * len(measured) + 1):
        x, y, z = step(x, y, z, sigma, rho, beta, h)
        if k % every == 0:
            u, v, w = measured[k // every - 1]
            total += (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2
    return total / len(measured)


def picture(path, fitted, measured, every, h):
    """Measurements, the true trajectory, the guess and the fit, seen along y."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional extra

    figure = Figure(figsize=(7, 5))
    axes = figure.subplots()
    axes.plot(measured[:, 0], measured[:, 2], "k.", markersize=4, label="measured")
    for label, parameters in (("true", TRUE), ("guess", GUESS), ("fit", fitted)):
        states = trajectory(parameters, every * len(measured), h)
        axes.plot(states[:, 0], states[:, 2], "--" if label == "fit" else "-", label=label)
    axes.set(xlabel="x", ylabel="z", title="Lorenz system")
    axes.legend()
    figure.savefig(path, dpi=120)
    print(f"picture: {path}")


def main():
    every, h, steps = 10, 0.005, 400
    rng = np.random.default_rng(1)
    states = trajectory(TRUE, steps, h)[every::every]
    measured = states + NOISE * rng.standard_normal(states.shape)

    objective = value_and_grad(misfit)
    value, gradient = objective(GUESS, measured, every, h)
    if "--source" in sys.argv:
        print(objective.source)
    print(f"guess: {GUESS}, misfit {value:.4f}, gradient {np.round(gradient, 4)}")
    for name, unit, slope in zip(("sigma", "rho", "beta"), np.eye(3), gradient):
        higher = misfit(GUESS + 1e-5 * unit, measured, every, h)
        lower = misfit(GUESS - 1e-5 * unit, measured, every, h)
        print(f"{name:5}: gradient {slope:.5f}, finite differences {(higher - lower) / 2e-5:.5f}")

    fit = minimize(objective, GUESS, args=(measured, every, h), jac=True, method="BFGS")
    print(f"{fit.message} {fit.nit} steps, {fit.nfev} gradients, misfit {fit.fun:.4f} "
          f"(noise: {3 * NOISE**2:.4f})")  # fmt: skip
    print(f"sigma, rho, beta: {np.round(fit.x, 3)}, true: {np.round(TRUE, 3)}")
    try:
        picture(Path(__file__).with_suffix(".png"), fit.x, measured, every, h)
    except ImportError:
        print("picture: skipped, matplotlib is not installed")
    print(f"rho of the best fit: {fit.x[1]:.4f} (expected {EXPECTED:.4f})")


if __name__ == "__main__":
    main()
