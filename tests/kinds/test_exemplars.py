"""Kinds of results that exemplars give, against what the functions return for other sizes."""

import copy

import numpy as np
import pytest

from autodiff import check_grads
from autodiff.kinds.arguments import kinds_of
from autodiff.kinds.exemplar import result_kind
from autodiff.kinds.kind import Array, Record, Scalar, Static
from autodiff.kinds.size import Dim
from autodiff.rules import registry
from tests.rules.samples import SAMPLES
from tests.rules.test_rules import _name


def literal(value, kind):
    """The kind of a value that stands in the text: numbers that say shapes are known."""
    if isinstance(value, (bool, int)):
        return Scalar(type(value).__name__, None, value)
    if isinstance(value, (tuple, list)) and isinstance(kind, Record) and type(value) is kind.cls:
        return Record(kind.cls, kind.keys, tuple(map(literal, value, kind.items)))
    return Static(value) if value is None or isinstance(value, str) else kind


def sizes_of(kind, value):
    """What the names of sizes stand for."""
    if isinstance(kind, Record) and isinstance(value, (list, tuple)):
        pairs = zip(kind.items, value)
        return {name: n for part, own in pairs for name, n in sizes_of(part, own).items()}
    if not isinstance(kind, Array):
        return {}
    return {s.name: n + s.offset for s, n in zip(kind.shape, value.shape) if isinstance(s, Dim)}


def agree(kind, value, sizes):
    """Whether a value is of the kind, as far as the kind says what it is like."""
    if isinstance(kind, Record) and isinstance(value, (list, tuple)):
        alike = len(kind.items) == len(value)
        return alike and all(agree(part, own, sizes) for part, own in zip(kind.items, value))
    if isinstance(kind, Scalar):
        return not isinstance(value, np.ndarray)
    if not isinstance(kind, Array):
        return True
    if not isinstance(value, np.ndarray) or len(kind.shape) != value.ndim:
        return False
    return all(_is(size, n, sizes) for size, n in zip(kind.shape, value.shape))


def _is(size, n, sizes):
    if not isinstance(size, Dim):
        return size is None or size == n
    if size.plural and n < 2:
        return False
    return size.name not in sizes or max(0, sizes[size.name] - size.offset) == n


ASKED = [
    p
    for p in SAMPLES
    if not registry.is_demanding(p) and p is not np.arange  # it is asked values
]


@pytest.mark.heavy  # a sweep
@pytest.mark.parametrize("primitive", ASKED, ids=_name)
def test_sizes_of_results(primitive):
    for sample in SAMPLES[primitive]:
        given = [*sample.args, *sample.kwargs.values()]
        kinds = list(map(literal, given, kinds_of(given)))
        count = len(sample.args)
        named = tuple(zip(sample.kwargs, kinds[count:]))
        try:
            hash((*kinds, named))
        except TypeError:
            continue  # a function that is no value
        kind = result_kind(primitive, tuple(kinds[:count]), named)
        with np.errstate(all="ignore"):
            result = primitive(*copy.deepcopy(sample.args), **copy.deepcopy(sample.kwargs))
        sizes = {name: n for pair in zip(kinds, given) for name, n in sizes_of(*pair).items()}
        assert agree(kind, result, sizes), (kind, np.shape(result))


def shorter_than_the_kernel(x):
    return np.mean(np.convolve(x, [1.0, 2.0, 0.5], "same") ** 2)


def residuals(x):
    a = np.stack([x, np.ones(len(x))], axis=1)
    return np.mean(np.linalg.lstsq(a, x**2, rcond=None)[1])


def remainder(x):
    return np.mean(np.polydiv(x, x[: len(x) - 1])[1] ** 2)


def distinct(x):
    return np.mean(np.unique([x[0] * 2.0, x[1], 0.5]) ** 2)


FUNCTIONS = [shorter_than_the_kernel, residuals, remainder, distinct]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("count", [2, 4])
def test_means_over_results(function, count):
    x = np.random.default_rng(0).uniform(0.5, 1.5, count)
    if count > 2 or function is shorter_than_the_kernel:
        check_grads(function, x)
