"""Methods, classes, properties, dataclasses and named tuples."""

import collections
import dataclasses
import typing
from types import SimpleNamespace

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, M33, V3, V4, W3


@dataclasses.dataclass
class Line:
    slope: float
    offset: float

    def __call__(self, x):
        return self.slope * x + self.offset

    def root(self):
        return -self.offset / self.slope

    @property
    def norm(self):
        return np.sqrt(self.slope**2 + self.offset**2)

    @staticmethod
    def mix(a, b):
        return 0.3 * a + 0.7 * b

    @classmethod
    def through_origin(cls, slope):
        return cls(slope, 0.0)


@dataclasses.dataclass(frozen=True)
class Frozen:
    w: typing.Any
    b: typing.Any
    name: str = "frozen"


class Oscillator:
    damping = 0.2

    def __init__(self, k, m=1.0):
        self.k = k
        self.m = m

    @property
    def frequency(self):
        return np.sqrt(self.k / self.m)

    def acceleration(self, x, v):
        return -(self.k * x + self.damping * v) / self.m

    def energy(self, x, v):
        return 0.5 * self.m * v**2 + self.potential(x)

    def potential(self, x):
        return 0.5 * self.k * x**2


class Duffing(Oscillator):
    def __init__(self, k, beta):
        super().__init__(k)
        self.beta = beta

    def potential(self, x):
        return super().potential(x) + 0.25 * self.beta * x**4


class Dense:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return np.tanh(self.w @ x + self.b)


Point = collections.namedtuple("Point", ["x", "y"])


class State(typing.NamedTuple):
    position: typing.Any
    velocity: typing.Any

    def energy(self):
        return self.position**2 + self.velocity**2


FIXED = Oscillator(2.0, 0.5)


@program([(Line(0.7, 1.3), 0.4), (Line(0.7, 1.3), V3)], analytic=True)
def callable_dataclass(line, x):
    return np.sum(line(x) * line.root() + line.norm * x)


@program([(Line(0.7, 1.3), 0.4)], analytic=True)
def attributes(line, x):
    return line.slope * x**2 + line.offset * line.slope


@program([(Frozen(M23, np.array([0.3, -0.8])), V3), (Frozen(0.4, 0.6), 1.2)], analytic=True)
def frozen_dataclass(layer, x):
    y = np.dot(layer.w, x) + layer.b
    return np.sum(y * y)


@program([(Oscillator(2.0), 0.4, 0.8), (Oscillator(2.0, 0.7), 0.4, 0.8)], analytic=True)
def method_calls(system, x, v):
    a = system.acceleration(x, v)
    return system.energy(x + 0.1 * v, v + 0.1 * a) * system.frequency


@program([(Duffing(1.5, 0.7), 0.4, 0.8)], analytic=True, refusable=True)
def inherited_method(system, x, v):
    return system.energy(x, v) * system.damping


@program([(0.4, 0.8)], analytic=True)
def global_object(x, v):
    return FIXED.energy(x, v) + FIXED.frequency * FIXED.acceleration(x, v) ** 2


@program([(0.4, 0.8)], analytic=True, refusable=True)
def object_made_inside(k, x):
    system = Oscillator(k, m=2.0)
    return system.energy(x, k * x)


@program([(0.4, 0.8)], analytic=True, refusable=True)
def dataclass_made_inside(a, b):
    line = Line(a * b, offset=b)
    return line(a) * line.norm


@program([(0.4, 0.8)], analytic=True, refusable=True)
def static_and_class_methods(a, b):
    line = Line.through_origin(a)
    return Line.mix(a, b) * line(b)


@program([([Dense(M33, V3), Dense(M23, np.array([0.1, 0.4]))], W3)], analytic=True)
def list_of_callable_objects(layers, x):
    for layer in layers:
        x = layer(x)
    return np.sum(x**2)


@program([(Point(0.4, 1.2),), (Point(V3, W3),)], analytic=True)
def named_tuple(p):
    x, y = p
    return np.sum(p.x * p.y + x**2 * y)


