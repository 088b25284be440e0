"""say what is pushed on the tape, and why"""

from __future__ import annotations

import argparse

from autodiff.command.subject import given, options

__all__ = ["options", "run"]


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Prints, for each value on the tape, who reads it and what overwrites it."""
    print(given(chosen, parser).compiled().explain() or "nothing is pushed on the tape")
    return 0
