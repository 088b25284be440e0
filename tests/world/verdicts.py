"""Judges one call in both modes: right, wrong, NaN, refused, crash, slow, or not judged.

The reference are central differences with several steps; where they do not settle, or the function
itself raises or gives no finite number, the call is "not judged" and counts nowhere.
"""

from __future__ import annotations

import signal
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from autodiff import grad, jvp
from autodiff.errors import AutodiffError
from tests.world.calls import Call, Function

SLOW = 20.0
"""Seconds that the first derivative may take, compilation included."""
_LIMIT = 60
_STEPS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
_SETTLED = 1e-5
_MODES = ("grad", "jvp")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a call in a mode, why, and how long its first derivative took (seconds)."""

    what: str
    why: str = ""
    seconds: float = 0.0


class TooLong(BaseException):
    """The limit of time is over; no `except Exception` of a package may hold it back."""


def judged(call: Call) -> dict[str, Verdict]:
    """The verdict of each mode."""
    try:
        directions, slopes, scales = zip(*(_by_differences(call.function, p) for p in call.points))
    except _Unsettled as problem:
        return dict.fromkeys(_MODES, Verdict("not judged", str(problem)))
    return {mode: _verdict(mode, call, directions, slopes, scales) for mode in _MODES}


def _verdict(mode: str, call: Call, directions: Any, slopes: Any, scales: Any) -> Verdict:
    began = time.perf_counter()
    spent = 0.0
    try:
        with _limited():
            for point, along, slope, scale in zip(call.points, directions, slopes, scales):
                got = _slope(mode, call.function, point, along)
                spent = spent or time.perf_counter() - began
                if not np.all(np.isfinite(got)):
                    return Verdict("NaN", f"{got} at {point!r}, not {slope}", spent)
                if abs(got - slope) > 1e-4 * max(scale, abs(slope)):
                    return Verdict("wrong", f"{got} at {point!r}, not {slope}", spent)
    except AutodiffError as refusal:
        return Verdict("refused", str(refusal), time.perf_counter() - began)
    except TooLong:
        return Verdict("slow", f"more than {_LIMIT} s", float(_LIMIT))
    except Exception:
        return Verdict("crash", traceback.format_exc(), time.perf_counter() - began)
    if spent > SLOW:
        return Verdict("slow", f"{spent:.0f} s", spent)
    return Verdict("right", "", spent)


def _slope(mode: str, function: Function, point: Any, along: Any) -> Any:
    """The derivative along a direction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = np.copy(point) if isinstance(point, np.ndarray) else point
        if mode == "grad":
            return np.sum(grad(function)(given) * along)
        return jvp(function, (given,), (along,))[1]


class _Unsettled(Exception):
    """Differences do not tell."""


def _by_differences(function: Function, point: Any) -> tuple[Any, float, float]:
    """A direction, the derivative along it, and the size of what its parts add to it."""
    at = np.asarray(point, float)
    along = np.random.default_rng(3).uniform(0.3, 1.0, at.shape) * np.where(at == 0, 1, at)
    along = along if isinstance(point, np.ndarray) else float(along)
    found: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = _value(function, point)
        for step in _STEPS:
            ahead = _value(function, point + step * along)
            back = _value(function, point - step * along)
            found.append((ahead - back) / (2 * step))
    size = max(map(abs, found))
    near = min(zip(found, found[1:]), key=lambda pair: abs(pair[0] - pair[1]))
    noise = max(abs(value) * 1e-9, 1e-300)
    if abs(near[0] - near[1]) > _SETTLED * max(abs(near[0]), noise):
        raise _Unsettled(f"differences do not settle: {found}")
    if size <= noise:
        raise _Unsettled("the value does not change")
    return along, near[1], noise


def _value(function: Function, point: Any) -> float:
    try:
        value = function(np.copy(point) if isinstance(point, np.ndarray) else point)
        number = float(value)
    except Exception as problem:
        raise _Unsettled(f"the function raises {problem!r}") from problem
    if not np.isfinite(number):
        raise _Unsettled(f"the value is {number}")
    return number


@contextmanager
def _limited() -> Iterator[None]:
    """Raise `TooLong` when the limit is over."""

    def over(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(_LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
