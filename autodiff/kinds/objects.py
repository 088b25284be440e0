"""Objects of fixed structure that are changed or made inside: what their parts are held in.

Such an object exists only as its parts, each of which is held by a variable of its own. A name that
stands for the object has the kind `Parts`; it says which object, so two names of one kind are one
object. `Objects` says what each one is made of.
"""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import gast

from autodiff.kinds.classes import class_attribute, is_named_tuple
from autodiff.kinds.keys import key_of
from autodiff.kinds.kind import UNKNOWN, Instance, Kind, Numeric, Record, Scalar, Static, Unknown
from autodiff.kinds.operation import Operation
from autodiff.runtime import Slot, assembled, restructured

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


@dataclass(frozen=True, slots=True)
class Parts(Kind):
    """The object made at one place of the program, or one that came in by an argument."""

    cls: type
    owner: str

    @property
    def indexed(self) -> bool:
        """Whether parts are reached by `value[key]` (else by `value.key`)."""
        return issubclass(self.cls, (tuple, list, dict))


@dataclass(frozen=True, slots=True)
class Pending(Unknown):
    """What a call of a method returns that is going to be inlined: of the class of its object?

    Or an object of the class `made`, which may yet be replaced by its parts.
    """

    made: type | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Super(Kind):
    """`super(after, base)`: the methods of the classes that follow `after`."""

    after: type
    cls: type
    base: gast.expr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Super) and (self.after, self.cls) == (other.after, other.cls)

    def __hash__(self) -> int:
        return hash((self.after, self.cls))


def part_name(kinds: Kinds, node: gast.expr) -> tuple[Parts, Any] | None:
    """The object and the key that `p.x` or `d["k"]` means; None for all other expressions."""
    if not isinstance(node, (gast.Attribute, gast.Subscript)):
        return None
    base = kinds.of(node.value) if isinstance(node.value, gast.Name) else None
    if not isinstance(base, Parts):
        return None
    if isinstance(node, gast.Attribute):
        if not base.indexed:
            return base, node.attr
        names = getattr(base.cls, "_fields", ())
        return (base, names.index(node.attr)) if node.attr in names else None
    if not base.indexed or isinstance(node.slice, gast.Slice):
        return None
    key = constant_key(kinds, node.slice)
    if key is None:
        return None
    if base.cls is not dict:
        count = len(kinds.scope.objects[base.owner].fields)
        if not isinstance(key, int) or not -count <= key < count:
            return None
        key %= count
    return base, key


def constant_key(kinds: Kinds, node: gast.expr) -> Any:
    """The key that a subscript uses if it is constant: an int, a string or a tuple of them."""
    if isinstance(node, gast.Tuple):
        parts = [constant_key(kinds, part) for part in node.elts]
        return None if None in parts else tuple(parts)
    return key_of(node, kinds.of)


def whole(kinds: Kinds, kind: Kind | None) -> Kind:
    """The kind of an object as a value: what `Parts` comes to if nothing changes it any more."""
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(whole(kinds, item) for item in kind.items))
    if not isinstance(kind, Parts):
        return kind or UNKNOWN
    held = kinds.scope.objects[kind.owner].fields
    items = tuple(whole(kinds, kinds.names.get(variable)) for variable in held.values())
    return Record(kind.cls, tuple(held), items)


def is_object(kind: Kind | None) -> bool:
    """Whether a value is an instance of a class that the user wrote."""
    return isinstance(kind, (Record, Parts)) and kind.cls not in (tuple, list, dict)


def is_plain_class(cls: type) -> bool:
    """Whether attributes of the instances of a class are what was stored there, no more, no less.

    Not so where the class intercepts attributes, makes its instances itself, or builds on a type
    that is not written in Python.
    """
    if cls is SimpleNamespace:
        return True
    metaclasses = inspect.getmro(type(cls))[:-1]
    if any("__call__" in vars(meta) for meta in metaclasses if meta is not type):
        return False
    if any("__new__" in vars(base) for base in cls.__mro__[:-1]):
        return False
    frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
    for base in cls.__mro__[:-1]:
        if not base.__flags__ & (1 << 9):
            return False
        own = vars(base)
        if "__getattr__" in own or "__getattribute__" in own:
            return False
        if ("__setattr__" in own or "__delattr__" in own) and not (
            frozen and "__dataclass_params__" in own
        ):
            return False
    return True


