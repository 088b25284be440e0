"""Trees written as text, and running them."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.optimize.facts import Facts
from autodiff.syntax.emit import comment
from autodiff.syntax.origin import Origin

PURE = ("np.sin", "np.where", "np.zeros", "np.zeros_like", "range", "reversed", "len", "Tape")


class Tape(list[Any]):
    """What generated code calls `tape`."""

    push = list.append


def tree_of(text: str, origin: str | None = None) -> gast.FunctionDef:
    """The function in the text.

    A lone string is a comment; `tape.push(x, 3)` and `x = tape.pop(3)` are at site 3. With
    `origin` every statement comes from a statement of the user's with that text.
    """
    tree = gast.parse(textwrap.dedent(text)).body[0]
    for node in gast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                block[:] = [_commented(statement) for statement in block]
        if isinstance(node, gast.stmt) and not isinstance(node, gast.FunctionDef):
            if origin is not None:
                node.origin = Origin("f.py", 1, 0, 1, 1, origin)
            call = getattr(node, "value", None)
            if isinstance(call, gast.Call) and getattr(call.func, "attr", "") in ("push", "pop"):
                if call.args and isinstance(call.args[-1], gast.Constant):
                    node.site = str(call.args.pop().value)
    return tree


def _commented(statement: gast.stmt) -> gast.stmt:
    if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant):
        return comment(str(statement.value.value))
    return statement


def text_of(tree: gast.FunctionDef) -> str:
    """The tree as text, in which comments are strings."""
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree))) + "\n"


def check(tree: gast.FunctionDef, expected: str) -> None:
    """Compare a tree with a text."""
    assert text_of(tree) == ast.unparse(ast.parse(textwrap.dedent(expected))) + "\n"


def is_pure(call: gast.Call) -> bool:
    func = call.func
    if isinstance(func, gast.Attribute) and func.attr == "copy":
        return True
    if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name):
        return f"{func.value.id}.{func.attr}" in PURE
    return isinstance(func, gast.Name) and func.id in PURE


def is_scalar(node: gast.expr) -> bool:
    """Names of arrays are b or begin with a, those of temporaries with t and then like others."""
    if isinstance(node, gast.UnaryOp):
        return is_scalar(node.operand)
    if not isinstance(node, gast.Name) or node.id == "b":
        return False
    return (node.id.removeprefix("t") or "t")[0] not in "a_nr"


def is_inexact(node: gast.expr) -> bool:
    if isinstance(node, gast.Name):
        return node.id[0] in "satxyz"
    if isinstance(node, gast.Constant):
        return isinstance(node.value, float)
    if isinstance(node, gast.BinOp):
        return is_inexact(node.left) or (
            is_inexact(node.right) and not isinstance(node.op, gast.Pow)
        )
    if isinstance(node, gast.UnaryOp):
        return is_inexact(node.operand)
    return isinstance(node, (gast.Call, gast.Subscript))


def is_double(node: gast.expr) -> bool:
    if isinstance(node, gast.BinOp):
        sides = [side for side in (node.left, node.right) if not isinstance(side, gast.Constant)]
        return bool(sides) and all(map(is_double, sides))
    return is_scalar(node) and is_inexact(node)


def shape_of(node: gast.expr) -> tuple[int, ...] | None:
    """All arrays of the random programs are vectors of three doubles."""
    if isinstance(node, gast.Subscript) and ast.unparse(gast.gast_to_ast(node.slice)) == "0:3":
        return shape_of(node.value)
    if isinstance(node, gast.BinOp):
        return shape_of(node.left) or shape_of(node.right)
    if not isinstance(node, gast.Name) or not node.id.removeprefix("t").startswith("a"):
        return None
    return (3,)


def is_wide(node: gast.expr) -> bool:
    return shape_of(node) is not None


def facts_of(temporaries: str | frozenset[str] = "") -> Facts:
    if isinstance(temporaries, str):
        temporaries = frozenset(temporaries.split())
    known = (is_pure, is_scalar, is_inexact, is_inexact, is_double)
    return Facts(temporaries, *known, native=is_scalar, shape=shape_of, wide=is_wide)


def run(tree: gast.FunctionDef, use: Callable[[Any, list[Any]], Any]) -> tuple[Any, list[str]]:
    """What `use` makes of the function, and what was logged on the way."""
    logged: list[str] = []

    def log(value: Any) -> Any:
        logged.append(repr(value))
        return value * 0.5

    def bump(array: Any) -> Any:
        logged.append(f"bump {array!r}")
        array += 0.25
        return array[0]

    namespace: dict[str, Any] = {"np": np, "Tape": Tape, "log": log, "bump": bump}
    exec(compile(text_of(tree), "<generated>", "exec"), namespace)
    with np.errstate(all="ignore"):
        result = use(namespace[tree.name], [])
    return result, logged
