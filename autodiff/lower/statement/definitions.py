"""Functions and classes that are defined inside.

A class is made while compiling, with functions of ours as its methods (`boxes.Method`); a dataclass
by `dataclass` itself.
"""

from __future__ import annotations
import __future__

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import gast

from autodiff.core import NotYet, Value, constant
from autodiff.kinds.classes import class_attribute
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.boxes import Method
from autodiff.lower.entries.entry import INSIDE, Closure, Outer, Pack
from autodiff.syntax.expressions import unparsed
from autodiff.syntax.names import reads, writes

_BINDING: tuple[Any, ...] = (property, staticmethod, classmethod)
_SIMPLE = (bool, int, float, complex, str, type(None))
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
    usual = all(type(cls) is type and is_plain(cls) for cls in classes)
    if len(classes) < len(bases) or node.keywords or not usual:
        raise NotYet("a class defined inside that something else makes")
    options = [options_of(statements, each) for each in node.decorator_list]
    module = statements.frame.space().globals.get("__name__")
    held: dict[str, Any] = {"__module__": module, "__qualname__": node.name}
    said = held["__annotations__"] = dict[str, Any]()
    own = writes(node.body)
    for statement in node.body:
        with known(statements, own & reads(evaluated(statement)), held):
            held.update(attribute_of(statements, statement))
        if isinstance(statement, gast.AnnAssign) and isinstance(statement.target, gast.Name):
            said[statement.target.id] = annotated(statements, statement.annotation) or "Any"
    made = type(node.name, tuple(classes), held)
    for each in options:
        made = dataclasses.dataclass(made, **each)
    INSIDE.add(made)
    return constant(made)


def evaluated(node: gast.stmt) -> list[gast.AST]:
    """What a statement in a class evaluates there: no bodies of its functions."""
    if isinstance(node, gast.FunctionDef):
        defaults = [each for each in node.args.kw_defaults if each is not None]
        return [*node.decorator_list, *node.args.defaults, *defaults]
    value = getattr(node, "value", None)
    return [] if value is None else [value]


@contextlib.contextmanager
def known(statements: Statements, names: set[str], held: dict[str, Any]) -> Iterator[None]:
    """Where names mean what the class said before, and not what they mean around it."""
    frame = statements.frame
    before = dict(frame.names)
    for each in sorted(names):
        found = held.get(each, NotYet)
        if not isinstance(found, (*_SIMPLE, Method)):
            raise NotYet("a class defined inside of another form")
        frame.names[each] = found.closure if isinstance(found, Method) else constant(found)
    yield
    for each in names:
        frame.names.pop(each)
        frame.names |= {each: before[each]} if each in before else {}


def annotated(statements: Statements, annotation: gast.expr) -> Any:
    """What makes of a name no field, or one of another sort, like `ClassVar[float]`; None or
    another thing for others.
    """
    if statements.frame.space().globals.get("annotations") is __future__.annotations:
        return unparsed(annotation)
    whole = isinstance(annotation, gast.Subscript)
    bare = annotation.value if whole else annotation
    if isinstance(bare, gast.Constant):
        return bare.value
    holder, own = statements.frame.resolve(getattr(bare, "id", ""))
    if holder is None:
        return statements.static(bare)
    held = holder.names.get(own)
    return held.object if isinstance(held, Outer) else getattr(held, "constant", None)


def options_of(statements: Statements, decorator: gast.expr) -> dict[str, Any]:
    """The options of a decorator that makes a dataclass of a class, which stays that class."""
    given = decorator.keywords if isinstance(decorator, gast.Call) else []
    called = decorator.func if isinstance(decorator, gast.Call) else decorator
    options = {each.arg: getattr(each.value, "value", None) for each in given}
    plain = all(type(value) is bool for value in options.values()) and "slots" not in options
    if statements.static(called) is not dataclasses.dataclass or not plain:
        raise NotYet("a class defined inside that something else makes")
    return options


def field_of(statements: Statements, node: gast.Call) -> Any:
    """What `dataclasses.field` gives in a class."""
    found = {each.arg: statements.entry(each.value) for each in node.keywords}
    known = {k: e.constant for k, e in found.items() if isinstance(e, Value) and e.is_constant}
    if statements.static(node.func) is not dataclasses.field or len(known) < len(found):
        raise NotYet("a class defined inside of another form")
    return dataclasses.field(**known)


def is_plain(cls: type) -> bool:
    """Whether a class may be derived from without its being told, and is none of a container."""
    told = class_attribute(cls, "__init_subclass__") is object.__dict__["__init_subclass__"]
    return told and all(base is object or base.__flags__ & _HEAP for base in cls.__mro__)


def attribute_of(statements: Statements, node: gast.stmt) -> dict[str, Any]:
    """What a statement in a class gives its class."""
    is_text = isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant)
    is_bare = isinstance(node, gast.AnnAssign) and not node.value
    if isinstance(node, gast.Pass) or is_text or is_bare:
        return {}
    if isinstance(node, (gast.Assign, gast.AnnAssign)):
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        if isinstance(node.value, gast.Call):
            return {each.id: field_of(statements, node.value) for each in targets}
        value = statements.entry(node.value)
        if all(isinstance(each, gast.Name) for each in targets):
            said = value.constant if isinstance(value, Value) and value.is_constant else NotYet
            if isinstance(said, _SIMPLE):
                return {each.id: said for each in targets}
            if isinstance(value, Closure) and isinstance(value.node, gast.FunctionDef):
                return {each.id: Method(value) for each in targets}
    if isinstance(node, gast.FunctionDef):
        kinds = [statements.static(each) for each in node.decorator_list]
        own = statements.of_Defined(Defined(node))
        assert isinstance(own, Closure)
        if all(isinstance(e, Value) and e.is_constant or e == Pack(()) for _, e in own.defaults):
            if not kinds:
                return {node.name: Method(own)}
            if len(kinds) == 1 and kinds[0] in _BINDING:
                return {node.name: kinds[0](Method(own))}
    raise NotYet("a class defined inside of another form")
