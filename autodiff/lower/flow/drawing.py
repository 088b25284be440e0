"""Loops over what gives its items one after the other: iterators, generators, containers whose
parts differ. Containers whose parts are known are written out; others become loops over ranges.
"""

from __future__ import annotations

from types import FunctionType

import gast

from autodiff.core import Again, Append, NotYet, Operation, Take, Value
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Scalar
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.entry import Box, DictView, Entry, Mixed, Outer, Pack
from autodiff.lower.entries.library import iterator_of, leaves_of, method, sources_of
from autodiff.lower.entries.listings import is_empty
from autodiff.lower.entries.lists import is_named, memory_of
from autodiff.lower.flow import generators
from autodiff.lower.flow.heap import Mark, moved, snapshot
from autodiff.lower.flow.peeled import ending
from autodiff.lower.flow.rekeyed import check_untried, rekeys
from autodiff.lower.recipes.iterators import Iterator, OfDict, Span
from autodiff.normalize.build import at, negated
from autodiff.primitives.opaque import is_opaque
from autodiff.syntax.names import name

_MOST = 64
"""So many items are written out."""
_SHORT = 12
"""So many numbers and arrays are written out, of which a list could be made as well."""


def draw(statements: Statements, node: gast.For) -> None:
    """`for` over what is no range."""
    over(statements, node, statements.entry(node.iter))


def over(statements: Statements, node: gast.For, entry: Entry) -> None:
    """`for` over an entry."""
    memory = memory_of(entry) if isinstance(entry, Box) else None
    if entry == Pack(()) or memory is not None and is_empty(statements.unit, memory):
        return
    if isinstance(entry, generators.Suspended):
        generators.run(statements, node, entry)
    elif isinstance(entry, Box) and issubclass(entry.cls, Iterator):
        leaves = leaves_of(entry)
        shared = leaves is not None and len(set(map(id, leaves))) < len(leaves)
        if leaves is None or shared and not has_parts(statements, leaves):
            each = class_attribute(entry.cls, "each")
            assert isinstance(each, FunctionType)
            generators.consumed(statements, node, generators.text(statements, each, entry))
        elif has_parts(statements, leaves) or all(map(is_short, leaves)):
            if not all(map(is_placed, leaves)):
                raise NotYet("an iterator over parts at a place that is found at run time")
            unroll(statements, node, entry, 0)
        else:
            counted(statements, node, entry, leaves)
    elif is_opaque(entry):
        generators.consumed(statements, node, generators.text(statements, given, entry))
    else:
        stepping = generators.stepwise(statements, entry)
        if stepping is not None:
            generators.consumed(statements, node, stepping)
        else:
            over(statements, node, iterator_of(statements, entry))


def given(iterable):  # type: ignore[no-untyped-def]
    """What something gives of which nothing is known."""
    iterator = iter(iterable)
    item = next(iterator, iterator)
    while item is not iterator:
        yield item
        item = next(iterator, iterator)


def has_parts(statements: Statements, leaves: list[Box]) -> bool:
    """Whether one of the iterators goes over parts that no list of numbers or arrays can hold."""
    found = [leaf.slots["items"] for leaf in leaves if _has_parts(leaf)]
    names = statements.unit.doors.names
    if names is not None:
        names.update(["items"] if any(map(is_of_texts, found)) else [])
        return bool(found)
    return not all(map(is_of_texts, found))


def is_of_texts(entry: Entry) -> bool:
    """Whether a list or tuple holds texts that are known, and nothing else."""
    if isinstance(entry, Pack):
        return all(map(is_named, entry.items))
    return isinstance(entry, Box) and bool(entry.slots) and all(map(is_named, entry.slots.values()))


def _has_parts(leaf: Box) -> bool:
    items = leaf.slots.get("items")
    if isinstance(items, Box) and "keys" in items.slots:  # of the values of a dict
        items = items.slots["keys"]
    if not isinstance(items, Box):
        return isinstance(items, (Pack, DictView, Outer))
    if items.cls is not list or memory_of(items) is not None:
        return False
    return not items.slots or not all(
        isinstance(part, Value) and isinstance(part.kind, (Array, Scalar)) and not part.is_constant
        for part in items.slots.values()
    )


def is_short(leaf: Box) -> bool:
    """Whether an iterator goes over a few parts that are known."""
    items = leaf.slots.get("items")
    known = isinstance(items, Box) and items.cls is list and memory_of(items) is None
    return known and is_placed(leaf) and len(items.slots) <= _SHORT  # type: ignore[union-attr]


def is_placed(leaf: Box) -> bool:
    """Whether it is known while compiling where an iterator is."""
    at = place(leaf)
    return not isinstance(at, Mixed) and (not isinstance(at, Value) or at.is_constant)


# A range -----------------------------------------------------------------------------------------


def counted_items(iterator):  # type: ignore[no-untyped-def]
    """The loop over an iterator of which the number of items is known before."""
    iterator.start()
    for k in range(iterator.left()):
        yield iterator.ahead(k)


def drawn_items(iterator):  # type: ignore[no-untyped-def]
    """The loop over an iterator that others draw from as well."""
    while iterator.more():
        yield iterator.take()


