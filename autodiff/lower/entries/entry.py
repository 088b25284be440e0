"""What a variable holds while a function is lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakSet

from autodiff.core import Again, NotYet, Value, constant
from autodiff.lower.entries.above import Frame
from autodiff.lower.entries.unlike import by_path


@dataclass(frozen=True, slots=True)
class Pack:
    """A tuple, or a namedtuple: it cannot change, so it is its parts; limits of a slice, `*xs`."""

    items: tuple[Entry, ...]
    cls: type = tuple


class _Memory:
    """The one key of a box that has become memory."""

    def __repr__(self) -> str:
        return "memory"


MEMORY: Any = _Memory()


class Box:
    """A list, dict or object of which all parts are known: a place for each of them. Or one that is
    memory: one value, whose parts are found at run time; a tuple of unknown length is a list there.

    It has an identity: who stores into it changes it for all that hold it. `given`: the argument,
    or the object of outside, that it was in the beginning. stored: a part of it was replaced. hint:
    what it is called. view: its attributes as a dict; False if some may be those of its class.
    """

    __slots__ = ("cls", "given", "hint", "slots", "stored", "view")

    def __init__(
        self, cls: type, slots: dict[Any, Entry], given: Value | None = None, hint: str = ""
    ) -> None:
        self.cls, self.slots, self.given, self.hint = cls, slots, given, hint
        self.stored = False
        self.view: Box | bool | None = None

    @property
    def indexed(self) -> bool:
        """Whether parts are reached by `box[key]`."""
        return issubclass(self.cls, (list, dict, tuple))

    @property
    def memory(self) -> Value | None:
        """The container that it has become, None if it still is its parts."""
        found = self.slots.get(MEMORY)
        return found if isinstance(found, Value) else None


def known_keys(box: Box) -> list[Entry]:
    """The keys of a dict that are known: an object that is compared by identity is one itself."""
    return [key if isinstance(key, Box) else constant(key) for key in box.slots]


@dataclass(frozen=True, slots=True)
class DictView:
    """`d.keys()`, `d.values()`, `d.items()`: what the dict holds when it is asked."""

    box: Box
    what: str

    @property
    def cls(self) -> type:
        """Its class."""
        return type(getattr({}, self.what)())

    @property
    def items(self) -> tuple[Entry, ...]:
        """What it gives now."""
        if self.box.memory is not None:
            raise NotYet("the items of a dict that is memory")
        if self.what == "values":
            return tuple(self.box.slots.values())
        keys = known_keys(self.box)
        if self.what == "keys":
            return tuple(keys)
        return tuple(Pack((key, item)) for key, item in zip(keys, self.box.slots.values()))


@dataclass(frozen=True, slots=True)
class Closure:
    """A function defined inside: its definition, the frame whose variables it reads, and what
    parameters are that a call leaves out, evaluated where it is defined. origin: of the statement
    that a lambda stands in.
    """

    node: Any
    frame: Frame
    defaults: tuple[tuple[str, Entry], ...] = ()
    origin: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Bound:
    """A function with its first arguments given."""

    function: Entry
    arguments: tuple[Entry, ...]
    keywords: tuple[tuple[str, Entry], ...] = ()


@dataclass(frozen=True, slots=True)
class Own:
    """A method of a builtin class, by its name: what it is called with begins with whose it is."""

    name: str


def own_method(receiver: Entry, name: str) -> Bound:
    """`xs.append`, `x.sum`, of what is asked when that is called."""
    return Bound(constant(Own(name)), (receiver,))


@dataclass(frozen=True, slots=True, eq=False)
class Outer:
    """An object of outside that is no number, array or function: it is read part by part."""

    object: Any
    path: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outer) and self.object is other.object

    def __hash__(self) -> int:
        return id(self.object)

    @property
    def cls(self) -> type:
        """Its class."""
        return type(self.object)


@dataclass(frozen=True, slots=True)
class Unbound:
    """A variable that holds nothing."""


@dataclass(frozen=True, slots=True)
class Maybe:
    """A variable that holds nothing on some paths, and on the others what `entry` says."""

    entry: Entry


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """A variable that holds things of different forms on different paths: `one` where `test` is
    true, and `other` where it is not. No test: nobody can tell which. `loop`: before one, and at
    the end of its body. `node`: the expression that gave it.
    """

    reason: str
    test: Value | None = None
    one: Entry = Unbound()
    other: Entry = Unbound()
    loop: Any = None
    node: Any = None

    def refusal(self) -> NotYet:
        """What reading it raises."""
        whose = self.loop if self.test is None else self.test
        return by_path(self.reason) if whose is None else Again(self.reason, whose, self.node)


@dataclass(frozen=True, slots=True)
class Stale:
    """What an earlier iteration left in a variable that its loop does not carry, and what it looks
    like if that is known.
    """

    loop: Any
    name: str
    entry: Entry | None = None

    def refusal(self) -> NotYet:
        """What reading it raises."""
        return Again("a variable that an earlier iteration leaves", self)


Entry = Value | Pack | Box | DictView | Outer | Closure | Bound | Unbound | Maybe | Mixed | Stale
Entries = list[Entry]
Keywords = list[tuple[str, Entry]]
Given = tuple[Entries, Keywords]


INSIDE: WeakSet[type] = WeakSet()
"""The classes that functions define inside: nobody else sees them, and nobody changes them."""


def is_inside(value: Any) -> bool:
    """Whether something is a class that is defined inside."""
    return isinstance(value, type) and value in INSIDE


def inner(entry: Entry) -> tuple[Entry, ...]:
    """What an entry holds, or is made of."""
    if isinstance(entry, Pack):
        return entry.items
    if isinstance(entry, Box):
        return tuple(entry.slots.values())
    if isinstance(entry, Bound):
        return (entry.function, *entry.arguments, *(part for _, part in entry.keywords))
    if isinstance(entry, Closure):
        return tuple(part for _, part in entry.defaults)
    if isinstance(entry, Mixed):
        return entry.one, entry.other
    if isinstance(entry, DictView):
        return (entry.box,)
    return (entry.entry,) if isinstance(entry, Maybe) else ()


def mapped(entry: Entry, change: Callable[[Entry], Entry]) -> Entry:
    """An entry of other parts; a box, and what looks at one, is what it was."""
    if isinstance(entry, Pack):
        return Pack(tuple(map(change, entry.items)), entry.cls)
    if isinstance(entry, Maybe):
        return Maybe(change(entry.entry))
    if isinstance(entry, Bound):
        function, *arguments = map(change, (entry.function, *entry.arguments))
        named = tuple((key, change(part)) for key, part in entry.keywords)
        return Bound(function, tuple(arguments), named)
    if isinstance(entry, Closure):
        defaults = tuple((key, change(part)) for key, part in entry.defaults)
        return replace(entry, defaults=defaults)
    return entry


def is_memory(box: Box) -> bool:
    """Whether a container has become memory."""
    return box.memory is not None


def leaves(entry: Entry, opened: Callable[[Box], bool] = is_memory) -> Iterator[Value]:
    """The values in an entry. opened: the containers of which they are those of the parts."""
    if isinstance(entry, Value):
        yield entry
    elif isinstance(entry, (Pack, Maybe)) or isinstance(entry, Box) and opened(entry):
        for part in inner(entry):
            yield from leaves(part, opened)
    elif isinstance(entry, (Mixed, Stale)):
        raise entry.refusal()
    elif isinstance(entry, Unbound):
        raise NotYet("a variable without a value")


def rebuilt(entry: Entry, values: Iterator[Value]) -> Entry:
    """The entry with other values in it."""
    if isinstance(entry, Value):
        return next(values)
    if isinstance(entry, Box) and entry.memory is not None:
        return Box(entry.cls, {MEMORY: next(values)}, None, entry.hint)
    if isinstance(entry, (Pack, Maybe)):
        return mapped(entry, lambda part: rebuilt(part, values))
    return entry


def bound(entry: Entry) -> Entry:
    """The entry where it is known that there is one."""
    return entry.entry if isinstance(entry, Maybe) else entry


def are_memory(one: Box, other: Box) -> bool:
    """Whether two containers have become memory."""
    return one.memory is not None and other.memory is not None


def are_values(one: Value, other: Value) -> bool:
    """Two values are alike, of whatever kinds."""
    return True


def alike(
    one: Entry,
    other: Entry,
    boxes: Callable[[Box, Box], bool] = are_memory,
    values: Callable[[Value, Value], bool] = are_values,
) -> bool:
    """Whether two entries differ in values alone. boxes, values: whether two such are alike."""
    if isinstance(one, Value) and isinstance(other, Value):
        return values(one, other)
    if isinstance(one, Pack) and isinstance(other, Pack):
        if one.cls is not other.cls or len(one.items) != len(other.items):
            return False
        return all(alike(*pair, boxes, values) for pair in zip(one.items, other.items))
    if isinstance(one, Box) and isinstance(other, Box) and one is not other:
        return one.cls is other.cls and boxes(one, other)
    return one == other and type(one) is type(other)
