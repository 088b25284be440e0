"""Samples of primitives: data from which the tests of the rules are made."""

import math
from dataclasses import dataclass, field

import numpy as np

NUMPY = tuple(int(part) for part in np.__version__.split(".")[:2])
"""The version of NumPy: what is older lacks some keywords."""


@dataclass(frozen=True)
class Sample:
    """One call of a primitive.

    wrt: names of the parameters to differentiate; None for all that have a rule and hold floats.
    rough: the primitive computes, linearly, in a precision that gives no more than this.
    """

    args: tuple
    kwargs: dict = field(default_factory=dict)
    wrt: tuple[str, ...] | None = None
    rough: float = 0.0


def call(*args, wrt=None, rough=0.0, **kwargs):
    """A sample written as the call it makes."""
    return Sample(args, kwargs, wrt, rough)


def since(version, *samples):
    """The samples if NumPy is that new. They are made in any case: the numbers of the samples that
    follow are the same with every NumPy."""
    return samples if NUMPY >= version else ()


class Numbers:
    """Reproducible arrays; two arrays of one shape differ."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def __call__(self, *shape, low=-1.0, high=1.0):
        """Uniform numbers that keep 0.03 away from 0 and, with probability 1, from each other."""
        x = self.rng.uniform(low, high, shape)
        return np.where(np.abs(x) < 0.03, x + 0.06, x)

    def apart(self, *shape):
        """Numbers in random order of which no two are close to each other, or to 0."""
        count = math.prod(shape)
        x = (np.arange(count) + self.rng.uniform(0.2, 0.8, count)) / count
        return self.rng.permutation(2 * x - 1).reshape(shape)

    def complex(self, *shape):
        return self(*shape) + 1j * self(*shape)

    def number(self, low=-1.0, high=1.0):
        return float(self(low=low, high=high))

    def positive_definite(self, *shape):
        a = self(*shape)
        return a @ np.swapaxes(a, -1, -2) + 0.5 * np.eye(shape[-1])

    def regular(self, *shape):
        return self(*shape) + 2.0 * np.eye(shape[-1])


HALF = np.array([[2.1, 9.0, 9.0], [0.4, 1.7, 9.0], [-0.3, 0.5, 1.4]])
"""A symmetric matrix of which the lower triangle is there: what is read of it."""
