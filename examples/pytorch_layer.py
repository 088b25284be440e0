"""A simulation in NumPy as a layer of a network of PyTorch.

    python examples/pytorch_layer.py            # --source prints the generated code

A rod is heated at one end by an unknown amount, and temperatures are measured later. A network
guesses the heat and the conductivity from the measurements; the simulation, a loop over time that
works in place, computes what would have been measured then. Both are trained together: PyTorch
differentiates the network, autodiff the simulation. The last line compares the slope of the loss
along a direction of the network's weights with a difference.
"""

from __future__ import annotations

import sys

import numpy as np
import torch

from autodiff import grad
from autodiff.interop.torch import wrap

POINTS, STEPS = 12, 30


def simulated(heat, conductivity):
    """Temperatures along the rod after some time."""
    u = np.zeros(POINTS)
    for _ in range(STEPS):
        u[0] = heat
        u[1:-1] += conductivity * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def main():
    if "--source" in sys.argv:
        slope = grad(lambda heat, conductivity: np.sum(simulated(heat, conductivity)), wrt=(0, 1))
        print(slope.source_for(1.0, 0.2))
    torch.manual_seed(0)
    rod = wrap(simulated)
    truth = [(1.0 + 0.1 * k, 0.1 + 0.02 * k) for k in range(8)]
    measured = torch.stack([rod(*(torch.tensor(x).double() for x in pair)) for pair in truth])
    network = torch.nn.Sequential(
        torch.nn.Linear(POINTS, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2), torch.nn.Softplus()
    ).double()

    def loss():
        guesses = network(measured) * torch.tensor([1.0, 0.2])
        again = torch.stack([rod(heat, c.clamp(max=0.45)) for heat, c in guesses])
        return ((again - measured) ** 2).mean()

    value = loss()
    value.backward()
    weights = network[0].weight
    slope = weights.grad.sum().item()
    with torch.no_grad():
        ends = []
        for step in (1e-5, -2e-5):
            weights += step
            ends.append(loss().item())
        weights += 1e-5

    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    for step in range(61):
        optimiser.zero_grad()
        value = loss()
        value.backward()
        if step % 20 == 0:
            print(f"step {step:2}: mean square of the residuals {value.item():.2e}")
        optimiser.step()
    expected = (ends[0] - ends[1]) / 2e-5
    print(f"slope of the loss at the start: {slope:.6e} (expected {expected:.6e})")


if __name__ == "__main__":
    main()
