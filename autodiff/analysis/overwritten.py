"""`np.median(np.abs(x - m), overwrite_input=True)`: what may be overwritten need not be.

The option saves a copy of an array that nobody reads any more, so without it the result is the
same. Where something may read the array again, the call stays, and is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast
import numpy as np

from autodiff.analysis.exposure import definition_counts
from autodiff.analysis.kind import Static
from autodiff.normalize.sites import Rewrite
from autodiff.syntax.names import parameters, reads, writes
from autodiff.syntax.walk import map_children, of_class

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

_WORD = "overwrite_input"
_FUNCTIONS = (
    np.median,
    np.quantile,
    np.percentile,
    np.nanmedian,
    np.nanquantile,
    np.nanpercentile,
)


def left_as_it_is(resolver: Resolver, value: gast.Call) -> Rewrite | None:
    """The call without the option, if its array is new and read by nothing else."""
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
    """Whether a name holds a new array each time, and is read by such calls only.

    Another order of the elements is the same to them.
    """
    calls = [c for c in of_class(resolver.tree, gast.Call) if _is_of(resolver, c, name)]
    made = [
        node
        for node in of_class(resolver.tree.body, gast.Assign)
        if name in writes(node.targets) and _is_new(resolver, node.value)
    ]
    whole = definition_counts(resolver.tree.body).get(name) == len(made)
    given = name in parameters(resolver.tree.args)
    return whole and not given and resolver.loads[name] == len(calls)


def _is_of(resolver: Resolver, call: gast.Call, name: str) -> bool:
    """Whether a call is one of these of a name; one that was rewritten is, too."""
    first = call.args[0] if call.args else None
    if not isinstance(first, gast.Name) or first.id != name:
        return False
    callee = resolver.kinds.of(call.func)
    listed = isinstance(callee, Static) and callee.value in _FUNCTIONS
    return listed or any(keyword.arg == _WORD for keyword in call.keywords)


def _is_new(resolver: Resolver, value: gast.expr) -> bool:
    if isinstance(value, gast.Call):
        callee = resolver.kinds.of(value.func)
        return isinstance(callee, Static) and isinstance(callee.value, np.ufunc)
    return isinstance(value, (gast.BinOp, gast.UnaryOp))
