"""Template helpers that rearrange elements, as the slices and products that they come to.

Each gives None where the kinds do not tell the number of axes, or what else it has to know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.instantiate.literal import argument, literal
from autodiff.kinds.kind import Array, is_complex, is_real
from autodiff.kinds.known import Kinds
from autodiff.kinds.size import is_plural
from autodiff.syntax.quote import quote

Expander = Callable[[gast.Call, Kinds, gast.expr], "gast.expr | None"]


def _flip(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """`np.flip(g, 1)` as `g[:, ::-1]`."""
    kind = kinds.of(call.args[0])
    axis = literal(argument(call, 1, "axis"), None, kinds)
    if not isinstance(kind, Array) or axis is ... or not kind.shape:
        return None
    rank = len(kind.shape)
    every = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = {k % rank for k in every}
    if len(axes) == 1 and axes == {rank - 1} and rank > 2:
        return quote("g[..., ::-1]", g=call.args[0])
    parts = ["::-1" if k in axes else ":" for k in range(max(axes) + 1)]
    return quote(f"g[{', '.join(parts)}]", g=call.args[0])


def _shape(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    x = call.args[0]
    return quote("x.shape", x=x) if isinstance(kinds.of(x), Array) else None


def _reshape(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """`np.reshape(g, shape)` as the method, where `g` is a name."""
    if len(call.args) != 2 or call.keywords or not isinstance(call.args[0], gast.Name):
        return None
    if not isinstance(kinds.of(call.args[0]), Array):
        return None
    return quote("g.reshape(s)", g=call.args[0], s=call.args[1])


def _without(position: int, *defaults: Any) -> Expander:
    """The call without last arguments, from a position on, that are what they would be anyway."""

    def expander(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
        given = call.args[position:]
        if not given or len(given) > len(defaults) or call.keywords:
            return None
        if any(literal(own, ..., kinds) != known for own, known in zip(given, defaults)):
            return None
        return gast.Call(func=call.func, args=call.args[:position], keywords=[])

    return expander


def _eye(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """`np.eye(n, n, 0, np.result_type(x))` of doubles as `np.eye(n)`."""
    if len(call.args) != 4 or call.keywords or literal(call.args[2], ..., kinds) != 0:
        return None
    rows, columns, like = call.args[0], call.args[1], call.args[3]
    sizes = [getattr(kinds.of(size), "value", None) for size in (rows, columns)]
    own = like.args[0] if isinstance(like, gast.Call) and len(like.args) == 1 else None
    if own is None or getattr(kinds.of(own), "dtype", None) != "float64":
        return None
    if None in sizes or sizes[0] != sizes[1]:
        return None
    return quote("np.eye(n)", np=np_name, n=rows)


def _expand_dims(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """`np.expand_dims(g, 1)` as `g[:, None]`."""
    kind = kinds.of(call.args[0])
    axis = literal(argument(call, 1, "axis"), ..., kinds)
    if not isinstance(kind, Array) or not kind.shape or type(axis) is not int:
        return None
    rank = len(kind.shape) + 1
    before = axis % rank
    if before == rank - 1:
        return quote("g[:, None]" if rank == 2 else "g[..., None]", g=call.args[0])
    if before > 1:
        return None
    return quote("g[:, None]" if before else "g[None]", g=call.args[0])


def _adjoint_matrix(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """The conjugate transpose as `x.T`, `np.conj(x).T`."""
    kind = kinds.of(call.args[0])
    if not isinstance(kind, Array) or len(kind.shape) != 2:
        return None
    if is_real(kind):
        return quote("x.T", x=call.args[0])
    return quote("np.conj(x).T", np=np_name, x=call.args[0]) if is_complex(kind) else None


def _pad_adjoint(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """What was padded with constants, by literal widths: `g[1:-1, 2:]`."""
    g, like = call.args[:2]
    kind = kinds.of(like)
    widths = literal(argument(call, 2, "pad_width"), ..., kinds)
    if not isinstance(kind, Array) or literal(argument(call, 3, "mode"), ..., kinds) != "constant":
        return None
    rank = len(kind.shape)
    pairs = _pairs(widths, rank)
    if pairs is None or not rank:
        return None
    parts = [f"{a or ''}:{-b if b else ''}" for a, b in pairs]
    return quote(f"g[{', '.join(parts)}]", g=g)


def _pairs(widths: Any, rank: int) -> list[tuple[int, int]] | None:
    """What literal widths add before and after, for each axis; None for other forms."""
    if type(widths) is int:
        return [(widths, widths)] * rank
    if not isinstance(widths, tuple):
        return None
    if len(widths) == 2 and all(type(w) is int for w in widths):
        return [widths] * rank
    listed = all(isinstance(w, tuple) and len(w) == 2 for w in widths)
    return list(widths) if listed and len(widths) == rank else None


def _scatter_diagonal(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """The adjoint of a square matrix of which a diagonal was read: `np.diag(g, k)`."""
    g, like = call.args[0], argument(call, 1, "like")
    offset = literal(argument(call, 2, "offset"), 0, kinds)
    given = [argument(call, 3, "axis1"), argument(call, 4, "axis2")]
    axes = literal(given[0], 0, kinds), literal(given[1], 1, kinds)
    own, kind = kinds.of(g), kinds.of(like) if like is not None else None
    if not isinstance(own, Array) or not isinstance(kind, Array) or len(own.shape) != 1:
        return None
    if len(kind.shape) != 2 or not is_plural(kind.shape[0]) or kind.shape[0] != kind.shape[1]:
        return None
    if own.dtype is None or own.dtype != kind.dtype or axes != (0, 1) or type(offset) is not int:
        return None
    if abs(offset) > (kind.shape[0] if isinstance(kind.shape[0], int) else 2):
        return None  # it may lie beyond the corner
    return quote(f"np.diag(g, {offset})" if offset else "np.diag(g)", np=np_name, g=g)


def _tensordot(left: bool) -> Expander:
    """The adjoint of an operand of `np.tensordot` as a product with the other one."""

    def expander(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
        g, a, b = call.args[:3]
        one, two = kinds.of(a), kinds.of(b)
        if not isinstance(one, Array) or not isinstance(two, Array):
            return None
        if not is_real(kinds.of(b if left else a)):
            return None
        ranks = len(one.shape), len(two.shape)
        axes = _contracted(literal(call.args[3], ..., kinds), *ranks)
        if axes is None:
            return None
        of_a, of_b = axes
        free_a = [k for k in range(ranks[0]) if k not in of_a]
        free_b = [k for k in range(ranks[1]) if k not in of_b]
        if left:  # the axes of the product are the free ones of `a`, then those of `b`
            joined = list(range(len(free_a), len(free_a) + len(free_b)))
            order = free_a + [of_a[of_b.index(k)] for k in sorted(of_b)]
            first, second, pairs = g, b, (joined, free_b)
        else:
            order = [of_b[of_a.index(k)] for k in sorted(of_a)] + free_b
            first, second, pairs = a, g, (free_a, list(range(len(free_a))))
        if not free_a and not free_b:
            return None
        if left and ranks[1] == 2 and of_a == [ranks[0] - 1] and ranks[0] > 2:
            return quote("g @ x" if of_b == [1] else "g @ x.T", g=g, x=b)
        if ranks == (2, 2) and len(of_a) == 1:
            return _matrix_product(left, g, a, b, of_a[0], of_b[0])
        if order != list(range(len(order))) or not pairs[0]:
            return None
        text = f"np.tensordot(x, y, {tuple(map(tuple, pairs))!r})"
        return quote(text, np=np_name, x=first, y=second)

    return expander


def _contracted(axes: Any, first: int, second: int) -> tuple[list[int], list[int]] | None:
    """The axes of both operands that `np.tensordot` sums over; None for other forms."""
    if type(axes) is int:
        return list(range(first - axes, first)), list(range(axes))
    if not isinstance(axes, tuple) or len(axes) != 2:
        return None
    one, two = ([k] if type(k) is int else list(k) for k in axes)
    return [k % first for k in one], [k % second for k in two]


def _matrix_product(
    left: bool, g: gast.expr, a: gast.expr, b: gast.expr, of_a: int, of_b: int
) -> gast.expr:
    """For two matrices, contracted over these axes."""
    if left:
        if of_a == 0:
            text = "x @ g.T" if of_b == 0 else "x.T @ g.T"
        else:
            text = "g @ x.T" if of_b == 0 else "g @ x"
        return quote(text, g=g, x=b)
    if of_b == 0:
        text = "x @ g" if of_a == 0 else "x.T @ g"
    else:
        text = "g.T @ x.T" if of_a == 0 else "g.T @ x"
    return quote(text, g=g, x=a)


def _inverse_permutation(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """`inverse_permutation((1, 2, 0))` as `(2, 0, 1)`."""
    axes = literal(argument(call, 0, "axes"), ..., kinds)
    if not isinstance(axes, tuple) or any(type(axis) is not int for axis in axes):
        return None
    places = sorted(range(len(axes)), key=lambda k: axes[k] % len(axes))
    return quote(repr(tuple(places)))


REARRANGED: dict[Any, Expander] = {
    np.flip: _flip,
    np.shape: _shape,
    np.reshape: _reshape,
    np.roll: _without(2, None),
    np.cross: _without(2, -1, -1, -1),
    np.eye: _eye,
    np.tril: _without(1, 0),
    np.triu: _without(1, 0),
    np.diagonal: _without(1, 0),
    np.expand_dims: _expand_dims,
    runtime.adjoint_matrix: _adjoint_matrix,
    runtime.inverse_permutation: _inverse_permutation,
    runtime.pad_adjoint: _pad_adjoint,
    runtime.scatter_diagonal: _scatter_diagonal,
    runtime.tensordot_left: _tensordot(left=True),
    runtime.tensordot_right: _tensordot(left=False),
}
"""Helpers and functions of NumPy, and what gives the expression for a call of each."""
