"""`fence`: refuses, with a place and a cure, and lets everything else pass."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.fence import fence
from autodiff.frontend.source import Source, source


def source_of(directory: Path, text: str) -> Source:
    """The source of the function `f` that the text of a module defines."""
    file = directory / "module.py"
    file.write_text(textwrap.dedent(text))
    namespace: dict[str, object] = {"__name__": "module"}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    return source(namespace["f"])


REFUSED = {
    "generator": ("def f(x):\n    yield x", "a generator", "yield x"),
    "in an expression": ("def f(x):\n    y = 1 + (yield x)", "a generator", "yield x"),
    "yield from": ("def f(x):\n    yield from x", "a generator", "yield from x"),
    "any assigns": (
        "def f(x):\n    any((t := v) > 1 for v in x)\n    return t",
        "a generator that assigns t",
        "t := v",
    ),
    "async": ("async def f(x):\n    return x", "an async function", "async def f(x):"),
    "vars": ("def f(x):\n    return vars()['x']", "through vars", "vars"),
    "dir": ("def f(x):\n    return dir()", "through dir", "dir"),
    "in a nested function": (
        "def f(x):\n    def g():\n        return dir()\n    return g()",
        "through dir",
        "dir",
    ),
    "in a loop": (
        "def f(x):\n    for k in x:\n        if k:\n            y = [vars() for k in x]",
        "through vars",
        "vars",
    ),
    "global": (
        "def f(x):\n    global total\n    total = x\n    return x",
        "the outer variable total",
        "global total",
    ),
    "global in a nested function": (
        "def f(x):\n    def g():\n        global a, b\n        b += a\n    return x",
        "the outer variable b",
        "global a, b",
    ),
    "nonlocal": (
        "def f(x):\n    y = 0\n    def g():\n        nonlocal y\n        y += x\n    return g()",
        "the outer variable y",
        "nonlocal y",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    text, what, marked = REFUSED[name]
    with pytest.raises(UnsupportedSyntaxError, match=what) as caught:
        fence(source_of(tmp_path, text))
    error = caught.value
    assert error.cure
    assert error.why
    assert error.origin is not None
    line = text.split("\n")[error.origin.line - 1]
    assert line[error.origin.column :].startswith(marked)
    assert "^" * min(len(marked), 4) in str(error)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is new in Python 3.11")
def test_exception_groups_are_refused(tmp_path: Path) -> None:
    text = (
        "def f(x):\n    try:\n        y = x\n    except* ValueError:\n        y = 0\n    return y"
    )
    with pytest.raises(UnsupportedSyntaxError, match=r"except\*"):
        fence(source_of(tmp_path, text))


ALLOWED = {
    "nested generator": "def f(x):\n    def g():\n        yield x\n    return sum(g())",
    "nested async": "def f(x):\n    async def g():\n        await x\n    return x",
    "generator expression": "def f(x):\n    return sum(k for k in x)",
    "lambda that yields": "def f(x):\n    return lambda: (yield)",
    "global that is read": "def f(x):\n    global a\n    return x",
    "nonlocal that is read": (
        "def f(x):\n    y = 1\n    def g():\n        nonlocal y\n        return y\n    return g()"
    ),
    "vars of an object": "def f(x):\n    return vars(x), dir(x)",
    "own function named eval": "def f(x, eval):\n    return eval(x)",
    "global function named eval": "def eval(x): return x\ndef f(x):\n    return eval(x)",
    "local named exec": "def f(x):\n    exec = x\n    return exec",
    "attribute named eval": "def f(x):\n    return x.eval()",
    "import": "def f(x):\n    import math\n    from os import path\n    return math.sin(x)",
    "anything else": """
        def f(x):
            with open(x) as file, file:
                try:
                    assert x
                except ValueError as error:
                    raise error from None
                finally:
                    del x
            match x:
                case [1, *rest] if (y := rest):
                    return f"{y}"
            class A: pass
            while True: break
            else: return {k: v for k, v in x}
    """,
}


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str, tmp_path: Path) -> None:
    fence(source_of(tmp_path, ALLOWED[name]))
