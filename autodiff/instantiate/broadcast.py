"""A contribution brought to the shape of its operand: summed where the operand was broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.instantiate.contribution import Contribution, as_index, index_value, undone
from autodiff.instantiate.expand import has_items_of, same_shape
from autodiff.instantiate.simplify import simplify
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence, Unknown, is_complex, is_real
from autodiff.kinds.size import Dim, is_plural
from autodiff.primitives.memory import memory_of_call
from autodiff.rules import foreign
from autodiff.rules.home import hashable
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote

if TYPE_CHECKING:
    from autodiff.instantiate.apply import Applier


def finished(
    applier: Applier, value: gast.expr, operand: gast.Name, template: gast.expr | None = None
) -> Contribution:
    """The contribution brought to the operand's shape and to the real line.

    template: what the value was filled into, if its function is to be asked for the shape.
    """
    kind = applier.kinds.of(operand)
    own = applier.kinds.of(value)
    if applier.rule.elementwise:
        whole = value
        value = reduced(applier, value, own, operand, kind)
        if value is not whole:
            own = _shaped(applier.kinds.of(value), kind)
        elif alone(applier, operand) and _is_seeded_in_full(applier):
            own = _shaped(own, kind)  # the result has the operand's shape, by whatever names
    elif has_items_of(own, kind):
        pass  # each number of the list has its adjoint at its place
    elif misfits(applier, own, kind) or _may_be_array(value, own, kind):
        helper = applier.bars.use("unbroadcast", runtime.unbroadcast)
        value = quote("f(g, x)", f=helper, g=value, x=operand)
        own = _shaped(applier.kinds.of(value), kind)
    elif applier.rule.multilinear or is_whole(applier, template, value):
        own = _shaped(own, kind)
    unclear = isinstance(own, Array) and own.dtype is None and applier.bars.complex
    if is_real(kind) and (is_complex(own) or unclear):
        value = real(applier, value, own)
        own = applier.kinds.of(value)
    return Contribution(operand.id, value, own, is_fresh(applier, value, own))


def is_whole(applier: Applier, *expressions: gast.expr | None) -> bool:
    """Whether one is a call of a helper that gives an adjoint of the shape of its primal."""
    if any(isinstance(e, gast.Name) and e.id in applier.whole for e in expressions):
        return True
    calls = [e for e in expressions if isinstance(e, gast.Call) and isinstance(e.func, gast.Name)]
    return any(foreign.is_whole(applier.callee(call.func)) for call in calls)


def _shaped(own: Kind, kind: Kind) -> Kind:
    """The kind of what was brought to the shape of an operand: of that shape, also if unnamed."""
    if isinstance(own, Array) and isinstance(kind, Array) and len(own.shape) == len(kind.shape):
        return Array(own.dtype, kind.shape)
    return own


def misfits(applier: Applier, own: Kind, kind: Kind) -> bool:
    """Whether a rule for arrays was applied to a number or to nested lists of numbers."""
    if isinstance(kind, Scalar):
        return isinstance(own, Array)
    return isinstance(kind, (Record, Sequence)) and isinstance(own, Array)


def _may_be_array(value: gast.expr, own: Kind, kind: Kind) -> bool:
    """Whether a call of which nothing is known gives the adjoint of a list that may grow."""
    return isinstance(kind, Sequence) and isinstance(own, Unknown) and isinstance(value, gast.Call)


def real(applier: Applier, value: gast.expr, kind: Kind) -> gast.expr:
    if isinstance(value, gast.Name):
        return gast.Attribute(value=value, attr="real", ctx=gast.Load())
    return quote("np.real(x)", np=applier.np, x=value)


def reduced(
    applier: Applier, value: gast.expr, own: Kind, operand: gast.Name, kind: Kind
) -> gast.expr:
    """Summed over the axes along which the operand was broadcast."""
    result = _result_kind(applier)
    if isinstance(result, Record):
        result = result.items[0]  # several results of one shape
    if isinstance(kind, Scalar):
        if isinstance(result, Scalar):
            return value
        if isinstance(own, Scalar) and isinstance(result, Array) and not result.shape:
            return value
        if isinstance(result, Array):
            if isinstance(own, Scalar):
                return quote("g * x.size", g=value, x=shaped(applier, result))
            return quote("np.sum(g)", np=applier.np, g=full(applier, value, own, result))
    if isinstance(kind, Array) and isinstance(result, Array):
        if kind.shape == result.shape and None not in kind.shape:
            return value
        if len(kind.shape) == len(result.shape) and alone(applier, operand):
            return value
        axes = _broadcast_axes(kind.shape, result.shape)
        if axes is not None:
            lead, kept = axes
            if isinstance(own, Scalar) and (lead or kept):
                times = " * ".join(["g", *(f"x.shape[{axis}]" for axis in (*lead, *kept))])
                text = f"np.full_like(y, {times})"
                like = shaped(applier, result)
                return quote(text, np=applier.np, y=operand, g=value, x=like)
            if isinstance(own, Array) and lead and not kept and own.shape == kind.shape:
                if None not in own.shape:  # it is the same along the axes that are summed
                    times = " * ".join(["g", *(f"x.shape[{axis}]" for axis in lead)])
                    return quote(times, g=value, x=shaped(applier, result))
            value = full(applier, value, own, result)
            if not lead and not kept:
                return value
            if not (lead and kept):
                text = "np.sum(g, axis=A)" if lead else "np.sum(g, axis=A, keepdims=True)"
                numbers = lead or kept
                axis = repr(numbers[0]) if len(numbers) == 1 else repr(numbers)
                return quote(text.replace("A", axis), np=applier.np, g=value)
    elif (not isinstance(kind, Scalar) and alone(applier, operand)) or (
        isinstance(kind, Array) and not kind.shape and isinstance(result, Scalar)
    ):
        return value
    helper = applier.bars.use("unbroadcast", runtime.unbroadcast)
    value = full(applier, value, own, result)
    return quote("f(g, x)", f=helper, g=value, x=operand)


def _result_kind(applier: Applier) -> Kind:
    """The kind of the result here; that of its name joins all values that it ever has."""
    kind = applier.kinds.of(name(applier.result))
    if applier.value is not None and isinstance(kind, Array) and None in kind.shape:
        return applier.kinds.of(applier.value)
    return kind


def operands(applier: Applier) -> list[gast.expr]:
    return [a for a in applier.operation.arguments if not isinstance(a, gast.Starred)]


def alone(applier: Applier, operand: gast.Name) -> bool:
    """Whether all other operands are plain numbers, so that nothing was broadcast."""
    others = [
        other
        for other in (*operands(applier), *(value for _, value in applier.operation.keywords))
        if not (isinstance(other, gast.Name) and other.id == operand.id)
    ]
    return all(isinstance(applier.kinds.of(other), Scalar) for other in others)


def full(applier: Applier, value: gast.expr, own: Kind, result: Kind) -> gast.expr:
    """The value with all of the result's shape."""
    if isinstance(own, Array) and isinstance(result, Array):
        if own.shape == result.shape and None not in own.shape:
            return value
        if _is_seeded_in_full(applier):
            return value
    elif _is_seeded_in_full(applier):
        return value
    like = shaped(applier, result)
    return quote("np.broadcast_to(g, x.shape)", np=applier.np, g=value, x=like)


