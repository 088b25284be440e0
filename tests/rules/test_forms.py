"""Samples drawn from the registry, compiled, with arguments in other forms than float64 arrays.

Whatever the form of an argument (dtype, layout in memory, a number or an array without axes, read
only or not), its adjoint has exactly its shape and dtype, and is that of the plain one.
"""

import random
import warnings

import numpy as np
import pytest
from scipy import linalg, special

from autodiff import vjp
from autodiff.errors import AutodiffError
from autodiff.rules import registry
from tests.rules.checks import differentiated, same_form
from tests.rules.oracle import frozen, leaves, mapped, random_like
from tests.rules.samples import SAMPLES
from tests.rules.test_compiled import compiled
from tests.rules.test_layouts import DTYPES, ORDERED, fortran, in_dtype, strided
from tests.rules.test_rules import PRIMITIVES, _name


def scalars(leaf):
    return np.float64(leaf) if type(leaf) is float else leaf


def without_axes(leaf):
    return np.array(leaf) if type(leaf) is float else leaf


def python_numbers(leaf):
    return leaf.item() if isinstance(leaf, np.ndarray) and leaf.shape == () else leaf


def as_python_floats(leaf):
    """`np.float64` is a float, and so may its adjoint be."""
    return float(leaf) if type(leaf) is np.float64 else leaf


FORMS = {
    **{name: (in_dtype(real, own), tolerance) for name, (real, own, tolerance) in DTYPES.items()},
    **{
        change.__name__: (change, 1e-9)
        for change in (fortran, strided, frozen, scalars, without_axes, python_numbers)
    },
}
BY_PRECISION = {
    *(np.partition, linalg.eig, linalg.schur, np.linalg.eig),
    *(special.logsumexp, special.elliprd),
}
"""What orders differently in another precision, turns the sign of a vector, or has samples or steps
between that half precision does not hold."""


def checked(primitive, sample, folder, forms):
    """How many forms of the arguments of a sample could be compared with the plain ones."""
    rule = registry.rule_for(primitive, len(sample.args))
    if not differentiated(rule, sample):
        return 0
    [(function, arguments)] = compiled(folder, primitive, [sample], lambda _: rule)
    plain = list(arguments.values())
    result = function(*plain)
    seed = random_like(result, np.random.default_rng(5))
    expected = vjp(function, *plain)[1](seed)
    done = 0
    for name in forms:
        change, tolerance = FORMS[name]
        changed = [mapped(change, argument) for argument in plain]
        own = _value(function, changed)
        if own is None or _shapes(own) != _shapes(result):
            continue  # not of this form, or what is a zero to be cut off depends on the precision
        try:
            found = vjp(function, *changed)[1](_like(seed, own))
        except Exception as error:
            if name in DTYPES and not isinstance(error, AutodiffError) and _takes_no(error):
                continue
            raise AssertionError(f"{name}: {error}") from error
        for given, adjoint, reference in zip(changed, found, expected, strict=True):
            same_form(adjoint, mapped(as_python_floats, given))
            for a, b in zip(leaves(adjoint), leaves(reference), strict=True):
                a, b = np.asarray(a).astype(complex), np.asarray(b).astype(complex)
                scale = 1 + np.max(np.abs(b), initial=0.0, where=np.isfinite(b))
                np.testing.assert_allclose(
                    a, b, rtol=tolerance, atol=tolerance * scale, err_msg=name
                )
        done += 1
    return done


def _shapes(value):
    return [np.shape(leaf) for leaf in leaves(value)]


def _takes_no(error):
    """Whether it is a library itself that does not take a dtype, in the middle of an adjoint."""
    words = ("float16", "float128", "dtype", "supported", "of type", "No matching signature")
    return any(word in str(error) for word in words)


def _value(function, arguments):
    try:
        return function(*arguments)
    except Exception:  # SciPy has errors of its own for what it does not take
        return None


def _like(seed, result):
    """The seed in the dtypes of a result."""
    if isinstance(seed, (list, tuple)):
        parts = list(map(_like, seed, result))
        return type(seed)(*parts) if hasattr(seed, "_fields") else type(seed)(parts)
    return np.asarray(seed).astype(np.asarray(result).dtype)[()]


def drawn(count, seed):
    """Some samples, all parts of the libraries alike."""
    chosen = random.Random(seed)
    left_out = ORDERED | BY_PRECISION
    places = [(p, k) for p in PRIMITIVES if p not in left_out for k in range(len(SAMPLES[p]))]
    return chosen.sample(places, count)


def named(value):
    return str(value) if type(value) is int else _name(value)


def check_all(places, folder):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sum(checked(p, SAMPLES[p][k], folder, FORMS) for p, k in places)


@pytest.mark.parametrize(("primitive", "number"), drawn(60, 4), ids=named)
def test_drawn_samples(primitive, number, tmp_path):
    compared(primitive, number, tmp_path)


def compared(primitive, number, tmp_path):
    """All forms of a sample; constants of `np.pad` that are a tuple with a derivative: refused."""
    try:
        check_all([(primitive, number)], tmp_path)
    except Exception as error:
        if (
            primitive is not np.pad
            or "a list of arrays that a rule computes with" not in f"{error}"
        ):
            raise


def test_most_forms_are_compared(tmp_path):
    """Nothing above is left out in silence: of ten samples, more than half of the forms count."""
    assert check_all(drawn(10, 6), tmp_path) > 5 * len(FORMS)


@pytest.mark.heavy  # a sweep
@pytest.mark.parametrize("seed", range(8))
def test_many_drawn_samples(seed, tmp_path):
    for primitive, number in drawn(250, 100 + seed):
        try:
            compared(primitive, number, tmp_path)
        except Exception as error:
            raise AssertionError(f"{_name(primitive)} {number}") from error
