"""Whether a Python function may change what it is given, judged by its text."""

from __future__ import annotations

import types
from typing import Any

import gast

from autodiff.errors import AutodiffError
from autodiff.normalize.normal import normal_form
from autodiff.rules import registry
from autodiff.syntax.names import parameters
from autodiff.syntax.walk import walk

CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard "
    "fill put itemset resize partition setflags byteswap setfield".split()
)
"""Methods that change the object they are called on."""


def may_change_arguments(function: Any) -> bool:
    """Whether a call of the function might change an argument in place; True when in doubt."""
    return _may_change(function, set())


def _may_change(function: Any, seen: set[Any]) -> bool:
    if registry.is_pure(function) or registry.is_nondifferentiable(function):
        return False
    if registry.rule_for(function) is not None:
        return False
    if isinstance(function, types.MethodType):
        return True
    own: set[str] = set()
    if isinstance(function, type):
        found = function.__dict__.get("__init__")
        if not isinstance(found, types.FunctionType):
            return not (function.__module__ == "builtins" or issubclass(function, tuple))
        function = found
        own = {function.__code__.co_varnames[0]} if function.__code__.co_argcount else set()
    if not isinstance(function, types.FunctionType):
        return True
    if function in seen:
        return False
    seen.add(function)
    try:
        form = normal_form(function)
    except AutodiffError:
        return "<string>" not in function.__code__.co_filename  # a dataclass's own __init__
    given = set(parameters(form.tree.args))
    for node in walk(form.tree):
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            stored = isinstance(node.ctx, (gast.Store, gast.Del))
            on_self = isinstance(node.value, gast.Name) and node.value.id in own
            if stored and not on_self:
                return True
        elif isinstance(node, gast.AugAssign):
            if isinstance(node.target, gast.Name) and node.target.id in given:
                return True
        elif isinstance(node, gast.Call) and _call_may_change(node, form.namespace, seen):
            return True
    return False


def _call_may_change(node: gast.Call, namespace: Any, seen: set[Any]) -> bool:
    if any(keyword.arg == "out" for keyword in node.keywords):
        return True
    callee = node.func
    path: list[str] = []
    while isinstance(callee, gast.Attribute):
        path.append(callee.attr)
        callee = callee.value
    if not isinstance(callee, gast.Name):
        return True
    try:
        value = namespace.lookup(callee.id)
    except (KeyError, ValueError):
        return not path or path[0] in CHANGING
    for attribute in reversed(path):
        value = getattr(value, attribute, None)
    if getattr(value, "__module__", None) in ("builtins", "math", "autodiff.runtime.structure"):
        return False
    return _may_change(value, seen)
