"""Attributes and constant keys that are written: objects changed, made inside, passed on."""

import copy
import dataclasses
import typing
from types import SimpleNamespace

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, V3, V4, W3


class Simulation:
    def __init__(self, u, nu, dt=0.1):
        self.u = u
        self.nu = nu
        self.dt = dt
        self.t = 0.0
        self.steps = 0

    def step(self):
        self.u = self.u + self.dt * self.nu * self.flux()
        self.t += self.dt
        self.steps += 1

    def flux(self):
        return np.roll(self.u, 1) - 2 * self.u + np.roll(self.u, -1)

    def run(self, n):
        for _ in range(n):
            self.step()
        return self.energy

    @property
    def energy(self):
        return np.sum(self.u**2) * np.exp(-self.t)


@program([(Simulation(V4, 0.3), 3)], wrt=0, analytic=True)
def argument_that_steps(sim, n):
    return sim.run(n)


@program([(V4, 0.3, 3)], wrt=(0, 1), analytic=True)
def simulation_made_inside(u, nu, n):
    sim = Simulation(u, nu)
    value = sim.run(n)
    return value + sim.t * nu + sim.steps


@program([(Simulation(V4, 0.3), 0.2)], analytic=True)
def read_before_and_after(sim, a):
    before = sim.u
    t = sim.t
    sim.step()
    sim.t = sim.t * a
    return np.sum(before * sim.u) + t * sim.t + sim.t**2


@program([(Simulation(V4, 0.3), 0.2)], analytic=True)
def value_passed_before_it_changes(sim, a):
    def use(old):
        sim.nu = old * a
        return old + sim.nu

    return use(sim.nu) * sim.nu


class Shift:
    def __init__(self, v):
        self.v = v

    def replace(self, old):
        self.v = old * old
        return self.v * old

    def twice(self, f):
        return f(f(self.v))


@program([(Shift(0.7), 1.2)], analytic=True)
def argument_is_a_part_of_itself(s, x):
    y = s.replace(s.v)
    z = s.replace(s.v)
    return y * z * x + s.v


@program([(Shift(0.7), 1.2)])
def object_on_one_branch(s, x):
    if x > 1.0:
        s.v = s.v * x
    else:
        s.w = x
    return s.v**2 * x


@program([(Shift(0.7), 1.2), (Shift(0.7), -1.2)])
def early_return_in_method(s, x):
    def change():
        if x < 0:
            return x * s.v
        s.v = s.v * x
        return s.v

    return change() * s.v


@dataclasses.dataclass
class Body:
    x: typing.Any
    v: typing.Any
    mass: float = 2.0
    trail: list = dataclasses.field(default_factory=list)
    count: int = dataclasses.field(default=0, compare=False)

    def kick(self, f, dt):
        self.v = self.v + dt * f / self.mass

    def drift(self, dt):
        self.x = self.x + dt * self.v
        self.trail.append(self.x)
        self.count += 1

    def moved(self, dt):
        return Body(self.x + dt * self.v, self.v, mass=self.mass)


@program([(0.4, 0.8, 3), (V3, W3, 3)], wrt=(0, 1), analytic=True)
def leapfrog(x, v, n):
    body = Body(x, v)
    for _ in range(n):
        body.kick(-body.x * body.mass, 0.1)
        body.drift(0.1)
    return np.sum(body.x**2 + body.v * body.x) + body.count


@program([(0.4, 0.8, 3)], wrt=(0, 1), analytic=True)
def history_of_an_object(x, v, n):
    body = Body(x, v, trail=[x])
    for _ in range(n):
        body.drift(0.1)
    return body.trail[0] * body.trail[1] + body.trail[-1] ** 2 + sum(body.trail)


@program([(0.4, 0.8, 3)], wrt=(0, 1), analytic=True)
def rebuilt_in_a_loop(x, v, n):
    body = Body(x, v)
    for _ in range(n):
        body = body.moved(0.1)
    return body.x * body.v


