"""Classes, and what is around functions, defined inside: `class`, decorators, `super`.

    class Options:                  a class of constants and functions, made while compiling:
        rate = 0.3                  it cannot change, and nothing of it is left in the text
        def step(self, x): ...      the function reads the variables around the class

A decorator is a function that is called with the function.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.lower.entries.boxes import Method, called, member, of_class, watch
from autodiff.lower.entries.entry import INSIDE, Bound, Box, Closure, Entry, Outer, Pack
from autodiff.lower.recipes.library_recipes import nothing

if TYPE_CHECKING:
    from autodiff.lower.expression.values import Values
    from autodiff.lower.statement.statements import Statements

_BINDING: tuple[Any, ...] = (property, staticmethod, classmethod)
_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: it is written in Python


class Defined(gast.Pass):  # type: ignore[misc]
    """An expression that gives the function of a definition."""

    def __init__(self, tree: gast.FunctionDef) -> None:
        super().__init__()
        self.tree = tree


def decorated(node: gast.FunctionDef) -> gast.expr:
    """What a definition binds: `@f def g` is `g = f(g)`."""
    made: Any = Defined(node)
    for decorator in reversed(node.decorator_list):
        made = gast.Call(func=decorator, args=[made], keywords=[])
    found: gast.expr = made
    return found


def made_inside(statements: Statements, node: gast.ClassDef) -> Value:
    """A class."""
    bases = [statements.entry(base) for base in node.bases]
    classes = [base.constant for base in bases if isinstance(base, Value) and base.is_constant]
    if len(classes) < len(bases) or node.keywords or node.decorator_list:
        raise NotYet("a class defined inside that something else makes")
    if any(type(cls) is not type or not is_plain(cls) for cls in classes):
        raise NotYet("a class defined inside that something else makes")
    module = statements.frame.space().globals.get("__name__")
    held: dict[str, Any] = {"__module__": module, "__qualname__": node.name}
    for statement in node.body:
        held.update(attribute_of(statements, statement))
    made = type(node.name, tuple(classes), held)
    INSIDE.add(made)
    return constant(made)


def is_plain(cls: type) -> bool:
    """Whether a class may be derived from without its being told, and is none of a container."""
    told = class_attribute(cls, "__init_subclass__") is object.__dict__["__init_subclass__"]
    return told and all(base is object or base.__flags__ & _HEAP for base in cls.__mro__)


def attribute_of(statements: Statements, node: gast.stmt) -> dict[str, Any]:
    """What a statement in a class gives its class."""
    is_text = isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant)
    if (
        isinstance(node, gast.Pass)
        or is_text
        or isinstance(node, gast.AnnAssign)
        and not node.value
    ):
        return {}
    if isinstance(node, (gast.Assign, gast.AnnAssign)):
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        value = statements.entry(node.value)
        if all(isinstance(each, gast.Name) for each in targets) and isinstance(value, Value):
            if value.is_constant and isinstance(value.constant, (bool, int, float, complex, str)):
                return {each.id: value.constant for each in targets}
    if isinstance(node, gast.FunctionDef):
        kinds = [statements.static(each) for each in node.decorator_list]
        own = statements.of_Defined(Defined(node))
        assert isinstance(own, Closure)
        if all(isinstance(e, Value) and e.is_constant for _, e in own.defaults):
            if not kinds:
                return {node.name: Method(own)}
            if len(kinds) == 1 and kinds[0] in _BINDING:
                return {node.name: kinds[0](Method(own))}
    raise NotYet("a class defined inside of another form")


def of_own(expressions: Values, cls: type, name: str) -> Entry:
    """What a class that is defined inside has under a name."""
    found = class_attribute(cls, name)
    if isinstance(found, staticmethod):
        found = found.__func__
    if isinstance(found, Method):
        return found.closure
    if isinstance(found, classmethod) and isinstance(found.__func__, Method):
        return Bound(found.__func__.closure, (constant(cls),))
    if isinstance(found, (bool, int, float, complex, str)) and not name.startswith("__"):
        return constant(found)
    raise NotYet("an attribute of an object")


def behind(expressions: Values, pack: Pack, name: str) -> Entry:
    """`super(cls, object).name`."""
    cls, receiver = pack.items
    own = cls.constant if isinstance(cls, Value) else None
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
            return called(expressions, found.fget, [receiver])
        if isinstance(found, (FunctionType, Method, staticmethod)):
            return member(expressions, receiver, found, name)
    raise NotYet("a call of super")
