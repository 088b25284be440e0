"""What two expressions have in common that say the same."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gast

from autodiff.native.stands import defaults
from autodiff.rules import methods


def _itself(name: str) -> str:
    return name


def _never(node: gast.expr) -> bool:
    return False


def expression_key(
    node: Any,
    known: Callable[[str], str] = _itself,
    is_array: Callable[[gast.expr], bool] = _never,
) -> Any:
    """By what an expression is found again; None for unusual ones.

    `known`: the name that stands for a variable; `is_array`: methods are those of arrays.
    """
    cls = node.__class__
    if cls is gast.Name:
        return known(node.id)
    if cls is gast.Constant:
        return cls, type(node.value), repr(node.value)
    if cls is gast.Attribute:
        parts: list[Any] = [node.value]
        own = node.attr
    elif cls is gast.BinOp:
        parts, own = [node.left, node.right], type(node.op)
    elif cls is gast.UnaryOp:
        parts, own = [node.operand], type(node.op)
    elif cls is gast.Call:
        parts = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
        own = tuple(keyword.arg for keyword in node.keywords)
        if None in own:
            return None
        if _takes_axis(getattr(node.func, "attr", "")):
            parts, own = _along(node, is_array) or (parts, own)
    elif cls is gast.Tuple:
        parts, own = node.elts, None
    elif cls is gast.Subscript:
        parts, own = [node.value, node.slice], None
    else:
        return None
    keys = [expression_key(part, known, is_array) for part in parts]
    return None if None in keys else (cls, own, *keys)


@functools.cache
def _takes_axis(name: str) -> bool:
    """Whether a method of arrays, and NumPy's function of its name, takes `axis` first."""
    method = methods.method(name)
    return method is not None and [*defaults(method.function)][1:2] == ["axis"]


def _along(
    call: gast.Call, is_array: Callable[[gast.expr], bool]
) -> tuple[list[Any], tuple[str | None, ...]] | None:
    """The parts of `np.mean(x, 0)`, which are those of `np.mean(x, axis=0)` and `x.mean(0)`."""
    func = call.func
    if not isinstance(func, gast.Attribute):
        return None
    of_numpy = isinstance(func.value, gast.Name) and func.value.id in ("np", "numpy")
    if of_numpy and not call.args:
        return None
    array, *more = call.args if of_numpy else [func.value, *call.args]
    if len(more) > 1 or not of_numpy and not is_array(array):
        return None
    told = [*zip(("axis",), more), *((k.arg, k.value) for k in call.keywords)]
    told.sort(key=lambda item: item[0])
    return [array, *(value for _, value in told)], (func.attr, *(arg for arg, _ in told))
