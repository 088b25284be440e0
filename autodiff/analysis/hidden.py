"""Containers that are changed where no statement shows it: in generators, and by functions.

    any(xs.append(v * v) for v in x)            put = xs.append

Of what is put in there nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autodiff.analysis.purity import CHANGING
from autodiff.syntax.walk import of_class
from autodiff.syntax.windows import root

_RUN_LATER = (gast.GeneratorExp, gast.Lambda, gast.FunctionDef)


def hidden(tree: gast.FunctionDef) -> list[gast.expr]:
    """The containers, lists or dicts, that may get other items in this way."""
    found: list[gast.expr] = []
    for node in of_class(tree.body, *_RUN_LATER):
        if not isinstance(node, gast.FunctionDef) or _is_read(node, tree):
            found += _changed(node)
    called = {id(call.func) for call in of_class(tree.body, gast.Call)}
    for method in of_class(tree.body, gast.Attribute):
        if method.attr in CHANGING and id(method) not in called:
            found.append(method.value)
    return [base for base in found if root(base) is not None]


def _changed(node: gast.AST) -> Iterator[gast.expr]:
    for part in of_class(node, gast.Subscript, gast.Attribute):
        is_changing = isinstance(part, gast.Attribute) and part.attr in CHANGING
        if is_changing or isinstance(part.ctx, (gast.Store, gast.Del)):
            yield part.value


def _is_read(node: gast.FunctionDef, tree: gast.FunctionDef) -> bool:
    """Whether a function is called, or given to somebody, beside itself."""
    own = sum(name.id == node.name for name in of_class(node.body, gast.Name))
    everywhere = [n for n in of_class(tree.body, gast.Name) if isinstance(n.ctx, gast.Load)]
    return bool(sum(name.id == node.name for name in everywhere) > own)
