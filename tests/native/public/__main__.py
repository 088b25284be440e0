"""What becomes of public kernels natively: `python -m tests.native.public [names]`, a row each."""

from __future__ import annotations

import inspect
import sys
import time
import warnings
from typing import Any

import numba
import numpy as np

from autodiff import AutodiffError, grad
from tests.language.oracle import copied, leaves
from tests.native.public.npbench_2 import CASES


def timed(function: Any, args: tuple[Any, ...], least: float = 0.05) -> float:
    """Seconds of one call, its arguments copied: the least of several."""
    best, start = np.inf, time.process_time()
    while time.process_time() - start < least:
        given = copied(list(args))
        begun = time.perf_counter()
        function(*given)
        best = min(best, time.perf_counter() - begun)
    return float(best)


def primal_compiles(function: Any, args: tuple[Any, ...]) -> str:
    """Whether Numba compiles the functions as they stand."""
    module = inspect.getmodule(function)
    scope = dict(vars(module))
    own = [v for v in scope.values() if inspect.isfunction(v) and v.__module__.startswith("tests")]
    for helper in own:
        made = type(helper)(helper.__code__, scope, helper.__name__, helper.__defaults__)
        scope[helper.__name__] = numba.njit(made)
    start = time.process_time()
    try:
        scope[function.__name__](*copied(list(args)))
    except Exception:
        return "no"
    return f"{time.process_time() - start:.1f} s"


def row(function: Any, args: tuple[Any, ...], wrt: Any) -> str:
    name = function.__name__.removesuffix("_total")
    primal = primal_compiles(function, args) if "primal" in sys.argv else "-"
    in_python = grad(function, wrt)
    wanted = in_python(*copied(list(args)))
    python = timed(in_python, args)
    native = grad(function, wrt, backend="numba")
    start = time.process_time()
    try:
        found = native(*copied(list(args)))
    except AutodiffError as error:
        text = " ".join(str(error).split())
        return f"| {name} | {primal} | no: {text[:400]} | | | |"
    except Exception as error:
        return f"| {name} | {primal} | crash: {type(error).__name__} {str(error)[:300]} | | | |"
    seconds = time.process_time() - start
    right = "yes"
    for one, other in zip(leaves(found), leaves(wanted), strict=True):
        scale = max(1.0, float(np.max(np.abs(other), initial=0.0)))
        if not np.allclose(one, other, rtol=1e-9, atol=1e-10 * scale):
            right = "WRONG"
    ratio = timed(native, args) / python
    return f"| {name} | {primal} | yes | {right} | {seconds:.1f} | {ratio:.2f} |"


def main() -> None:
    warnings.simplefilter("ignore")
    names = [name for name in sys.argv[1:] if name != "primal"]
    print("| kernel | primal | native gradient | right | compile, s | native / Python |")
    for function, args, wrt in CASES:
        if not names or function.__name__.removesuffix("_total") in names:
            try:
                print(row(function, args, wrt), flush=True)
            except Exception as error:
                print(f"| {function.__name__} | python: {type(error).__name__} {error} |")


if __name__ == "__main__":
    main()
