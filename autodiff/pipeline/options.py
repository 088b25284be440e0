"""What may be chosen of how a derivative is compiled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Switches: each may change the text of the result, never its numbers.

    sizes: whether sizes that the function tells are compiled in; it is compiled again for others.
    """

    sizes: bool = True
