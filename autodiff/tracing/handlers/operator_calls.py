"""Operators and attributes that are asked by functions."""

from __future__ import annotations

import functools
import operator
from typing import Any

from autodiff.tracing import attribute_hooks, items, operator_hooks
from autodiff.tracing.handlers.handled import HANDLED, handles
from autodiff.tracing.items import getitem, setitem
from autodiff.tracing.operator_hooks import binary, compare, unary
from autodiff.tracing.trace import Trace


@handles(getattr)
def _getattr(trace: Trace, x: Any, name: str, *default: Any) -> Any:
    if not default:
        return attribute_hooks.getattr(x, name)
    try:
        return attribute_hooks.getattr(x, name)
    except AttributeError:
        return default[0]


@handles(hasattr)
def _hasattr(trace: Trace, x: Any, name: str) -> bool:
    try:
        attribute_hooks.getattr(x, name)
    except AttributeError:
        return False
    return True


@handles(setattr)
def _setattr(trace: Trace, x: Any, name: str, value: Any) -> None:
    attribute_hooks.setattr(x, name, value)


@handles(delattr)
def _delattr(trace: Trace, x: Any, name: str) -> None:
    attribute_hooks.delattr(x, name)


@handles(eval, exec)
def _eval(trace: Trace, *args: Any, **keywords: Any) -> Any:
    raise trace.fail("what a text does that is run")


@handles(vars)
def _vars(trace: Trace, x: Any) -> Any:
    own = vars(x)
    trace.touched[id(own)] = own
    return own


def _operator(function: Any, run: Any) -> None:
    HANDLED[function] = lambda trace, *args: run(*args)


for _name in operator_hooks.SIGNS:
    _operator(getattr(operator, _name), functools.partial(binary, _name))
    _inplace = getattr(operator, f"i{_name.rstrip('_')}", None)
    if _inplace is not None:
        _operator(_inplace, functools.partial(operator_hooks.inplace, _name))
for _name in ("neg", "pos", "invert"):
    _operator(getattr(operator, _name), functools.partial(unary, _name))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    _operator(getattr(operator, _name), functools.partial(compare, _name))
_operator(operator.getitem, getitem)
_operator(operator.setitem, setitem)
_operator(operator.delitem, items.delitem)
_operator(operator.contains, lambda a, b: operator_hooks.contains(b, a))
_operator(operator.is_, operator.is_)
_operator(operator.is_not, operator.is_not)
_operator(operator.truth, bool)
_operator(operator.not_, operator.not_)