def counted(statements: Statements, node: gast.For, entry: Box, leaves: list[Box]) -> None:
    """A loop over a range; one that asks each time if its body draws from the iterator, too."""
    mark = Mark(statements.frame)
    unit = statements.unit
    known = unit.watched.get(id(node))
    if known is None:
        known = unit.watched[id(node)] = (node, *watched(node))
    _, loop, watching = known
    watching.leaves = leaves
    lists = [leaf.slots.get("items") for leaf in leaves]
    try:
        text = generators.text(statements, counted_items, entry)
        generators.consumed(statements, loop, text)
        made = mark.builder.block.operations[mark.count :]
        if any(isinstance(box, Box) and box.cls is list and grows(made, box) for box in lists):
            raise watching.refusal()
        if any(rekeys(made, leaf.slots["table"]) for leaf in leaves if leaf.cls is OfDict):
            check_untried(node)
            raise watching.refusal()
    except Again as again:
        if again.whose is not watching:
            raise
        mark.back()
        if all(is_span(leaf) for leaf in leaves):
            unroll(statements, node, entry, 0)
        else:
            text = generators.text(statements, drawn_items, entry)
            generators.consumed(statements, node, text)
        return
    for leaf in leaves[:-1]:
        leaf.slots["at"] = Mixed("an iterator that zip has left")


def watched(node: gast.For) -> tuple[gast.For, Watch]:
    """The loop with its body watched."""
    watching = Watch()
    body, _ = ending(node.body)
    inner = [watching, *body, Watch(watching), *node.body[len(body) :]]
    made = gast.For(node.target, node.iter, inner, [], None)
    at(made, getattr(node, "origin", None))
    return made, watching


class Watch(gast.Pass):  # type: ignore[misc]
    """Before the body of a loop: where the iterators are. Behind it: they are still there."""

    def __init__(self, before: Watch | None = None) -> None:
        super().__init__()
        self.before = before
        self.leaves: list[Box] = []
        self.places: list[Entry | None] = []

    def refusal(self) -> Again:
        """What is raised where the body draws from an iterator, or a list has another length."""
        return Again("a loop that draws from its own iterator", self)


def watch(node: Watch) -> None:
    """Nobody moves the iterators between the two."""
    first = node.before or node
    places = [place(leaf) for leaf in first.leaves]
    if node is first:
        node.places = places
    elif places != first.places:
        raise first.refusal()


def place(leaf: Box) -> Entry | None:
    """Where an iterator without a source is."""
    return leaf.slots.get("at", leaf.slots.get("following"))


def grows(operations: list[Operation], box: Box) -> bool:
    """Whether operations change the length of a container that is memory."""
    memory = memory_of(box)
    return memory is not None and any(
        isinstance(each, (Append, Take)) and each.base.region is memory.region
        for op in operations
        for each in op.nested()
    )


def is_span(leaf: Box) -> bool:
    """Whether an iterator goes over a short range that is known."""
    items = leaf.slots.get("items")
    if not isinstance(items, Box) or items.cls is not Span:
        return False
    ends = [items.slots[key] for key in ("first", "stop", "step")]
    bounds = [end.constant for end in ends if isinstance(end, Value)]
    return all(type(b) is int for b in bounds) and len(range(*bounds)) <= _SHORT


# Written out -------------------------------------------------------------------------------------


class Rest(gast.For):  # type: ignore[misc]
    """What is left of a loop that is written out."""

    def __init__(self, node: gast.For, iterator: Box, count: int, taking: bool) -> None:
        super().__init__(node.target, gast.Constant(None, None), node.body, [], None)
        self.iterator, self.count, self.taking = iterator, count, taking
        self.origin = getattr(node, "origin", None)


def unroll(statements: Statements, node: gast.For, iterator: Box, count: int) -> None:
    """The iterations one after the other; what follows a break stands in a branch."""
    if count > _MOST:
        raise NotYet("a long loop that is written out")
    mark, before = Mark(statements.frame), snapshot(statements.frame)
    more = method(statements, iterator, "more")
    if not isinstance(more, Value):
        raise NotYet("an iterator that may have no more items")
    if more.is_constant:
        if more.constant:
            step(statements, Rest(node, iterator, count, True))
        return
    each = class_attribute(iterator.cls, "each")
    takes = sources_of(iterator) and moved(before, snapshot(statements.frame))
    if takes and isinstance(each, FunctionType):  # what was taken differs by whether there was more
        mark.back()
        text = generators.text(statements, each, iterator)
        generators.consumed(statements, Rest(node, iterator, count, True), text)
        return
    leaves = leaves_of(iterator)
    if leaves and count and not has_parts(statements, leaves):  # where it is, is not known any more
        text = generators.text(statements, drawn_items, iterator)
        generators.consumed(statements, Rest(node, iterator, count, True), text)
        return
    if count > _SHORT:
        raise NotYet("a long loop that is written out")
    own = statements.frame.temporary("more")
    statements.frame.names[own] = more
    rest = Rest(node, iterator, count, True)
    statements.on_If(at(gast.If(test=name(own), body=[rest], orelse=[]), rest.origin))


def step(statements: Statements, node: Rest) -> None:
    """One iteration, and the others."""
    if not node.taking:
        unroll(statements, node, node.iterator, node.count)
        return
    statements.bind(node.target, method(statements, node.iterator, "take"))
    body, leaves = ending(node.body)
    statements.block(body)
    rest = Rest(node, node.iterator, node.count + 1, False)
    if leaves is None:
        step(statements, rest)
    else:
        statements.on_If(at(gast.If(negated(leaves), [rest], []), node.origin))
