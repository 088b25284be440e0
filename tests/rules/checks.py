"""What every rule must satisfy on a sample."""

import numpy as np

from autodiff.rules import registry
from tests.rules.oracle import (
    adjoints_of,
    bind,
    contributions,
    directional,
    frozen,
    inner,
    is_inexact,
    leaves,
    mapped,
    random_like,
)


def differentiated(rule, sample):
    """The names of the parameters that a sample differentiates."""
    if sample.wrt is not None:
        return list(sample.wrt)
    values = bind(rule, sample.args, sample.kwargs)
    return [
        name
        for name in rule.adjoints
        if any(is_inexact(leaf) for leaf in leaves(values[name]))
        and not _is_default(rule, name, values)
    ]


def _is_default(rule, name, values):
    default = {p.name: p.default for p in rule.parameters}[name]
    return values[name] is default


def caller(primitive, rule, sample, name):
    """The primitive as a function of one of its parameters."""
    values = bind(rule, sample.args, sample.kwargs)
    given = len(sample.args)

    def call(new):
        args, kwargs = [], dict(sample.kwargs)
        for position, parameter in enumerate(rule.parameters):
            value = new if parameter.name == name else values[parameter.name]
            if parameter.kind is parameter.VAR_POSITIONAL:
                args.extend(value)
            elif parameter.name in kwargs:
                kwargs[parameter.name] = value
            elif position < given and parameter.kind is not parameter.KEYWORD_ONLY:
                args.append(value)
        return primitive(*args, **kwargs)

    return call


def check(primitive, sample, tolerance=2e-7):
    """<seed, J v> = <adjoint, v> for each parameter; shapes and dtypes; inputs are only read."""
    rule = registry.rule_for(primitive, len(sample.args))
    rng = np.random.default_rng(5)
    args, kwargs = frozen(list(sample.args)), frozen(sample.kwargs)
    result = primitive(*args, **kwargs)
    seed = frozen(random_like(result, rng))
    names = differentiated(rule, sample)
    assert names, "the sample differentiates nothing"
    values, raw = contributions(rule, result, args, kwargs, seed, names)
    _, adjoints = adjoints_of(primitive, args, kwargs, seed, names)
    for name in names:
        x = values[name]
        same_form(adjoints[name], x)
        if not rule.elementwise and isinstance(x, np.ndarray) and not is_zero(raw[name]):
            assert np.shape(raw[name]) == x.shape, f"d[{name}] has shape {np.shape(raw[name])}"
        v = random_like(x, rng)
        step = 0.1 if sample.rough else 1e-4
        tangent = directional(caller(primitive, rule, sample, name), x, v, step)
        expected, found = inner(seed, tangent), inner(adjoints[name], v)
        scale = max(1.0, abs(expected), inner(seed, seed) ** 0.5)
        allowed = max(tolerance, sample.rough) * scale
        assert abs(expected - found) <= allowed, f"d[{name}]: {found}, not {expected}"


def check_single(primitive, sample):
    """What is all in float32 stays float32, without any help from outside the template."""
    rule = registry.rule_for(primitive, len(sample.args))
    args = mapped(_single, list(sample.args))
    kwargs = mapped(_single, sample.kwargs)
    result = primitive(*args, **kwargs)
    if any(
        getattr(leaf, "dtype", None) != np.float32 for leaf in leaves(result) if is_inexact(leaf)
    ):
        return
    seed = random_like(result, np.random.default_rng(5))
    names = differentiated(rule, sample)
    values, raw = contributions(rule, result, args, kwargs, seed, names)
    for name in names:
        if isinstance(values[name], np.ndarray) and not is_zero(raw[name]):
            assert np.real(raw[name]).dtype == np.float32, f"d[{name}] has dtype {raw[name].dtype}"


def _single(leaf):
    if isinstance(leaf, np.ndarray) and leaf.dtype == np.float64:
        return leaf.astype(np.float32)
    return leaf


def is_zero(value):
    """Whether a template says that a parameter contributes nothing."""
    return isinstance(value, float) and value == 0.0


def same_form(adjoint, x):
    """The adjoint has the structure, the shapes and the dtypes of its primal."""
    if isinstance(x, (list, tuple)):
        assert type(adjoint) is type(x) and len(adjoint) == len(x)
        for a, b in zip(adjoint, x):
            same_form(a, b)
    elif isinstance(x, dict):
        assert adjoint.keys() == x.keys()
        for key in x:
            same_form(adjoint[key], x[key])
    elif is_inexact(x):
        assert np.shape(adjoint) == np.shape(x)
        if isinstance(x, (np.ndarray, np.generic)):
            assert adjoint.dtype == x.dtype
            assert isinstance(adjoint, np.ndarray) == isinstance(x, np.ndarray)
        else:
            assert np.iscomplexobj(adjoint) <= isinstance(x, complex)
