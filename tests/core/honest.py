"""Functions as Core, run beside themselves: `honest(f, args, kwargs)` is "honest", or why not.

`python -m tests.core.honest [k/n] [name]` goes through the corpus, `--random low high` through
random programs.
"""

from __future__ import annotations

import collections
import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from autodiff import value_and_grad
from autodiff.core.notyet import NotYet, Unseen
from autodiff.core.verify import verify
from autodiff.dataflow.settle import settle
from autodiff.emit.module import definition
from autodiff.errors import AutodiffError
from autodiff.kinds.arguments import LEAST, kinds_and_sizes
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.function import lowered
from autodiff.pipeline import assembly, compiler
from autodiff.rules import registry
from tests.core.claims import Falsehood
from tests.core.interpreter import arrays, run
from tests.core.random_memory import Program, points
from tests.core.results import Unbuilt
from tests.language import oracle


def honest(function: Callable[..., Any], args: Any, kwargs: Any) -> str:
    """Runs a function, and what Core makes of it, on copies of the arguments; "honest" if all that
    Core claims holds and both give the same, "not yet" if Core does not take it.

    Raises `Falsehood` where a claim does not hold.
    """
    registry.load()
    given = [oracle.arguments(function, *oracle.copied((list(args), dict(kwargs)))) for _ in "ab"]
    for bound in given:
        bound.apply_defaults()
    mine, plain = given[0].arguments, given[1].arguments
    held = [[*arrays(dict(own))] for own in (mine, plain)]
    try:
        unit = lowered(function, kinds_and_sizes(tuple(mine.values()), LEAST)[0])
        verify(unit.function, "lower")
        settle(unit.function, unit.references)
    except (
        NotYet,
        Unseen,
        AutodiffError,
        RecursionError,
    ) as reason:  # functions that stay functions
        return f"not yet: {reason}"
    verify(unit.function, "settle")
    expected, fault = attempt(lambda: function(*given[1].args, **given[1].kwargs))
    try:
        found, error = attempt(lambda: run(unit, mine))
    except Unbuilt as reason:
        return f"not yet: {reason}"
    if fault is None and "depends on the order in which NumPy copies" in str(error):
        return f"not yet: {error}"  # a derivative refuses that when it runs
    if type(fault) is not type(error):
        raise Falsehood(f"raises {error!r}, not {fault!r}")
    if fault is not None:
        return "honest"
    same(found, expected, "the result")
    same(*held, "an argument")
    return "honest"


def derived(function: Callable[..., Any], args: Any, kwargs: Any, wrt: Sequence[str]) -> str:
    """Runs what Core makes of value and gradient, both sweeps, checking what it claims; and the
    text that is printed, which must give the same.
    """
    kept: dict[str, Any] = {}
    units: list[Unit] = []

    def watched(*given: Any) -> Any:
        units.append(lowered(*given))
        return units[-1]

    def printed(made: Any, *rest: Any) -> Any:
        """Printing takes it apart, so it runs before that."""
        bound = oracle.arguments(function, *oracle.copied((list(args), dict(kwargs))))
        bound.apply_defaults()
        if made.seeds is None:  # not that of a function that it calls
            [unit] = [each for each in units if each.function is made]
            kept["found"] = run(unit, bound.arguments, made.outputs)
        return definition(made, *rest)

    given, rest = oracle.copied((list(args), dict(kwargs)))
    with (
        mock.patch.object(compiler, "made", compiler.by_core),
        mock.patch.object(assembly, "lowered", watched),
        mock.patch.object(assembly, "definition", printed),
    ):
        try:
            value, gradients = value_and_grad(function, wrt=tuple(wrt))(*given, **rest)
        except Falsehood:
            raise
        except (NotYet, Unseen, AutodiffError, Unbuilt) as reason:
            return f"not yet: {reason}"
        except Exception as error:  # what the function raises, or the compiler: judged elsewhere
            return f"not yet: {error!r}"
    if "found" not in kept:
        return "not yet: no text"
    found = kept["found"]
    expected = oracle.leaves([value, gradients])
    for one, other in zip(oracle.leaves([*found]), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
    return "honest"


def attempt(step: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """What a step gives, or the error that it raises."""
    try:
        return step(), None
    except (Falsehood, Unbuilt, KeyboardInterrupt):
        raise
    except Exception as error:
        return None, error


def same(found: Any, expected: Any, what: str) -> None:
    """Both are the same, but for the order of sums."""
    if type(found) is not type(expected):
        raise Falsehood(f"{what} is a {type(found).__name__}, not a {type(expected).__name__}")
    if isinstance(expected, (list, tuple)):
        if len(found) != len(expected):
            raise Falsehood(f"{what} has {len(found)} items, not {len(expected)}")
        for one, other in zip(found, expected):
            same(one, other, what)
    elif isinstance(expected, dict):
        same([*found.items()], [*expected.items()], what)
    elif isinstance(expected, (int, float, complex, np.ndarray, np.generic)):
        equal = (
            np.shape(found) == np.shape(expected)
            and np.asarray(found).dtype == np.asarray(expected).dtype
        )
        numeric = np.asarray(expected).dtype.kind in "biufc"
        if equal and numeric:
            equal = np.allclose(found, expected, rtol=1e-12, atol=1e-13, equal_nan=True)
        if not equal:
            raise Falsehood(f"{what} is {found!r}, not {expected!r}")


def judged(function: Callable[..., Any], args: Any, kwargs: Any, wrt: Sequence[str]) -> str:
    """What became of a function, and of its value and gradient."""
    with np.errstate(all="ignore"):
        try:
            found = honest(function, args, kwargs)
            if found != "honest" or not wrt:
                return found
            both = derived(function, args, kwargs, wrt) == "honest"
            return "honest: both sweeps" if both else found
        except AssertionError as fault:
            return f"false: {fault}"


def corpus(part: str = "1/1", wanted: str = "") -> Iterator[tuple[str, str]]:
    """The names of programs of the corpus, and what became of them at each point."""
    from tests.language import test_language  # noqa: PLC0415 (it collects when it is imported)

    k, n = map(int, part.split("/"))
    for entry in test_language.PROGRAMS[k - 1 :: n]:
        if wanted in entry.name:
            for point in entry.points:
                wrt = entry.wrt_at(point)
                yield entry.name, judged(entry.function, point.args, point.kwargs, wrt)


def drawn(low: int, high: int) -> Iterator[tuple[str, str]]:
    """Random programs, and what became of them."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(low, high):
            path = Path(folder) / f"drawn_{seed}.py"
            path.write_text(Program(seed).text)
            spec = importlib.util.spec_from_file_location(path.stem, path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for point in points():
                yield f"seed {seed}", judged(module.f, point, {}, ("x", "a"))


def main(*arguments: str) -> None:
    """Prints what is false, and how many are not."""
    given = list(arguments)
    found = drawn(*map(int, given[1:])) if given[:1] == ["--random"] else corpus(*given)
    tally: collections.Counter[str] = collections.Counter()
    for name, what in found:
        tally[what.partition(":")[0]] += 1
        if what.startswith("false"):
            print(f"{name}: {what}"[:200], flush=True)
    print(dict(tally))


if __name__ == "__main__":
    main(*sys.argv[1:])
