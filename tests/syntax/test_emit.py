"""`emit`: the tree comes back, and the text looks as if a person had written it."""

from __future__ import annotations

import argparse
import ast
import base64
import builtins
import dataclasses
import enum
import functools
import subprocess
import sys
import textwrap
import types
import typing
from pathlib import Path

import gast
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodiff.errors import InternalError
from autodiff.frontend.source import source
from autodiff.frontend.tree import to_gast
from autodiff.syntax.emit import comment, emit, is_comment
from autodiff.syntax.expressions import expression
from autodiff.syntax.origin import Origin
from autodiff.syntax.walk import clone, same


def dump(tree: ast.AST) -> str:
    """A tree without the `u` of Python 2's strings, which is the one thing that is not printed."""
    return ast.dump(tree).replace(", kind='u'", "")


def emitted(text: str) -> str:
    return emit(gast.parse(textwrap.dedent(text))).text


SOURCES = [
    argparse,
    base64,
    dataclasses,
    enum,
    functools,
    textwrap,
    types,
    typing,
    gast,
    np.ma.core,
]


@pytest.mark.parametrize("module", SOURCES, ids=lambda module: module.__name__)
def test_whole_files_come_back(module: types.ModuleType) -> None:
    tree = ast.parse(Path(module.__file__).read_text())
    text = emit(to_gast(tree)).text
    assert dump(ast.parse(text)) == dump(tree)
    code = [line for line in text.splitlines() if '"' not in line and "'" not in line]
    assert all(len(line) <= 100 for line in code)


AS_WRITTEN = """
x[1, 2] = x[(*i,)]
x[i, :] = x[..., None, ::2]
x[1,] = x[()]
x[1:-1] = x[: n + 1] + x[n - 1 :] + x[a.b : c.d] + x[::-1] + x[i:j:k] + x[:]
x[n + 1 : n + 2 : n + 3] = x[n + 1 :: 2]
a, b = b, a
(a,) = b
(a, b), c = d
a, *b = c
a = b = c
for a, b in c:
    pass
z = (a, b)[0]
z = 0.0, 2j, 1e309, -1e309, 1e-08, 1.0, 100000000000000000000.0, 0x10
z = (1 + 2j) * 3
z = -1, -(1.0), -x**2, (-x) ** 2, x**-1, x ** f(y), x.y**2, x[0] ** 2, (-1) ** n, 2**-n
z = (1).real, 1.0.real, (-1).real
z = a - (b - c), a - b - c, a / (b * c), a * b / c, (a + b) * c, a @ b @ c, a % (b // c)
z = not a, not (a and b), (not a) == b, a and (b or c), a or b and c, -(not a)
z = a < b < c, (a < b) < c, a in b, a not in b, a is None, a is not None
z = ~a | b & c ^ d << 2 >> 1
z = a if b else c, (a if b else c) if d else e, a if b else c if d else e
z = lambda: 0, lambda x, *y, k=1, **z: x, lambda *, k: k, lambda x, /, y: x
z = (lambda: a)(), (a, b).count(c), [a, b].sort(), {a: b}.items(), "a".upper()
z = [i for i in x if i if not i], {i for i in x}, {i: j for i, j in x}, (i for i in x)
z = f(i for i in x), f((i for i in x), 1), f(x, *y, k=1, **z), f(*a or b, **c)
z = [i for j in x for i in (j if a else b)]
z = {**a, "b": 1, **(a or b)}, {1, 2}, {*()}, [], {}, ()
z = 'say "hi"', "it's", "a\\nb", b"bytes", "é", "\\x00", 'say "it\\'s"'
z = f"{x}", f"{x!r:>{width}.3f}", f"{x['a']}", f"a{{b}}c{x + 1}"
z = (y := 3) + (yield) + (yield x)
z = await_
z += yield x
z: int = 3
z: int
(z): int = 3
x.y: int = 3
del a, b[0], (c, d)
assert a, "b"
assert (a, b)
raise
raise a from b
import a.b as c, d
from . import a
from ..a import b as c
global q
"""


def test_expressions_come_back() -> None:
    text = AS_WRITTEN
    if sys.version_info < (3, 11):
        text = text.replace("x[(*i,)]", "x[i]")
    assert dump(ast.parse(emitted(text))) == dump(ast.parse(text))


@pytest.mark.parametrize(
    "line",
    [
        line
        for line in AS_WRITTEN.splitlines()
        if line and "0x" not in line and "-(1.0)" not in line and "\\\\" not in line
    ],
)
def test_no_parentheses_and_spaces_but_these(line: str) -> None:
    if line.startswith((" ", "for")) or "(not a)" in line or "(yield" in line or "z +=" in line:
        return
    assert emitted(line) == line.replace("*a or b", "*(a or b)") + "\n"


