"""Values that are there already."""

from __future__ import annotations

import textwrap

import gast
import pytest

from autodiff.optimize.reuse import reuse
from autodiff.optimize.twins import twins
from tests.optimize.running import check, facts_of, text_of, tree_of

TEMPORARIES = "ta tb ts tx tape"


def function(ahead: str, back: str) -> gast.FunctionDef:
    body = f"{textwrap.dedent(ahead)}\n'Reverse sweep'\n{textwrap.dedent(back)}\n"
    return tree_of("def f(a, s, x, n):\n" + textwrap.indent(body, "    "))


def test_what_the_forward_sweep_computed() -> None:
    tree = function(
        "ta = np.sin(a)\nts = np.sin(s)\ny = ta * ts",
        "a_bar = np.sin(a) * 2.0\nx_bar = x + np.sin(s) / 2.0\nreturn a_bar, x_bar",
    )
    check(
        reuse(tree, facts_of(TEMPORARIES)),
        """
        def f(a, s, x, n):
            ta = np.sin(a)
            ts = np.sin(s)
            y = ta * ts
            'Reverse sweep'
            a_bar = ta * 2.0
            x_bar = x + ts / 2.0
            return (a_bar, x_bar)
        """,
    )


def test_what_comes_from_the_tape() -> None:
    tree = function(
        """
        tape = Tape()
        for k in range(n):
            ta = np.sin(a)
            tape.push((a, ta), 1)
            a = a + ta
        """,
        """
        for k in reversed(range(n)):
            a, ta = tape.pop(1)
            tb = np.sin(a)
            x = x + tb * 2.0
        return x
        """,
    )
    check(
        reuse(tree, facts_of(TEMPORARIES)),
        """
        def f(a, s, x, n):
            tape = Tape()
            for k in range(n):
                ta = np.sin(a)
                tape.push((a, ta))
                a = a + ta
            'Reverse sweep'
            for k in reversed(range(n)):
                a, ta = tape.pop()
                tb = ta
                x = x + tb * 2.0
            return x
        """,
    )


def test_what_a_pullback_needs() -> None:
    text = """
    def f(a, s):
        ta = np.sin(a)
        y = ta * s
        def pullback(y_bar):
            return y_bar * np.sin(a)
        return y, pullback
    """
    expected = text.replace("y_bar * np.sin(a)", "y_bar * ta")
    check(reuse(tree_of(text), facts_of(TEMPORARIES)), expected)


@pytest.mark.parametrize(
    ("why", "ahead", "back"),
    [
        ("the operand is another", "ta = np.sin(a); a = a * 2.0", "x = np.sin(a) * x; return x"),
        ("the operand changed", "ta = np.sin(a); a[0] = 2.0", "x = np.sin(a) * x; return x"),
        ("by another name", "ta = np.sin(a); b = a; b += x", "x = np.sin(a) * x; return x"),
        ("the holder changed", "ta = np.sin(a); ta += 1.0", "x = np.sin(a) * x; return x"),
        ("the holder is another", "ta = np.sin(a); ta = a", "x = np.sin(a) * x; return x"),
        ("called for its effect", "ta = np.sin(a); bump(a)", "x = np.sin(a) * x; return x"),
        ("in a branch", "if s:\n    ta = np.sin(a)\n", "x = np.sin(a) * x; return x"),
        ("in a loop", "for k in range(n):\n    ta = np.sin(a)\n", "x = np.sin(a) * x; return x"),
        (
            "a loop changes it",
            "ta = np.sin(a)",
            "for k in range(n):\n    x = np.sin(a) * x\n    a = x\nreturn x",
        ),
        ("returned", "ta = np.sin(a)", "tb = np.sin(a); return tb"),
        ("changed later", "ta = np.sin(a)", "tb = np.sin(a); tb += 1.0; x = tb * x; return x"),
        ("stored", "ta = np.sin(a)", "tb = np.sin(a); ta[0] = 1.0; x = tb * x; return x"),
        ("cheap", "ts = -s", "x = -s + x; return x"),
        ("of the user's", "ta = np.sin(a); y = np.sin(a) * 2.0", "return y"),
    ],
)
def test_computed_again(why: str, ahead: str, back: str) -> None:
    tree = function(ahead.replace("; ", "\n"), back.replace("; ", "\n"))
    assert reuse(tree, facts_of(TEMPORARIES)) is tree, why


