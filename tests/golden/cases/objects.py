"""Objects that are changed by methods, come in as arguments, or are made inside."""

from dataclasses import dataclass

import numpy as np

from tests.golden.case import case
from tests.language.data import M33, V3


class Heat:
    def __init__(self, u, stiffness, diffusivity):
        self.u = u
        self.stiffness = stiffness
        self.diffusivity = diffusivity
        self.t = 0.0

    def step(self, dt):
        self.u = self.u - dt * self.diffusivity * self.stiffness @ self.u
        self.t += dt


@case(Heat(V3, M33, 0.4), 5)
def method_that_updates(heat, n):
    for _ in range(n):
        heat.step(0.1)
    return np.sum(heat.u**2) * heat.t


@dataclass
class Body:
    position: float
    velocity: float
    mass: float = 1.0

    def kick(self, force, dt):
        self.velocity += dt * force / self.mass

    def drift(self, dt):
        self.position += dt * self.velocity


@case(Body(0.4, 0.1, 2.0), 0.1, wrt=("body", "dt"))
def dataclass_argument(body, dt):
    body.kick(-body.position, dt)
    body.drift(dt)
    return body.position**2 + body.velocity**2


@case(0.4, 0.1, 10, wrt=("x", "v"))
def object_made_inside(x, v, n):
    body = Body(x, v)
    for _ in range(n):
        body.kick(-np.sin(body.position), 0.1)
        body.drift(0.1)
    return body.position
