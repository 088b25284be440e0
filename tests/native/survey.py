"""What the native backend takes of the corpus: `python -m tests.native.survey`.

With the word `run` every program that is taken is run on both backends and compared, which takes
Numba an hour; without it only what is refused is counted.
"""

from __future__ import annotations

import inspect
import linecache
import sys
import warnings
from collections import defaultdict
from types import FunctionType
from typing import Any

import numpy as np

from autodiff import AutodiffError, grad
from autodiff.pipeline import compiler
from tests.language import oracle
from tests.language.corpus import Program, collect

PACKAGES = ("tests.programs.kernels.programs", "tests.language.programs")


def programs() -> list[Program]:
    """The whole corpus, without programs that have keyword points or nothing to differentiate."""
    found = [program for package in PACKAGES for program in collect(package)]
    return [p for p in found if p.wrt_at(p.points[0]) and not p.points[0].kwargs]


def differentiated(program: Program) -> tuple[Any, Any] | None:
    """A function with a gradient, the program or the sum of its values, and the gradient.

    None where Python's derivative is refused, too.
    """
    point = program.points[0]
    for function in (program.function, _summed(program.function)):
        try:
            wrt = program.wrt_at(point)
            return function, grad(function, wrt)(*oracle.copied(list(point.args)))
        except Exception:
            continue
    return None


def refusal(program: Program, function: Any) -> str | None:
    """Why the native backend refuses it; None if it does not. Numba is not asked.

    Core, which Python's derivative goes through, takes more than the compiler that is native.
    """
    point = program.points[0]
    derivative = grad(function, program.wrt_at(point), backend="numba")
    compiler.REASONS.clear()
    try:
        derivative.source_for(*oracle.copied(list(point.args)))
    except AutodiffError as error:
        return error.what.removesuffix(" cannot be compiled natively")
    return None


def way() -> str:
    """Which way the program went that was compiled last."""
    return "; ".join(compiler.REASONS) or "through Core"


def compare(program: Program, function: Any, wanted: Any) -> str:
    """`agrees`, or why Numba refuses it; AssertionError where the gradients differ."""
    point = program.points[0]
    derivative = grad(function, program.wrt_at(point), backend="numba")
    try:
        found = derivative(*oracle.copied(list(point.args)))
    except AutodiffError as error:
        return f"refused: {error.what}"
    given = [np.asarray(leaf).dtype for leaf in oracle.leaves([list(point.args), wanted])]
    # with arguments of 32 bits NumPy rounds each step, compiled code what it returns
    in_32_bits = any(dtype in ("f4", "c8") for dtype in given)
    rounding = 16 * float(np.finfo("f4").eps) if in_32_bits else 1e-10
    for one, other in zip(oracle.leaves(found), oracle.leaves(wanted), strict=True):
        scale = max(1.0, float(np.max(np.abs(other), initial=0.0)))
        np.testing.assert_allclose(one, other, rtol=10 * rounding, atol=rounding * scale)
        assert np.asarray(one).dtype == np.asarray(other).dtype
    return "agrees"


def _summed(function: Any) -> Any:
    names = ", ".join(inspect.signature(function).parameters)
    text = f"def total({names}):\n    return np.sum(function({names}))\n"
    file = f"<sum of {function.__module__}.{function.__name__}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    namespace: dict[str, Any] = {"np": np, "function": function}
    exec(compile(text, file, "exec"), namespace)
    total = namespace["total"]
    assert isinstance(total, FunctionType)
    return total


def main(run: bool) -> None:
    warnings.simplefilter("ignore")
    reasons: dict[str, list[str]] = defaultdict(list)
    for program in programs():
        made = differentiated(program)
        if made is None:
            reasons["(has no gradient in Python either)"].append(program.name)
            continue
        reason = refusal(program, made[0])
        if reason is None and run:
            reason = compare(program, *made)
            print(program.name, reason, flush=True)
        reasons[reason or f"(taken: {way()})"].append(program.name)
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"| {reason} | {len(names)} | {', '.join(names[:2])} |")


if __name__ == "__main__":
    main("run" in sys.argv[1:])
