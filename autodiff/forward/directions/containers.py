"""Containers of tangents: what is moved along one direction is moved for all of them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import gast

from autodiff.analysis.operation import Operation
from autodiff.forward.containers import COPYING, TAKING
from autodiff.forward.directions.batch import Batch, Unbatched
from autodiff.forward.effects import PUTTING
from autodiff.runtime import accumulate, assembled, restructured
from autodiff.syntax.walk import shallow

Lift = Callable[[Batch, gast.expr], gast.expr]

_DATA = {**PUTTING, **TAKING, "items": (), "pop": (1,)}
"""Methods of containers, and which of their arguments are put in or handed out."""


def method(batch: Batch, node: gast.Call, lift: Lift, hold: Lift) -> gast.expr:
    """`xs_dot.append(x_dot)`: keys and places stay what they are."""
    own = node.func.attr
    if own not in _DATA or node.keywords:
        raise Unbatched(f"`.{own}(...)` of a container of tangents")
    data = _DATA[own]
    if own == "get" and len(node.args) == 1:
        data = ()
    new = shallow(node)
    new.func = shallow(node.func)
    new.func.value = lift(batch, node.func.value)
    new.args = []
    for number, argument in enumerate(node.args):
        if number in data:
            if own in ("extend", "update") and not batch.is_container(argument):
                raise Unbatched("an array of tangents that is taken apart")
            argument = hold(batch, argument)
        elif batch.carries(argument):
            raise Unbatched("a tangent as a key")
        new.args.append(argument)
    return new


def moved(batch: Batch, node: gast.Call, operation: Operation, hold: Lift) -> gast.expr | None:
    """A call that copies a container or builds an object; None for others."""
    function: Any = operation.function
    built = function is assembled or function is SimpleNamespace
    if built or isinstance(function, type) and issubclass(function, tuple) and (
        function is not tuple
    ):
        rest = 1 if function is assembled else 0
        new = shallow(node)
        new.args = [*node.args[:rest], *(hold(batch, value) for value in node.args[rest:])]
        new.keywords = [
            gast.keyword(arg=k.arg, value=hold(batch, k.value)) for k in node.keywords
        ]
        return new
    if function is restructured and not batch.carries(node.args[0]):
        new = shallow(node)
        new.args = [node.args[0], hold(batch, node.args[1])]
        return new
    if function is accumulate and all(map(batch.is_container, node.args)) and not node.keywords:
        new = shallow(node)
        new.args = [hold(batch, value) for value in node.args]
        return new
    if any(function is own for own in COPYING) and len(node.args) == 1 and not node.keywords:
        if batch.is_container(node.args[0]):
            new = shallow(node)
            new.args = [hold(batch, node.args[0])]
            return new
    return None
