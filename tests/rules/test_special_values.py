"""The table of kinks and singular points in `autodiff.templates`, row by row."""

import math

import numpy as np
import pytest

from autodiff.rules import registry
from tests.rules.oracle import adjoints_of, random_like

INF = np.inf
NAN = np.nan

# What, the call, what each parameter receives for a seed of ones.
TABLE = [
    ("abs at 0", np.abs, (0.0,), {"x": 0.0}),
    ("abs at 0 of an array", np.abs, (np.array([0.0, -2.0]),), {"x": [0.0, -1.0]}),
    ("abs at 0, complex", np.abs, (0j,), {"x": 0j}),
    ("fabs at 0", math.fabs, (0.0,), {"x": 0.0}),
    ("hypot at 0", np.hypot, (0.0, 0.0), {"x": 0.0, "y": 0.0}),
    ("math.hypot at 0", math.hypot, (0.0, 0.0, 0.0), {"coordinates": [0.0, 0.0, 0.0]}),
    ("dist of equal points", math.dist, ([1.0], [1.0]), {"p": [0.0], "q": [0.0]}),
    ("norm at 0", np.linalg.norm, (np.zeros(3),), {"x": [0.0, 0.0, 0.0]}),
    ("norm of order 1 at 0", np.linalg.norm, (np.zeros(3), 1), {"x": [0.0, 0.0, 0.0]}),
    ("norm of order 3 at 0", np.linalg.norm, (np.zeros(3), 3), {"x": [0.0, 0.0, 0.0]}),
    ("matrix norm at 0", np.linalg.norm, (np.zeros((2, 2)),), {"x": np.zeros((2, 2))}),
    ("nuclear norm at 0", np.linalg.norm, (np.zeros((2, 2)), "nuc"), {"x": np.zeros((2, 2))}),
    ("ties of norm inf", np.linalg.norm, (np.array([2.0, -2.0]), INF), {"x": [0.5, -0.5]}),
    ("std of a constant", np.std, (np.ones(3),), {"a": [0.0, 0.0, 0.0]}),
    ("ties of maximum", np.maximum, (1.0, 1.0), {"x": 0.5, "y": 0.5}),
    ("ties of minimum", np.minimum, (1.0, 1.0), {"x": 0.5, "y": 0.5}),
    ("ties of fmax", np.fmax, (1.0, 1.0), {"x": 0.5, "y": 0.5}),
    ("fmax beside NaN", np.fmax, (NAN, 1.0), {"x": 0.0, "y": 1.0}),
    ("fmin beside NaN", np.fmin, (2.0, NAN), {"x": 1.0, "y": 0.0}),
    ("ties of max", np.max, (np.array([1.0, 3.0, 3.0]),), {"a": [0.0, 0.5, 0.5]}),
    ("ties of min", np.min, (np.array([1.0, 1.0, 3.0]),), {"a": [0.5, 0.5, 0.0]}),
    ("ties of the built-in max", max, (2.0, 2.0), {"x": 0.5, "y": 0.5}),
    ("ties of the built-in max of a list", max, ([2.0, 2.0, 1.0],), {"items": [[0.5, 0.5, 0.0]]}),
    ("ptp of a constant", np.ptp, (np.ones(2),), {"a": [0.0, 0.0]}),
    ("clip at its bounds", np.clip, (np.array([0.0, 1.0]), 0.0, 1.0), {"a": [1.0, 1.0]}),
    ("clip outside", np.clip, (np.array([-1.0, 2.0]), 0.0, 1.0), {"a": [0.0, 0.0], "a_min": 1.0}),
    ("prod with a zero", np.prod, (np.array([0.0, 2.0, 3.0]),), {"a": [6.0, 0.0, 0.0]}),
    ("prod with two zeros", np.prod, (np.array([0.0, 2.0, 0.0]),), {"a": [0.0, 0.0, 0.0]}),
    ("prod of nothing", np.prod, (np.zeros(0),), {"a": []}),
    ("cumprod with a zero", np.cumprod, (np.array([2.0, 0.0, 3.0]),), {"a": [1.0, 8.0, 0.0]}),
    ("math.prod with a zero", math.prod, ([0.0, 2.0],), {"iterable": [2.0, 0.0]}),
    ("x ** 0 at 0", np.power, (0.0, 0.0), {"x": 0.0}),
    ("x ** 0 of an array", np.power, (np.array([0.0, 2.0]), 0), {"x": [0.0, 0.0]}),
    ("x ** 1 at 0", np.power, (0.0, 1.0), {"x": 1.0}),
    ("x ** 2 at 0", np.power, (0.0, 2.0), {"x": 0.0}),
    ("0 ** y", np.power, (0.0, 2.0), {"y": 0.0}),
    ("0 ** y of an array", np.power, (np.zeros(2), np.array([1.0, 2.0])), {"y": [0.0, 0.0]}),
    ("power of a negative base", np.power, (-2.0, 3.0), {"x": 12.0}),
    ("sinc at 0", np.sinc, (0.0,), {"x": 0.0}),
    ("sinc at 0 of an array", np.sinc, (np.array([0.0]),), {"x": [0.0]}),
    ("logaddexp of -inf", np.logaddexp, (-INF, 0.0), {"x": 0.0, "y": 1.0}),
    ("logaddexp of two -inf", np.logaddexp, (-INF, -INF), {"x": 0.0, "y": 0.0}),
    ("sqrt at 0", np.sqrt, (np.zeros(1),), {"x": [INF]}),
    ("log at 0", np.log, (np.zeros(1),), {"x": [INF]}),
    ("arccos at 1", np.arccos, (np.ones(1),), {"x": [-INF]}),
    ("nan_to_num", np.nan_to_num, (np.array([NAN, INF, 1.0]),), {"x": [0.0, 0.0, 1.0]}),
    ("nansum", np.nansum, (np.array([NAN, 1.0]),), {"a": [0.0, 1.0]}),
    ("heaviside at 0", np.heaviside, (0.0, 0.5), {"x": 0.0, "y": 1.0}),
    ("copysign at 0", np.copysign, (0.0, -1.0), {"x": 0.0, "y": 0.0}),
    ("sum of nothing", np.sum, (np.zeros((0, 2)), 0), {"a": np.zeros((0, 2))}),
    ("det of a singular matrix", np.linalg.det, (np.diag([1.0, 0.0]),), {"a": np.diag([0.0, 1.0])}),
    ("det of zeros", np.linalg.det, (np.zeros((2, 2)),), {"a": np.zeros((2, 2))}),
    ("norm of order 0", np.linalg.norm, (np.array([0.0, 2.0]), 0), {"x": [0.0, 0.0]}),
    ("norm of order inf at 0", np.linalg.norm, (np.zeros(2), INF), {"x": [0.0, 0.0]}),
    ("complex norm at 0", np.linalg.norm, (np.zeros(2, complex),), {"x": [0.0, 0.0]}),
    ("spectral norm at 0", np.linalg.norm, (np.zeros((2, 2)), 2), {"x": np.zeros((2, 2))}),
    ("pinv of zeros", np.linalg.pinv, (np.zeros((2, 3)),), {"a": np.zeros((2, 3))}),
    ("tanh far out", np.tanh, (np.array([1e3]),), {"x": [0.0]}),
]


@pytest.mark.parametrize(
    ("primitive", "args", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_row(primitive, args, expected):
    with np.errstate(all="ignore"):
        result = primitive(*args)
        seed = np.ones_like(result) if isinstance(result, np.ndarray) else 1.0
        _, found = adjoints_of(primitive, args, {}, seed, expected)
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-12, atol=1e-15)


def test_where_does_not_leak_nan_from_the_branch_not_taken():
    x = np.array([1.0, 4.0])
    seed = np.array([NAN, 1.0])
    _, found = adjoints_of(np.where, (x > 2, x, x), {}, seed)
    assert np.isnan(found["y"][0]) and found["x"][0] == 0.0
    np.testing.assert_array_equal([found["x"][1], found["y"][1]], [1.0, 0.0])


def test_equal_eigenvalues_give_finite_adjoints():
    a = np.eye(3)
    result = np.linalg.eigh(a)
    seed = random_like(result, np.random.default_rng(0))
    _, found = adjoints_of(np.linalg.eigh, (a,), {}, seed)
    assert np.all(np.isfinite(found["a"]))


def test_the_table_uses_rules():
    assert all(registry.rule_for(row[1]) is not None for row in TABLE)
