"""A mask that a statement of the reverse sweep reads twice is computed once."""

from __future__ import annotations

import gast

from autodiff.optimize.change import map_parts
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import replace_in_reverse
from autodiff.syntax.make import make
from autodiff.syntax.names import Names, all_names, name, store
from autodiff.syntax.walk import of_class, same, walk

_PLAIN = (gast.Name, gast.Constant, gast.Attribute, gast.Compare, gast.BinOp, gast.UnaryOp)


def chosen(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Give a name to the mask that says where an adjoint goes and what it is made of.

        x_bar[x > 1] = 2 * x[x > 1]      becomes      chosen = x > 1
                                                      x_bar[chosen] = 2 * x[chosen]
    """
    names: list[Names] = []

    def code(node: gast.stmt) -> list[gast.stmt] | None:
        if not isinstance(node, (gast.Assign, gast.AugAssign)):
            return None
        target = node.targets[0] if isinstance(node, gast.Assign) else node.target
        if not isinstance(target, gast.Subscript) or not _is_mask(target.slice, facts):
            return None
        mask = target.slice
        if not any(same(mask, other) for other in of_class(node.value, gast.Compare)):
            return None
        if not names:
            names.append(Names({*all_names(tree), *facts.taken}))
        own = names[0].fresh("chosen")

        def replaced(part: gast.AST) -> gast.AST:
            if isinstance(part, gast.Compare) and same(part, mask):
                return name(own)
            new: gast.AST = map_parts(replaced, part)
            return new

        new: gast.stmt = map_parts(replaced, node)
        return [make(gast.Assign, targets=[store(own)], value=mask), new]

    found = replace_in_reverse(code, tree)
    return found if names else tree


def _is_mask(node: gast.expr, facts: Facts) -> bool:
    """Whether an index is a comparison of an array, without calls."""
    if not isinstance(node, gast.Compare) or len(node.comparators) > 1:
        return False
    if not all(isinstance(p, _PLAIN) for p in walk(node) if isinstance(p, gast.expr)):
        return False
    return any(facts.shape(side) is not None for side in (node.left, *node.comparators))
