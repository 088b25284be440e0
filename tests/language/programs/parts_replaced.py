"""Parts of states that are replaced as a whole: by other dicts, lists and objects, in loops."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4


@program([(V4,)], analytic=True)
def dict_in_a_dict(x):
    state = {"u": {"a": x[0], "b": x[1:]}, "n": 0}
    for _ in range(3):
        u = state["u"]
        state["u"] = {"a": u["a"] * np.sum(u["b"]), "b": np.sin(u["b"])}
        state["n"] += 1
    return state["u"]["a"] * np.sum(state["u"]["b"]) * state["n"]


@program([(V4,)], analytic=True)
def list_in_a_dict(x):
    state = {"u": [x[0], x[1]], "n": 0}
    for _ in range(3):
        state["u"] = [state["u"][1] * x[3], state["u"][0]]
    return state["u"][0] * state["u"][1] ** 2 + state["n"]


@program([(V4,)], analytic=True)
def updated_by_keyword(x):
    d = {"u": {"a": x[0]}, "n": 0}
    for k in range(3):
        d.update(u={"a": d["u"]["a"] * x[k] + 1})
        d["n"] = 1
    return d["u"]["a"] ** 2 * d["n"]


@program([(V4,)], analytic=True)
def two_time_levels(x):
    state = {"u": {"a": x[0], "b": x[1]}, "old": {"a": x[2], "b": x[3]}}
    for _ in range(4):
        u, old = state["u"], state["old"]
        new = {"a": u["a"] * old["b"], "b": u["b"] + old["a"]}
        state["old"] = state["u"]
        state["u"] = new
    return state["u"]["a"] * state["u"]["b"] + state["old"]["a"]


@program([(V4,)], analytic=True, refusable=True)
def index_that_changes(x):
    d = {"n": 0, "u": [x[0], x[1]]}
    for _ in range(3):
        d["u"][d["n"]] = d["u"][d["n"]] * x[3] + x[2]
        d["n"] = 1
    return d["u"][d["n"]] ** 2 * d["u"][0]


@program([(V4,)], analytic=True)
def list_of_layers_stepped(x):
    layers = [{"w": x[:3] * 1.0, "b": x[3]}, {"w": x[1:] * 2, "b": x[0]}]
    for i in range(len(layers)):
        layer = layers[i]
        w, b = layer["w"], layer["b"]
        layers[i] = {"w": w - 0.1 * w**2, "b": b * np.sum(w)}
    total = 0.0
    for layer in layers:
        total = total + np.sum(layer["w"]) * layer["b"]
    return total**2


class Box:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Simulation:
    def __init__(self, x):
        self.state = Box(x[0], x[1])
        self.n = 0

    @property
    def box(self):
        return self.state

    @box.setter
    def box(self, box):
        self.state = box

    def advance(self, k):
        self.advance_once(k)

    def advance_once(self, k):
        self.replace(k)

    def replace(self, k):
        self.exchange(Box(self.state.a * k, self.state.b * self.state.a))

    def exchange(self, box):
        self.state = box
        self.n += 1


@program([(V4,)], analytic=True)
def object_replaced_by_a_setter(x):
    s = Simulation(x)
    s.state = Box(x[3], x[2])
    for k in range(3):
        s.box = Box(s.state.a + s.state.b, s.state.b * x[k])
    return s.state.a * s.state.b


@program([(V4,)], analytic=True)
def object_replaced_far_inside(x):
    s = Simulation(x)
    for k in range(3):
        s.advance(x[k + 1])
    return s.state.a * s.state.b * s.n


@program([(V4,)], analytic=True)
def replaced_by_a_nested_function(x):
    state = {"u": {"a": x[0], "c": 0}}

    def update(k):
        state["u"] = {"a": state["u"]["a"] * k, "c": 1}
        return state["u"]["a"]

    total = 0.0
    for k in range(3):
        total = total + update(x[k]) * state["u"]["c"]
    return state["u"]["a"] * total


@program([(V4,)], analytic=True)
def joined_rows_of_different_lengths(x):
    rows = [[x[0]], [x[1]]]
    rows[0] += [x[2]]
    rows[1] = [x[0] * x[1], x[3] ** 2]
    return sum(v * v for row in rows for v in row) * rows[0][1]


@program([(V4,)], analytic=True)
def dicts_that_get_keys(x):
    table = [{"a": x[0]}, {"a": x[1], "b": x[2]}]
    for i in range(3):
        table[i % 2] = {"a": table[i % 2]["a"] * x[i], "b": x[i + 1]}
        table[0]["c"] = x[3]
    return sum(v * v for d in table for v in d.values())


@program([(V4,)], analytic=True)
def empty_dicts_that_are_replaced(x):
    table = [{}, {}]
    for i in range(3):
        table[i % 2] = {"a": table[i % 2].get("a", 1.0) * x[i], "b": x[i + 1]}
    return sum(d["a"] * d["b"] for d in table)
