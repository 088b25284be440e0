"""What is known of a function because the user has written a rule for it."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from autodiff.rules import registry
from autodiff.rules.template import Rule
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import same


def is_ruled(target: Any) -> bool:
    """Whether the user's rule for a function that is not Python says that it gives one number or
    array.
    """
    rule = None if isinstance(target, FunctionType) else registry.rule_for(target)
    if rule is None or registry.is_of_library(rule) or rule.custom:
        return False
    return rule.elementwise or gives_one(rule)


def gives_one(rule: Rule) -> bool:
    """Whether a function with a rule of the user's gives a number or an array: the rule computes
    with its adjoint, `d[x] = d[y] * w`.
    """
    seed, roots = quote("d[y]", y=rule.result), [*rule.adjoints.values()]
    parts = [part for tree in (*rule.locals, *roots) for part in gast.walk(tree)]
    computed = [node for node in parts if isinstance(node, (gast.BinOp, gast.UnaryOp))]
    used = [*roots, *(part for node in computed for part in gast.iter_child_nodes(node))]
    return any(same(node, seed) for node in used)
