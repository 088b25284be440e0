"""Sparse matrices: with and without a derivative, in all formats (templates/scipy/sparse)."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from autodiff.templates.scipy.sparse import multiplied

from autodiff import grad, hessian
from autodiff.rules import registry
from tests.core.differences import check_both_modes
from tests.rules.sparse_programs import PROGRAMS

pytestmark = [pytest.mark.followed, pytest.mark.filterwarnings("ignore::Warning")]
X = np.array([0.7, 1.3, 2.1])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
def test_programs(program):
    check_both_modes(program, X)


TOOLS = ("scipy.sparse._sparsetools", "_csparsetools")


def by_numpy(data, rows, cols, x, size):
    """The product of a sparse matrix without SciPy."""
    made = np.zeros((size, *x.shape[1:]), np.result_type(data, x))
    np.add.at(made, rows, data.reshape(-1, *[1] * (x.ndim - 1)) * x[cols])
    return made


def filled(shape, dtype=float, **_):
    """Memory in which something is left."""
    return np.full(shape, 7, dtype)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
def test_what_stands_for_c_gives_the_same(program, monkeypatch):
    expected = program(X)
    for name, module in list(sys.modules.items()):
        if not name.startswith("scipy.sparse"):
            continue
        for key, own in list(vars(module).items()):
            if getattr(own, "__module__", None) in TOOLS and registry.written_for(own) is not None:
                monkeypatch.setattr(module, key, registry.written_for(own))
    monkeypatch.setattr(multiplied, "product", by_numpy)
    monkeypatch.setattr(np, "empty", filled)
    np.testing.assert_allclose(program(X), expected, rtol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
@pytest.mark.heavy
def test_second_derivatives(program):
    first = grad(program)
    steps = 1e-5 * np.eye(3)
    expected = np.array([(first(X + e) - first(X - e)) / 2e-5 for e in steps])
    np.testing.assert_allclose(hessian(program)(X), expected, rtol=1e-5, atol=1e-6)
