"""Which functions have a rule, and which have no derivative."""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from autodiff.locks import TEMPLATES
from autodiff.rules.extended import extend
from autodiff.rules.home import hashable, module_of
from autodiff.rules.parse import parse
from autodiff.rules.template import Rule, Template

_LIBRARY = "autodiff.templates"
_REGISTERING = (_LIBRARY, "autodiff.api", "autodiff.declared.functions_given")  # when imported

# Parts of libraries that autodiff does not need, which have templates not loaded yet.
_waiting = {
    "numpy.ma": f"{_LIBRARY}.numpy.masked",
    "statistics": f"{_LIBRARY}.averages",
    **dict.fromkeys(("bottleneck.reduce", "bottleneck.move"), f"{_LIBRARY}.bottleneck"),
    "scipy._lib": f"{_LIBRARY}.scipy.namespaces",
} | {
    f"scipy.{part}": f"{_LIBRARY}.scipy.{part}"
    for part in (
        *("fft", "integrate", "interpolate", "linalg", "ndimage", "optimize"),
        *("signal", "sparse", "spatial", "special", "stats"),
    )
}

getitem = operator.getitem  # the primitive that `x[key]` means

# A primitive may have several templates, for calls with different numbers of operands.
_templates: dict[Any, tuple[Template, ...]] = {}
_rules: dict[FunctionType, Rule] = {}
_nondifferentiable: dict[Any, bool] = {}
_originals: dict[FunctionType, Callable[..., Any]] = {}
_pure: set[Any] = set()
_elsewhere: set[Any] = set()
"""Functions whose library has no templates that are still to be loaded."""
_receivers: dict[int, Any] = {}
_callables: dict[int, Any] = {}
"""Objects with a rule for calls of them, by their id."""
_sharing: set[Any] = set()
_demanding: dict[Any, tuple[type, ...]] = {}
_uncertain: set[Any] = set()
_wide_by_values: set[Any] = set()
_makers: set[Any] = set()
_pulling: set[Any] = set()
_making: set[Any] = set()
_offers: dict[Any, Callable[..., Any]] = {}
_plain: dict[Any, FunctionType] = {}
_written: dict[Any, FunctionType] = {}
_transparent: set[str] = set()
_loaded = False


def load() -> None:
    """Register the templates of the library; the compiler calls this before it first compiles."""
    global _loaded
    if not _loaded:
        with TEMPLATES:
            for module in _REGISTERING:
                importlib.import_module(module)
            _loaded = True


def _key(function: Any) -> Any:
    """What tables have for a callable: for one whose class compares its objects by code of its own,
    which is nobody's to run, the very object.
    """
    return id(function) if isinstance(type(function).__hash__, FunctionType) else function


def _look(table: dict[Any, Any], function: Any) -> Any:
    """What a table says of a callable; the templates of its library are loaded if need be."""
    key = _key(function)
    if key is not function:
        return table.get(key)
    found = table.get(function)
    if found is None and _waiting and function not in _elsewhere:
        _load_part(function)
        found = table.get(function)
        _elsewhere.add(function)
    return found


def forget() -> None:
    """Let go of the functions that were looked up: the templates of their library are loaded."""
    _elsewhere.clear()


def _load_part(value: Any) -> None:
    """Load the templates of the part of an optional library that an object comes from."""
    ufunc = isinstance(value, np.ufunc)
    load_part("scipy.special" if ufunc else ".".join(module_of(value).split(".")[:2]))


def load_part(part: str) -> None:
    """Load the templates of a part of an optional library, if that is in use."""
    if part in _waiting and part in sys.modules:
        with TEMPLATES:
            importlib.import_module(_waiting[part])
            _waiting.pop(part, None)


