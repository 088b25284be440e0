"""The text of the corpus by the old way and through Core: `python -m tests.core.totals [k/n]`.

For each program that Core takes: lines, pushes and the helpers of the runtime that its derivative
calls. Prints the totals, and the programs whose text is more than `LONG` times the old one's.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from autodiff import cache, grad, runtime, takeover
from autodiff.errors import AutodiffError
from tests.core.texts import lines, pushes
from tests.language import oracle, test_language
from tests.language.corpus import Call, Program
from tests.language.refused import REFUSED

LONG = 1.2


@dataclass(frozen=True, slots=True)
class Both:
    """A program at a point: its text by the old way, and through Core."""

    name: str
    old: str
    new: str

    @property
    def ratio(self) -> float:
        """How much longer the new text is."""
        return lines(self.new) / lines(self.old)


def helpers(text: str) -> Counter[str]:
    """The helpers of the runtime that a text calls, and how often."""
    return Counter({name: n for name in runtime.__all__ if (n := text.count(f"{name}("))})


def text(entry: Program, point: Call, by_core: bool) -> str | None:
    """The text of the gradient, or of value and pullback; None if it is refused."""
    takeover.ENABLED = by_core
    takeover.REASONS.clear()
    cache._shelves.clear()
    primal = test_language.primal_value(entry, point)
    args, kwargs = test_language.fresh(point)
    try:
        if test_language.is_real_number(primal):
            grad(entry.function, wrt=entry.wrt_at(point)).source_for(*args, **kwargs)
        else:
            test_language.pulled_back(entry, point, oracle.seed_for(primal))
    except AutodiffError:
        return None
    if by_core and takeover.REASONS:
        return None
    found = [made for shelf in cache._shelves.values() for made in shelf.compiled.values()]
    return "\n".join(made.source for made in found) or None


def both(part: str) -> Iterator[Both]:
    """The programs of a part of the corpus that go both ways."""
    k, n = map(int, part.split("/"))
    for entry in test_language.PROGRAMS[k - 1 :: n]:
        if entry.name in REFUSED:
            continue
        point = entry.points[0]
        new = text(entry, point, by_core=True)
        old = text(entry, point, by_core=False) if new is not None else None
        if new is not None and old is not None:
            yield Both(entry.name, old, new)


def main(part: str = "1/1") -> None:
    """Prints the table."""
    warnings.simplefilter("ignore")
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    with np.errstate(all="ignore"):
        for found in both(part):
            for counts, source in ((before, found.old), (after, found.new)):
                counts += helpers(source)
                counts["lines"] += lines(source)
                counts["pushes"] += pushes(source)
                counts["programs"] += 1
            if found.ratio > LONG or pushes(found.new) > pushes(found.old):
                old, new = found.old, found.new
                row = f"{found.ratio:5.2f} {found.name:50} lines {lines(old):4} {lines(new):4}"
                print(f"{row}  pushes {pushes(old):2} {pushes(new):2}", flush=True)
    for name in sorted(before | after, key=lambda name: before[name] - after[name]):
        print(f"{name:24} {before[name]:6} {after[name]:6}")


if __name__ == "__main__":
    main(*sys.argv[1:])
