"""What rewritten functions call in place of Python's own operations."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from autodiff.tracing import (
    attribute_hooks,
    bound_late,
    call_hooks,
    going_over,
    items,
    number_operators,
    operator_hooks,
    patterns,
)
from autodiff.tracing.handlers import (
    array_calls,
    array_methods,
    array_stores,
    callback_calls,
    container_calls,
    nditer_calls,
    operator_calls,
    value_calls,
)
from autodiff.tracing.hooked.hooked_expressions import OWN
from autodiff.tracing.number import Number, printed
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.special_methods import in_python, method
from autodiff.tracing.trace import current


class Manager:
    """A context manager whose methods are followed."""

    __slots__ = ("own",)

    def __init__(self, own: Any) -> None:
        self.own = own

    def __enter__(self) -> Any:
        return call_hooks.call(type(self.own).__enter__, self.own)

    def __exit__(self, *error: Any) -> Any:
        return call_hooks.call(type(self.own).__exit__, self.own, *error)


def manager(x: Any) -> Any:
    """What `with` enters."""
    if in_python(type(x), "__enter__") is None and in_python(type(x), "__exit__") is None:
        return x
    return Manager(x)


def text(x: Any) -> Any:
    """What an f-string formats."""
    if x.__class__ is Number:
        return printed(x)
    trace = current()
    if trace is None:
        return x
    if method(type(x), "__format__") is object.__format__ and in_python(type(x), "__str__"):
        return call_hooks.call(str, x)
    trace.printed |= holds_derivative(trace, x)
    return x


def variables(found: dict[str, Any]) -> dict[str, Any]:
    """The variables of a function without those that hooks brought along."""
    for name in [*found]:
        if name.startswith(OWN):
            del found[name]
    return found


HOOKS = SimpleNamespace(
    binary=operator_hooks.binary,
    unary=operator_hooks.unary,
    compare=operator_hooks.compare,
    contains=operator_hooks.contains,
    inplace=operator_hooks.inplace,
    getattr=attribute_hooks.getattr,
    setattr=attribute_hooks.setattr,
    delattr=attribute_hooks.delattr,
    getitem=items.getitem,
    setitem=items.setitem,
    delitem=items.delitem,
    iterate=items.iterate,
    unpack=items.unpack,
    unpacked=items.unpacked,
    call=call_hooks.call,
    mapping=going_over.mapping,
    manager=manager,
    sequence=patterns.sequence,
    mapped=patterns.mapped,
    parts=patterns.parts,
    printed=text,
    slice=slice,
    variables=variables,
    locals=locals,
    vars=vars,
)
call_hooks.HOOKS = HOOKS
bound_late.bind(
    call=call_hooks.call,
    followed=call_hooks.followed,
    getattr_of=attribute_hooks.getattr,
    getitem_of=items.getitem,
    setitem=items.setitem,
    iterate=items.iterate,
    entries=going_over.entries,
    as_array=array_calls.as_array,
    numeric=array_calls.numeric,
    of_array=array_methods.of_array,
    handled_method=container_calls.handled_method,
    vectorized=array_calls.vectorized,
    where_asked=array_stores.where_asked,
)
assert all((callback_calls, nditer_calls, number_operators, operator_calls, value_calls))
