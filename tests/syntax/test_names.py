"""Names: scopes are respected by reading, writing, renaming and substitution."""

from __future__ import annotations

import gast
import pytest

from autodiff.syntax.emit import emit
from autodiff.syntax.names import (
    Names,
    all_names,
    captured,
    name,
    parameters,
    reads,
    rename,
    store,
    substitute,
    writes,
)


def body(text: str) -> list[gast.stmt]:
    return gast.parse(text).body


def test_fresh_names() -> None:
    names = Names({"x", "y_2"})
    assert names.fresh("sin_x") == "sin_x"
    assert names.fresh("sin_x") == "sin_x_2"
    assert names.fresh("sin_x") == "sin_x_3"
    assert [names.fresh("y"), names.fresh("y")] == ["y", "y_3"]
    assert names.fresh("x") == "x_2"
    assert names.fresh("lambda") == "lambda_2"
    assert names.fresh("sum") == "sum_2"


def test_nodes() -> None:
    assert isinstance(name("x").ctx, gast.Load)
    assert isinstance(store("x").ctx, gast.Store)


@pytest.mark.parametrize(
    ("text", "read", "written"),
    [
        ("y = x + k", {"x", "k"}, {"y"}),
        ("y += x", {"x", "y"}, {"y"}),
        ("y[i] = x", {"x", "y", "i"}, set()),
        ("y.a = x", {"x", "y"}, set()),
        ("a, (b, *c) = x", {"x"}, {"a", "b", "c"}),
        ("y = (z := x)", {"x"}, {"y", "z"}),
        ("y = [(z := i) for i in x if k]", {"x", "k"}, {"y", "z"}),
        ("y = [i + j for i in x for j in i]", {"x"}, {"y"}),
        ("y = {i: v for i in x}", {"x", "v"}, {"y"}),
        ("y = lambda a, b=x, *c: a + b + c + k", {"x", "k"}, {"y"}),
        ("for i in x:\n    y = i", {"x", "i"}, {"i", "y"}),
        ("with x as y:\n    pass", {"x"}, {"y"}),
        ("import a.b, c.d as e", set(), {"a", "e"}),
        ("from a import b as c", set(), {"c"}),
        ("del x", set(), {"x"}),
        ("try:\n    pass\nexcept E as e:\n    y = e", {"E", "e"}, {"e", "y"}),
        ("match x:\n    case [a, *b] if k:\n        pass", {"x", "k"}, {"a", "b"}),
        ("@d\ndef f(a: T, b=x):\n    y = a + k\n    return y", {"d", "T", "x", "k"}, {"f"}),
        ("def f():\n    global g\n    g = 1\n    return g", {"g"}, {"f"}),
        ("def f():\n    return [f, i]", {"f", "i"}, {"f"}),
    ],
)
def test_reads_and_writes(text: str, read: set[str], written: set[str]) -> None:
    assert reads(body(text)) == read
    assert writes(body(text)) == written
    assert reads(body(text)[0]) == read


def test_all_names() -> None:
    text = "import a.b as c, d.e\ndef f(g, *h, k=l):\n    m = lambda n: n + o.p"
    assert all_names(gast.parse(text)) == set("cdfghklmno")


def test_parameters() -> None:
    tree = body("def f(a, /, b, *c, d=1, **e): pass")[0]
    assert parameters(tree.args) == ["a", "b", "c", "d", "e"]


def test_captured() -> None:
    assert captured(body("f = lambda a: a + x\ny = z\ndef g():\n    return w")) == {"x", "w"}


def text_of(tree: gast.AST) -> str:
    return emit(gast.Module([tree], [])).text.strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = x + x.x", "y = (a * b) + (a * b).x"),
        ("x = x", "x = (a * b)"),
        ("y = [x for x in x]", "y = [x for x in (a * b)]"),
        ("y = lambda x=x: x", "y = lambda x=(a * b): x"),
        ("y = [i for i in x]", "y = [i for i in (a * b)]"),
        ("y = lambda x: x", "y = lambda x: x"),
        ("y = lambda z: x", "y = lambda z: (a * b)"),
    ],
)
def test_substitute(text: str, expected: str) -> None:
    product = body("a * b")[0].value
    result = substitute(body(text)[0], {"x": product})
    assert gast.dump(gast.parse(text_of(result))) == gast.dump(
        gast.parse(text_of(body(expected)[0]))
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x += x[x]", "u += u[u]"),
        ("y = x.x + f(x=x)", "y = u.x + f(x=u)"),
        ("y = [x for x in z]", "y = [x for x in z]"),
        ("y = lambda x: x + z", "y = lambda x: x + z"),
        ("def x(a):\n    return z", "def u(a):\n    return z"),
        ("try:\n    pass\nexcept E as x:\n    x", "try:\n    pass\nexcept E as u:\n    u"),
    ],
)
def test_rename(text: str, expected: str) -> None:
    original = body(text)[0]
    assert text_of(rename(original, {"x": "u"})) == expected
    assert text_of(original) == text_of(body(text)[0])
    assert text_of(rename(original, {})) == text_of(original)