def add(template: Template) -> None:
    """Register a template for its primitives.

    A user's rule replaces the library's, and is not replaced by it. A rule of the library for
    another number of operands is kept beside the first.
    """
    built_in = is_built_in(template.function)
    if not built_in:
        extend()
        _rules[template.function] = parse(template)
    for primitive in template.primitives:
        if isinstance(primitive, MethodType):
            _receivers[id(primitive.__self__)] = primitive.__self__
        elif not isinstance(primitive, (FunctionType, np.ufunc, type)):
            _callables[id(primitive)] = primitive
        key = _key(primitive)
        present = _templates.get(key, ())
        if not built_in:
            _templates[key] = (template,)
            _nondifferentiable.pop(key, None)
        elif all(is_built_in(other.function) for other in present):
            same = [other for other in present if other.function is not template.function]
            _templates[key] = (*same, template)


def add_rule(function: FunctionType, rule: Rule) -> None:
    """Register a rule that was not read from a template."""
    extend()
    _rules[function] = rule
    _templates[function] = (Template(function, (function,)),)


def add_repeated(function: FunctionType, original: Callable[..., Any]) -> None:
    """Register a function whose rule only matters in reverse mode; else it is the original."""
    _originals[function] = original


def original(function: Any) -> Any:
    """The function to differentiate where a rule for reverse mode does not matter."""
    try:
        return _originals.get(_key(function), function)
    except TypeError:
        return function


def add_nondifferentiable(functions: Iterable[Callable[..., Any]], pure: bool) -> None:
    """Register functions whose result does not depend on any input in a differentiable way."""
    for function in functions:
        _nondifferentiable[function] = pure


def add_pure(functions: Iterable[Callable[..., Any]]) -> None:
    """Register functions without effects, whatever their derivative."""
    _pure.update(functions)


def add_transparent(modules: Iterable[str]) -> None:
    """Register modules of the library's own whose functions are differentiated like the user's.

    They hold helpers of templates, in plain NumPy: a rule for one of them is only needed where it
    is simpler than what its text comes to.
    """
    _transparent.update(modules)


def is_transparent(function: Any) -> bool:
    """Whether a function is a helper of templates that is read like the user's code."""
    module = getattr(function, "__module__", None) or ""
    return module in _transparent or module.startswith(f"{_LIBRARY}.")


def add_making(functions: Iterable[Callable[..., Any]]) -> None:
    """Register helpers that return a new array or number, whatever they are given."""
    _making.update(functions)
    _pure.update(functions)


def makes_new(function: Any) -> bool:
    """Whether a helper of templates for SciPy returns a new array or number."""
    return hashable(function) and _key(function) in _making


def add_sharing(functions: Iterable[Callable[..., Any]]) -> None:
    """Register functions that return memory of the first operand for some operands."""
    _sharing.update(functions)


def may_share(function: Any) -> bool:
    """Whether a function of a library may return memory of its first operand."""
    return _key(function) in _sharing


def add_demanding(functions: Iterable[Callable[..., Any]], parts: tuple[type, ...] = ()) -> None:
    """Register functions that are never called with made-up arguments to see what they return.

    LAPACK trusts the pivots of a factorization: wrong ones make it write anywhere.
    """
    _demanding.update(dict.fromkeys(functions, parts))


def add_uncertain(functions: Iterable[Callable[..., Any]]) -> None:
    """Register functions whose result is complex for some real arguments, and real for others.

    Made-up arguments do not tell which.
    """
    _uncertain.update(functions)


def add_wide_by_values(functions: Iterable[Callable[..., Any]]) -> None:
    """Register functions with results of as many columns as the values say."""
    _wide_by_values.update(functions)


def add_offer(function: Callable[..., Any], offer: Callable[..., Any]) -> None:
    """Register what tells, for kinds of arguments, the plain function that a call comes to."""
    _offers[function] = offer


def add_plain(functions: dict[Any, FunctionType]) -> None:
    """Register plain classes, or functions that make functions, for objects only called."""
    _plain.update(functions)


def plain_for(value: Any) -> FunctionType | None:
    """The plain function for a class whose objects are only called; None if there is none."""
    try:
        return _look(_plain, value)  # type: ignore[no-any-return]
    except TypeError:  # not hashable
        return None


def add_written(functions: dict[Any, FunctionType]) -> None:
    """Register plain functions for functions of a library whose own source says less."""
    _written.update(functions)


def written_for(value: Any) -> FunctionType | None:
    """The plain function that is inlined in place of a library's own; None if there is none."""
    try:
        return _look(_written, value)  # type: ignore[no-any-return]
    except TypeError:  # not hashable
        return None


