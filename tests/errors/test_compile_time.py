"""Errors while compiling: class, file and line, the caret, and a message that helps."""

from __future__ import annotations

import importlib.util
import inspect
import itertools
import sys
from collections import deque, namedtuple
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp, value_and_grad, vjp
from autodiff.errors import AutodiffError, MissingRuleError, NonDifferentiableError
from tests.core.judge import Verdict, judge
from tests.errors import calls, memory, syntax
from tests.errors.mistake import REGISTRY, Mistake
from tests.language import oracle
from tests.language.data import V3


def by_name(entry: Mistake) -> str:
    return entry.function.__name__


def message_of(entry: Mistake) -> AutodiffError:
    with pytest.raises(AutodiffError) as caught:
        grad(entry.function, **entry.options)(*oracle.copied(list(entry.args)))
    return caught.value


def test_the_lists_are_read() -> None:
    modules = {entry.function.__module__ for entry in REGISTRY}
    assert modules == {syntax.__name__, calls.__name__, memory.__name__}


REFUSED = [entry for entry in REGISTRY if not entry.taken]


@pytest.mark.parametrize("entry", REFUSED, ids=map(by_name, REFUSED))
def test_mistake(entry: Mistake) -> None:
    error = message_of(entry)
    assert type(error) is entry.error
    what, file, text, carets, *_ = str(error).splitlines()
    assert file == f'  File "{entry.inside.__code__.co_filename}", line {entry.line}'
    start, stop = carets.index("^"), len(carets)
    assert carets == " " * start + "^" * (stop - start)
    assert text[start:stop] == entry.at, f"the caret is under {text[start:stop]!r}"
    for expected in entry.says:
        assert expected in str(error)
    assert what and error.why and error.cure
    assert not what.endswith(".") and not error.why.endswith(".")


TAKEN = [entry for entry in REGISTRY if entry.taken]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(own, marks=[pytest.mark.followed] * ("in_a_try" in by_name(own)))
        for own in TAKEN
    ],
    ids=map(by_name, TAKEN),
)
def test_what_core_takes(entry: Mistake) -> None:
    names = list(inspect.signature(entry.function).parameters)
    wrt = entry.options.get("wrt", names[:1])
    points = [tuple(oracle.copied(list(entry.args)))]
    assert judge(entry.function, points, wrt) == Verdict("right")


def area(radius: float, scale: float = 2.0) -> float:
    return scale * radius * radius


def norms(xs: Any) -> Any:
    return xs[0] * xs[0]


class Numbers(list[float]):
    """A list of a class of its own."""


class Doubled(dict[str, float]):
    def __getitem__(self, key: str) -> float:
        return 2.0 * super().__getitem__(key)


class Tagged(np.ndarray[Any, Any]):
    """An array of a class of its own."""