STATEMENTS = '''
"""Module."""


@decorator
@other(1)
class A(B, metaclass=C):
    """Class."""

    x: int = 1

    def m(self, a: int, /, b: str = "b", *args: int, k: float = 1.0, **kw: int) -> dict[str, int]:
        """Method.

        More \\\\ here.
        """

        def inner():
            return super().m()

        return inner()


async def g(*, k, l=1):
    async for x in y:
        await x
    async with a as b, c:
        return [x async for x in y]


def f(a, b=1, /, c=2, *, d, e=3):
    if a:
        pass
    elif b:
        return
    else:
        while True:
            break
        else:
            x = 1
    for i in range(3):
        continue
    else:
        raise ValueError("a") from None
    try:
        x = 1
    except (A, B) as error:
        pass
    except C:
        pass
    except:
        raise
    else:
        y = 1
    finally:
        z = 1
    with open(a) as (b, c), d:
        nonlocal_ = 1
    match x, y:
        case [1, -2, *rest] if rest:
            pass
        case {"a": A(b, c=3), **rest} | None:
            pass
        case _:
            pass
'''


def test_statements_are_laid_out() -> None:
    expected = STATEMENTS.lstrip("\n")
    assert emitted(STATEMENTS).replace("{'a'", '{"a"') == expected


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is new in Python 3.11")
def test_exception_groups() -> None:
    text = "try:\n    pass\nexcept* (A, B) as e:\n    pass\n"
    assert emitted(text) == text


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are new in Python 3.12")
def test_type_parameters() -> None:
    text = "def f[T: int, *Ts, **P](x: T) -> T:\n    type A[U] = list[U]\n    return x\n"
    assert emitted(text) == text
    assert emitted("class A[T](B): pass") == "class A[T](B):\n    pass\n"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="f-strings nest quotes since Python 3.12")
def test_nested_quotes() -> None:
    text = """z = f"{x["a"]} {f"{y["b"]}"} {'"'}" """
    assert dump(ast.parse(emitted(text))) == dump(ast.parse(text))


CONSTANTS = st.one_of(
    st.integers(),
    st.floats(allow_nan=False),
    st.complex_numbers(allow_nan=False),
    st.text(),
    st.binary(),
    st.booleans(),
    st.none(),
)


@given(CONSTANTS)
def test_constants_keep_their_value(value: object) -> None:
    text = expression(gast.Constant(value, None), 10**6)
    assert repr(eval(text)) == repr(value) or eval(text) == value


def test_constants_that_the_compiler_makes() -> None:
    power = gast.BinOp(gast.Constant(-1.0, None), gast.Pow(), gast.Constant(-2, None))
    assert expression(power) == "(-1.0) ** -2"
    assert expression(gast.Constant(np.float64(0.5), None)) == "0.5"
    assert expression(gast.Constant(float("nan"), None)) == "(1e309 - 1e309)"
    assert expression(gast.Constant(-2j, None)) == "-0.0 - 2j"
    assert eval(expression(gast.Constant(complex(1, -2), None))) == 1 - 2j
    assert len(expression(gast.Constant(10**5000, None))) > 4000


def test_a_constant_without_a_literal_is_refused() -> None:
    with pytest.raises(InternalError, match="has no literal"):
        expression(gast.Constant(np.ones(2), None))


@pytest.mark.parametrize(
    "value",
    ["", "one", 'two "quotes"', 'ends in "', "back\\slash", '"""', "tab\t\x00 \r é\n  x", '"a'],
)
def test_docstrings_keep_their_text(value: str) -> None:
    tree = gast.parse("def f():\n    pass").body[0]
    tree.body.insert(0, gast.Expr(gast.Constant(value, None)))
    text = emit(tree).text
    assert ast.get_docstring(ast.parse(text).body[0], clean=False) == value
    assert text.startswith('def f():\n    """')


def function(text: str = "def f(x):\n    a = 1\n    return a\n") -> gast.FunctionDef:
    return gast.parse(text).body[0]


def test_comments() -> None:
    tree = function("def f(x):\n    if x:\n        a = 1\n    else:\n        a = 2\n    return a")
    tree.body[0].body = [comment(""), comment("nothing to do"), comment("")]
    tree.body[0].orelse.insert(1, comment("after"))
    tree.body.insert(1, comment(""))
    tree.body.insert(2, comment(""))
    tree.body.insert(3, comment("the end"))
    assert emit(tree).text == (
        "def f(x):\n"
        "    if x:\n"
        "        # nothing to do\n"
        "        pass\n"
        "    else:\n"
        "        a = 2\n"
        "        # after\n"
        "\n"
        "    # the end\n"
        "    return a\n"
    )


