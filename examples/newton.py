"""Differentiate through Newton's method: how a planet's place depends on its orbit.

    python examples/newton.py            # --source prints the generated code

Kepler's equation E - e sin(E) = M gives the eccentric anomaly E of a planet at mean anomaly M on
an orbit of eccentricity e. It has no closed solution, so a `while` loop finds it. Autodiff
differentiates the loop that ran; the implicit function theorem needs the equation alone:

    dE/dM = 1 / (1 - e cos E)        dE/de = sin(E) / (1 - e cos E)
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

from autodiff import grad

MERCURY, HALLEY = 0.20563, 0.96714  # eccentricities
EXPECTED = 0.976681  # dE/de for Halley's comet, a tenth of an orbit after perihelion


def anomaly(mean_anomaly, e):
    """The eccentric anomaly by Newton's method."""
    E = mean_anomaly + e * math.sin(mean_anomaly)
    error = E - e * math.sin(E) - mean_anomaly
    while abs(error) > 1e-12:
        E = E - error / (1 - e * math.cos(E))
        error = E - e * math.sin(E) - mean_anomaly
    return E


def implicit(mean_anomaly, e):
    """Both derivatives by the implicit function theorem."""
    E = anomaly(mean_anomaly, e)
    slope = 1 - e * math.cos(E)
    return 1 / slope, math.sin(E) / slope


def picture(path, derivative):
    """dE/de over half an orbit, by the loop (line) and by the theorem (dots)."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional extra

    figure = Figure(figsize=(7, 4))
    axes = figure.subplots()
    fine, coarse = np.linspace(0.01, np.pi, 200), np.linspace(0.05, np.pi, 25)
    for name, e in (("Mercury", MERCURY), ("Halley", HALLEY)):
        axes.plot(fine, [derivative(float(M), e)[1] for M in fine], label=f"{name}, e = {e}")
        axes.plot(coarse, [implicit(float(M), e)[1] for M in coarse], "k.", markersize=4)
    axes.set(xlabel="mean anomaly M", ylabel="dE/de", title="Derivative through Newton's method")
    axes.legend()
    figure.savefig(path, dpi=120)
    print(f"picture: {path}")


def main():
    derivative = grad(anomaly, wrt=("mean_anomaly", "e"))
    if "--source" in sys.argv:
        print(derivative.source_for(0.2 * math.pi, HALLEY))

    worst = 0.0
    for name, e in (("Mercury", MERCURY), ("Halley", HALLEY)):
        for part in (0.1, 0.25, 0.4):
            M = 2 * math.pi * part
            by_loop, by_theorem = derivative(M, e), implicit(M, e)
            worst = max(worst, *(abs(a - b) for a, b in zip(by_loop, by_theorem)))
            print(f"{name:8} M = {M:.3f}: E = {anomaly(M, e):.6f}, "
                  f"dE/dM = {by_loop[0]:.6f}, dE/de = {by_loop[1]:.6f}")  # fmt: skip
    print(f"largest difference to the implicit function theorem: {worst:.1e}")
    try:
        picture(Path(__file__).with_suffix(".png"), derivative)
    except ImportError:
        print("picture: skipped, matplotlib is not installed")
    answer = derivative(0.2 * math.pi, HALLEY)[1]
    print(f"dE/de of Halley's comet: {answer:.6f} (expected {EXPECTED:.6f})")


if __name__ == "__main__":
    main()
