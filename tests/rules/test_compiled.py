"""Every sample as a function of its own, compiled: the kinds of its operands may not spoil a rule.

A template says what is right in general; the compiler fills in what it knows of shapes and dtypes,
and leaves out what that makes superfluous. Both must give the same adjoints.
"""

import importlib.util
import inspect
import sys

import numpy as np
import pytest

from autodiff import AutodiffError, vjp
from autodiff.rules import registry
from tests.rules.checks import differentiated, same_form
from tests.rules.oracle import adjoints_of, bind, frozen, is_inexact, leaves, random_like
from tests.rules.samples import SAMPLES
from tests.rules.test_rules import PRIMITIVES, _name

pytestmark = pytest.mark.heavy  # a sweep
REFUSED = frozenset("numpy.histogram2d numpy.histogramdd numpy.pad".split())
"""Rules of which some sample is refused; one that is mended has to leave the list."""


def written(number, sample, rule, result="{}"):
    """A function that makes the sample's call, as text; its arguments; the other values by name.

    result: what it returns, with the call in it.
    """
    names = differentiated(rule, sample)
    values = bind(rule, sample.args, sample.kwargs)
    taken, arguments, scope, parts = [], {}, {}, []
    for position, parameter in enumerate(rule.parameters):
        own, value = parameter.name, values.get(parameter.name)
        by_keyword = own in sample.kwargs or parameter.kind is parameter.KEYWORD_ONLY
        if parameter.kind is parameter.VAR_POSITIONAL:
            for k, item in enumerate(value):
                active = own in names and any(map(is_inexact, leaves(item)))
                text = f"{own}_{k}" if active else f"{own}_of_{number}_{k}"
                (arguments if active else scope)[text] = item
                taken += [text] if active else []
                parts.append(repr(item) if isinstance(item, (int, str)) else text)
        elif position >= len(sample.args) and own not in sample.kwargs:
            continue
        else:
            text = own
            if own in names:
                taken.append(own)
                arguments[own] = value
            elif _is_literal(value):
                text = repr(value)
            else:
                text = f"{own}_{number}"
                scope[text] = value
            parts.append(f"{own}={text}" if by_keyword else text)
    call = result.format(f"primitive({', '.join(parts)})")
    return f"def call_{number}({', '.join(taken)}):\n    return {call}\n", arguments, scope


def _is_literal(value):
    if isinstance(value, (list, tuple)):
        return all(map(_is_literal, value))
    if isinstance(value, float):
        return np.isfinite(value)
    return value is None or isinstance(value, (bool, int, str))


def compiled(folder, primitive, samples, rule_of, result="{}"):
    """The functions of all samples of a primitive, read from a file."""
    texts, scope, calls = [], {"primitive": primitive, "np": np}, []
    for number, sample in enumerate(samples):
        text, arguments, values = written(number, sample, rule_of(sample), result)
        texts.append(text)
        scope.update(values)
        calls.append((f"call_{number}", arguments))
    # A new file each time: Python takes one of the same second and size for the one it compiled.
    path = folder / f"samples_{len(list(folder.glob('*.py')))}.py"
    path.write_text("\n\n".join(texts))
    spec = importlib.util.spec_from_file_location(f"samples_{id(primitive)}", path)
    module = importlib.util.module_from_spec(spec)
    vars(module).update(scope)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return [(getattr(module, name), arguments) for name, arguments in calls]


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=_name)
def test_compiled_samples_give_what_the_template_says(primitive, tmp_path):
    def rule_of(sample):
        return registry.rule_for(primitive, len(sample.args))

    samples, refused = SAMPLES[primitive], False
    for sample, (function, arguments) in zip(
        samples, compiled(tmp_path, primitive, samples, rule_of)
    ):
        try:
            with np.errstate(all="ignore"):
                agree(primitive, sample, rule_of(sample), function, arguments)
        except Exception as error:
            refused = refused or isinstance(error, AutodiffError)
            if isinstance(error, AutodiffError) and _name(primitive) in REFUSED:
                continue
            text = inspect.getsource(function)
            raise AssertionError(f"{_name(primitive)}{sample}\n{text}") from error
    assert refused == (_name(primitive) in REFUSED)


def agree(primitive, sample, rule, function, arguments):
    args, kwargs = frozen(list(sample.args)), frozen(sample.kwargs)
    seed = random_like(primitive(*args, **kwargs), np.random.default_rng(5))
    _, expected = adjoints_of(primitive, args, kwargs, seed, differentiated(rule, sample))
    result, pullback = vjp(function, *arguments.values())
    found = dict(zip(arguments, pullback(seed)))
    for own, adjoint in found.items():
        same_form(adjoint, arguments[own])
        stem, _, place = own.rpartition("_")
        reference = expected[own] if own in expected else expected[stem][int(place)]
        for a, b, given in zip(
            leaves(adjoint), leaves(reference), leaves(arguments[own]), strict=True
        ):  # whole numbers in an argument are none that a derivative is asked for
            wanted = b if is_inexact(given) else np.zeros_like(b)
            np.testing.assert_allclose(a, wanted, rtol=1e-6, atol=1e-9)
