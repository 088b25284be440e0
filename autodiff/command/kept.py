"""say what derivatives are kept of earlier runs, or remove them"""

from __future__ import annotations

import argparse

from autodiff.derivatives import folder


def options(parser: argparse.ArgumentParser) -> None:
    """Whether they are removed."""
    parser.add_argument("--clear", action="store_true", help="remove all that is kept")


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Says where derivatives are kept and how many, or removes them."""
    if chosen.clear:
        print(f"{folder.clear()} derivatives removed from {folder.folder()}")
        return 0
    sizes = [file.stat().st_size for file in folder.entries()]
    print(f"{len(sizes)} derivatives, {sum(sizes) / 1000:.0f} kB, in {folder.folder()}")
    return 0
