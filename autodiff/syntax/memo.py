"""What follows from a node alone, found out once.

A pass shares with the tree it was given all that it does not rewrite, and never changes a node that
others may have seen. `tests/syntax/test_memo.py` compares what is remembered with what is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

_LARGEST = 100_000


class Memo(dict[gast.AST, Any]):
    """By the node, which is equal to itself only: `_MEMO[node]` is found out the first time.

    So what is known already is looked up without a call.
    """

    __slots__ = ("find",)

    def __init__(self, find: Callable[[Any], Any]) -> None:
        super().__init__()
        self.find = find
        memos.append(self)

    def __missing__(self, node: gast.AST) -> Any:
        """Find the answer for this node, and remember it until the compilation ends."""
        if len(self) >= _LARGEST:  # outside of compilations nobody calls `forget`
            self.clear()
        found = self[node] = self.find(node)
        return found


memos: list[Memo] = []


def forget() -> None:
    """Let go of all nodes; another compilation that is at work only has to look again."""
    for memo in memos:
        memo.clear()
