"""How the derivative of a random program fares.

The oracle is differences for plain programs, which may round (`abs`, `max` at a kink), and complex
step for those with mutable memory: exact, and one run per element.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import itertools
import signal
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError, InternalError
from autodiff.pipeline.request import Options
from tests.language import oracle
from tests.programs.random.generator import RandomProgram
from tests.programs.random.loading import load
from tests.programs.random.memory import complex_step

SWITCHES = [field.name for field in dataclasses.fields(Options)]
STEEPEST = 1e4
TOLERANCE = 1e-7
ENDLESS = "the compiler does not end"

_counter = itertools.count()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened: "right", "refused", "wrong ...", "crash" or "invalid", and the details."""

    kind: str
    detail: str = ""
    source: str = ""

    @property
    def key(self) -> str:
        """What a smaller program must keep to fail in the same way."""
        return self.kind if self.kind.startswith("wrong") else f"{self.kind}: {self.detail[:40]}"


def expected(program: RandomProgram) -> list[list[Any]]:
    """The gradients of a program with mutable memory, by complex step."""
    function = complex_step(program.text)
    wrt = tuple(range(len(program.args)))
    return oracle.gradients(function, program.args, {}, wrt, seed=1.0, analytic=True)


def check(program: RandomProgram, function: Any, wanted: list[list[Any]], **options: bool) -> str:
    """Compare value, gradients and untouched arguments; returns the generated source."""
    wrt = tuple(range(len(program.args)))
    derivative = Derivative(function, "value_and_grad", wrt, False, options)
    args = oracle.copied(program.args)
    value, gradient = derivative(*args)
    oracle.assert_same(args, program.args, "arguments")
    # not equal to the last bit: NumPy rounds by where and how densely its operands lie
    np.testing.assert_allclose(value, function(*oracle.copied(args)), 1e-12, 1e-13, err_msg="value")
    for place in wrt:
        scale = max([1.0, *(float(np.max(np.abs(part))) for part in wanted[place])])
        oracle.compare(
            gradient[place], args[place], wanted[place], TOLERANCE * scale, f"argument {place}"
        )
    return derivative.source


def outcome(program: RandomProgram, unoptimized: bool = True, limit: float = 10.0) -> Outcome:
    """How the derivative of a program with mutable memory fares, also without optimisations."""
    # A new file name every time, since Python caches the lines of files.
    program = dataclasses.replace(program, seed=next(_counter))
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        with limited(0.5):
            try:
                function = load(program, Path(folder))
                function(*oracle.copied(program.args))
                wanted = expected(program)
            except (Exception, TooLong) as error:
                return Outcome("invalid", repr(error))
        largest = max(float(np.max(np.abs(part), initial=0.0)) for ps in wanted for part in ps)
        if not np.isfinite(largest) or largest > STEEPEST:
            return Outcome("invalid", "too steep")
        return _compared(program, function, wanted, unoptimized, limit)


def _compared(
    program: RandomProgram, function: Any, wanted: list[list[Any]], unoptimized: bool, limit: float
) -> Outcome:
    found = _attempt(program, function, wanted, {}, limit)
    if found.kind != "right" or not unoptimized:
        return found
    plain = _attempt(program, function, wanted, dict.fromkeys(SWITCHES, False), limit)
    if plain.kind == "right":
        return plain
    return Outcome(f"{plain.kind} without optimisations", plain.detail, plain.source)


def _attempt(
    program: RandomProgram,
    function: Any,
    wanted: list[list[Any]],
    options: dict[str, bool],
    limit: float,
) -> Outcome:
    try:
        with limited(limit):
            return Outcome("right", "", check(program, function, wanted, **options))
    except TooLong:
        return Outcome("crash", ENDLESS)
    except InternalError as error:
        return Outcome("crash", f"InternalError: {first_line(error)}")
    except AutodiffError as error:
        return Outcome("refused", error.what)
    except AssertionError as error:
        text = str(error)
        form = "shape" in first_line(error) or "dtype" in first_line(error)
        what = "value" if "value" in text else "arguments" if "arguments" in text else "gradient"
        source = _source(program, function, options)
        return Outcome("wrong shape or dtype" if form else f"wrong {what}", text, source)
    except Exception as error:
        source = _source(program, function, options)
        return Outcome("crash", f"{type(error).__name__}: {first_line(error)}", source)


def _source(program: RandomProgram, function: Any, options: dict[str, bool]) -> str:
    wrt = tuple(range(len(program.args)))
    with contextlib.suppress(Exception):
        derivative = Derivative(function, "value_and_grad", wrt, False, options)
        return derivative.source_for(*oracle.copied(program.args))
    return ""


def first_line(error: BaseException) -> str:
    return next(filter(None, str(error).splitlines()), "")


class TooLong(BaseException):
    """No `Exception`, so that nothing that the compiler tries out catches it."""


class limited(contextlib.AbstractContextManager[None]):
    """Raise TooLong after some seconds: the counter of a loop may have been deleted."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def __exit__(self, *exception: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _too_long(signum: int, frame: FrameType | None) -> None:
    raise TooLong
