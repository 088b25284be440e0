"""Where in the user's file something stands that is lowered, and what a refusal is about.

Lowering notes the place in the builder, which gives it to each operation (`Operation.at`). What is
raised keeps the innermost place that it passes (`noted`); if that is in a library, also the call
in the user's own code that leads there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from autodiff.rules.home import public_name
from autodiff.syntax.origin import Entry, Origin, entered, place


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """An expression (None: all of the statement), the statement that it stands in, the function.

    inside: the function, or its name. library: it is one of a library. entry: the call of the
    user's that leads there.
    """

    node: Any = None
    origin: Origin | None = None
    inside: Any = None
    library: bool = False
    entry: Entry | None = None

    @property
    def place(self) -> Origin | None:
        """What a caret points at."""
        origin = self.origin if self.entry is None else entered(self.origin, self.entry)
        return origin if self.node is None else place(self.node, origin)

    def of(self, node: Any) -> Spot:
        """An expression of the statement."""
        return Spot(node, self.origin, self.inside, self.library, self.entry)


def noted(error: BaseException, at: Spot | None) -> None:
    """An error passes a place: it keeps the first one, and how that was come to."""
    if at is None or at.origin is None:
        return
    first = located(error)
    if first is None:
        error.at, error.outer = at, at  # type: ignore[attr-defined]
    elif first.library and first.entry is None:
        outer: Spot = error.outer  # type: ignore[attr-defined]
        if at.library and at.entry is None:
            error.outer = at  # type: ignore[attr-defined]
            return
        function = outer.inside
        title = public_name(function) if callable(function) else str(function)
        entry = at.entry or Entry(function, title, at.place)
        error.at = replace(first, entry=entry)  # type: ignore[attr-defined]


def located(error: BaseException) -> Spot | None:
    """The place of an error."""
    return getattr(error, "at", None)


def entry_place(error: BaseException) -> Origin | None:
    """The line of the user's that an error is about."""
    at = located(error)
    return None if at is None else at.entry.place if at.entry is not None else at.place


def handed(error: BaseException, other: BaseException) -> BaseException:
    """An error in place of another, of which it has the place and the words."""
    for word in ("at", "outer", "words"):
        if getattr(other, word, None) is not None:
            setattr(error, word, getattr(other, word))
    return error


class Noting:
    """What is raised meanwhile is about a place."""

    __slots__ = ("at",)

    def __init__(self, at: Spot | None) -> None:
        self.at = at

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if error is not None:
            noted(error, self.at)


class About(Noting):
    """What is raised meanwhile is about an operation: `with About(op): ...`."""

    __slots__ = ()

    def __init__(self, op: Any) -> None:
        super().__init__(op.at or Spot(None, op.origin))
