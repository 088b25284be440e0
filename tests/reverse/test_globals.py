"""Globals that change: what a helper rebinds between two reads, and functions of a recursion."""

import sys

import numpy as np
import pytest

from autodiff import (
    checkpoint,
    checkpointed,
    grad,
    jvp,
    value_and_grad,
)
from tests.core.differences import refused_or_right
from tests.reverse import settings

SCALE = 1.0
TABLE = None


def rescale():
    global SCALE
    SCALE = SCALE + 1.0


def rescaled_between_reads(x):
    y = x * SCALE
    rescale()
    return y * SCALE


def scales_of_one():
    global SCALE
    SCALE = settings.SCALE = 1.0


def rescale_deep():
    rescale()


class Scaler:
    def step(self):
        rescale_deep()


SCALER, STEPS = Scaler(), {"rescale": rescale}


def by_a_helper_of_the_helper(x):
    y = x * SCALE
    rescale_deep()
    return y * SCALE


def by_a_method(x):
    y = x * SCALE
    SCALER.step()
    return y * SCALE


def from_a_dict(x):
    y = x * SCALE
    STEPS["rescale"]()
    return y * SCALE


def called_back(x):
    y = x * SCALE
    list(map(lambda _: rescale(), [1]))
    return y * SCALE


def set_in_the_names(name, value):
    globals()[name] = value


def by_a_dict_of_names(x):
    y = x * SCALE
    set_in_the_names("SCALE", SCALE + 1.0)
    return y * SCALE


def copied_in_a_loop(x):
    total = 0.0
    for _ in range(3):
        scale = SCALE
        y = x * scale
        rescale_deep()
        total = total + y * x
    return total


def of_another_module(x):
    y = x * settings.SCALE
    settings.rescale()
    return y * settings.SCALE


def rescale_elsewhere():
    settings.SCALE = settings.SCALE + 1.0


def set_in_another_module(x):
    y = x * settings.SCALE
    rescale_elsewhere()
    return y * settings.SCALE


def power(x, n):
    return 1.0 if n == 0 else x * SCALE * power(x, n - 1)


def read_by_a_recursion(x):
    y = power(x, 2)
    rescale_deep()
    return y * x


def read_by_a_recursion_in_a_loop(x):
    y = 1.0
    for _ in range(2):
        rescale()
        y = y * power(x, 2)
    return y


def rescaled_power(x, n):
    rescale()
    return x * SCALE if n == 0 else SCALE * rescaled_power(x, n - 1)


def rebound_by_a_recursion(x):
    return rescaled_power(x, 0) * rescaled_power(x, 0)


def read_by_checkpointed_steps(x):
    for _ in checkpointed(range(5), snapshots=2):
        x = x * x * SCALE
    rescale()
    return x


@checkpoint
def rescaled_sine(x):
    return np.sin(x) * SCALE


def read_by_what_is_run_again(x):
    y = rescaled_sine(x)
    rescale()
    return y


class Watched:
    @property
    def size(self):
        rescale_deep()
        return 1.0

    def __bool__(self):
        rescale_deep()
        return True

    def __enter__(self):
        rescale_deep()

    def __exit__(self, *details):
        return False


WATCHED = Watched()


def by_a_property(x):
    y = x * SCALE
    size = WATCHED.size
    return y * SCALE * size


def by_asking_for_truth(x):
    y = x * SCALE
    if WATCHED:
        y = y * 2.0
    return y * SCALE


def by_entering(x):
    y = x * SCALE
    with Watched():
        y = y * 2.0
    return y * SCALE


def by_a_bound(x):
    y = x * SCALE
    for _ in range(len([rescale_deep()])):
        y = y * 2.0
    return y * SCALE


def variable_of_the_outer_function():
    scale = 1.0

    def rescale_it():
        nonlocal scale
        scale = scale + 1.0

    def again():
        rescale_it()

    def function(x):
        y = x * scale
        again()
        return y * scale

    def begin():
        nonlocal scale
        scale = 1.0

    return function, begin


@pytest.fixture(autouse=True)
def _put_back(monkeypatch):
    here = sys.modules[__name__]
    monkeypatch.setattr(here, "SCALE", 1.0)
    monkeypatch.setattr(here, "TABLE", None)
    monkeypatch.setattr(settings, "SCALE", 1.0)


