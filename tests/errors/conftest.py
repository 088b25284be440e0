"""What is refused here is refused by Core."""

import pytest


@pytest.fixture(autouse=True)
def by_core(alone: None) -> None:
    """The old way is not asked."""
