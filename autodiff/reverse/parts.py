"""Adjoints of parts: taken together, taken apart, added to the adjoint of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import UNKNOWN, Kind, Mapping, Record, Scalar, Sequence, is_real
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name, reads, store
from autodiff.syntax.quote import quote, quote_statements

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def joined(reverse: Reverse, taken: dict[Place, Bar], source: str) -> list[tuple[Place, Bar]]:
    """Adjoints of a value as adjoints of the places of another name that holds the same value."""
    whole = source in reverse.bars.whole
    found = []
    for (target, path), bar in taken.items():
        if whole and path:
            return [((source, ()), assembled(reverse, target, taken))]
        if not whole and not path:
            for place in reverse.bars.places(source):
                kind = reverse.bars.kind(place) if place[1] else bar.kind
                whole_kind = reverse.kinds.names.get(source)
                part = part_of(bar.node, place[1], whole_kind)
                if place[1]:
                    part = real_part(reverse, part, kind, bar.kind, place[1])
                found.append((place, Bar(part, kind, bar.owned and not place[1])))
            continue
        found.append(((source, path), bar))
    return found


def real_part(
    reverse: Reverse, part: gast.expr, kind: Kind, whole: Kind, path: tuple[Any, ...]
) -> gast.expr:
    """The adjoint of a part of this kind, taken from that of a whole that may hold complex ones."""
    if not is_real(kind):
        return part
    for key in path:
        if isinstance(whole, Record):
            whole = whole.get(key) or UNKNOWN
        else:
            whole = whole.item if isinstance(whole, (Sequence, Mapping)) else UNKNOWN
    if not reverse.may_be_complex(whole):
        return part
    return quote("np.real(g)", np=reverse.helper("np"), g=part)


def received(reverse: Reverse, operands: list[str], call: gast.expr) -> None:
    """Add what a call gives, one adjoint for each of the names, to the adjoints of these."""
    results = [reverse.bars.temporary(f"{operand}_bar_part") for operand in operands]
    targets = gast.Tuple(elts=[store(result) for result in results], ctx=gast.Store())
    reverse.bars.out.append(gast.Assign(targets=[targets], value=call))
    for operand, result in zip(operands, results):
        kind = reverse.kinds.names.get(operand, UNKNOWN)
        reverse.bars.define(result, kind)
        found: dict[Place, Bar] = {(operand, ()): Bar(name(result), kind, False)}
        for place, bar in joined(reverse, found, operand):
            reverse.bars.contribute(place, bar.node, bar.kind, False)


def assembled(reverse: Reverse, target: str, taken: dict[Place, Bar]) -> Bar:
    """The adjoint of a whole tuple, list or dict, built from those of its parts."""
    kind = reverse.kinds.names.get(target, UNKNOWN)
    present = {path: bar for (_, path), bar in taken.items()}
    node = build(reverse, target, kind, (), present)
    return Bar(node, kind, False)


def build(
    reverse: Reverse, target: str, kind: Kind, path: tuple[object, ...], present: dict[Any, Bar]
) -> gast.expr:
    if path in present:
        return reverse.bars.expanded((target, path), present[path])
    if not isinstance(kind, Record):
        return reverse.bars.zeros((target, path))
    items = [
        build(reverse, target, item, (*path, key), present)
        for key, item in zip(kind.keys, kind.items)
    ]
    if kind.cls is dict:
        keys = [gast.Constant(value=key, kind=None) for key in kind.keys]
        return gast.Dict(keys=keys, values=items)
    if kind.cls is list:
        return gast.List(elts=items, ctx=gast.Load())
    if kind.cls is not tuple:
        return like_primal(reverse, (target, path), kind, items)
    return gast.Tuple(elts=items, ctx=gast.Load())


def like_primal(
    reverse: Reverse, place: Place, kind: Record, items: list[gast.expr]
) -> gast.expr:
    """A namedtuple or object of the class of the primal, made of the adjoints of its parts."""
    primal = reverse.bars.primal(place)
    if issubclass(kind.cls, tuple):
        cls = quote("type(x)", x=primal)
        if reverse.aliases.is_changed(place[0]):  # what holds it is not to be put back for this
            cls = reverse.helpers.use(kind.cls.__name__, kind.cls)
        return gast.Call(func=cls, args=items, keywords=[])
    keys = [gast.Constant(value=key, kind=None) for key in kind.keys]
    table = gast.Dict(keys=keys, values=items)
    return quote("f(x, t)", f=reverse.helper("restructured"), x=primal, t=table)


def take_part(
    reverse: Reverse, base: str, key: Any, taken: dict[Place, Bar]
) -> None:
    """The adjoint of a part, added to that part of the whole's adjoint."""
    if base not in reverse.active:
        return
    if base in reverse.bars.whole:
        index = gast.Constant(value=key, kind=None)
        add_item(reverse, base, index, taken)
        return
    for (_, path), bar in taken.items():
        place = (base, (key, *path))
        inside = [p for p in reverse.bars.places(base) if p[1][: len(place[1])] == place[1]]
        if place in inside or not inside:
            reverse.bars.contribute(place, bar.node, bar.kind, bar.owned)
            continue
        for part in inside:
            node = part_of(bar.node, part[1][len(place[1]) :], reverse.bars.kind(place))
            reverse.bars.contribute(part, node, reverse.bars.kind(part), False)


def add_item(
    reverse: Reverse, base: str, index: gast.expr, taken: dict[Place, Bar]
) -> None:
    """`base_bar[index] += part_bar` for a list of adjoints."""
    if base not in reverse.active:
        return
    (target, path), bar = next(iter(taken.items()))
    if path:
        bar = assembled(reverse, target, taken)
        value = bar.node
    else:
        value = reverse.bars.expanded((target, path), bar)
    value = reverse.bars.apart((base, ()), value, bar.kind)
    reverse.bars.awaited = reads(value)
    variable = reverse.bars.own((base, ()))
    reverse.bars.awaited = set()
    accumulate = reverse.helper("accumulate")
    if isinstance(reverse.kinds.names.get(target), Scalar):
        reverse.bars.out.extend(quote_statements("x[i] += v", x=variable, i=index, v=value))
    else:
        text = "x[i] = f(x[i], v)"
        reverse.bars.out.extend(
            quote_statements(text, x=variable, i=index, v=value, f=accumulate)
        )


def part_of(
    value: gast.expr, path: tuple[object, ...], kind: Kind | None = None
) -> gast.expr:
    """`value[k0][k1]` for a path of keys; attributes where `kind` is that of an object."""
    for key in path:
        if isinstance(kind, Record) and not kind.indexed:
            value = gast.Attribute(value=value, attr=str(key), ctx=gast.Load())
        else:
            index = gast.Constant(value=key, kind=None)
            value = gast.Subscript(value=value, slice=index, ctx=gast.Load())
        kind = kind.get(key) if isinstance(kind, Record) else None
    return value


def element_of(array: gast.expr, path: tuple[object, ...]) -> gast.expr:
    """The element of an array, `a[1, 0]`, for the number at a path into a list of lists."""
    keys = [gast.Constant(value=key, kind=None) for key in path]
    index = keys[0] if len(keys) == 1 else gast.Tuple(elts=keys, ctx=gast.Load())
    return gast.Subscript(value=array, slice=index, ctx=gast.Load())