@pytest.mark.parametrize(
    ("why", "pushed", "change"),
    [
        ("only the holder", "ta", ""),
        ("changed before", "(a, ta)", "a = a * 2.0"),
        ("memory changes somewhere", "(a, ta)", "x[0] = 1.0"),
        ("something is called", "(a, ta)", "log(1.0)"),
    ],
)
def test_not_known_of_what_comes_from_the_tape(why: str, pushed: str, change: str) -> None:
    tree = function(
        f"""
        tape = Tape()
        for k in range(n):
            ta = np.sin(a)
            {change or "pass"}
            tape.push({pushed}, 1)
            a = a + ta
        """,
        f"""
        for k in reversed(range(n)):
            {pushed.strip("()")} = tape.pop(1)
            x = np.sin(a) * x
        return x
        """,
    )
    assert reuse(tree, facts_of(TEMPORARIES)) is tree, why


@pytest.mark.parametrize("change", ["ta[0] = 1.0", "ta += 1.0"])
def test_a_holder_that_changes_after_the_push(change: str) -> None:
    """It does not come back from the tape, and nobody restores what it was."""
    tree = function(
        f"""
        tape = Tape()
        ta = a * 2.0
        for k in range(n):
            tape.push(s, 1)
            s = np.sin(s)
        {change}
        """,
        """
        for k in reversed(range(n)):
            s = tape.pop(1)
            x = (a * 2.0) * x
        return x
        """,
    )
    assert reuse(tree, facts_of(TEMPORARIES)) is tree


@pytest.mark.parametrize(
    ("ahead", "after"),
    [
        ("ta = np.sin(a)\ntb = np.sin(a)\ny = ta * tb", "ta = np.sin(a)\ny = ta * ta"),
        ("ts = s / x\nta = s / x\ny = ts * ta", "ts = s / x\ny = ts * ts"),
        ("ts = np.sin(s)\ny = np.sin(s)", None),  # a variable of the user's
        ("ts = np.sin(s)\ns = x\nta = np.sin(s)\ny = ta", None),
        ("ta = np.sin(a)\ntb = np.sin(a)\ntb[0] = 1.0", None),  # two arrays
        ("ta = np.sin(a)\na[0] = x\ntb = np.sin(a)\ny = ta * tb", None),
        ("ts = a.copy()[0] / s\na[0] = x\ntx = a.copy()[0] / s\ny = ts * tx", None),
        ("ts = f(s)\nta = f(s)\ny = ts * ta", None),
    ],
)
def test_parts_of_the_forward_sweep(ahead: str, after: str | None) -> None:
    back = "return y"
    new = reuse(function(ahead, back), facts_of(TEMPORARIES))
    assert text_of(new) == text_of(function(after or ahead, back))


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("ta = s / x\ny = ta * s\ntb = ta", "ta = s / x\ny = ta * s"),
        ("ta = s / x\ny = tb * s\ntb = ta", None),  # of the iteration before
        ("ta = s / x\nif y > x:\n    break\ntb = ta", None),  # which may be left before
        ("ta = s / x\ntb = ta\nta = ta * y", None),
        ("if y > x:\n    ta = s / x\ntb = ta", None),
    ],
)
def test_copies_that_follow_what_they_copy(body: str, after: str | None) -> None:
    def loop(inside: str) -> str:
        return "for k in range(n):\n" + textwrap.indent(inside, "    ")

    def tree(inside: str, own: str) -> gast.FunctionDef:
        return function(loop(inside), loop(f"s = s + {own} * x") + "\nreturn s")

    new = twins(tree(body, "tb"), facts_of(TEMPORARIES))
    assert text_of(new) == text_of(tree(after or body, "tb" if after is None else "ta"))
