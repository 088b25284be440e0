"""What a derivative keeps on its tape, and why: who reads it, and what would overwrite it.

line 8: tape.push(u_i)
  u_i (float64), of line 4: u[i] *= u[i - 1]
    read by line 14: u_bar[i - 1] += product_bar * u_i
    overwritten by line 4 of model.py: u[i] *= u[i - 1]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from autodiff.core import Push, Value
from autodiff.core.operation import If, Load, Loop, Operation
from autodiff.emit.stages import Written
from autodiff.inspection.graph import flow
from autodiff.inspection.made_for import said
from autodiff.syntax.origin import Origin


@dataclass(frozen=True, slots=True)
class Entry:
    """One value on the tape.

    row, code: the line of the text that pushes it. name: as the reverse sweep has it again. kind:
    what it is. origin: the user's statement that it comes from. readers: lines of the reverse
    sweep. writers: statements of the user's that overwrite it. around: the loop of which each
    iteration has its own (repeated), or the branch, by the statement that it comes from.
    """

    row: int
    code: str
    name: str
    kind: str
    origin: Origin | None
    readers: tuple[tuple[int, str], ...]
    writers: tuple[Origin, ...]
    around: Origin | None
    repeated: bool = False


def recorded(written: Written) -> list[Entry]:
    """The entries of the tape, in the order of the text, from what the last pass has left."""
    found, rows = flow(written.tree), dict[int, int]()
    for key, row in written.emitted.rows.items():
        if key in found.numbers:
            rows[found.numbers[key]] = row
    entries: list[Entry] = []
    for site, op in enumerate(op for op in written.operations if isinstance(op, Push)):
        (push,), (pop, names) = found.pushes[str(site)], found.pops[str(site)]
        for name, value in zip(names, op.operands):
            readers = [k for (own, k), used in found.edges.items() if own == pop and name in used]
            entries.append(
                Entry(
                    rows[push],
                    found.nodes[push]["code"],
                    name,
                    said(value.kind),
                    value.op.origin if value.op is not None else None,
                    tuple((rows[k], found.nodes[k]["code"]) for k in sorted(readers)),
                    tuple(_writers(value, written.operations)),
                    *_around(value),
                )
            )
    return entries


def explained(entries: list[Entry]) -> str:
    """The same as text; empty where nothing is pushed."""
    lines: list[str] = []
    for k, entry in enumerate(entries):
        if k == 0 or entries[k - 1].row != entry.row:
            lines.append(f"line {entry.row}: {entry.code}")
        own = "" if entry.origin is None else f", of {place(entry.origin)}"
        lines.append(f"  {entry.name} ({entry.kind}){own}")
        lines += [f"    {reason}" for reason in reasons(entry)]
    return "\n".join(lines)


def reasons(entry: Entry) -> Iterator[str]:
    """Why a value is pushed."""
    for row, code in entry.readers:
        yield f"read by line {row}: {code}"
    for origin in entry.writers:
        yield f"overwritten by {place(origin)}"
    if entry.around is not None and not entry.writers:
        own = entry.around
        what = "each iteration" if entry.repeated else "only this branch"
        yield f"{what} has its own, {place(own)}"


def place(origin: Origin) -> str:
    """A statement of the user's, and where it is."""
    return f"{PurePath(origin.file).name}:{origin.line}: {origin.text}"


def _writers(value: Value, operations: list[Operation]) -> Iterator[Origin]:
    """The statements of the forward sweep that change a variable that a loop carries, or the memory
    that a value is or was read from.
    """
    op, loop = value.op, value.block.parent
    region = op.base.region if isinstance(op, Load) else value.region
    found: list[Operation | None] = []
    if op is None and isinstance(loop, Loop) and value in loop.carried:
        found.append(loop.body.results[loop.carried.index(value)].op)
    if region is not None:
        simple = (own for own in operations if not (own.reverse or own.shadow or own.blocks))
        found += [own for own in simple if own.writes(region)]
    origins = (own.origin for own in found if own is not None)
    yield from dict.fromkeys(origin for origin in origins if origin is not None)


def _around(value: Value) -> tuple[Origin | None, bool]:
    """The loop or branch whose block a value is of, and whether it is a loop. One that a function
    of a library has is of the statement that calls that.
    """
    parent = value.block.parent
    if not isinstance(parent, (Loop, If)):
        return None, False
    own = value.op.origin if value.op is not None else None
    return parent.origin or own, isinstance(parent, Loop)
