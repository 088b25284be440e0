"""What is known of a function, and said of it, because the user has written a rule for it."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from autodiff.errors import MissingRuleError, Place
from autodiff.rules import registry
from autodiff.rules.template import Rule
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import same


def user_rule(target: Any) -> Rule | None:
    """The rule that the user gave for a function."""
    rule = registry.rule_for(target)
    return None if rule is None or registry.is_of_library(rule) else rule


def gives_number(target: Any) -> bool:
    """Whether the user's rule for a function that is not Python says that it gives one number or
    array.
    """
    rule = None if isinstance(target, FunctionType) else user_rule(target)
    return rule is not None and not rule.custom and (rule.elementwise or gives_one(rule))


def gives_one(rule: Rule) -> bool:
    """Whether a function with a rule of the user's gives a number or an array: the rule computes
    with its adjoint, `d[x] = d[y] * w`.
    """
    seed, roots = quote("d[y]", y=rule.result), [*rule.adjoints.values()]
    parts = [part for tree in (*rule.locals, *roots) for part in gast.walk(tree)]
    computed = [node for node in parts if isinstance(node, (gast.BinOp, gast.UnaryOp))]
    used = [*roots, *(part for node in computed for part in gast.iter_child_nodes(node))]
    return any(same(node, seed) for node in used)


def missing_side(
    rule: Rule, own: str, origin: Place | None, side: str, cause: Exception | None = None
) -> MissingRuleError:
    """The error for a derivative in the direction that was not given to @custom.

    own: what the function is called.   side: what is missing, "vjp" or "jvp".
    cause: why it cannot be derived from the other.
    """
    modes = {"vjp": "reverse", "jvp": "forward"}
    first = "y_bar" if side == "vjp" else "x_dot"
    arguments = ", ".join([first, rule.result, *(p.name for p in rule.parameters)])
    what = "adjoints of the arguments" if side == "vjp" else "tangent of the result"
    why = f"it was made by @custom with a {'jvp' if side == 'vjp' else 'vjp'} alone"
    if cause is not None:
        why += f", from which none can be derived:\n{cause!s}"
    return MissingRuleError(
        f"{own} has no {side}, which {modes[side]} mode needs",
        origin,
        why=why,
        cure=f"pass {side}=..., a function of ({arguments}) that returns the {what}",
    )
