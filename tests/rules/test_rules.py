"""Every rule over its own samples."""

import warnings

import numpy as np
import pytest

from autodiff import grad
from autodiff.rules import adjoint, d, newer, registry
from autodiff.rules.home import home, module_of
from tests.rules.checks import check, check_single
from tests.rules.sample import NUMPY, call
from tests.rules.samples import SAMPLES

# Other test modules register rules of their own while they are collected.
PRIMITIVES = [
    primitive
    for primitive in registry.primitives()
    if registry.rule_for(primitive).module.__name__.startswith("autodiff.templates")
]


def _name(primitive):
    return ".".join(map(str, home(primitive)))


def test_the_module_of_what_a_compiled_extension_made():
    """A class of Cython keeps a descriptor where others have the name of their module."""

    class Compiled:
        __module__ = property(lambda self: "extension.part")

    assert module_of(Compiled()) == "extension.part"
    assert module_of(Compiled) == "builtins"
    assert module_of(np.sin) == "numpy"
    assert module_of(3.0) == "builtins"


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=_name)
def test_the_adjoint_agrees_with_differences(primitive):
    samples = SAMPLES.get(primitive, [])
    assert samples, f"{_name(primitive)} has a rule and no sample: add one to tests/rules/samples"
    with np.errstate(all="ignore"):
        for number, sample in enumerate(samples):
            try:
                check(primitive, sample)
            except Exception as error:
                raise AssertionError(f"sample {number}, {_name(primitive)}{sample}") from error


@pytest.mark.skipif(NUMPY < (2, 0), reason="values of numbers decide the precision in NumPy 1")
@pytest.mark.parametrize("primitive", PRIMITIVES, ids=_name)
def test_single_precision_stays(primitive):
    for sample in SAMPLES.get(primitive, []):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of scipy.linalg.logm: inaccurate
            check_single(primitive, sample)


def test_samples_belong_to_rules():
    assert not [_name(p) for p in SAMPLES if registry.rule_for(p) is None]


def doubled(x):
    return 2 * x


def raised(x, *rest, k=2):
    return x**k


def test_a_rule_holds_for_the_function_itself():
    @adjoint(raised)
    def raised_adjoint(y, x, *rest, k=2):
        d[x] = 50.0 * d[y]

    assert grad(raised)(0.5) == 50.0
    assert grad(raised)(0.5, 1.0, k=3) == 50.0
    assert grad(lambda x: raised(x, k=1))(0.5) == 50.0


def cubed(x):
    return x**3


def test_a_function_that_numpy_lacks_gets_no_rule():
    before = registry.primitives()

    @adjoint(newer.linalg.of_the_future)
    def future_adjoint(y, x):
        d[x] = d[y]

    assert registry.primitives() == before

    @adjoint(newer.of_the_future, cubed, newer.future.sin)
    def cubed_adjoint(y, x):
        d[x] = 50.0 * d[y]

    assert registry.primitives() == (*before, cubed)
    assert grad(cubed)(0.5) == 50.0


def test_a_wrong_rule_is_noticed():
    @adjoint(doubled)
    def doubled_adjoint(y, x):
        d[x] = 3 * d[y]

    with pytest.raises(AssertionError, match="not"):
        check(doubled, call(np.array([1.0, 2.0])))
