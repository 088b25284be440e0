"""`super()`: what a class has behind that in whose method it stands.

class B(A):                        step = A.step, of the same object
    def step(self, x):
        return super().step(x)
"""

from __future__ import annotations

from types import FunctionType

from autodiff.core import NotYet, Value
from autodiff.kinds.classes import class_attribute
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.boxes import Method, called, member, of_class, watch
from autodiff.lower.entries.entry import Bound, Box, Entry, Outer, Pack
from autodiff.lower.recipes.library_recipes import nothing


def behind(expressions: Values, pack: Pack, name: str) -> Entry:
    """`super(cls, object).name`."""
    cls, receiver = pack.items
    own = cls.constant if isinstance(cls, Value) else None
    given = getattr(receiver, "object", getattr(receiver, "constant", None))
    if isinstance(own, type) and isinstance(given, type) and issubclass(given, own):
        return behind_class(expressions, given, own, name)
    if not isinstance(own, type) or not isinstance(receiver, (Box, Outer, Pack)):
        raise NotYet("a call of super")
    if receiver.cls not in (list, dict, tuple) and own in receiver.cls.__mro__:
        others = receiver.cls.__mro__[receiver.cls.__mro__.index(own) + 1 :]
        found = class_attribute(receiver.cls, name, others)
        holder = next((base for base in others if name in base.__dict__), object)
        if found is object.__init__:
            return of_class(expressions, nothing)
        watch(expressions, holder, name, getattr(holder, name, None))
        if found is object.__setattr__:
            return Bound(of_class(expressions, found), (receiver,))
        if isinstance(found, property) and isinstance(found.fget, (FunctionType, Method)):
            return called(expressions, found.fget, receiver)
        if isinstance(found, (FunctionType, Method, staticmethod)):
            return member(expressions, receiver, found, name)
    raise NotYet("a call of super")


def behind_class(expressions: Values, cls: type, own: type, name: str) -> Entry:
    """`super(own, cls).name`, in a class method or `__new__`."""
    others = cls.__mro__[cls.__mro__.index(own) + 1 :]
    found = class_attribute(cls, name, others)
    holder = next((base for base in others if name in base.__dict__), object)
    watch(expressions, holder, name, getattr(holder, name, None))
    if isinstance(found, classmethod):
        method = of_class(expressions, found.__func__)
        return Bound(method, (of_class(expressions, cls),))
    found = found.__func__ if isinstance(found, staticmethod) else found
    if isinstance(found, FunctionType) or found is object.__new__:
        return of_class(expressions, found)
    raise NotYet("a call of super")
