"""These passes are of the old way."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _old_way(old_way: None) -> None:
    """Core is not asked."""
