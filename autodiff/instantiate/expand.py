"""Template helpers that vanish while compiling: `unreduce`, `conj`, `reduced_size` and the like.

Where kinds tell what a helper would do at run time, the expression says it directly; else the call
stays and the helper decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.instantiate.einsums import contraction
from autodiff.instantiate.literal import argument, literal
from autodiff.instantiate.parted import parted, united
from autodiff.instantiate.rearranged import REARRANGED
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence, Static, is_complex, is_real
from autodiff.kinds.known import Kinds
from autodiff.kinds.size import Dim, Size
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import map_children, same, walk

_Expander = Callable[[gast.Call, Kinds, gast.expr], "gast.expr | None"]


def expand(call: gast.Call, function: Any, kinds: Kinds, np_name: gast.expr) -> gast.expr:
    """The call of a template helper, or what it comes to for the kinds at hand."""
    try:
        expander = _EXPANDERS.get(function)
    except TypeError:  # not hashable
        return call
    return (expander(call, kinds, np_name) or call) if expander else call


def _unreduce(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    g, like = call.args[0], argument(call, 1, "like")
    axis = literal(argument(call, 2, "axis"), None, kinds)
    keepdims = literal(argument(call, 3, "keepdims"), False, kinds)
    g_kind, kind = kinds.of(g), kinds.of(like) if like is not None else None
    if not isinstance(kind, Array) or axis is ... or keepdims is ...:
        return g if isinstance(kind, Scalar) and isinstance(g_kind, Scalar) else None
    if isinstance(g_kind, Scalar) or keepdims:
        return g
    if not isinstance(g_kind, Array):
        return None
    if axis is None:
        return g
    axes = axis if isinstance(axis, tuple) else (axis,)
    rank = len(kind.shape)
    if not rank:
        return None
    axes = tuple(sorted(a % rank for a in axes))
    if len(g_kind.shape) != rank - len(axes):
        return None
    if axes == tuple(range(len(axes))):
        return g
    if axes == (rank - 1,):
        return quote("g[..., None]" if rank > 2 else "g[:, None]", g=g)
    where = repr(axes[0]) if len(axes) == 1 else repr(axes)
    return quote(f"np.expand_dims(g, {where})", np=np_name, g=g)


def _reduced_size(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    x = call.args[0]
    axis = literal(argument(call, 1, "axis"), None, kinds)
    kind = kinds.of(x)
    if not isinstance(kind, Array):
        return None
    if axis is None:
        return _size(quote("size(x)", x=x), kinds, np_name)
    if isinstance(axis, int):
        return quote(f"x.shape[{axis}]", x=x)
    return None


def _is_known(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    value = literal(call.args[1], ..., kinds)
    known = value is not ... and literal(call.args[0], ..., kinds) == value
    return gast.Constant(value=known, kind=None)


def _conj(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    kind = kinds.of(call.args[0])
    if is_real(kind):
        return call.args[0]
    if is_complex(kind):
        return quote("np.conj(x)", np=np_name, x=call.args[0])
    return None


def _unbroadcast(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    g, like = kinds.of(call.args[0]), argument(call, 1, "like")
    kind = kinds.of(like) if like is not None else None
    if isinstance(g, Scalar) and isinstance(kind, Scalar) and is_real(g):
        return call.args[0]
    if isinstance(g, Array) and isinstance(kind, Array) and g == kind and None not in g.shape:
        return call.args[0]
    if has_items_of(g, kind):  # a list again, where it is not taken apart: see `finished`
        return call.args[0]
    return None


def has_items_of(g: Kind, like: Kind | None) -> bool:
    """Whether an array has an element for each number of a list that NumPy took for an array.

    Of a list of lists, too, if they are equally long.
    """
    if not isinstance(g, Array) or g.dtype != "float64" or not isinstance(like, Record):
        return False
    return like.cls in (list, tuple) and _has_items(g.shape, like)


def _has_items(shape: tuple[Size, ...], like: Kind) -> bool:
    if isinstance(like, Scalar):
        return not shape and like.dtype in (None, "float64", "?") and not is_complex(like)
    if not isinstance(like, Record) or like.cls not in (list, tuple) or not shape:
        return False
    return shape[0] == len(like.items) and all(_has_items(shape[1:], k) for k in like.items)


def _realness(real: bool) -> _Expander:
    def expander(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
        kind = kinds.of(call.args[0])
        if is_real(kind):
            return gast.Constant(value=real, kind=None)
        return gast.Constant(value=not real, kind=None) if is_complex(kind) else None

    return expander


def _ndim(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    kind = kinds.of(call.args[0])
    if isinstance(kind, Array):
        return gast.Constant(value=len(kind.shape), kind=None)
    return gast.Constant(value=0, kind=None) if isinstance(kind, Scalar) else None


def _real(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    return call.args[0] if is_real(kinds.of(call.args[0])) else None


def same_shape(kinds: Kinds, kind: Kind) -> gast.expr | None:
    """A parameter that certainly has the shape of a kind, None where there is none."""
    if not isinstance(kind, Array) or None in kind.shape or not kind.shape:
        return None
    for identifier in kinds.stable:
        own = kinds.names.get(identifier)
        if isinstance(own, Array) and own.shape == kind.shape:
            return name(identifier)
    return None


def _size(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    kind = kinds.of(call.args[0])
    if len(call.args) != 1 or not isinstance(kind, Array):
        return None
    if all(isinstance(size, int) for size in kind.shape):
        size = math.prod(s for s in kind.shape if isinstance(s, int))
        return gast.Constant(value=size, kind=None)
    x = same_shape(kinds, kind) or call.args[0]
    if len(kind.shape) == 1:
        return _length(kind.shape[0], x, kinds)
    return quote("x.size", x=x) if isinstance(x, gast.Name) else None


def _length(size: Size, x: gast.expr, kinds: Kinds) -> gast.expr:
    """The length of the vector `x`, read off a parameter: then `x` need not be computed for it."""
    if isinstance(size, Dim) and not (isinstance(x, gast.Name) and x.id in kinds.stable):
        for identifier in kinds.stable:
            own = kinds.names.get(identifier)
            if isinstance(own, Array) and size in own.shape:
                axis = own.shape.index(size)
                return quote(f"x.shape[{axis}]" if axis else "len(x)", x=name(identifier))
    return quote("len(x)", x=x)


def _stacked(left: bool) -> _Expander:
    """The product with a transposed stack of matrices, where nothing was broadcast."""

    def expander(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
        g, x, y = call.args
        one, two = kinds.of(x), kinds.of(y)
        if not isinstance(one, Array) or not isinstance(two, Array):
            return None
        rank, other = len(one.shape), y if left else x
        if rank < 3 or len(two.shape) != rank or not is_real(kinds.of(other)):
            return None
        if one.shape[:-2] != two.shape[:-2] or None in one.shape[:-2]:
            return None
        turned = quote(f"x.swapaxes({rank - 2}, {rank - 1})", x=other)
        return quote("a @ b", a=g if left else turned, b=turned if left else g)

    return expander


def _len(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    display = call.args[0]
    if isinstance(display, (gast.Tuple, gast.List)):
        return gast.Constant(value=len(display.elts), kind=None)
    return None


def _fitted(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    """What a custom derivative gives, where it is known to be of the right form."""
    given, like = call.args
    return given if fits(kinds.of(given), kinds.of(like)) else None


def _root_solved(turned: bool) -> _Expander:
    """The linear system of an implicit function, for a number and for a vector."""

    def expander(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
        a, g, y = call.args
        kind = kinds.of(y)
        if isinstance(kind, Scalar):
            return quote("g / a", g=g, a=a)
        if not isinstance(kind, Array) or len(kind.shape) != 1:
            return None
        text = "np.linalg.solve(a.T, g)" if turned else "np.linalg.solve(a, g)"
        return quote(text, np=np_name, a=a, g=g)

    return expander


def fits(given: Kind | None, like: Kind | None) -> bool:
    if isinstance(given, Scalar) and isinstance(like, Scalar):
        return given.type == like.type == "float" and given.dtype == like.dtype
    if isinstance(given, Record) and isinstance(like, Record):
        alike = given.cls is like.cls and given.keys == like.keys
        return alike and all(map(fits, given.items, like.items))
    if not isinstance(given, Array) or not isinstance(like, Array):
        return False
    return given == like and None not in given.shape and given.dtype is not None


def _isinstance(call: gast.Call, kinds: Kinds, np_name: gast.expr) -> gast.expr | None:
    kind, cls = kinds.of(call.args[0]), kinds.of(call.args[1])
    if not isinstance(cls, Static) or not isinstance(cls.value, type):
        return None
    if isinstance(kind, Array):
        return gast.Constant(value=issubclass(np.ndarray, cls.value), kind=None)
    if isinstance(kind, Scalar) and kind.dtype is None and kind.type == "int":
        return gast.Constant(value=issubclass(int, cls.value), kind=None)
    if isinstance(kind, (Record, Sequence)):
        return gast.Constant(value=issubclass(kind.cls, cls.value), kind=None)
    if isinstance(kind, Static):
        return gast.Constant(value=isinstance(kind.value, cls.value), kind=None)
    return None


_EXPANDERS: dict[Any, _Expander] = {
    len: _len,
    isinstance: _isinstance,
    runtime.unreduce: _unreduce,
    runtime.reduced_size: _reduced_size,
    runtime.conj: _conj,
    runtime.is_known: _is_known,
    runtime.unbroadcast: _unbroadcast,
    runtime.fitted: _fitted,
    runtime.solve_root: _root_solved(turned=False),
    runtime.solve_root_transposed: _root_solved(turned=True),
    runtime.einsum_adjoint: contraction,
    runtime.matmul_left: _stacked(left=True),
    runtime.matmul_right: _stacked(left=False),
    runtime.split: parted,
    runtime.unsplit: united,
    **REARRANGED,
    np.conj: _conj,
    np.real: _real,
    np.isrealobj: _realness(True),
    np.iscomplexobj: _realness(False),
    np.ndim: _ndim,
    np.size: _size,
}


def known_value(node: gast.expr, kinds: Kinds) -> gast.expr:
    """The constant that an attribute like `x.ndim` is known to be, else the expression itself."""
    kind = kinds.of(node)
    if isinstance(kind, Scalar) and kind.value is not None and not isinstance(kind.value, Dim):
        return gast.Constant(value=kind.value, kind=None)
    return node


def lowered(
    node: gast.expr, kinds: Kinds, np_id: str, math_name: Callable[[], gast.expr] | None
) -> gast.expr:
    """NumPy calls on plain numbers in plain Python: `np.where` as a conditional expression.

    With `math_name` (the primal used `math`), `np.cos(x)` of a number becomes `math.cos(x)`.
    """
    if not any(child.__class__ is gast.Call for child in walk(node)):
        return node

    def visit(child: gast.AST) -> gast.AST:
        new = map_children(visit, child)
        if not isinstance(new, gast.Call) or not isinstance(new.func, gast.Attribute):
            return new
        if not (isinstance(new.func.value, gast.Name) and new.func.value.id == np_id):
            return new
        if new.keywords or not all(isinstance(kinds.of(a), Scalar) for a in new.args):
            return new
        if new.func.attr == "where" and len(new.args) == 3:
            test, *branches = new.args
            choice = gast.IfExp(_test(test, np_id), *branches)
            choice.masks = getattr(new, "masks", False)
            return choice
        attribute = new.func.attr.replace("arc", "a")
        if math_name and hasattr(math, attribute) and all(map(is_real, map(kinds.of, new.args))):
            new.func = gast.Attribute(value=math_name(), attr=attribute, ctx=gast.Load())
        return new

    return visit(node)


def _test(node: gast.expr, np_id: str) -> gast.expr:
    """A condition on numbers: `a <= x <= b` for `np.logical_and(a <= x, x <= b)`."""
    if not isinstance(node, gast.Call) or len(node.args) != 2:
        return node
    if not same(node.func, quote("np.logical_and", np=np_id)):
        return node
    left, right = node.args
    if isinstance(left, gast.Compare) and isinstance(right, gast.Compare):
        middle = left.comparators[-1]
        if isinstance(middle, (gast.Name, gast.Constant)) and same(middle, right.left):
            ops = [*left.ops, *right.ops]
            return gast.Compare(left.left, ops, [*left.comparators, *right.comparators])
    return gast.BoolOp(op=gast.And(), values=[left, right])


def conjugated(node: gast.expr, kinds: Kinds, np_name: gast.expr) -> gast.expr:
    """The complex conjugate of an expression, pushed inwards: real parts stay as they are."""
    if (
        is_real(kinds.of(node))
        or isinstance(node, gast.Constant)
        and not isinstance(node.value, complex)
    ):
        return node
    if isinstance(node, gast.Call) and same(node.func, quote("np.conj", np=np_name)):
        return node.args[0]
    if isinstance(node, gast.BinOp) and isinstance(
        node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div)
    ):
        return gast.BinOp(
            left=conjugated(node.left, kinds, np_name),
            op=node.op,
            right=conjugated(node.right, kinds, np_name),
        )
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return gast.UnaryOp(op=node.op, operand=conjugated(node.operand, kinds, np_name))
    return quote("np.conj(x)", np=np_name, x=node)


def conjugate_seed(node: gast.expr, kind: Kind, np_name: gast.expr) -> gast.expr:
    """`conj(seed)`; `conjugated` takes it away again."""
    return node if is_real(kind) else quote("np.conj(x)", np=np_name, x=node)
