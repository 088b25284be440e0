"""What `control` writes for the forms that matter most; `test_programs.py` checks that it works."""

from __future__ import annotations

import textwrap

import pytest

from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.control import control
from autodiff.syntax.names import Names, all_names
from autodiff.syntax.origin import origin_of
from tests.normalize.behaviour import both, parsed, passed, text_of

GOLDEN = {
    "one return": ("return x", "return x"),
    "one expression": (
        "return f(x)",
        """
        result = f(x)
        return result
        """,
    ),
    "no return": (
        "f(x)",
        """
        f(x)
        return
        """,
    ),
    "guards": (
        """
        if x < 0:
            return 0.0
        if x > 9:
            f(x)
            return 1.0
        return x + 1
        """,
        """
        if x < 0:
            result = 0.0
        elif x > 9:
            f(x)
            result = 1.0
        else:
            result = x + 1
        return result
        """,
    ),
    "same name": (
        """
        if x > 0:
            return x
        x = f(x)
        return x
        """,
        """
        if not x > 0:
            x = f(x)
        return x
        """,
    ),
    "falls off": (
        """
        if x is None:
            return n
        """,
        """
        if x is None:
            result = n
        else:
            result = None
        return result
        """,
    ),
    "raising": (
        """
        if x > 0:
            return 1.0
        raise ValueError
        """,
        """
        if x > 0:
            result = 1.0
        else:
            raise ValueError
        return result
        """,
    ),
    "continue": (
        """
        for i in range(n):
            if i == 3:
                continue
            x = x + i
        return x
        """,
        """
        for i in range(n):
            if i != 3:
                x = x + i
        return x
        """,
    ),
    "break at the end": (
        """
        for i in range(n):
            x = x + i
            if x > 9:
                break
        return x
        """,
        """
        for i in range(n):
            x = x + i
            stop = x > 9
            if stop:
                break
        return x
        """,
    ),
    "break first": (
        """
        while True:
            if f(x):
                y = 1
                break
            x = x + 1
        return x
        """,
        """
        while True:
            stop = bool(f(x))
            if stop:
                y = 1
            else:
                x = x + 1
            if stop:
                break
        return x
        """,
    ),
    "the form itself": (
        """
        for i in range(n):
            done = x > i
            if done:
                break
        return x
        """,
        """
        for i in range(n):
            done = x > i
            if done:
                break
        return x
        """,
    ),
    "else of a loop": (
        """
        for i in range(n):
            if x > i:
                break
        else:
            x = 0
        return x
        """,
        """
        stop = False
        for i in range(n):
            stop = x > i
            if stop:
                break
        if not stop:
            x = 0
        return x
        """,
    ),
    "search": (
        """
        for i in range(n):
            if f(i) > x:
                return i
        return -1
        """,
        """
        result = -1
        for i in range(n):
            returned = f(i) > x
            if returned:
                result = i
            if returned:
                break
        return result
        """,
    ),
    "search and compute": (
        """
        for i in range(n):
            if f(i) > x:
                return i
        return f(x)
        """,
        """
        returned = False
        for i in range(n):
            returned = f(i) > x
            if returned:
                result = i
            if returned:
                break
        if not returned:
            result = f(x)
        return result
        """,
    ),
    "jump in one of several paths": (
        """
        for i in range(n):
            if x > 0:
                if x > 3:
                    continue
                x = x + 1
            else:
                x = x + 2
            x = f(x)
        return x
        """,
        """
        for i in range(n):
            skip = False
            if x > 0:
                if x > 3:
                    skip = True
                else:
                    x = x + 1
            else:
                x = x + 2
            if not skip:
                x = f(x)
        return x
        """,
    ),
    "return in with": (
        """
        with f(x):
            return x
        """,
        """
        result = None
        with f(x):
            result = x
        return result
        """,
    ),
    "return in an honest with": (
        """
        with np.errstate():
            y = f(x)
            return y
        """,
        """
        with np.errstate():
            y = f(x)
        return y
        """,
    ),
    "return in try": (
        """
        try:
            return f(x)
        except ValueError:
            return 0.0
        """,
        """
        try:
            result = f(x)
        except ValueError:
            result = 0.0
        return result
        """,
    ),
}


def around(statements: str) -> str:
    return "def function(f, x, n):\n" + textwrap.indent(textwrap.dedent(statements).strip(), "    ")


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    before, after = GOLDEN[name]
    assert passed(around(before), control) == text_of(parsed(around(after)))


def test_conditional_return_after_desugar() -> None:
    expected = """
        if x > 0:
            result = x
        else:
            result = -x
        return result
        """
    assert passed(around("return x if x > 0 else -x"), both) == around(expected)


@pytest.mark.parametrize("jump", ["return x", "break", "continue"])
def test_a_jump_out_of_finally_is_refused(jump: str) -> None:
    text = around(f"for i in range(n):\n    try:\n        f(x)\n    finally:\n        {jump}")
    with pytest.raises(UnsupportedSyntaxError, match="finally"):
        passed(text, control)


def test_user_names_are_not_taken_over() -> None:
    text = around(
        """
        stop = result = returned = 1.0
        for i in range(n):
            if x > i:
                return stop
            if x < i:
                break
        return f(returned + stop)
        """
    )
    after = passed(text, both)
    assert "stop_2 = " in after
    assert "returned_2 = " in after
    assert "result_2 = " in after


def test_origins_are_those_of_the_user() -> None:
    tree = parsed(around("for i in range(n):\n    if x > i:\n        return x + 1\nreturn x"))
    new = control(tree, Names(all_names(tree)))
    cleared, loop, guarded, final = new.body
    assert [origin_of(s).line for s in (cleared, loop, guarded, final)] == [2, 2, 2, 5]
    assert origin_of(loop.body[0]).text == "if x > i:"
    assert origin_of(guarded.body[0]).text == "return x"
