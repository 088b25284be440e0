"""Iterators of Python's as objects of ours: `iter`, `next`, `map`, `zip`, `itertools` ..."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Static
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Apply
from autodiff.core.value import Value, constant
from autodiff.lower import boxes, recipes
from autodiff.lower.entry import Box, DictView, Entry, Outer, Pack
from autodiff.lower.iterators import (
    Backwards,
    Counting,
    Filtered,
    Items,
    Iterator,
    Mapped,
    Repeating,
    Span,
    Spread,
    Zipped,
)

if TYPE_CHECKING:
    from autodiff.lower.arguments import Arguments
    from autodiff.lower.expressions import Expressions

Named = list[tuple[str, Entry]]
_MOST = 64
"""So many tuples of parts are made while compiling."""


class Drawn(Exception):
    """A loop over places turns out to be one over an iterator: its function is read again, and the
    loop stays as it is.
    """

    def __init__(self, origin: Any) -> None:
        super().__init__(origin)
        self.origin = origin


def drawable(expressions: Expressions, entry: Entry) -> bool:
    """Whether a loop over an entry has to draw its items, as these cannot be asked for by number."""
    if isinstance(entry, Value):
        return isinstance(entry.constant, str)
    if isinstance(entry, Box):
        return not entry.indexed or entry.cls not in (list, dict)
    if isinstance(entry, Outer):
        return boxes.special(expressions, entry, "__iter__") is not None
    return False


def is_iterator(entry: Entry) -> bool:
    """Whether an entry is an iterator of ours."""
    return isinstance(entry, Box) and issubclass(entry.cls, Iterator)


def called(expressions: Expressions, function: Any, positional: list[Entry], named: Any) -> Entry:
    """A call of a function or class of ours."""
    if isinstance(function, type):
        box = boxes.boxed(expressions.unit, function, {}, function.__name__.lower())
        init = class_attribute(function, "__init__")
        expressions.unit.doors.inlined(expressions, init, [box, *positional], named)
        return box
    found: Entry = expressions.unit.doors.inlined(expressions, function, positional, named)
    return found


def method(expressions: Expressions, box: Box, name: str) -> Entry:
    """What a method of an iterator gives."""
    found = class_attribute(box.cls, name)
    if not isinstance(found, FunctionType):
        raise NotYet("an iterator that is asked for one item")
    return called(expressions, found, [box], [])


def sources_of(box: Box) -> list[Entry]:
    """The iterators that an iterator draws from."""
    many = box.slots.get("sources")
    if isinstance(many, Pack):
        return list(many.items)
    own = box.slots.get("source")
    return [] if own is None else [own]


def leaves_of(box: Entry) -> list[Box] | None:
    """The iterators without a source from which one draws in the end; None if the number of its
    items is not known before.
    """
    found = _leaves(box)
    if found is None or all(leaf.cls is Counting for leaf in found):
        return None
    return found


def _leaves(box: Entry) -> list[Box] | None:
    if not isinstance(box, Box) or not getattr(box.cls, "counted", False):
        return None
    if box.cls is Repeating:
        return []
    if "source" not in box.slots and "sources" not in box.slots:
        return [box]
    found: list[Box] = []
    for source in sources_of(box):
        leaves = _leaves(source)
        if leaves is None:
            return None
        found += leaves
    return found


def iterator_of(expressions: Expressions, entry: Entry) -> Entry:
    """`iter(x)`."""
    if is_iterator(entry):
        return entry
    own = boxes.special(expressions, entry, "__iter__")
    if own is not None:
        made = expressions.unit.doors.inlined(expressions, own, [entry], [])
        if isinstance(made, Box) and (is_iterator(made) or made is not entry):
            return made
        if made is entry and boxes.special(expressions, entry, "__next__") is not None:
            return entry
        raise NotYet("an iterator of the user's")
    return called(expressions, Items, [indexed(expressions, entry)], [])


def indexed(expressions: Expressions, entry: Entry) -> Entry:
    """What has a length and items by position, as iterating over an entry gives them."""
    if isinstance(entry, Value):
        if isinstance(entry.constant, (str, tuple)):
            return Pack(tuple(map(constant, entry.constant)))
        span = spanned(expressions, entry)
        if span is not None:
            return span
        if isinstance(entry.kind, Static) or entry.is_constant:
            raise NotYet("items of an object")
        return entry
    if isinstance(entry, Box) and entry.cls is dict:
        return DictView(entry, "keys")
    if isinstance(entry, Box) and entry.cls is not list and entry.cls is not Span:
        raise NotYet("an iterator of the user's")
    if isinstance(entry, Outer):
        return Pack(tuple(expressions.parts(entry)))
    if isinstance(entry, (Pack, Box, DictView)):
        return entry
    raise NotYet("items of a function")


def spanned(expressions: Expressions, value: Value) -> Entry | None:
    """A range as an object whose items are asked for by position; None for what is no range."""
    op = value.op
    if not isinstance(op, Apply) or op.primitive.function is not range:
        return None
    form = op.form
    assert isinstance(form, gast.Call)
    ends: list[Entry] = []
    for argument in form.args:
        if isinstance(argument, gast.Name) and argument.id[0].isdigit():
            ends.append(op.operands[int(argument.id)])
        elif isinstance(argument, gast.Constant):
            ends.append(constant(argument.value))
        elif isinstance(argument, gast.UnaryOp) and isinstance(argument.operand, gast.Constant):
            ends.append(constant(-argument.operand.value))
        else:
            raise NotYet("a range of another form")
    if len(ends) == 1:
        ends.insert(0, constant(0))
    if len(ends) == 2:
        ends.append(constant(1))
    return called(expressions, Span, ends, [])


def parts_of(expressions: Expressions, entry: Entry) -> Entry:
    """An iterator as the list of its items; what is none as it is."""
    if not is_iterator(entry):
        return entry
    return called(expressions, recipes.listed, [entry], [])


def standing_for(expressions: Expressions, target: Any, arguments: Arguments) -> Entry | None:
    """What a function that makes iterators gives, or one that is given one; None for others."""
    positional, named = arguments.positional, arguments.named
    special = SPECIAL.get(target) if _is_hashable(target) else None
    if special is not None:
        return special(expressions, positional, named)
    if not _is_hashable(target):
        return None
    ours = recipes.DIRECT.get(target) or recipes.COUNTED.get((target, len(positional)))
    if ours is not None:
        return called(expressions, ours, positional, named)
    if not positional or not is_iterator(positional[0]):
        return None
    if target in recipes.OVER_ITEMS:
        return called(expressions, recipes.OVER_ITEMS[target], positional, named)
    if target in recipes.OVER_LISTS:
        positional[0] = parts_of(expressions, positional[0])
    return None


def _is_hashable(target: Any) -> bool:
    return isinstance(target, type) or callable(target) and type(target).__hash__ is not None


# What depends on what is given ---------------------------------------------------------------------

Maker = Callable[["Expressions", list[Entry], Named], Entry]


def iterating(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`iter(x)`."""
    if len(given) != 1:
        raise NotYet("iter of a function")
    return iterator_of(expressions, given[0])


