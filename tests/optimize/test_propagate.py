"""Where copies and constants are read directly."""

from __future__ import annotations

from dataclasses import replace

from autodiff.optimize.propagate import propagate
from tests.optimize.running import check, facts_of, tree_of


def becomes(before: str, after: str) -> None:
    facts = facts_of("t u")
    tree = propagate(tree_of(before), facts)
    check(tree, after)
    assert propagate(tree, facts) is tree


def test_a_copy_until_one_of_the_two_changes() -> None:
    becomes(
        """
        def f(x, y):
            t = x
            a = t + t
            u = t
            x = 1.0
            b = t + u
            t = y
            return t
        """,
        """
        def f(x, y):
            t = x
            a = t + t
            u = t
            x = 1.0
            b = t + t
            t = y
            return y
        """,
    )


def test_what_outlives_its_source_keeps_its_name() -> None:
    becomes(
        """
        def f(x, y):
            for i in range(y):
                t = x
                a = t + i
                x = a * a
                u = t
                b = t + u
            return b
        """,
        """
        def f(x, y):
            for i in range(y):
                t = x
                a = t + i
                x = a * a
                u = t
                b = t + t
            return b
        """,
    )


def test_a_constant() -> None:
    becomes(
        """
        def f(x):
            t = -1.0
            u = None
            if u is None:
                y = t * x
            for i in range(3):
                y = y + t
            return y
        """,
        """
        def f(x):
            t = -1.0
            u = None
            if None is None:
                y = -1.0 * x
            for i in range(3):
                y = y + -1.0
            return y
        """,
    )


def test_names_of_the_user_stay() -> None:
    text = """
        def f(x):
            y = x
            z = 2.0
            return y * z
    """
    tree = tree_of(text)
    assert propagate(tree, facts_of("t u")) is tree


def test_a_loop_may_change_it() -> None:
    becomes(
        """
        def f(x, y):
            t = x
            u = y
            for i in range(t):
                s = t + u
                x = x + 1
            while u > 0:
                log(u)
            return s
        """,
        """
        def f(x, y):
            t = x
            u = y
            for i in range(x):
                s = t + y
                x = x + 1
            while y > 0:
                log(y)
            return s
        """,
    )


def test_branches() -> None:
    becomes(
        """
        def f(x, c):
            t = x
            if c:
                x = t * 2
                y = t
            else:
                u = x
                y = t * u
            return t
        """,
        """
        def f(x, c):
            t = x
            if c:
                x = t * 2
                y = t
            else:
                u = x
                y = t * x
            return t
        """,
    )


def test_inner_scopes() -> None:
    becomes(
        """
        def f(x, i):
            t = x
            u = i
            y = [t * i + u for i in range(3)]
            g = lambda a: a * t
            return (y, g)
        """,
        """
        def f(x, i):
            t = x
            u = i
            y = [x * i + u for i in range(3)]
            g = lambda a: a * t
            return (y, g)
        """,
    )


def test_in_a_pullback_what_is_assigned_once() -> None:
    becomes(
        """
        def f(x, y):
            y = y * 2
            t = x
            u = y

            def pullback(seed):
                return seed * t * u
            return x, pullback
        """,
        """
        def f(x, y):
            y = y * 2
            t = x
            u = y

            def pullback(seed):
                return seed * x * u
            return x, pullback
        """,
    )


def test_an_update_in_place_is_an_assignment() -> None:
    becomes(
        """
        def f(x):
            t = x
            t += 1
            return t
        """,
        """
        def f(x):
            t = x
            t += 1
            return t
        """,
    )


def test_items_of_a_tuple_have_the_names_that_it_was_unpacked_to() -> None:
    before = """
        def f(a):
            t = g(a)
            x, y = t
            z = t[0] + t[1]
            x = 2.0
            return z + t[0]
        """
    after = """
        def f(a):
            t = g(a)
            x, y = t
            z = x + y
            x = 2.0
            return z + t[0]
        """
    tuples = replace(facts_of("t"), group=lambda node: True)
    check(propagate(tree_of(before), tuples), after)
    check(propagate(tree_of(before), facts_of("t")), before)  # it may be a list


def test_a_tuple_that_is_read_as_a_whole_keeps_its_name() -> None:
    text = """
        def f(a):
            t = g(a)
            x, y = t
            return t[0] + len(t)
        """
    check(propagate(tree_of(text), replace(facts_of("t"), group=lambda node: True)), text)
