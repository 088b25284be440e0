"""Print the source of a gradient: `python -m autodiff module:function [parameter ...]`."""

from __future__ import annotations

import argparse
import importlib
import operator
import sys

from autodiff.api import grad
from autodiff.derivative import Derivative
from autodiff.errors import AutodiffError


def main(arguments: list[str] | None = None) -> int:
    """Print what `grad(function, wrt).source` is; 1 and a message if there is none."""
    parser = argparse.ArgumentParser("python -m autodiff", description=__doc__)
    parser.add_argument("function", help="where the function is: module:name or module:Class.name")
    parser.add_argument("wrt", nargs="*", help="parameters, the first one if none is given")
    chosen = parser.parse_args(arguments)
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


if __name__ == "__main__":
    sys.exit(main())
