"""The frame of a function: its variables, and where other names are looked up."""

from __future__ import annotations

import builtins
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from autodiff import runtime
from autodiff.core import Function, NotYet, Raises, References, Region, Try, Value
from autodiff.core.operation import LoadOuter, Operation
from autodiff.frontend.source import MARK, Namespace
from autodiff.kinds.arguments import kind_of
from autodiff.kinds.kind import Kind, Static
from autodiff.kinds.size import Told
from autodiff.lower.entries.above import Heap
from autodiff.lower.entries.entry import Box, Entry, Pack
from autodiff.lower.entries.mixed import Facts
from autodiff.lower.flow.doors import Doors
from autodiff.lower.flow.form import Form
from autodiff.lower.flow.remote import remote
from autodiff.lower.flow.whose import Whose
from autodiff.primitives.builder import Builder
from autodiff.syntax.names import all_names
from autodiff.syntax.origin import Origin
from autodiff.syntax.walk import walk


def _nothing(callee: Any, active: tuple[int, ...] | None) -> str:
    raise NotYet("a call that stays a call")


@dataclass(slots=True)
class Unit:
    """What is shared by all frames of one compilation.

    main: the namespace of the function that is differentiated: its names print as they are. doors:
    what lowers functions that are called. found: what was looked up outside, which has to hold as
    long as the derivative does. widened: what loops carry and of which kinds, by loop, so that a
    loop is lowered few times. repeating: loops around what is being lowered. compile: makes a
    function with its pullback. calls: functions that are being inlined, and what is known of their
    arguments. unfolded: how often one stood in itself. facts: what is known of tests. attempts: the
    `try` around, whose bodies are being lowered. handling: for each handler that is being lowered
    whether its statements print in an `except`. boxes: all that were made. around: what places held
    before each block that is being lowered. given: arguments that are containers, and the values of
    their parts. entry: the operations that read these. results: what gives several values, and
    these. outer: the regions of memory of outside, by the identity of what owns it. elsewhere: what
    of it functions read that stay functions. reads: what one reads, by function. checks: what else
    has to hold. lasting: what has to be where it is whenever the derivative runs. objects: those
    that are read part by part, by path. remote: those that functions read which stay functions.
    cells: what is stored into of them, by identity. stores: how often it is. returns: what it is
    given, changes and returns. lists: that come and go as arrays. exposed: some of that is read or
    stored. world: the memory that calls may reach of which nothing is known. reaches: outside, too.
    derived: values that may come from what the function is given, as far as that was asked. runs:
    they may run code of the user's. unseen: a call of what is found when it runs. binds: where a
    function is kept whose defaults are computed. fixed: what is taken for constant may be set by
    such code. holding: so is what a container of outside holds. standing: what is known of
    functions that stay functions. places: from how many they are called. asked: sizes that
    arguments have, if it tells them. drawn, watched, turned: loops over iterators with the body of
    what they draw from, by loop. drawing: the generators whose bodies are being lowered. instead:
    what stands in place of loops; once: of those that have one iteration in some call. rests: how
    far the iterations are apart of one that runs what is left. frames: of functions that are being
    inlined. pending: the containers that were evaluated in expressions around this; mark: where
    those of the innermost one begin. leaving: paths that are not taken are left out. checkpointed:
    the loops of which the reverse sweep keeps so many states; unmarked: there were others.
    statements: so many; divided: by so many tests the one that is, into so many copies. renamed:
    definitions of functions that were told whom they wrap. walked: statements of libraries, by the
    call that led there."""

    function: Function
    main: Namespace
    references: References
    doors: Doors
    found: dict[tuple[int, str], tuple[Namespace, str, Any]] = field(default_factory=dict)
    absent: list[tuple[Namespace, str]] = field(default_factory=list)
    members: dict[tuple[int, str], tuple[Any, Any]] = field(default_factory=dict)
    widened: dict[Any, tuple[Any, dict[str, Any]]] = field(default_factory=dict)
    repeating: list[Any] = field(default_factory=list)
    free: set[str] = field(default_factory=set)
    calls: list[tuple[Any, Any]] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    pending: list[Entry] = field(default_factory=list)
    mark: int = 0
    unfolded: int = 0
    facts: Facts = field(default_factory=Facts)
    attempts: list[Try] = field(default_factory=list)
    handling: list[bool] = field(default_factory=list)
    given: dict[Value, dict[Any, Value]] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    around: list[Heap] = field(default_factory=list)
    entry: set[Operation] = field(default_factory=set)
    results: dict[Value, Pack] = field(default_factory=dict)
    outer: dict[int, Region] = field(default_factory=dict)
    elsewhere: list[LoadOuter] = field(default_factory=list)
    reads: dict[Any, list[LoadOuter]] = field(default_factory=dict)
    objects: dict[str, Any] = field(default_factory=dict)
    remote: dict[str, Any] = field(default_factory=dict)
    cells: dict[int, Box] = field(default_factory=dict)
    stores: int = 0
    statements: int = 0
    walked: Counter[int] = field(default_factory=Counter)
    divided: int = 0
    copies: int = 0
    returns: str | None = None
    exposed: bool = False
    world: Region = field(default_factory=Region)
    derived: set[Value] = field(default_factory=set)
    reaches: bool = False
    runs: bool = False
    unseen: Origin | None = None
    binds: Origin | None = None
    fixed: bool = False
    lasting: list[tuple[str, Any]] = field(default_factory=list)
    checks: list[Callable[[], bool]] = field(default_factory=list)
    asked: frozenset[Told] = frozenset()
    standing: dict[Any, Any] = field(default_factory=dict)
    instead: dict[Any, list[Any]] = field(default_factory=dict)
    once: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    rests: dict[int, int] = field(default_factory=dict)
    places: dict[int, Counter[int]] = field(default_factory=dict)
    drawn: dict[Any, Any] = field(default_factory=dict)
    watched: dict[Any, Any] = field(default_factory=dict)
    turned: dict[Any, Any] = field(default_factory=dict)
    drawing: list[Any] = field(default_factory=list)
    compile: Callable[[Any, tuple[int, ...] | None], str] = field(default=_nothing)
    leaving: bool = False
    holding: bool = False
    checkpointed: dict[Operation, Value] = field(default_factory=dict)
    unmarked: bool = False
    renamed: set[int] = field(default_factory=set)
    again: list[tuple[str, Any, list[Operation]]] = field(default_factory=list)

    @property
    def risks(self) -> tuple[bool, bool, Origin | None, bool, bool]:
        """What was met that may change what is read outside, and what was taken for constant."""
        return self.fixed, self.runs, self.unseen, self.holding, self.reaches

    @risks.setter
    def risks(self, known: tuple[bool, bool, Origin | None, bool, bool]) -> None:
        self.fixed, self.runs, self.unseen, self.holding, self.reaches = known

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """What is not taken here is lowered in another way: nothing is left out."""
        before, self.leaving = self.leaving, False
        try:
            yield
        finally:
            self.leaving = before


