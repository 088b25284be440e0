"""Generated gradients are programs: differentiated again, each rule in them; few are refused."""

import numpy as np
import pytest

from autodiff import AutodiffError
from autodiff.rules import registry
from tests.rules.samples import SAMPLES
from tests.rules.second import second_order
from tests.rules.test_rules import _name

pytestmark = pytest.mark.heavy  # a sweep
REFUSED = frozenset(
    """
    None.ndarray.tolist numpy.histogram2d numpy.histogramdd numpy.unstack
    scipy.linalg._decomp.eigvals_banded scipy.signal._spline_filters.qspline2d
    scipy.special._basic.pro_cv_seq scipy.special.assoc_legendre_p
    scipy.special.sph_legendre_p_all autodiff.templates.scipy.special.legendre.of_angle
    scipy.special.assoc_legendre_p_all scipy.special.sph_legendre_p
    autodiff.templates.scipy.special.legendre.of_order scipy.special._basic.obl_cv_seq
    scipy.signal._spline_filters.cspline2d
""".split()
)
"""Rules of which the second derivatives of these samples are refused; a mended one has to leave."""


def chosen(primitive):
    """The first samples of a rule and the last: they differ most in shapes and keywords."""
    samples = SAMPLES[primitive]
    return [samples[0], *samples[1:][-1:]]


CASES = [p for p in SAMPLES if not registry.rule_for(p).elementwise]


@pytest.mark.parametrize("primitive", CASES, ids=_name)
def test_generated_gradients_are_differentiated_again(primitive, tmp_path):
    if _name(primitive) in REFUSED:
        with pytest.raises((AutodiffError, NotImplementedError)), np.errstate(all="ignore"):
            [second_order(primitive, sample, tmp_path) for sample in chosen(primitive)]
        return
    for sample in chosen(primitive):
        with np.errstate(all="ignore"):
            found, expected = second_order(primitive, sample, tmp_path)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
