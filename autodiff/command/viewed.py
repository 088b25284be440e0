"""write a page with the function and its derivative beside each other"""

from __future__ import annotations

import argparse

from autodiff.command import subject

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Where it is written."""
    subject.options(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="page.html")


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Writes the page."""
    subject.given(chosen, parser).compiled().view(chosen.out)
    return 0
