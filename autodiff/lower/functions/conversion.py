"""Functions that are called as such with all that they need from around them: closure conversion.

    def total(lo, hi):                          def total_vjp(lo, hi, x, w):
        if hi - lo == 1:                            ...
            return x[lo] * w[lo]                    t, t_pullback = total_vjp(lo, mid, x, w)
        ...

What a function is given, and the variables around it that it reads, are taken apart: numbers and
arrays are its parameters, functions and the form of containers belong to what it is. Variables
around it cannot change while it runs, since nobody assigns them from inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from types import FunctionType
from typing import Any

from autodiff.core import Function, NotYet, References, Value
from autodiff.kinds.kind import Array, Scalar
from autodiff.loader import place_of
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.boxes import of_class
from autodiff.lower.entries.entry import Bound, Box, Closure, Entry, Pack, Unbound
from autodiff.lower.flow.doors import Doors
from autodiff.lower.flow.form import Form, form_inside, form_of
from autodiff.lower.flow.frame import Frame, Unit
from autodiff.lower.flow.generators import Suspended
from autodiff.syntax.names import captured, title_of
from autodiff.syntax.origin import origin_of

Leaf = Callable[[Any, str], Value]
"""What becomes of a number or an array with a name."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A function with the form of what it is given. key: what tells it from others.

    given: what its parameters hold; that and the variables around a closure are as they were when
    it was converted. parameters: the names of its numbers and arrays. changed: those of them that
    it gives back, behind what it returns. decided: what was decided where its kinds were found: so
    it is lowered again.
    """

    key: tuple[Any, ...]
    target: FunctionType | Closure = field(compare=False)
    given: dict[str, Entry] = field(compare=False)
    parameters: tuple[str, ...] = field(compare=False)
    origin: Any = field(compare=False)
    changed: tuple[str, ...] = ()
    decided: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """What it is called: a lambda has no name."""
        target = self.target
        return (
            title_of(target)
            if isinstance(target, FunctionType)
            else str(getattr(target.node, "name", "function"))
        )

    @property
    def place(self) -> str:
        """Where it stands in the user's file."""
        if isinstance(self.target, FunctionType):
            return place_of(self.target.__code__)
        return f"{PurePath(self.origin.file).name}:{self.origin.line}" if self.origin else ""

    def form(self, doors: Doors) -> Form:
        """Its tree without sugar."""
        if isinstance(self.target, FunctionType):
            return form_of(self.target, doors.drawing)
        origin = self.target.origin or self.origin
        return form_inside(self.target.node, {}, origin, doors.drawing)


