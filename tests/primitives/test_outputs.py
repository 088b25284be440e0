"""A call that writes to what it is given is never taken for one that does not."""

from __future__ import annotations

import warnings
from typing import Any

import gast
import numpy as np
import pytest

from autodiff.primitives.table import primitive_of
from autodiff.rules import registry
from autodiff.rules.home import public_name
from tests.core.judge import Verdict, judge
from tests.primitives.test_table import CALLABLES, samples
from tests.primitives.variants import in_form

NAME, NONE = gast.Name("x", gast.Load(), None, None), gast.Constant(None, None)
TAKING = [function for function in CALLABLES if not registry.is_demanding(function)]


def written(function: Any, count: int, nones: int, names: tuple[str, ...] = ()) -> bool:
    """Whether a call is said to write: so many operands, so many times None, one operand more."""
    arguments = [NAME] * count + [NONE] * nones + ([] if names else [NAME])
    return primitive_of(function).effects.written(arguments, [(name, NAME) for name in names])


@pytest.mark.parametrize("function", TAKING, ids=public_name)
def test_outputs_are_found(function: Any) -> None:
    """Wherever an array is given that is another afterwards, the table says that it is written."""
    for sample in samples(function)[:4]:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                result = np.asarray(function(*sample.args, **sample.kwargs))
            except Exception:
                continue
            for nones in range(4):
                if not sample.kwargs and changes(function, sample.args, [None] * nones, result):
                    assert written(function, len(sample.args), nones)
            if "out" not in sample.kwargs and changes(function, sample.args, [], result, "out"):
                assert written(function, len(sample.args), 0, ("out",))


def changes(function: Any, args: Any, between: list[None], like: Any, name: str = "") -> bool:
    """Whether a call with one array more changes that."""
    buffer = np.full(like.shape, 77, like.dtype)
    before = buffer.tobytes()
    args = in_form("plain", list(args))
    try:
        if name:
            function(*args, **{name: buffer})
        else:
            function(*args, *between, buffer)
    except Exception:
        return False
    return buffer.tobytes() != before


def test_some_are_found() -> None:
    """The search above finds outputs at all."""
    assert changes(np.add, (np.ones(2), np.ones(2)), [], np.ones(2))
    assert changes(np.cumsum, (np.ones(2),), [None] * 2, np.ones(2))
    assert written(np.add, 2, 0)
    assert not written(np.add, 1, 0)
    assert not primitive_of(np.add).effects.written([NAME, NAME, NONE], [])


def test_starred_arguments_may_be_anything() -> None:
    """What is spread out may reach `out`."""
    starred = gast.Starred(NAME, gast.Load())
    assert primitive_of(np.cumsum).effects.written([NAME, starred], [])
    assert primitive_of(np.sum).effects.written([NAME], [(None, NAME)])


def by_position(x, buffer):
    return np.sum(x.clip(0.0, 1.5, buffer))


def by_position_of_method(x, buffer):
    np.cumsum(x, 0, None, buffer)
    return np.sum(buffer)


def of_ufunc(x, buffer):
    np.add(x, x, buffer)
    return np.sum(buffer)


def of_inactive(x, buffer):
    np.floor(x, buffer)
    return np.sum(buffer * x)


def of_flag(x, buffer):
    np.nan_to_num(buffer, False)
    return np.sum(buffer * x)


def overwriting(x, buffer):
    return np.median(buffer, None, None, True) * np.sum(x)


def in_a_test(x, buffer):
    y = 1.0 if np.add(x, x, buffer)[0] > 0.0 else 2.0
    return y * np.sum(buffer)


BUFFERS = [
    by_position,
    by_position_of_method,
    of_ufunc,
    of_inactive,
    of_flag,
    in_a_test,
    overwriting,
]


@pytest.mark.parametrize("function", BUFFERS)
def test_a_buffer_is_what_was_written_there(function: Any) -> None:
    """Each of these would be a wrong number if the buffer were thought to be as it was."""
    x = np.array([0.5, 0.3, -0.6])
    assert judge(function, [(x, x + 1.0)], ("x", "buffer")) == Verdict("right")
