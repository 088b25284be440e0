"""Which operations of a function are about to switch: at a kink or a jump, or next to one.

The operands of each operation are moved a little, up and down, and then by a tenth less: what is
smooth changes by a tenth less, too, or more than that; what switches changes as much as before.
"""

from __future__ import annotations

import contextlib
import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import _ABSENT, Derivative
from autodiff.errors import AutodiffError
from autodiff.structure import leaves, map_leaves
from autodiff.tracing import hooks
from autodiff.tracing.hooked.with_hooks import OWN
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.one_run import Run
from autodiff.tracing.trace import Trace, Unfollowed, Watch, watching

assert hooks.HOOKS
_SLIGHT, _LESS, _SMOOTH = 1e-4, 0.9, 1.05
"""A change that is no kink, relative to what changes; the second move, by the first; how many times
less what is smooth changes then, at least.
"""


@dataclass(frozen=True, slots=True)
class Kink:
    """An operation that is within a tolerance of switching.

    file, line, text: the user's statement. operation: the name of what is called. values: what it
    was given; of arrays the first element that switches. count: how many do, all times together.
    """

    file: str
    line: int
    text: str
    operation: str
    values: tuple[Any, ...]
    count: int

    def __str__(self) -> str:
        given = ", ".join(f"{own:.9g}" for own in self.values)
        times = "" if self.count == 1 else f", {self.count} times"
        return f"{self.file}:{self.line}: {self.text}  [{self.operation} of {given}{times}]"


@contextlib.contextmanager
def listed(tolerance: float) -> Iterator[list[Kink]]:
    """While the functions of derivatives that are called are followed, in this thread."""
    found = _Found(tolerance)
    before = sys.gettrace()
    sys.settrace(found.entered)
    try:
        yield found.kinks
    finally:
        sys.settrace(before)


class _Found(Watch):
    """Follows the functions of derivatives."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance
        self.kinks: list[Kink] = []
        self.at: dict[tuple[str, int, str], int] = {}
        self.inside = False

    def entered(self, frame: FrameType, event: str, given: Any) -> Any:
        """A call of a derivative; those that it makes are of the same function."""
        code = frame.f_code
        named = code.co_name in ("__call__", "_call", "along")
        if self.inside or not named or not code.co_argcount:
            return None
        held = frame.f_locals
        derivative = held[code.co_varnames[0]]
        if not isinstance(derivative, Derivative):
            return None
        args, keywords = _arguments(code, held)
        self.inside = True
        try:
            self.follow(derivative, args[: len(derivative.target.names)], keywords)
        except Unfollowed as why:
            raise AutodiffError(
                f"the kinks of {derivative!r} are not known",
                why=f"its run is not followed: {why.reason}",
                cure="leave report_kinks out for this function",
            ) from None
        frame.f_trace_lines = False
        return self.left

    def left(self, frame: FrameType, event: str, given: Any) -> Any:
        """The call is over."""
        if event == "return":
            self.inside = False
        return self.left

    def follow(self, derivative: Derivative, args: Any, keywords: Any) -> None:
        """One run of the function, each operation of which is seen."""
        bound = derivative.target.bind(args, keywords)
        given = bound.positional, dict(bound.keywords), dict[str, Any]()
        with watching(self), np.errstate(all="ignore"):
            Run(derivative.function, derivative.wrt, *given, Trace())

    def seen(
        self, function: Callable[..., Any], values: Any, keywords: Any, operation: Any, active: Any
    ) -> None:
        """Whether an operation switches when one of its operands moves."""
        places = active or [k for k, own in enumerate(values) if [*leaves(own)]]
        if all(np.size(own) == 0 for k in places for own in leaves(values[k])):
            return

        def made(k: int, step: float, signs: Any) -> list[Any]:
            """What comes of it when one operand has moved: its value, and its slopes."""
            moved = [*values]
            moved[k] = map_leaves(lambda own: _moved(own, step, signs), values[k])
            if operation is None:
                return [_numbers(function(*moved, **keywords))]
            with contextlib.suppress(Missing):
                value, pullback = operation.pulled(tuple(active), tuple(moved))
                slopes = pullback(map_leaves(_weights, value))
                return [_numbers(value), *map(_numbers, slopes)]
            return [_numbers(function(*moved))]

        moves = [sign * size * self.tolerance for size in (1.0, _LESS) for sign in (1, -1)]
        switched: list[Any] = []
        for k in places:
            size = max(1.0, *(float(np.max(np.abs(own))) for own in leaves(values[k])))
            for signs in _patterns(values[k], operation is not None and operation.elementwise):
                try:
                    value, *slopes = zip(*(made(k, step, signs) for step in moves))
                except Exception:  # what is moved is out of the operation's domain
                    continue
                least = max(np.max(np.abs(own), initial=0.0) for own in value) / size
                switched += [_switching(0.0, *value), *(_switching(least, *own) for own in slopes)]
        if any(own.any() for own in switched):
            self.add(_name(function, operation), values, switched)

    def add(self, name: str, values: Any, switched: list[Any]) -> None:
        """One more kink; the same statement is listed once."""
        frame: FrameType | None = sys._getframe()
        while frame is not None and frame.f_code not in OWN:
            frame = frame.f_back
        if frame is None:
            return
        first = next(own for own in switched if own.any())
        at = int(np.argmax(first))
        read = tuple(
            own.flat[at] if np.size(own) == first.size else own.flat[0]
            for own in map(np.asarray, values)
            if own.dtype.kind in "fciub" and (own.size == first.size or own.size == 1)
        )
        count = max(int(own.sum()) for own in switched)
        key = frame.f_code.co_filename, frame.f_lineno, name
        if key in self.at:
            known = self.kinks[self.at[key]]
            self.kinks[self.at[key]] = Kink(
                *key[:2], known.text, name, known.values, known.count + count
            )
            return
        self.at[key] = len(self.kinks)
        text = linecache.getline(*key[:2]).strip()
        self.kinks.append(Kink(*key[:2], text, name, tuple(own.item() for own in read), count))


def _arguments(code: CodeType, held: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call of a derivative, from the variables of its frame."""
    if code.co_name == "along":
        return held["args"], dict(held["keywords"])
    names = code.co_varnames[1 : code.co_argcount]
    args = [held[own] for own in names if held[own] is not _ABSENT]
    others = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :]
    return (*args, *held[others[0]]), dict(held[others[1]])