class Frame:
    """The variables of one call."""

    def __init__(self, unit: Unit, form: Form, outer: Frame | None = None) -> None:
        self.unit, self.outer = unit, outer
        self.tree, self.namespace, self.temporaries = form.tree, form.namespace, form.temporaries
        self.names: dict[str, Entry] = {}
        self.local, self.declared = set[str](), set[str]()
        self.aliases: dict[str, tuple[Frame, str]] = {}
        self.loads: dict[int, Any] = {}
        self.taken: set[str] = set()
        self.whose: Whose = Whose(form, outer.whose if outer is not None else None)
        self.builder: Builder

    def reads(self, node: Any) -> Counter[str]:
        """How often each name is read in a tree; found once for each."""
        found: Counter[str] | None = self.loads.get(id(node))
        if found is None:
            found = self.loads[id(node)] = Counter()
            for part in walk(node):
                if isinstance(part, gast.AugAssign):
                    part = part.target
                elif not isinstance(part, gast.Name) or not isinstance(part.ctx, gast.Load):
                    continue
                if isinstance(part, gast.Name):
                    found[part.id] += 1
        return found

    def holder(self, identifier: str) -> Frame | None:
        """The frame that has a variable of this name, None if it is no variable."""
        return self.resolve(identifier)[0]

    def resolve(self, identifier: str) -> tuple[Frame | None, str]:
        """The frame that has a variable of this name, and how it is called there: statements of a
        generator that stand in this frame read the variables of another.
        """
        frame: Frame | None = self
        while frame is not None:
            if identifier in frame.aliases:
                other, own = frame.aliases[identifier]
                return other.resolve(own)
            if identifier in frame.declared:
                break
            if identifier in frame.names or identifier in frame.local:
                return frame, identifier
            frame = frame.outer
        return None, identifier

    def outside(self, identifier: str) -> tuple[Frame, str]:
        """The frame in whose space a name is looked up that is no variable, and its name there."""
        frame: Frame | None = self
        while frame is not None:
            if identifier in frame.aliases:
                other, own = frame.aliases[identifier]
                return other.outside(own)
            frame = frame.outer
        return self, identifier

    def temporary(self, hint: str) -> str:
        """A name that means nothing here."""
        if not self.taken:
            self.taken = all_names(self.tree)
        own, count = hint, 1
        while own in self.taken or self.holder(own) is not None:
            count += 1
            own = f"{hint}_{count}"
        return own

    def space(self) -> Namespace:
        """Where names are looked up that are no variables."""
        frame = self
        while frame.namespace is None:
            assert frame.outer is not None
            frame = frame.outer
        return frame.namespace

    def lookup(self, identifier: str) -> Any:
        """What a name means that is no variable; `Raises` if nothing."""
        if identifier.startswith(MARK):
            own = identifier.removeprefix(MARK)
            return getattr(runtime, own, None) or getattr(builtins, own)
        holder, identifier = self.outside(identifier)
        space = holder.space()
        try:
            value = space.lookup(identifier)
        except (KeyError, ValueError):
            self.unit.absent.append((space, identifier))
            raise Raises(NameError, f"name '{identifier}' is not defined") from None
        self.unit.found.setdefault((id(space), identifier), (space, identifier, value))
        return value

    def spelled(self, identifier: str, value: Any) -> str:
        """How a name of outside prints: as it is in the main function's own namespace."""
        if identifier.startswith(MARK):
            return self.unit.references.use(identifier.removeprefix(MARK), value)
        holder, identifier = self.outside(identifier)
        space = holder.space()
        if space is self.unit.main:
            self.unit.free.add(identifier)
            return identifier
        if getattr(builtins, identifier, None) is value:
            return self.unit.references.use(identifier, value)
        cells = {**space.cells, **self.unit.main.cells}
        if space.globals is self.unit.main.globals and identifier not in cells:
            self.unit.free.add(identifier)
            return identifier
        if isinstance(kind_of(value, levels=0), Static):
            return self.unit.references.use(identifier, value)
        if identifier in space.cells:
            return self.unit.references.use(identifier, space.cells[identifier])
        return remote(self.unit.references, space, identifier, value, self.unit.checks)

    def kind(self, value: Any) -> Kind:
        """The kind of an object of outside."""
        return kind_of(value)
