"""write the generated source into a file of its own"""

from __future__ import annotations

import argparse

from autodiff.command import subject

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Where it is written."""
    subject.options(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="the file to write")
    parser.add_argument("--overwrite", action="store_true", help="whatever the file is now")


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Writes the file."""
    subject.given(chosen, parser).compiled().save(chosen.out, chosen.overwrite)
    return 0