@program([(0.4, 0.8, 3)], wrt=(0, 1), analytic=True, refusable=True)
def rebuilt_and_changed_in_a_loop(x, v, n):
    body = Body(x, v)
    for _ in range(n):
        body = body.moved(0.1)
        body.v = body.v * x
    return body.x * body.v


@program([(0.4, 0.8)], analytic=True)
def replaced_dataclass(x, v):
    body = Body(x, v)
    other = dataclasses.replace(body, v=v * x)
    other.x = other.x * other.v
    return body.x + other.x * body.v + other.mass * other.v


@program([(Body(0.4, 0.8), 1.1)], analytic=True)
def replaced_argument(body, a):
    other = dataclasses.replace(body, v=body.v * a)
    body.x = a
    return body.x * other.x * other.v


@program([(0.4, 0.8)], analytic=True)
def returned_object(x, v):
    body = Body(x * v, v, mass=3.0)
    body.kick(x, 0.1)
    return body


@program([(Body(0.4, V3), 1.1)], analytic=True)
def returned_argument(body, a):
    body.kick(a, 0.1)
    return body


@program([(Body(0.4, 0.8), 1.1)], analytic=True)
def returned_with_value(body, a):
    def step(b, dt):
        b.x = b.x + dt * b.v * a
        return b, b.x**2

    body, first = step(body, 0.1)
    body, second = step(body, 0.2)
    return first * second + body.x


@dataclasses.dataclass
class Base:
    a: typing.Any
    b: typing.Any = 1.5

    def __post_init__(self):
        self.norm = np.sqrt(self.a**2 + self.b**2)


@dataclasses.dataclass
class Derived(Base):
    c: typing.Any = 0.5

    def __post_init__(self):
        super().__post_init__()
        self.c = self.c * self.norm


@dataclasses.dataclass(frozen=True)
class Unit:
    x: float
    y: float
    scale: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, scale):
        object.__setattr__(self, "x", self.x * scale)


@program([(0.4, 0.8)], analytic=True)
def post_init_and_inheritance(x, y):
    d = Derived(x, c=y)
    e = Base(y)
    u = Unit(x, y, scale=y * x)
    return d.c * d.norm + d.b * e.norm + u.x * u.y


class Layer:
    def __init__(self, w, b):
        self.w = w
        self.b = b
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        self.last = np.tanh(self.w @ x + self.b)
        return self.last


class Network:
    def __init__(self, first, second):
        self.first = first
        self.second = second
        self.loss = None

    def forward(self, x):
        return self.second(self.first(x))

    def train(self, x, y, rate):
        out = self.forward(x)
        self.loss = np.sum((out - y) ** 2)
        self.first.w = self.first.w - rate * np.outer(out - y, x)
        return self.loss


NETWORK = Network(Layer(M33, V3), Layer(M33.T, W3))


@program([(NETWORK, V3, W3)], analytic=True)
def objects_in_an_object(net, x, y):
    first = net.train(x, y, 0.1)
    second = net.train(x, y, 0.1)
    return first + second * net.loss + net.first.calls + np.sum(net.first.last)


@program([(V3, W3)], analytic=True)
def objects_in_an_object_made_inside(x, y):
    net = Network(Layer(np.outer(x, y), x), Layer(np.outer(y, y), y))
    return net.train(x, y, 0.1) * net.loss


class Tagged:
    kind = "tagged"
    gain = 2.0

    __slots__ = ("v", "w")

    def __init__(self, v):
        self.v = v

    @property
    def double(self):
        return self.v * self.gain

    @double.setter
    def double(self, value):
        self.v = value / self.gain


@program([(0.4, 1.2)], analytic=True)
def slots_and_setter(x, y):
    t = Tagged(x)
    t.double = x * y
    t.double += y
    t.w = t.double * t.v
    return t.w if t.kind == "tagged" else t.v


