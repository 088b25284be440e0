"""What was found out about nodes, by node.

A pass shares with the tree it was given all that it does not rewrite, and never changes a node that
others may have seen. So what follows from a node alone need not be found out twice:
`tests/syntax/test_memo.py` compares what is remembered with what is there.
"""

from __future__ import annotations

from typing import Any

import gast

_LARGEST = 100_000


class Memo(dict[int, tuple[gast.AST, Any]]):
    """By the `id` of a node, which is kept beside the answer: no other node has that `id` then."""

    __slots__ = ()

    def keep(self, node: gast.AST, answer: Any) -> tuple[gast.AST, Any]:
        """Remember the answer for this node."""
        if len(self) >= _LARGEST:  # outside of compilations nobody calls `forget`
            self.clear()
        found = self[id(node)] = node, answer
        return found


_memos: list[Memo] = []


def memo() -> Memo:
    """A new memo, which lasts until the compilation ends."""
    new = Memo()
    _memos.append(new)
    return new


def forget() -> None:
    """Let go of all nodes; another compilation that is at work only has to look again."""
    for own in _memos:
        own.clear()
