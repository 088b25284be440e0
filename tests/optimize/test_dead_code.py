"""What is removed as dead, and what is not."""

from __future__ import annotations

import gast

from autodiff.optimize.dead_code import dead_code
from tests.optimize.running import check, facts_of, tree_of


def becomes(before: str, after: str) -> None:
    tree = dead_code(tree_of(before), facts_of())
    check(tree, after)
    assert dead_code(tree, facts_of()) is tree


def stays(text: str) -> None:
    tree = tree_of(text)
    assert dead_code(tree, facts_of()) is tree


def test_a_chain_of_dead_assignments() -> None:
    becomes(
        """
        def f(x):
            y = x * 2
            z = np.sin(y)
            w = z[0]
            return x
        """,
        """
        def f(x):
            return x
        """,
    )


def test_overwritten_before_it_is_read() -> None:
    becomes(
        """
        def f(x):
            y = x * 2
            y = x * 3
            return y
        """,
        """
        def f(x):
            y = x * 3
            return y
        """,
    )


def test_effects_stay() -> None:
    stays(
        """
        def f(x, a):
            y = log(x)
            a[0] = x
            log(x)
            assert x
            return x
        """
    )


def test_a_user_statement_that_deletes_keeps_what_it_deletes() -> None:
    stays(
        """
        def f(x):
            y = x * 2
            del y
            return x
        """
    )


def test_a_loop_that_only_feeds_itself() -> None:
    becomes(
        """
        def f(x):
            s = 0.0
            for i in range(3):
                s = s + x
                t = s * 2
            k = 0
            while k < 3:
                k = k + 1
            return x
        """,
        """
        def f(x):
            return x
        """,
    )


def test_a_value_carried_around_a_loop_stays() -> None:
    stays(
        """
        def f(x):
            s = 0.0
            p = 0.0
            for i in range(3):
                s = p
                p = x * i
            return s
        """
    )


def test_what_is_read_after_break_stays() -> None:
    stays(
        """
        def f(x):
            y = 0.0
            for i in range(3):
                y = x * i
                b = y > 1
                if b:
                    break
                y = 0.0
            return y
        """
    )


def test_an_empty_branch_goes() -> None:
    becomes(
        """
        def f(x, c):
            if c > 0:
                y = x
            else:
                log(x)
            if c < 0:
                z = x
            return x
        """,
        """
        def f(x, c):
            if not c > 0:
                log(x)
            return x
        """,
    )


def test_nothing_is_dropped_where_exceptions_are_caught() -> None:
    stays(
        """
        def f(x, d):
            found = True
            try:
                y = d[x]
            except KeyError:
                found = False
            with suppress(KeyError):
                y = d[x]
                found = 2
            return found
        """
    )


def test_a_harmless_with_is_looked_into() -> None:
    becomes(
        """
        def f(x):
            with np.errstate(all='ignore'):
                y = x * 2
                z = np.sin(x)
            return z
        """,
        """
        def f(x):
            with np.errstate(all='ignore'):
                z = np.sin(x)
            return z
        """,
    )


def test_values_that_nobody_pops_for_are_not_pushed() -> None:
    becomes(
        """
        def f(x, s):
            tape = Tape()
            for i in range(3):
                tape.push((s, x, i), 1)
                s = s * x
            for i in reversed(range(3)):
                tape.push(s, 2)
                s = s * x
            for i in range(3):
                s0 = tape.pop(2)
            for i in reversed(range(3)):
                t, x, j = tape.pop(1)
                s = s + x
            return s
        """,
        """
        def f(x, s):
            tape = Tape()
            for i in range(3):
                tape.push(x)
                s = s * x
            for i in reversed(range(3)):
                s = s * x
            for i in reversed(range(3)):
                x = tape.pop()
                s = s + x
            return s
        """,
    )


def test_a_push_with_an_effect_stays_with_its_pop() -> None:
    stays(
        """
        def f(x):
            tape = Tape()
            tape.push(log(x), 1)
            y = tape.pop(1)
            return x
        """
    )


def test_a_tape_that_is_not_used_goes() -> None:
    becomes(
        """
        def f(x):
            tape = Tape()
            tape.push(x, 1)
            x = tape.pop(1)
            return 1.0
        """,
        """
        def f(x):
            return 1.0
        """,
    )


def test_across_a_pullback() -> None:
    becomes(
        """
        def f(x):
            tape = Tape()
            y = x * 2
            w = x * 3
            tape.push((y, w), 1)
            v = x * 5
            u = x * 7

            def pullback(seed):
                tape_2 = Tape(tape)
                a, b = tape_2.pop(1)
                z = u * v
                return seed * a * v
            return x, pullback
        """,
        """
        def f(x):
            tape = Tape()
            y = x * 2
            tape.push(y)
            v = x * 5

            def pullback(seed):
                tape_2 = Tape(tape)
                a = tape_2.pop()
                return seed * a * v
            return x, pullback
        """,
    )


def test_what_a_function_holds_stays() -> None:
    stays(
        """
        def f(x):
            y = x * 2
            g = lambda a: a * y
            z = g(1)
            y = x * 3
            return g
        """
    )


def test_buffers_that_are_only_written() -> None:
    becomes(
        """
        def f(x, a_bar):
            b_bar = np.zeros_like(x)
            for i in range(3):
                b_bar[i] += x * 2
                b_bar += x
                a_bar[i] = x
            return x
        """,
        """
        def f(x, a_bar):
            for i in range(3):
                a_bar[i] = x
            return x
        """,
    )


def test_a_buffer_with_another_name_stays() -> None:
    stays(
        """
        def f(x):
            b = np.zeros_like(x)
            c = b
            b[0] = x
            return c
        """
    )


def test_a_buffer_of_the_function_around_stays() -> None:
    stays(
        """
        def f(x):
            b = np.zeros_like(x)

            def pullback(seed):
                b[0] = seed
                return seed
            return b, pullback
        """
    )


def test_comments_go_with_their_code() -> None:
    tree = tree_of(
        """
        def f(x):
            '# Forward sweep'
            y = x * 2
            ''
            '# Reverse sweep'
            '# y = x * 2'
            z = x
            ''
            '# z'
            w = x
            return w
        """
    )
    check(
        dead_code(tree, facts_of()),
        """
        def f(x):
            '# z'
            w = x
            return w
        """,
    )


def test_a_title_heads_all_up_to_the_next_blank_line() -> None:
    tree = tree_of(
        """
        def f(x):
            w = x
            ''
            '# Reverse sweep'
            z = x
            '# y = x * 2'
            w = w + x
            ''
            z = w
            ''
            return w
        """
    )
    check(
        dead_code(tree, facts_of()),
        """
        def f(x):
            w = x
            ''
            '# Reverse sweep'
            '# y = x * 2'
            w = w + x
            ''
            return w
        """,
    )


def test_a_docstring_stays() -> None:
    tree = gast.parse("def f(x):\n    'Doc.'\n    y = x\n    return x").body[0]
    check(dead_code(tree, facts_of()), "def f(x):\n    'Doc.'\n    return x")


def test_a_user_function_is_left_alone() -> None:
    stays_tree = tree_of(
        """
        def f(x):
            def g(a):
                b = a
                return a
            return g(x)
        """,
        origin="y = g(x)",
    )
    stays_tree.body[0].origin = stays_tree.body[1].origin
    assert dead_code(stays_tree, facts_of()) is stays_tree
