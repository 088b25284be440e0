"""Checkpointed loops that Numba compiles: all steps, and the adjoints of all steps.

The schedule is the library's, which Numba does not know: its actions come as rows of numbers, those
of the reverse sweep some thousand at a time, from Python.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from threading import get_ident
from typing import Any

import numba
import numpy as np

from autodiff.native.helpers import added, duplicated
from autodiff.native.made import no_adjoints, picked
from autodiff.runtime.checkpoints import checked, schedule

KEEP, ADVANCE, HOLD, REVERSE, COPY, MOVE, END = range(7)
"""What a row says: keep the state of a step; run steps from one to another; the step that is
reversed next begins with this state; reverse a step; go back to a kept state, for the last time."""

_ROWS = 4096
_OPEN: dict[int, list[Iterator[tuple[int, int, int]]]] = {}
"""By thread: the rows that its loops still want, those of a loop inside of another one last."""


def forward(steps: int, snapshots: int) -> np.ndarray[Any, Any]:
    """The rows of the forward sweep, shape (k, 3), int64; 0 <= steps, 1 <= snapshots."""
    rows = itertools.takewhile(lambda row: row[0] != END, _rows(steps, checked(snapshots)))
    return np.array([*rows], np.int64).reshape(-1, 3)


def opened(steps: int, snapshots: int) -> int:
    """A number for the rows of the reverse sweep, of which `reverse` gives some at a time."""
    rows = _rows(steps, snapshots)
    for _ in itertools.takewhile(lambda row: row[0] != END, rows):
        pass
    own = _OPEN.setdefault(get_ident(), [])
    own.append(rows)
    return len(own) - 1


def reverse(number: int) -> np.ndarray[Any, Any]:
    """The next rows, shape (k, 3), int64; none at the end."""
    thread = get_ident()
    rows = [*itertools.islice(_OPEN[thread][number], _ROWS)]
    if not rows:
        del _OPEN[thread][number:]
        if not number:
            del _OPEN[thread]
    return np.array(rows, np.int64).reshape(-1, 3)


def closed() -> None:
    """Forget the loops of this thread: an error has left them, which compiled code cannot see."""
    _OPEN.pop(get_ident(), None)


def _rows(steps: int, snapshots: int) -> Iterator[tuple[int, int, int]]:
    for action in schedule(steps, snapshots) if steps else ():
        name = type(action).__name__
        if name == "Forward":
            if action.write_ics:
                yield KEEP, action.n0, 0
            yield (HOLD if action.write_adj_deps else ADVANCE), action.n0, action.n1
        elif name == "Reverse":
            yield REVERSE, action.n0, action.n1
        elif name in ("Copy", "Move"):
            yield (COPY if name == "Copy" else MOVE), action.n, 0
        elif name == "EndForward":
            yield END, 0, 0
        else:
            return


def stepping(
    step: Any, step_adjoints: Any, count: int, places: tuple[int, ...], goes_on: Any = None
) -> tuple[Any, Any]:
    """Two compiled functions for a loop of compiled steps: one runs them, one reverses them.

        run(counts, snapshots, state, constants) -> state, kept
        reverse(kept, bars) -> bars

    The first gives the state after `state = step(t, *state, *constants)` for each t in the range
    `counts`; without `counts`, for as long as `goes_on(*state, *constants)`. The second takes the
    adjoints of `count` parts of the last state, and gives those of the first, and of the constants
    at `places`, as does

        step_adjoints(t, *state, *constants, bars)

    A step may change the arrays of the state that it is given, and the seeds.
    """

    own = picked((*range(count),))
    rest = picked((*range(count, count + len(places)),))
    first_sums = no_adjoints(places)

    @numba.njit
    def run_range(counts: Any, snapshots: Any, state: Any, constants: Any) -> Any:
        state, count = duplicated(state), len(counts)
        before = state
        kept, places = [state], [0]
        kept.pop()
        places.pop()
        with numba.objmode(rows="int64[:, ::1]"):
            rows = forward(count, snapshots)
        for row in range(len(rows)):
            what, first, last = rows[row]
            if what == KEEP:
                kept.append(duplicated(state))
                places.append(first)
            else:
                if what == HOLD:
                    before = duplicated(state)
                for n in range(first, last):
                    state = step(counts.start + n * counts.step, *state, *constants)
        return duplicated(state), (counts, snapshots, constants, kept, places, before)

    @numba.njit
    def run_while(snapshots: Any, state: Any, constants: Any) -> Any:
        count, last = 0, duplicated(state)
        while goes_on(*last, *constants):
            last = step(count, *last, *constants)
            count += 1
        return run_range(range(0, count, 1), snapshots, state, constants)

    @numba.njit
    def reverse_steps(kept: Any, bars: Any) -> Any:
        counts, snapshots, constants, states, places, state = kept
        count, bars = len(counts), duplicated(bars)
        sums = first_sums(constants)
        with numba.objmode(number="int64"):
            number = opened(count, snapshots)
        on = True
        while on:
            with numba.objmode(rows="int64[:, ::1]"):
                rows = reverse(number)
            on = len(rows) > 0
            for row in range(len(rows)):
                what, first, last = rows[row]
                if what == KEEP:
                    states.append(duplicated(state))
                    places.append(first)
                elif what == ADVANCE:
                    for n in range(first, last):
                        state = step(counts.start + n * counts.step, *state, *constants)
                elif what == REVERSE:
                    t = counts.start + first * counts.step
                    found = step_adjoints(t, *state, *constants, bars)
                    bars, sums = own(found), added(sums, rest(found))
                elif what != HOLD:  # a stack: `pop(k)` of Numba 0.68 corrupts lists of tuples
                    assert places[-1] == first
                    state = states[-1]
                    if what == MOVE:
                        states.pop()
                        places.pop()
                    else:
                        state = duplicated(state)
        return bars + sums

    run = run_range if goes_on is None else run_while
    return run, reverse_steps
