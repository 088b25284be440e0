"""What is said of variables that are unlike by path."""

from __future__ import annotations

from autodiff.core import NotYet


def by_path(reason: str) -> NotYet:
    """A variable is read of which nobody can tell what it holds."""
    if not reason.startswith("a variable that "):
        return NotYet(reason)
    return NotYet.saying(
        reason,
        "a variable holds things of different kinds on different paths",
        "what it holds where it is read is only known when it runs",
        "give it one kind on all paths, or use a variable for each",
    )
