"""How compile time grows with a program: `python -m tests.core.compile_time [FAMILY ...]`.

Seconds of the processor for the gradient through Core, of programs of 20 to 2,000 statements, and
the slope between the two largest in a log-log plot; then loops in one another, and a function of 20
lines. Never a test: what is measured here is compared between commits, on one machine.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from autodiff import grad
from autodiff.derivatives import cache
from autodiff.pipeline import assembly, compiler
from tests.benchmarks.costs import ARGUMENTS, pendulum

SIZES = (20, 200, 632, 2000)


def straight(n: int) -> str:
    """Numbers, one after the other."""
    lines = ["def f(x, a):", "    v0 = x * 2.0"]
    lines += [f"    v{k} = np.sin(v{k - 1}) * x + v{max(k - 7, 0)}" for k in range(1, n)]
    return "\n".join([*lines, f"    return v{n - 1}"])


def loops(n: int) -> str:
    """Loops of two statements that carry a number."""
    lines = ["def f(x, a):", "    y = x"]
    for _ in range(n // 3):
        lines += ["    for i in range(3):", "        z = y * y", "        y = np.sin(z) + x * a[i]"]
    return "\n".join([*lines, "    return y"])


def in_place(n: int) -> str:
    """Stores into two arrays, what one holds goes to the other."""
    lines = ["def f(x, a):", "    u = a * x", "    w = np.zeros_like(u)"]
    for k in range(n // 2):
        lines += [f"    w[{k % 4}] = u[{(k + 1) % 4}] * u[{k % 4}]", f"    u[{k % 4}] += w[0] * x"]
    return "\n".join([*lines, "    return np.sum(u)"])


def helpers(n: int) -> str:
    """Calls of helpers, a helper for ten calls."""
    lines = []
    for k in range(max(n // 10, 1)):
        lines += [f"def h{k}(y, x):", f"    z = y * {k + 2}.0", "    return np.sin(z) + x"]
    lines += ["def f(x, a):", "    y = x"]
    lines += [f"    y = h{k % max(n // 10, 1)}(y, x)" for k in range(n)]
    return "\n".join([*lines, "    return y"])


def chains(n: int) -> str:
    """Helpers that call helpers, a tenth as deep as there are statements."""
    deep = max(n // 10, 1)
    lines = ["def h0(y):", "    return np.sin(y)"]
    for k in range(1, min(deep, 200)):
        lines += [f"def h{k}(y):", *[f"    y = y * {j + 1.5}" for j in range(9)]]
        lines += [f"    return h{k - 1}(y) + y"]
    return "\n".join([*lines, "def f(x, a):", f"    return h{min(deep, 200) - 1}(x)"])


def dicts(n: int) -> str:
    """Numbers in a dict."""
    lines = ["def f(x, a):", "    d = {'k0': x}"]
    lines += [f"    d['k{k}'] = d['k{k - 1}'] * x + np.sin(d['k0'])" for k in range(1, n)]
    return "\n".join([*lines, f"    return d['k{n - 1}']"])


def classes(n: int) -> str:
    """Methods that change an object."""
    lines = ["class State:", "    def __init__(self, y):", "        self.y = y"]
    lines += ["    def step(self, x):", "        self.y = np.sin(self.y) + x"]
    lines += ["def f(x, a):", "    s = State(x)", *["    s.step(x)"] * (n // 2), "    return s.y"]
    return "\n".join(lines)


def branches(n: int) -> str:
    """Branches that choose between two numbers."""
    lines = ["def f(x, a):", "    y = x"]
    for k in range(n // 4):
        lines += [f"    if y > {k}.0:", "        y = np.sin(y) * x"]
        lines += ["    else:", "        y = y * y"]
    return "\n".join([*lines, "    return y"])


def nested(depth: int) -> str:
    """Loops in one another."""
    lines = ["def f(x, a):", "    y = x"]
    for k in range(depth):
        lines.append(f"    {'    ' * k}for i{k} in range(1):")
    inner = "    " * (depth + 1)
    return "\n".join([*lines, f"{inner}z = y * y", f"{inner}y = np.sin(z) + x", "    return y"])


FAMILIES = (straight, loops, in_place, helpers, chains, dicts, classes, branches)


def function_of(text: str, folder: Path) -> Callable[..., Any]:
    """The function `f` of a text, in a file of its own."""
    file = folder / f"program_{len(list(folder.iterdir()))}.py"
    file.write_text(f"import numpy as np\n\n\n{text}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    found: Callable[..., Any] = module.f
    return found


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """What one compilation takes of the processor; it goes through Core."""
    cache._shelves.clear()
    compiler.REASONS.clear()
    start = time.process_time()
    grad(function).source_for(*arguments)
    taken = time.process_time() - start
    assert not compiler.REASONS, compiler.REASONS
    return taken


def main(names: list[str]) -> None:
    """Prints a row for each family."""
    assembly.CHECKED = False
    seconds(pendulum, *ARGUMENTS)  # what is read or found once
    least = min(seconds(pendulum, *ARGUMENTS) for _ in range(7))
    print(f"20 lines: {1000 * least:.1f} ms")
    a = np.array([0.3, 0.2, 0.5, 0.1])
    print(f"{'family':10}", *(f"{n:>8}" for n in SIZES), "  slopes")
    with tempfile.TemporaryDirectory() as folder:
        for family in FAMILIES:
            if names and family.__name__ not in names:
                continue
            times: list[float] = []
            slopes = []
            for n in SIZES:
                function = function_of(family(n), Path(folder))
                times.append(min(seconds(function, 0.3, a) for _ in range(2 if n < 600 else 1)))
                if len(times) > 1:
                    grown = math.log(n / SIZES[len(times) - 2])
                    slopes.append(math.log(times[-1] / times[-2]) / grown)
            row = " ".join(f"{t:8.3f}" for t in times)
            print(f"{family.__name__:10} {row}  ", *(f"{s:.2f}" for s in slopes), flush=True)
        if not names or "nested" in names:
            functions = [function_of(nested(n), Path(folder)) for n in (1, 2, 4, 8)]
            row = " ".join(f"{min(seconds(f, 0.3, a) for _ in range(3)):8.3f}" for f in functions)
            print(f"nested     {row}  (depth 1, 2, 4, 8)")


if __name__ == "__main__":
    main(sys.argv[1:])
