"""What follows from a node alone, found out once.

A pass shares with the tree it was given all that it does not rewrite, and never changes a node that
others may have seen. `tests/syntax/test_memo.py` compares what is remembered with what is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

_LARGEST = 100_000


class Memo(dict[int, tuple[gast.AST, Any]]):
    """By the `id` of a node, which is kept beside the answer: no other node has that `id` then.

        known = _MEMO.get(id(node)) or _MEMO.look(node)
    """

    __slots__ = ("find",)

    def __init__(self, find: Callable[[Any], Any]) -> None:
        super().__init__()
        self.find = find
        memos.append(self)

    def look(self, node: gast.AST) -> tuple[gast.AST, Any]:
        """Find the answer for this node, and remember it until the compilation ends."""
        if len(self) >= _LARGEST:  # outside of compilations nobody calls `forget`
            self.clear()
        found = self[id(node)] = node, self.find(node)
        return found


memos: list[Memo] = []


def forget() -> None:
    """Let go of all nodes; another compilation that is at work only has to look again."""
    for memo in memos:
        memo.clear()
