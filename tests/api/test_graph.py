"""The graph of a derivative: operations, lines, edges; its picture."""

import inspect
import re
import shutil
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from autodiff import AutodiffError, grad, hvp, value_and_grad
from autodiff.derivatives.derivative import Derivative
from tests.language.test_language import PROGRAMS, fresh

SVG = "{http://www.w3.org/2000/svg}"
networkx = pytest.importorskip("networkx")


@pytest.fixture
def drawing():
    """Graphviz, the program and what calls it."""
    pytest.importorskip("graphviz")
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")


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
                total = total * y
        return np.sin(total)

    derivative = value_and_grad(summed)
    derivative(np.ones(3), 2.0)
    graph = derivative.graph()
    total, again = node(graph, "total = 0.0"), node(graph, "total = total * y")
    assert graph.has_edge(total, again)
    assert graph.has_edge(again, again)  # of the iteration before
    operations = networkx.get_node_attributes(graph, "operation")
    (push,) = [k for k, what in operations.items() if what == "push"]
    (pop,) = [k for k, what in operations.items() if what == "pop"]
    assert graph.edges[push, pop]["name"] == "tape"
    assert [what for what in operations.values() if what == "for"] == ["for", "for"]
    (adjoint,) = [k for k in graph.successors(pop) if graph.nodes[k]["names"] == ("y_bar",)]
    assert networkx.has_path(graph, adjoint, len(graph) - 1)


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
    store = node(graph, "v[1:] += u_value**2")
    assert graph.has_edge(node(graph, "v = u.copy()"), store)
    assert graph.has_edge(store, node(graph, "v_bar = 2 * v"))
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


def test_picture(tmp_path, drawing):
    def energy(x):
        return np.sum(x[x < 2] ** 2)

    derivative = grad(energy)
    derivative(np.ones(3))
    graph = derivative.graph(tmp_path / "energy.svg")
    picture = ET.parse(tmp_path / "energy.svg").getroot()
    classes = [part.get("class") for part in picture.iter(f"{SVG}g")]
    assert classes.count("node") == len(graph)
    assert classes.count("edge") == len(graph.edges)
    assert any("x < 2" in (part.text or "") for part in picture.iter(f"{SVG}text"))
    derivative.graph(tmp_path / "energy.png")
    assert (tmp_path / "energy.png").read_bytes()[1:4] == b"PNG"


def test_a_picture_needs_graphviz(tmp_path, monkeypatch):
    derivative = grad(lambda x: x * x)
    derivative(1.0)
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(AutodiffError, match="graphviz"):
        derivative.graph(tmp_path / "square.svg")
    monkeypatch.undo()
    pytest.importorskip("graphviz")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(AutodiffError, match="graphviz"):
        derivative.graph(tmp_path / "square.svg")
    assert not (tmp_path / "square.svg").exists()


STYLES = {'a<b & "c"': 0.5, "it's": 2.0}


def texts_in_lines(x):
    total = 0.0
    for own, weight in STYLES.items():
        if own == 'a<b & "c"' and weight < 1 & 3:
            total += weight * np.sum(x[(x > 0) & (x < 2)] ** 2)
        elif own != "]]> <!-- \u00e9 &amp; \x07 \ud800":
            total += weight * np.sum(x) * (f"{own}<" > '"')
    return total


WITH_SIGNS = [
    entry
    for entry in PROGRAMS
    if not entry.refusable
    and re.search(r"[<>&\"']", inspect.getsource(entry.function).partition("def ")[2])
]


@pytest.mark.parametrize("entry", WITH_SIGNS[::40], ids=lambda entry: entry.name)
def test_picture_is_xml_whatever_stands_in_a_line(entry, tmp_path, drawing):
    derivative = Derivative(entry.function, "vjp", entry.wrt_at(entry.points[0]))
    args, keywords = fresh(entry.points[0])
    derivative(*args, **keywords)
    check_picture(derivative, tmp_path / "picture.svg")


def check_picture(derivative, path):
    """The picture is XML, and shows each node of the graph: its code, as far as there is room."""
    graph = derivative.graph(path)
    texts = [part.text or "" for part in ET.parse(path).getroot().iter(f"{SVG}text")]
    shown = ["".join(text.split()) for text in texts]  # Graphviz writes spaces of its own
    for k in graph:
        code = "".join(graph.nodes[k]["code"].split())
        assert any(code in text for text in shown), code


def test_texts_and_signs_in_a_picture(tmp_path, drawing):
    derivative = grad(texts_in_lines)
    derivative(np.array([0.5, 3.0, 1.0]))
    check_picture(derivative, tmp_path / "texts.svg")


def test_characters_that_xml_has_not(tmp_path, drawing):
    """A form feed and a bell, which Python takes as they are."""
    path = tmp_path / "rung.py"
    path.write_text("def rung(x):\n\f    y = x * len('\a<')\n    return y * y\n", "utf-8")
    names = {"__name__": "rung"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), names)
    derivative = grad(names["rung"])
    assert derivative(3.0) == 24.0
    derivative.graph(tmp_path / "rung.svg")
    parts = ET.parse(tmp_path / "rung.svg").getroot().iter()
    assert any("len('" in value for part in parts for value in part.attrib.values())
