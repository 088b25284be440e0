"""What `desugar` writes for the forms that matter most; `test_programs.py` checks that it works."""

from __future__ import annotations

import textwrap
from typing import Any

import gast
import pytest

from autodiff.normalize.desugar import desugar
from autodiff.normalize.sugar.context import SEQUENCE
from autodiff.syntax.names import Names, all_names
from autodiff.syntax.origin import origin_of, place
from tests.normalize.behaviour import check, parsed, passed, text_of
from tests.normalize.data import NAMESPACE

# Statement by statement: before, then after. The function around them takes x, y, xs, ys, n, d, t.
GOLDEN = {
    "swap": (
        "x, y = y, x",
        """
        x_new = y
        y = x
        x = x_new
        """,
    ),
    "independent": (
        "a, b = 1.0, f(x)",
        """
        a = 1.0
        b = f(x)
        """,
    ),
    "shifted": (
        "x, y = y, 0.0",
        """
        x = y
        y = 0.0
        """,
    ),
    "reordered": (
        "x, a = x + 1, x * 2",
        """
        a = x * 2
        x = x + 1
        """,
    ),
    "items": (
        "x[0], x[1] = 1.0, 2.0",
        """
        x[0] = 1.0
        x[1] = 2.0
        """,
    ),
    "flat tuple": ("a, b = t", "a, b = t"),
    "nested tuple": (
        "(a, (b, c)), e = t",
        """
        pair, e = t
        a, pair_2 = pair
        b, c = pair_2
        """,
    ),
    "starred": (
        "a, *b = t",
        """
        t_seq = sequence(t)
        if len(t_seq) < 1:
            raise ValueError("not enough values to unpack (expected at least 1)")
        a = t_seq[0]
        b = list(t_seq[1:])
        """,
    ),
    "annotated": ("a: float = 3.0", "a = 3.0"),
    "chained": (
        "a = b = f(x)",
        """
        a = f(x)
        b = a
        """,
    ),
    "choice": (
        "a = x if x > 0 else -x",
        """
        if x > 0:
            a = x
        else:
            a = -x
        """,
    ),
    "own choice": (
        "x = x if x > 0 else 0.0",
        """
        if x > 0:
            x
        else:
            x = 0.0
        """,
    ),
    "default": (
        "x = x if x is not None else 1.0",
        """
        if x is not None:
            x
        else:
            x = 1.0
        """,
    ),
    "or": (
        "a = x or y",
        """
        a = x
        if not a:
            a = y
        """,
    ),
    "conditions stay": ("a = x > 0 and not y", "a = x > 0 and (not y)"),
    "tests stay": (
        "if x and y or (x if y else n):\n    a = 1",
        """
        if x and y or (x if y else n):
            a = 1
        """,
    ),
    "text stays": ("a = 'up' if x else 'down'", "a = 'up' if x else 'down'"),
    "walrus": (
        "if (a := f(x)) > 0:\n    x = a",
        """
        a = f(x)
        if a > 0:
            x = a
        """,
    ),
    "sequence": (
        "for v in xs:\n    x = x + v",
        """
        xs_seq = sequence(xs)
        for i in range(len(xs_seq)):
            v = xs_seq[i]
            x = x + v
        """,
    ),
    "range stays": (
        "for i in range(1, n):\n    x = x + i",
        """
        for i in range(1, n):
            x = x + i
        """,
    ),
    "enumerate": (
        "for k, v in enumerate(xs):\n    x = x + k * v",
        """
        xs_seq = sequence(xs)
        for k in range(len(xs_seq)):
            v = xs_seq[k]
            x = x + k * v
        """,
    ),
    "zip": (
        "for a, b in zip(xs, ys):\n    x = x + a * b",
        """
        xs_seq = sequence(xs)
        ys_seq = sequence(ys)
        for i in range(min(len(xs_seq), len(ys_seq))):
            a = xs_seq[i]
            b = ys_seq[i]
            x = x + a * b
        """,
    ),
    "zip with range": (
        "for a, b in zip(range(n), xs):\n    x = x + a * b",
        """
        xs_seq = sequence(xs)
        for i in range(min(n, len(xs_seq))):
            a = i
            b = xs_seq[a]
            x = x + a * b
        """,
    ),
    "items of a dictionary": (
        "for k, v in d.items():\n    x = x + v",
        """
        items = sequence(d.items())
        for i in range(len(items)):
            k, v = items[i]
            x = x + v
        """,
    ),
    "reversed": (
        "for v in reversed(xs):\n    x = x * v",
        """
        xs_seq = sequence(xs)
        for i in reversed(range(len(xs_seq))):
            v = xs_seq[i]
            x = x * v
        """,
    ),
    "counter assigned": (
        "for i in range(n):\n    i = i + 1\n    x = x + i",
        """
        for j in range(n):
            i = j
            i = i + 1
            x = x + i
        """,
    ),
    "nested loops": (
        "for row in xs:\n    for v in row:\n        x = x + v\nfor v in ys:\n    x = x - v",
        """
        xs_seq = sequence(xs)
        for i in range(len(xs_seq)):
            row = xs_seq[i]
            row_seq = sequence(row)
            for j in range(len(row_seq)):
                v = row_seq[j]
                x = x + v
        ys_seq = sequence(ys)
        for i in range(len(ys_seq)):
            v = ys_seq[i]
            x = x - v
        """,
    ),
    "growing list": (
        "for v in xs:\n    xs.append(v)",
        """
        xs_seq = sequence(xs)
        position = 0
        while position < len(xs_seq):
            v = xs_seq[position]
            position = position + 1
            xs.append(v)
        """,
    ),
    "comprehension": (
        "a = [v * x for v in xs if v > 0]",
        """
        a = []
        xs_seq = sequence(xs)
        for i in range(len(xs_seq)):
            v = xs_seq[i]
            if v > 0:
                a.append(v * x)
        """,
    ),
    "sum": (
        "x = sum(v * v for v in xs)",
        """
        items = []
        xs_seq = sequence(xs)
        for i in range(len(xs_seq)):
            v = xs_seq[i]
            items.append(v * v)
        x = sum(items)
        """,
    ),
    "dictionary": (
        "a = {k: x * k for k in xs}",
        """
        a = {}
        xs_seq = sequence(xs)
        for i in range(len(xs_seq)):
            k = xs_seq[i]
            a[k] = x * k
        """,
    ),
    "mapped": (
        "a = list(map(lambda v: v ** 2, xs))",
        """
        a = []
        xs_seq = sequence(xs)
        for i in range(len(xs_seq)):
            v = xs_seq[i]
            a.append(v ** 2)
        """,
    ),
    "kept comprehensions": (
        "a = [0.0 for _ in range(n)]\nassert [v for v in xs]\nb = {v for v in xs}",
        """
        a = [0.0 for _ in range(n)]
        assert [v for v in xs]
        b = {v for v in xs}
        """,
    ),
    "any stays": ("a = any(v > x for v in xs)", "a = any((v > x for v in xs))"),
    "match": (
        """
        match n:
            case 0 | 1:
                x = y
            case [a, *b]:
                x = a
            case _:
                x = 0
        """,
        """
        if n == 0 or n == 1:
            x = y
        elif is_sequence(n) and len(n) >= 1:
            a = n[0]
            b = list(n[1:])
            x = a
        else:
            x = 0
        """,
    ),
    "order kept": (
        "a = f(x) * (x if y else f(y))",
        """
        f_x = f(x)
        if y:
            choice = x
        else:
            choice = f(y)
        a = f_x * choice
        """,
    ),
    "order irrelevant": (
        "a = x * y + (x if y else 0.0)",
        """
        if y:
            choice = x
        else:
            choice = 0.0
        a = x * y + choice
        """,
    ),
    "delete": ("del x\ndel d['k'], y", "del x\ndel d['k'], y"),
    "with": (
        "with f(x) as a, f(y):\n    x = a",
        """
        with f(x) as a:
            with f(y):
                x = a
        """,
    ),
}