class Counter:
    total = 0.0
    factor = 3.0

    def add(self, v):
        self.total += v * self.factor
        return self


@program([(V3,)], analytic=True)
def class_attribute_as_default(x):
    c = Counter()
    for v in x:
        c.add(v * v)
    return c.total * c.add(x[0]).total


@program([(0.4, 1.2)], analytic=True)
def setattr_and_isinstance(x, y):
    c = Counter()
    setattr(c, "scale", x * y)
    if isinstance(c, Counter) and c is not None:
        c.scale = c.scale * x
    if hasattr(c, "add"):
        c.add(y)
    return getattr(c, "scale") + c.total


@program([(0.4, 1.2)], analytic=True)
def namespace_made_inside(x, y):
    s = SimpleNamespace(a=x, b=y)
    s.c = s.a * s.b
    s.a += s.c
    return s.a * s.c


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        if not isinstance(other, Vec):
            return Vec(self.x + other, self.y + other)
        return Vec(self.x + other.x, self.y + other.y)

    __radd__ = __add__

    def __mul__(self, factor):
        if isinstance(factor, Vec):
            return self.x * factor.x + self.y * factor.y
        return Vec(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __iadd__(self, other):
        self.x = self.x + other.x
        self.y = self.y + other.y
        return self

    def __getitem__(self, i):
        return self.x if i == 0 else self.y


@program([(0.4, 1.2, 3)], wrt=(0, 1), analytic=True)
def operators_of_objects(a, b, n):
    u, w = Vec(a, b), Vec(b, 2.0)
    for _ in range(n):
        u = u + 0.1 * w * a
    return u * (-w + 1.0) + u.x


@program([(0.4, 1.2)], analytic=True)
def operator_in_place(a, b):
    u, w = Vec(a, b), Vec(b, a)
    v = u
    u += w
    v += w
    return u.x * v.y + u[0] * w[1]


@program([(Vec(0.4, 1.2), 0.3)], analytic=True)
def alias_of_an_argument(p, a):
    q = p
    q.x = q.x * a
    r = [q, a]
    r[0].y = p.x * p.y
    return p.y * q.x


@program([({"h": V3, "c": W3, "n": 2}, M33, 3)], wrt=(0, 1), analytic=True)
def state_dict_changed_in_loop(state, w, n):
    for _ in range(n):
        state["h"] = np.tanh(w @ state["h"] + state["c"])
        state["c"] = 0.9 * state["c"] + state["h"]
        state["n"] += 1
    return np.sum(state["h"] * state["c"]) * state["n"]


@program([(0.4, 1.2)], analytic=True, refusable=True)
def dict_updated(x, y):
    d = {"a": x, "b": y}
    d.update(b=x * y, c=y)
    d.update({"a": d["c"] * x})
    e = d
    e["c"] += d["a"]
    return d["a"] * d["b"] + d["c"] * d.get("c", 0.0)


@program([([0.4, 1.2], 0.3)], analytic=True)
def pair_changed(pair, a):
    pair[0] = pair[0] * a
    pair[1] += pair[0]
    pair[-1] *= a
    return pair[0] * pair[1]


@program([(0.4, 1.2)], analytic=True)
def nested_dict_changed(x, y):
    d = {"p": {"q": x}, "r": [x, y]}
    d["p"]["q"] = d["p"]["q"] * y
    d["r"][1] = d["p"]["q"] + d["r"][0]
    return d["r"][1] * d["p"]["q"]


class Lazy:
    def __init__(self, x):
        self.x = x
        self.cache = None

    def value(self):
        if self.cache is None:
            self.cache = self.x * self.x
        return self.cache


@program([(0.4,), (V3,)], analytic=True)
def field_set_later(x):
    lazy = Lazy(x)
    return np.sum(lazy.value() * lazy.value() + x)


class Activated:
    def __init__(self, act):
        self.act = act
        self.out = 0.0

    def __call__(self, x):
        self.out = self.act(x)
        return self.out * x


@program([(0.4,)], analytic=True)
def field_holds_a_function(x):
    layer = Activated(np.sin)
    other = Activated(lambda v: v * x)
    return layer(x) * other(x) + layer.out


@program([(0.4, 3)], wrt=0, analytic=True)
def object_printed(x, n):
    c = Counter()
    for i in range(n):
        c.add(x)
        text = f"{c} {i}"
        assert text, c
    return c.total


@program([(0.4, 3)], wrt=0, analytic=True, refusable=True)
def previous_object(x, n):
    previous = Shift(x)
    total = 0.0
    for i in range(n):
        s = Shift(x * i)
        s.v = s.v + previous.v
        previous = s
        total += s.v * x
    return total


@program([(0.4, 3)], wrt=0, analytic=True, refusable=True)
def list_of_objects_changed(x, n):
    shifts = [Shift(x * i) for i in range(n)]
    for s in shifts:
        s.v = s.v * x
    return sum(s.v for s in shifts)


@program([(0.4, 3)], wrt=0, analytic=True)
def list_of_objects_read(x, n):
    shifts = [Shift(x * i) for i in range(n)]
    return sum(s.v * x for s in shifts)


@program([(0.4, 3)], wrt=0, analytic=True)
def first_of_the_list(x, n):
    kept = []
    total = 0.0
    for i in range(n):
        s = Shift(x + i)
        kept.append(s)
        first = kept[0]
        total += first.v * x
    return total


@program([(0.4, 1.2)], analytic=True, refusable=True)
def kept_then_changed(x, y):
    s = Shift(x)
    kept = {"s": s, "others": [s]}
    s.v = y * x
    return kept["others"][0].v * kept["s"].v


@program([(0.4, 3)], wrt=0, analytic=True, refusable=True)
def one_of_two_objects(x, n):
    a, b = Shift(x), Shift(x * x)
    chosen = a
    for i in range(n):
        chosen.v = chosen.v * x
        chosen = b if i % 2 == 0 else a
    return a.v + b.v * 2


@program([(0.4,), (-0.4,)], refusable=True)
def one_of_two_by_branch(x):
    a, b = Shift(x), Shift(x * x)
    if x > 0:
        c = a
    else:
        c = b
    c.v = c.v * 3 * x
    return a.v + b.v * 2


@program([(Vec(0.4, 1.2),)], analytic=True)
def copied_object(p):
    q = copy.copy(p)
    q.x = q.x * p.y
    return q.x * p.x


@program([(Shift(0.4), 1.2), (Shift(0.4), -1.2)], refusable=True)
def changed_in_try(s, x):
    try:
        s.v = s.v * x
        if x < 0:
            raise ValueError
        s.v = s.v + 1.0
    except ValueError:
        s.v = s.v * 3
    return s.v**2


@program([(0.4, 4)], wrt=0)
def while_loop_on_a_field(x, n):
    s = Shift(x)
    while s.v < 3.0:
        s.v = s.v * 1.5 + x
    return s.v


@program([({"a": 0.4, "b": 1.2}, 0.3)], analytic=True, refusable=True)
def all_keys_changed(params, rate):
    for key in params:
        params[key] = params[key] - rate * params[key] ** 2
    return params["a"] * params["b"]


@program([({"a": 0.4, "b": V3}, 0.3)], analytic=True, refusable=True)
def dict_of_all_items(params, rate):
    new = {k: v * rate for k, v in params.items()}
    total = 0.0
    for name, value in new.items():
        total += np.sum(value**2) * len(name)
    return total + sum(np.sum(v) for v in new.values())


@program([(Vec(0.4, 1.2), 0.3)], analytic=True, refusable=True)
def all_attributes_by_name(p, a):
    for name in ("x", "y"):
        setattr(p, name, getattr(p, name) * a)
    return p.x * p.y
