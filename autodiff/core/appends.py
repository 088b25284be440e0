"""Lists that grow and shrink at their ends."""

from __future__ import annotations

from autodiff.core.operation import Effect, Operation
from autodiff.core.value import Value


class Append(Operation):
    """`base.append(operand 1)`."""

    @property
    def base(self) -> Value:
        """The list."""
        return self.operands[0]

    @property
    def value(self) -> Value:
        """What is appended."""
        return self.operands[1]

    def effects(self) -> list[Effect]:
        return [Effect("write", self.base.region)] if self.base.region else []


class Take(Operation):
    """`base.pop()`."""

    @property
    def base(self) -> Value:
        """The list."""
        return self.operands[0]

    def effects(self) -> list[Effect]:
        region = self.base.region
        return [Effect("write", region), Effect("read", region)] if region else []
