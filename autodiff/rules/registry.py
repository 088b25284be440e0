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

# A primitive may have several templates, for calls with different numbers of operands.
_templates: dict[Any, tuple[Template, ...]] = {}
_rules: dict[FunctionType, Rule] = {}
_nondifferentiable: dict[Any, bool] = {}
_pure: set[Any] = set()
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
    """Register a template for its primitives.

    A user's rule replaces the library's, and is not replaced by it. A rule of the library for
    another number of operands is kept beside the first.
    """
    built_in = is_built_in(template.function)
    if not built_in:
        _rules[template.function] = parse(template)
    for primitive in template.primitives:
        present = _templates.get(primitive, ())
        if not built_in:
            _templates[primitive] = (template,)
            _nondifferentiable.pop(primitive, None)
        elif all(is_built_in(other.function) for other in present):
            same = [other for other in present if other.function is not template.function]
            _templates[primitive] = (*same, template)


def add_nondifferentiable(functions: Iterable[Callable[..., Any]], pure: bool) -> None:
    """Register functions whose result does not depend on any input in a differentiable way."""
    for function in functions:
        _nondifferentiable[function] = pure


def add_pure(functions: Iterable[Callable[..., Any]]) -> None:
    """Register functions without effects, whatever their derivative."""
    _pure.update(functions)


def is_built_in(function: Callable[..., Any]) -> bool:
    """Whether a template comes with the library."""
    return function.__module__.startswith(_LIBRARY)


def rule_for(function: Any, operands: int | None = None) -> Rule | None:
    """The rule of a callable, None if it has none; operators are found as `operator.mul`.

    `operands`: how many positional arguments the call has; None stands for any number, and gives
    the most general rule.
    """
    try:
        templates = _templates.get(function)
    except TypeError:  # not hashable
        return None
    if templates is None:
        return None
    template = templates[-1]
    if operands is not None and len(templates) > 1:
        template = next((t for t in templates if t.takes(operands)), template)
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
        templates = _templates.get(function)
        if templates is not None:
            return is_built_in(templates[-1].function)
        return _nondifferentiable.get(function, False) or function in _pure
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
