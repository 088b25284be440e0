"""Where a NaN, or an infinity, comes from: generated functions run line by line under a trace.

The text stays as it is, and nothing is done where no `debug_nans()` is around.
"""

from __future__ import annotations

import contextlib
import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError, NonFiniteError, Place
from autodiff.inspection.watched_lines import Line, lines_of, rank, value_at
from autodiff.loader import at_the_users, origin_in
from autodiff.pipeline.compiled import Compiled
from autodiff.rules import registry
from autodiff.syntax.origin import Origin
from autodiff.syntax.sections import REVERSE
from autodiff.tracing.hooked.with_hooks import OWN
from autodiff.tracing.number import Number, layer
from autodiff.tracing.trace import Trace, Watch, watching

_GENERATED, _OPERATION = "<autodiff ", "<autodiff operation"
_REVERSE = f"# {REVERSE}"
_WIDTH = 100


@contextlib.contextmanager
def looking(infinities: bool = True) -> Iterator[None]:
    """While the statements of derivatives are looked at, in this thread."""
    watch = _Watch(infinities)
    before = sys.gettrace()
    with watching(watch), np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        sys.settrace(watch.entered)
        try:
            yield
        finally:
            sys.settrace(before)
    if watch.error is not None and watch.is_kept():
        raise watch.error


def debugged(compiled: Compiled) -> Compiled:
    """A derivative each call of which is looked at, and each of its pullback."""
    if compiled.native is not None:
        raise AutodiffError(
            "debug_nans looks at the statements of Python",
            why='backend="numba" makes machine code',
            cure="take the derivative without a backend",
        )

    def looked_at(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **keywords: Any) -> Any:
            with looking():
                found = function(*args, **keywords)
            if type(found) is tuple:
                return tuple(looked_at(own) if callable(own) else own for own in found)
            return found

        return call

    run: Any = looked_at(compiled.function)
    return replace(compiled, function=run, generated=compiled.generated or (compiled.function,))


class _Watch(Watch):
    """Follows the lines of generated functions, and of the user's where a run is followed."""

    def __init__(self, infinities: bool) -> None:
        self.infinities = infinities
        self.error: NonFiniteError | None = None
        self.inside: list[FrameType] = []

    def is_kept(self) -> bool:
        """Whether a handler inside of the derivative took the error, so that nobody was told."""
        traceback = None if self.error is None else self.error.__traceback__
        inside, self.inside = self.inside, []
        return traceback is not None and traceback.tb_frame in inside

    def entered(self, frame: FrameType, event: str, given: Any) -> Any:
        """What a frame is traced by."""
        file = frame.f_code.co_filename
        own = file.startswith(_GENERATED) and not file.startswith(_OPERATION)
        if self.error is not None or not (own or frame.f_code in OWN):
            return None
        return _Frame(self, frame).stepped

    def worse(self, before: int, after: int) -> bool:
        """Whether a statement made what was not there."""
        return after > before and (after == 2 or self.infinities)

    def taken(
        self, trace: Trace, operation: Any, places: Any, values: Any, outs: Any, back: Any
    ) -> Callable[[], None]:
        """The step of a reverse sweep of a run that is followed, looked at."""
        frame: FrameType | None = sys._getframe()
        while frame is not None and frame.f_code not in OWN:
            frame = frame.f_back
        place = None if frame is None else _place(frame, frame.f_lineno)

        def step() -> None:
            asked = [layer(trace, "bar", own) for own in (*outs, *places) if own is not None]
            before = rank(asked)
            back()
            after = rank([layer(trace, "bar", own) for own in places])
            if self.worse(before, after):
                text = operation.text.rpartition("return ")[2].strip()
                called = operation.function.__globals__["f"]
                if callable(called):
                    text = text.replace("f(", f"{called.__name__}(", 1)
                read = {f"a{k}": own for k, own in enumerate(values)}
                self.found("reverse", text, place, after, read, None)

        return step

    def found(
        self,
        sweep: str,
        text: str,
        place: Place | None,
        after: int,
        values: dict[str, Any],
        made: Any,
    ) -> None:
        """Raises the error. made: what the statement gave."""
        what = {"forward": "value", "reverse": "adjoint", "tangent": "tangent"}[sweep]
        became, given = ("NaN", "numbers") if after == 2 else ("infinite", "finite values")
        where = "" if sweep == "tangent" else f" in the {sweep} sweep"
        at = _first(made, after)
        shown = [f"  {_shown(name, own, made, at)}" for name, own in values.items()]
        self.error = NonFiniteError(
            f"the {what} becomes {became}{where}, made from {given}",
            place,
            why="\n".join([f"by the statement {text}", *shown]),
        )
        self.error.sweep, self.error.values = sweep, values
        self.inside = _inside(sys._getframe())
        raise self.error


