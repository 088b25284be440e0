"""How a variable of another module is spelled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autodiff.core import NotYet, References
from autodiff.frontend.source import Namespace


def remote(
    references: References,
    space: Namespace,
    identifier: str,
    value: Any,
    checks: list[Callable[[], bool]],
) -> str:
    """`module.name`. An array of a module that is not among those imported is referred to itself.

    checks: gets what has to hold as long as that is right.
    """
    module = sys.modules.get(str(space.globals.get("__name__")))
    if module is not None and vars(module) is space.globals:
        own = module.__name__.rpartition(".")[2]
        return f"{references.use(own, module)}.{identifier}"
    if isinstance(value, np.ndarray):
        checks.append(partial(is_still, space, identifier, value))
        return references.use(identifier, value)
    raise NotYet("a variable of a module that is not there")


def is_still(space: Namespace, identifier: str, value: Any) -> bool:
    """Whether a name means the same object."""
    try:
        return space.lookup(identifier) is value
    except (KeyError, ValueError):
        return False
