"""Calls that stay calls, and their pullbacks."""

from __future__ import annotations

from typing import Any

from autodiff.core.operation import Effect, Operation
from autodiff.core.value import Value


class Call(Operation):
    """A function called for kinds of arguments.

    callee: what is called, name: the reference to it. variant: the name of the function that
    returns value and pullback, once the reverse sweep asks for that: the last result.
    """

    def __init__(self, callee: Any, name: str, operands: list[Value], results: list[Value]) -> None:
        super().__init__(operands, results)
        self.callee, self.name = callee, name
        self.variant: str | None = None

    def effects(self) -> list[Effect]:
        regions = [value.region for value in self.operands]
        return [Effect("read", region) for region in regions if region is not None]


class Pullback(Operation):
    """The adjoints of the operands of a call, for that of its result: operand 0 is the pullback."""

    def __init__(self, call: Call, operands: list[Value], results: list[Value]) -> None:
        super().__init__(operands, results)
        self.call = call
