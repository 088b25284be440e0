"""Numbers and small arrays of outside that have no name of their own: `config.steps[0]`.

before: `y = x * other.N`
after: `y = x * N`, where N is a constant that is compared at each call
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from types import CellType, CodeType, ModuleType
from typing import Any

from autodiff.core import MARK, LoadOuter
from autodiff.lower.flow.frame import Unit
from autodiff.native.frozen import is_small, same
from autodiff.native.vocabulary import CONSTANTS

_MISSING = object()


def named_constants(unit: Unit) -> Iterator[Callable[[], bool]]:
    """Names for them, and checks that they are what they were."""
    for op in unit.function.body.walk():
        if not isinstance(op, LoadOuter) or op.result.is_written:
            continue
        (root,) = re.findall(r"^[@\w]+", op.path)
        rest, lookup = op.path[len(root) :], unit.main.lookup
        read = partial(unit.references.objects.get if root.startswith(MARK) else lookup, root)
        found = read()
        if not rest or isinstance(found, ModuleType) and rest[1:] in CONSTANTS:
            continue
        now = partial(_now, read, compile(f"root{rest}", op.path, "eval"))
        value = now()
        if is_small(value):
            op.path = unit.references.use(re.findall(r"[^\W\d]\w*", op.path)[-1], value)
            yield same(now)


def _now(read: Callable[[], Any], code: CodeType) -> Any:
    """What a path means."""
    try:
        root = read()
        root = root.cell_contents if isinstance(root, CellType) else root
        return eval(code, {"root": root})
    except (LookupError, AttributeError, ValueError):
        return _MISSING
