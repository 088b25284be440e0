"""The adjoint of a store into an array.

    x[i] = e        e_bar += x_bar[i]; x_bar[i] = 0
    x[i] += e       e_bar += x_bar[i]

The adjoint of the array is a buffer of its own, in which the stored part is read and set to zero.
What the store overwrites is kept by `contents`, should the reverse sweep read it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import Array, Kind, Scalar
from autodiff.analysis.operation import BINARY, Operation
from autodiff.reverse.apply import Applier
from autodiff.reverse.contribution import Contribution, index_value
from autodiff.reverse.places import Place
from autodiff.reverse.primitives import emit
from autodiff.reverse.values import Bar
from autodiff.syntax.names import name
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import clone, map_children
from autodiff.syntax.windows import rebased, root

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def store(reverse: Reverse, statement: Any, target: gast.Subscript, base: str) -> None:
    """Writes the adjoint code of `target = value` or `target += value` to `reverse.bars.out`."""
    bars = reverse.bars
    place: Place = (base, ())
    if place not in bars.present and base not in bars.shadows:
        return
    value = statement.value
    flows = isinstance(value, gast.Name) and value.id in reverse.active
    adds = isinstance(statement, gast.AugAssign)
    if not adds and is_whole(target) and base not in bars.shadows:
        if flows:
            bars.fill(place)
        bar = bars.present.pop(place)
        bars.trace.defined(base)
        if flows:
            give(reverse, statement, bar.node, bar.kind, bar.owned)
        return
    if adds and not flows:
        return
    behind = None if adds else _behind_mask(reverse, target, place)
    if not flows and behind is not None:
        leave_out(reverse, target.slice, place, behind)
        return
    if not flows and _picks_elements(reverse, target, place):
        if leave_out_of_row(reverse, target, place):
            return
        leave_out(reverse, name(_chosen(reverse, target)), place, 0)
        return
    variable = bars.own(place)
    slot = rebased(target, name(variable))
    if _has_calls(target):  # `x.reshape(-1)[i]`: the adjoint must be laid out as the primal is
        np = reverse.helper("np")
        bars.out.extend(quote_statements("x = np.ascontiguousarray(x)", np=np, x=variable))
    kind = reverse.kinds.known(slot)
    if not flows:
        bars.out.append(zeroed(slot))
        return
    read: gast.expr = slot
    owned = isinstance(kind, Scalar)
    if not is_basic(target.slice, reverse.kinds.of):
        owned = True
        if not reverse.distinct(target.slice):
            helper = reverse.helper("stored")
            read = quote("f(x, i)", f=helper, x=slot.value, i=index_value(target.slice))
    if value.id == base or value.id in bars.shadows:
        kept = bars.temporary(f"{base}_bar_kept")
        bars.assign(kept, read if owned else quote("x.copy()", x=read), kind)
        read, owned = name(kept), True
        bars.out.extend([] if adds else [zeroed(slot)])
        give(reverse, statement, read, kind, owned)
        return
    give(reverse, statement, read, kind, owned)
    if behind is not None:
        leave_out(reverse, target.slice, place, behind)
    else:
        bars.out.extend([] if adds else [zeroed(slot)])


def _behind_mask(reverse: Reverse, target: gast.Subscript, place: Place) -> int | None:
    """How many axes follow those of the mask by which elements or rows are replaced, if one is."""
    kinds, (base, _) = reverse.kinds, place
    if base in reverse.bars.shadows or not isinstance(target.value, gast.Name):
        return None
    mask, whole = kinds.of(target.slice), kinds.names.get(base)
    if not isinstance(mask, Array) or not isinstance(whole, Array) or mask.dtype != "bool":
        return None
    behind = len(whole.shape) - len(mask.shape)
    return behind if mask.shape and behind >= 0 else None


def _picks_elements(reverse: Reverse, target: gast.Subscript, place: Place) -> bool:
    """Whether a store replaces elements of an array by index arrays alone."""
    kinds, (base, _) = reverse.kinds, place
    if base in reverse.bars.shadows or not isinstance(target.value, gast.Name):
        return False
    is_array = isinstance(kinds.names.get(base), Array)
    return is_array and is_basic(target.slice, kinds.of) is False


def leave_out_of_row(reverse: Reverse, target: gast.Subscript, place: Place) -> bool:
    """`h_bar[t] = np.where(mask, 0.0, h_bar[t])` for `h[t, mask] = c`; not for other indices."""
    kinds, parts = reverse.kinds, getattr(target.slice, "elts", [])
    count = next((k for k, p in enumerate(parts) if not isinstance(kinds.of(p), Scalar)), 0)
    if not count or count == len(parts):
        return False
    first, rest = parts[:count], parts[count:]
    index = clone(first[0]) if count == 1 else gast.Tuple([clone(p) for p in first], gast.Load())
    inner = clone(rest[0]) if len(rest) == 1 else gast.Tuple([clone(p) for p in rest], gast.Load())
    row = gast.Subscript(target.value, index, gast.Load())
    whole, mask = kinds.of(row), kinds.of(inner)
    if not isinstance(whole, Array):
        return False
    if not isinstance(mask, Array) or mask.dtype != "bool" or len(mask.shape) != len(whole.shape):
        inner = name(_chosen(reverse, gast.Subscript(row, inner, gast.Store())))
    slot = rebased(row, name(reverse.bars.own(place)))
    value = quote("np.where(m, 0.0, x)", np=reverse.helper("np"), m=inner, x=slot)
    value.masks = True
    stored = gast.Subscript(clone(slot.value), clone(index), gast.Store())
    reverse.bars.out.append(gast.Assign(targets=[stored], value=value))
    return True


def _chosen(reverse: Reverse, target: gast.Subscript) -> str:
    """A mask of what a store by index arrays replaces."""
    base, bars = root(target), reverse.bars
    kind = reverse.kinds.of(target.value)
    chosen = bars.temporary(f"{base}_replaced")
    assert isinstance(kind, Array)
    none = quote("np.zeros(x.shape, np.bool_)", np=reverse.helper("np"), x=target.value)
    bars.assign(chosen, none, replace(kind, dtype="bool"))
    bars.out.extend(quote_statements("m[i] = True", m=chosen, i=clone(target.slice)))
    return chosen


def leave_out(reverse: Reverse, mask: gast.expr, place: Place, behind: int) -> None:
    """`x_bar = np.where(mask, 0.0, x_bar)`: what comes of it is 0 there, too (see `masks`)."""
    bars, whole = reverse.bars, reverse.kinds.names[place[0]]
    if not _is_double(bars.present[place].kind, whole):
        bars.fill(place)
    kept, variable = bars.present.pop(place), bars.variable(place)
    rows = quote(f"m[..., {', '.join(['None'] * behind)}]", m=mask) if behind else clone(mask)
    value = quote("np.where(m, 0.0, x)", np=reverse.helper("np"), m=rows, x=kept.node)
    value.masks = True
    full = whole if isinstance(kept.kind, Scalar) else kept.kind
    bars.assign(variable, value, full)
    bars.present[place] = Bar(name(variable), full, True)


def _is_double(bar: Kind, whole: Kind) -> bool:
    """Whether the adjoint of an array of doubles is one such number so far."""
    number = isinstance(bar, Scalar) and bar.type == "float" and bar.dtype in (None, "float64")
    return number and isinstance(whole, Array) and whole.dtype == "float64"


def give(reverse: Reverse, statement: Any, seed: gast.expr, kind: Kind, owned: bool) -> None:
    """The adjoint of what was stored goes to the value, summed where the value was broadcast."""
    bars = reverse.bars
    operand = statement.value
    seed, kind = _with_leading_axes(seed, kind, reverse.kinds.known(operand))
    slot = bars.temporary(f"{operand.id}_slot")
    reverse.kinds.names[slot] = kind
    reverse.kinds.local |= {slot}
    # the value is broadcast against the slot, as by `slot + value` and `slot - value`
    operator = gast.Sub if _subtracts(statement) else gast.Add
    operation = Operation(BINARY[operator], (name(slot), operand))
    rule = operation.rule
    applier = Applier(rule, operation, slot, bars, reverse.helpers)
    bound = dict(zip((parameter.name for parameter in rule.parameters), operation.arguments))
    seeds: dict[tuple[object, ...], Bar] = {(): Bar(seed, kind, owned)}
    found = applier.contributions(bound, seeds, reverse.active)
    emit(reverse, [_copied(reverse, c, owned) for c in found])


def _with_leading_axes(seed: gast.expr, kind: Kind, own: Kind) -> tuple[gast.expr, Kind]:
    """NumPy stores an array of shape (1, n) where n elements are; its adjoint has its shape."""
    if not isinstance(kind, Array) or not isinstance(own, Array):
        return seed, kind
    more = len(own.shape) - len(kind.shape)
    if more <= 0:
        return seed, kind
    index = "None" if more == 1 else f"({', '.join(['None'] * more)})"
    return quote(f"g[{index}]", g=seed), Array(kind.dtype, (1,) * more + kind.shape)


def _subtracts(statement: Any) -> bool:
    return isinstance(statement, gast.AugAssign) and isinstance(statement.op, gast.Sub)


def _copied(reverse: Reverse, contribution: Contribution, owned: bool) -> Contribution:
    """A contribution that does not refer to the buffer, which changes."""
    value = contribution.value
    if contribution.fresh or isinstance(contribution.kind, Scalar):
        return contribution
    if owned and not (isinstance(value, gast.Name) and value.id not in reverse.bars.made):
        return Contribution(contribution.operand, value, contribution.kind, True)
    if (contribution.operand, ()) in reverse.bars.present and isinstance(value, gast.Subscript):
        return contribution  # added to what is there
    if isinstance(value, gast.Name):
        return contribution  # nothing else refers to it any more
    copied = quote("f(x)", f=reverse.helper("copied"), x=value)
    if isinstance(contribution.kind, Array):
        copied = quote("x.copy()", x=value)
    return Contribution(contribution.operand, copied, contribution.kind, True)


def zeroed(slot: gast.expr) -> gast.stmt:
    """`x_bar[i] = 0.0`."""
    target = map_children(lambda child: child, slot)
    target.ctx = gast.Store()
    return gast.Assign(targets=[target], value=gast.Constant(value=0.0, kind=None))


def is_whole(target: gast.expr) -> bool:
    """Whether a store replaces all elements of the array that a name holds."""
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return False
    index = target.slice
    if isinstance(index, gast.Slice):
        return not (index.lower or index.upper or index.step)
    if isinstance(index, gast.Tuple):
        return all(is_whole(gast.Subscript(value=target.value, slice=p)) for p in index.elts)
    return isinstance(index, gast.Constant) and index.value is ...


def _has_calls(target: gast.expr) -> bool:
    node = target
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return isinstance(node, gast.Call)


def gathered(reverse: Reverse, statement: gast.Expr, base: str) -> None:
    """The adjoint of `np.add.at(x, i, e)`: `e_bar += x_bar[i]`."""
    bars = reverse.bars
    window, index, value = statement.value.args
    flows = isinstance(value, gast.Name) and value.id in reverse.active
    if not flows or (base, ()) not in bars.present and base not in bars.shadows:
        return
    variable = bars.own((base, ()))
    base_bar = rebased(window, name(variable))
    read = gast.Subscript(value=base_bar, slice=clone(index), ctx=gast.Load())
    like = gast.Assign(targets=[], value=value)
    give(reverse, like, read, reverse.kinds.known(read), is_basic(index, reverse.kinds.of) is False)