@pytest.mark.parametrize(
    "function",
    [
        rescaled_between_reads, by_a_helper_of_the_helper, by_a_method, from_a_dict, called_back,
        by_a_dict_of_names, by_a_property, by_asking_for_truth, by_entering,
        by_a_bound, copied_in_a_loop, of_another_module, set_in_another_module,
        read_by_a_recursion, read_by_a_recursion_in_a_loop,
        rebound_by_a_recursion, read_by_checkpointed_steps, read_by_what_is_run_again,
    ],
)  # fmt: skip
def test_a_helper_that_rebinds_what_the_reverse_sweep_reads(function):
    match = "this call rebinds the .*(SCALE|scale)`"
    refused_or_right(function, 0.7, match=match, begin=scales_of_one)
    assert SCALE == settings.SCALE == 1.0


def test_a_helper_that_rebinds_a_variable_of_the_outer_function():
    function, begin = variable_of_the_outer_function()
    for _ in range(2):
        begin()
        assert value_and_grad(function)(0.7) == (1.4, 2.0)
    assert value_and_grad(function)(1.0) == (6.0, 6.0)  # it is 2 by then, and 3 afterwards


def test_the_tangent_follows_a_helper_that_rebinds():
    assert jvp(rescaled_between_reads, (0.7,), (1.0,)) == (1.4, 2.0)


def load():
    global TABLE
    TABLE = np.array([1.0, 2.0, 3.0])


def loaded_when_needed(x):
    if TABLE is None:
        load()
    total = 0.0
    for k in range(3):
        total = total + TABLE[k] * x**2
    return total


def kept_before(x):
    scale = SCALE
    y = x * scale
    rescale_deep()
    return y * x


def by_a_helper_elsewhere(x):
    return settings.looked_up(x)


def test_globals_that_are_loaded_when_they_are_needed():
    for _ in range(2):
        assert value_and_grad(loaded_when_needed)(0.5) == (1.5, 6.0)


def test_a_global_that_is_kept_before_a_helper_rebinds_it():
    assert value_and_grad(kept_before)(0.5) == (0.25, 1.0)


def test_a_global_that_a_module_does_not_have_yet(monkeypatch):
    """Not one of the same name here."""
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", 7.0, raising=False)
    monkeypatch.delattr(settings, "FACTOR", raising=False)
    assert value_and_grad(by_a_helper_elsewhere)(0.5) == (1.0, 2.0)


def shape_of_wave(t):
    return t * t


def damped(x, n):
    return shape_of_wave(x) if n == 0 else damped(x, n - 1) * x


def nested_damping(x):
    def part(n):
        return shape_of_wave(x) if n == 0 else part(n - 1) * x

    return part(2)


def given_damping(x):
    return applied(lambda t: shape_of_wave(t) * x, x, 1)


def applied(f, x, n):
    return f(x) if n == 0 else applied(f, x, n - 1) * x


@pytest.mark.parametrize("function", [lambda x: damped(x, 2), nested_damping, given_damping])
def test_another_function_in_a_recursion_is_seen(function, monkeypatch):
    derivative = grad(function)
    assert derivative(2.0) == 32.0
    monkeypatch.setattr(sys.modules[__name__], "shape_of_wave", lambda t: t * t * t)
    assert derivative(2.0) == 80.0


class Foreign:
    """As classes of Cython's functions are in some versions: their `__module__` is a descriptor."""

    def __call__(self):
        return 0.5


FOREIGN = Foreign()
Foreign.__module__ = property(lambda self: "extension.part")


def called_between_reads(x):
    y = x * SCALE
    z = FOREIGN()
    return y * SCALE + z


def test_an_object_whose_class_does_not_say_its_module():
    assert grad(called_between_reads)(1.5) == SCALE**2


WEIGHTS = np.ones(3)


def weigh(value):
    WEIGHTS[:] = value


def weighed(x, n):
    return 1.0 if n == 0 else np.sum(x * WEIGHTS) * weighed(x, n - 1)


def changed_between_recursions(x):
    weigh(1.0)
    y = weighed(x, 2)
    weigh(2.5)
    return y * weighed(x, 2)


def changed_before_a_recursion(x):
    weigh(2.5)
    return weighed(x, 2)


def test_an_array_that_a_helper_changes_between_calls_of_a_recursion():
    x, match = np.array([0.3, 0.5, 0.2]), "changes the global `WEIGHTS`"
    refused_or_right(changed_between_recursions, x, match=match)


def test_an_array_that_a_helper_changes_before_a_recursion():
    x = np.array([0.3, 0.5, 0.2])
    np.testing.assert_allclose(grad(changed_before_a_recursion)(x), 2 * 2.5**2 * np.ones(3))
