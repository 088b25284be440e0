"""Every program of the corpus: value, gradient, structure, arguments untouched, all entries."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jacobian, value_and_grad, vjp
from autodiff.errors import AutodiffError, InternalError
from tests.language import oracle
from tests.language.corpus import Call, Program, collect
from tests.language.known import REFUSED_PROGRAMS, WRONG
from tests.language.refused import REFUSED

PROGRAMS = collect()
CASES = [(entry, index) for entry in PROGRAMS for index in range(len(entry.points))]


def ids(case: tuple[Program, int]) -> str:
    return f"{case[0].name}-{case[1]}"


def fresh(point: Call) -> tuple[list[Any], dict[str, Any]]:
    return oracle.copied(list(point.args)), oracle.copied(dict(point.kwargs))


def primal_value(entry: Program, point: Call) -> Any:
    args, kwargs = fresh(point)
    return entry.function(*args, **kwargs)


def is_real_number(value: Any) -> bool:
    return isinstance(value, int) or (
        oracle.is_leaf(value) and np.ndim(value) == 0 and not np.iscomplexobj(value)
    )


def expected_at(entry: Program, point: Call, seed: Any) -> list[list[Any]]:
    complex_leaves = any(map(np.iscomplexobj, oracle.leaves([*point.args, *point.kwargs.values()])))
    return oracle.gradients(
        entry.function,
        point.args,
        point.kwargs,
        entry.wrt_at(point),
        seed=seed,
        analytic=entry.analytic and not complex_leaves,
    )


def pulled_back(entry: Program, point: Call, seed: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """Value and adjoints by `vjp`, what is not differentiated being bound beforehand.

    None if that cannot be written: a fixed argument before a differentiated `*args`, say.
    """
    wrt = entry.wrt_at(point)
    args, kwargs = fresh(point)
    given = oracle.arguments(entry.function, args, kwargs).arguments
    parameters = inspect.signature(entry.function).parameters
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    leading = list(given)[: len(wrt)]
    rest = {name: value for name, value in given.items() if name not in wrt}
    if list(wrt) != leading or any(parameters[name].kind not in by_position for name in given):
        return None
    if any(parameters[name].kind is by_position[0] for name in rest):
        return None
    function = functools.partial(entry.function, **rest) if rest else entry.function
    value, pullback = vjp(function, *(given[name] for name in wrt))
    return value, pullback(seed)


def assert_owned(gradients: Any, arguments: Any) -> None:
    """A caller may update a gradient in place without changing what was passed in."""
    for gradient in oracle.leaves(gradients):
        for argument in oracle.leaves(arguments):
            if isinstance(gradient, np.ndarray) and isinstance(argument, np.ndarray):
                assert not np.shares_memory(gradient, argument), "gradient shares memory"


def assert_primal(entry: Program, value: Any, primal: Any) -> None:
    """The value of the derivative is that of the function, to the last bit where it has one."""
    if entry.repeatable:
        oracle.assert_same(value, primal)
    else:
        np.testing.assert_allclose(value, primal, rtol=1e-14, atol=0.0)


def check(entry: Program, point: Call, thorough: bool) -> None:
    primal = primal_value(entry, point)
    seed = oracle.seed_for(primal)
    expected = expected_at(entry, point, seed)
    wrt = entry.wrt_at(point)
    args, kwargs = fresh(point)
    given = oracle.arguments(entry.function, args, kwargs).arguments

    def compare(gradients: Any, names: tuple[str, ...] = wrt) -> None:
        assert isinstance(gradients, tuple)
        assert len(gradients) == len(names)
        for name, gradient in zip(names, gradients, strict=True):
            wanted = expected[wrt.index(name)]
            oracle.compare(gradient, given[name], wanted, entry.tolerance, name)

    scalar = is_real_number(primal)
    if scalar:
        value, gradients = value_and_grad(entry.function, wrt=wrt)(*args, **kwargs)
        assert_primal(entry, value, primal)
        compare(gradients)
        assert_owned(gradients, given)
    if not scalar or thorough:
        found = pulled_back(entry, point, seed)
        if found is not None:
            assert_primal(entry, found[0], primal)
            compare(found[1])
    if scalar and thorough:
        for name in wrt:  # sizes as in the code for arrays of any other length
            gradient = grad(entry.function, wrt=name, sizes=False)
            compare((gradient(*args, **kwargs),), (name,))
    untouched = fresh(point)
    oracle.assert_same(args, untouched[0], "arguments")
    oracle.assert_same(kwargs, untouched[1], "arguments")


def marked(case: tuple[Program, int]) -> Any:
    reason = WRONG.get(case[0].name)
    marks = [pytest.mark.xfail(reason=reason)] if reason else []
    return pytest.param(case, marks=marks, id=ids(case))


@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_program(case: tuple[Program, int], request: pytest.FixtureRequest) -> None:
    entry, index = case
    thorough = index == 0 and not request.config.getoption("--brief")
    try:
        check(entry, entry.points[index], thorough)
    except InternalError:
        raise
    except AutodiffError:
        if entry.name not in REFUSED_PROGRAMS:
            raise


def test_what_is_refused_may_be() -> None:
    refusable = {entry.name for entry in PROGRAMS if entry.refusable}
    assert refusable >= REFUSED_PROGRAMS


JACOBIANS = [
    entry
    for entry in PROGRAMS
    if entry.name
    in {
        "operators.polynomial",
        "operators.ratio",
        "operators.general_power",
        "operators.matrix_product",
        "operators.vector_matrix",
        "indexing.reversed_slices",
        "indexing.index_array",
        "returns.an_array_of_items",
        "returns.a_stack",
    }
]


@pytest.mark.parametrize("entry", JACOBIANS, ids=lambda entry: entry.name)
def test_jacobian(entry: Program) -> None:
    for point in entry.points:
        primal = primal_value(entry, point)
        for place, argument in enumerate(point.args):
            if np.ndim(primal) == 0 or not isinstance(argument, np.ndarray):
                continue
            found = jacobian(entry.function, wrt=place)(*fresh(point)[0])
            assert found.shape == primal.shape + argument.shape
            for at in np.ndindex(primal.shape):
                seed = np.zeros(primal.shape)
                seed[at] = 1.0
                ((wanted,),) = oracle.gradients(
                    entry.function, point.args, point.kwargs, [place], seed=seed
                )
                close = 1e-4 if argument.dtype == np.float32 else 1e-8
                np.testing.assert_allclose(found[at], wanted, rtol=close, atol=close)


@pytest.mark.parametrize(
    ("function", "args"), REFUSED, ids=[function.__name__ for function, _ in REFUSED]
)
def test_refused(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    with pytest.raises(AutodiffError):
        grad(function)(*oracle.copied(list(args)))


def test_no_result_on_the_path_taken() -> None:
    def f(x):
        if x < 0:
            return x * x

    assert grad(f)(-0.7) == -1.4
    with pytest.raises((AutodiffError, TypeError)):
        grad(f)(0.7)
