"""The table of the native backend in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tests.benchmarks.native.suite import Result

ABOUT = """\
Written by `python -m tests.benchmarks native`. Loops over numbers and elements of arrays: the
native gradient against an adjoint by hand in C (`tests/benchmarks/native/adjoints.c`, gcc -O3
-march=native, called through ctypes, which costs about 4 µs) and JAX (compiled, `scan`). In
brackets: what the issue asks for. Gradients are compared before they are timed. Processor time of
all threads, medians over interleaved rounds; compile times are those of the first calls, in one
process."""
HEAD = ("workload", "primal", "native", "C", "JAX", "native / C", "JAX / native",
        "native / primal", "compile gradient", "compile primal", "compile JAX")  # fmt: skip


def table(results: Sequence[Result]) -> str:
    """One line per workload and one of geometric means."""
    lines = [_line(HEAD), _line("---" if k == 0 else "---:" for k in range(len(HEAD)))]
    for result in results:
        case = result.case
        cells = [case.title]
        cells += [_time(result.time(name)) for name in ("primal", "native", "C", "JAX")]
        cells.append(f"{_ratio(result.ratio('native', 'C'))} ({case.bar:g})")
        cells.append(_ratio(result.ratio("JAX", "native")))
        cells.append(f"{_ratio(result.ratio('native', 'primal'))} ({case.bar_primal:g})")
        cells += [_time(result.first.get(name)) for name in ("native", "primal", "JAX")]
        lines.append(_line(cells))
    pairs = (("native", "C"), ("JAX", "native"), ("native", "primal"))
    means = [_ratio(_mean(r.ratio(a, b) for r in results)) for a, b in pairs]
    lines.append(_line(["geometric mean", "", "", "", "", *means, "", "", ""]))
    return "\n".join(lines)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [math.log(value) for value in values if value is not None]
    return math.exp(sum(known) / len(known)) if known else None


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"
