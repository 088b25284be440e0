"""What of the corpus goes through Core: `python -m tests.core.survey [k/n] [name] [jvp]` prints why
the rest does not yet.

Each program is compiled through Core, run, and compared with differences, as `tests/language` does
it.
"""

from __future__ import annotations

import collections
import concurrent.futures
import os
import sys
import traceback
import warnings
from dataclasses import dataclass
from types import FunctionType
from unittest import mock

import numpy as np

from autodiff.errors import AutodiffError
from autodiff.pipeline import assembly, compiler
from autodiff.pipeline.compiled import Compiled
from autodiff.pipeline.request import Request
from tests.core import tangents
from tests.language import test_language
from tests.language.corpus import Program
from tests.language.refused import REFUSED


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a program: "right", "not yet", "refused", "wrong" or "crash"; and why."""

    what: str
    why: str = ""


def went_through() -> bool:
    """Whether Core took a program, with all its paths or without some."""
    return all("left out" in reason for reason in compiler.REASONS)


CHECKS = {"": test_language.check, "jvp": tangents.check}


def outcome(entry: Program, thorough: bool = True, mode: str = "") -> Outcome:
    """Compiles a program at all its points, and compares what Core takes of it."""
    reasons: list[str] = []

    usual = compiler.made

    def made(function: FunctionType, request: Request) -> Compiled:
        """Derivatives that a program takes itself while it runs are none of the program; they go
        the way that they go elsewhere, so that its value is the same to the last bit.
        """
        if function.__code__ is entry.function.__code__:
            return usual(function, request)
        kept = compiler.REASONS.copy()
        with mock.patch.object(assembly, "CHECKED", False):
            found = usual(function, request)
        compiler.REASONS.clear()
        compiler.REASONS.update(kept)
        return found

    for point in entry.points:
        compiler.REASONS.clear()
        try:
            with mock.patch.object(compiler, "made", made):
                CHECKS[mode](entry, point, thorough)
        except AutodiffError as error:
            if went_through():
                return Outcome("refused", type(error).__name__)
        except AssertionError as error:
            if went_through():
                return Outcome("wrong", str(error).strip().split("\n")[0][:90])
        except Exception as error:  # whatever a compiler may raise
            if went_through():
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
                return Outcome("crash", f"{type(error).__name__} {where} {error}"[:110])
        reasons += compiler.REASONS
    return Outcome("not yet", reasons[0]) if reasons else Outcome("right")


@dataclass(slots=True)
class Survey:
    """The outcomes of a part of the corpus."""

    tally: collections.Counter[str]
    reasons: collections.Counter[str]
    faults: list[str]


def surveyed(part: tuple[int, int, str, str]) -> Survey:
    """Part k of n of the corpus, of programs in whose name a word is."""
    k, n, wanted, mode = part
    warnings.simplefilter("ignore")
    survey = Survey(collections.Counter(), collections.Counter(), [])
    with np.errstate(all="ignore"):
        for entry in test_language.PROGRAMS[k - 1 :: n]:
            if entry.name in REFUSED or wanted not in entry.name:
                continue
            found = outcome(entry, True, mode)
            survey.tally[found.what] += 1
            if found.what in ("wrong", "crash", "refused"):
                survey.faults.append(f"{found.what:8} {entry.name}: {found.why}")
            elif found.what == "not yet":
                survey.reasons[found.why] += 1
    return survey


def main(part: str = "1/1", wanted: str = "", mode: str = "") -> None:
    """Prints a table by reason; both cores work on it."""
    k, n = map(int, part.split("/"))
    workers = os.cpu_count() or 1
    parts = [(k + n * worker, n * workers, wanted, mode) for worker in range(workers)]
    tally: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        for found in pool.map(surveyed, parts):
            tally += found.tally
            reasons += found.reasons
            print(*found.faults, sep="\n", flush=True)
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    print(dict(tally))


if __name__ == "__main__":
    main(*sys.argv[1:])
