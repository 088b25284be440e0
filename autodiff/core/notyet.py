"""What Core does not take yet: it goes the old way."""

from __future__ import annotations

from autodiff.analysis.size import Told


class NotYet(Exception):
    """Internal: never a wrong number, never a refusal. `reason` says what is missing, for `make
    survey`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Raises(NotYet):
    """What is being lowered raises an error for sure: a `try` around it runs its handler, and a
    function ends there.
    """

    def __init__(self, error: type[BaseException], reason: str) -> None:
        super().__init__(reason)
        self.error = error


class Positions(NotYet):
    """A part is asked for by a number that is found at run time, of a container whose parts no list
    can hold: the loop around it is written out, if it goes over what is known.
    """


class SizesTold(Exception):
    """The function tells sizes that its arguments may have: they are to be known where they do."""

    def __init__(self, sizes: frozenset[Told]) -> None:
        super().__init__(sizes)
        self.sizes = sizes
