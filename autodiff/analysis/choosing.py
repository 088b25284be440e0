"""Helpers that choose a function: which is called, or the dtype, is known once they are inlined.

    def optional(value, default):           def activation(name):
        return default if value is None         return ACTIVATIONS[name]
            else value
"""

from __future__ import annotations

import types
from typing import Any

import gast

from autodiff.analysis.kind import Kind, Static
from autodiff.errors import AutodiffError
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Callee
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import of_class, statements
from autodiff.syntax.windows import root

_CHOOSING = (gast.Assign, gast.If, gast.Return, gast.Raise, gast.Assert, gast.Pass, gast.Expr)
_ASKING = frozenset("isinstance issubclass callable len str type hasattr".split())
_METHODS = frozenset("get lower upper strip replace format".split())
"""Calls that such a helper makes besides, of texts and dicts."""

_LONGEST = 400
"""Bytes of code, of a helper that is worth a look."""


def chooses_function(function: Any, arguments: list[Kind | None]) -> bool:
    """Whether a helper may return a function or class, one it is given or one it names."""
    if not isinstance(function, types.FunctionType) or registry.is_pure(function):
        return False
    if len(function.__code__.co_code) > _LONGEST or is_library(module_of(function)):
        return False
    try:
        form = normal_form(function)
    except AutodiffError:
        return False
    if not all(isinstance(node, _CHOOSING) for node in statements(form.tree.body)):
        return False
    if not all(map(_is_quiet, of_class(form.tree.body, gast.Call))):
        return False
    given = set(parameters(form.tree.args)) if any(map(_is_callable, arguments)) else set()
    own = given | writes(form.tree.body) | set(parameters(form.tree.args))
    values = [n.value for n in of_class(form.tree.body, gast.Assign, gast.Return)]
    return any(root(v) in given or _names_functions(v, form, own) for v in values if v is not None)


def _is_quiet(call: gast.Call) -> bool:
    called = call.func
    if isinstance(called, gast.Attribute):
        return called.attr in _METHODS
    if not isinstance(called, gast.Name):
        return False
    error = called.id.endswith(("Error", "Exception"))
    return error or called.id in _ASKING


def _is_callable(kind: Kind | None) -> bool:
    return isinstance(kind, Static) and callable(kind.value)


def _names_functions(value: gast.expr, form: Callee, own: set[str]) -> bool:
    """Whether an expression is a function from outside, or an item of a container of such."""
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
        value = value.func.value  # `ACTIVATIONS.get(name)`
    base = root(value)
    if base is None or base in own or form.namespace is None:
        return False
    try:
        found = form.namespace.lookup(base)
    except (KeyError, ValueError):
        return False
    if isinstance(found, dict):
        return any(map(callable, found.values()))
    return callable(found) or isinstance(found, (list, tuple)) and any(map(callable, found))
