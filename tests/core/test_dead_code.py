"""A derivative raises what its function raises, also in code that no derivative needs."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from tests.core.judge import core_alone

X, B = np.array([0.5, 1.5, 2.0]), np.ones(4)
RAISING = (
    "np.linalg.cholesky(-np.eye(2))",
    "np.linalg.inv(np.zeros((2, 2)) * b[0])",
    "np.linalg.solve(np.zeros((3, 3)), x)",
    "np.linalg.det(b)",
    "c = [1.0, 2.0][len(b) + 7]",
    "c = [k for k in range(3)][5]",
    "c = x[7]",
    "c = x[len(b) + 7]",
    "c = x[[0, 9]]",
    "c = x[b]",
    "c = b[:, 0]",
    "c = x.T[0, 0]",
    "c = np.take(x, 9)",
    "c = np.outer(x, b)[3]",
    "c = [b[i + 3] for i in range(3)]",
    "y = x * 1.0; y[9] = 2.0",
    "y = b * 1.0; y[9] = 2.0",
    "y = x * 1.0; y[:2] = b",
    "y = x * 1.0; y += b",
    "c = x + b",
    "c = np.sin(x[:2]) - b; d = c * 2",
    "c = x * np.ones((2, len(b)))",
    "c = np.where(x, b, b[:2])",
    "c = x @ b",
    "c = np.vdot(x, b)",
    "c = np.cross(b, np.ones(5))",
    "c = np.einsum('ij,j->i', np.ones((3, 2)), b)",
    "c = np.reshape(x, (2, 2))",
    "c = x.reshape(-1, 2).sum()",
    "c = np.arange(3).reshape(len(b), 7)",
    "c = np.concatenate([x, np.outer(b, b)])",
    "c = np.stack([x, b])",
    "c = np.split(x, 2)",
    "c = np.broadcast_to(b, (3,))",
    "c = np.full(3, b)",
    "c = np.max(x[3:])",
    "c = np.zeros(-len(b))",
    "c = np.linspace(0, 1, -2)",
    "c = max([])",
    "c = int('abc')",
    "c = float('abc')",
    "c = float(x)",
    "c = chr(-len(b))",
    "c = 1 << -len(b)",
    "assert len(b) == 3",
    "np.sum(x, axis=1)",
    "c = x.mean(1)",
    "np.cumsum(x, len(b))",
    "np.mean(x, axis=(0, 1))",
    "np.transpose(x, (1, 0))",
    "np.swapaxes(x, 0, 3)",
    "np.trace(x)",
    "np.squeeze(x, axis=0)",
    "np.full_like(x, 1.0, shape=(2, -1))",
    "np.sum(x, dtype='nope')",
    "np.copy(x, order='Z')",
    "np.sin(x, casting='nope')",
    "np.expand_dims(x, [0, 7])",
    "range(0, 3, 0)",
    "range(0, 3, len(b) - 4)",
    "range('a')",
    "c = x < 'a'",
)
FITTING = (
    "c = 1.0 / (len(b) - 4)",  # arithmetic on numbers
    "c = x * 2.0 + np.sum(b)",
    "c = [x[k] for k in range(len(x))]",
    "c = x[0]",
    "y = np.zeros(len(b))\n    for k in range(len(b)):\n        y[k] = b[k] * 2.0",
    "c = np.zeros((len(x), 2)).sum()",
    "c = np.ones((3, len(b))).sum(axis=(0, -1)) + np.median(b, axis=-1)",
    "c = np.roll(x, len(b)), range(0, len(b), 2), np.zeros_like(b, dtype=int)",
)


def function(statement: str, folder: Path) -> Any:
    """A function with a statement that nobody needs the result of."""
    path = folder / "dead.py"
    path.write_text(
        f"import numpy as np\n\n\ndef f(x, b):\n    {statement}\n    return np.sum(x * x)\n"
    )
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("wrt", ["x", "b"])
@pytest.mark.parametrize("statement", RAISING)
def test_raises(statement: str, wrt: str, tmp_path: Path) -> None:
    f = function(statement, tmp_path)
    with np.errstate(all="ignore"):
        with pytest.raises(Exception) as expected:  # noqa: PT011 (whatever the function raises)
            f(X.copy(), B.copy())
        for derivative in (grad, value_and_grad):
            with core_alone(), pytest.raises(expected.type):
                derivative(f, wrt=(wrt,))(X.copy(), B.copy())


@pytest.mark.parametrize("statement", FITTING)
def test_what_cannot_raise_goes(statement: str, tmp_path: Path) -> None:
    f = function(statement, tmp_path)
    with core_alone():
        text = grad(f, wrt="x").source_for(X, B)
        np.testing.assert_array_equal(grad(f, wrt="x")(X, B), 2 * X)
    assert "return 2.0 * x" in text
    assert "Forward sweep" not in text, text
