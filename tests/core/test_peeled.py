"""Variables that change their form in a loop, through Core: the first iteration stands apart
(`lower/flow/peeled.py`), or it is found out when it runs whether there is a number or an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from autodiff.pipeline import assembly
from tests.core.differences import check, differences
from tests.core.judge import MODES, judge

V = np.array([0.5, -0.3, 1.2, 0.7, 0.4])


def previous_element(x, n):
    previous, s = None, 0.0
    for i in range(n):
        if previous is not None:
            s = s + np.sin(x[i]) * previous
        previous = x[i] * x[i]
    return s + x[0]


def previous_row_is_changed(x, n):
    rows = np.outer(x, x)
    previous, s = None, 0.0
    for i in range(n):
        row = rows[i]
        if previous is not None:
            previous[1] = row[0] * 2.0
            s = s + np.sum(previous * row)
        row *= x[i]
        previous = row
    return s + np.sum(rows * rows)


def changed_while_it_goes(x, n):
    last = None
    for i in range(n):
        n = 2
        if last is not None:
            last = last * x[i]
        else:
            last = x
    return np.sum(last * x) if n == 2 else x[0]


def backwards(x, n):
    after, s = None, 1.0
    for i in reversed(range(1, n)):
        if after is not None:
            s = s * np.cos(after - x[i])
        after = x[i] * s
    return s


def by_steps(x, n):
    before, s = None, 1.0
    for i in range(n - 1, -1, -2):
        if before is not None:
            s = s * np.cos(before - x[i])
        before = x[i] * s
    return s


def left_by_break(x, n):
    last, s = None, 0.0
    for i in range(n):
        if last is not None:
            s = s + last * x[i]
        last = np.exp(x[i])
        if last > 2.5:
            break
    return s + x[0] ** 2


def left_at_once(x, n):
    last, s = None, 0.0
    for i in range(n):
        if last is not None:
            s = s + last * x[i]
        last = np.exp(x[i])
        if last > 1.0:
            break
    return s + x[0] ** 2


def as_long_as(x, n):
    last, s, i = None, x[0], 0
    while i < n and s < 3.0:
        if last is not None:
            s = s + last * x[i] ** 2
        last = np.exp(x[i])
        i += 1
    return s


def one_loop_in_another(x, n):
    outer, s = None, 0.0
    for i in range(n):
        inner = None
        for j in range(i, n):
            if inner is not None:
                s = s + inner * x[j]
            inner = x[j] * (x[i] if outer is None else outer)
        outer = s * 0.5
    return s + x[1]


def both_of_two_before(x, n):
    one, two, s = None, None, 0.0
    for i in range(n):
        if one is not None and two is not None:
            s = s + one * two * x[i]
        two, one = one, np.sin(x[i])
    return s + x[0] * x[0]


def tuple_then_longer(x, n):
    pair, s = (), 0.0
    for i in range(n):
        if len(pair) == 2:
            s = s + pair[0] * pair[1]
        pair = (x[i], x[i] * s)
    return s + x[0]


def number_then_array(x, n):
    s = 0.0
    for i in range(n):
        s = s + x * (i + 1.0)
    return np.sum(s * s) + x[0]


def number_then_array_in_place(x, n):
    s, t = 0.0, 0.0
    for i in range(n):
        s += x * (i + 1.0)
        if i == 0:
            t = s
    return np.sum(t * s) + x[0]


def number_or_array_by_path(x, n):
    y = x * x if n > 2 else x[1]
    z = np.exp(y) * x[0]
    return np.sum(z) + np.sum(y)


def number_or_array_gated(x, n):
    y = np.sqrt(np.abs(x - x[0])) if n > 2 else x[1]
    z = np.where(y > 0.0, y, 0.0)
    return np.sum(z * z) + x[0]


def vector_or_matrix_by_path(x, n):
    y = np.outer(x, x) if n > 2 else x
    z = np.sin(y)
    return np.sum(z[1] * z[2]) + np.sum(y)


def text_carried(x, n):
    mode, s = "first", 0.0
    for i in range(n):
        s = s * x[i] if mode == "times" else s + x[i]
        mode = "times" if mode == "plus" else "plus"
    return s + x[0]


def list_that_grows_in_the_first(x, n):
    items, last, s = [x[0]], None, 0.0
    for v in items:
        if last is None:
            items.append(x[1] * v)
        else:
            s = s + last * v
        last = v * x[2]
    return s + last


def list_that_became_memory(x, n):
    best, path = None, []
    for i in range(n):
        c = np.sin(x[i]) * x[0]
        if best is None or c > best:
            best = c
            path.append(c)
    return sum(path) + x[0]


def none_again(x, n):
    best, s = x[0], 0.0
    for i in range(n):
        if best is not None:
            s = s + best * x[i]
        best = None
    return s + x[1]


def of_numbers_and_none(x, n):
    state, s = (None, x[0]), 1.0
    for i in range(n):
        a, b = state
        s = s * np.cos(b) if a is None else s * a * b
        state = (a, b * x[i])
    return s


FUNCTIONS = [
    previous_element,
    previous_row_is_changed,
    backwards,
    by_steps,
    left_by_break,
    left_at_once,
    as_long_as,
    one_loop_in_another,
    both_of_two_before,
    tuple_then_longer,
    number_then_array,
    number_then_array_in_place,
    number_or_array_by_path,
    number_or_array_gated,
    vector_or_matrix_by_path,
    text_carried,
    list_that_became_memory,
    none_again,
    of_numbers_and_none,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
def test_derivative(function: Any, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with np.errstate(divide="ignore", invalid="ignore"):
        check(monkeypatch, function, V, n)


@pytest.mark.parametrize(
    "function", [changed_while_it_goes, list_that_grows_in_the_first], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_right_by_any_way(function: Any, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    found = grad(function)(V, n)
    np.testing.assert_allclose(found, differences(function, (V, n)), rtol=2e-5, atol=2e-5)


def counted_items_of_other_forms(x):
    rows = [[1.0], [2.0]]
    kept = [row for _, row in enumerate(rows)]
    rows[0][0] = x * x
    return np.sum(kept[0][0] * x[1]) + kept[1][0]


def turned_in_a_loop(x):
    t = 0.0
    for j in range(3):
        rows = [[1.0], [x[j]]]
        for r in reversed(rows):
            r[0] = r[0] * x
        rows[0][0] = np.sum(rows[0][0])
        t = t + rows[0][0] * np.sum(rows[1][0])
    return t


def beside_other_lists(x):
    rows = [[1.0], [2.0]]
    flat = []
    for v in x:
        flat.append(v * v)
    back = [r for r in reversed(rows)]
    rows[0][0] = x * flat[1]
    for k in range(3):
        flat[k] = flat[k] * x[k]
    return np.sum(back[1][0]) * sum(flat)


@pytest.mark.parametrize(
    "function",
    [counted_items_of_other_forms, turned_in_a_loop, beside_other_lists],
    ids=lambda f: f.__name__,
)
def test_items_of_several_forms_stay_parts(monkeypatch, function):
    check(monkeypatch, function, np.array([0.5, 0.8, 1.3]))


def as_vector(x):
    if isinstance(x, (int, float)):
        x = [x]
    dtype = None if any([isinstance(each, str) for each in x]) else np.float64
    return np.array(x, dtype=dtype)


def made_of_one(x):
    """What a list is made of is known where the loop that fills it is known to run once."""
    held = [np.array([np.cos(t), np.sin(t)]) for t in as_vector(x)]
    if len(held) == 1:
        return held[0][0] * held[0][1]
    return [each for each in held]


def grows_while_it_runs(x):
    held = [x]
    for each in held:
        if len(held) < 3:
            held.append(each * x)
    return held[-1] * len(held)


@pytest.mark.parametrize("function", [made_of_one, grows_while_it_runs])
def test_a_loop_of_one_iteration_is_its_body(function):
    assert judge(function, [(0.3,)], ("x",), modes=(*MODES, "jvp")).what == "right"


def growing(v, n):
    items = [v, 2.0]
    for _ in range(n):
        items.append(v)
    return items[-1] + sum(items)


def multiplied(v, n):
    s = v
    for _ in range(n):
        s = s * v
    return s


def once_and_often(x, n):
    return growing(0.5, 1) * x[0] + growing(x[1], n) * x[2] + multiplied(x[0], 1)


def often_and_once(x, n):
    return multiplied(x[1], n) * multiplied(x[0], 1) + multiplied(x[2], n) * growing(x[2], 1)


@pytest.mark.parametrize("function", [once_and_often, often_and_once])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_loop_runs_once_in_one_call_alone(function, n):
    assert judge(function, [(V[:3], n)], ("x",), modes=(*MODES, "jvp")).what == "right"


def test_no_loop_is_written_for_one_iteration():
    def once(x):
        total = x
        for _ in range(1):
            total = total * x
        return total

    assert "for " not in grad(once).source.partition('"""')[2].partition('"""')[2]


class Layer:
    def __init__(self, w, act):
        self.w, self.act = w, act

    def __call__(self, x):
        return self.act(self.w * x)


class Net:
    def __init__(self):
        self.layers = [Layer(1.5, np.tanh), Layer(0.5, np.sin)]

    def loss(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        return np.sum(x)


def test_a_loop_over_objects_by_index_is_written_out():
    net, x = Net(), np.array([0.3, 0.7])
    derivative = grad(net.loss, trace=False)
    np.testing.assert_allclose(derivative(x), differences(net.loss, (x,)), rtol=1e-6)
    text = derivative.source_for(x)
    assert "for " not in text and "Tape" not in text and "if " not in text
    net.layers.append(Layer(2.0, np.exp))
    np.testing.assert_allclose(derivative(x), differences(net.loss, (x,)), rtol=1e-6)
    net.layers.reverse()
    np.testing.assert_allclose(derivative(x), differences(net.loss, (x,)), rtol=1e-6)
