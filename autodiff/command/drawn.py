"""draw the data flow of the generated source"""

from __future__ import annotations

import argparse

from autodiff.command import subject

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Where it is drawn."""
    subject.options(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="picture.svg")


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Draws the file."""
    subject.given(chosen, parser).compiled().graph(chosen.out)
    return 0
