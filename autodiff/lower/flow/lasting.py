"""What has to be outside, whenever a derivative runs, as it was when that was made."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from types import CellType, CodeType
from typing import Any

from autodiff.core import MARK
from autodiff.frontend.source import Namespace
from autodiff.lower.flow.frame import Unit


def staying(unit: Unit) -> Iterator[Callable[[], bool]]:
    """Checks that what is outside is what it was, where some of it changes."""
    yield from unit.checks
    watched = [*unit.lasting, *(unit.objects.items() if unit.cells else ())]
    for path, array in watched:
        root, rest = re.fullmatch(r"(@?\w+)(.*)", path, re.DOTALL).groups()  # type: ignore[union-attr]
        code, known = compile(f"root{rest}", path, "eval"), referred(array)
        read = unit.references.objects.get if root.startswith(MARK) else unit.main.lookup
        yield partial(is_there, partial(read, root), code, known)


def is_absent(space: Namespace, identifier: str) -> bool:
    """Whether there still is nothing of a name."""
    try:
        space.lookup(identifier)
    except (KeyError, ValueError):
        return True
    return False


def referred(found: Any) -> Callable[[], Any]:
    """What gives an object that is kept, if it can be, by others alone."""
    try:
        return weakref.ref(found)
    except TypeError:
        return lambda: found


def is_there(root: Callable[[], object], code: CodeType, known: Callable[[], object]) -> bool:
    """Whether an object is where it was."""
    try:
        found = root()
        found = found.cell_contents if isinstance(found, CellType) else found
        return eval(code, {"root": found}) is known()
    except (LookupError, AttributeError, ValueError):
        return False
