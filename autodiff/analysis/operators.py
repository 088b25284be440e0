"""Operators on objects: the methods that their classes give them."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Record
from autodiff.analysis.objects import Parts
from autodiff.analysis.operation import BINARY, UNARY
from autodiff.normalize.sites import Site
from autodiff.syntax.walk import walk

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver


def operator_site(resolver: Resolver, statement: gast.stmt, value: Any) -> Site | None:
    """`u + v`, `-u` and `u[i]` of objects whose class says what they mean."""
    if isinstance(value, gast.BinOp):
        word = BINARY[type(value.op)].__name__.strip("_")
        tries = [(value.left, value.right, word), (value.right, value.left, f"r{word}")]
    elif isinstance(value, gast.UnaryOp):
        tries = [(value.operand, None, UNARY[type(value.op)].__name__.strip("_"))]
    elif any(isinstance(part, gast.Slice) for part in walk(value.slice)):
        return None  # a slice is no expression of its own
    else:
        tries = [(value.value, value.slice, "getitem")]
    for base, other, word in tries:
        kind = resolver.kinds.of(base)
        if not isinstance(kind, (Record, Parts)) or kind.cls in (tuple, list, dict):
            continue
        found = class_attribute(kind.cls, f"__{word}__")
        if isinstance(found, types.FunctionType):
            callee = resolver.callee(found, statement, value)
            resolver.assume(base)
            return Site(callee, (base,), () if other is None else (other,), ())
    return None
