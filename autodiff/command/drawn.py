"""draw the data flow of the generated source"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from autodiff.command import subject
from autodiff.derivatives.derivative import Derivative
from autodiff.inspection.graph import flow

__all__ = ["options", "run"]

_WIDEST = 80


def options(parser: argparse.ArgumentParser) -> None:
    """Where it is drawn."""
    subject.options(parser)
    parser.add_argument("--out", metavar="FILE", help="picture.svg; else it is printed as text")


def run(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Draws the file, or prints the graph."""
    derivative = subject.given(chosen, parser).compiled()
    if chosen.out is not None:
        derivative.graph(chosen.out)
        return 0
    for line in listed(derivative):
        print(line)
    return 0


def listed(derivative: Derivative) -> Iterator[str]:
    """A line for each statement: its number, its text, and the statements whose values it uses."""
    stages: Any = derivative._written("draw").stages
    found = flow(stages.last)
    used: dict[int, list[int]] = {}
    for source, number in found.edges:
        used.setdefault(number, []).append(source)
    texts = [f"{k}  {own['code']}" for k, own in enumerate(found.nodes)]
    width = min(max(map(len, texts), default=0), _WIDEST)
    for k, text in enumerate(texts):
        before = ", ".join(map(str, sorted(used.get(k, []))))
        yield f"{text:{width}}  <- {before}" if before else text
