"""Functions that stay functions: called from several places, and not small.

    k1 = rhs(y, p)                        k1, k1_pullback = rhs_vjp(y, p)
    k2 = rhs(y + h / 2 * k1, p)           k2, k2_pullback = rhs_vjp(y + h / 2 * k1, p)

One function for one set of kinds. So far of those that change nothing of what they are given, and
give new memory or a number; others are inlined.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple

import gast

from autodiff.core import (
    MARK,
    Apply,
    Built,
    Call,
    Function,
    LoadOuter,
    NotYet,
    Region,
    Unseen,
    Value,
)
from autodiff.dataflow.settle import order_matters
from autodiff.errors import AutodiffError
from autodiff.kinds.kind import Array, Kind, Record, Scalar, forget_values
from autodiff.kinds.size import Dim, Size
from autodiff.loader import place_of
from autodiff.lower.entries.above import Expressions, Unit
from autodiff.lower.entries.entry import Entry
from autodiff.lower.expression.offers import kind_of as kind_given
from autodiff.lower.flow.form import form_of
from autodiff.lower.functions.conversion import Converted
from autodiff.lower.functions.outlined import Outlined
from autodiff.primitives.opaque import is_world
from autodiff.syntax.names import parameters, title_of

WORTH = 12
"""So many operations, counted at all places but one, are worth a function of their own."""


@dataclass(frozen=True, slots=True)
class Callee:
    """A function for kinds of arguments. inner: of each step its adjoints, for a seed, are called
    instead.
    """

    function: FunctionType | Converted | Outlined
    kinds: tuple[Kind, ...]
    inner: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """What it is called."""
        own = self.function
        plain = title_of(own) if isinstance(own, FunctionType) else own.name
        return plain + "_adjoints" * len(self.inner)

    @property
    def changed(self) -> tuple[str, ...]:
        """The parameters whose arrays it changes, in a copy, and gives back."""
        return self.function.changed if isinstance(self.function, Converted) else ()

    @property
    def place(self) -> str:
        """Where it stands in the user's file."""
        own = self.function
        return place_of(own.__code__) if isinstance(own, FunctionType) else own.place

    def is_known(self, name: str) -> bool:
        """Whether a name means something else where the function stands."""
        own = self.function
        if isinstance(own, Converted) and isinstance(own.target, FunctionType):
            return name in own.target.__globals__
        return isinstance(own, Outlined) and (
            name in own.unit.main.globals or name in own.unit.main.cells
        )

    @property
    def parameters(self) -> list[str]:
        """The names of what it is given."""
        own = self.function
        if isinstance(own, FunctionType):
            found = parameters(form_of(own).tree.args)
        else:
            found = [*own.parameters]
        for _ in range(sum(step.seeds for step in self.inner)):
            found.append(seed_for(found))
        return found


def seed_for(taken: list[str]) -> str:
    """What a further parameter is called that is a seed."""
    found = "seed"
    while found in taken:
        found += "_"
    return found


class Symbols:
    """Sizes under names of their own: calls that agree on what is equal share a function. general:
    nothing is known of them.
    """

    def __init__(self, general: bool = False) -> None:
        self.own: dict[Dim, Dim] = {}
        self.general = general

    def canonical(self, kind: Kind) -> Kind:
        """The kind as the callee sees it."""
        if isinstance(kind, Record):
            return Record(kind.cls, kind.keys, tuple(map(self.canonical, kind.items)))
        if not isinstance(kind, Array):
            return forget_values(kind)
        return Array(kind.dtype, tuple(map(self.size, kind.shape)))

    def size(self, size: Size) -> Size:
        if self.general:
            return None
        if not isinstance(size, Dim):
            return size
        least = max(0, size.least - size.offset)
        return self.own.setdefault(size, Dim(f"n{len(self.own)}", least))

    def back(self, kind: Kind) -> Kind:
        """The kind of a result as the caller sees it."""
        if isinstance(kind, Record):
            return Record(kind.cls, kind.keys, tuple(map(self.back, kind.items)))
        if not isinstance(kind, Array):
            return forget_values(kind)
        outer = {own: size for size, own in self.own.items()}
        shape = [outer.get(size) if isinstance(size, Dim) else size for size in kind.shape]
        return Array(kind.dtype, tuple(shape))


def standing(
    expressions: Expressions, target: FunctionType, arguments: dict[str, Entry]
) -> Value | None:
    """The result of a call that stays a call; None if it is to be inlined."""
    unit = expressions.unit
    places = called_from(expressions, target)
    if places < 2 or target.__closure__ or not all(map(is_plain, arguments.values())):
        return None
    values = [value for value in arguments.values() if isinstance(value, Value)]
    symbols = Symbols()
    callee = Callee(target, tuple(symbols.canonical(value.kind) for value in values))
    kind, worth = known_alone(unit, callee)[:2]
    if kind is None or worth * (places - 1) < WORTH or unit.doors.whole:
        return None
    unit.elsewhere += unit.reads[callee]
    name = unit.references.use(title_of(target), target)
    return stays(expressions, callee, name, values, symbols.back(kind))