def _is_seeded_in_full(applier: Applier) -> bool:
    """Whether the adjoints of the result have all of its shape."""
    seeds = applier.seeds.items()
    return all(applier.bars.is_full((applier.result, path), bar) for path, bar in seeds)


def shaped(applier: Applier, result: Kind) -> gast.expr:
    """What has the shape of the result: a parameter, if there is one, so that it may go."""
    return same_shape(applier.kinds, result) or name(applier.result)


def is_fresh(applier: Applier, value: gast.expr, kind: Kind) -> bool:
    """Whether the value, of this kind, is a new array that nothing else refers to."""
    if isinstance(value, gast.Name):
        return value.id in applier.fresh
    if isinstance(kind, Scalar):
        return True
    if isinstance(value, gast.BinOp):
        return isinstance(kind, Array) and bool(kind.shape)
    if isinstance(value, gast.UnaryOp):
        return isinstance(value.op, gast.USub)
    if isinstance(value, gast.IfExp):
        return is_fresh(applier, value.body, kind) and is_fresh(applier, value.orelse, kind)
    if not isinstance(value, gast.Call):
        return False
    function = _called(applier, value.func)
    if isinstance(value.func, gast.Name) and not (isinstance(kind, Array) and kind.shape):
        return False
    parts = [*value.args, *(keyword.value for keyword in value.keywords)]
    kinds, words = [*map(applier.kinds.of, parts)], [k.arg or "" for k in value.keywords]
    return hashable(function) and memory_of_call(function, kinds, len(value.args), words) == "new"