def following(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`next(it)`, `next(it, default)`."""
    own = boxes.special(expressions, given[0], "__next__")
    if own is None:
        raise NotYet("next of another object")
    if len(given) == 1:
        return called(expressions, own, given, [])
    if not is_iterator(given[0]):
        raise NotYet("next of another object")
    return called(expressions, recipes.next_or, given, [])


def backwards(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`reversed(xs)`."""
    if boxes.special(expressions, given[0], "__reversed__") is not None:
        raise NotYet("an iterator of the user's")
    return called(expressions, Backwards, [indexed(expressions, given[0])], [])


def mapped(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`map(f, xs, ys)`."""
    function, *sources = given
    if len(sources) == 1:
        return called(expressions, Mapped, given, [])
    rows = zipped(expressions, sources, [])
    return called(expressions, Spread, [function, rows], [])


def zipped(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`zip(xs, ys)`."""
    for key, value in named:
        if key != "strict" or not isinstance(value, Value) or value.constant is not False:
            raise NotYet("zip of what is checked to be equally long")
    if not given:
        return called(expressions, Items, [Pack(())], [])
    return called(expressions, Zipped, given, [])


def accumulating(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`itertools.accumulate(xs, f, initial=a)`."""
    by_name = dict(named)
    initial = by_name.pop("initial", None)
    function = by_name.pop("func", given[1] if len(given) > 1 else None)
    if by_name:
        raise NotYet("a call that does not fit")
    own = [] if function is None or _is_none(function) else [function]
    if initial is None or _is_none(initial):
        return called(expressions, recipes.accumulated, [given[0], *own], [])
    if not own:
        return called(expressions, recipes.accumulated_from_sum, [given[0], initial], [])
    return called(expressions, recipes.accumulated_from, [given[0], *own, initial], [])


def _is_none(entry: Entry) -> bool:
    return isinstance(entry, Value) and entry.is_constant and entry.constant is None


def filtering(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`filter(f, xs)`."""
    function, items = given
    if _is_none(function):
        return called(expressions, recipes.truthy, [items], [])
    return called(expressions, Filtered, given, [])


def pooled(expressions: Expressions, entry: Entry) -> Entry:
    """What functions make a tuple of before they begin."""
    return indexed(expressions, parts_of(expressions, entry))


def known(expressions: Expressions, entry: Entry) -> list[Entry] | None:
    """The parts of a pool that is known, None if they are to be found by position."""
    if isinstance(entry, Pack):
        return list(entry.items)
    if isinstance(entry, DictView):
        return list(entry.items)
    return None


def choosing(chosen: Callable[..., Any], by_index: Callable[[int], Any]) -> Maker:
    """`combinations`, `permutations`: of known parts while compiling, else by positions."""

    def made(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
        pool = pooled(expressions, given[0])
        number = given[1] if len(given) > 1 else dict(named).get("r", constant(None))
        count = number.constant if isinstance(number, Value) else ...
        if not isinstance(count, int) and count is not None:
            raise NotYet("combinations of a number that is found at run time")
        parts = known(expressions, pool)
        recipe = by_index(count) if count is not None else None
        if parts is None and recipe is None:
            parts = expressions.listed(pool)
        if parts is not None:
            rows = itertools.islice(chosen(parts, count or len(parts)), _MOST + 1)
            found = [Pack(row) for row in rows]
            if len(found) > _MOST:
                raise NotYet("many combinations")
            return called(expressions, Items, [Pack(tuple(found))], [])
        if recipe is None:
            raise NotYet(f"combinations of {count}")
        return called(expressions, recipe, [pool], [])

    return made


def product(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
    """`itertools.product(xs, ys)`."""
    times = dict(named).get("repeat", constant(1))
    if not isinstance(times, Value) or type(times.constant) is not int:
        raise NotYet("a product of a number that is found at run time")
    pools = [pooled(expressions, entry) for entry in given] * times.constant
    parts = [known(expressions, pool) for pool in pools]
    if all(part is not None for part in parts):
        rows = [Pack(row) for row in itertools.islice(itertools.product(*parts), _MOST + 1)]  # type: ignore[arg-type]
        if len(rows) > _MOST:
            raise NotYet("many combinations")
        return called(expressions, Items, [Pack(tuple(rows))], [])
    recipe = {2: recipes.grid, 3: recipes.grid_of_three}.get(len(pools))
    if recipe is None:
        raise NotYet("a product of many")
    return called(expressions, recipe, pools, [])


def by_position(recipe: Callable[..., Any]) -> Maker:
    """What goes over a pool by positions."""

    def made(expressions: Expressions, given: list[Entry], named: Named) -> Entry:
        return called(expressions, recipe, [pooled(expressions, given[0])], [])

    return made


SPECIAL: dict[Any, Maker] = {
    iter: iterating,
    next: following,
    zip: zipped,
    map: mapped,
    filter: filtering,
    reversed: backwards,
    itertools.accumulate: accumulating,
    itertools.combinations: choosing(
        itertools.combinations, {2: recipes.pairs, 3: recipes.triples}.get
    ),
    itertools.permutations: choosing(itertools.permutations, lambda count: None),
    itertools.product: product,
    itertools.cycle: by_position(recipes.cycled),
}
if hasattr(itertools, "pairwise"):
    SPECIAL[itertools.pairwise] = by_position(recipes.neighbours)
