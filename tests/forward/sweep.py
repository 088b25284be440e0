"""`python -m tests.forward.sweep [WORD ...]`: second derivatives of the corpus, in both orders.

The tests ask a part of the programs; this asks all, or those whose names hold one of the words, and
says which are wrong, refused, or not done after a minute. Some minutes; to be run after programs
were added, or what a gradient is written with.
"""

from __future__ import annotations

import signal
import sys
import warnings
from collections import defaultdict
from typing import Any

from autodiff.errors import AutodiffError
from tests.forward.test_again import Orders, is_asked
from tests.language.corpus import Program
from tests.language.test_language import PROGRAMS

_SECONDS = 60


def sweep(words: list[str]) -> None:
    found: dict[str, list[str]] = defaultdict(list)
    signal.signal(signal.SIGALRM, _late)
    for entry in PROGRAMS:
        if not words or any(word in entry.name for word in words):
            signal.alarm(_SECONDS)
            try:
                for group, text in _asked(entry):
                    found[group].append(f"{entry.name}{text}")
            finally:
                signal.alarm(0)
    for group, lines in sorted(found.items()):
        print(f"{group}: {len(lines)}")
        if group != "right in both orders":
            print("".join(f"    {line}\n" for line in lines), end="")


def _asked(entry: Program) -> list[tuple[str, str]]:
    try:
        if not is_asked(entry):
            return []
        orders = Orders(entry)
        orders.gradient(*orders.arguments())
        refused: dict[str, str] = {}
        for name in Orders.NAMES:
            try:
                orders.compared(name)
            except AutodiffError as error:
                refused[name] = str(error).splitlines()[0]
    except AutodiffError as error:
        return [("without a gradient", f": {str(error).splitlines()[0]}")]
    except Exception as error:
        return [("WRONG, or an error", f": {type(error).__name__} {str(error).strip()[:300]}")]
    if not refused:
        return [("right in both orders", "")]
    group = "refused in both orders" if len(refused) == 2 else f"refused {' '.join(refused)}"
    return [(group, f": {'; '.join(refused.values())}")]


def _late(*_: Any) -> None:
    raise TimeoutError(f"not done after {_SECONDS} s")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sweep(sys.argv[1:])