def stays(
    expressions: Expressions, callee: Callee, name: str, values: list[Value], kind: Kind
) -> Value:
    """The result of a call that stays one. name: the reference to what is called."""
    operands = [expressions.loaded(value) for value in values]
    result = Value(callee.name, kind)
    op = Call(callee, name, operands, [result])
    op.raises = True
    known = expressions.unit.standing.get(callee)
    op.laid_out = known is not None and known.laid_out
    expressions.builder.add(op)
    return result


class Alone(NamedTuple):
    """A function that is lowered by itself: the kind of what it returns, None if it cannot stay;
    its operations, counted; the kind of what it returns, None if that is not known; whether that
    may be memory of others; whether memory order matters in it.
    """

    kind: Kind | None
    worth: int
    gives: Kind | None = None
    lends: bool = True
    laid_out: bool = False


def known_alone(unit: Unit, callee: Callee) -> Alone:
    """What `alone` says of a function that is lowered by itself."""
    if callee not in unit.standing:
        try:
            doors = unit.doors._replace(left=None)  # else it is inlined
            made = doors.lower(callee.function, callee.kinds, doors, calls=unit.calls)
        except NotYet:
            found = unit.standing[callee] = Alone(None, 0)
            return found
        unit.standing[callee] = alone(made)
        unit.reads[callee] = outside(unit, made)
        unit.fixed |= made.fixed
        unit.found = made.found | unit.found
        unit.members.update(made.members)
    known: Alone = unit.standing[callee]
    return known


def by_body(
    expressions: Expressions, target: FunctionType, arguments: dict[str, Entry]
) -> tuple[Kind | None, bool]:
    """The kind of what a function with a rule of the user's gives, if that is known, and whether it
    may be memory of others.
    """
    if target.__closure__:
        return None, True
    symbols = Symbols()
    try:
        kinds = [kind_given(expressions, entry) for entry in arguments.values()]
        callee = Callee(target, tuple(map(symbols.canonical, kinds)))
        found = known_alone(expressions.unit, callee)
    except (AutodiffError, NotYet, Unseen):  # Python that is not taken
        return None, True
    return None if found.gives is None else symbols.back(found.gives), found.lends


def alone(unit: Unit) -> Alone:
    """What is known of a function that was lowered by itself."""
    kind, worth = kind_of(unit)
    given = None if unit.exposed else structured(unit.function.result)
    return Alone(kind, worth, given, kind is None, order_matters(unit.function))


def structured(result: object) -> Kind | None:
    """The kind of numbers, arrays and written out containers of these; None for others."""
    if isinstance(result, Value) and is_plain(result):
        return result.kind
    if not isinstance(result, Built) or result.cls not in (tuple, list, dict):
        return None
    kinds = [structured(item) for item in result.items]
    known = tuple(kind for kind in kinds if kind is not None)
    return Record(result.cls, result.keys, known) if known and len(known) == len(kinds) else None


def kind_of(unit: Unit) -> tuple[Kind | None, int]:
    """The kind of what a function returns, None if it cannot stay; and its operations, counted."""
    function = unit.function
    result = function.result
    operations = [op for op in function.body.walk() if isinstance(op, Apply)]
    given = regions_given(function)
    if unit.exposed or any(map(is_world, function.body.walk())):
        return None, 0
    if not isinstance(result, Value) or not isinstance(result.kind, (Array, Scalar)):
        return None, 0
    if any(region is not None and region.written for region in given):
        return None, 0
    if result.region is not None and result.region in given or result.is_constant:
        return None, 0
    if any(op.primitive.lending and op.result.region is result.region for op in operations):
        return None, 0
    return result.kind, len(operations)


def regions_given(function: Function) -> set[Region | None]:
    """The memory of what a function is given, and of what it reads from outside."""
    given = {value.region for value in function.body.parameters}
    return given | {op.result.region for op in function.body.walk() if isinstance(op, LoadOuter)}


def outside(unit: Unit, callee: Unit) -> list[LoadOuter]:
    """The arrays of outside that a function reads which stays a function."""
    for path, held in (callee.objects | callee.remote).items():
        is_ours = callee.main.globals is unit.main.globals and not path.startswith(MARK)
        unit.remote[path if is_ours else unit.references.use(type(held).__name__, held)] = held
    loads = (op for op in callee.function.body.walk() if isinstance(op, LoadOuter))
    found = [op for op in loads if op.object is not None]
    unit.free |= callee.free if callee.main.globals is unit.main.globals else set()
    return [*found, *callee.elsewhere]


def is_plain(entry: Entry) -> bool:
    """Whether an argument is a number or an array."""
    return isinstance(entry, Value) and isinstance(entry.kind, (Array, Scalar))


def called_from(expressions: Expressions, target: FunctionType) -> int:
    """From how many places of the function at hand a function is called."""
    tree = expressions.frame.tree
    found = expressions.unit.places.get(id(tree))
    if found is None:
        called = (node.func for node in gast.walk(tree) if isinstance(node, gast.Call))
        names = (node for node in called if isinstance(node, (gast.Name, gast.Attribute)))
        meant = map(expressions.static, names)
        found = Counter(id(own) for own in meant if isinstance(own, FunctionType))
        expressions.unit.places[id(tree)] = found
    return found[id(target)]
