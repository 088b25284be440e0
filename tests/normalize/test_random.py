"""Random control flow behaves as before: loops, branches, jumps, `try`, `with`, in any nesting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autodiff.normalize.control import control
from tests.normalize.behaviour import HELPERS, both, observed, passed

Draw = Any
BITS = [[], [1], [0, 1], [1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 1, 0, 0, 1], [0] * 9 + [1]]
PRELUDE = """
def program(bits):
    asked = [0]
    def bit():
        asked[0] += 1
        if asked[0] > 60:
            raise RuntimeError
        return bool(bits) and bits[asked[0] % len(bits)] == 1
    s = 0
"""


class Writer:
    """Writes statements as hypothesis draws them."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.budget = self.integer(4, 16)
        self.count = 0

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def maybe(self) -> bool:
        return self.integer(0, 1) == 1

    def pick(self, *options: str) -> str:
        return options[self.integer(0, len(options) - 1)]

    def write(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def number(self) -> int:
        self.count += 1
        return self.count

    def condition(self) -> str:
        return self.pick("bit()", "not bit()", "bit() and bit()", "s % 3 == 1", "s > 4", "flag")

    def block(self, indent: int, loops: int) -> None:
        for _ in range(self.integer(1, 3)):
            self.statement(indent, loops)

    def statement(self, indent: int, loops: int) -> None:
        self.budget -= 1
        simple = ["note", "add", "flag", "risk", "return"]
        nested = ["if", "if", "if", "for", "while", "try", "with"]
        jumps = ["break", "continue", "leave", "leave"] if loops else ["leave"]
        options = simple + jumps * 2 + (nested * 2 if self.budget > 0 and indent < 7 else [])
        kind = self.pick(*options)
        getattr(self, "write_" + kind)(indent, loops)

    def write_note(self, indent: int, loops: int) -> None:
        self.write(indent, f"note({self.number()}, s)")

    def write_add(self, indent: int, loops: int) -> None:
        self.write(indent, f"s += {self.number()}")

    def write_flag(self, indent: int, loops: int) -> None:
        self.write(indent, "flag = bit()")

    def write_risk(self, indent: int, loops: int) -> None:
        self.write(indent, self.pick("s // bit()", "[s][1 - bit()]"))

    def write_return(self, indent: int, loops: int) -> None:
        value = self.pick(
            "s", "s + 1", f"note({self.number()})", "None", "-1", "0.5", "s // bit()", ""
        )
        self.write(indent, f"return {value}".rstrip())

    def write_break(self, indent: int, loops: int) -> None:
        self.write(indent, "break")

    def write_continue(self, indent: int, loops: int) -> None:
        self.write(indent, "continue")

    def write_leave(self, indent: int, loops: int) -> None:
        self.write(indent, f"if {self.condition()}:")
        self.write(indent + 1, self.pick("pass", "s += 1", "s // bit()", "note(s)"))
        getattr(self, "write_" + self.pick(*(["break", "continue"] if loops else []), "return"))(
            indent + 1, loops
        )

    def write_if(self, indent: int, loops: int) -> None:
        self.write(indent, f"if {self.condition()}:")
        self.block(indent + 1, loops)
        if self.maybe():
            self.write(indent, "else:")
            self.block(indent + 1, loops)

    def loop(self, indent: int, loops: int) -> None:
        self.block(indent + 1, loops + 1)
        if self.pick("", "", "else"):
            self.write(indent, "else:")
            self.block(indent + 1, loops)

    def write_for(self, indent: int, loops: int) -> None:
        self.write(indent, f"for v{loops} in {self.pick('range(3)', 'range(s % 4)', '[4, 5]')}:")
        self.loop(indent, loops)

    def write_while(self, indent: int, loops: int) -> None:
        self.write(indent, f"while {self.pick('True', 'bit()', '(flag := bit())', 'not flag')}:")
        self.write(indent + 1, "bit()")
        self.loop(indent, loops)

    def write_try(self, indent: int, loops: int) -> None:
        self.write(indent, "try:")
        self.block(indent + 1, loops)
        self.write(indent + 1, self.pick("pass", "s // bit()", "[s][1 - bit()]"))
        if self.maybe():
            self.block(indent + 1, loops)
        for error in ("ZeroDivisionError", "IndexError")[: self.integer(1, 2)]:
            self.write(indent, f"except {error}:")
            self.block(indent + 1, loops)
        if self.maybe():
            self.write(indent, "else:")
            self.block(indent + 1, loops)
        if self.maybe():
            self.write(indent, "finally:")
            self.write(indent + 1, f"note({self.number()})")

    def write_with(self, indent: int, loops: int) -> None:
        self.write(indent, f"with {self.pick('Quiet()', 'manager(note, 1)', 'np.errstate()')}:")
        self.block(indent + 1, loops)
        if self.maybe():
            self.write(indent + 1, "int('x' if bit() else '1')")

    def program(self) -> str:
        """The text of a random function."""
        self.write(1, f"flag = {self.pick('True', 'False')}")
        for _ in range(self.integer(1, 3)):
            self.statement(1, 0)
        self.block(1, 0)
        return PRELUDE + "\n".join(self.lines) + "\n"


@st.composite
def bodies(draw: Draw) -> str:
    return Writer(draw).program()


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(bodies())
def test_control_keeps_behaviour(text: str) -> None:
    check(text)


def check(text: str) -> None:
    for change in (control, both):
        after = passed(text.strip(), change)
        for bits in BITS:
            assert observed(after, [bits], HELPERS) == observed(text, [bits], {}), after
