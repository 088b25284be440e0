"""`np.einsum` with lists of subscripts that are written out, as its form with a string.

    np.einsum(a, [0, 1], b, [1, 2], [0, 2])    becomes    np.einsum("ij,jk->ik", a, b)

So there is one form of which the later passes, the second derivatives and Numba have to know.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters
from types import ModuleType
from typing import Any

import gast
import numpy as np

from autodiff.syntax.names import writes
from autodiff.syntax.walk import clone, map_children, of_class, shallow

_LETTERS = "ijklmnopqrstuvwxyz"
_Labels = list[Any]


def subscripts(tree: gast.FunctionDef, meant: Callable[[str], Any]) -> gast.FunctionDef:
    """The function with strings; `meant` tells what a name from outside of it stands for."""
    found = {id(c): made for c in of_class(tree, gast.Call) if (made := _written(c, tree, meant))}
    if not found:
        return tree

    def change(node: gast.AST) -> gast.AST:
        return map_children(change, found.get(id(node), node))

    changed: gast.FunctionDef = map_children(change, tree)
    return changed


def _written(
    call: gast.Call, tree: gast.FunctionDef, meant: Callable[[str], Any]
) -> gast.Call | None:
    if len(call.args) < 2 or meaning(call.func, meant) is not np.einsum:
        return None
    operands = call.args[: len(call.args) // 2 * 2 : 2]
    if any(isinstance(operand, gast.Starred) for operand in operands):
        return None
    labels = list(map(_labels, call.args[1::2]))
    output = _labels(call.args[-1]) if len(call.args) % 2 else []
    if None in labels or output is None or _may_be_text(operands[0], tree, meant):
        return None
    inputs = [own for own in labels if own is not None]
    text = _text(inputs, output if len(call.args) % 2 else _implicit(inputs))
    new = shallow(call)
    new.args = [gast.Constant(value=text, kind=None), *operands]
    new.keywords = [clone(keyword) for keyword in call.keywords]
    return new


def _labels(node: gast.expr) -> _Labels | None:
    """The subscripts that a list or tuple of written numbers and `...` holds."""
    if not isinstance(node, (gast.List, gast.Tuple)):
        return None
    found: _Labels = []
    for item in node.elts:
        value = item.value if isinstance(item, gast.Constant) else None
        if value is not Ellipsis and (type(value) is not int or not 0 <= value < 52):
            return None
        found.append(value)
    return found


def _implicit(inputs: list[_Labels]) -> _Labels:
    """What NumPy takes for the subscripts of a result that has none: those that come once."""
    flat = [label for own in inputs for label in own]
    single = sorted(label for label in flat if label is not Ellipsis and flat.count(label) == 1)
    return [Ellipsis, *single] if Ellipsis in flat else single


def _text(inputs: list[_Labels], output: _Labels) -> str:
    labels = sorted({label for own in (*inputs, output) for label in own} - {Ellipsis})
    letters = _LETTERS if len(labels) <= len(_LETTERS) else ascii_letters
    names = {Ellipsis: "...", **dict(zip(labels, letters))}
    terms = ["".join(names[label] for label in own) for own in (*inputs, output)]
    return ",".join(terms[:-1]) + "->" + terms[-1]


def _may_be_text(node: gast.expr, tree: gast.FunctionDef, meant: Callable[[str], Any]) -> bool:
    """Whether the first argument may be a string, so that what follows are lists of numbers."""
    if _says_text(node):
        return True
    if not isinstance(node, gast.Name):
        return False
    return isinstance(meant(node.id), str) or any(
        node.id in writes(assigned) and _says_text(assigned.value)
        for assigned in of_class(tree, gast.Assign)
    )


def _says_text(node: gast.expr) -> bool:
    texts = of_class(node, gast.Constant, gast.JoinedStr)
    return any(isinstance(n, gast.JoinedStr) or isinstance(n.value, str) for n in texts)


def meaning(node: gast.expr, meant: Callable[[str], Any]) -> Any:
    """What a name from outside, or an attribute of a module, stands for; None for all else."""
    if isinstance(node, gast.Attribute):
        base = meaning(node.value, meant)
        return getattr(base, node.attr, None) if isinstance(base, ModuleType) else None
    return meant(node.id) if isinstance(node, gast.Name) else None
