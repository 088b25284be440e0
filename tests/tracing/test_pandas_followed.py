"""Series and tables of pandas that carry derivatives: the run is followed through its own code."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.differences import check_both_modes

pd = pytest.importorskip("pandas")

X = np.array([1.0, 2.0, 3.5, 0.7])
WEIGHTS = pd.Series([1.0, 2.0, 3.0, 4.0], index=list("abcd"))


def total(x):
    return pd.Series(x).sum() ** 2


def products_of_series(x):
    s = pd.Series(x, index=list("abcd"))
    return (s * s).sum() * s.dot(WEIGHTS) + s["b"] ** 2 + s.iloc[2]


def columns(x):
    table = pd.DataFrame({"a": x, "b": x**2})
    return (table["a"] * table["b"]).mean() * np.log(table["b"]).sum()


def spreads(x):
    table = pd.DataFrame({"a": x, "b": x * 2})
    return (table.mean() * table.std()).sum()


def covariances(x):
    return np.trace(pd.DataFrame(np.outer(x, x)).cov().to_numpy())


def changes(x):
    return float(pd.Series(x + 1.0).pct_change().dropna().std()) * x[0]


@pytest.mark.parametrize("f", [total, products_of_series, columns, spreads, covariances, changes])
def test_right(f):
    check_both_modes(f, X)
