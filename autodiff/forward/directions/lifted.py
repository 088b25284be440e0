"""The value of an expression for several directions, from that for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Scalar
from autodiff.forward.directions.batch import Batch, Unbatched, Unruled
from autodiff.forward.directions.containers import method, moved
from autodiff.forward.directions.each import each
from autodiff.forward.directions.indices import aligned, leading
from autodiff.forward.directions.joins import JOINS
from autodiff.forward.directions.products import PRODUCTS, matmul
from autodiff.forward.directions.shapes import SHAPES
from autodiff.forward.directions.zeros import zeros
from autodiff.rules.home import hashable
from autodiff.syntax.names import reads
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import shallow

_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)


def lifted(batch: Batch, node: gast.expr) -> gast.expr:
    """The expression with an axis of the directions in front; unchanged if it depends on none.

    Raises Unbatched if that cannot be proved right.
    """
    if not batch.carries(node):
        return same_shape(batch, node)
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise Unbatched(f"{type(node).__name__} of a tangent")
    try:
        return handler(batch, node)
    except Unruled:
        return each(batch, node)


def held(batch: Batch, node: gast.expr) -> gast.expr:
    """A value that a name or a container gets: zeros have the axis, too, and numbers no memory.

    Along one direction a number is no view of the array that it comes from.
    """
    if isinstance(node, gast.Starred):
        if not batch.is_container(node.value):
            raise Unbatched("an array of tangents that is taken apart")
        new = shallow(node)
        new.value = held(batch, node.value)
        return new
    if not batch.carries(node):
        return zeros(batch, node)
    new = lifted(batch, node)
    if isinstance(batch.kinds.known(node), Scalar) and _is_window(batch, node):
        return quote("x.copy()", x=new)
    return new


def _is_window(batch: Batch, node: gast.expr) -> bool:
    """Whether a number is an element of an array that is changed."""
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        if isinstance(batch.kinds.known(node.value), Array):
            return batch.is_changed(node.value)
        return batch.is_array(node.value) and _is_window(batch, node.value)
    if isinstance(node, gast.Call):  # float(x[i])
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        return any(_is_window(batch, argument) for argument in given)
    if isinstance(node, gast.IfExp):
        return False  # each side is held
    return isinstance(node, gast.Name) and isinstance(batch.kinds.known(node), Array)


def broadcast(batch: Batch, node: gast.expr, rank: int) -> gast.expr:
    """An operand of what is done element by element, with a result of `rank` axes."""
    new = lifted(batch, node)
    return aligned(new, batch.rank(node), rank) if batch.carries(node) else new


def same_shape(batch: Batch, node: gast.expr) -> gast.expr:
    """What depends on no direction: only shapes of tangents are read in it."""
    if not isinstance(node, gast.AST) or not _reads(batch, node):
        return node
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "len":
        if batch.is_array(node.args[0]):
            return quote("x.shape[1]", x=lifted(batch, node.args[0]))
        return node
    if isinstance(node, gast.Attribute) and batch.is_array(node.value):
        new = shallow(node)
        new.value = lifted(batch, node.value)
        if node.attr == "shape":
            return quote("s[1:]", s=new)
        if node.attr == "dtype":
            return new
    elif isinstance(node, (gast.Tuple, gast.List)):
        new = shallow(node)
        new.elts = [same_shape(batch, part) for part in node.elts]
        return new
    elif isinstance(node, gast.Subscript):
        new = shallow(node)
        new.value, new.slice = same_shape(batch, node.value), same_shape(batch, node.slice)
        return new
    elif isinstance(node, gast.Call):
        new = shallow(node)
        new.args = [same_shape(batch, part) for part in node.args]
        if not any(_reads(batch, part) for part in (node.func, *node.keywords)):
            return new
    raise Unbatched("the shape of a tangent")


def _reads(batch: Batch, node: gast.AST) -> bool:
    return bool(reads(node) & batch.names)


def _name(batch: Batch, node: gast.Name) -> gast.expr:
    return node


def _unary(batch: Batch, node: gast.UnaryOp) -> gast.expr:
    if not isinstance(node.op, (gast.USub, gast.UAdd)) or not batch.is_array(node):
        raise Unruled
    new = shallow(node)
    new.operand = lifted(batch, node.operand)
    return new


def _binary(batch: Batch, node: gast.BinOp) -> gast.expr:
    if batch.is_container(node):
        new = shallow(node)
        for side in ("left", "right"):
            part = getattr(node, side)
            if batch.is_container(part):
                setattr(new, side, held(batch, part))
            elif batch.carries(part):
                raise Unbatched("an operator of containers")
        return new
    if isinstance(node.op, gast.MatMult):
        return matmul(batch, node.left, node.right, lifted)
    if not isinstance(node.op, _ARITHMETIC):
        raise Unruled
    rank = batch.rank(node)
    new = shallow(node)
    new.left = broadcast(batch, node.left, rank)
    new.right = broadcast(batch, node.right, rank)
    return new


def _subscript(batch: Batch, node: gast.Subscript) -> gast.expr:
    if batch.carries(node.slice):
        raise Unbatched("a tangent as an index")
    new = shallow(node)
    new.value = lifted(batch, node.value)
    if _reads(batch, node.slice):
        raise Unruled
    if isinstance(batch.kinds.known(node.value), Array):
        batch.rank(node)
        new.slice = leading(batch, node.slice)
        return new
    if batch.is_container(node.value):
        return new
    raise Unbatched("an item of what is not known")


def _attribute(batch: Batch, node: gast.Attribute) -> gast.expr:
    new = shallow(node)
    new.value = lifted(batch, node.value)
    if batch.is_container(node.value):
        return new
    if node.attr in ("real", "imag"):
        return new
    if node.attr == "T":
        rank = batch.rank(node.value)
        if rank < 2:
            return new.value
        axes = ", ".join(map(str, (0, *range(rank, 0, -1))))
        return quote(f"x.transpose({axes})", x=new.value)
    raise Unruled


def _choice(batch: Batch, node: gast.IfExp) -> gast.expr:
    if batch.carries(node.test):
        raise Unbatched("a condition on a tangent")
    new = shallow(node)
    new.body, new.orelse = held(batch, node.body), held(batch, node.orelse)
    return new


def _display(batch: Batch, node: gast.Tuple | gast.List) -> gast.expr:
    new: gast.expr = shallow(node)
    new.elts = [held(batch, element) for element in node.elts]
    return new


def _dict(batch: Batch, node: gast.Dict) -> gast.expr:
    if any(key is not None and batch.carries(key) for key in node.keys):
        raise Unbatched("a tangent as a key")
    new: gast.expr = shallow(node)
    new.values = [held(batch, value) for value in node.values]
    return new


def _call(batch: Batch, node: gast.Call) -> gast.expr:
    if isinstance(node.func, gast.Attribute) and batch.is_container(node.func.value):
        return method(batch, node, lifted, held)
    operation = batch.kinds.call_operation(node)
    if operation is None:
        raise Unbatched("a call of an unknown function")
    found = moved(batch, node, operation, held)
    if found is not None:
        return found
    function: Any = operation.function
    handler = None
    if hashable(function):
        handler = SHAPES.get(function) or JOINS.get(function) or PRODUCTS.get(function)
    if handler is not None:
        given = [*node.args, *node.keywords]
        if any(_reads(batch, part) and not batch.carries(part) for part in given):
            raise Unruled  # the shape of a tangent
        return handler(batch, node, operation, lifted)
    if isinstance(function, np.ufunc) and function.signature is None and function.nout == 1:
        return _elementwise(batch, node)
    if function is np.where and len(node.args) == 3:
        return _elementwise(batch, node)
    if function in (np.real, np.imag, np.conjugate, np.nan_to_num):
        return _elementwise(batch, node)
    raise Unruled


def _elementwise(batch: Batch, node: gast.Call) -> gast.expr:
    method_of = isinstance(node.func, gast.Attribute) and batch.carries(node.func.value)
    if node.keywords or method_of and node.args:
        raise Unruled
    rank = batch.rank(node)
    new = shallow(node)
    new.args = [broadcast(batch, argument, rank) for argument in node.args]
    if method_of:
        new.func = shallow(node.func)
        new.func.value = lifted(batch, node.func.value)
    return new


_HANDLERS: dict[type, Callable[[Batch, Any], gast.expr]] = {
    gast.Name: _name,
    gast.UnaryOp: _unary,
    gast.BinOp: _binary,
    gast.Subscript: _subscript,
    gast.Attribute: _attribute,
    gast.IfExp: _choice,
    gast.Tuple: _display,
    gast.List: _display,
    gast.Dict: _dict,
    gast.Call: _call,
}
