"""Calls that come to something simpler for the kinds at hand: `d.get(k)`, `operator.mul(xs, 2)`."""

from __future__ import annotations

import copy
import dis
import types
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import (
    Array,
    Instance,
    Kind,
    Record,
    Scalar,
    Sequence,
    Static,
    is_real,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts
from autodiff.analysis.operation import BINARY
from autodiff.analysis.unwound import item_of
from autodiff.normalize.sites import Direct, Rewrite
from autodiff.runtime import conj
from autodiff.syntax.walk import of_class, walk
from autodiff.syntax.windows import root


def _is_copying(function: Any) -> bool:
    """Whether a function is one of these; an array would compare its elements."""
    return function is copy.copy or function is copy.deepcopy


def _operator(callee: Kind | None) -> type | None:
    """The operator that a function of `operator` stands for: with lists it joins or repeats."""
    function = callee.value if isinstance(callee, Static) else None
    return next((op for op, own in BINARY.items() if own is function), None)


def _is_list(kind: Kind | None) -> bool:
    return isinstance(kind, (Record, Sequence, Parts)) and kind.cls in (list, tuple)


def simplified(value: gast.Call, kinds: Kinds, tree: gast.FunctionDef) -> Rewrite | Direct | None:
    """`d.get(k, default)` of a dict with known keys, `getattr(x, "name")`, as what they come to."""
    function = value.func
    if value.keywords:
        return None
    if isinstance(function, gast.Attribute) and function.attr == "get" and value.args:
        base = kinds.of(function.value)
        key = kinds.of(value.args[0])
        if isinstance(base, Parts) and base.cls is dict and isinstance(key, Static):
            if key.value in kinds.scope.objects[base.owner].certain:
                return Rewrite(item_of(function.value, key.value))
        if (
            isinstance(base, Record)
            and base.cls is dict
            and isinstance(key, Static)
            and not _gets_items(root(function.value), kinds, tree)
        ):
            if base.get(key.value) is not None:
                return Rewrite(item_of(function.value, key.value))
            default = value.args[1] if len(value.args) > 1 else gast.Constant(value=None, kind=None)
            return Rewrite(default)
    callee = kinds.of(function)
    operator = _operator(callee) if len(value.args) == 2 else None
    if operator is not None and any(map(_is_list, map(kinds.of, value.args))):
        return Rewrite(gast.BinOp(left=value.args[0], op=operator(), right=value.args[1]))
    if isinstance(callee, Static) and callee.value is np.polyval and len(value.args) == 2:
        if _is_polynomial(kinds.of(value.args[0])):
            return Rewrite(gast.Call(func=value.args[0], args=value.args[1:], keywords=[]))
    if isinstance(callee, Static) and len(value.args) == 1 and _is_copying(callee.value):
        kind = kinds.of(value.args[0])
        if isinstance(kind, Scalar):
            return Rewrite(value.args[0])
        if isinstance(kind, Array) and kind.dtype != "object":
            return Direct(np.copy, tuple(value.args), ())
    if isinstance(callee, Static) and callee.value is conj and is_real(kinds.known(value.args[0])):
        return Rewrite(value.args[0])
    if isinstance(callee, Static) and callee.value is getattr and len(value.args) == 2:
        key = kinds.of(value.args[1])
        if isinstance(key, Static) and isinstance(key.value, str):
            return Rewrite(gast.Attribute(value=value.args[0], attr=key.value, ctx=gast.Load()))
    return None


def _gets_items(own: str | None, kinds: Kinds, tree: gast.FunctionDef) -> bool:
    """Whether something is stored into a dict from outside, of which no kind says so."""
    stored = (n for n in of_class(tree.body, gast.Subscript) if not isinstance(n.ctx, gast.Load))
    return own not in kinds.local and any(root(n) == own for n in stored)


def _is_polynomial(kind: Kind | None) -> bool:
    """Whether a value is an object `np.poly1d`, which is called where it is evaluated."""
    classes = kind.classes if isinstance(kind, Instance) else (getattr(kind, "cls", None),)
    return classes == (np.poly1d,)


def makes_functions(function: Any) -> bool:
    """Whether a function defines functions, which it may return for others to call."""
    if isinstance(function, gast.AST):
        body = function.body if isinstance(function.body, list) else [function.body]
        inner = [node for part in body for node in walk(part)]
        return any(isinstance(node, (gast.FunctionDef, gast.Lambda)) for node in inner)
    names = [c.co_name for c in function.__code__.co_consts if isinstance(c, types.CodeType)]
    made = any(not name.startswith("<") or name == "<lambda>" for name in names)
    return made or "partial" in function.__code__.co_names


def calls_itself(function: types.FunctionType) -> bool:
    """Whether a function refers to itself by its own name, as `np.exp` in an `exp` does not."""
    name = function.__name__
    if name not in function.__code__.co_names and name not in function.__code__.co_freevars:
        return False
    if function.__globals__.get(name) is function:
        return any(
            step.argval == name and step.opname == "LOAD_GLOBAL"
            for step in dis.get_instructions(function)
        )
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    try:
        return name in cells and cells[name].cell_contents is function
    except ValueError:  # the cell is empty
        return False
