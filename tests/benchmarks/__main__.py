"""`python -m tests.benchmarks`: measure, print, write RESULTS.md and the table of docs/speed.md."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
RESULTS = Path(__file__).with_name("RESULTS.md")
WORKLOADS = "# Benchmarks"
RULES, NATIVE, SECOND = "## Rules", "## Native", "## Second order"
CHECKPOINTS, MILLION = "## Checkpoints", "## A million steps"
DIRECTIONS, ADJOINTS = "## Several directions", "## Adjoints by hand"
SPEED = Path(__file__).parents[2] / "docs/speed.md"


def main(wanted: list[str]) -> None:
    """Measure the workloads whose name holds one of the words, or all; only all are written.

    One of the words in `parts` measures that part alone, and writes its section. `million` and
    `adjoints`, which take some minutes, are measured on demand only.
    """
    from tests.benchmarks import report

    parts = {
        "workloads": (WORKLOADS, workloads),
        "rules": (RULES, rules),
        "native": (NATIVE, native),
        "second": (SECOND, second),
        "checkpoints": (CHECKPOINTS, checkpoints),
        "million": (MILLION, million),
        "directions": (DIRECTIONS, directions),
        "adjoints": (ADJOINTS, adjoints),
    }
    old = RESULTS.read_text(encoding="utf-8")
    if len(wanted) == 1 and wanted[0] in parts:
        title, part = parts[wanted[0]]
        RESULTS.write_text(report.with_section(old, title, part()), encoding="utf-8")
    elif wanted:
        print("\n" + workloads(wanted))
    else:
        text = "\n\n".join([workloads(), rules(), directions(), second(), checkpoints()])
        for title in (MILLION, ADJOINTS):
            text = report.with_section(text, title, report.section(old, title))
        kept = native() if find_spec("numba") else report.section(old, NATIVE)
        RESULTS.write_text(report.with_section(text, NATIVE, kept), encoding="utf-8")


def workloads(wanted: list[str] | None = None) -> str:
    """The first part, of all workloads or of those whose name holds one of the words.

    Of all, `docs/speed.md` gets the ratios.
    """
    from tests.benchmarks import costs, report
    from tests.benchmarks.measure import measure, quiet
    from tests.benchmarks.suite import suite

    rows = []
    with quiet():
        for workload in suite():
            if not wanted or any(word in workload.name for word in wanted):
                rows.append(measure(workload))
                print(report.table(rows[-1:]).splitlines()[2], flush=True)
        paid = report.costs(costs.import_time(), *costs.compile_time(), costs.call_overhead())
    if not wanted:
        page = SPEED.read_text(encoding="utf-8")
        SPEED.write_text(report.insert(page, report.summary(rows)), encoding="utf-8")
    return "\n\n".join(
        [
            WORKLOADS,
            "Written by `python -m tests.benchmarks`. Medians over interleaved rounds in one run: "
            "processor time of one thread on one core, without garbage collection; ratios are "
            "medians of the ratios within a round. All gradients are checked against each other "
            "before they are timed. A contender that takes more than 2 s is timed once.",
            report.machine(),
            report.table(rows),
            report.tuned(rows),
            paid,
        ]
    )


def rules() -> str:
    """The part about the rules."""
    from tests.benchmarks import report
    from tests.benchmarks.measure import quiet
    from tests.benchmarks.rule_costs import measure_rule
    from tests.benchmarks.rules import SIZES, workloads

    rows = []
    with quiet():
        for cases in zip(*map(workloads, SIZES)):
            for size, workload in zip(SIZES, cases):
                rows.append((size, measure_rule(workload)))
                print(report.rules(rows[-1:]).splitlines()[2], flush=True)
    return "\n\n".join(
        [
            RULES,
            "Written by `python -m tests.benchmarks rules`. One rule each, under a weighted sum "
            "(`tests/benchmarks/rules.py`); generated and hand-written code are bare functions, "
            "autograd, JAX (compiled before) and PyTorch (eager) are called as users call them. "
            "All in double precision on one core; medians over interleaved rounds of the processor "
            "time of all threads.",
            report.machine(),
            report.rules(rows),
        ]
    )


def directions() -> str:
    """The part about tangents along several directions at once."""
    from tests.benchmarks import report
    from tests.benchmarks.directions import measured, table

    return "\n\n".join(
        [
            DIRECTIONS,
            "Written by `python -m tests.benchmarks directions`. `jacfwd` and `hessian`: one sweep "
            "along all directions, as far as that is faster, against one sweep for each; medians "
            "of processor time over interleaved rounds.",
            report.machine(),
            table(measured()),
        ]
    )


def native() -> str:
    """The part about the native backend."""
    from tests.benchmarks import report
    from tests.benchmarks.measure import quiet
    from tests.benchmarks.native import table
    from tests.benchmarks.native.plot import plot
    from tests.benchmarks.native.suite import by_elements, cases, measure

    results = []
    with quiet():
        for case in cases():
            results.append(measure(case))
            print(table.table(results[-1:]).splitlines()[2], flush=True)
        loops = table.by_elements(by_elements())
    picture = RESULTS.with_name("native.png")
    drawn = [f"![times of the gradients]({picture.name})"] if plot(results, picture) else []
    parts = [NATIVE, table.ABOUT, report.machine(), table.table(results), loops, *drawn]
    return "\n\n".join(part for part in parts if part)


def second() -> str:
    """The part about Hessian-vector products."""
    from tests.benchmarks import report
    from tests.benchmarks.measure import quiet
    from tests.benchmarks.second import ABOUT, cases, measure_second

    rows = []
    with quiet():
        for workload in cases():
            rows.append(measure_second(workload))
            print(report.second(rows[-1:]).splitlines()[2], flush=True)
    return "\n\n".join([SECOND, ABOUT, report.machine(), report.second(rows)])


def checkpoints() -> str:
    """The part about checkpointed loops."""
    from tests.benchmarks import report
    from tests.benchmarks.checkpoints import ABOUT, SIZES, pairs

    return "\n\n".join([CHECKPOINTS, ABOUT, report.machine(), report.checkpoints(pairs(SIZES))])


def adjoints() -> str:
    """The part about the most used rules."""
    from tests.benchmarks import report
    from tests.benchmarks.adjoints.table import ABOUT, measured, table

    return "\n\n".join([ADJOINTS, ABOUT, report.machine(), table(measured())])


def million() -> str:
    """The part about the longest loop."""
    from tests.benchmarks import report
    from tests.benchmarks.checkpoints import MILLION as steps
    from tests.benchmarks.checkpoints import pairs

    about = "Written by `python -m tests.benchmarks million`, which takes some minutes."
    table = report.checkpoints(pairs((steps,)))
    return "\n\n".join([MILLION, about, report.machine(), table])


if __name__ == "__main__":
    for variable in THREADS:  # before NumPy is imported
        os.environ[variable] = "1"
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    main(sys.argv[1:])