def _called(applier: Applier, node: gast.expr) -> Any:
    """The function that a call calls, by the name that NumPy has in the generated code, too."""
    if isinstance(node, gast.Attribute):
        return getattr(_called(applier, node.value), node.attr, None)
    return np if isinstance(node, gast.Name) and node.id == applier.np.id else applier.callee(node)


def _broadcast_axes(
    small: tuple[Any, ...], big: tuple[Any, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Leading axes and kept axes to sum over; None where the sizes do not tell."""
    lead = len(big) - len(small)
    if lead < 0:
        return None
    kept = []
    for axis, (a, b) in enumerate(zip(small, big[lead:]), lead):
        if a is None or b is None:
            return None
        if a == b or is_plural(a):  # what does not broadcast has to be as long
            continue
        if a == 1 and (isinstance(b, int) or isinstance(b, Dim) and b.plural):
            kept.append(axis)
        else:
            return None
    return tuple(range(lead)), tuple(kept)


def is_scatter(applier: Applier, template: gast.expr) -> bool:
    return (
        isinstance(template, gast.Call)
        and isinstance(template.func, gast.Name)
        and template.func.id == "scatter"
        and applier.rule.lookup("scatter") is runtime.scatter
    )


def terms(applier: Applier, template: gast.expr, operand: gast.Name) -> list[gast.expr]:
    """A template for an array without what it adds to elements, and that as contributions."""
    parts: list[gast.expr] = []
    if isinstance(applier.kinds.of(operand), Array):
        while isinstance(template, gast.BinOp) and isinstance(template.op, gast.Add):
            if not is_scatter(applier, template.right):
                break
            parts.insert(0, template.right)
            template = template.left
    return [template, *parts]


def scattered(applier: Applier, template: gast.Call, operand: gast.Name) -> Contribution:
    keywords = {keyword.arg: keyword.value for keyword in template.keywords}
    kind = applier.kinds.of(operand)
    at = as_index(simplify(applier.fill(keywords["at"]), applier.inexact))
    back = undone(at) if isinstance(kind, (Array, Scalar)) else None
    if back is not None:
        whole = applier.filled(template.args[0])
        value = gast.Subscript(value=whole, slice=back, ctx=gast.Load())
        return finished(applier, value, operand)
    if isinstance(kind, Array):
        value = simplify(applier.fill(template.args[0], raw=True), applier.inexact)
        if is_real(kind) and is_complex(applier.kinds.of(value)):
            value = quote("np.real(x)", np=applier.np, x=value)
        return Contribution(operand.id, value, applier.kinds.of(value), False, at)
    applier.mapping = {
        p: index_value(v) if isinstance(v, gast.AST) else v for p, v in applier.mapping.items()
    }
    value = applier.fill(template)
    return Contribution(operand.id, value, kind, True)