def around(statements: str) -> str:
    return "def function(f, x, y, xs, ys, n, d, t):\n" + textwrap.indent(
        textwrap.dedent(statements).strip(), "    "
    )


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    before, after = GOLDEN[name]
    assert passed(around(before), desugar) == text_of(parsed(around(after)))


def test_docstring_and_bare_annotations_go() -> None:
    assert passed(around('"""Text."""\nx: float\n...'), desugar) == around("pass")


def test_shadowed_builtins() -> None:
    text = around("for v in zip(xs, ys):\n    x = x + v")
    after = passed(text, desugar, shadowed=frozenset({"zip"}))
    assert "items = sequence(zip(xs, ys))" in after
    assert passed(text, desugar, shadowed=frozenset({"range"})) == text


def test_a_local_name_shadows_a_builtin() -> None:
    after = passed(around("enumerate = f\nfor v in enumerate(xs):\n    x = x + v"), desugar)
    assert "items = sequence(enumerate(xs))" in after


def test_classes_in_patterns_are_looked_up() -> None:
    text = """
def f(p):
    match p:
        case Point(x, y=0.0):
            return x
    return None
""".strip()

    def lookup(name: str) -> Any:
        return NAMESPACE[name]

    expected = """
def f(p):
    if isinstance(p, Point) and p.y == 0.0:
        x = p.x
        return x
    return None
"""
    assert passed(text, desugar, lookup=lookup) == expected.strip()
    calls = [(NAMESPACE["Point"](1.0, 0.0),), (NAMESPACE["Point"](1.0, 2.0),), (3,)]
    check(text, *calls, lookup=lookup)


def test_origins_are_those_of_the_user_and_places_are_kept() -> None:
    tree = parsed(around("y = 1.0\nx = f(x) + (x if y else n)"))
    new = desugar(tree, Names(all_names(tree)))
    *_, choice, last = new.body
    assert origin_of(choice).line == origin_of(choice.body[0]).line == 3
    assert origin_of(last).text == "x = f(x) + (x if y else n)"
    tested = place(choice.test, origin_of(choice))
    assert (tested.line, tested.column) == (3, 21)


def test_names_are_handed_out_once() -> None:
    tree = parsed(around("a = [v for v in xs]\nchoice = x or y\nf(choice or x)"))
    names = Names(all_names(tree))
    new = desugar(tree, names)
    assert all_names(new) - {SEQUENCE, "range", "len"} <= names.taken
    assert isinstance(new, gast.FunctionDef)
