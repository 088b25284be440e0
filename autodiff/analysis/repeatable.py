"""Whether code gives the same when it is run again, and nobody notices that it was."""

from __future__ import annotations

import types
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.analysis.changes import class_of
from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Array, Mapping, Record, Scalar, Sequence, Static, Text
from autodiff.analysis.known import Kinds
from autodiff.analysis.purity import may_change_arguments
from autodiff.errors import AutodiffError
from autodiff.normalize.normal import normal_form
from autodiff.rules import registry
from autodiff.rules.home import module_of
from autodiff.runtime.checkpoints import checkpointed
from autodiff.syntax.walk import of_class

_PLAIN = (Array, Mapping, Record, Scalar, Sequence, Text)
_BUILTIN = frozenset((isinstance, issubclass, range, len, reversed, enumerate, zip, list, tuple))
_BUILTIN |= {dict, set, slice, type, float, int, bool, complex, abs, min, max, sum, sorted}
_RUNTIME = frozenset(getattr(runtime, own) for own in runtime.__all__) | {checkpointed}


def unrepeatable(body: list[gast.stmt], kinds: Kinds) -> gast.Call | None:
    """The first call in normal form that may draw random numbers, print, or keep something."""
    for statement in body:
        for call in of_class(statement, gast.Call):
            if not _repeats(call, kinds):
                return call
    return None


def _repeats(call: gast.Call, kinds: Kinds) -> bool:
    operation = kinds.operation(call)
    if operation is not None:
        given = [class_of(argument, kinds) for argument in operation.arguments]
        return is_repeatable(operation.function) and not _keeps(operation.function, given)
    if isinstance(call.func, gast.Attribute):
        base = kinds.known(call.func.value)
        if isinstance(base, Record):
            method = class_attribute(base.cls, call.func.attr)
            if isinstance(method, types.FunctionType):
                return is_repeatable(method) and not _keeps(method, [base.cls])
        return isinstance(base, _PLAIN) or isinstance(base, Static) and isinstance(base.value, str)
    return False


def _keeps(function: Any, given: list[type | None]) -> bool:
    """Whether a function of the user's may change what it is given, or what outlives its call."""
    if not isinstance(function, types.FunctionType) or function in _RUNTIME:
        return False
    ours = registry.is_pure(function) or registry.rule_for(function) is not None
    return not ours and may_change_arguments(function, given)


def is_repeatable(function: Any) -> bool:
    """Whether a function is known to depend on its arguments alone, and to have no effect."""
    return _repeatable(function, set())


def _repeatable(function: Any, seen: set[Any]) -> bool:
    try:
        known = function in _BUILTIN or function in _RUNTIME or function in seen
    except TypeError:  # not hashable
        return False
    if known or registry.is_pure(function) or registry.rule_for(function) is not None:
        return True
    if registry.is_nondifferentiable(function) and _is_numerical(function):
        return True
    if not isinstance(function, types.FunctionType):
        return isinstance(function, type) and issubclass(function, BaseException)
    seen.add(function)
    try:
        form = normal_form(function)
    except AutodiffError:
        return False
    return all(_repeats_in(call, form.namespace, seen) for call in of_class(form.tree, gast.Call))


def _is_numerical(function: Any) -> bool:
    module = module_of(function)
    return module.startswith(("numpy", "math", "scipy")) and "random" not in module


def _repeats_in(call: gast.Call, namespace: Any, seen: set[Any]) -> bool:
    """The same of a call in a function of which no kinds are known: methods are those of arrays."""
    callee = call.func
    path: list[str] = []
    while isinstance(callee, gast.Attribute):
        path.append(callee.attr)
        callee = callee.value
    if not isinstance(callee, gast.Name):
        return False
    try:
        value = namespace.lookup(callee.id)
    except (KeyError, ValueError):
        return len(path) == 1 and path[0] in _METHODS
    for attribute in reversed(path):
        value = getattr(value, attribute, None)
    return _repeatable(value, seen)


_METHODS = frozenset((*dir(np.ndarray), *dir(list), *dir(dict), *dir(str)))