def _inside(frame: FrameType | None) -> list[FrameType]:
    """The frames up to the outermost that is of a derivative."""
    frames: list[FrameType] = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    while frames and not _is_derivatives(frames[-1]):
        frames.pop()
    return frames


def _is_derivatives(frame: FrameType) -> bool:
    return frame.f_code in OWN or frame.f_code.co_filename.startswith(_GENERATED)


class _Frame:
    """One call of a function: which statement is being run, and what it was given."""

    def __init__(self, watch: _Watch, frame: FrameType) -> None:
        self.watch = watch
        self.lines = lines_of(frame.f_code.co_filename)
        self.line: Line | None = None
        self.before = 0
        self.values: dict[str, Any] = {}

    def stepped(self, frame: FrameType, event: str, given: Any) -> Any:
        """A line is about to run, or the function to return."""
        if self.watch.error is not None:
            return None
        if event == "return":
            self.finish(frame, given)
        elif event == "line":
            line = self.lines.get(frame.f_lineno)
            if line is not self.line or frame.f_lineno == getattr(line, "start", 0):
                self.finish(frame, None)
                self.begin(frame, line)
        return self.stepped

    def begin(self, frame: FrameType, line: Line | None) -> None:
        """What a statement is given."""
        self.line = line
        if line is None:
            return
        space = {**frame.f_globals, **frame.f_locals}
        found = {text: value_at(code, space) for text, code in line.reads.items()}
        self.before = rank(tuple(found.values()), unknown=2)
        if line.calls is not None:
            called = value_at(line.calls, space)
            if called is float or registry.is_nondifferentiable(called):
                self.before = 2  # fresh memory, or what is written down
        self.values = {text: own for text, own in found.items() if _is_data(own)}
        for text, own in self.values.items():
            if isinstance(own, np.ndarray) and text in line.writes:
                self.values[text] = own.copy()

    def finish(self, frame: FrameType, returned: Any) -> None:
        """What it made."""
        line, self.line = self.line, None
        if line is None:
            return
        space = {**frame.f_globals, **frame.f_locals}
        made = [value_at(code, space) for code in line.writes.values()]
        made = [own for own in made if _is_data(own)] + [returned] * line.returns
        after = rank(made)
        if self.watch.worse(self.before, after):
            worst = next(own for own in made if rank(own) == after)
            place, sweep = _place(frame, line.start), _sweep(frame, line)
            self.watch.found(sweep, line.text, place, after, self.values, worst)


def _is_data(x: Any) -> bool:
    """Whether what a name means is a value to show."""
    return x is not None and not callable(x) and not isinstance(x, type(sys))


def _sweep(frame: FrameType, line: Line) -> str:
    """Which sweep a line of a generated text belongs to."""
    before = linecache.getlines(frame.f_code.co_filename)[: line.start]
    if any(text.strip() == _REVERSE for text in before):
        return "reverse"
    return (
        "tangent"
        if any(own.partition("[")[0].endswith("_dot") for own in line.writes)
        else "forward"
    )


def _place(frame: FrameType, line: int) -> Place | None:
    """The user's statement of a line that is run."""
    file = frame.f_code.co_filename
    if file.startswith(_GENERATED):
        return at_the_users(origin_in(file, line))
    text = linecache.getline(file, line)
    start = len(text) - len(text.lstrip())
    return Origin(file, line, start, line, len(text.rstrip()), text.strip())


def _first(made: Any, after: int) -> Any:
    """Where the first element stands that is not finite."""
    if not isinstance(made, np.ndarray) or made.ndim == 0:
        return None
    places = np.argwhere(np.isnan(made) if after == 2 else np.isinf(made))
    return tuple(int(k) for k in places[0]) if len(places) else None


def _shown(name: str, x: Any, made: Any, at: Any) -> str:
    """A value in one line: of an array of the same shape as what was made, the element there."""
    x = x.value if isinstance(x, Number) else x
    if at is not None and isinstance(x, np.ndarray) and x.shape == made.shape:
        return f"{name}[{', '.join(map(str, at))}] = {x[at]}"
    text = " ".join((repr if not isinstance(x, np.generic) else str)(x).split())
    return f"{name} = {text if len(text) <= _WIDTH else f'{text[: _WIDTH - 3]}...'}"
