"""A name that is assigned again in straight-line code becomes one name per version.

    x = x * 2.0                x_2 = x * 2.0
    x = np.sin(x)              x_3 = np.sin(x_2)

Definitions that reach a common use (through a branch or around a loop) keep one name, so nothing
like a phi function is needed. Because old versions stay alive under their own names, the reverse
sweep finds them without a tape; only what a loop or branch truly overwrites has to be pushed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.syntax.names import (
    USES,
    Names,
    captured,
    caught,
    parameters,
    reads,
    substitute,
    writes,
)
from autodiff.syntax.names import name as name_node
from autodiff.syntax.walk import map_children, of_class, shallow, walk

_Environment = dict[str, frozenset[int]]
_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)


def versions(tree: gast.FunctionDef, names: Names) -> tuple[gast.FunctionDef, Mapping[str, str]]:
    """The tree with versions split, and for each new name the user's name it stems from."""
    webs = _Webs(tree)
    return webs.renamed(tree, names)


class _Webs:
    """Definitions, joined where they reach the same use."""

    def __init__(self, tree: gast.FunctionDef) -> None:
        self.parent: list[int] = []
        self.owner: list[str] = []
        self.is_counter: list[bool] = []
        self.definition: dict[tuple[int, str], int] = {}
        self.at: dict[int, _Environment] = {}
        self.whole = captured(tree.body) | _unsplittable(tree.body)
        env: _Environment = {p: frozenset([self.define(tree, p)]) for p in parameters(tree.args)}
        self.block(tree.body, env)
        for name in self.whole:
            own = [d for d, owner in enumerate(self.owner) if owner == name]
            for other in own[1:]:
                self.union(own[0], other)

    def define(self, node: gast.AST, name: str, counter: bool = False) -> int:
        key = (id(node), name)
        if key not in self.definition:
            self.definition[key] = len(self.parent)
            self.parent.append(len(self.parent))
            self.owner.append(name)
            self.is_counter.append(counter)
        return self.definition[key]

    def find(self, d: int) -> int:
        while self.parent[d] != d:
            self.parent[d] = self.parent[self.parent[d]]
            d = self.parent[d]
        return d

    def union(self, a: int, b: int) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[max(a, b)] = min(a, b)

    def use(self, node: gast.AST, env: _Environment) -> None:
        self.at[id(node)] = env
        for name in USES[node][0]:
            definitions = env.get(name, ())
            if len(definitions) > 1:
                first, *others = definitions
                for other in others:
                    self.union(first, other)

    def bind(self, node: gast.AST, bound: set[str], env: _Environment) -> _Environment:
        if not bound:
            return env
        env = dict(env)
        for name in bound:
            env[name] = frozenset([self.define(node, name, isinstance(node, gast.For))])
        return env

    def block(self, statements: list[gast.stmt], env: _Environment) -> _Environment:
        for statement in statements:
            env = self.statement(statement, env)
        return env

    def statement(self, node: gast.stmt, env: _Environment) -> _Environment:
        if isinstance(node, gast.If):
            self.use(node.test, env)
            sides = [self.block(side, env) for side in (node.body, node.orelse)]
            if _raises(node.body):
                return sides[1]
            return sides[0] if _raises(node.orelse) else _joined(*sides)
        if isinstance(node, (gast.For, gast.While)):
            return self.loop(node, env)
        if isinstance(node, gast.With):
            for item in node.items:
                self.use(item.context_expr, env)
            env = self.bind(node, writes(node.items), env)
            after = self.block(node.body, env)
            return self.anywhere(node.body, env, after) if may_suppress(node) else after
        if isinstance(node, gast.Try):
            return self.attempt(node, env)
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            self.use(node, env)
            name = node.target.id
            own = self.define(node, name)
            for other in env.get(name, ()):
                self.union(other, own)
            return self.bind(node, {name}, env)
        self.use(node, env)
        return self.bind(node, USES[node][1], env)

    def loop(self, node: gast.For | gast.While, env: _Environment) -> _Environment:
        if isinstance(node, gast.For):
            self.use(node.iter, env)
        while True:
            inner = env
            if isinstance(node, gast.For):
                inner = self.bind(node, writes(node.target), env)
            else:
                self.use(node.test, env)
            after = _joined(env, self.block(node.body, inner))
            if after == env:
                return env
            env = after

    def attempt(self, node: gast.Try, env: _Environment) -> _Environment:
        """An exception may come anywhere in the body: all its definitions reach the handlers."""
        after = self.block(node.body, env)
        anywhere = self.anywhere(node.body, env, after)
        result = self.block(node.orelse, after)
        for handler in node.handlers:
            if handler.type is not None:
                self.use(handler.type, anywhere)
            inner = self.bind(handler, caught(handler), anywhere)
            result = _joined(result, self.block(handler.body, inner))
        if node.finalbody:
            final = self.block(node.finalbody, _joined(result, anywhere))
            result = {**result, **{name: final[name] for name in writes(node.finalbody)}}
        return result

    def anywhere(
        self, body: list[gast.stmt], before: _Environment, after: _Environment
    ) -> _Environment:
        """The definitions that hold when a block is left at any place."""
        joined = dict(_joined(before, after))
        inside = {id(node) for node in walk(body)}
        for name in writes(body):
            own = {d for (at, n), d in self.definition.items() if n == name and at in inside}
            joined[name] = joined.get(name, frozenset()) | own
        return joined

    def over_themselves(self, tree: gast.FunctionDef) -> set[int]:
        """The counters of `for n in range(n)`: the range is asked for again, of the other `n`."""
        return {
            self.find(self.definition[id(loop), name])
            for loop in of_class(tree, gast.For)
            for name in writes(loop.target) & reads(loop.iter)
        }

    def renamed(
        self, tree: gast.FunctionDef, names: Names
    ) -> tuple[gast.FunctionDef, Mapping[str, str]]:
        first: dict[str, int] = {}
        chosen: dict[int, str] = {}
        origins: dict[str, str] = {}
        counters: dict[int, bool] = {}
        for d, counter in enumerate(self.is_counter):
            web = self.find(d)
            counters[web] = counters.get(web, True) and counter
        for web in self.over_themselves(tree):
            counters[web] = False
        for d, owner in enumerate(self.owner):
            web = self.find(d)
            if web in chosen:
                continue
            if first.setdefault(owner, web) == web or owner in self.whole or counters[web]:
                chosen[web] = owner
            else:
                chosen[web] = names.fresh(owner)
                origins[chosen[web]] = owner
        if not origins:
            return tree, {}
        rename = _Renamer(self, chosen)
        new = map_children(lambda child: child, tree)
        new.body = rename.block(tree.body)
        return new, origins


