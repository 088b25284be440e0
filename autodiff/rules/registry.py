"""Which functions have a rule, and which have no derivative."""

from __future__ import annotations

import importlib
import operator
import threading
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from autodiff.rules.parse import parse
from autodiff.rules.template import Rule, Template

_LIBRARY = "autodiff.templates"

# The primitive that `x[key]` means.
getitem = operator.getitem

_templates: dict[Any, Template] = {}
_rules: dict[FunctionType, Rule] = {}
_nondifferentiable: dict[Any, bool] = {}
_lock = threading.RLock()
_loaded = False


def load() -> None:
    """Register the templates of the library; the compiler calls this before it first compiles."""
    global _loaded
    if not _loaded:
        with _lock:
            importlib.import_module(_LIBRARY)
            _loaded = True


def add(template: Template) -> None:
    """Register a template for its primitives; a user's rule takes precedence over the library's."""
    built_in = is_built_in(template.function)
    if not built_in:
        _rules[template.function] = parse(template)
    for primitive in template.primitives:
        present = _templates.get(primitive)
        if built_in and present is not None and not is_built_in(present.function):
            continue
        _templates[primitive] = template
        if not built_in:
            _nondifferentiable.pop(primitive, None)


def add_nondifferentiable(functions: Iterable[Callable[..., Any]], pure: bool) -> None:
    """Register functions whose result does not depend on any input in a differentiable way."""
    for function in functions:
        _nondifferentiable[function] = pure


def is_built_in(function: Callable[..., Any]) -> bool:
    """Whether a template comes with the library."""
    return function.__module__.startswith(_LIBRARY)


def rule_for(function: Any) -> Rule | None:
    """The rule of a callable, None if it has none; operators are found as `operator.mul`."""
    try:
        template = _templates.get(function)
    except TypeError:  # not hashable
        return None
    if template is None:
        return None
    rule = _rules.get(template.function)
    if rule is None:
        rule = _rules[template.function] = parse(template)
    return rule


def is_nondifferentiable(function: Any) -> bool:
    """Whether the result of a callable has no derivative: what uses it is inactive."""
    try:
        return function in _nondifferentiable and function not in _templates
    except TypeError:
        return False


def is_pure(function: Any) -> bool:
    """Whether a callable is registered and known to have no effect besides its result."""
    try:
        template = _templates.get(function)
        if template is not None:
            return is_built_in(template.function)
        return _nondifferentiable.get(function, False)
    except TypeError:
        return False


def primitives() -> tuple[Any, ...]:
    """All callables with a rule, in the order of their registration."""
    load()
    return tuple(_templates)


def nondifferentiable_functions() -> tuple[Any, ...]:
    """All callables registered as nondifferentiable, in the order of their registration."""
    load()
    return tuple(_nondifferentiable)
