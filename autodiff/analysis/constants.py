"""Numbers that libraries hold (`np.pi`): they are as constant as those in the text."""

from __future__ import annotations

from types import ModuleType

import gast

from autodiff.analysis.kind import Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.rules.home import is_library
from autodiff.syntax.walk import children


def operands(expression: gast.AST, kinds: Kinds) -> list[gast.AST]:
    """All nodes of an expression but the numbers of libraries in it."""
    found: list[gast.AST] = []
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, gast.Attribute) and _is_constant(node, kinds)):
            found.append(node)
            waiting += children(node)
    return found


def _is_constant(node: gast.Attribute, kinds: Kinds) -> bool:
    owner = kinds.known(node.value)
    module = owner.value if isinstance(owner, Static) else None
    if not isinstance(module, ModuleType) or not is_library(module.__name__):
        return False
    return isinstance(kinds.known(node), Scalar)
