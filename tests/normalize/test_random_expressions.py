"""Random expressions are evaluated in Python's order: calls, assignments inside, choices."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autodiff.normalize.desugar import desugar
from tests.normalize.behaviour import HELPERS, both, observed, passed

INPUTS = [(0, 1, 2), (3, 0, 0), (1, 2, 3)]
NAMES = ("a", "b", "c")


class Writer:
    """Writes an expression of integers as hypothesis draws it."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.count = 0
        self.inner = 0  # depth of comprehensions, whose variables cannot be assigned

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def pick(self, *options: str) -> str:
        return options[self.integer(0, len(options) - 1)]

    def expression(self, depth: int) -> str:
        simple = ("name", "name", "number", "note")
        nested = ("sum", "note_of", "choice", "boolean", "walrus", "compare", "item", "call")
        kind = self.pick(*simple, *(nested * 2 if depth else ()), *(("listed",) if depth else ()))
        return str(getattr(self, kind)(depth - 1))

    def name(self, depth: int) -> str:
        return self.pick(*NAMES, *([f"v{self.inner}"] if self.inner else []))

    def number(self, depth: int) -> str:
        return str(self.integer(0, 3))

    def note(self, depth: int) -> str:
        self.count += 1
        return f"note({self.count})"

    def note_of(self, depth: int) -> str:
        return f"note({self.expression(depth)})"

    def sum(self, depth: int) -> str:
        operator = self.pick("+", "-", "*")
        return f"({self.expression(depth)} {operator} {self.expression(depth)})"

    def choice(self, depth: int) -> str:
        parts = [self.expression(depth) for _ in range(3)]
        return f"({parts[0]} if {parts[1]} else {parts[2]})"

    def boolean(self, depth: int) -> str:
        operator = self.pick(" and ", " or ")
        return "(" + operator.join(self.expression(depth) for _ in range(self.integer(2, 3))) + ")"

    def walrus(self, depth: int) -> str:
        return f"({self.pick(*NAMES)} := {self.expression(depth)})"

    def compare(self, depth: int) -> str:
        parts = [self.expression(depth) for _ in range(self.integer(2, 3))]
        return self.pick("(", "(not ") + f" {self.pick('<', '==')} ".join(parts) + ")"

    def item(self, depth: int) -> str:
        parts = ", ".join(self.expression(depth) for _ in range(2))
        return f"[{parts}][{self.expression(depth)} % 2]"

    def call(self, depth: int) -> str:
        parts = [self.expression(depth) for _ in range(3)]
        return f"max({parts[0]}, *[{parts[1]}], key=lambda n: n or {parts[2]})"

    def listed(self, depth: int) -> str:
        iterable = self.pick("range(3)", "(a, b)", f"[{self.expression(depth)}]")
        self.inner += 1
        variable, element = f"v{self.inner}", self.expression(depth)
        test = self.pick("", f" if {self.expression(depth)}")
        self.inner -= 1
        kind = self.pick("sum([{}])", "sum({})", "len([{}])", "any({})")
        return kind.format(f"{element} for {variable} in {iterable}{test}")

    def statement(self) -> str:
        value = self.expression(3)
        forms = (
            "a = {0}",
            "x[{1} % 2] = {0}",
            "b += {0}",
            "x[{1} % 2] += {0}",
            "a, b = {0}, {1}",
            "x[0], c = {0}, {1}",
            "a = x[1] = {0}",
            "note({0}, {1})",
            "if {0}:\n        note({1})",
            "for c in ({0}, {1}):\n        note(c)",
        )
        return self.pick(*forms).format(value, self.expression(2))

    def program(self) -> str:
        lines = ["def program(a, b, c):", "    x = [5, 6]"]
        lines += ["    " + self.statement() for _ in range(self.integer(1, 3))]
        return "\n".join([*lines, f"    return a, b, c, x, {self.expression(2)}"])


@st.composite
def functions(draw: Any) -> str:
    return Writer(draw).program()


def check(text: str) -> None:
    for change in (desugar, both):
        after = passed(text, change)
        for arguments in INPUTS:
            assert observed(after, arguments, HELPERS) == observed(text, arguments, {}), after


@settings(max_examples=150, deadline=None)
@given(functions())
def test_order_of_evaluation(text: str) -> None:
    try:
        compile(text, "test.py", "exec")
    except SyntaxError:  # `:=` where Python has none
        assume(False)
    check(text)
