"""Lists of numbers: those that grow in a loop, and what their adjoints are made of."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np
from numba.extending import register_jitable

from autodiff import runtime
from autodiff.kinds.kind import Kind, Scalar, Sequence, is_empty
from autodiff.native.bindings import Helpers
from autodiff.native.native_kinds import NativeKinds
from autodiff.syntax.change import changed, map_blocks, map_parts
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import same, walk

_METHODS = {"append": 1, "pop": 0}
_BLOCKS = (gast.If, gast.While, gast.For)


@register_jitable
def repeated(g: Any, xs: Any) -> Any:
    """One number for each of a list: the adjoint of `sum`."""
    return [g for _ in range(len(xs))]


@register_jitable
def items_of(g: Any, xs: Any) -> Any:
    """The elements of a vector that was made of a list, as a list of the same length."""
    if len(g) != len(xs):
        raise ValueError("the adjoint of a list has another length")
    return [g[k] for k in range(len(g))]


@register_jitable
def array_of(xs: Any) -> Any:
    """`np.array` of a list of floats."""
    result = np.empty(len(xs))
    for k in range(len(xs)):
        result[k] = xs[k]
    return result


@register_jitable
def copy_of(xs: Any) -> Any:
    """A list with the same items."""
    return [xs[k] for k in range(len(xs))]


@register_jitable
def total_of(xs: Any) -> Any:
    """`sum` of a list of floats."""
    total = 0.0
    for k in range(len(xs)):
        total += xs[k]
    return total


@register_jitable
def largest(xs: Any) -> Any:
    """`max` of a list."""
    if len(xs) == 0:
        raise ValueError("max() of an empty list")
    best = xs[0]
    for k in range(len(xs)):
        if xs[k] > best:
            best = xs[k]
    return best


@register_jitable
def smallest(xs: Any) -> Any:
    """`min` of a list."""
    if len(xs) == 0:
        raise ValueError("min() of an empty list")
    best = xs[0]
    for k in range(len(xs)):
        if xs[k] < best:
            best = xs[k]
    return best


@register_jitable
def shares_of(g: Any, xs: Any, best: Any) -> Any:
    """`runtime.share` for a list."""
    ties = 0
    for k in range(len(xs)):
        if xs[k] == best:
            ties += 1
    return [g / ties if xs[k] == best else 0.0 for k in range(len(xs))]


@register_jitable
def add_each(bars: Any, values: Any) -> None:
    """`runtime.add_items`: a number for each of a list."""
    if len(bars) != len(values):
        raise ValueError("the adjoint of a list has another length")
    for k in range(len(bars)):
        bars[k] += values[k]


WHOLE = (
    *(repeated, items_of, array_of, total_of),
    *(largest, smallest, shares_of, copy_of, add_each),
)
"""What may be called with a list."""


def is_list(kind: Kind | None) -> bool:
    """Whether a value is a list of floats, or of ints (as which a range counts, too)."""
    if not isinstance(kind, Sequence) or kind.cls is not list:
        return False
    item = kind.item
    if not isinstance(item, Scalar) or item.dtype not in (None, "?", "float64", "int64"):
        return False
    return item.type in ("float", "int")


def is_float_list(kind: Kind | None) -> bool:
    """Whether a value is a list of floats."""
    return isinstance(kind, Sequence) and is_list(kind) and _is_float(kind.item)


def lists(tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers) -> gast.FunctionDef:
    """Calls with a list of floats, and lists of adjoints, as calls of helpers for such lists.

    y = np.array(xs)                         y = array_of(xs)
    xs_bar = unbroadcast(y_bar, like=xs)     xs_bar = items_of(y_bar, xs)
    """
    if not any(is_list(kind) for kind in known.names.values()):
        return tree

    def visit(node: Any) -> Any:
        new = map_parts(visit, node) if not isinstance(node, _BLOCKS) else node
        found = _rewritten(new, known, helpers) if isinstance(node, gast.expr) else None
        if found is None:
            return new
        helper, value = found
        kind = known.of(node)
        if helper in _ADJOINTS:
            kind = Sequence(Scalar("float"))
        elif helper is copy_of:
            kind = known.of(value.args[0])
        known.given[id(value)] = value, kind
        return value

    def tested(node: gast.stmt) -> gast.stmt:
        """`while xs:` as `while len(xs) > 0:`."""
        test = getattr(node, "test", None)
        if not isinstance(test, gast.Name) or not is_list(known.of(test)):
            return node
        new: gast.stmt = changed(node, test=quote("len(x) > 0", x=test))
        return new

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            new = visit(node)
            if isinstance(new, gast.Assign) and new is not node:
                [target] = new.targets
                if isinstance(target, gast.Name) and is_list(known.of(new.value)):
                    known.tell(target.id, known.of(new.value))
            result.append(map_blocks(block, tested(new)))
        return result

    result: gast.FunctionDef = changed(tree, body=block(tree.body))
    return result


def _rewritten(
    node: gast.expr, known: NativeKinds, helpers: Helpers
) -> tuple[Any, gast.expr] | None:
    """The helper, and its call, that stand for an expression with a list of floats in it."""
    if isinstance(node, gast.ListComp):
        xs, g = _comprehended(node, known)
        if xs is None or not _is_float(known.of(g)):
            return None
        return repeated, quote("f(g, x)", f=helpers.use("repeated", repeated), g=g, x=xs)
    called = known.called(node)
    function = node.func if isinstance(node, gast.Call) and not node.args else None
    if isinstance(function, gast.Attribute) and function.attr == "copy":
        use = helpers.use("copy_of", copy_of)
        whole = is_list(known.of(function.value))
        return (copy_of, quote("f(x)", f=use, x=function.value)) if whole else None
    if called is runtime.unbroadcast:
        g, *_ = node.args
        xs = node.keywords[0].value if node.keywords else node.args[1]
        if not is_list(known.of(xs)):
            return None
        return items_of, quote("f(g, x)", f=helpers.use("items_of", items_of), g=g, x=xs)
    if called is runtime.share and len(node.args) == 3 and is_float_list(known.of(node.args[1])):
        g, xs, best = node.args
        use = helpers.use("shares_of", shares_of)
        return shares_of, quote("f(g, x, best)", f=use, g=g, x=xs, best=best)
    if called is runtime.add_items and is_float_list(known.of(node.args[0])):
        use = helpers.use("add_each", add_each)
        return add_each, quote("f(x, g)", f=use, x=node.args[0], g=node.args[1])
    helper = next((own for function, own in _HELPERS if function is called), None)
    if helper is None or len(node.args) != 1 or node.keywords:
        return None
    [xs] = node.args
    own_kind = known.of(xs)
    if not isinstance(own_kind, Sequence) or not is_list(own_kind):
        return None
    if helper is not copy_of and not _is_float(own_kind.item):
        return None
    return helper, quote("f(x)", f=helpers.use(helper.__name__, helper), x=xs)


def _comprehended(node: gast.ListComp, known: NativeKinds) -> tuple[gast.expr | None, gast.expr]:
    """The list and the number in `[unbroadcast(g, like=item) for item in xs]`, else None."""
    generator, *others = node.generators
    g = node.elt.args[0] if isinstance(node.elt, gast.Call) and node.elt.args else node.elt
    plain = quote("f(g, like=x)", f=getattr(node.elt, "func", g), g=g, x=generator.target)
    is_one = known.called(plain) is runtime.unbroadcast
    if others or generator.ifs or not is_one or not same(node.elt, plain):
        return None, g
    return (generator.iter, g) if is_list(known.of(generator.iter)) else (None, g)


def _is_float(kind: Kind | None) -> bool:
    return isinstance(kind, Scalar) and kind.type == "float"


_HELPERS = (
    (np.array, array_of),
    (np.asarray, array_of),
    (sum, total_of),
    (max, largest),
    (list, copy_of),
    (min, smallest),
)
_ADJOINTS = (repeated, items_of, shares_of)


def permitted(node: gast.stmt, known: NativeKinds) -> set[int]:
    """The `id`s of the expressions in a statement that are lists, used as lists may be.

    Their elements and length are read, `append` and `pop` change them, they get another name, and
    they are written out: numbers of the type that they hold.
    """
    found: set[int] = set()
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
        own = known.names.get(node.targets[0].id)
        if is_list(own):
            found.add(id(node.targets[0]))
            found.add(id(node.value))
            if isinstance(node.value, gast.List):
                items = [known.of(item) for item in node.value.elts]
                if not all(_holds(own, item) for item in items):
                    found.clear()
            elif not isinstance(node.value, (gast.Name, gast.Call, gast.Subscript, gast.BinOp)):
                found.clear()
    for part in walk([p for p in gast.iter_child_nodes(node) if isinstance(p, gast.expr)]):
        if isinstance(part, gast.Subscript):
            if not isinstance(part.slice, gast.Slice) or isinstance(part.ctx, gast.Load):
                found.add(id(part.value))
        elif isinstance(part, gast.BinOp) and isinstance(part.op, (gast.Add, gast.Mult)):
            found.update((id(part.left), id(part.right)))  # lists one after the other
        elif isinstance(part, gast.Call):
            called, function = known.called(part), part.func
            if called is len or any(called is own for own in WHOLE):
                found.update(map(id, part.args))
            elif isinstance(function, gast.Attribute) and function.attr in _METHODS:
                items = [known.of(item) for item in part.args]
                right = len(part.args) == _METHODS[function.attr]
                base = known.of(function.value)
                if right and is_empty(base):  # the tape
                    found.update(map(id, part.args))
                elif right and all(_holds(base, item) for item in items):
                    found.add(id(function.value))
    return found


def _holds(kind: Kind | None, item: Kind | None) -> bool:
    """Whether a list of this kind holds such numbers."""
    return (
        isinstance(kind, Sequence)
        and isinstance(kind.item, Scalar)
        and isinstance(item, Scalar)
        and item.type == kind.item.type
    )