def _name(function: Any, operation: Any) -> str:
    """What an operation is called."""
    called = function if operation is None else operation.function.__globals__["f"]
    return called if isinstance(called, str) else getattr(called, "__name__", repr(called))


def _moved(x: Any, step: float, signs: Any) -> Any:
    return x + step * signs * np.maximum(np.abs(x), 1.0)


def _patterns(x: Any, elementwise: bool) -> Iterator[Any]:
    """How elements move: all the same way; else any two of them once apart as well."""
    yield 1.0
    if not elementwise and isinstance(x, np.ndarray) and x.size > 1:
        places = np.arange(x.size).reshape(x.shape)
        for bit in range(int(x.size - 1).bit_length()):
            yield 1.0 - 2.0 * (places >> bit & 1)


def _weights(x: Any) -> Any:
    """Seeds that no two elements share."""
    found = 1.0 + np.arange(np.size(x)).reshape(np.shape(x)) * 0.6180339887 % 1.0
    return found.astype(x.dtype) if isinstance(x, np.ndarray) else type(x)(found)


def _numbers(x: Any) -> Any:
    """All numbers in a value, in a row; what has none does not change."""
    if isinstance(x, (tuple, list)):
        return np.concatenate([np.zeros(0), *map(_numbers, x)])
    x = np.ravel(np.asarray(x))
    return x * 1.0 if x.dtype.kind in "fciub" else np.zeros(0)


def _switching(least: float, up: Any, down: Any, near: Any, below: Any) -> Any:
    """Which numbers do not change as smooth ones do."""
    if not up.shape == down.shape == near.shape == below.shape:
        return np.ones(1, bool)
    far, close = np.abs(up - down), np.abs(near - below)
    slight = far <= _SLIGHT * (np.abs(up) + np.abs(down) + least)
    return ~slight & (far < _SMOOTH * close)
