"""What the rules of `desugar` know of the function around a statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import gast

from autodiff.normalize.anf import hint
from autodiff.syntax.names import Names, captured, parameters, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import children

SEQUENCE = "$sequence"
ZIP_ROWS, ZIP_LENGTH, ZIP_ITEM = "$zip_rows", "$zip_length", "$zip_item"
INSERTED = "$inserted"
IS_SEQUENCE = "$is_sequence"  # what a sequence pattern of `match` accepts
IS_MAPPING = "$is_mapping"  # what a mapping pattern of `match` accepts
"""The functions of autodiff.runtime that the normal form may call, by names that only it has: they
get a free name where it is compiled or inlined."""


class Context:
    """The names of the function, and where in it the rules are working."""

    def __init__(
        self,
        tree: gast.FunctionDef,
        names: Names,
        shadowed: frozenset[str] = frozenset(),
        lookup: Callable[[str], object] | None = None,
        exact: bool = False,  # attributes, items and operators may run code with effects
    ) -> None:
        self.tree, self.names = tree, names
        self.shadowed, self.lookup, self.exact = shadowed, lookup, exact
        self.temporaries: set[str] = set()
        self.guarded = 0  # depth of `try`: a value that raises must leave its target alone
        self.active: set[str] = set()  # counters of the loops around the statement
        self.counters: list[str] = []  # all counters made so far

    @cached_property
    def bound(self) -> set[str]:
        """The local names: parameters and whatever is assigned."""
        return set(parameters(self.tree.args)) | writes(self.tree.body)

    @cached_property
    def scope(self) -> set[str]:
        """The names of the function's own scope, local or read from outside."""
        return self.bound | self.read

    @cached_property
    def read(self) -> set[str]:
        """The names that the function reads somewhere."""
        return reads(self.tree.body)

    @cached_property
    def captured(self) -> set[str]:
        """Names that nested functions read: their value can be observed at any time."""
        return captured(self.tree.body)

    def is_builtin(self, *names: str) -> bool:
        """Whether these names still mean what they mean in `builtins`."""
        return not any(name in self.bound or name in self.shadowed for name in names)

    def outer(self, statement: gast.stmt) -> set[str]:
        """The names of the function, those of one statement in it left out."""
        found = set(parameters(self.tree.args))
        todo: list[gast.AST] = list(self.tree.body)
        while todo:
            node = todo.pop()
            if origin_of(node) is not None and origin_of(node) == origin_of(statement):
                continue
            if isinstance(node, gast.Name):
                found.add(node.id)
            todo.extend(children(node))
        return found

    def temporary(self, hint: str) -> str:
        """A new name; nobody can see what it holds before it is read."""
        made = self.names.fresh(hint)
        self.temporaries.add(made)
        return made

    def named_after(self, value: gast.expr) -> str:
        """A new name for the value of an expression."""
        text = hint(value)
        return self.temporary(text if len(text) > 1 else "value")

    def may_hold(self, target: str, others: Iterable[gast.AST]) -> bool:
        """Whether the target may be assigned already when these are evaluated."""
        if target in self.temporaries:
            return True
        if self.guarded or target in self.captured:
            return False
        return not any(target in reads(node) or target in writes(node) for node in others)

    def counter(self) -> str:
        """A name for the counter of a loop: `i`, `j`, `k`, free again once its loop is over."""
        for name in self.counters:
            if name not in self.active:
                return name
        taken = self.names.taken
        made = self.names.fresh(next((n for n in ("i", "j", "k") if n not in taken), "i"))
        self.counters.append(made)
        return made


def meaning(node: gast.expr, context: Context) -> Any:
    """What a dotted name outside of the function refers to; None if that is not known."""
    if isinstance(node, gast.Attribute):
        return getattr(meaning(node.value, context), node.attr, None)
    if not isinstance(node, gast.Name) or node.id in context.bound or context.lookup is None:
        return None
    try:
        return context.lookup(node.id)
    except (KeyError, ValueError):
        return None
