"""What is refused inside of a library is told of the call that the user wrote."""

import numpy as np
import pytest
import scipy
from scipy import linalg, signal, stats

from autodiff import grad, jvp
from autodiff.errors import MissingRuleError, UnsupportedSyntaxError
from autodiff.rules.home import public_name


def qz(x):
    return np.sum(linalg.qz(x, x)[0])


def buttap(x):
    return np.sum(signal.buttap(x[0, 0])[0])


def logpdf(x):
    return np.sum(stats.alpha.logpdf(x, 2.0))


ASKING = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 16)
"""Whether these ask their argument which library it is of; before they are plain NumPy."""

CASES = [
    (qz, "scipy.linalg.qz", "linalg.qz(x, x)"),
    (logpdf, "stats.alpha.logpdf", "stats.alpha.logpdf("),
]


@pytest.mark.parametrize(("f", "title", "call"), CASES, ids=[title for _, title, _ in CASES])
@pytest.mark.parametrize("forward", [False, True])
def test_the_function_that_was_called_is_named(f, title, call, forward):
    x = np.array([[3.0, 1.0], [0.5, 2.0]])
    with pytest.raises(MissingRuleError) as caught:
        jvp(f, (x,), (x,)) if forward else grad(f)(x)
    error = caught.value
    assert error.what == f"no derivative rule for {title}"
    assert error.origin.file == __file__
    assert error.origin.text.startswith("return") and call in error.origin.text
    assert f"@adjoint({title})" in error.cure
    assert "its own source cannot be differentiated (line" in error.why


def test_a_member_of_an_enumeration_of_a_library():
    """`np._CopyMode.IF_NEEDED` in what SciPy calls. The zeros of the filter are none."""
    x = np.array([[3.0, 1.0], [0.5, 2.0]])
    np.testing.assert_array_equal(grad(buttap)(x), 0.0)
    assert jvp(buttap, (x,), (x,)) == (0.0, 0.0)


def test_what_a_library_calls_back_is_the_users_own():
    def inner(t):
        yield t

    def f(x):
        return np.sum(np.apply_along_axis(lambda row: inner(row), 0, x))

    with pytest.raises(UnsupportedSyntaxError) as caught:
        grad(f)(np.ones((2, 2)))
    assert "a generator" in caught.value.what
    assert caught.value.origin.file == __file__


def test_names_are_public():
    assert public_name(linalg.rq) == "scipy.linalg.rq"
    assert public_name(signal.lfilter) == "scipy.signal.lfilter"
    assert public_name(np.add) == "numpy.add"
    assert public_name(qz) == f"{__name__}.qz"