class Copy:
    """Entries again, with other values in frames and containers of their own; always in the same
    order. parts: the form of all that was seen.
    """

    def __init__(self, unit: Unit, leaf: Leaf) -> None:
        self.unit, self.leaf = unit, leaf
        self.parts: list[Any] = []
        self.frames: dict[Frame, tuple[int, Frame]] = {}
        self.seen: set[tuple[Frame, str]] = set()
        self.boxes: dict[Box, tuple[Box, dict[Any, Entry]]] = {}
        self.names: dict[str, int] = {}

    def entry(self, entry: Entry, hint: str) -> Entry:
        """An entry again; NotYet for what cannot be taken apart."""
        if isinstance(entry, Value):
            return self.value(entry, hint)
        if isinstance(entry, Pack):
            self.parts += [entry.cls, len(entry.items)]
            items = [self.entry(item, f"{hint}_{k}") for k, item in enumerate(entry.items)]
            return Pack(tuple(items), entry.cls)
        if isinstance(entry, Box) and not isinstance(entry, Suspended) and entry.memory is None:
            return self.box(entry, hint)
        if isinstance(entry, Closure):
            self.parts += [Closure, entry.node]
            frame = self.around(entry.frame, entry.node)
            left = [(key, self.entry(part, key)) for key, part in entry.defaults]
            return Closure(entry.node, frame, tuple(left))
        if isinstance(entry, Bound):
            self.parts += [Bound, len(entry.arguments), *(key for key, _ in entry.keywords)]
            function = self.entry(entry.function, hint)
            given = [self.entry(part, f"{hint}_{k}") for k, part in enumerate(entry.arguments)]
            named = [(key, self.entry(part, key)) for key, part in entry.keywords]
            return Bound(function, tuple(given), tuple(named))
        raise NotYet("recursion")

    def value(self, value: Value, hint: str) -> Value:
        """A number or an array is a parameter; a function or a text is what it is."""
        if isinstance(value.kind, (Array, Scalar)) and not value.partial:
            self.parts.append(Value)
            return self.leaf(value, self.unlike(hint))
        if value.is_constant and (value.constant is None or isinstance(value.constant, str)):
            self.parts.append(value.constant)
            return value
        if value.is_constant and callable(value.constant):
            self.parts.append(value.constant)
            return of_class(self, value.constant)  # type: ignore[arg-type]
        raise NotYet("recursion")

    def unlike(self, hint: str) -> str:
        """A name for a parameter that no other one has."""
        count = self.names[hint] = self.names.get(hint, 0) + 1
        own = hint if hint.isidentifier() else "value"
        return own if count == 1 else f"{own}_{count}"

    def box(self, box: Box, hint: str) -> Box:
        """A container with the same parts, once."""
        if box in self.boxes:
            self.parts.append(list(self.boxes).index(box))
            return self.boxes[box][0]
        self.parts += [box.cls, *box.slots]
        made = Box(box.cls, {}, None, box.hint)
        slots: dict[Any, Entry] = {}
        self.boxes[box] = made, slots
        self.unit.boxes.append(made)
        for key, part in box.slots.items():
            slots[key] = self.entry(part, f"{hint}_{key}")
        made.slots = dict(slots)
        return made

    def around(self, frame: Frame, node: Any) -> Frame:
        """The frame around a function, with the variables that the function reads."""
        made = self.frame(frame)
        for name in sorted(captured(node)):
            holder = frame.holder(name)
            if is_alias(frame, name):
                raise NotYet("recursion")
            if holder is None or (holder, name) in self.seen:
                continue
            self.seen.add((holder, name))
            index, mirror = self.frames[holder]
            self.parts += [index, name]
            mirror.names[name] = self.entry(holder.names.get(name, Unbound()), name)
        return made

    def frame(self, frame: Frame) -> Frame:
        """A frame in which the same names are variables, and none has a value yet."""
        if frame not in self.frames:
            outer = None if frame.outer is None else self.frame(frame.outer)
            form = Form(frame.tree, frame.namespace, {}, frame.temporaries)
            made = Frame(self.unit, form, outer)
            made.local = {*frame.local, *frame.names}
            self.frames[frame] = len(self.frames), made
            self.parts.append(frame.tree)
        return self.frames[frame][1]

    def is_changed(self) -> bool:
        """Whether a container has got other parts since."""
        return any(made.slots != slots for made, slots in self.boxes.values())


def convert(
    expressions: Expressions,
    target: FunctionType | Closure,
    given: dict[str, Entry],
    changed: tuple[str, ...] = (),
) -> tuple[Converted, list[Value]]:
    """A function with what it is given, and the numbers and arrays in that."""
    unit, origin = expressions.unit, expressions.builder.origin
    identity = target.node if isinstance(target, Closure) else target
    values: list[Value] = []
    names: list[str] = []

    def leaf(value: Value, own: str) -> Value:
        values.append(value)
        names.append(own)
        return value

    copy = Copy(Unit(Function(""), unit.main, References(), unit.doors), leaf)
    entries = {key: copy.entry(entry, key) for key, entry in given.items()}
    own = target
    if isinstance(target, Closure):
        own = Closure(target.node, copy.around(target.frame, target.node))
        origin = origin_of(target.node) or origin
    key = identity, *copy.parts
    made = Converted(key, own, entries, tuple(names), origin, changed, unit.doors.decided)
    return made, values


def is_alias(frame: Frame | None, name: str) -> bool:
    """Whether a name stands for a variable of a frame that is not around."""
    while frame is not None:
        if name in frame.aliases:
            return True
        frame = frame.outer
    return False
