"""The text of Core beside that of the old way: `python -m tests.core.texts [NAME ...]`.

For each golden case of the reverse mode: whether Core takes it, lines and pushes of both texts.
With names, the texts of these cases are printed side by side.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from dataclasses import dataclass
from unittest import mock

from autodiff import assembly, cache, takeover
from tests.golden.case import Case, collect
from tests.golden.test_golden import check

WIDTH = 88


@dataclass(frozen=True, slots=True)
class Pair:
    """What the old way makes of a case, and what Core does.

    reason: why Core does not take it. failure: in what its numbers are wrong.
    """

    name: str
    old: str
    new: str
    reason: str = ""
    failure: str = ""

    @property
    def verdict(self) -> str:
        """How the new text compares."""
        if self.reason:
            return "not yet"
        if self.failure:
            return "WRONG"
        if self.old == self.new:
            return "equal"
        more = lines(self.new) - lines(self.old)
        return "longer" if more > 0 else "shorter" if more < 0 else "as long"


def lines(text: str) -> int:
    """Statements and lines of them; comments and blank lines do not count."""
    return sum(bool(line.strip()) and line.strip()[0] != "#" for line in text.split("\n"))


def pushes(text: str) -> int:
    """How often the text pushes."""
    return text.count(".push(")


def pair(case: Case, checked: bool = False) -> Pair:
    """Compiles a case through Core; `checked`: its numbers are compared with differences."""
    takeover.REASONS.clear()
    with mock.patch.object(takeover, "ENABLED", False), mock.patch.object(cache, "_shelves", {}):
        old = case.text()
    try:
        new = case.text()
    except Exception as error:  # whatever a compiler may raise
        return Pair(case.name, old, "", failure=f"{type(error).__name__}: {error}")
    if takeover.REASONS:
        return Pair(case.name, old, "", ", ".join(takeover.REASONS))
    failure = ""
    if checked:
        try:
            check(case, case.derivative())
        except AssertionError as error:
            failure = str(error).strip().split("\n")[0]
    return Pair(case.name, old, new, failure=failure)


def beside(found: Pair) -> str:
    """Both texts in two columns; lines that occur in both are marked."""
    left, right = found.old.split("\n"), found.new.split("\n")
    common = set(left) & set(right)
    rows = []
    for one, two in itertools.zip_longest(left, right, fillvalue=""):
        mark = " " if one in common else "-"
        rows.append(f"{mark} {one:{WIDTH}} {' ' if two in common else '+'} {two}")
    return "\n".join(row.rstrip() for row in rows)


def main(names: list[str]) -> None:
    """Prints the table, and the texts of the cases that are named."""
    assembly.CHECKED = True
    tally: Counter[str] = Counter()
    for case in collect():
        if case.transform == "jvp" or names and case.name not in names:
            continue
        found = pair(case, checked=True)
        tally[found.verdict] += 1
        if found.reason:
            print(f"{found.verdict:8} {case.name:36} {found.reason}")
            continue
        counts = f"{lines(found.old):4} {lines(found.new):4}"
        taped = f"{pushes(found.old):3} {pushes(found.new):2}"
        row = f"{found.verdict:8} {case.name:36} lines {counts}  pushes {taped}"
        print(row, found.failure, flush=True)
        if names:
            print(beside(found))
    print(dict(tally))


if __name__ == "__main__":
    main(sys.argv[1:])
