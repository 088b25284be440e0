"""`np.piecewise`, as the stores that it comes to for the functions and numbers in its list.

y = np.piecewise(x, [x < 0, x > 1], [np.sin, 2.0, f])

    y = np.zeros_like(x)
    chosen = x < 0
    if np.any(chosen):
        y[chosen] = np.sin(x[chosen])
    chosen = x > 1
    y[chosen] = 2.0
    chosen = ~((x < 0) | (x > 1))
    ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast
import numpy as np

from autodiff.analysis.kind import Array, Bound, Kind, Local, Record, Scalar, Static
from autodiff.frontend.source import Namespace
from autodiff.normalize.normal import normalized
from autodiff.normalize.sites import Callee, Site
from autodiff.rules import registry
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of, with_origin

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

_NAMES = frozenset(("x", "condlist", "funclist", "points", "pieces", "chosen", "np"))


def piecewise(resolver: Resolver, statement: gast.stmt, value: gast.Call) -> Site | None:
    """The call as a function to inline; None where it is no `np.piecewise`, or not known enough."""
    kinds = resolver.kinds
    if kinds.of(value.func) != Static(np.piecewise) or len(value.args) < 3:
        return None
    if not reads(value) & resolver.varied or any(isinstance(a, gast.Starred) for a in value.args):
        return None
    options = [keyword.arg for keyword in value.keywords]
    if None in options or _NAMES & set(options):
        return None
    x, conditions, functions = map(kinds.of, value.args[:3])
    lines = _body(x, conditions, functions, _further(len(value.args) - 3, options))
    if lines is None:
        return None
    given = ["x", "condlist", "funclist", *(f"argument_{k}" for k in range(len(value.args) - 3))]
    head = f"def piecewise({', '.join(given + options)}):"
    tree = gast.parse("\n    ".join([head, *lines])).body[0]
    with_origin(tree.body, origin_of(statement))
    namespace = Namespace({"np": np})
    new, temporaries = normalized(tree, namespace)
    callee = Callee(new, namespace, {}, head, temporaries)
    keywords = tuple((str(keyword.arg), keyword.value) for keyword in value.keywords)
    return Site(callee, (), tuple(value.args), keywords)


def _further(count: int, options: list[str]) -> str:
    """What each function is given besides its part of `x`."""
    parts = [f"argument_{k}" for k in range(count)] + [f"{key}={key}" for key in options]
    return "".join(f", {part}" for part in parts)


def _body(
    x: Kind | None, conditions: Kind | None, functions: Kind | None, further: str
) -> list[str] | None:
    if not isinstance(functions, Record) or not functions.indexed or functions.cls is dict:
        return None
    chosen = _chosen(x, conditions, len(functions.items))
    callables = [_is_callable(kind) for kind in functions.items]
    if chosen is None or None in callables:
        return None
    points = "x" if isinstance(x, Array) else "points"
    lines = [] if isinstance(x, Array) else ["points = np.asarray(x)"]
    lines.append(f"pieces = np.zeros_like({points})")
    for k, (where, is_called) in enumerate(zip(chosen, callables)):
        lines.append(f"chosen = {where}")
        called = f"funclist[{k}]({points}[chosen]{further})"
        if is_called and _is_elementwise(functions.items[k]):
            lines.append(f"pieces[chosen] = {called}")
        elif is_called:  # which may not be called for nothing
            lines.append("if np.any(chosen):")
            lines.append(f"    pieces[chosen] = {called}")
        else:
            lines.append(f"pieces[chosen] = funclist[{k}]")
    return [*lines, "return pieces"]


def _chosen(x: Kind | None, conditions: Kind | None, count: int) -> list[str] | None:
    """Where each function holds, the last one perhaps where no condition does."""
    if isinstance(conditions, Record) and conditions.indexed and conditions.cls is not dict:
        given = [
            f"condlist[{k}]" if _is_mask(kind) else f"np.asarray(condlist[{k}], bool)"
            for k, kind in enumerate(conditions.items)
        ]
        if not any(isinstance(kind, (Array, Scalar)) for kind in conditions.items):
            return None
    elif isinstance(conditions, (Array, Scalar)) and _rank(conditions) == _rank(x) < 2:
        given = ["condlist" if _is_mask(conditions) else "np.asarray(condlist, bool)"]
    else:
        return None
    if len(given) == count:
        return given
    return [*given, f"~({' | '.join(given)})"] if len(given) + 1 == count else None


def _is_mask(kind: Kind) -> bool:
    return isinstance(kind, Array) and kind.dtype == "bool"


def _rank(kind: Kind | None) -> int:
    if isinstance(kind, Array):
        return len(kind.shape)
    return 0 if isinstance(kind, Scalar) else 2


def _is_elementwise(kind: Kind) -> bool:
    rule = registry.rule_for(kind.value) if isinstance(kind, Static) else None
    return rule is not None and rule.elementwise


def _is_callable(kind: Kind) -> bool | None:
    if isinstance(kind, (Static, Local, Bound)):
        return not isinstance(kind, Static) or callable(kind.value)
    return False if isinstance(kind, (Array, Scalar)) else None
