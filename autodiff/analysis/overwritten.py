"""`np.median(np.abs(x - m), overwrite_input=True)`: what may be overwritten need not be.

The option saves a copy of an array that nobody reads any more, so without it the result is the
same. Where something may read the array again, the call stays, and is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.exposure import definition_counts
from autodiff.analysis.kind import Static
from autodiff.normalize.sites import Rewrite
from autodiff.syntax.names import parameters, reads
from autodiff.syntax.walk import map_children, of_class, statements

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

_WORD = "overwrite_input"
_FIELDS = ("body", "orelse", "finalbody")
_FUNCTIONS = (
    np.median,
    np.quantile,
    np.percentile,
    np.nanmedian,
    np.nanquantile,
    np.nanpercentile,
)


def left_as_it_is(resolver: Resolver, value: gast.Call) -> Rewrite | None:
    """The call without the option, if its array is new and nothing else reads it."""
    option = [k.value for k in value.keywords if k.arg == _WORD]
    if not option or not value.args or not reads(value) & resolver.varied:
        return None
    callee, array = resolver.kinds.of(value.func), value.args[0]
    if not isinstance(callee, Static) or callee.value not in _FUNCTIONS:
        return None
    if not (isinstance(option[0], gast.Constant) and option[0].value is False):
        if not isinstance(array, gast.Name) or not _is_its_own(resolver, array.id):
            return None
    call = map_children(lambda child: child, value)
    call.keywords = [keyword for keyword in value.keywords if keyword.arg != _WORD]
    return Rewrite(call)


def _is_its_own(resolver: Resolver, name: str) -> bool:
    """Whether a name is bound to a new array each time, and then read at most once.

    Not even by another such call: along another axis, the order of the elements matters.
    """
    tree = resolver.tree
    if name in parameters(tree.args) or definition_counts(tree.body).get(name) != 1:
        return False
    for block in (inner for node in statements(tree) for inner in _blocks(node)):
        for place, node in enumerate(block):
            if _binds(node, name):
                after = block[place + 1 :]
                every = _count(after, name) == resolver.loads[name]
                return every and _is_new(resolver, node.value) and _most_reads(after, name) <= 1
    return False


def _blocks(node: gast.stmt) -> list[list[gast.stmt]]:
    """The blocks directly inside of a statement; a handler's are not looked into: none is found."""
    return [part for part in (getattr(node, field, None) for field in _FIELDS) if part]


def _binds(node: gast.stmt, name: str) -> bool:
    if not isinstance(node, gast.Assign) or len(node.targets) > 1:
        return False
    return isinstance(node.targets[0], gast.Name) and node.targets[0].id == name


def _is_new(resolver: Resolver, value: gast.expr) -> bool:
    if not isinstance(value, gast.Call):
        return isinstance(value, (gast.BinOp, gast.UnaryOp))
    callee = resolver.kinds.of(value.func)
    function = callee.value if isinstance(callee, Static) else None
    if not isinstance(function, np.ufunc) or len(value.args) > function.nin:
        return False  # what comes after the operands is where to put the result
    return not any(keyword.arg in (None, "out") for keyword in value.keywords)


def _count(node: Any, name: str) -> int:
    return sum(n.id == name and isinstance(n.ctx, gast.Load) for n in of_class(node, gast.Name))


def _most_reads(block: list[gast.stmt], name: str) -> int:
    """How often a name is read at the most when a block runs once."""
    total = 0
    for node in block:
        count = _count(node, name)
        if count and isinstance(node, gast.If):
            total += _count(node.test, name)
            total += max(_most_reads(node.body, name), _most_reads(node.orelse, name))
        elif count and _blocks(node):
            return 2  # a loop, or what may run at any time
        else:
            total += count
    return total
