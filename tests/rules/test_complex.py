"""Samples of real numbers made complex, wherever the primitive takes them: no rule forgets conj."""

import numpy as np
import pytest

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
    "histogram": "the elements are compared with the edges",
}
"""What takes complex numbers and means real ones."""


def made_complex(sample):
    rng = np.random.default_rng(0)

    def turned(leaf):
        if isinstance(leaf, np.ndarray) and leaf.dtype == np.float64:
            return leaf + 1j * rng.uniform(-0.5, 0.5, leaf.shape)
        return complex(leaf, rng.uniform(-0.5, 0.5)) if type(leaf) is float else leaf

    args = tuple(mapped(turned, list(sample.args)))
    return Sample(args, sample.kwargs, sample.wrt, sample.symmetric)


def is_of_real_numbers(primitive):
    module, own = home(primitive)
    return (module or "").startswith("scipy.stats") or own in _REAL


@pytest.mark.parametrize(
    "primitive", [p for p in PRIMITIVES if not is_of_real_numbers(p)], ids=_name
)
def test_adjoints_of_complex_numbers(primitive):
    with np.errstate(all="ignore"):
        for sample in SAMPLES[primitive][:_MANY]:
            sample = made_complex(sample)
            try:
                primitive(*sample.args, **sample.kwargs)
            except (TypeError, ValueError, NotImplementedError, Warning):
                continue  # not of complex numbers, or their imaginary parts are dropped
            if not sample.symmetric:
                try:
                    check(primitive, sample, 1e-5)
                except (TypeError, ValueError):  # refused, or no derivative: phases of vectors
                    continue