class Turned(namedtuple("Turned", "x y")):
    @property
    def x(self) -> Any:
        return self[0] * self[1]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: grad(area)(3), NonDifferentiableError, ["radius is an int", "radius=3.0"]),
        (lambda: grad(area)(True), NonDifferentiableError, ["radius is a bool", "radius=1.0"]),
        (lambda: grad(area, wrt="scale")(1.0, 2), NonDifferentiableError, ["scale=2.0"]),
        (lambda: value_and_grad(area)(3), NonDifferentiableError, ["radius is an int"]),
        (lambda: vjp(area, 3), NonDifferentiableError, ["radius is an int"]),
        (lambda: grad(area)("3"), NonDifferentiableError, ["radius is a str"]),
        (lambda: grad(area)(None), NonDifferentiableError, ["radius is None"]),
        (lambda: grad(norms)([1, 2]), NonDifferentiableError, ["a list without a float"]),
        (lambda: grad(norms)(np.array([1, 2])), NonDifferentiableError, [".astype(float)"]),
        (lambda: grad(norms)(Numbers([1.0])), NonDifferentiableError, ["Numbers", "plain list"]),
        (lambda: grad(norms)([Numbers([1.0])]), NonDifferentiableError, ["derived from list"]),
        (lambda: grad(norms)(V3.view(Tagged)), NonDifferentiableError, ["Tagged", "plain ndarray"]),
        (lambda: grad(norms)(np.ma.masked_less(V3, 1.0)), AutodiffError, ["plain ndarray"]),
        (lambda: grad(norms)(Turned(1.0, 2.0)), NonDifferentiableError, ["Turned", "plain tuple"]),
        (lambda: grad(area)(Decimal("1.5")), NonDifferentiableError, ["radius is a Decimal"]),
        (lambda: grad(norms)({1.0, 2.0}), NonDifferentiableError, ["a set"]),
        (lambda: grad(norms)(deque([1.0])), NonDifferentiableError, ["a deque", "[*xs]"]),
        (lambda: grad(norms)(memoryview(V3)), NonDifferentiableError, ["a memoryview", "[*xs]"]),
        (lambda: grad(norms)(iter([1.0])), NonDifferentiableError, ["[*xs]"]),
        (lambda: grad(norms)(MappingProxyType({0: 1.0})), NonDifferentiableError, ["dict(xs)"]),
        (lambda: grad(norms)(np.ones(2, [("a", float)])), NonDifferentiableError, ["xs['a']"]),
        (lambda: grad(norms)(np.array(["1", None])), NonDifferentiableError, ["array of object"]),
        (lambda: jvp(norms, (Numbers([1.0]),), ([1.0],)), AutodiffError, ["plain list"]),
        (lambda: jvp(norms, (Doubled(x=1.0),), ({"x": 1.0},)), AutodiffError, ["plain dict"]),
        (lambda: grad(area, wrt="radios"), AutodiffError, ["'radios'", "radius, scale"]),
        (lambda: grad(area, wrt=2), AutodiffError, ["position 2", "wrt='radius'"]),
        (lambda: grad(area, wrt=("radius", 0)), AutodiffError, ["radius twice"]),
        (lambda: grad(area, wrt=()), AutodiffError, ["wrt is empty"]),
        (lambda: grad(area, wrt=1.0), AutodiffError, ["positions or names, not 1.0"]),
        (lambda: grad(np.ones(2).dot), AutodiffError, ["no Python source", "where own is the nd"]),
        (lambda: grad(3), AutodiffError, ["cannot differentiate 3"]),
        (lambda: grad(calls.from_text)(1.0), AutodiffError, ["(<string>:1)", "in a file"]),
        (lambda: vjp(area, 1.0)[1](np.ones(2)), AutodiffError, ["seed does not fit", "(2,)"]),
    ],
)
def test_call(call: Callable[[], Any], error: type[AutodiffError], says: list[str]) -> None:
    """What is wrong with the arguments, not with the text: there is no place to point at."""
    with pytest.raises(error) as caught:
        call()
    for expected in says:
        assert expected in str(caught.value)
    assert caught.value.why and caught.value.cure


def test_what_python_itself_refuses_stays_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"area\(\): missing a required argument: 'radius'"):
        grad(area)()


MODULE = """
import numpy
import numpy as np

def energy(x):
    return np.sum(np.from_dlpack(2.0 * x) * x)
"""
numbers = itertools.count()


@pytest.fixture
def module(tmp_path: Path) -> Any:
    """Make a module of a text; undone with the test."""
    made: list[str] = []

    def make(text: str) -> ModuleType:
        name = f"pasted_{next(numbers)}"
        file = tmp_path / f"{name}.py"
        file.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = new = importlib.util.module_from_spec(spec)
        made.append(name)
        spec.loader.exec_module(new)
        return new

    yield make
    for name in made:
        del sys.modules[name]


def test_the_rule_in_the_message_works_when_it_is_pasted(module: Any) -> None:
    """With the `...` filled in; the derivative by differences."""
    from autodiff.rules import registry

    x = np.array([0.3, -0.4])
    before = module(MODULE)
    with pytest.raises(MissingRuleError) as caught:
        grad(before.energy)(x)
    lines = caught.value.cure.splitlines()
    rule = "\n".join(lines[next(i for i, line in enumerate(lines) if "import" in line) :])
    assert rule.count("...") == 1
    filled = rule.replace("...", "(np.from_dlpack(x + 1e-5) - np.from_dlpack(x - 1e-5)) / 2e-5")
    try:
        after = module(MODULE + filled)
        ((expected,),) = oracle.gradients(after.energy, (x,), {}, [0])
        np.testing.assert_allclose(grad(after.energy)(x), expected, rtol=1e-8)
    finally:
        registry._templates.pop(np.from_dlpack, None)
