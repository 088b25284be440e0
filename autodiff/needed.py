"""What is needed and not installed is said with what to do: a clone runs where it lies.

The compiler imports this before anything of others. A file that was saved does not: NumPy is all
that it needs.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

LIBRARIES = ("numpy", "gast", "astor")


def check() -> None:
    """Raise ModuleNotFoundError if one of the libraries is not there."""
    for name in LIBRARIES:
        if name in sys.modules and sys.modules[name] is not None or find_spec(name) is not None:
            continue
        clone = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        is_clone = os.path.isfile(os.path.join(clone, "pyproject.toml"))
        what = f'-e "{clone}"' if is_clone else " ".join(LIBRARIES)
        raise ModuleNotFoundError(
            f"autodiff needs {name}, which is not installed for {sys.executable}\n"
            f"install what it needs: {sys.executable} -m pip install {what}",
            name=name,
        )


check()
