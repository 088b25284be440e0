"""What the derivative returns: adjoints in the structure, shape and dtype of the arguments."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import (
    Array,
    Kind,
    Record,
    Scalar,
    Sequence,
    Unknown,
    is_complex,
    is_inexact,
    is_real,
)
from autodiff.reverse.parts import like_primal
from autodiff.reverse.places import Place
from autodiff.reverse.reverse import Reverse
from autodiff.reverse.shadows import taken
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name, reads
from autodiff.syntax.quote import quote


def gradient(reverse: Reverse, parameter: str) -> gast.expr:
    """The expression that a derivative returns for one argument."""
    kind = reverse.kinds.known(name(parameter))
    if parameter in reverse.bars.mirrors:
        slots = reverse.slot(None, parameter, f"{parameter}_slots")
        return quote("f(s)", f=reverse.helper("collected"), s=slots)
    return _part(reverse, (parameter, ()), kind)


def _part(reverse: Reverse, place: Place, kind: Kind) -> gast.expr:
    bars = reverse.bars
    if place[0] in bars.shadows:
        return _leaf(reverse, place, kind, taken(reverse, place[0])._replace(owned=True))
    if place in bars.present:
        return _leaf(reverse, place, kind, bars.present[place])
    if isinstance(kind, Record) and place[0] not in bars.whole:
        return _record(reverse, place, kind)
    if isinstance(kind, Record):
        return quote("f(x)", f=reverse.helper("zeros_like"), x=bars.primal(place))
    if isinstance(kind, Scalar) and kind.dtype not in (None, "?", "float64") and (
        kind.type in ("float", "complex")
    ):
        return quote(f"np.{kind.dtype}(0.0)", np=reverse.helper("np"))
    return bars.zeros(place)


def _record(reverse: Reverse, place: Place, kind: Record) -> gast.expr:
    parts = {
        key: _part(reverse, (place[0], (*place[1], key)), item)
        for key, item in zip(kind.keys, kind.items)
    }
    if kind.cls is dict:
        keys = [gast.Constant(value=key, kind=None) for key in parts]
        return gast.Dict(keys=keys, values=list(parts.values()))
    values = list(parts.values())
    if kind.cls is list:
        return gast.List(elts=values, ctx=gast.Load())
    if kind.cls is tuple:
        return gast.Tuple(elts=values, ctx=gast.Load())
    return like_primal(reverse, place, kind, values)


def _leaf(reverse: Reverse, place: Place, kind: Kind, bar: Bar) -> gast.expr:
    if isinstance(kind, Array):
        return _array(reverse, place, kind, bar)
    if isinstance(kind, Scalar):
        return _number(reverse, place, kind, bar)
    if isinstance(kind, (Record, Sequence)):
        if kind.cls is tuple:
            return quote("tuple(x)", x=bar.node)
        return bar.node
    helper = reverse.helper("adjoint_of")
    return quote("f(g, x)", f=helper, g=bar.node, x=reverse.bars.primal(place))


def _number(reverse: Reverse, place: Place, kind: Scalar, bar: Bar) -> gast.expr:
    node = bar.node
    if is_real(kind) and not is_real(bar.kind) or isinstance(bar.kind, Unknown):
        helper = reverse.helper("adjoint_of")
        return quote("f(g, x)", f=helper, g=node, x=reverse.bars.primal(place))
    if kind.dtype in (None, "?", "float64"):
        if not is_mixed(reverse) or not is_real(kind):
            return node
        return quote("f(g)", f=reverse.helpers.use("float", float), g=node)
    np = reverse.helper("np")
    return quote(f"np.{kind.dtype}(g)", np=np, g=node)


def _array(reverse: Reverse, place: Place, kind: Array, bar: Bar) -> gast.expr:
    bars = reverse.bars
    node, own = bar.node, bar.kind
    np = reverse.helper("np")
    primal = bars.primal(place)
    if isinstance(own, Unknown) or not isinstance(own, (Array, Scalar)) or (
        kind.dtype is None or not is_inexact(kind) or is_real(kind) and is_complex(own)
    ):
        return quote("f(g, x)", f=reverse.helper("adjoint_of"), g=node, x=primal)
    if isinstance(own, Scalar) and kind.shape:
        return quote("np.full_like(x, g)", np=np, x=primal, g=node)
    if not kind.shape:
        return quote(f"np.array(g, dtype=np.{kind.dtype})", np=np, g=node)
    if not bars.is_full(place, bar):
        if isinstance(own, Array) and len(own.shape) == len(kind.shape) and own.dtype == kind.dtype:
            if all(s is None or s != 1 for s in own.shape) and not any(
                s == 1 for s in own.shape
            ) and _no_repeat(own, kind):
                return _protected(reverse, place, bar)
        if isinstance(own, Array) and own.dtype is not None and is_inexact(own):
            return quote("np.full_like(x, g)", np=np, g=node, x=primal)
        return quote("f(g, x)", f=reverse.helper("adjoint_of"), g=node, x=primal)
    if own.dtype != kind.dtype or is_mixed(reverse):
        return quote("g.astype(x.dtype)", g=node, x=primal)
    return _protected(reverse, place, bar)


def is_mixed(reverse: Reverse) -> bool:
    """Whether the function handles another precision than double, which sums may change."""
    kinds = reverse.kinds.names.values()
    return not _OTHERS.isdisjoint([k.dtype for k in kinds if isinstance(k, (Array, Scalar))])


_OTHERS = frozenset(("float16", "float32", "longdouble", "complex64", "float128"))


def _no_repeat(own: Array, kind: Array) -> bool:
    """Whether unknown sizes are unknown in both, so that the shapes are the same all the same."""
    return all(a == b and a is not None for a, b in zip(own.shape, kind.shape))


def _protected(reverse: Reverse, place: Place, bar: Bar) -> gast.expr:
    """A result that nobody else can write to."""
    shared = any(
        reads(bar.node) & reads(other.node)
        for other_place, other in reverse.bars.present.items()
        if other_place != place
    )
    if bar.owned and not shared:
        return bar.node
    return quote("g.copy()", g=bar.node)


