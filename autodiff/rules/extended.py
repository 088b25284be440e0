"""Whether there are rules beside those of the library: of the user's, or made in a run."""

_extended = False


def extend() -> None:
    """Keep in mind that there are."""
    global _extended
    _extended = True


def is_extended() -> bool:
    """Whether there are."""
    return _extended
