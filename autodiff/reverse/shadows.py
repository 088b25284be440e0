"""Shadows: adjoints that stand beside the memory itself.

Where an array changes under one name while another is in use, and no window says what they share,
the adjoint of each name is made in the forward sweep, and shares memory as the arrays do:

    v = u if c else w                   v = u                       v = w
    v[0] = x                            v_bar = u_bar               v_bar = w_bar

All contributions are added in place. In the reverse sweep each name holds the shadow that it held
in the forward sweep, like any other value that the reverse sweep needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.conflicts import Conflict
from autodiff.analysis.kind import Array
from autodiff.analysis.known import Kinds
from autodiff.analysis.references import borrowed
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.items import Step
from autodiff.reverse.values import Bar
from autodiff.runtime import unbroadcast
from autodiff.syntax.names import name, store, substitute
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote_statements

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse

_VIEWS = frozenset(
    "reshape ravel transpose matrix_transpose permute_dims swapaxes squeeze expand_dims asarray "
    "asanyarray ascontiguousarray atleast_1d atleast_2d atleast_3d moveaxis rollaxis flip fliplr "
    "flipud rot90".split()
)
"""Functions whose result shares the memory of the shadow exactly if it shares that of the array."""


def shadowed(
    found: list[Conflict], active: frozenset[str], aliases: Aliases, kinds: Kinds
) -> frozenset[str]:
    """The names that need shadows: all that may share memory with what is in conflict."""
    names: set[str] = set()
    for conflict in found:
        if not {conflict.changed, conflict.other} & active:
            continue
        group = set(aliases.sharing(conflict.changed)) & active
        if all(isinstance(kinds.names.get(n), Array) for n in group):
            names |= group
    return frozenset(names)


def parameters_of(reverse: Reverse, parameters: list[str]) -> list[gast.stmt]:
    """The shadows of parameters, which are zero, and lie in memory as the parameters do."""
    found = []
    for parameter in parameters:
        if parameter in reverse.bars.shadows:
            own = reverse.bars.shadows[parameter]
            text = "s = f(x)\ns[...] = 0.0"
            helper = reverse.helper("replica")
            if not reverse.depends_on_layout:
                found += zeros(reverse, parameter)
            else:
                found += quote_statements(text, s=own, f=helper, x=parameter)
    return found


def zeros(reverse: Reverse, identifier: str) -> list[gast.stmt]:
    """`u_bar = np.zeros_like(u)`: the shadow of new memory."""
    np = reverse.helper("np")
    own = reverse.bars.shadows[identifier]
    return quote_statements("s = np.zeros_like(x)", s=own, np=np, x=identifier)


def define(reverse: Reverse, statement: gast.Assign) -> Step | None:
    """A definition of shadowed names that makes no new memory; None for one that does."""
    bars = reverse.bars
    target = statement.targets[0]
    sources = borrowed(statement.value, reverse.kinds)
    known = sources & bars.shadows.keys()
    if not known:
        return None
    if sources != known or not _is_view(reverse, statement.value):
        raise UnsupportedSyntaxError(
            f"autodiff cannot tell whose memory `{_first(target)}` shares here",
            origin_of(statement),
            why="it carries a derivative and is updated in place, as are others it may share with",
            cure="write `.copy()` if it is to be an array of its own",
        )
    mapping = {n: name(bars.shadows[n]) for n in known}
    value = substitute(statement.value, mapping)
    if isinstance(target, gast.Tuple):
        parts = [store(bars.shadows[part.id]) for part in target.elts]
        new_target: gast.expr = gast.Tuple(elts=parts, ctx=gast.Store())
    else:
        new_target = store(bars.shadows[target.id])
    shadow = gast.Assign(targets=[new_target], value=value)
    shadow.origin = origin_of(statement)
    return Step([statement, shadow], _returned(reverse, statement, known), origin_of(statement))


def _returned(reverse: Reverse, statement: gast.Assign, known: set[str]) -> list[gast.stmt]:
    """`u.reshape(-1)` may be a copy: then its adjoint goes back when the reverse sweep comes by."""
    value = statement.value
    function = value.func if isinstance(value, gast.Call) else None
    if function is None or getattr(function, "attr", "") in ("transpose", "swapaxes", "squeeze"):
        return []
    (source,) = known
    text, helpers = "f(u_bar, v_bar)", {"f": reverse.helper("give_back")}
    if _is_unbroadcast(reverse, value):
        text = "f(u_bar, np.broadcast_to(v_bar, u_bar.shape))"
        helpers["np"] = reverse.helper("np")
    return quote_statements(
        text,
        u_bar=reverse.bars.shadows[source],
        v_bar=reverse.bars.shadows[statement.targets[0].id],
        **helpers,
    )


def given_back(reverse: Reverse, statement: gast.Expr, call: gast.Call) -> Step:
    """`give_back(g, part)`, in a gradient that is differentiated again.

    Where `part` was a copy it was added to `g`, and so its adjoint is that of `g`.
    """
    names = [own.id if isinstance(own, gast.Name) else "" for own in call.args]
    known = [reverse.bars.shadows.get(identifier) for identifier in names]
    step = Step([statement], [], origin_of(statement), mutates=(names[0],))
    if not {*names} & reverse.active:
        return step
    if None in known:
        raise UnsupportedSyntaxError(
            "an array that changes may be a view or a copy of another",
            origin_of(statement),
            why="the gradient of such a function is not always differentiated again",
            cure="write `.copy()` after what may be a copy or a view",
        )
    step.adjoint = quote_statements("f(v, u)", f=call.func, v=known[1], u=known[0])
    return step


def _is_unbroadcast(reverse: Reverse, value: gast.expr) -> bool:
    """Whether a value is the adjoint of something that was broadcast, or was not after all."""
    operation = reverse.kinds.operation(value) if isinstance(value, gast.Call) else None
    return operation is not None and operation.function is unbroadcast


def _is_view(reverse: Reverse, value: gast.expr) -> bool:
    """Whether the value shares the memory of its one source in a way that its shadow can share."""
    if isinstance(value, gast.Name):
        return True
    if isinstance(value, gast.Subscript):
        return isinstance(value.value, gast.Name)
    if isinstance(value, gast.Attribute):
        return value.attr in ("T", "mT")
    if _is_unbroadcast(reverse, value):
        return len(borrowed(value, reverse.kinds)) == 1
    if not isinstance(value, gast.Call) or value.keywords:
        return False
    operation = reverse.kinds.operation(value)
    own = getattr(operation.function, "__name__", "") if operation is not None else ""
    return own in _VIEWS and len(borrowed(value, reverse.kinds)) == 1


def _first(target: gast.expr) -> str:
    return str(target.elts[0].id if isinstance(target, gast.Tuple) else target.id)


def taken(reverse: Reverse, identifier: str) -> Bar:
    """The adjoint of a name in its shadow."""
    bars = reverse.bars
    return Bar(name(bars.shadows[identifier]), bars.kind((identifier, ())), False)

