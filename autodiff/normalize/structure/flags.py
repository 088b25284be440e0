"""The flags that remember a jump: `stop` for a loop, `skip` for an iteration, `returned`."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.normalize.build import call
from autodiff.normalize.sugar.predicates import is_condition
from autodiff.syntax.names import Names, name


class Frame:
    """The loop around a statement: its flags, and whether they must be cleared beforehand."""

    def __init__(self, exit_flag: str, depth: int, protected: int) -> None:
        self.exit = exit_flag
        self.depth = depth
        self.protected = protected  # how many `try` bodies the loop stands in
        self.is_read = False  # whether the flag is asked elsewhere than at the end of the body
        self.is_returned_read = False  # the same for the flag of a `return`
        self.skip: str | None = None


class Flags:
    """Names of flags; loops side by side share theirs, nested loops do not."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.made: dict[tuple[str, int], str] = {}

    def named(self, hint: str, depth: int = 0) -> str:
        """The flag of that kind at that depth of nesting."""
        key = hint, depth
        if key not in self.made:
            self.made[key] = self.names.fresh(hint)
        return self.made[key]


def any_of(flags: list[str]) -> gast.expr:
    """Whether any of the flags is up."""
    if len(flags) == 1:
        return name(flags[0])
    return gast.BoolOp(op=gast.Or(), values=[name(flag) for flag in flags])


def truth(test: Any) -> gast.expr:
    """The test as a value that keeps its truth, whatever happens to what it was computed from."""
    if is_condition(test):
        return test
    return gast.copy_location(call("bool", test), test)
