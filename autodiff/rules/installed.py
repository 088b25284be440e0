"""Functions that not every supported NumPy has: where one is missing, its name stands for nothing.

>>> newer.linalg.inv is np.linalg.inv, isinstance(newer.linalg.no_such_function, Installed)
(True, True)
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np


class Installed:
    """A module, or nothing: no call calls it, so tables may hold it, and no rule is kept for it."""

    def __init__(self, module: ModuleType | None) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name, None)
        return Installed(found) if found is None or isinstance(found, ModuleType) else found


newer = Installed(np)
"""NumPy, for what is younger than the oldest version that pyproject.toml allows."""