def is_written(cls: type) -> bool:
    """Whether a class is written in Python, and calling it makes an instance of it."""
    metaclasses = inspect.getmro(type(cls))[:-1]
    if any("__call__" in vars(meta) for meta in metaclasses if meta is not type):
        return False
    bases = cls.__mro__[:-1]
    return any(base.__flags__ & (1 << 9) for base in bases[-1:]) and not any(
        "__new__" in vars(base) for base in bases
    )


def class_of(kinds: Kinds, function: type, node: gast.Call) -> Kind | None:
    """The kind of `type(x)` and of `super(C, x)` for an object `x`."""
    base = kinds.of(node.args[-1]) if node.args else None
    if not isinstance(base, (Parts, Record)) or node.keywords:
        return None
    if function is type and len(node.args) == 1:
        return Static(base.cls)
    after = kinds.of(node.args[0])
    if function is super and isinstance(after, Static) and after.value in base.cls.__mro__:
        return Super(after.value, base.cls, node.args[-1])
    return None


def made_by(kinds: Kinds, operation: Operation, node: gast.Call) -> Kind | None:
    """The kind of an object that a call makes; None for calls that make none."""
    cls = operation.function
    if cls is assembled:
        given = kinds.known(operation.arguments[0])
        return _assembled(kinds, operation, given.value) if isinstance(given, Static) else None
    if cls is restructured:
        like, parts = map(kinds.known, operation.arguments)
        if isinstance(like, Record) and isinstance(parts, Record):
            return Record(like.cls, parts.keys, parts.items)
        return None
    if cls is dataclasses.replace and kinds.hopeful and len(operation.arguments) == 1:
        base = kinds.of(operation.arguments[0])
        if isinstance(base, Pending) or is_object(base):
            return Pending(getattr(base, "cls", None) or getattr(base, "made", None))
        return None
    if not isinstance(cls, type):
        return None
    if cls in (type, super):
        return class_of(kinds, cls, node)
    if cls is Slot:  # in a gradient that is differentiated again
        return Record(Slot, ("value",), (Numeric() if node.args else Scalar("float", "?"),))
    if cls is SimpleNamespace:
        return _assembled(kinds, operation, cls) if not node.args else None
    fields = fields_given(cls, node)
    if fields is not None:
        items = tuple(map(kinds.known, fields.values()))
        return Record(cls, tuple(range(len(items))), items)
    if kinds.hopeful and is_plain_class(cls):
        return Pending(cls)
    return Instance((cls,)) if is_written(cls) else None


def makes_named_tuple(cls: type) -> bool:
    """Whether the parts of a new namedtuple are what the call of its class is given."""
    new: Any = cls.__new__  # made by `collections`, in a namespace of its own
    made = getattr(new, "__globals__", {}).get("__name__", "").startswith("namedtuple_")
    own = class_attribute(cls, "__init__") is not vars(object)["__init__"]
    return made and not own and is_named_tuple(cls)


def fields_given(cls: type, node: gast.Call) -> dict[str, gast.expr] | None:
    """What each field of a new namedtuple is, also by default; None if that is not known."""
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if (
        not makes_named_tuple(cls)
        or None in named
        or any(isinstance(argument, gast.Starred) for argument in node.args)
    ):
        return None
    fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    defaults = {
        field: gast.Constant(value=value, kind=None)
        for field, value in cls._field_defaults.items()  # type: ignore[attr-defined]
        if value is None or isinstance(value, (bool, int, float, complex, str))
    }
    found = defaults | dict(zip(fields, node.args)) | named
    return {f: found[f] for f in fields} if set(found) == set(fields) else None


def with_fields(kinds: Kinds, base: Record, node: gast.Call) -> Kind | None:
    """`point._replace(x=x)`."""
    given = {keyword.arg: kinds.known(keyword.value) for keyword in node.keywords}
    fields: tuple[str, ...] = getattr(base.cls, "_fields", ())
    if not is_named_tuple(base.cls) or node.args or not given.keys() <= set(fields):
        return None
    items = tuple(given.get(field, kind) for field, kind in zip(fields, base.items))
    return dataclasses.replace(base, items=items)


def _assembled(kinds: Kinds, operation: Operation, cls: type) -> Kind | None:
    items = [kinds.of(value) for _, value in operation.keywords]
    if any(item is None for item in items):
        return None
    keys = tuple(key for key, _ in operation.keywords)
    return Record(cls, keys, tuple(items))  # type: ignore[arg-type]