def stand_ins() -> tuple[Any, ...]:
    """All functions of the libraries that are loaded for which there is a plain one."""
    return tuple(_written)


def offer_of(value: Any) -> Callable[..., Any] | None:
    """What tells the plain function that a call of `value` comes to; None for most."""
    if isinstance(value, FunctionType):
        return _offers.get(value)
    return None if isinstance(value, type) else getattr(value, "__inlined__", None)


def add_makers(functions: Iterable[Callable[..., Any]]) -> None:
    """Register functions that make derivatives of functions, and do nothing else."""
    _makers.update(functions)
    _pure.update(functions)


def add_pulling(function: Callable[..., Any]) -> None:
    """Register a function that gives the value of its first argument, and the pullback."""
    _pulling.add(function)


def is_pulling(function: Any) -> bool:
    """Whether a function gives value and pullback of another one."""
    return isinstance(function, FunctionType) and function in _pulling


def is_maker(function: Any) -> bool:
    """Whether a function makes a derivative of a function."""
    return isinstance(function, FunctionType) and function in _makers


def is_uncertain(function: Any) -> bool:
    """Whether the values of real arguments say if the result is complex."""
    return _key(function) in _uncertain


def is_wide_by_values(function: Any) -> bool:
    """Whether the values of arguments say how many columns the result has."""
    return _key(function) in _wide_by_values


def is_demanding(function: Any) -> bool:
    """Whether a function must not be called with made-up arguments."""
    return _key(function) in _demanding


def parts_of(function: Any) -> tuple[type, ...]:
    """The classes of the parts of the tuple that such a function gives, if it gives one."""
    return _demanding.get(_key(function), ())


def is_built_in(function: Callable[..., Any]) -> bool:
    """Whether a template comes with the library."""
    return function.__module__.startswith(_LIBRARY)


def is_of_library(rule: Rule) -> bool:
    """Whether a rule was read from a template that comes with the library."""
    return rule.module.__name__.startswith(_LIBRARY)


def rule_for(function: Any, operands: int | None = None) -> Rule | None:
    """The rule of a callable, None if it has none; operators are found as `operator.mul`.

    `operands`: how many positional arguments the call has; None stands for any number, and gives
    the most general rule.
    """
    try:
        templates = _templates.get(_key(function)) or _look(_templates, function)
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
        return _look(_nondifferentiable, function) is not None and _key(function) not in _templates
    except TypeError:
        return False


def is_pure(function: Any) -> bool:
    """Whether a callable is registered and known to have no effect besides its result."""
    try:
        templates = _templates.get(_key(function)) or _look(_templates, function)
        if templates is not None:
            return is_built_in(templates[-1].function)
        frozen = id(function) in _receivers  # `stats.norm(loc, scale)`
        key = _key(function)
        return _nondifferentiable.get(key, False) or key in _pure or frozen
    except TypeError:
        return False


def is_vouched_for(function: Any) -> bool:
    """Whether the user wrote a rule for a callable, so that it changes nothing that it is given."""
    try:
        templates = _templates.get(_key(function))
    except TypeError:
        return False
    return templates is not None and not is_built_in(templates[-1].function)


FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc)
"""What has no methods with rules, and is itself what a call of it calls."""


def is_receiver(value: Any) -> bool:
    """Whether rules are known for methods of this very object, as for `scipy.stats.norm`."""
    if isinstance(value, FUNCTIONS):
        return False
    _load_part(value)
    return id(value) in _receivers


def is_called(value: Any) -> bool:
    """Whether a rule is known for calls of this very object, as for `scipy.special.sph_harm_y`."""
    _load_part(value)
    return id(value) in _callables


def receiver_of(cls: type) -> Any:
    """The object of this class whose methods have rules; None if there is none."""
    if module_of(cls).startswith("scipy.stats"):
        _load_part(cls)
    return next((value for value in _receivers.values() if type(value) is cls), None)


def primitives() -> tuple[Any, ...]:
    """All callables with a rule, in the order of their registration."""
    load()
    return tuple(_templates)
