"""Derivatives from the shell: `python -m autodiff show file.py:function --args "x=np.ones(3)"`."""

from __future__ import annotations

import argparse
import sys
from types import ModuleType

from autodiff import __version__
from autodiff.command import (
    checked,
    covered,
    drawn,
    explained,
    kept,
    saved,
    show,
    timed,
    viewed,
)
from autodiff.errors import AutodiffError

COMMANDS: dict[str, ModuleType] = {
    "show": show,
    "save": saved,
    "check": checked,
    "graph": drawn,
    "explain": explained,
    "view": viewed,
    "time": timed,
    "coverage": covered,
    "cache": kept,
}


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 1 and a message where there is no derivative, or it is wrong; 2 for options.

    `module:function` alone is short for `show module:function`.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] not in COMMANDS and ":" in given[0]:
        given = ["show", *given]
    parser = argparse.ArgumentParser("python -m autodiff", description=__doc__)
    parser.add_argument("--version", action="version", version=f"autodiff {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in COMMANDS.items():
        own = commands.add_parser(name, help=module.__doc__, description=module.__doc__)
        module.options(own)
        own.set_defaults(run=module.run, parser=own)
    chosen = parser.parse_args(given)
    try:
        code: int = chosen.run(chosen, chosen.parser)
    except AutodiffError as error:
        print(error, file=sys.stderr)
        code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
