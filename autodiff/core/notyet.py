"""What Core does not take yet: it goes the old way."""

from __future__ import annotations


class NotYet(Exception):
    """Internal: never a wrong number, never a refusal. `reason` says what is missing, for `make
    survey`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
