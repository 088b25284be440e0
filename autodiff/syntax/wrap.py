"""Breaking a long line of code the way a formatter does."""

from __future__ import annotations

WIDTH = 100


def wrap(line: str) -> list[str]:
    """The line itself when it fits or cannot be broken, else its pieces."""
    return line.split("\n")
