"""Which functions and classes of SciPy are taken: those of which the calls of `own_sources.py` and
`more_sources.py` agree with differences. `python -m tests.rules.taken` says which do not, and
writes the others to `autodiff/coverage/taken.py`.
"""

from __future__ import annotations

import importlib
import sys
import textwrap
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import autodiff
from autodiff import check_grads
from tests.rules.more_sources import MORE
from tests.rules.own_sources import CALLS

EVERY: dict[str, dict[str, list[Any]]] = {**CALLS, **MORE}
_HEAD = '''"""Functions and classes of SciPy without a rule, by their own source or a run that is
followed: `python -m tests.rules.taken` writes those of which calls agree with differences.
"""

TAKEN: dict[str, str] = {
'''


def weighed(y: Any) -> Any:
    """A number that depends on all that a function gives."""
    if isinstance(y, (tuple, list)):  # noqa: UP038
        total = 0.0
        for k in range(len(y)):
            total = total + (k + 1) * weighed(y[k])
        return total
    values = np.asarray(y)
    return np.sum(np.sin(np.real(values)) + np.cos(np.imag(values)))


def scalar(f: Any, count: int) -> Any:
    """What is checked."""

    def of_one(x):
        return weighed(f(x))

    def of_two(x, y):
        return weighed(f(x, y))

    def of_three(x, y, z):
        return weighed(f(x, y, z))

    return (of_one, of_two, of_three)[count - 1]


def refusal(calls: list[Any]) -> str:
    """Why a call is not taken; empty if all are."""
    for f, *args in calls:
        try:
            check_grads(scalar(f, len(args)), *args)
        except (Exception, autodiff.AutodiffError) as why:
            return f"{type(why).__name__}: {' '.join(str(why).split())}"
    return ""


def text(found: dict[str, list[str]]) -> str:
    """The module that is written."""
    lines = []
    for module, names in found.items():
        own = textwrap.fill(" ".join(sorted(names)), 92, break_on_hyphens=False)
        lines.append(f'    "{module}": """\n{textwrap.indent(own, " " * 8)}\n    """,\n')
    return _HEAD + "".join(lines) + "}\n"


def main() -> None:
    """Runs all calls of the modules that are named, of all without a name."""
    from autodiff.coverage.taken import TAKEN

    found = {module: names.split() for module, names in TAKEN.items()}
    for module in sys.argv[1:] or EVERY:
        owner, good = importlib.import_module(module), []
        for name, calls in EVERY[module].items():
            begun = time.monotonic()
            why = refusal(calls) if hasattr(owner, name) else "it is not in this version"
            print(f"{module}.{name} {time.monotonic() - begun:.0f} s {why or 'taken'}", flush=True)
            good += [] if why else [name]
        found[module] = good
    Path(autodiff.__file__).parent.joinpath("coverage/taken.py").write_text(
        text(found), encoding="utf-8"
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
