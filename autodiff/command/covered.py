"""print how much of the libraries has derivatives"""

from __future__ import annotations

import argparse
from pathlib import Path

from autodiff.coverage import report, rewritten


def options(parser: argparse.ArgumentParser) -> None:
    """What is printed, and where."""
    parser.add_argument("--missing", action="store_true", help="name what has no rule yet")
    parser.add_argument("--reasons", action="store_true", help="say why others need no rule")
    parser.add_argument("--write", metavar="PAGE", help="renew the table in a file")


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Prints the table of what has derivatives, or puts it into a file that shows it."""
    if chosen.write is None:
        print(report(chosen.missing, chosen.reasons), end="")
        return 0
    file = Path(chosen.write)
    file.write_text(rewritten(file.read_text(encoding="utf-8")), encoding="utf-8")
    return 0
