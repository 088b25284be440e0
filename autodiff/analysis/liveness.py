"""Which names may still be read after each statement."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autodiff.syntax.names import captured, caught, reads, writes

Live = frozenset[str]


def liveness(tree: gast.FunctionDef) -> Mapping[int, Live]:
    """For each statement of a function in normal form, by id, the names live after it.

    >>> tree = gast.parse("def f(x):\\n    y = x[1:]\\n    z = y + x\\n    return z").body[0]
    >>> after = liveness(tree)
    >>> [sorted(after[id(statement)]) for statement in tree.body]
    [['x', 'y'], ['z'], []]
    """
    walk = _Liveness(frozenset(captured(tree.body)))
    walk.block(tree.body, frozenset())
    return walk.after


class _Liveness:
    """Walks backwards; `always` are names that nested functions may read at any time."""

    def __init__(self, always: Live) -> None:
        self.always = always
        self.after: dict[int, Live] = {}
        self.left: Live = frozenset()
        """What is live where a `break` goes."""

    def block(self, statements: list[gast.stmt], live: Live) -> Live:
        for statement in reversed(statements):
            self.after[id(statement)] = live | self.always
            live = self.statement(statement, live)
        return live

    def statement(self, node: gast.stmt, live: Live) -> Live:
        if isinstance(node, gast.If):
            sides = self.block(node.body, live) | self.block(node.orelse, live)
            return sides | reads(node.test)
        if isinstance(node, (gast.For, gast.While)):
            return self.loop(node, live)
        if isinstance(node, gast.With):
            # a manager may swallow an exception: what follows may run after any part of the body
            return (self.block(node.body, live) - writes(node.items)) | reads(node.items) | live
        if isinstance(node, gast.Try):
            return self.attempt(node, live)
        if isinstance(node, gast.Break):
            return self.left
        return (live - writes(node)) | reads(node)

    def loop(self, node: gast.For | gast.While, live: Live) -> Live:
        outer, self.left = self.left, live
        head = live | reads(node.test if isinstance(node, gast.While) else node.iter)
        while True:
            before = self.block(node.body, head)
            if isinstance(node, gast.For):
                before = before - writes(node.target)
            if before <= head:
                break
            head |= before
        self.left = outer
        return head

    def attempt(self, node: gast.Try, live: Live) -> Live:
        live = self.block(node.finalbody, live) | (live if node.finalbody else frozenset())
        handled = live
        for handler in node.handlers:
            inside = self.block(handler.body, live) - caught(handler)
            handled |= inside | (reads(handler.type) if handler.type is not None else set())
        after = self.block(node.orelse, live)
        return self.guarded(node.body, after, handled)

    def guarded(self, body: list[gast.stmt], live: Live, handled: Live) -> Live:
        """An exception may lead from anywhere in the body to the handlers."""
        before = self.block(body, live | handled)
        for node in _nested(body):
            self.after[id(node)] = self.after.get(id(node), frozenset()) | handled
        return before | handled


def _nested(body: list[gast.stmt]) -> list[gast.stmt]:
    found: list[gast.stmt] = []
    for node in body:
        found.append(node)
        for field in ("body", "orelse", "finalbody"):
            found.extend(_nested(getattr(node, field, None) or []))
        for handler in getattr(node, "handlers", ()):
            found.extend(_nested(handler.body))
    return found
