"""What is told of helpers of generated code: which arguments they lend and write to, by running."""

import contextlib
import inspect
import sys
import types

import numpy as np
import pytest

from autodiff import grad, runtime
from autodiff.primitives.harmless import told
from autodiff.rules import registry
from autodiff.runtime.fitting import fitted
from tests.rules.samples import SAMPLES
from tests.rules.second import loaded, weighted
from tests.rules.test_compiled import written
from tests.rules.test_rules import _name

HELPERS = {
    value.__code__: value
    for value in vars(runtime).values()
    if isinstance(value, types.FunctionType) and value.__module__.startswith(runtime.__name__)
}


def held(value):
    """The arrays, containers and objects that a value is or holds."""
    found, waiting = {}, [value]
    while waiting:
        value = waiting.pop()
        if id(value) in found or value is None or isinstance(value, (str, int, float, complex)):
            continue
        if isinstance(value, (types.FunctionType, type, np.generic, np.dtype)):
            continue
        found[id(value)] = value
        if isinstance(value, (list, tuple)):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
        else:
            waiting += getattr(value, "__dict__", {}).values()
    return {k: v for k, v in found.items() if not isinstance(v, tuple)}


def shared(result, argument):
    """Whether a result is or holds something that may change with an argument."""
    ours, others = held(result), held(argument)
    arrays = [v for v in others.values() if isinstance(v, np.ndarray) and v.size]
    own = [v for v in ours.values() if isinstance(v, np.ndarray) and v.size]
    return any(key in others and np.size(v) for key, v in ours.items()) or any(
        np.shares_memory(one, two) for one in own for two in arrays
    )


def check(function, arguments, result):
    """That a helper lends no more than is told; `arguments` by the names of parameters."""
    known = told(function, dict.fromkeys(arguments, ...))
    if known.lent is not None:
        for own, argument in arguments.items():
            if own not in known.lent:
                assert not shared(result, argument), f"{function.__name__} lends `{own}`"
    return known


@contextlib.contextmanager
def watched():
    """Each call of a helper is held against what is told of it."""
    begun, wrong = {}, []

    def profile(frame, event, result):
        function = HELPERS.get(frame.f_code)
        if function is None:
            return
        if event == "call":
            count = frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount
            names = frame.f_code.co_varnames[:count]
            begun[id(frame)] = {own: frame.f_locals[own] for own in names}
        elif event == "return" and id(frame) in begun:
            try:
                check(function, begun.pop(id(frame)), result)
            except AssertionError as error:
                wrong.append(str(error))

    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)
    assert not wrong, wrong


V, W = np.array([0.3, -0.7, 1.1]), np.array([0.9, 0.2, -0.5])
ROWS, TREE = [V, W], {"a": [V], "b": (W, 2.0)}

CALLS = [
    (runtime.zeros_like, (ROWS,)), (runtime.zeros_like, (TREE,)), (runtime.accumulate, (None, V)),
    (runtime.accumulate, (V, None)),
    (runtime.accumulate, (ROWS, [None, V])), (runtime.accumulate, ({"a": None}, {"a": V})),
    (runtime.unbroadcast, (V, W)), (runtime.unbroadcast, ([W * 2, V * 2], ROWS)),
    (runtime.unbroadcast, (np.array([V, W]), ROWS)), (runtime.unbroadcast, (0.0, ROWS)),
    (runtime.copied, (TREE,)), (runtime.duplicates, (V, V[1:])),
    (runtime.part, (ROWS, 0)), (runtime.split, (np.array([V, W]), ROWS, 0)),
    (runtime.scatter, (V, ROWS, 0)), (runtime.scatter, (V, V, [0, 0, 1])),
    (runtime.stored, (V, slice(0, 2))), (runtime.sequence, (ROWS,)), (runtime.conj, (V,)),
    (runtime.sequence, ({0: V}.values(),)), (runtime.adjoint_of, (V, W)), (fitted, (V, W)),
    (runtime.adjoint_of, (ROWS, ROWS)), (runtime.replica, (V,)), (runtime.item, (ROWS, 0)),
    (runtime.stacked, (ROWS, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_lends(function, args):
    names = [*inspect.signature(function).parameters]
    if function is runtime.duplicates:
        assert not shared(function(*args), args)
        return
    given = {own: value for own, value in zip(names, args)}
    check(function, given, function(*args))
    by_place = told(function, dict.fromkeys(range(len(args)), ...)).lent
    by_name = told(function, dict.fromkeys(given, ...)).lent
    assert [names[k] for k in by_place] == [*by_name]


def test_copies_share_nothing():
    for function in (runtime.copied, runtime.duplicates, runtime.zeros_like):
        for value in (V, ROWS, TREE, [[V], {"a": W}], (V, 1.0)):
            assert not shared(function(value), value)


def test_what_is_watched_can_be_wrong(monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "told", lambda *_: types.SimpleNamespace(lent=()))
    with pytest.raises(AssertionError, match="unbroadcast lends `g`"), watched():
        runtime.unbroadcast(V, W)


@pytest.mark.parametrize("function", sorted(runtime.CHANGING, key=lambda f: f.__name__))
def test_told_to_write(function):
    known = told(function, dict.fromkeys(range(3), ...))
    assert known.writes == (0,)


@pytest.mark.heavy
@pytest.mark.parametrize("primitive", [p for p in SAMPLES if p is not np.histogramdd], ids=_name)
def test_helpers_of_rules(primitive, tmp_path):
    sample = SAMPLES[primitive][0]
    text, arguments, scope = written(0, sample, registry.rule_for(primitive, len(sample.args)))
    scope |= {"primitive": primitive, "np": np}
    given = ", ".join(arguments)
    result = primitive(*sample.args, **sample.kwargs)
    text += f"\n\ndef value({given}):\n    y = call_0({given})\n    return "
    text += weighted({"y": result}, scope, registry.is_uncertain(primitive)) + "\n"
    gradient = grad(loaded(tmp_path, "first", text, scope).value, tuple(arguments))
    with np.errstate(all="ignore"):
        gradient(*arguments.values())
        with watched():
            gradient(*arguments.values())
