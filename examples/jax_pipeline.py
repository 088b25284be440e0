"""A loop in NumPy inside of a program of JAX: compiled, mapped and differentiated with it.

    python examples/jax_pipeline.py            # --source prints the generated code

The orbit of a planet is integrated in NumPy, step by step and in place. JAX computes its energy for
many starting velocities, takes gradients of all of them in one compiled call
(`jit(vmap(grad(...)))`), and finds the circular orbit by Newton's method with a Hessian. The last
line compares that speed with the one from a textbook.
"""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import numpy as np

from autodiff import grad
from autodiff.interop.jax import wrap

STEPS, STEP = 200, 0.01


def orbit(velocity):
    """Distances from the sun along the orbit that begins at (1, 0): leapfrog."""
    x, v = np.array([1.0, 0.0]), velocity.copy()
    distances = np.zeros(STEPS)
    for k in range(STEPS):
        v -= 0.5 * STEP * x / np.sum(x**2) ** 1.5
        x += STEP * v
        v -= 0.5 * STEP * x / np.sum(x**2) ** 1.5
        distances[k] = np.sqrt(np.sum(x**2))
    return distances


def main():
    jax.config.update("jax_enable_x64", True)
    distances = wrap(orbit)
    if "--source" in sys.argv:
        slope = grad(lambda velocity: np.sum(orbit(velocity)))
        print(slope.source_for(np.ones(2)))

    def eccentric(velocity):
        """How far the orbit is from a circle; a function of JAX."""
        return jnp.mean((distances(velocity) - 1.0) ** 2)

    many = jnp.array([[0.0, 0.8], [0.0, 1.0], [0.1, 1.1]])
    print("gradients of three:", jax.jit(jax.vmap(jax.grad(eccentric)))(many).round(4).tolist())
    velocity = jnp.array([0.02, 0.95])
    slope, curvature = jax.jit(jax.grad(eccentric)), jax.jit(jax.jacrev(jax.grad(eccentric)))
    for step in range(7):
        print(f"step {step}: {eccentric(velocity):.2e} from a circle at {velocity.round(5)}")
        velocity -= jnp.linalg.solve(curvature(velocity), slope(velocity))
    speed = np.linalg.norm(velocity)
    textbook = np.sqrt(1.0 - (STEP / 2) ** 2)  # of circles that leapfrog draws
    print(f"speed on a circle: {speed:.8f} (expected {textbook:.8f})")


if __name__ == "__main__":
    main()
