"""Dicts that get other keys while a loop goes over them, which is an error in Python: such a loop
asks for the size each time.

    for k in table:                 while True:
        table[k + 1] = x                if len(table) != size: raise RuntimeError(...)
                                        if not at < len(keys): break
"""

from __future__ import annotations

import gast

from autodiff.core import Apply, Load, NotYet, Operation, Store, Take
from autodiff.lower.entries.entry import Box, Entry
from autodiff.lower.entries.lists import memory_of
from autodiff.primitives import KEYING
from autodiff.syntax.walk import of_class


def rekeys(operations: list[Operation], table: Entry) -> bool:
    """Whether operations may give a dict that is memory other keys than those that it has."""
    memory = memory_of(table) if isinstance(table, Box) else None
    return memory is not None and any(
        isinstance(each, (Store, Take)) and each.base.region is memory.region and not is_own(each)
        for op in operations
        for each in op.nested()
    )


def is_own(op: Operation) -> bool:
    """Whether something is stored under a key that was read from the keys of that dict."""
    read = op.index[0].op if isinstance(op, Store) and op.index else None
    keys = read.base.op if isinstance(read, Load) else None
    if not isinstance(keys, Apply) or keys.primitive is not KEYING:
        return False
    return keys.operands[0].region is op.operands[0].region


def check_untried(loop: gast.For) -> None:
    """The error is none of the body, whose statements are tried one by one in a `try`."""
    if any(getattr(inner, "flag", "") for inner in of_class(loop.body, gast.Try)):
        raise NotYet("a dict that changes while a loop in a `try` goes over it")
