"""compare both modes with differences of the function"""

from __future__ import annotations

import argparse

import autodiff.checking.check as checking
from autodiff.command.printed import print_table
from autodiff.command.subject import given, options

__all__ = ["options", "run"]


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Prints a table of directional derivatives; 1 where they disagree, with the statement."""
    found = given(chosen, parser)
    if found.arguments is None:
        parser.error("check calls the function: give it --args")
    rows, wrong = [["argument", "reverse", "forward", "differences", "by", ""]], False
    values = found.values()
    for each in checking.compared(found.primal, values, found.primal):
        numbers = [_number(own) for own in (each.reverse, each.forward, each.slope.value)]
        verdict = "right" if each.wrong is None else "WRONG"
        rows.append([each.name, *numbers, each.slope.method, verdict])
        wrong = wrong or each.wrong is not None
    print_table(rows)
    if not wrong:
        return 0
    try:
        checking.check_grads(found.primal, *values)
    except AssertionError as error:
        print(f"\n{error}")
    return 1


def _number(x: float | None) -> str:
    return "refused" if x is None else f"{x:.12g}"
