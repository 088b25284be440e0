"""Where a loop goes over the tape."""

from __future__ import annotations

import pytest

from autodiff.optimize.unwind import unwind
from tests.optimize.running import check, facts_of, tree_of

FORWARD = """
def f(x, n):
    tape = Tape()
    while x < 9.0:
        tape.push(x, 1)
        x = x * x
"""


def test_a_loop_that_only_counts() -> None:
    text = FORWARD + """
    for _ in range(n):
        x = tape.pop(1)
        y = y * x
    return y
"""
    check(
        unwind(tree_of(text), facts_of()),
        """
        def f(x, n):
            tape = Tape()
            while x < 9.0:
                tape.push(x)
                x = x * x
            for x in reversed(tape):
                y = y * x
            return y
        """,
    )


def test_a_pullback_needs_no_copy() -> None:
    text = FORWARD + """
    def pullback(y, tape=tape):
        tape = Tape(tape)
        for k in reversed(range(n)):
            x = tape.pop(1)
            y = y * x
        return y
    return pullback
"""
    check(
        unwind(tree_of(text), facts_of("pullback")),
        """
        def f(x, n):
            tape = Tape()
            while x < 9.0:
                tape.push(x)
                x = x * x

            def pullback(y):
                for x in reversed(tape):
                    y = y * x
                return y
            return pullback
        """,
    )


def test_many_values_have_a_line_of_their_own() -> None:
    names = ", ".join(f"x_with_a_long_name_{k}" for k in range(6))
    text = f"""
def f(x, n):
    tape = Tape()
    for k in range(n):
        tape.push(({names}), 1)
    for k in reversed(range(n)):
        {names} = tape.pop(1)
        y = y * x_with_a_long_name_3
    return y
"""
    new = unwind(tree_of(text), facts_of())
    loop = new.body[2]
    assert loop.target.id == "values"
    assert loop.body[0].value.id == "values"


@pytest.mark.parametrize(
    ("why", "loop"),
    [
        ("the number is read", "for k in range(n):\n  x = tape.pop(1)\n  y = y * k"),
        ("and here later", "for k in range(n):\n  x = tape.pop(1)\n y = k"),
        ("something comes before", "for k in range(n):\n  y = y * x\n  x = tape.pop(1)"),
        ("in a branch", "for k in range(n):\n  if y:\n   x = tape.pop(1)"),
        ("the tape is read", "for k in range(n):\n  x = tape.pop(1)\n y = len(tape)"),
        ("memory is restored", "for k in range(n):\n  a[0] = tape.pop(1)\n  y = y * x"),
        ("no loop over numbers", "for k in y:\n  x = tape.pop(1)"),
        ("counting does something", "for k in range(log(n)):\n  x = tape.pop(1)"),
        ("within a loop", "for j in range(n):\n  for k in range(n):\n   x = tape.pop(1)"),
        ("more is popped", "for k in range(n):\n  x = tape.pop(1)\n  y = tape.pop(2)"),
    ],
)
def test_it_stays(why: str, loop: str) -> None:
    tree = tree_of(FORWARD.replace("    ", " ").replace("  ", "  ") + f" {loop}\n return y\n")
    assert unwind(tree, facts_of()) is tree, why
