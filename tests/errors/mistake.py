"""Functions that cannot be differentiated, with the text that the message must point at."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from autodiff.errors import AutodiffError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Mistake:
    """A function with arguments for which `grad` raises `error` at the text `at`.

    taken: it is differentiated by now.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    error: type[AutodiffError]
    at: str
    says: tuple[str, ...]
    options: dict[str, Any]
    inside: Callable[..., Any]
    taken: bool = False

    @property
    def line(self) -> int:
        """The line of the file on which `at` stands, which must be one line of the function."""
        lines, first = inspect.getsourcelines(self.inside)
        numbered = list(enumerate(lines, first))
        head = next(number for number, line in numbered if line.lstrip().startswith(_HEADS))
        found = [number for number, line in numbered if number >= head and self.at in line]
        assert len(found) == 1, f"{self.at!r} does not stand on exactly one line"
        return found[0]


_HEADS = ("def ", "async def ")
REGISTRY: list[Mistake] = []


def mistake(
    error: type[AutodiffError],
    *args: Any,
    at: str,
    says: tuple[str, ...] = (),
    inside: Callable[..., Any] | None = None,
    taken: bool = False,
    **options: Any,
) -> Callable[[F], F]:
    """Declare that `grad(function, **options)(*args)` raises `error`, pointing at `at`.

    at: the text under the caret; it stands on one line of the function.
    says: what the message must contain, whatever else it says.
    inside: the function in which the text stands, if it is not the one that is differentiated.
    taken: it is differentiated by now, which a test compares with differences.
    """

    def register(function: F) -> F:
        where = inside or function
        REGISTRY.append(Mistake(function, args, error, at, says, options, where, taken))
        return function

    return register
