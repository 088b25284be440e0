"""Each value on the tape is explained: its lines in the text, who reads it, what overwrites it."""

import re

import numpy as np
import pytest

from autodiff import AutodiffError, grad, hvp, jacobian, value_and_grad
from autodiff.derivatives.derivative import Derivative
from autodiff.inspection.recorded import recorded
from tests.language.test_language import PROGRAMS, fresh


def running(u, k):
    for i in range(1, len(u)):
        u[i] *= k * u[i - 1]
        if u[i] > 2:
            u[i] = np.sin(u[i]) * k
    return np.sum(u)


def line(code, text):
    """The number of the line of a text that has this code."""
    (found,) = [k for k, own in enumerate(text.splitlines(), 1) if own.strip() == code]
    return found


def test_what_is_overwritten_in_place():
    derivative = grad(running)
    derivative(np.ones(4), 2.0)
    text, first = derivative.source, running.__code__.co_firstlineno
    shown = derivative.explain().splitlines()
    row = line("tape.push((u_i, condition))", text)
    start = shown.index(f"line {row}: tape.push((u_i, condition))")
    place = f"test_explain.py:{first + 2}: u[i] *= k * u[i - 1]"
    assert shown[start + 1] == f"  u_i (float), of {place}"
    code = "u_bar[i - 1] += u_i_times_product_bar * u_i * k"
    assert shown[start + 2] == f"    read by line {line(code, text)}: {code}"
    assert shown[start + 3] == f"    overwritten by {place}"
    assert f"  condition (bool), of test_explain.py:{first + 3}: if u[i] > 2:" in shown
    own = f"each iteration has its own, test_explain.py:{first + 1}: for i in"
    assert any(own in each for each in shown)


def test_what_a_loop_gives_a_new_value():
    def powers(x, n):
        t = x
        for _ in range(n):
            t = np.sin(t) * x
        return t

    derivative = value_and_grad(powers)
    derivative(0.5, 3)
    shown = derivative.explain()
    assert shown.startswith(f"line {line('tape.push(t)', derivative.source)}: tape.push(t)")
    assert re.search(r"overwritten by test_explain.py:\d+: t = np.sin\(t\) \* x", shown)


def test_nothing_is_said_where_nothing_is_pushed():
    derivative = grad(lambda x: np.sum(x * x))
    derivative(np.ones(3))
    assert derivative.explain() == ""


def test_other_derivatives_and_runs_that_are_followed():
    derivative = jacobian(lambda x: x * running(x.copy(), 2.0))
    derivative(np.ones(3))
    assert "overwritten by" in derivative.explain()
    second = hvp(running)
    second(np.ones(3), 2.0, np.ones(3))
    assert second.explain() == "" or "read by" in second.explain()


@pytest.mark.followed
def test_a_run_that_is_followed_has_no_text():
    def kept(x, seen=set()):
        seen.add(float(x))
        return x * sum(seen)

    derivative = grad(kept)
    derivative(2.0)
    if "Each run is followed" in derivative.source:
        with pytest.raises(AutodiffError, match="cannot explain"):
            derivative.explain()


PUSHING = [entry for entry in PROGRAMS if not entry.refusable][::12]


@pytest.mark.parametrize("entry", PUSHING, ids=lambda entry: entry.name)
def test_each_value_on_a_tape_has_a_reader(entry):
    """And the line that pushes it is that line of the text."""
    derivative = Derivative(entry.function, "vjp", entry.wrt_at(entry.points[0]))
    args, keywords = fresh(entry.points[0])
    derivative(*args, **keywords)
    stage = derivative._latest().stages.written()
    lines = stage.emitted.text.splitlines()
    assert derivative.source.endswith(stage.emitted.text)
    code = [own.partition("#")[0] for own in lines]
    pushes = {k for k, own in enumerate(code, 1) if ".push(" in own}
    found = recorded(stage)
    assert {entry.row for entry in found} == pushes
    for own in found:
        assert own.readers, own
        for row, shown in own.readers:
            assert re.search(rf"\b{own.name}\b", shown)
            assert lines[row - 1].strip().startswith(shown.split()[0])
        assert own.writers or own.around is not None, own