def _raises(block: list[gast.stmt]) -> bool:
    """Whether a block ends in an exception: what it assigned reaches nothing after it."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, gast.If):
        return _raises(last.body) and _raises(last.orelse)
    return isinstance(last, gast.Raise)


class _Renamer:
    def __init__(self, webs: _Webs, chosen: dict[int, str]) -> None:
        self.webs = webs
        self.chosen = chosen

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        new = [self.statement(statement) for statement in statements]
        return statements if new == statements else new

    def loaded(self, node: gast.AST, key: gast.AST | None = None) -> gast.AST:
        env = self.webs.at[id(key or node)]
        mapping = {}
        for name in USES[node][0]:
            for definition in env.get(name, ()):
                new = self.chosen[self.webs.find(definition)]
                if new != name:
                    mapping[name] = name_node(new)
                break
        return substitute(node, mapping) if mapping else node

    def stored(self, node: gast.AST, name: str) -> str:
        return self.chosen[self.webs.find(self.webs.definition[id(node), name])]

    def target(self, statement: gast.AST, target: gast.expr) -> gast.expr:
        if isinstance(target, gast.Name):
            new = self.stored(statement, target.id)
            return target if new == target.id else _changed(target, id=new)
        if isinstance(target, gast.Tuple):
            parts = [
                self.target(statement, part) if isinstance(part, gast.Name) else part
                for part in target.elts
            ]
            return target if parts == target.elts else _changed(target, elts=parts)
        return self.loaded(target, statement)

    def statement(self, node: gast.stmt) -> gast.stmt:
        """The statement with its names renamed; itself if all stay as they are."""
        new: dict[str, Any] = {}
        if isinstance(node, _COMPOUND):
            for field in ("body", "orelse", "finalbody", "handlers"):
                if part := getattr(node, field, None):
                    new[field] = self.block(part)
            if isinstance(node, (gast.If, gast.While)):
                new["test"] = self.loaded(node.test)
            elif isinstance(node, gast.For):
                new["iter"] = self.loaded(node.iter)
                new["target"] = self.target(node, node.target)
            elif isinstance(node, gast.With):
                items = [
                    _changed(item, context_expr=self.loaded(item.context_expr))
                    for item in node.items
                ]
                new["items"] = items
            elif isinstance(node, gast.ExceptHandler) and node.type is not None:
                new["type"] = self.loaded(node.type)
        elif isinstance(node, gast.Assign):
            new["value"] = self.loaded(node.value, node)
            targets = [self.target(node, target) for target in node.targets]
            new["targets"] = node.targets if targets == node.targets else targets
        elif isinstance(node, gast.AugAssign):
            new["value"] = self.loaded(node.value, node)
            new["target"] = self.target(node, node.target)
        else:
            return self.loaded(node)
        if all(part is getattr(node, field) for field, part in new.items()):
            return node
        return _changed(node, **new)


def _unsplittable(statements: list[gast.stmt]) -> set[str]:
    """Names bound by a statement whose syntax the renamer does not rewrite."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, _COMPOUND):
            for field in ("body", "orelse", "finalbody", "handlers"):
                found |= _unsplittable(getattr(statement, field, None) or [])
            if isinstance(statement, gast.With):
                found |= writes(statement.items)
            if isinstance(statement, gast.ExceptHandler):
                found |= caught(statement)
            if isinstance(statement, (gast.If, gast.While)):
                found |= writes(statement.test)
        elif not isinstance(statement, (gast.Assign, gast.AugAssign)):
            found |= writes(statement)
        else:
            found |= writes(statement.value)
    return found


def _joined(left: _Environment, right: _Environment) -> _Environment:
    if left is right:
        return left
    joined = dict(left)
    for name, definitions in right.items():
        own = joined.get(name)
        if own is not definitions:
            joined[name] = definitions if own is None else own | definitions
    return joined


def _changed(node: Any, **fields: Any) -> Any:
    new = shallow(node)
    new.__dict__.update(fields)
    return new
