"""Which temporaries are folded into their use."""

from __future__ import annotations

import pytest

from autodiff.optimize.substitute import substitute
from tests.optimize.running import check, facts_of, tree_of

FACTS = "t u v"


def becomes(before: str, after: str, origin: str | None = None) -> None:
    facts = facts_of(FACTS)
    tree = substitute(tree_of(before, origin), facts)
    check(tree, after)
    assert substitute(tree, facts) is tree


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("t = s * 2; y = t + 1", "y = s * 2 + 1"),
        ("t = s * 2; u = np.sin(t); y = u + s", "y = np.sin(s * 2) + s"),
        ("t = a[0]; x, y = t", "x, y = a[0]"),
        ("t = s; a[t] += 1", "a[s] += 1"),
        ("t = s * 2; a[0] += t", "a[0] += s * 2"),
        ("t = a + 1; a += t", "a += a + 1"),
        ("t = s * 2; tape.push((t, s), 1)", "tape.push((s * 2, s))"),
        ("t = f(s); y = t + g(s)", "y = f(s) + g(s)"),
        ("t = f(s); u = g(s); y = t + u", "y = f(s) + g(s)"),
        ("t = f(s); u = g(s); y = h(t, key=u)", "y = h(f(s), key=g(s))"),
        ("t = s * 2; y = t if s else 1", "y = s * 2 if s else 1"),
        ("t = s * 2; log(t)", "log(s * 2)"),
        ("t = s; tape.push(s, 1); y = t", "tape.push(s); y = s"),
        ("t = s * 2; a[0] = 1; y = t", "a[0] = 1; y = s * 2"),
        ("t = np.sin(s); a[0] = 1; y = t", "a[0] = 1; y = np.sin(s)"),
        ("t = a; a[0] = 1; y = t", "a[0] = 1; y = a"),
        # nobody else sees the memory of what is stored to
        ("o = np.zeros(3); t = a[0]; o[0] = 1; y = t", "o = np.zeros(3); o[0] = 1; y = a[0]"),
        (
            "o = np.zeros(3); t = a[0]; o[0] += s; o[1] = t",
            "o = np.zeros(3); o[0] += s; o[1] = a[0]",
        ),
        # a view shows what is there when it is read
        ("t = a[0:3]; a[0] = 1; y = t + 1", "a[0] = 1; y = a[0:3] + 1"),
        ("t = a[0:3]; o = t + 1; a[0] = 1; y = o", "o = a[0:3] + 1; a[0] = 1; y = o"),
        # the same name again, each time for one use
        ("t = s * 2; y = t + 1; t = s * 3; z = t + 1", "y = s * 2 + 1; z = s * 3 + 1"),
    ],
)
def test_folded(before: str, after: str) -> None:
    def function(body: str) -> str:
        return f"def f(a, s, b):\n    {body}"

    becomes(function(before), function(after))


@pytest.mark.parametrize(
    "text",
    [
        "y = s * 2; z = y + 1",  # a name of the user's
        "t = s * 2; y = t + t",
        "t = s * 2; y = t; z = t",
        "t = s * 2; s = 1; y = t",
        "t = a * 2; a[0] = 1; y = t",
        "t = a[0]; b[0] = 1; y = t",  # b may be the memory of a
        "t = b.sum; a[0] = 1; y = t",
        "o = np.zeros(3); t = o[0]; o[0] = 1; y = t",
        "o = np.zeros(3); w = o[1:]; t = w[0]; o[1] = 1; y = t",
        "o = np.zeros(3); t = a[0]; o[0] = f(s); y = t",  # f may store into a
        "t = s * 2; s += 1; y = t",
        "t = s * 2; log(s); y = t",
        "t = f(s); y = g(s) + t",
        "t = f(s); a[0] = 1; y = t",
        "t = f(s); y = a[0] + t",
        "t = f(s); a[0] += t",
        "t = f(s); y = t if s else 1",
        "t = f(s); y = s and t",
        "t = a[0]; y = log(s) + t",
        "t = np.zeros(3); t[0] = 1",
        "t = np.zeros(3); t += 1",
        "t = tape.pop(1); y = t * 2",
        "t = s * 2; y = lambda: t",
        "t = s * 2; y = [t for i in a]",
        "t = s * 2; y = f'{t}'",
        "t, u = a; y = t + u",
        "t = (s := 1); y = t + s",
    ],
)
def test_not_folded(text: str) -> None:
    tree = tree_of(f"def f(a, s, b):\n    {text}")
    assert substitute(tree, facts_of(FACTS)) is tree


def test_headers() -> None:
    becomes(
        """
        def f(s):
            t = s > 1
            if t:
                log(s)
            u = s * 2
            for i in range(u):
                log(i)
            return s
        """,
        """
        def f(s):
            if s > 1:
                log(s)
            for i in range(s * 2):
                log(i)
            return s
        """,
    )


def test_not_into_loops() -> None:
    text = """
        def f(s):
            t = s * 2
            u = s > 1
            for i in range(3):
                log(t)
            while u:
                s = 1
            v = 0.0
            for i in range(3):
                y = v
                v = s * i
            return s
    """
    tree = tree_of(text)
    assert substitute(tree, facts_of(FACTS)) is tree


def test_not_when_a_branch_may_assign_it() -> None:
    text = """
        def f(s):
            t = s * 2
            if s > 1:
                t = s
            return t
    """
    tree = tree_of(text)
    assert substitute(tree, facts_of(FACTS)) is tree


def test_not_over_what_a_loop_writes() -> None:
    text = """
        def f(s):
            t = s * 2
            for i in range(3):
                s = s + i
            return t
    """
    tree = tree_of(text)
    assert substitute(tree, facts_of(FACTS)) is tree


def test_in_a_pullback() -> None:
    becomes(
        """
        def f(s):
            t = s * 2
            def pullback(seed):
                u = seed * 2
                return u * t
            return s, pullback
        """,
        """
        def f(s):
            t = s * 2
            def pullback(seed):
                return seed * 2 * t
            return s, pullback
        """,
    )


def test_where_exceptions_are_caught_only_next_to_each_other() -> None:
    becomes(
        """
        def f(s):
            try:
                t = s[1]
                u = s[0]
                y = u + t
                z = 1
                v = s[2]
                w = 1
                return v
            except IndexError:
                return z
        """,
        """
        def f(s):
            try:
                y = s[0] + s[1]
                z = 1
                v = s[2]
                w = 1
                return v
            except IndexError:
                return z
        """,
    )


WIDE = "y = " + " + ".join(f"np.sin(argument_{i})" for i in range(9))


def test_not_wider_than_a_line() -> None:
    parts = [f"np.sin(argument_{i})" for i in range(9)]
    text = f"def f():\n    t = {' + '.join(parts[:5])}\n    y = t + {' + '.join(parts[5:])}"
    tree = tree_of(text)
    assert substitute(tree, facts_of(FACTS)) is tree
    becomes(text, f"def f():\n    {WIDE}", origin=WIDE)


def test_not_deeper_than_a_reader_likes() -> None:
    text = "def f(s):\n    t = -(-(-(-(-(-s)))))\n    y = -t"
    tree = tree_of(text)
    assert substitute(tree, facts_of(FACTS)) is tree
