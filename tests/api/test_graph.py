"""The graph of a derivative: operations, lines, edges; its picture."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from autodiff import grad, hvp, value_and_grad
from autodiff.derivative import Derivative

networkx = pytest.importorskip("networkx")


def node(graph, code):
    (found,) = [k for k in graph if graph.nodes[k]["code"] == code]
    return found


def test_straight_line():
    def energy(x, k):
        s = x * k
        return np.sum(np.sin(s))

    derivative = value_and_grad(energy, (0, 1))
    derivative(np.ones(3), np.ones(3))
    graph = derivative.graph()
    assert isinstance(graph, networkx.DiGraph)
    product, bar = node(graph, "s = x * k"), node(graph, "s_bar = np.cos(s)")
    assert graph.nodes[product]["operation"] == "*"
    assert graph.nodes[product]["names"] == ("s",)
    assert graph.nodes[product]["sweep"] == "forward"
    assert graph.nodes[product]["source"] == "s = x * k"
    assert graph.nodes[product]["line"] == energy.__code__.co_firstlineno + 1
    assert graph.nodes[bar]["operation"] == "np.cos"
    assert graph.nodes[bar]["sweep"] == "reverse"
    assert graph.edges[product, bar]["name"] == "s"
    for used in graph.successors(bar):  # who consumes the adjoint of s
        assert graph.edges[bar, used]["name"] == "s_bar"
    assert networkx.has_path(graph, product, len(graph) - 1)
    assert graph.nodes[len(graph) - 1]["operation"] == "return"


def test_loops_branches_and_the_tape():
    def summed(x, w):
        total = 0.0
        for i in range(len(x)):
            y = np.tanh(x[i] * w)
            if y > 0:
                total = total + y * y
        return total

    derivative = value_and_grad(summed)
    derivative(np.ones(3), 2.0)
    graph = derivative.graph()
    total, again = node(graph, "total = 0.0"), node(graph, "total = total + y * y")
    assert graph.has_edge(total, again)
    assert graph.has_edge(again, again)  # of the iteration before
    operations = networkx.get_node_attributes(graph, "operation")
    (push,) = [k for k, what in operations.items() if what == "push"]
    (pop,) = [k for k, what in operations.items() if what == "pop"]
    assert graph.edges[push, pop]["name"] == "tape"
    assert [what for what in operations.values() if what == "for"] == ["for", "for"]
    store = [k for k in graph.successors(pop) if graph.nodes[k]["names"] == ("x_bar",)]
    assert len(store) == 1
    assert graph.has_edge(store[0], len(graph) - 1)


def test_pullbacks_stores_and_tangents():
    def step(u):
        v = u.copy()
        v[1:] += u[:-1] ** 2
        return v

    pulled = Derivative(step, "vjp")
    pulled(np.ones(3))
    sweeps = networkx.get_node_attributes(pulled.graph(), "sweep")
    assert set(sweeps.values()) == {"forward", "reverse"}
    second = hvp(lambda u: np.sum(step(u) ** 2))
    second(np.ones(3), np.ones(3))
    graph = second.graph()
    assert set(networkx.get_node_attributes(graph, "sweep").values()) <= {"forward", "reverse"}
    store = node(graph, "step_u[1:] += u_value**2")
    assert graph.has_edge(node(graph, "step_u = u.copy()"), store)
    assert graph.has_edge(store, node(graph, "step_u_bar = 2 * step_u"))
    assert not any("np" in graph.nodes[k]["names"] for k in graph)


def test_edge_goes_by_all_names_that_are_used():
    def energy(x, n):
        s, t = 1.0, x
        for _ in range(n):
            s, t = s * t, np.sin(s) + t * t * s
        return s * t

    derivative = grad(energy)
    derivative(1.0, 3)
    graph = derivative.graph()
    names = {edge["name"] for _, _, edge in graph.edges(data=True)}
    assert "s, t" in names  # `s_bar = t_bar * (2.0 * s * t)` after `t, s = tape.pop()`


def test_picture(tmp_path):
    def energy(x):
        return np.sum(x[x < 2] ** 2)

    derivative = grad(energy)
    derivative(np.ones(3))
    graph = derivative.graph(tmp_path / "energy.svg")
    picture = ET.parse(tmp_path / "energy.svg").getroot()
    names = [part.tag.rpartition("}")[2] for part in picture.iter()]
    assert names.count("rect") == len(graph)
    assert names.count("path") == len(graph.edges) + 1  # and the tip of the arrows
    texts = [part.text for part in picture.iter() if part.tag.endswith("text")]
    assert any("x < 2" in text for text in texts)
