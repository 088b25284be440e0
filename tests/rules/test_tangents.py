"""The tangent of every rule, compiled, agrees with its adjoint: <seed, J v> = <x_bar, v>.

Tangents follow from the template (elementwise, linear, products), or the compiler transposes it.
"""

import numpy as np
import pytest

from autodiff.errors import AutodiffError
from autodiff.rules import registry
from autodiff.transforms.tangents import Tangent
from tests.rules.checks import differentiated
from tests.rules.oracle import adjoints_of, frozen, inner, is_inexact, leaves, random_like
from tests.rules.samples import SAMPLES
from tests.rules.test_compiled import compiled
from tests.rules.test_rules import PRIMITIVES, _name

pytestmark = pytest.mark.heavy  # a sweep

REFUSED = frozenset("autodiff.runtime.sets.block_adjoint numpy.gradient numpy.histogramdd".split())
"""Rules that forward mode refuses for some of the samples asked here."""


def chosen(primitive):
    """The first samples of a rule and the last: they differ most in shapes and keywords."""
    samples = SAMPLES[primitive]
    return [samples[0], *samples[1:][-1:]]


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=_name)
def test_tangents_agree_with_adjoints(primitive, tmp_path):
    def rule_of(sample):
        return registry.rule_for(primitive, len(sample.args))

    samples, refused = chosen(primitive), []
    for sample, (function, arguments) in zip(
        samples, compiled(tmp_path, primitive, samples, rule_of)
    ):
        try:
            with np.errstate(all="ignore"):
                agree(primitive, sample, rule_of(sample), function, arguments)
        except (AutodiffError, NotImplementedError, np.exceptions.ComplexWarning) as error:
            refused.append(str(error))
    assert bool(refused) == (_name(primitive) in REFUSED), refused


def agree(primitive, sample, rule, function, arguments):
    args, kwargs = frozen(list(sample.args)), frozen(sample.kwargs)
    result = primitive(*args, **kwargs)
    seed = random_like(result, np.random.default_rng(5))
    _, expected = adjoints_of(primitive, args, kwargs, seed, differentiated(rule, sample))
    random = np.random.default_rng(7)
    v = {own: random_like(x, random) for own, x in arguments.items()}
    derivative = Tangent(function, "jvp", tuple(arguments))
    _, tangent = derivative.along(tuple(arguments.values()), {}, tuple(v.values()))
    wanted = 0.0
    for own, direction in v.items():
        stem, _, place = own.rpartition("_")
        adjoint = expected[own] if own in expected else expected[stem][int(place)]
        wanted += inner(adjoint, direction)
    found = inner(seed, tangent)
    tolerance = max(1e-6, sample.rough)
    assert abs(found - wanted) <= tolerance * max(1.0, abs(wanted), inner(seed, seed) ** 0.5)
    for a, b in zip(leaves(tangent), leaves(result), strict=True):
        if is_inexact(b):
            assert np.shape(a) == np.shape(b)
            assert np.result_type(a) == np.result_type(b)
