"""Copies are deep, keep places, and share nothing."""

from __future__ import annotations

import textwrap

import gast
import pytest

from autodiff.frontend.source import source
from autodiff.syntax.emit import emit
from autodiff.syntax.origin import Origin, origin_of, place, with_origin
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import children, clone, map_children, same, shallow, statements, walk

ORIGIN = Origin("model.py", 3, 4, 3, 9, "y = x")


@pytest.fixture
def tree() -> gast.FunctionDef:
    return source(textwrap.wrap).tree


def test_clone(tree: gast.FunctionDef) -> None:
    copy = clone(tree)
    assert same(copy, tree)
    assert gast.dump(copy, include_attributes=True) == gast.dump(tree, include_attributes=True)
    assert not {id(node) for node in walk(copy)} & {id(node) for node in walk(tree)}
    assert origin_of(copy.body[0]) is origin_of(tree.body[0])


def test_walk(tree: gast.FunctionDef) -> None:
    signs = (gast.expr_context, gast.operator, gast.unaryop, gast.boolop, gast.cmpop)
    expected = [node for node in gast.walk(tree) if not isinstance(node, signs)]
    assert walk(tree) == expected
    assert statements(tree) == [node for node in expected if isinstance(node, gast.stmt)]


def test_shallow_copies_carry_no_marks(tree: gast.FunctionDef) -> None:
    tree.body[0].site = "site1"
    copy = shallow(tree.body[0])
    assert not hasattr(copy, "site")
    assert copy.value is tree.body[0].value


def test_same() -> None:
    assert same(gast.parse("f(x,\n  y)"), gast.parse("f(x, y)  # places differ"))
    for one, other in [
        ("x", "y"),
        ("x + y", "x - y"),
        ("1", "1.0"),
        ("1", "True"),
        ("f(x)", "f(x, x)"),
    ]:
        assert not same(gast.parse(one), gast.parse(other))
    nan = gast.Constant(float("nan"), None)
    assert same(nan, gast.Constant(float("nan"), None))


def test_map_children() -> None:
    block = gast.parse("if a:\n    b\n    c\n    d").body[0]
    block.origin = ORIGIN

    def change(node: gast.AST) -> object:
        text = emit(gast.Module([node], [])).text.strip() if isinstance(node, gast.stmt) else ""
        return {"b": None, "c": [clone(node), clone(node)]}.get(text, node)

    copy = map_children(change, block)
    assert emit(gast.Module([copy], [])).text == "if a:\n    c\n    c\n    d\n"
    assert copy.lineno == 1
    assert origin_of(copy) is ORIGIN
    assert len(block.body) == 3


def test_children() -> None:
    node = gast.parse("f(x, y, k=z)").body[0].value
    assert [type(child).__name__ for child in children(node)] == ["Name", "Name", "Name", "keyword"]


def test_origins_are_given_once() -> None:
    statements = gast.parse("if a:\n    b = 1\nc = 2").body
    other = Origin("model.py", 9, 0, 9, 1)
    statements[0].body[0].origin = other
    assert with_origin(statements, ORIGIN) is statements
    assert [s.origin for s in statements] == [ORIGIN, ORIGIN]
    assert statements[0].body[0].origin is other
    assert origin_of(gast.parse("x").body[0]) is None


def test_place() -> None:
    node = gast.parse("y = f(\n  x)").body[0].value
    assert place(node, ORIGIN) == Origin("model.py", 1, 4, 2, 4, "y = x")
    assert place(quote("x"), ORIGIN) is ORIGIN
    assert place(node, None) is None


def test_quote() -> None:
    hole = gast.parse("a[0]").body[0].value
    made = quote("f(x, x) + y", x=hole, y="total")
    assert emit(gast.Module([gast.Expr(made)], [])).text == "f(a[0], a[0]) + total\n"
    assert made.left.args[0] is not made.left.args[1]
    assert not hasattr(made, "lineno")
    assert same(quote("1 + x"), quote("1 + x"))
    assert quote("1 + x") is not quote("1 + x")


def test_quote_statements() -> None:
    hole = gast.parse("a[0]").body[0].value
    made = quote_statements("x += g\nn = x", x=hole, n="total")
    assert emit(gast.Module(made, [])).text == "a[0] += g\ntotal = a[0]\n"
    assert isinstance(made[0].target.ctx, gast.Store)
    assert isinstance(made[1].value.ctx, gast.Load)
