"""Statements without a derivative, as they are."""

from __future__ import annotations

from typing import Any

from autodiff.core.operation import Effect, Operation
from autodiff.core.value import Value


class Verbatim(Operation):
    """A statement that reads its operands, may raise, and runs once, in the forward sweep.

    form: the statement; the names "0", "1" ... in it stand for the operands.
    error: the class of what it raises, None if that is not known.

        print("step", k, y)          raise ValueError(f"negative: {x}")          assert n > 0
    """

    certain = False
    """Whether it raises nothing."""
    about_order = False
    """Whether it checks that the order does not matter in which one operand is stored into
    another: that is so if they are not the same memory.
    """

    def __init__(self, form: Any, operands: list[Value], origin: Any = None) -> None:
        super().__init__(operands, [], origin)
        self.form, self.raises = form, True
        self.error: type[BaseException] | None = None

    def effects(self) -> list[Effect]:
        return [Effect("read", value.region) for value in self.operands if value.region is not None]
