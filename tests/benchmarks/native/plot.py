"""The times of the native table as a picture."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.native.suite import Result

_COLOURS = {"native": "C0", "C": "k", "NumPy": "C7", "JAX": "C1", "Python": "C2",
            "autograd": "C3", "PyTorch": "C4"}  # fmt: skip


def plot(results: Sequence[Result], path: Path) -> bool:
    """Write a PNG: times of the gradients over those of the native one, on a log scale.

    False where matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        return False
    matplotlib = importlib.import_module("matplotlib")
    matplotlib.use("Agg")
    pyplot = importlib.import_module("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(10, 0.4 * len(results) + 1.5), layout="constrained")
    for name, colour in _COLOURS.items():
        points = [
            (ratio, row)
            for row, result in enumerate(results)
            if (ratio := result.ratio(name, "native")) is not None
        ]
        if points:
            axes.scatter(*zip(*points), label=name, color=colour, zorder=3)
    axes.set_xscale("log")
    axes.set_yticks(range(len(results)), [result.case.title for result in results])
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.4)
    axes.set_xlabel("time of the gradient over that of the native backend")
    figure.legend(loc="outside upper center", ncols=len(_COLOURS))
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True
