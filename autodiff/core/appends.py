"""Lists that grow and shrink, and dicts that lose keys."""

from __future__ import annotations

from autodiff.core.operation import Effect, Operation
from autodiff.core.value import Value


class Append(Operation):
    """`base.append(operand 1)`, or `base.insert(operand 2, operand 1)`."""

    @property
    def base(self) -> Value:
        """The list."""
        return self.operands[0]

    @property
    def value(self) -> Value:
        """What is appended."""
        return self.operands[1]

    @property
    def place(self) -> Value | None:
        """In front of which item; None at the end."""
        return self.operands[2] if len(self.operands) > 2 else None

    def effects(self) -> list[Effect]:
        return [Effect("write", self.base.region)] if self.base.region else []


class Take(Operation):
    """`base.pop()`, or `base.pop(operand 1)`."""

    @property
    def base(self) -> Value:
        """The list, or the dict."""
        return self.operands[0]

    @property
    def place(self) -> Value | None:
        """Which item, or the key; None for the last one."""
        return self.operands[1] if len(self.operands) > 1 else None

    def effects(self) -> list[Effect]:
        region = self.base.region
        return [Effect("write", region), Effect("read", region)] if region else []
