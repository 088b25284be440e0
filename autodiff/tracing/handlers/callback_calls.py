"""Operations that are given functions, in a run: `rules/taking.py`."""

from __future__ import annotations

import inspect
from typing import Any

from autodiff.rules.ruled import user_rule
from autodiff.rules.taking import (
    ANSWERS,
    MADE,
    arity_of,
    as_it_is,
    flow_of,
    integral_of,
    integral_of_arrays,
    maker_for,
    rather_followed,
    refused,
    root_of,
    slope_of,
)
from autodiff.tracing.guard import unwatched
from autodiff.tracing.handlers.handled import Refused, handles
from autodiff.tracing.held_apart import Apart, Kept
from autodiff.tracing.number import value_of
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import operate
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.trace import Trace, running

_CALLED = Kept()


@handles(as_it_is)
def _as_it_is(trace: Trace, sample: Any, f: Any, *given: Any, **named: Any) -> Any:
    """A call with plain values, also in what functions hold."""
    args = [Apart(trace).value(own) for own in given]
    keywords = {key: Apart(trace).value(own) for key, own in named.items()}
    with unwatched(), running(None):
        return f(*args, **keywords)


def _taken(operation: Any) -> None:
    @handles(operation)
    def handler(trace: Trace, *given: Any) -> Any:
        functions, leaves, others = [], list[Any](), list[Any]()
        for own in given:
            if callable(own):
                known, held = Apart(trace, again=True).function(own)
                functions.append((known, len(held)))
                leaves += held
            else:
                others.append(own)
        key = operation, *functions
        made = _CALLED.get(key)
        if made is None:
            maker = maker_for(operation)
            assert maker is not None
            made = _CALLED.keep(key, maker(*functions))
        args = (*leaves, *others)
        if not holds_derivative(trace, args):
            with unwatched(), running(None):
                return made(*args)
        try:
            return operate(trace, made, "f({args})", args, {}, made, user_rule(made) is not None)
        except Missing as why:
            raise trace.fail(str(why)) from None


for _own in (root_of, slope_of, integral_of, integral_of_arrays, flow_of):
    _taken(_own)


def _answered(function: Any) -> None:
    @handles(function)
    def handler(trace: Trace, *given: Any) -> Any:
        return function(*map(value_of, given))


for _question in (*MADE, *ANSWERS):
    _answered(_question)


@handles(arity_of)
def _arity(trace: Trace, f: Any) -> Any:
    return len(inspect.signature(f).parameters)


@handles(refused, rather_followed)
def _refused(trace: Trace, what: str, why: str, cure: str) -> Any:
    raise Refused(f"{what}: {why}; {cure}")
