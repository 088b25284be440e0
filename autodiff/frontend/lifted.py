"""Imports inside a function: what they bind is known while compiling, like a global.

def f(x):                               def f(x):
    from math import sin                    return sin(x)
    return sin(x)
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from dataclasses import replace
from types import CellType
from typing import Any

import gast

from autodiff.frontend.source import Source, imported
from autodiff.syntax.names import parameters
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class, shallow, statements, walk

_IMPORTS = (gast.Import, gast.ImportFrom)
_BLOCKS = ("body", "orelse", "finalbody")


def lifted(read: Source) -> Source:
    """The function without imports of what nothing else in it binds; those names are looked up.

    They stay live: the namespace knows what they follow. An import that may not run is left where
    it is, unless the module is there already. One that fails is left, too: it fails when the
    function runs, as it does without us.
    """
    if not any(isinstance(statement, _IMPORTS) for statement in statements(read.tree)):
        return read
    lifting = _Lifting(read)
    body = lifting.block(read.tree.body, certain=True)
    if not lifting.imports:
        return read
    tree = shallow(read.tree)
    tree.body = body
    cells = {own: CellType(imported(*place)) for own, place in lifting.imports.items()}
    namespace = replace(
        read.namespace, cells={**read.namespace.cells, **cells}, imports=lifting.imports
    )
    return replace(read, tree=tree, namespace=namespace)


class _Lifting:
    def __init__(self, read: Source) -> None:
        self.package = read.namespace.globals.get("__package__") or ""
        self.imports: dict[str, tuple[str, str | None]] = {}
        self.counts = _bindings(read.tree)
        self.loads = _loads(read.tree)
        self.inside = self.loads
        """How often each name is read in the innermost function, which may import it."""

    def block(self, statements: list[gast.stmt], certain: bool = False) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for statement in statements:
            if isinstance(statement, _IMPORTS):
                out.extend(self.imported(statement, certain))
            elif isinstance(statement, gast.FunctionDef):
                around, self.inside = self.inside, _loads(statement)
                out.append(self.compound(statement))
                self.inside = around
            elif isinstance(statement, (gast.ClassDef, gast.AsyncFunctionDef)):
                out.append(statement)
            else:
                out.append(self.compound(statement))
        return out

    def compound(self, statement: Any) -> Any:
        new = shallow(statement)
        for field in _BLOCKS:
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and inner:
                made = self.block(inner)
                idle = gast.copy_location(gast.Pass(), statement)
                idle.origin = origin_of(statement)
                setattr(new, field, made or ([idle] if field != "orelse" else []))
        if isinstance(statement, gast.Try):
            new.handlers = [self.compound(handler) for handler in statement.handlers]
        return new

    def imported(self, statement: Any, certain: bool) -> list[gast.stmt]:
        """The import of what cannot be lifted; nothing if all of it can."""
        rest = []
        for alias in statement.names:
            own = alias.asname or alias.name.partition(".")[0]
            place = None
            if self.counts[own] == 1 and self.loads[own] == self.inside[own]:
                place = self.place(statement, alias, certain)
            if place is None:
                rest.append(alias)
            else:
                self.imports[own] = place
        if not rest:
            return []
        new = shallow(statement)
        new.names = rest
        return [new]

    def place(self, statement: Any, alias: Any, certain: bool) -> tuple[str, str | None] | None:
        """The module, and the attribute of it, that an alias stands for; None if not known."""
        try:
            if isinstance(statement, gast.Import):
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                return (whole, None) if self.module(alias.name, certain) else None
            level = statement.level or 0
            name = importlib.util.resolve_name(
                "." * level + (statement.module or ""), self.package or None
            )
            module = self.module(name, certain)
            if module is None or hasattr(module, alias.name):
                return module and (name, alias.name)
            inner = f"{name}.{alias.name}"
            return (inner, None) if self.module(inner, certain) else None
        except Exception:
            return None

    def module(self, name: str, certain: bool) -> Any:
        return importlib.import_module(name) if certain or name in sys.modules else None


def _loads(tree: gast.FunctionDef) -> Counter[str]:
    names = of_class(tree, gast.Name)
    return Counter(node.id for node in names if isinstance(node.ctx, gast.Load))


def _bindings(tree: gast.FunctionDef) -> Counter[str]:
    """How many places bind each name, in functions inside as well."""
    counts: Counter[str] = Counter()
    for node in walk(tree):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            counts[node.id] += 1
        elif isinstance(node, (gast.FunctionDef, gast.Lambda)):
            counts.update(parameters(node.args))
            if isinstance(node, gast.FunctionDef) and node is not tree:
                counts[node.name] += 1
        elif isinstance(node, gast.ClassDef):
            counts[node.name] += 1
        elif isinstance(node, gast.alias):
            counts[node.asname or node.name.partition(".")[0]] += 1
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            counts.update(node.names)
        elif isinstance(node, (gast.ExceptHandler, gast.MatchAs, gast.MatchStar)):
            if isinstance(node.name, str):
                counts[node.name] += 1
    return counts
