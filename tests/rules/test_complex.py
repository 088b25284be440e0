"""Samples of real numbers made complex, wherever the primitive takes them: no rule forgets conj."""

import contextlib
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from autodiff import grad
from autodiff.errors import NonDifferentiableError
from autodiff.rules.home import home
from tests.rules.checks import check
from tests.rules.oracle import mapped
from tests.rules.sample import Sample
from tests.rules.samples import SAMPLES
from tests.rules.test_rules import PRIMITIVES, _name

pytestmark = pytest.mark.heavy  # a sweep

_MANY = 12
_REAL = {
    "cumulative_prod": "with dtype=float64 it drops the imaginary part",
    "unique_values": "differences reorder complex numbers",
    "cdist": "SciPy drops the imaginary part",
    "pdist": "SciPy drops the imaginary part",
    "splev": "SciPy drops the imaginary part",
    "splev_slope": "of splev",
    "splint": "SciPy drops the imaginary part",
    "pbdn_seq": "SciPy has other functions off the real axis",
    "histogram": "the elements are compared with the edges",
}
"""What takes complex numbers and means real ones."""

_PHASES = r"the result depends on the phases"
_BASIS = r"the result depends on the basis found"
_REFUSED = {
    "kaiser": (TypeError, "i0 not supported for complex values"),
    "maximum": (TypeError, "not supported between instances of 'complex'"),
    "minimum": (TypeError, "not supported between instances of 'complex'"),
    "svd": (ValueError, _PHASES),
    "eig": (ValueError, _PHASES),
    "schur": (ValueError, _PHASES),
    "hessenberg": (TypeError, "for real matrices only"),
    "psi": (TypeError, "ufunc '_zeta' not supported"),
    "correlate2d": (ValueError, "conjugates the wrong operand"),
    "eigh": (ValueError, _PHASES),
    "rq": (ValueError, _BASIS),
    "orth": (ValueError, _PHASES),
    "null_space": (ValueError, _BASIS),
    "simpson": (TypeError, "the points of simpson are real"),
}
"""What some samples raise: where the derivative calls what is of real numbers only (as NumPy is for
two Python numbers, which are compared), and where there is no derivative."""


def made_complex(sample):
    rng = np.random.default_rng(0)

    def turned(leaf):
        if isinstance(leaf, np.ndarray) and leaf.dtype == np.float64:
            return leaf + 1j * rng.uniform(-0.5, 0.5, leaf.shape)
        return complex(leaf, rng.uniform(-0.5, 0.5)) if type(leaf) is float else leaf

    args = tuple(mapped(turned, list(sample.args)))
    return Sample(args, sample.kwargs, sample.wrt, sample.rough)


def is_of_real_numbers(primitive):
    module, own = home(primitive)
    return (module or "").startswith("scipy.stats") or own in _REAL


@pytest.mark.parametrize(
    "primitive", [p for p in PRIMITIVES if not is_of_real_numbers(p)], ids=_name
)
def test_adjoints_of_complex_numbers(primitive):
    refused = 0
    kind, message = _REFUSED.get(home(primitive)[1] or "", (None, ""))
    with np.errstate(all="ignore"):
        for sample in SAMPLES[primitive][:_MANY]:
            sample = made_complex(sample)
            try:
                primitive(*sample.args, **sample.kwargs)
            except (TypeError, ValueError, NotImplementedError, Warning):
                continue  # not of complex numbers, or their imaginary parts are dropped
            try:
                check(primitive, sample, 1e-5)
            except (TypeError, ValueError) as error:
                if kind is not type(error) or not re.search(message, str(error)):
                    raise
                refused += 1
    assert bool(refused) == (kind is not None), "strike it out of the list"


_ONE = 2
"""How many samples are made complex operand by operand."""

_TOGETHER = {
    "solve_sylvester": "SciPy's own result is wrong for real and complex matrices together",
    "solve_continuous_lyapunov": "SciPy's own result is wrong, as above",
    "solve_discrete_lyapunov": "the bilinear method is wrong, as above",
    "var": "NumPy squares what is complex because of `mean=`",
    "std": "as var",
    "insert_adjoint": "of real adjoints for real values",
    "quantile_change": "of real tangents for real values",
    "nanquantile_change": "of real tangents for real values",
    "zeta": "SciPy gives NaN",
    "of_weights": "what stands around real images is real",
    "moved_places": "places, and what they move by, are real",
    "scattered_moved": "as moved_places",
}
"""What may not be complex in one operand and real in the others."""


def mixed(sample):
    """The sample with one operand made complex at a time: an argument, or an item of a list."""
    whole = made_complex(sample)
    for k, new in enumerate(whole.args):
        args = sample.args
        if isinstance(new, (list, tuple)):
            for j in range(len(new)):
                items = type(new)([*args[k][:j], new[j], *args[k][j + 1 :]])
                yield replace(sample, args=(*args[:k], items, *args[k + 1 :]))
        yield replace(sample, args=(*args[:k], new, *args[k + 1 :]))
    for key in sample.kwargs:
        one = made_complex(Sample((sample.kwargs[key],))).args[0]
        yield replace(sample, kwargs={**sample.kwargs, key: one})


@pytest.mark.parametrize(
    "primitive", [p for p in PRIMITIVES if not is_of_real_numbers(p)], ids=_name
)
def test_adjoints_of_complex_and_real_numbers_together(primitive):
    """Of what is real the adjoint is, too; no rule takes one operand's kind for the other's."""
    own = home(primitive)[1] or ""
    if own in _TOGETHER or own in _REFUSED:
        pytest.skip(_TOGETHER.get(own, "see _REFUSED"))
    with np.errstate(all="ignore"):
        for sample in SAMPLES[primitive][:_ONE]:
            for changed in mixed(sample):
                try:
                    primitive(*changed.args, **changed.kwargs)
                except (TypeError, ValueError, NotImplementedError, Warning):
                    continue
                with contextlib.suppress(NotImplementedError):  # by a rule of real matrices
                    check(primitive, changed, 1e-5)


@pytest.mark.parametrize("method", [stats.norm.logpdf, stats.laplace.cdf, stats.pareto.pdf])
def test_distributions_are_of_real_numbers(method):
    def of_complex(x, shape):
        return np.real(method(x * (1 + 2j), *shape))

    def of_unknown(x, shape, z):
        y = np.array([x, z]) if shape == 3.0 else x  # of either kind
        return np.sum(np.real(method(y, 2.0, 1.0)))

    shape = (2.0,) if method.__self__ is stats.pareto else ()
    with pytest.raises(NonDifferentiableError, match="may be complex"):
        grad(of_complex)(0.7, shape)
    with pytest.raises(NonDifferentiableError, match="may be complex"):
        grad(of_unknown)(0.7, 1.0, 1j)
