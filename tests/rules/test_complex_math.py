"""Rules of the cmath module (`templates/complex_math.py`)."""

import cmath

import pytest

from autodiff import grad, jvp

ENTIRE = "exp sin cos tan sinh cosh tanh asinh atan sqrt log log10 asin acos acosh atanh"


@pytest.mark.parametrize("word", ENTIRE.split())
@pytest.mark.parametrize("x", [0.6, 1.7, -1.6])
def test_functions_of_cmath_on_both_sides_of_their_cuts(word, x):
    """What they give of a real number is complex, where NumPy's give NaN, too."""
    function = getattr(cmath, word)

    def mixed(t):
        return function(t).real + 3.0 * function(t).imag

    def turned(t):
        return abs(function(t * (0.7 + 0.4j)))

    for of in (mixed, turned):
        expected = (of(x + 1e-6) - of(x - 1e-6)) / 2e-6
        assert abs(grad(of)(x) - expected) < 1e-7 * (1 + abs(expected))
        assert abs(jvp(of, (x,), (1.0,))[1] - expected) < 1e-7 * (1 + abs(expected))
