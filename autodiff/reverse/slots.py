"""Slots: what is put into a mirrored container, and what is taken out of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.contents import holds, is_slot
from autodiff.analysis.kind import (
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Unknown,
    differentiable,
    is_complex,
    is_real,
)
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.parts import joined, part_of
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone

if TYPE_CHECKING:
    from autodiff.reverse.places import Place
    from autodiff.reverse.reverse import Reverse


@dataclass(slots=True)
class Put:
    """The shadow of a value that is put into a container.

    before: statements that make it. adjoint: makes the code that gives what was collected to the
    value.
    """

    value: gast.expr
    before: list[gast.stmt] = field(default_factory=list)
    adjoint: Callable[[], list[gast.stmt]] = list


def rebuilt(reverse: Reverse, node: gast.expr) -> gast.expr:
    """The same expression on the shadow: `xs[i]` -> `xs_bar[i]`."""
    if isinstance(node, gast.Name):
        return name(reverse.bars.mirrors[node.id])
    return gast.Subscript(
        value=rebuilt(reverse, node.value), slice=clone(node.slice), ctx=gast.Load()
    )


def shadow_of(reverse: Reverse, value: str | gast.expr) -> gast.expr:
    """A new shadow of a container as it is."""
    arrays = bool(reverse.mirrored.arrays)
    text = "f(x, arrays=True)" if arrays else "f(x)"
    return quote(text, f=reverse.helper("shadow"), x=value)


def given(reverse: Reverse, statement: gast.stmt, node: gast.expr, spread: bool) -> Put:
    """What goes into the shadow where `node` goes into the container; its items, if `spread`."""
    bars = reverse.bars
    if isinstance(node, (gast.Name, gast.Subscript)) and _has_shadow(reverse, node):
        return Put(rebuilt(reverse, node))
    if isinstance(node, gast.Name) and node.id in bars.shadows and not (
        spread and has_numbers(reverse.kinds.names.get(node.id))
    ):
        return Put(name(bars.shadows[node.id]))
    kind = reverse.kinds.known(node)
    active = isinstance(node, gast.Name) and node.id in reverse.active
    in_place = bool(reverse.mirrored.arrays)
    if in_place and isinstance(kind, Array) and differentiable(kind) and not active and not spread:
        # of a constant, too: where it is taken out, it is one of the arrays that change
        return Put(quote("np.zeros_like(x)", np=reverse.helper("np"), x=node))
    if spread:
        made = quote("f(x)", f=reverse.helper("shadow"), x=_listed(kind, node))
    elif isinstance(kind, Scalar) or not active and _is_leaf(kind):
        zero = "f()" if isinstance(kind, Scalar) and kind.type == "float" else "f(0.0)"
        zero = "f(0j)" if active and is_complex(kind) else zero  # `give` looks whether it is real
        made = quote(zero, f=reverse.helper("Slot"))
    elif isinstance(kind, Array):
        zeros = quote("np.zeros_like(x)", np=reverse.helper("np"), x=node)
        made = quote("f(z)", f=reverse.helper("Slot"), z=zeros)
    else:
        made = shadow_of(reverse, node)
        if not is_certain(kind):
            made = quote("f(s)", f=reverse.helper("alone"), s=made)
    if not active:
        return Put(made)
    slot = reverse.slot(statement, node, f"{node.id}_slot")
    before = [gast.Assign(targets=[store(slot)], value=made)]
    content = name(slot)
    if spread:
        content = name(reverse.slot(statement, node, f"{node.id}_slots"))
        before.append(
            gast.Assign(
                targets=[store(content.id)],
                value=quote("f(s)", f=reverse.helper("snapshot"), s=slot),
            )
        )
    return Put(name(slot), before, partial(_collected, reverse, node.id, content, kind, spread))


def has_numbers(kind: Kind | None) -> bool:
    """Whether the items of an array are numbers, which share no memory with it."""
    return isinstance(kind, Array) and len(kind.shape) == 1


def _listed(kind: Kind, node: gast.expr) -> gast.expr:
    """What is spread, as a list: an array is its items."""
    return quote("list(x)", x=node) if isinstance(kind, Array) else node


def is_certain(kind: Kind | None) -> bool:
    """Whether it is certain where in a value there is a list or dict."""
    if isinstance(kind, Record):
        return all(map(is_certain, kind.items))
    return isinstance(kind, Numeric) or kind is not None and not isinstance(kind, Unknown)


def _is_leaf(kind: Kind) -> bool:
    return not holds(kind) and not isinstance(kind, (Unknown, Record))


def _has_shadow(reverse: Reverse, node: gast.expr) -> bool:
    while isinstance(node, gast.Subscript):
        node = node.value
    return isinstance(node, gast.Name) and node.id in reverse.bars.mirrors


def _collected(
    reverse: Reverse,
    target: str,
    slot: gast.Name,
    kind: Kind,
    spread: bool,
    fitted: bool = False,
) -> list[gast.stmt]:
    """`e_bar += e_slot.value`; `fitted`: an empty slot is zeros of the form of what it is for."""
    bars = reverse.bars
    bars.out = []
    places = bars.places(target)
    if isinstance(kind, (Scalar, Array)):
        value = quote("s.value", s=slot)
        if spread:
            helpers = {"np": reverse.helper("np"), "f": reverse.helper("collected")}
            value = quote("np.array(f(s))", s=slot, **helpers)
        bars.contribute(places[0], value, kind, False)
        return bars.out
    variable = bars.temporary(f"{target}_bar_kept")
    found = quote("f(s)", f=reverse.helper("collected"), s=slot)
    if fitted:
        found = quote("f(s, like=e)", f=reverse.helper("unbroadcast"), s=found, e=target)
    bars.assign(variable, found, kind)
    whole: dict[Place, Bar] = {(variable, ()): Bar(name(variable), kind, False)}
    for place, bar in joined(reverse, whole, target):
        bars.contribute(place, bar.node, bar.kind, False)
    return bars.out


def contents_given(reverse: Reverse, target: str, slot: str, shadow: Kind) -> list[gast.stmt]:
    """`e_bar += collected(e_slot)` for `give(s, e)`; `shadow` is the kind of `s`."""
    kind = reverse.kinds.known(name(target))
    spread = isinstance(kind, Array) and not is_slot(shadow)
    return _collected(reverse, target, name(slot), kind, spread, fitted=True)


def received(
    reverse: Reverse, statement: gast.stmt, target: str
) -> tuple[str | None, list[gast.stmt]]:
    """The slot of a value that is taken out, and the code that adds its adjoint to it.

    An array that changes in place has its shadow instead.
    """
    bars = reverse.bars
    if target in bars.shadows:
        return bars.shadows[target], []
    bars.out = []
    taken = reverse.take(target)
    if target not in reverse.active or not taken:
        return None, []
    slot = reverse.slot(statement, target, f"{target}_slot")
    for (_, path), bar in taken.items():
        kind = bars.kind((target, path))
        check_values(reverse, statement, target, path)
        own = part_of(name(slot), path)
        in_place = isinstance(kind, Array) and bool(reverse.mirrored.arrays)  # no slot, maybe
        if _is_plain(kind, bar) and not in_place:
            value = gast.Attribute(value=own, attr="value", ctx=gast.Store())
            bars.out.append(gast.AugAssign(target=value, op=gast.Add(), value=bar.node))
        else:
            code = quote("f(s, g)", f=reverse.helper("give"), s=own, g=bar.node)
            bars.out.append(gast.Expr(value=code))
    return slot, bars.out


def check_values(
    reverse: Reverse, statement: gast.stmt, target: str, path: tuple[Any, ...]
) -> None:
    """Refuse objects in a mirrored container: a slot is for one number or array."""
    for count in range(len(path)):
        kind = reverse.bars.kind((target, path[:count]))
        if isinstance(kind, Record) and not kind.indexed:
            raise UnsupportedSyntaxError(
                f"a list or dict of objects ({kind.cls.__name__}) changes",
                origin_of(statement),
                why="its derivative is followed where it holds numbers, arrays and other lists",
                cure="keep a list for each attribute of the objects",
            )


def _is_plain(kind: Kind, bar: Bar) -> bool:
    """Whether an adjoint may be added as it is: real to real, of the same type.

    A complex number may have been put in as a real one, among others that are complex.
    """
    if isinstance(kind, Scalar):
        return isinstance(bar.kind, Scalar) and is_real(bar.kind) and is_real(kind)
    return (
        isinstance(kind, Array)
        and isinstance(bar.kind, (Array, Scalar))
        and kind.dtype is not None
        and (bar.kind.dtype or kind.dtype) == kind.dtype
    )


