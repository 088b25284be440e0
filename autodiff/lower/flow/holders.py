"""Who holds a container: variables, parts of others, expressions that are being evaluated."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from autodiff.lower.entries.entry import Box, Closure, Entry, inner

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Frame, Unit


@contextlib.contextmanager
def evaluating(unit: Unit) -> Iterator[None]:
    """While an expression or a statement is lowered: what is evaluated in it is gone then."""
    before, unit.mark = unit.mark, len(unit.pending)
    try:
        yield
    finally:
        del unit.pending[unit.mark :]
        unit.mark = before


def holders(frame: Frame, dead: Collection[str] = ()) -> Counter[Box]:
    """In how many places each container is held now. dead: variables of the frame that nobody
    reads before they are bound again.
    """
    found: Counter[Box] = Counter()
    frames: list[Frame] = []

    def names(own: Frame) -> None:
        if own in frames:
            return
        frames.append(own)
        for name, entry in own.names.items():
            if not (own is frame and name in dead):
                visit(entry)
        if own.outer is not None:
            names(own.outer)

    def visit(entry: Entry) -> None:
        if isinstance(entry, Box):
            found[entry] += 1
            if found[entry] > 1:
                return
        if isinstance(entry, Closure):
            names(entry.frame)
        for part in inner(entry):
            visit(part)

    for own in (frame, *frame.unit.frames):
        names(own)
    for entry in frame.unit.pending:
        visit(entry)
    return found
