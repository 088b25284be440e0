"""Print the source of a gradient: `python -m autodiff module:function [parameter ...]`.

`python -m autodiff coverage` prints how much of the libraries has derivatives instead, and
`python -m autodiff cache` what is kept of earlier runs.
"""

from __future__ import annotations

import argparse
import importlib
import operator
import sys
from pathlib import Path

from autodiff.api import grad
from autodiff.coverage import report, rewritten
from autodiff.derivatives import folder
from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError


def main(arguments: list[str] | None = None) -> int:
    """Print what `grad(function, wrt).source` is; 1 and a message if there is none."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["coverage"]:
        return coverage(given[1:])
    if given[:1] == ["cache"]:
        return cache(given[1:])
    parser = argparse.ArgumentParser("python -m autodiff", description=__doc__)
    parser.add_argument("function", help="where the function is: module:name or module:Class.name")
    parser.add_argument("wrt", nargs="*", help="parameters, the first one if none is given")
    chosen = parser.parse_args(given)
    module, colon, name = chosen.function.partition(":")
    if not colon:
        parser.error(f"expected module:function, not {chosen.function}")
    sys.path.insert(0, "")
    try:
        primal = operator.attrgetter(name)(importlib.import_module(module))
    except (ImportError, AttributeError) as error:
        parser.error(str(error))
    if isinstance(primal, Derivative):
        print(primal.source)
        return 0
    wrt = tuple(chosen.wrt) if len(chosen.wrt) > 1 else chosen.wrt[0] if chosen.wrt else 0
    try:
        print(grad(primal, wrt).source)
    except AutodiffError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def cache(arguments: list[str]) -> int:
    """Say where derivatives are kept and how many, or remove them."""
    parser = argparse.ArgumentParser("python -m autodiff cache", description=folder.__doc__)
    parser.add_argument("--clear", action="store_true", help="remove all that is kept")
    if parser.parse_args(arguments).clear:
        print(f"{folder.clear()} derivatives removed from {folder.folder()}")
        return 0
    sizes = [file.stat().st_size for file in folder.entries()]
    print(f"{len(sizes)} derivatives, {sum(sizes) / 1000:.0f} kB, in {folder.folder()}")
    return 0


def coverage(arguments: list[str]) -> int:
    """Print the table of what has derivatives, or put it into a file that shows it."""
    parser = argparse.ArgumentParser("python -m autodiff coverage")
    parser.add_argument("--missing", action="store_true", help="name what has no rule yet")
    parser.add_argument("--reasons", action="store_true", help="say why others need no rule")
    parser.add_argument("--write", metavar="PAGE", help="renew the table in a file")
    chosen = parser.parse_args(arguments)
    if chosen.write is None:
        print(report(chosen.missing, chosen.reasons), end="")
        return 0
    file = Path(chosen.write)
    file.write_text(rewritten(file.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
