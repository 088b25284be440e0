"""Lists that are only pushed on and popped from: what they hold is somebody else's, never they."""

from __future__ import annotations

import gast

from autodiff.syntax.names import parameters
from autodiff.syntax.walk import of_class

_METHODS = ("append", "pop")


def stacks(tree: gast.FunctionDef) -> frozenset[str]:
    """The names of lists that are made empty, pushed on and popped from, and not used otherwise.

    No other name means such a list, and no container holds it.
    """
    made: set[str] = set()
    used: dict[str, int] = {}
    for node in of_class(tree, gast.Assign, gast.Call):
        if isinstance(node, gast.Assign):
            target, value = node.targets[0], node.value
            if isinstance(target, gast.Name) and isinstance(value, gast.List) and not value.elts:
                made.add(target.id)
                used[target.id] = used.get(target.id, 0) + 1
        elif _is_told(node):
            used[node.func.value.id] = used.get(node.func.value.id, 0) + 1
    if not made:
        return frozenset()
    counts: dict[str, int] = {}
    for node in of_class(tree, gast.Name):
        counts[node.id] = counts.get(node.id, 0) + 1
    own = made - set(parameters(tree.args))
    return frozenset(name for name in own if counts[name] == used[name])


def _is_told(call: gast.Call) -> bool:
    function = call.func
    return (
        isinstance(function, gast.Attribute)
        and function.attr in _METHODS
        and isinstance(function.value, gast.Name)
    )
