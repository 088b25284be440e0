"""What the writers of statements share: `Stores`, `Views`, `Containers`, `Callees`."""

from __future__ import annotations

from tests.programs.random.expressions import Scope
from tests.programs.random.generator import Lines, Writer, indented
from tests.programs.random.values import Values

__all__ = ["Lines", "Part", "indented"]


class Part(Writer):
    """A part of the writer of programs with mutable memory."""

    draw: Values  # type: ignore[assignment]

    def store_statement(self, scope: Scope) -> Lines:
        """A statement that writes into an array; `Stores` has them."""
        raise NotImplementedError

    def assignable(self, scope: Scope) -> list[str]:
        """The places of arrays to which another array may be assigned."""
        return [place for place, shape in scope.items() if shape and place not in self.draw.fixed]
