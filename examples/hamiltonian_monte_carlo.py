"""Hamiltonian Monte Carlo with the gradient of a log density in plain NumPy.

    python examples/hamiltonian_monte_carlo.py            # --source prints the generated code

A posterior of three parameters of a damped oscillation, sampled by leapfrog steps along the
gradient that `value_and_grad` gives. What samplers of other packages (PyMC, blackjax, NumPyro) ask
for is such a function, too; for those that run in JAX wrap the density by `autodiff.interop.jax`.
The last line goes along a trajectory and back, which ends where it began only if the gradient is
one of the energy.
"""

from __future__ import annotations

import sys

import numpy as np

from autodiff import value_and_grad

TIMES = np.linspace(0.0, 4.0, 60)
TRUTH = np.array([1.5, 3.0, 0.4])  # amplitude, frequency, damping
NOISE, STEP, LENGTH = 0.1, 0.01, 20


def potential(q, times, observed):
    """Minus the logarithm of the posterior density, with a wide normal prior."""
    amplitude, frequency, damping = q
    predicted = amplitude * np.cos(frequency * times) * np.exp(-damping * times)
    return 0.5 * np.sum((predicted - observed) ** 2) / NOISE**2 + 0.5 * np.sum((q / 10.0) ** 2)


def trajectory(slope, q, p, length):
    """Where a particle goes that begins at q with momentum p."""
    for _ in range(length):
        p = p - 0.5 * STEP * slope(q)[1]
        q = q + STEP * p
        p = p - 0.5 * STEP * slope(q)[1]
    return q, p


def main():
    rng = np.random.default_rng(0)
    clean = TRUTH[0] * np.cos(TRUTH[1] * TIMES) * np.exp(-TRUTH[2] * TIMES)
    observed = clean + NOISE * rng.standard_normal(len(TIMES))
    derivative = value_and_grad(potential)

    def slope(q):
        return derivative(q, TIMES, observed)

    q, samples, accepted = TRUTH.copy(), [], 0
    for _ in range(1000):
        p = rng.standard_normal(3)
        new, momentum = trajectory(slope, q, p, LENGTH)
        lost = slope(new)[0] + 0.5 * momentum @ momentum - slope(q)[0] - 0.5 * p @ p
        if np.log(rng.random()) < -lost:
            q, accepted = new, accepted + 1
        samples.append(q)
    if "--source" in sys.argv:
        print(derivative.source)
    mean, spread = np.mean(samples, axis=0), np.std(samples, axis=0)
    for name, true, m, s in zip(("amplitude", "frequency", "damping"), TRUTH, mean, spread):
        print(f"{name:9}: {m:.3f} +- {s:.3f}, was {true}")
    print(f"accepted: {accepted / 1000:.2f}")

    there = trajectory(slope, TRUTH, np.ones(3), 200)
    back, _ = trajectory(slope, there[0], -there[1], 200)
    print(f"potential, there and back: {slope(back)[0]:.9f} (expected {slope(TRUTH)[0]:.9f})")


if __name__ == "__main__":
    main()
