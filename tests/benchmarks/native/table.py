"""The table of the native backend in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tests.benchmarks.native.suite import Result

ABOUT = """\
Written by `python -m tests.benchmarks native`. The native gradient against an adjoint by hand in C
(`tests/benchmarks/native/adjoints.c`, gcc -O3 -march=native, called through ctypes, which costs
about 4 µs) or NumPy, against JAX (compiled, `scan`), CasADi (a graph of scalars, `mapaccum`),
PyTorch (eager, and compiled: of loops each step), autograd and the Python backend. W6 to W8 are in
loops over elements, as ADBench has them. In brackets: what the issue asks for. Gradients are
compared before they are timed. Processor time of all threads, medians over interleaved rounds; what
takes more than 2 s is timed once. Compile times are those of the first calls, in one process; peak:
memory that a native call adds."""
TOOLS = ("primal", "native", "C", "NumPy", "JAX", "CasADi", "Python", "autograd", "PyTorch",
         "torch.compile")  # fmt: skip
PAIRS = (("native", "C"), ("JAX", "native"), ("native", "primal"), ("Python", "native"))
FIRST = ("native", "primal", "JAX", "torch.compile")
HEAD = ("workload", *TOOLS, *(" / ".join(pair) for pair in PAIRS),
        "compile gradient", "compile primal", "compile JAX", "compile torch", "peak")  # fmt: skip


def table(results: Sequence[Result]) -> str:
    """One line per workload and one of geometric means."""
    lines = [_line(HEAD), _line("---" if k == 0 else "---:" for k in range(len(HEAD)))]
    for result in results:
        case = result.case
        bars = {("native", "C"): case.bar, ("native", "primal"): case.bar_primal}
        cells = [case.title, *(_time(result.time(name)) for name in TOOLS)]
        for pair in PAIRS:
            bar = bars.get(pair)
            cells.append(_ratio(result.ratio(*pair)) + (f" ({bar:g})" if bar else ""))
        cells += [_time(result.first.get(name)) for name in FIRST]
        cells.append("-" if result.peak is None else f"{result.peak / 1e6:.1f} MB")
        lines.append(_line(cells))
    means = [_ratio(_mean(r.ratio(a, b) for r in results)) for a, b in PAIRS]
    lines.append(_line(["geometric mean", *("" for _ in TOOLS), *means, *[""] * (len(FIRST) + 1)]))
    return "\n".join(lines)


def by_elements(rows: Sequence[tuple[str, float, float]]) -> str:
    """What PyTorch takes where its loop goes over elements, too, as that of the Python backend."""
    return "\n".join(
        f"PyTorch by elements, {title}: {_time(torch)}, {torch / own:.0f} times as long as Python."
        for title, torch, own in rows
    )


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