def test_long_comments_go_on_in_the_next_line() -> None:
    tree = function()
    tree.body.insert(0, comment("y = " + " + ".join(["term"] * 30)))
    lines = emit(tree).text.splitlines()
    assert lines[1].startswith("    # y = term + ")
    assert lines[2].startswith("    #     term")
    assert max(map(len, lines)) <= 100


def test_long_comments_without_spaces_are_broken_at_commas() -> None:
    tree = gast.parse("def f(x):\n    return x")
    tree.body[0].body.insert(0, comment("y=g(" + ",".join(["term"] * 30) + ")" + "z" * 120))
    lines = emit(tree).text.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[1].startswith("    # y=g(term, term")


def test_comments_survive_copying_and_are_told_from_strings() -> None:
    one = comment("one")
    assert is_comment(one)
    assert is_comment(clone(one))
    assert same(one, clone(one))
    assert not is_comment(gast.parse("'one'").body[0])
    assert not is_comment(gast.parse("one()").body[0])


def test_a_string_statement_is_no_docstring_elsewhere() -> None:
    assert emitted("def f():\n  x = 1\n  'text'") == 'def f():\n    x = 1\n    "text"\n'


def test_a_comment_before_a_nested_function_stays_with_it() -> None:
    tree = function("def f(x):\n    a = 1\n    def g(): pass\n    return g")
    tree.body.insert(1, comment("about g"))
    tree.body.insert(1, comment(""))
    assert emit(tree).text == (
        "def f(x):\n    a = 1\n\n    # about g\n    def g():\n        pass\n\n    return g\n"
    )


def primal(x: float, n: int) -> float:
    """Text.

    More.
    """
    y = 0.0
    for k in range(n):
        if k:
            y = y + x * max(k, 1, 2, 3, 4, 5, 6, 7, 8) * max(1, 2, 3, 4, 5, 6, 7, 8, 9, 1) / (
                k * k * k + 1
            )
        else:
            try:
                y = 1.0
            finally:
                y = 2.0
    return y


def test_origins() -> None:
    tree = source(primal).tree
    tree.body.insert(1, comment("a comment"))
    tree.body.insert(2, comment("y " * 90))
    result = emit(tree)
    lines = [""] + result.text.splitlines()
    shown = {line: (lines[line].strip(), origin.text) for line, origin in result.origins.items()}
    assert all(a == b or '"""' in a or a == "y = (" for a, b in shown.values())
    assert len(shown) == 10
    assert [b for a, b in shown.values() if a == "y = ("] == [
        tree.body[4].body[0].body[0].origin.text
    ]
    again = ast.parse(result.text)
    starts = {node.lineno for node in ast.walk(again) if isinstance(node, ast.stmt)}
    assert set(result.origins) <= starts


def test_origins_of_statements_that_have_none() -> None:
    tree = function()
    tree.body[1].origin = Origin("model.py", 3, 0, 3, 5, "return a")
    assert emit(tree).origins == {3: tree.body[1].origin}


def test_emitting_does_not_mark_the_tree() -> None:
    tree = function()
    shared = gast.parse("-x").body[0].value
    tree.body[0].value = gast.BinOp(shared, gast.Pow(), shared)
    before = {id(node): dict(vars(node)) for node in gast.walk(tree)}
    assert "a = (-x) ** -x" in emit(tree).text
    assert all(vars(node) == before[id(node)] for node in gast.walk(tree))


def test_the_same_tree_gives_the_same_text() -> None:
    tree = source(primal).tree
    assert emit(tree).text == emit(tree).text == emit(clone(tree)).text


def test_the_text_passes_ruff(tmp_path: Path) -> None:
    file = tmp_path / "made.py"
    file.write_text(emit(source(primal).tree).text)
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "-q", str(file)]
    if subprocess.run([*command[:3], "--version"], capture_output=True, check=False).returncode:
        pytest.skip("ruff is not installed")
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_importing_astor_leaves_the_warning_filters_alone() -> None:
    code = "import numpy, warnings; f = list(warnings.filters); import autodiff.syntax.emit; "
    code += "assert f == warnings.filters"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_names_of_builtins_are_not_needed() -> None:
    assert not any(name in emitted("z = 1e400, {*()}") for name in ("float", "set"))
    assert hasattr(builtins, "float")
