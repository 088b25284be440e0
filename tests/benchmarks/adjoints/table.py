"""Measuring the most used rules against their adjoints by hand."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean

from tests.benchmarks.adjoints import algebra, elementwise, moving, reductions
from tests.benchmarks.measure import agree, interleaved, quiet
from tests.benchmarks.rule_costs import bare
from tests.benchmarks.workload import Workload

SIZES = (10, 1_000, 100_000)
TOPICS = (elementwise, reductions, moving, algebra)
ABOUT = (
    "Written by `python -m tests.benchmarks adjoints`. One rule each under a weighted sum "
    "(`tests/benchmarks/adjoints/`), on arrays of about so many numbers (matrices of at most 100 "
    "columns where work is cubic): how many times as long as the adjoint by hand the generated one "
    "takes, and in brackets what that takes. Both are bare functions; what is written by hand uses "
    "NumPy alone where the primal does. Medians over interleaved rounds in one run, on one core. "
    "By hand more is known than the compiler may assume: that the weights of the sum are as long "
    "as what they weigh (`convolve`: else they would be broadcast and the adjoint summed), which "
    "of its operands is the longer, that no determinant is 0 and no two eigenvalues are equal. "
    "The call of a helper is what small arrays show (`det`, `eigh`). `np.split` itself costs more "
    "than the slices by hand of `split`, which generated code has, too; `halves` is beside an "
    "adjoint by hand that keeps it."
)

Found = tuple[str, list[tuple[float, float]]]


def measured(rounds: int = 9) -> list[Found]:
    """For each rule: for each size the ratio and the seconds by hand."""
    found = []
    with quiet():
        for topic in TOPICS:
            for sizes in zip(*map(topic.cases, SIZES)):
                found.append((sizes[0].name, [compared(each, rounds) for each in sizes]))
                print(table(found[-1:]).splitlines()[2], flush=True)
    return found


def compared(workload: Workload, rounds: int) -> tuple[float, float]:
    """The ratio of the two times, and the seconds by hand; what both give is compared first."""
    generated = bare(workload)
    both = {"generated": generated, "hand": workload.hand}
    results = [f(*workload.arguments) for f in both.values()]
    agree(results[0], results[1], workload.tolerance, workload.name)
    times = interleaved(both, workload.arguments, rounds)
    ratios = sorted(a / b for a, b in zip(times["generated"], times["hand"]))
    return ratios[len(ratios) // 2], sorted(times["hand"])[rounds // 2]


def table(found: Sequence[Found]) -> str:
    """One line per rule, and one of geometric means."""
    head = ["rule", *(f"{size:,}" for size in SIZES)]
    lines = [_line(head), _line(["---", *("---:" for _ in SIZES)])]
    for name, ratios in found:
        cells = [f"{ratio:.2f} ({seconds * 1e6:,.1f} µs)" for ratio, seconds in ratios]
        lines.append(_line([name, *cells]))
    if len(found) > 1:
        means = [geometric_mean([r[k][0] for _, r in found]) for k in range(len(SIZES))]
        within = [sum(r[k][0] <= 1.2 for _, r in found) for k in range(len(SIZES))]
        lines.append(_line(["geometric mean", *(f"{mean:.2f}" for mean in means)]))
        lines.append(_line(["at most 1.2", *(f"{n} of {len(found)}" for n in within)]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
