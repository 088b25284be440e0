"""The parameters of templates are those of the primitives, in the same positions."""

import inspect

import numpy as np
import pytest

from autodiff.rules import registry
from autodiff.rules.home import module_of
from tests.rules.sample import NUMPY


def is_older(primitive):
    """Whether NumPy may lack options that a template names; it refuses them itself."""
    return NUMPY < (2, 3) and module_of(primitive).startswith("numpy")



def title(primitive):
    """What a test is called; SciPy's `MultiUFunc` has no name before 1.16."""
    return getattr(primitive, "__name__", type(primitive).__name__)


def named(primitive):
    """The parameters of a primitive that may be passed by position, and all of them."""
    if isinstance(primitive, type) and issubclass(primitive, np.generic):
        pytest.skip("its signature is that of Python's number, if it has one")
    try:
        parameters = inspect.signature(primitive).parameters.values()
    except (TypeError, ValueError):
        pytest.skip("its signature is not known")
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        pytest.skip("it takes any number of operands")
    positional = [
        None if p.kind is p.POSITIONAL_ONLY else p.name  # nobody can pass it by its name
        for p in parameters
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters)
    return positional, None if open_ended else [p.name for p in parameters]


@pytest.mark.parametrize("primitive", registry.primitives(), ids=title)
def test_options_stand_where_the_primitive_has_them(primitive):
    positional, every = named(primitive)
    for position, parameter in enumerate(registry.rule_for(primitive).parameters):
        if parameter.default is parameter.empty:
            continue
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            # Nothing stands there where the primitive takes it by keyword only.
            assert positional[position : position + 1] in ([parameter.name], [None], [])
        unnamed = positional[position : position + 1] == [None]
        if every is not None and not unnamed and not is_older(primitive):
            assert parameter.name in every


OTHER = ("multigammaln", "eigh_tridiagonal", "pow")
"""The first two call an operand `d`; `pow` has the rule of `**`."""


def is_helper(primitive):
    """Whether a primitive is called by templates alone."""
    return (getattr(primitive, "__module__", None) or "").startswith("autodiff.")


@pytest.mark.parametrize("primitive", registry.primitives(), ids=title)
def test_operands_have_the_names_that_the_primitive_gives_them(primitive):
    positional, _ = named(primitive)
    if title(primitive) in OTHER or is_helper(primitive) or is_older(primitive):
        pytest.skip("its operands have other names")
    for name, parameter in zip(positional, registry.rule_for(primitive).parameters):
        assert name in (parameter.name, None) or parameter.default is not parameter.empty
