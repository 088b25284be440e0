"""The kinds of what random generators return, which must not move them on."""

from __future__ import annotations

import numpy as np

from autodiff import grad

RNG = np.random.default_rng(0)


def noisy(x):
    return np.sum(RNG.normal(size=len(x)) * x) * np.random.rand()


def test_compiling_draws_no_numbers() -> None:
    before, shared = RNG.bit_generator.state, np.random.get_state()[2]
    source = grad(noisy).source_for(np.ones(3))
    assert RNG.bit_generator.state == before
    assert np.random.get_state()[2] == shared
    assert "unbroadcast" not in source


def test_many_draws_are_not_drawn_to_compile() -> None:
    """10**12 doubles would not fit in memory."""

    def huge(x, n=10**12):
        return x * np.sum(RNG.normal(size=(10**12,)))

    assert "unbroadcast" not in grad(huge).source_for(1.0)


def test_a_generator_is_no_number() -> None:
    def step(x, rng):
        for _ in range(3):
            x = np.sin(x) * rng.normal()
        return x

    slope = grad(step)
    assert slope(0.5, np.random.default_rng(1)) == slope(0.5, np.random.default_rng(1))
    assert "rng_bar" not in slope.source