@program([(State(0.4, 1.2),)], analytic=True, refusable=True)
def named_tuple_with_method(state):
    moved = State(state.position + 0.1 * state.velocity, velocity=state.velocity * 0.9)
    return moved.energy() * state.energy()


@program([(State(0.4, 1.2), 3)], analytic=True, refusable=True)
def named_tuple_in_loop(state, n):
    for _ in range(n):
        x = state.position + 0.1 * state.velocity
        v = state.velocity - 0.1 * np.sin(x)
        state = State(x, v)
    return state.energy()


@program([(0.4, 1.2)], analytic=True, refusable=True)
def named_tuple_result(x, y):
    return Point(x * y, y=x - y)


@program([(State(0.4, 1.2),)], analytic=True, refusable=True)
def named_tuple_replace(state):
    other = state._replace(velocity=state.velocity * state.position)
    return other.velocity**2 + other.position


@program([(SimpleNamespace(rate=0.4, scale=V3, n=3), 1.2)], analytic=True, refusable=True)
def namespace_argument(config, x):
    y = x
    for _ in range(config.n):
        y = y * config.rate + np.sum(config.scale) * x
    return y


class Accumulator:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value):
        self.total = self.total + value * value
        self.count += 1
        return self

    def mean(self):
        return self.total / self.count


@program([(V4,)], analytic=True, refusable=True)
def object_with_state(x):
    acc = Accumulator()
    for xi in x:
        acc.add(xi)
    acc.add(x[0] * x[1]).add(x[2])
    return acc.mean()


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


@program([(0.4, 1.2)], analytic=True, refusable=True)
def overloaded_operators(a, b):
    u = Vector(a, b)
    w = u + u * b
    return w.dot(u)


class Model:
    def __init__(self, coefficients):
        self.coefficients = coefficients

    def predict(self, x):
        y = 0.0
        for c in self.coefficients:
            y = y * x + c
        return y

    def loss(self, xs, ys):
        total = 0.0
        for x, y in zip(xs, ys):
            total += (self.predict(x) - y) ** 2
        return total / len(xs)


@program([(Model([0.4, -0.3, 1.1]), V4, V4**2), (Model(V3), V4, V4**2)], analytic=True)
def model_with_loop_in_method(model, xs, ys):
    return model.loss(xs, ys)


@program([(0.4, 1.2)], analytic=True, refusable=True)
def bound_method_as_value(x, y):
    system = Oscillator(y)
    potential = system.potential
    return potential(x) * sum(map(potential, [x, y]))


@program([(Line(0.7, 1.3), 0.4)], analytic=True, refusable=True)
def getattr_by_name(line, x):
    total = 0.0
    for name in ("slope", "offset"):
        total += getattr(line, name) ** 2 * x
    return total


class Particle(typing.NamedTuple):
    position: typing.Any
    velocity: typing.Any
    mass: float = 1.5
    label: typing.Any = None


@program([(0.7, 1.2)], analytic=True)
def named_tuple_with_defaults(x, v):
    one = Particle(x, v)
    other = Particle(velocity=x, position=v, mass=x * v)
    kinetic = 0.5 * one.mass * one.velocity**2 + other.mass * other.velocity**2
    return kinetic + (0.0 if one.label is None else one.label)


@program([(0.7, 1.2)], analytic=True)
def named_tuple_replaced_in_a_loop(x, v):
    state = Particle(x, v)
    for _ in range(3):
        state = state._replace(velocity=state.velocity - 0.1 * state.position)
        state = state._replace(position=state.position + 0.1 * state.velocity)
    return state.position**2 * state.mass


@program([([Particle(0.7, 1.2), Particle(0.2, -0.3, 2.0)], 3)], wrt=0, analytic=True)
def named_tuples_made_anew(particles, steps):
    for _ in range(steps):
        particles = [p._replace(position=p.position + 0.1 * p.velocity) for p in particles]
        particles = [Particle(p.position, p.velocity - 0.1 * p.position) for p in particles]
    return sum(p.mass * p.position * p.velocity for p in particles)
