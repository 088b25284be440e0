"""print the generated source"""

from __future__ import annotations

import argparse

from autodiff.command.printed import print_code
from autodiff.command.subject import given, options

__all__ = ["options", "run"]


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Prints the source for the arguments, or for what annotations and defaults tell."""
    print_code(given(chosen, parser).compiled().source)
    return 0
