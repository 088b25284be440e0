"""Places outside that a function stores into: attributes of classes and objects, items of dicts and
lists, globals.

Each is a variable, which is read where the function begins; and what is stored in it goes there at
once, as in the function:

    State.n = State.n + 1                n = State.n  ...  n_2 = n + 1; State.n = n_2

Where one is met for the first time the function is lowered again (`Reread`), with it.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from enum import Enum
from functools import partial
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import gast

from autodiff.core import MARK, LoadOuter, NotYet, Reread, Value, Verbatim, constant
from autodiff.kinds.arguments import attributes_of
from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.kind import Static
from autodiff.lower.entries.above import Unit, Values
from autodiff.lower.entries.entry import Box, Entries, Entry, Outer, Pack, is_inside
from autodiff.primitives.opaque import is_opaque
from autodiff.primitives.primitive import hole
from autodiff.syntax.quote import quote

MANY = 20
"""So many places outside may be stored into: for each, the function is lowered again."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A place outside: of an object, under a name or key. path: how it is spelled, beginning with a
    name; root: what that refers to, if it is none of the user's.
    """

    object: Any
    key: Any
    path: str
    root: Any = None


class Place:
    """The class of the boxes that stand for objects of outside, of which they hold some parts."""


def begin(expressions: Values, read: Any) -> None:
    """Reads all that is stored into, where the function begins."""
    unit = expressions.unit
    cells = [own for own in unit.doors.decided if isinstance(own, Cell)]
    if any(is_related(one, other) for one in cells for other in cells):
        raise NotYet("a store into an attribute that is inherited as well")
    for cell in cells:
        if is_empty(cell):
            unit.checks.append(partial(is_empty, cell))
            box_of(unit, cell.object)
            continue
        found = content(cell)
        owner = owner_of(cell)
        if owner is not None:
            unit.members.setdefault((id(owner), cell.key), (owner, found))
        root, rest = parted(cell.path)
        if root.startswith(MARK):
            root = unit.references.use(root[1:], cell.root)
        else:
            unit.free.add(root)
        box = box_of(unit, cell.object)
        operations = expressions.builder.block.operations
        before = len(operations)
        box.slots[cell.key] = read(expressions, found, root + rest)
        for op in operations[before:]:
            assert isinstance(op, LoadOuter)
            op.early = True


def box_of(unit: Unit, base: Any) -> Box:
    """The places of an object."""
    if id(base) not in unit.cells:
        unit.cells[id(base)] = Box(Place, {}, None, "")
        unit.boxes.append(unit.cells[id(base)])
    return unit.cells[id(base)]


def is_empty(cell: Cell) -> bool:
    """Whether an object has no attribute of this name yet, a module no global."""
    if isinstance(cell.object, dict) and owner_of(cell) is not None:
        return cell.key not in cell.object
    return not isinstance(cell.object, (dict, list, type)) and not hasattr(cell.object, cell.key)


def owner_of(cell: Cell) -> Any:
    """The class, function or module of which a place is an attribute; None for others."""
    if isinstance(cell.object, (type, FunctionType)):
        return cell.object
    module = None
    if isinstance(cell.object, dict):
        module = sys.modules.get(str(cell.object.get("__name__")))
    return module if module is not None and vars(module) is cell.object else None


def is_related(one: Cell, other: Cell) -> bool:
    """Whether one place is looked up where the other holds nothing."""
    if one.key != other.key or one is other or not isinstance(other.object, type):
        return False
    if isinstance(one.object, type):
        return issubclass(one.object, other.object)
    return isinstance(one.object, other.object)


def parted(path: str) -> tuple[str, str]:
    """A path as the name that it begins with, and the rest."""
    stop = next((k for k, c in enumerate(path) if c in ".["), len(path))
    return path[:stop], path[stop:]


def content(cell: Cell) -> Any:
    """What a place holds while compiling."""
    found = cell.object
    try:
        return found[cell.key] if isinstance(found, (dict, list)) else getattr(found, cell.key)
    except (LookupError, AttributeError):
        raise NotYet("a place outside that holds nothing yet") from None


def held(expressions: Values, base: Any, key: Any) -> Entry | None:
    """What a place holds that is stored into; None for other places."""
    unit = expressions.unit
    box = unit.cells.get(id(vars(base) if isinstance(base, ModuleType) else base))
    if box is None or key not in box.slots:
        return None
    unit.exposed = True
    return box.slots[key]


def is_data_descriptor(found: Any) -> bool:
    """Whether what a class has under a name decides itself what is stored and read there."""
    own = inspect.ismemberdescriptor(found) or inspect.isgetsetdescriptor(found)  # of Python's
    return hasattr(type(found), "__set__") and not (own or isinstance(found, property))


def got(expressions: Values, box: Box, found: Any, name: str) -> Entry:
    """What a descriptor of the class gives for an object."""
    unit, getter = expressions.unit, class_attribute(type(found), "__get__")
    given: Entries = [described(unit, box.cls, name, found), box, known(unit, box.cls)]
    if not isinstance(getter, FunctionType):
        raise NotYet("a descriptor that is not written in Python")
    return unit.doors.inlined(expressions, getter, given, [])


def known(unit: Unit, value: Any) -> Value:
    """A callable as a value that is known."""
    made = constant(value)
    own = getattr(value, "__name__", "")
    made.hint = unit.references.use(own if own.isidentifier() else "function", value)
    return made


def single(unit: Unit, found: Enum, path: str) -> Value | Outer:
    """A member of an enumeration: one that is a number or a text, too, is known as that."""
    if isinstance(found, (str, int, float, complex)):
        return Value(path, Static(found), constant=found)
    unit.objects[path] = found
    return Outer(found, path)


def described(unit: Unit, cls: type, name: str, found: Any) -> Outer:
    """A descriptor as an object of outside: its class has it as long as the derivative lasts."""
    owner = next(base for base in cls.__mro__ if name in vars(base))
    if is_inside(owner):
        raise NotYet("a descriptor of a class that is defined inside")
    path = f"{unit.references.use(owner.__name__, owner)}.__dict__[{name!r}]"
    unit.lasting.append((path, found))
    return Outer(found, path)


def inherited(expressions: Values, cls: type, name: str) -> Entry | None:
    """What a class has under a name that is stored into, or one that it is derived from."""
    for base in cls.__mro__:
        found = held(expressions, base, name)
        if found is not None or name in base.__dict__:
            return found
    return None


def is_plain(cls: type) -> bool:
    """Whether the objects of a class are read part by part, by index or key."""
    return cls in (tuple, list, dict) or is_named_tuple(cls)


def as_outer(entry: Entry) -> Entry:
    """A class, module or function as an object of outside."""
    own = entry.constant if isinstance(entry, Value) else None
    if is_inside(own):
        return entry
    if isinstance(entry, Value) and isinstance(own, (type, ModuleType, FunctionType, Enum)):
        return Outer(entry.constant, entry.hint)
    return entry


def put_attribute(expressions: Values, base: Outer, name: str, entry: Entry) -> None:
    """`base.name = value`."""
    cls = base.cls
    if isinstance(base.object, ModuleType):
        put(expressions, vars(base.object), name, f"{base.path}.{name}", entry)
        return
    own = cls in (type, FunctionType) or attributes_of(base.object) is not None
    setter = class_attribute(cls, "__setattr__")
    plain = object.__setattr__, type.__setattr__, SimpleNamespace.__setattr__
    if not own or setter not in plain:
        raise NotYet("a store into an attribute")
    found = class_attribute(cls, name)
    if name.startswith("__") or hasattr(found, "__get__") and not inspect.ismemberdescriptor(found):
        raise NotYet("a store into an attribute that is looked up in another way")
    put(expressions, base.object, name, f"{base.path}.{name}", entry)


def put_item(expressions: Values, base: Outer, key: Any, entry: Entry) -> None:
    """`base[key] = value`."""
    if base.cls not in (dict, list) or type(key) not in (str, int):
        raise NotYet(f"a store into a {base.cls.__name__} of outside")
    if base.cls is list and key < 0:
        key += len(base.object)
    put(expressions, base.object, key, f"{base.path}[{key!r}]", entry)


def put(expressions: Values, base: Any, key: Any, path: str, entry: Entry) -> None:
    """A place outside holds something else, from now on, and when the function is over."""
    unit = expressions.unit
    old = held(expressions, base, key)
    own = unit.doors.decided
    if old is None and any(isinstance(c, Cell) and c.object is base and c.key == key for c in own):
        old = constant(None)  # it holds nothing, but will
    if old is None:
        root = parted(path)[0]
        reason = "many places outside that are stored into"
        if sum(isinstance(own, Cell) for own in unit.doors.decided) >= MANY:
            raise NotYet(reason)
        raise Reread(Cell(base, key, path, unit.references.objects.get(root)), reason)
    if not isinstance(old, (Value, Pack)) or not isinstance(entry, (Value, Pack)):
        raise NotYet("an object of outside that is exchanged")
    if isinstance(old, Value) and callable(old.constant) or isinstance(old, Pack):
        raise NotYet("a function of outside that is exchanged")
    if isinstance(entry, Pack) or callable(entry.constant):
        raise NotYet("an object that is stored outside")
    if entry.memory is not None:
        if not entry.is_array and not is_opaque(entry):  # which carries no derivative
            raise NotYet("an object that is stored outside")
        entry.memory.find().exposed = True
    target = expressions_of(path)
    target.ctx = gast.Store()
    made = Verbatim(gast.Assign([target], hole(0), None), [entry])
    made.certain = True
    expressions.builder.add(made)
    unit.cells[id(base)].slots[key] = entry
    unit.stores += 1


def expressions_of(path: str) -> Any:
    """A path as an expression."""
    root, rest = parted(path)
    return quote(f"root{rest}", root=root)
