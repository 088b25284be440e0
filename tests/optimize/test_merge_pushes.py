"""Which pushes become one tuple."""

from __future__ import annotations

from autodiff.optimize.merge_pushes import merge_pushes
from tests.optimize.running import check, facts_of, tree_of


def becomes(before: str, after: str) -> None:
    tree = merge_pushes(tree_of(before), facts_of())
    check(tree, after)
    assert merge_pushes(tree, facts_of()) is tree


def stays(text: str) -> None:
    tree = tree_of(text)
    assert merge_pushes(tree, facts_of()) is tree


def test_one_tuple_per_iteration() -> None:
    becomes(
        """
        def f(x, y, z):
            for i in range(3):
                tape.push(y, 1)
                y = y * x
                tape.push(z, 2)
                z = x * z
            for i in reversed(range(3)):
                z = tape.pop(2)
                x_bar = x_bar + z
                y = tape.pop(1)
                y_bar = y
        """,
        """
        def f(x, y, z):
            for i in range(3):
                tape.push((y, z))
                y = y * x
                z = x * z
            for i in reversed(range(3)):
                y, z = tape.pop()
                x_bar = x_bar + z
                y_bar = y
        """,
    )


def test_at_the_end_of_the_iteration() -> None:
    becomes(
        """
        def f(x):
            for i in range(3):
                t = x * i
                u = t * x
                tape.push(t, 1)
                tape.push((u, t + u), 2)
            for i in reversed(range(3)):
                u, v = tape.pop(2)
                t = tape.pop(1)
                log(t)
        """,
        """
        def f(x):
            for i in range(3):
                t = x * i
                u = t * x
                tape.push((t, u, t + u))
            for i in reversed(range(3)):
                t, u, v = tape.pop()
                log(t)
        """,
    )


def test_the_restored_name_is_in_use_between() -> None:
    stays(
        """
        def f(x, y, z):
            tape.push(y, 1)
            y = y * x
            tape.push(z, 2)
            z = y * z
            z = tape.pop(2)
            x_bar = y * z
            y = tape.pop(1)
            y_bar = y
        """
    )


def test_the_pushed_name_is_assigned_between() -> None:
    stays(
        """
        def f(x, y, z):
            tape.push(y, 1)
            y = x
            z = y
            tape.push(z, 2)
            z = tape.pop(2)
            y = tape.pop(1)
        """
    )


def test_the_same_name_twice() -> None:
    stays(
        """
        def f(y):
            tape.push(y, 1)
            tape.push(y, 2)
            y = tape.pop(2)
            log(y)
            y = tape.pop(1)
        """
    )


def test_memory_is_read_when_it_is_pushed() -> None:
    stays(
        """
        def f(a, b):
            tape.push(a + 0, 1)
            b[0] = 1
            c = b * 2
            tape.push(c, 2)
            c = tape.pop(2)
            a = tape.pop(1)
        """
    )


def test_over_a_branch_with_pushes_of_its_own() -> None:
    becomes(
        """
        def f(x, y, b):
            for i in range(3):
                tape.push(x, 1)
                if b:
                    tape.push(y, 2)
                    y = y * 2
                tape.push(b, 3)
                b = not b
            for i in reversed(range(3)):
                b = tape.pop(3)
                if b:
                    y = tape.pop(2)
                x = tape.pop(1)
        """,
        """
        def f(x, y, b):
            for i in range(3):
                if b:
                    tape.push(y)
                    y = y * 2
                tape.push((x, b))
                b = not b
            for i in reversed(range(3)):
                x, b = tape.pop()
                if b:
                    y = tape.pop()
        """,
    )


def test_not_over_a_branch_that_needs_the_old_name() -> None:
    stays(
        """
        def f(x, b):
            for i in range(3):
                tape.push(x, 1)
                x = x * 2
                if b:
                    tape.push(x, 2)
                    x = x + 1
                tape.push(b, 3)
            for i in reversed(range(3)):
                b = tape.pop(3)
                if b:
                    x = tape.pop(2)
                x = tape.pop(1)
        """
    )


def test_not_over_a_jump() -> None:
    stays(
        """
        def f(x, y):
            for i in range(3):
                tape.push(x, 1)
                if x > y:
                    break
                tape.push(y, 2)
            for i in reversed(range(3)):
                y = tape.pop(2)
                x = tape.pop(1)
        """
    )


def test_into_a_pullback() -> None:
    becomes(
        """
        def f(x, y):
            tape = Tape()
            tape.push(x, 1)
            tape.push(y, 2)
            def pullback(seed):
                tape_2 = Tape(tape)
                y = tape_2.pop(2)
                x = tape_2.pop(1)
                return x * y
            return x, pullback
        """,
        """
        def f(x, y):
            tape = Tape()
            tape.push((x, y))
            def pullback(seed):
                tape_2 = Tape(tape)
                x, y = tape_2.pop()
                return x * y
            return x, pullback
        """,
    )


def test_pops_in_different_blocks() -> None:
    stays(
        """
        def f(x, y, b):
            tape.push(x, 1)
            tape.push(y, 2)
            y = tape.pop(2)
            if b:
                x = tape.pop(1)
            else:
                x = 1
        """
    )
