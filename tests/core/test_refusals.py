"""What is refused is told with place, reason and cure; each cure is applied, and helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, takeover

X = np.array([0.7, 1.3, 0.4])


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takeover, "OLD", False)


def refusal(f: Callable[..., Any], *args: Any) -> AutodiffError:
    with pytest.raises(AutodiffError) as caught:
        grad(f)(*args)
    return caught.value
