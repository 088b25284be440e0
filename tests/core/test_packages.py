"""Calls into packages: functions of other modules, which read what stands there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core import packaged
from tests.core.differences import check

A = np.array([0.5, 0.3, -0.6])


def limited(x):
    return packaged.by_limit(x, "turbulent") + packaged.by_limit(x / 2.0, "laminar")


@pytest.mark.parametrize("x", [1000.0, 3000.0])
def test_a_number_of_another_module_in_an_expression_that_stays_whole(monkeypatch, x):
    check(monkeypatch, limited, x)
