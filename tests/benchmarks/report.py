"""The table in Markdown."""

from __future__ import annotations

import importlib
import importlib.metadata
import math
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.benchmarks.checkpoints import Case
from tests.benchmarks.measure import Row

HEAD = ("workload", "primal", "generated", "by hand", "autograd",
        "generated / hand", "autograd / generated", "generated / primal", "first call")  # fmt: skip


def table(rows: Sequence[Row]) -> str:
    """One line per workload and one of geometric means."""
    lines = [_line(HEAD), _line("---" if k == 0 else "---:" for k in range(len(HEAD)))]
    for row in rows:
        cells = [
            row.name,
            *(_time(row.time(c)) for c in ("primal", "generated", "hand", "autograd")),
        ]
        cells += [_ratio(row.ratio(a, b)) for a, b in RATIOS]
        lines.append(_line([*cells, _time(row.first)]))
    lines += [_line([title, "", "", "", "", *means, ""]) for title, means in _means(rows)]
    return "\n".join(lines)


OVERHEAD = 10

RATIOS = (("generated", "hand"), ("autograd", "generated"), ("generated", "primal"))


RULE_HEAD = ("rule", "numbers", "by hand", "generated", "autograd", "jax", "torch",
             "generated / hand", "autograd / generated", "jax / generated",
             "torch / generated")  # fmt: skip

RULE_RATIOS = (("generated", "hand"), *((peer, "generated") for peer in RULE_HEAD[4:7]))


def rules(rows: Sequence[tuple[int, Row]]) -> str:
    """One line per rule and size, and one of geometric means for each size."""
    lines = [_line(RULE_HEAD), _line("---" if k == 0 else "---:" for k in range(len(RULE_HEAD)))]
    for size, row in rows:
        cells = [row.name, f"{size:,}"]
        cells += [_time(row.time(c)) for c in ("hand", *RULE_HEAD[3:7])]
        lines.append(_line([*cells, *(_ratio(row.ratio(a, b)) for a, b in RULE_RATIOS)]))
    for size in dict.fromkeys(size for size, _ in rows):
        own = [row for other, row in rows if other == size]
        means = [_ratio(_mean(row.ratio(a, b) for row in own)) for a, b in RULE_RATIOS]
        lines.append(_line(["geometric mean", f"{size:,}", "", "", "", "", "", *means]))
    return "\n".join(lines)


STEPS_HEAD = ("steps", "snapshots", "steps run", "steps run / steps", "memory", "full tape",
        "gradient", "by full tape", "primal", "gradient / primal")  # fmt: skip


def checkpoints(found: Sequence[tuple[Case, Case | None]]) -> str:
    """One line per number of steps: checkpointed loops, and the full tape where it was measured."""
    lines = [_line(STEPS_HEAD), _line("---:" for _ in STEPS_HEAD)]
    for kept, full in found:
        lines.append(
            _line(
                [
                    f"{kept.steps:,}",
                    f"{kept.snapshots:,}",
                    f"{kept.run:,}",
                    f"{kept.run / kept.steps:.2f}",
                    _memory(kept),
                    _memory(full),
                    _time(kept.seconds),
                    _time(full.seconds if full else None),
                    _time(kept.primal),
                    f"{kept.seconds / kept.primal:.2f}",
                ]
            )
        )
    return "\n".join(lines)


def second(rows: Sequence[Row]) -> str:
    """One line per workload: the gradient, the Hessian times a vector, and their ratio."""
    lines = [_line(("workload", "gradient", "hvp", "hvp / gradient")), "|---|---:|---:|---:|"]
    for row in rows:
        times = [_time(row.time(c)) for c in ("gradient", "hvp")]
        lines.append(_line([row.name, *times, _ratio(row.ratio("hvp", "gradient"))]))
    return "\n".join(lines)


def _memory(case: Case | None) -> str:
    """The largest memory, and how much of it the gradient took."""
    return f"{case.megabytes:.0f} ({case.megabytes - case.before:+.1f}) MB" if case else "-"


def summary(rows: Sequence[Row]) -> str:
    """The ratios alone, for `docs/speed.md`."""
    head = ("workload", *HEAD[5:8])
    lines = [_line(head), "|---|---:|---:|---:|"]
    lines += [_line([row.name, *(_ratio(row.ratio(a, b)) for a, b in RATIOS)]) for row in rows]
    return "\n".join([*lines, *(_line([title, *means]) for title, means in _means(rows))])


def _means(rows: Sequence[Row]) -> Iterator[tuple[str, list[str]]]:
    """Geometric means of the ratios: of all workloads, and of the issue's, W10 apart (overhead)."""
    numbered = [row for row in rows if 0 < row.number < OVERHEAD]
    for title, chosen in (("geometric mean", rows), ("geometric mean of W1 to W9", numbered)):
        if chosen:
            yield title, [_ratio(_mean(row.ratio(a, b) for row in chosen)) for a, b in RATIOS]


def insert(text: str, part: str) -> str:
    """The text with what stands between the benchmark marks replaced by a part."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{part}\n{END}{rest.split(END)[1]}"


def section(text: str, title: str) -> str:
    """The section with this title, up to the next title; empty where there is none."""
    if title not in text:
        return ""
    return title + text.split(title)[1].split("\n## ")[0].rstrip()


def with_section(text: str, title: str, new: str) -> str:
    """The text with another section in place of the one with this title, or at the end."""
    old = section(text, title)
    if old:
        return text.replace(old, new).rstrip() + "\n"
    return "\n\n".join(part for part in (text.rstrip(), new) if part) + "\n"


BEGIN, END = "<!-- benchmarks -->", "<!-- end -->"


def costs(seconds_to_import: float, cold: float, warm: float, overhead: float) -> str:
    """What is paid besides arithmetic, against what issue and design allow."""
    return "\n".join(
        [
            "| cost | measured | bar |",
            "|---|---:|---:|",
            f"| `import autodiff` after NumPy | {_time(seconds_to_import)} | 250 ms |",
            f"| compiling a function of 20 lines, first in the process | {_time(cold)} | 30 ms |",
            f"| the same, later | {_time(warm)} | 30 ms |",
            f"| a call beyond the bare generated function | {_time(overhead)} | 1 µs |",
        ]
    )


def tuned(rows: Sequence[Row]) -> str:
    """How far the second hand-written adjoints go."""
    return "\n".join(
        f"{row.name}: {_time(row.time('tuned'))}, {row.ratio('generated', 'tuned'):.2f} times as "
        "fast as the generated gradient."
        for row in rows
        if "tuned" in row.times
    )


def machine() -> str:
    """Processor, system and versions."""
    packages = ("numpy", "scipy", "autograd", "jax", "torch", "casadi", "numba", "gast", "astor")
    versions = ", ".join(f"{name} {_version(name)}" for name in packages)
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}; "
        f"Python {platform.python_version()}, {versions}"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def _ratio(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def _mean(values: Iterable[float | None]) -> float | None:
    known = [math.log(value) for value in values if value is not None]
    return math.exp(sum(known) / len(known)) if known else None
