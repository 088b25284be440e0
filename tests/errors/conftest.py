"""What is refused here is refused by Core."""

import pytest

from autodiff import takeover


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old way is not asked."""
    monkeypatch.setattr(takeover, "OLD", False)
