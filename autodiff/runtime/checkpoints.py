"""Long loops whose reverse sweep computes states again instead of keeping them all."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar, overload

import numpy as np

from autodiff.runtime.copying import copied, duplicates
from autodiff.runtime.fitting import fitted
from autodiff.runtime.keywords import spelled
from autodiff.runtime.structure import accumulate, zeros_like

T = TypeVar("T")
State = tuple[Any, ...]


@overload
def checkpointed(iterable: range, *, snapshots: int) -> range: ...
@overload
def checkpointed(iterable: None = None, *, snapshots: int) -> AbstractContextManager[None]: ...
@spelled
def checkpointed(iterable: Any = None, *, snapshots: int) -> Any:
    """The range, for a loop whose reverse sweep keeps `snapshots` states and computes the others.

        for t in checkpointed(range(n), snapshots=100):
            u = step(u)

    With s snapshots, n steps are run r times more than the primal runs them, where n is at most
    (s + r)! / (s! r!), by the binomial schedule of `checkpoint_schedules` (pip install
    "source-autodiff[checkpointing]"). The state is what the loop changes and what is read of that
    later. For `while` loops: `with checkpointed(snapshots=100):` around the loop; its steps are
    counted first. Without differentiation, and in forward mode, this is the plain loop.

    What the loop runs must give the same when it is run again: no random numbers, no output.
    """
    return nullcontext() if iterable is None else iterable


def checkpointed_steps(
    step: Callable[..., State],
    step_vjp: Callable[..., Any],
    counts: Sequence[int] | Callable[..., bool],
    snapshots: int,
    state: State,
    constants: State,
    active: Sequence[int],
) -> tuple[State, Callable[[State], State]]:
    """The state after `state = step(t, *state, *constants)` for each t in `counts`, and a pullback.

    counts: a range, or the test of a `while` loop, a function of state and constants.
    active: the arguments, counted through state and constants, that `step_vjp` gives adjoints of.

    The pullback takes the adjoint of the last state and returns one adjoint for each active
    argument, those of the first state and of the constants.
    """
    if callable(counts):
        counts = _counted(step, counts, duplicates(*state), constants)
    loop = Loop(step, step_vjp, counts, snapshots, constants, active)
    return loop.forward(duplicates(*state)), loop.reverse


def _counted(
    step: Callable[..., State], test: Callable[..., bool], state: State, constants: State
) -> range:
    count = 0
    while test(*state, *constants):
        state = step(count, *state, *constants)
        count += 1
    return range(count)


class Loop:
    """One run of a loop: its snapshots, and where in the schedule it is."""

    def __init__(
        self,
        step: Callable[..., State],
        step_vjp: Callable[..., Any],
        counts: Sequence[int],
        snapshots: int,
        constants: State,
        active: Sequence[int],
    ) -> None:
        self.step = step
        self.step_vjp = step_vjp
        self.counts = counts
        self.snapshots = checked(snapshots)
        self.constants = constants
        self.active = active
        self.actions: Iterator[Any] | None = None
        self.kept: dict[int, State] = {}
        self.first: State = ()
        self.last: State = ()
        self.value: State = ()
        self.pullback: Callable[[State], State] | None = None

    def forward(self, state: State) -> State:
        """Run all steps, and keep the states that the schedule says."""
        if not len(self.counts):
            self.last = state
            return state
        self.actions = schedule(len(self.counts), self.snapshots)
        for action in self.actions:
            if type(action).__name__ == "EndForward":
                break
            state = self.advance(action, state)
        self.last = state
        return duplicates(*state)  # type: ignore[no-any-return]

    def advance(self, action: Any, state: State) -> State:
        """Run some steps from a state, or one step together with its pullback."""
        step, counts, constants = self.step, self.counts, self.constants
        if action.write_ics:
            self.kept[action.n0] = duplicates(*state)
            if action.n0 == 0:
                self.first = self.kept[0]
        if action.write_adj_deps:
            (at,) = range(action.n0, action.n1)
            value: State
            value, self.pullback = self.step_vjp(counts[at], *state, *constants)
            self.value = value
            return value
        for at in range(action.n0, action.n1):
            state = step(counts[at], *state, *constants)
        return state

    def reverse(self, bars: State) -> State:
        """The adjoints of the active arguments, for that of the last state."""
        width = len(bars)
        bars = tuple(_fit(bar, own) for bar, own in zip(duplicates(*bars), self.last))
        sums = [copied(zeros_like(self.constants[k - width])) for k in self.active if k >= width]
        if self.actions is None and len(self.counts):  # called again
            self.forward(duplicates(*self.first))
        state: State = ()
        for action in self.actions or ():
            name = type(action).__name__
            if name == "Forward":
                state = self.advance(action, state)
            elif name == "Reverse":
                bars = self.reversed_step(bars, sums)
            elif name in ("Copy", "Move"):
                kept = self.kept[action.n]
                if name == "Move":
                    del self.kept[action.n]
                again = name == "Copy" or kept is self.first  # the pullback may be called again
                state = duplicates(*kept) if again else kept
            elif name == "EndReverse":
                break
        self.actions = None
        return (*(bars[k] for k in self.active if k < width), *sums)

    def reversed_step(self, bars: State, sums: list[Any]) -> State:
        """The adjoint of the state before a step; what the constants receive is added up."""
        assert self.pullback is not None
        found = self.pullback(tuple(_fit(bar, own) for bar, own in zip(bars, self.value)))
        self.pullback, self.value = None, ()
        new = list(bars)
        place = 0
        for k, bar in zip(self.active, found):
            if k < len(bars):
                new[k] = bar
            else:
                total = sums[place]
                if isinstance(total, np.ndarray) and total.ndim:
                    total += bar
                else:
                    sums[place] = accumulate(total, bar)
                place += 1
        return tuple(new)


def _fit(bar: Any, own: Any) -> Any:
    """An adjoint as a value has it: a number may stand for that of all elements of an array."""
    if isinstance(own, np.ndarray) and not np.ndim(bar):
        return np.full(own.shape, bar, own.dtype if own.dtype.kind in "fc" else float)
    if not isinstance(own, (np.ndarray, np.generic, float, complex)):
        return bar
    real = np.iscomplexobj(bar) and not np.iscomplexobj(own)
    return fitted(np.real(bar) if real else bar, own)


def recomputed(
    function: Callable[..., Any], function_vjp: Callable[..., Any], *arguments: Any
) -> tuple[Any, Callable[[Any], Any]]:
    """The value of a function, and a pullback that keeps the arguments alone.

    >>> def square_vjp(x):
    ...     return x * x, lambda y_bar: (2 * x * y_bar,)
    >>> y, pullback = recomputed(lambda x: x * x, square_vjp, 3.0)
    >>> y, pullback(1.0)
    (9.0, (6.0,))
    """

    def pullback(bars: Any) -> Any:
        return function_vjp(*arguments)[1](bars)

    return function(*arguments), pullback


def checked(snapshots: Any) -> int:
    """The number of states to keep, if it is one."""
    if isinstance(snapshots, bool) or not isinstance(snapshots, (int, np.integer)):
        raise TypeError(f"snapshots is the number of states to keep, not {snapshots!r}")
    if snapshots < 1:
        raise ValueError(f"at least one state must be kept, snapshots is {snapshots}")
    return int(snapshots)


def schedule(steps: int, snapshots: int) -> Iterator[Any]:
    """The actions of a binomial schedule: run forward, keep a state, reverse a step."""
    try:
        library = importlib.import_module("checkpoint_schedules")
    except ImportError:
        raise ImportError(
            "checkpointed loops need the library checkpoint_schedules: "
            'pip install "source-autodiff[checkpointing]"'
        ) from None
    # With Numba the library compiles a short function: 1.6 s and 80 MB, and each call is slower.
    module: Any = library.multistage
    module.n_advance = getattr(module.n_advance, "py_func", module.n_advance)
    found: Iterator[Any] = iter(
        library.MultistageCheckpointSchedule(steps, min(snapshots, steps), 0)
    )
    return found
