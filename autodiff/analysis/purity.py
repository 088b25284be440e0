"""Whether a Python function may change what it is given, judged by its text."""

from __future__ import annotations

import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.newness import Newness
from autodiff.errors import AutodiffError
from autodiff.normalize.normal import normal_form
from autodiff.rules import registry
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import walk

CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard "
    "fill put itemset resize partition setflags byteswap setfield "
    "__setitem__ __delitem__ __iadd__ __imul__ __ior__".split()
)
"""Methods that change the object they are called on."""

READING = frozenset(
    name
    for cls in (np.ndarray, np.float64, list, dict, tuple, set, str, float, complex)
    for name in dir(cls)
) - CHANGING
"""Methods of arrays, numbers, texts and containers that change nothing."""

_CONTAINERS = frozenset((defaultdict, deque, OrderedDict, Counter))


def may_change_arguments(function: Any, given: Sequence[type | None] = ()) -> bool:
    """Whether a call of the function might change an argument in place; True when in doubt.

    `given`: the classes of the first arguments, where they are known.
    """
    return _may_change(function, tuple(given), set())


def _may_change(function: Any, classes: tuple[type | None, ...], seen: set[Any]) -> bool:
    if registry.is_pure(function) or registry.is_nondifferentiable(function):
        return False
    if registry.rule_for(function) is not None:
        return False
    is_container = any(function is cls for cls in _CONTAINERS)
    if is_container or hasattr(type(function), "__inlined__"):  # a derivative
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
    if (function, classes) in seen:
        return False
    seen.add((function, classes))
    try:
        form = normal_form(function)
    except AutodiffError:
        return "<string>" not in function.__code__.co_filename  # a dataclass's own __init__
    given = set(parameters(form.tree.args))
    written = writes(form.tree.body)
    known = {
        p: cls for p, cls in zip(parameters(form.tree.args), classes) if cls and p not in written
    }
    # what nested functions do is looked at like all that is inside
    known |= dict.fromkeys(_nested(form.tree) - given, types.FunctionType)
    new = Newness(form.tree, known, form.namespace.lookup)
    safe = _into_new(form.tree.body, new)
    for node in walk(form.tree):
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            stored = isinstance(node.ctx, (gast.Store, gast.Del))
            on_self = isinstance(node.value, gast.Name) and node.value.id in own
            if stored and not (on_self or id(node) in safe or new.may_change(node)):
                return True
        elif isinstance(node, gast.AugAssign):
            if id(node) not in safe and not new.may_add(node.target):
                return True
        elif isinstance(node, gast.Call) and not _is_on(own, new, node):
            if _call_may_change(node, form.namespace, known, seen):
                return True
    return False


def _is_on(own: set[str], new: Newness, call: gast.Call) -> bool:
    """Whether a call is of a method that changes what the function made, `items.append(x)`."""
    function = call.func
    if not isinstance(function, gast.Attribute) or function.attr not in CHANGING or call.keywords:
        return False
    is_own = isinstance(function.value, gast.Name) and function.value.id in own
    return is_own or new.may_change(function)


def _nested(tree: gast.FunctionDef) -> set[str]:
    """Names that never mean anything but a function that is defined inside."""
    inside = walk(tree.body)
    lambdas = [n for n in inside if isinstance(n, gast.Assign) and isinstance(n.value, gast.Lambda)]
    targets = {id(t): t.id for n in lambdas for t in n.targets if isinstance(t, gast.Name)}
    found, other = set(targets.values()), set()
    for node in inside:
        if isinstance(node, gast.FunctionDef):
            found.add(node.name)
        if isinstance(node, (gast.FunctionDef, gast.Lambda)):
            other |= set(parameters(node.args))
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            other |= {node.id} - ({targets[id(node)]} if id(node) in targets else set())
    return found - other


def _into_new(body: list[gast.stmt], new: Newness) -> set[int]:
    """Stores, by `id`, into what was made before in the same block, whatever else a name holds
    elsewhere: `x = x * 1.0`, `x[0] = 0.0`. An item is added to in place only where it is a number.
    """
    found: set[int] = set()

    def visit(block: list[gast.stmt], made: set[str], arrays: set[str]) -> None:
        for statement in block:
            if isinstance(statement, (gast.Assign, gast.AugAssign)):
                targets = getattr(statement, "targets", None) or [statement.target]
                for target in targets:
                    base = target.value if isinstance(target, gast.Subscript) else target
                    adds = isinstance(statement, gast.AugAssign) and base is not target
                    if getattr(base, "id", 0) in (arrays if adds else made):
                        found.update((id(target), id(statement)))
            elif isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
                for field in ("body", "orelse", "finalbody"):
                    inner = getattr(statement, field, None) or []
                    visit(inner, made - writes(statement), arrays - writes(statement))
            if not isinstance(statement, gast.AugAssign):
                made, arrays = made - writes(statement), arrays - writes(statement)
            if isinstance(statement, gast.Assign) and new.is_made(statement.value):
                made = made | writes(statement.targets)
                if new.is_numeric(statement.value):
                    arrays = arrays | writes(statement.targets)

    visit(body, set(), set())
    return found


def _call_may_change(
    node: gast.Call, namespace: Any, known: dict[str, type], seen: set[Any]
) -> bool:
    """Whether a call may change something; `known` are the classes of names in the function."""
    if any(keyword.arg == "out" for keyword in node.keywords):
        return True
    callee = node.func
    path: list[str] = []
    while isinstance(callee, gast.Attribute):
        path.append(callee.attr)
        callee = callee.value
    if not isinstance(callee, gast.Name):
        return True
    given = [known.get(a.id) if isinstance(a, gast.Name) else None for a in node.args]
    if not path and known.get(callee.id) is types.FunctionType:
        return False
    if callee.id in known and len(path) == 1:
        method = class_attribute(known[callee.id], path[0])
        if isinstance(method, types.FunctionType):
            return _may_change(method, (known[callee.id], *given), seen)
    try:
        value = namespace.lookup(callee.id)
    except (KeyError, ValueError):
        return not path or path[0] in CHANGING or path[0] not in READING
    for attribute in reversed(path):
        value = getattr(value, attribute, None)
    if getattr(value, "__module__", None) in ("builtins", "math", "autodiff.runtime.structure"):
        return False
    return _may_change(value, tuple(given), seen)
