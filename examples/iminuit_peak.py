"""A maximum likelihood fit by iminuit, with the gradient by autodiff.

    python examples/iminuit_peak.py            # --source prints the generated code

A peak on a falling background, unbinned: minus the logarithm of the likelihood of 2,000 events.
Migrad gets the gradient; the errors that Hesse finds stand beside those of the Hessian by autodiff.
The last line compares the minimum with what iminuit finds by finite differences.
"""

from __future__ import annotations

import sys

import numpy as np
from iminuit import Minuit

from autodiff import grad, hessian

TOP = 10.0


def minus_log_likelihood(parameters, events):
    """Of events between 0 and TOP."""
    share, centre, width, length = parameters
    peak = np.exp(-0.5 * ((events - centre) / width) ** 2) / (width * np.sqrt(2.0 * np.pi))
    falling = np.exp(-events / length) / (length * (1.0 - np.exp(-TOP / length)))
    return -np.sum(np.log(share * peak + (1.0 - share) * falling))


def fitted(events, slope):
    """Where Migrad ends."""

    def cost(parameters):
        return minus_log_likelihood(parameters, events)

    start = np.array([0.5, 4.5, 1.0, 2.0])
    fit = Minuit(cost, start, grad=slope, name=("share", "centre", "width", "length"))
    fit.errordef, fit.tol = Minuit.LIKELIHOOD, 1e-4
    fit.limits = [(0.01, 0.99), (0.0, TOP), (0.05, 5.0), (0.5, 50.0)]
    fit.migrad()
    fit.hesse()
    return fit


def main():
    rng = np.random.default_rng(0)
    falling = rng.exponential(3.0, 3000)
    events = np.append(falling[falling < TOP][:1600], rng.normal(5.0, 0.4, 400))
    derivative = grad(minus_log_likelihood)
    fit = fitted(events, lambda parameters: derivative(parameters, events))
    plain = fitted(events, None)
    if "--source" in sys.argv:
        print(derivative.source)
    exact = hessian(minus_log_likelihood)(np.array(fit.values), events)
    errors = np.sqrt(np.diag(np.linalg.inv(exact)))
    for name, value, error, own in zip(fit.parameters, fit.values, fit.errors, errors):
        print(f"{name:6}: {value:.4f} +- {error:.4f}, by the Hessian of autodiff {own:.4f}")
    print(f"calls of the likelihood: {fit.nfcn} with the gradient, {plain.nfcn} without")
    print(f"at its minimum: {fit.fval:.4f} (expected {plain.fval:.4f})")


if __name__ == "__main__":
    main()
