"""Run many random programs with mutable memory without pytest, and count how they fare.

    python -m tests.programs.random.survey FIRST COUNT [--shrink N] [--plain]

prints the seeds of wrong programs and crashes by what they say, and refusals by message.
`--shrink N` also prints the smallest programs of N seeds of every kind of failure; `--plain`
leaves out the second compilation without optimisations; `--changing` draws programs whose lists
and dicts change.
"""

from __future__ import annotations

import argparse
import re
import time
import warnings
from collections import defaultdict
from collections.abc import Callable

from tests.programs.random.changing import generate_changing
from tests.programs.random.generator import RandomProgram
from tests.programs.random.memory import generate_memory
from tests.programs.random.outcome import Outcome, outcome
from tests.programs.random.stepping import generate_stepping

Found = dict[str, list[int]]


def general(found: Outcome) -> str:
    """The outcome without the names and numbers of one program."""
    if found.kind == "right":
        return "right"
    if found.kind.startswith("wrong"):
        return found.kind
    detail = found.detail.splitlines()[0] if found.detail else ""
    detail = re.sub(r"`[^`]*`", "`_`", re.sub(r"\d+", "0", detail))
    return f"{found.kind}: {detail}"


def survey(
    first: int,
    count: int,
    unoptimized: bool = True,
    generate: Callable[[int], RandomProgram] = generate_memory,
) -> Found:
    """The seeds of every kind of outcome."""
    found: Found = defaultdict(list)
    for seed in range(first, first + count):
        found[general(outcome(generate(seed), unoptimized))].append(seed)
    return found


def report(found: Found) -> str:
    total = sum(map(len, found.values()))
    lines = []
    for kind, seeds in sorted(found.items(), key=lambda item: -len(item[1])):
        some = "" if kind == "right" else f"   seeds {' '.join(map(str, seeds[:8]))}"
        lines.append(f"{len(seeds):6} {100 * len(seeds) / total:5.1f}%  {kind[:110]}{some}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--shrink", type=int, default=0, metavar="N")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--changing", action="store_true")
    parser.add_argument("--stepping", action="store_true")
    options = parser.parse_args()
    generate = generate_changing if options.changing else generate_memory
    generate = generate_stepping if options.stepping else generate
    warnings.simplefilter("error")
    start = time.perf_counter()
    found = survey(options.first, options.count, not options.plain, generate)
    seconds = time.perf_counter() - start
    print(report(found))
    print(f"{options.count} programs, {1000 * seconds / options.count:.0f} ms each")
    for kind, seeds in found.items():
        if kind.startswith(("wrong", "crash")) and options.shrink:
            from tests.programs.random.shrink import shrunk

            for seed in seeds[: options.shrink]:
                print(f"\n# seed {seed}: {kind}\n{shrunk(generate(seed)).text}")


if __name__ == "__main__":
    main()
