"""Samples again in other dtypes and memory layouts: adjoints have the dtype of their primal."""

import warnings

import numpy as np
import pytest

from autodiff.rules import registry
from tests.rules.checks import differentiated, same_form
from tests.rules.oracle import adjoints_of, frozen, is_inexact, leaves, mapped, random_like
from tests.rules.samples import SAMPLES
from tests.rules.test_rules import PRIMITIVES, _name

pytestmark = pytest.mark.heavy  # a sweep

# Linear algebra and SciPy refuse some of these dtypes themselves, in the middle of an adjoint.
PRIMITIVES = [
    primitive
    for primitive in PRIMITIVES
    if not {"scipy", "linalg"} & set(registry.rule_for(primitive).module.__name__.split("."))
]

DTYPES = {
    "float32": (np.float32, np.complex64, 2e-3),
    "longdouble": (np.longdouble, np.clongdouble, 1e-6),
    "float16": (np.float16, np.complex64, 0.1),
}


def in_dtype(real, complex_):
    def cast(leaf):
        if not isinstance(leaf, np.ndarray) or not is_inexact(leaf):
            return leaf
        return leaf.astype(complex_ if np.iscomplexobj(leaf) else real)

    return cast


def fortran(leaf):
    return np.asfortranarray(leaf) if isinstance(leaf, np.ndarray) and leaf.ndim else leaf


def strided(leaf):
    """A view of every second element, backwards."""
    if not isinstance(leaf, np.ndarray) or not leaf.ndim:
        return leaf
    wide = np.repeat(leaf, 2, axis=-1)
    wide[..., 1::2] = 0
    return wide[..., ::2][..., ::-1][..., ::-1]


def numbers(leaf):
    """NumPy scalars in place of Python floats."""
    return np.float64(leaf) if type(leaf) is float else leaf


LAYOUTS = {"Fortran": fortran, "strided": strided, "scalars": numbers}


def adjoints(primitive, args, kwargs, names):
    result = primitive(*args, **kwargs)
    seed = random_like(result, np.random.default_rng(5))
    return adjoints_of(primitive, args, kwargs, frozen(seed), names)[1]


def compared(primitive, sample, change, tolerance):
    """The adjoints of the changed sample, beside those of the sample as it is."""
    rule = registry.rule_for(primitive, len(sample.args))
    names = differentiated(rule, sample)
    args, kwargs = mapped(change, list(sample.args)), mapped(change, sample.kwargs)
    shapes = [
        [np.shape(leaf) for leaf in leaves(primitive(*a, **k))]
        for a, k in ((sample.args, sample.kwargs), (args, kwargs))
    ]
    if shapes[0] != shapes[1]:
        return  # what is a zero to be cut off depends on the precision
    expected = adjoints(primitive, list(sample.args), sample.kwargs, names)
    found = adjoints(primitive, args, kwargs, names)
    values = dict(zip([p.name for p in rule.parameters], args)) | kwargs
    for name in names:
        if name in values and not any(p.kind is p.VAR_POSITIONAL for p in rule.parameters):
            same_form(found[name], values[name])
        for a, b in zip(leaves(found[name]), leaves(expected[name]), strict=True):
            a, b = np.asarray(a), np.asarray(b)
            assert a.shape == b.shape
            np.testing.assert_allclose(
                a.astype(complex), b.astype(complex), rtol=tolerance, atol=tolerance
            )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("primitive", PRIMITIVES, ids=_name)
def test_memory_order_does_not_matter(primitive, layout):
    if primitive in ORDERED:
        pytest.skip("its result depends on the order in memory")
    for sample in SAMPLES[primitive]:
        with np.errstate(all="ignore"):
            compared(primitive, sample, LAYOUTS[layout], 1e-9)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("primitive", PRIMITIVES, ids=_name)
def test_the_dtype_stays(primitive, dtype):
    real, complex_, tolerance = DTYPES[dtype]
    if primitive is np.partition:
        pytest.skip("NumPy orders the elements beside the chosen ones differently for each dtype")
    done = 0
    for sample in SAMPLES[primitive]:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            change = in_dtype(real, complex_)
            args = mapped(change, list(sample.args))
            try:
                primitive(*args, **mapped(change, sample.kwargs))
            except (TypeError, ValueError, np.linalg.LinAlgError):
                continue  # NumPy itself does not take this dtype
            compared(primitive, sample, change, tolerance)
            done += 1
    assert done or dtype != "float32"


# These read the order in memory (`order="A"`).
ORDERED = {np.reshape, np.ravel, np.ndarray.flatten}
