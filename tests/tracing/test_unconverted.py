"""What NumPy does not store is an error in derivatives, too, and what it converts is converted.

An update in place, `out=` and `np.copyto` take what is of the same kind (`is_unconverted`), and an
`out=` of what is not element-wise has the shape of the result (`has_other_shape`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.judge import judge
from tests.tracing.alone import followed_alone

X = np.array([0.7, -0.4, 1.3, 0.2])
W = np.array([1.0, 2.0, 3.0, 4.0])
REFUSED = (
    *("y += 0.5", "y /= 2", "y -= x", "y[1:] *= 0.5", "y[y > 1] *= 0.5", "y.flat[:] += 0.5"),
    *("y += 1j", "b = y > 1; b -= b", "b = y > 1; -b", "k = y.astype(np.uint8); k += y"),
    *("z = x * 2.0; z *= 1j", "np.multiply(x, 1j, out=x * 2)"),
    # NumPy 1 cuts the number, with a warning.
    *(["k = y.astype(np.uint8); k[0] = 300"] if np.__version__ >= "2" else []),
    *("np.add(y, 0.5, out=y)", "np.multiply(x, 2.0, out=y)", "np.negative(x, out=y, where=x > 0)"),
    *("np.matmul(np.outer(x, x), x, out=y)", "x.clip(0, 1, out=y)"),
    *("np.sum(x, out=np.zeros(1))", "np.cumsum(x, out=np.zeros((2, 4)))"),
    *("np.copyto(y, x)", "np.copyto(y, 0.5)", "np.putmask(y, y > 1, x)", "np.place(y, y > 1, x)"),
)
CODE = """
def alone(x):
    y = np.arange(4)
    {0}
    return np.sum(x**2)

def caught(x):
    y = np.arange(4)
    try:
        {0}
        total = np.sum(x)
    except (TypeError, ValueError, OverflowError):
        total = np.sum(x**2)
    return total
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, Any]]:
    """For each statement, the function with it alone, and that with it in a `try`."""
    path = tmp_path_factory.mktemp("unconverted") / "programs.py"
    text = ["import numpy as np"]
    for number, line in enumerate(REFUSED):
        own = CODE.format(line)
        text.append(own.replace("alone", f"alone{number}").replace("caught", f"caught{number}"))
    path.write_text("\n".join(text))
    names: dict[str, Any] = {"__name__": "unconverted"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return {line: (names[f"alone{k}"], names[f"caught{k}"]) for k, line in enumerate(REFUSED)}


@pytest.mark.parametrize("line", REFUSED)
def test_refused(both: dict[str, tuple[Any, Any]], line: str) -> None:
    """The error is raised, and a `try` takes it; also where the run is followed."""
    alone, caught = both[line]
    with pytest.raises((TypeError, ValueError, OverflowError)) as own:
        alone(X)
    for derivative in (grad(alone), lambda x: jvp(alone, (x,), (x,))):
        with pytest.raises(type(own.value)):
            derivative(X)
    assert np.allclose(grad(caught)(X), 2 * X)
    with followed_alone():
        with pytest.raises(type(own.value)):
            grad(alone)(X)
        assert np.allclose(grad(caught)(X), 2 * X)


def whole_as_complex(x, a):
    y = np.zeros(4, complex)
    np.add(W, 1.0, out=y)
    return np.sum(x * a[0] * y.real)


def truth_as_whole(x, a):
    y = np.zeros(4, int)
    np.greater(W, 1, out=y)
    return np.sum(x * a[1] * y)


def cut_on_demand(x, a):
    y = np.zeros(4, int)
    np.add(W, 1.5, out=y, casting="unsafe")
    return np.sum(x * a[2] * y)


@pytest.mark.parametrize("program", [whole_as_complex, truth_as_whole, cut_on_demand])
def test_converted(program: Callable[..., Any]) -> None:
    """A call of which the compiler does not take the output keeps it where it runs as it stands."""
    assert judge(program, [(0.7, W)], wrt=("x", "a"), modes=("grad", "jvp")).what == "right"
