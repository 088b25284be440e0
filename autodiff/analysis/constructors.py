"""Calls of classes: which objects can be made part by part, and what their parts are then."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import types
from typing import Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Kind, Record, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, fields_given, is_plain_class, makes_named_tuple
from autodiff.analysis.unwound import item_of
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.sites import Factory, Made, Make, Rewrite, Value
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import name
from autodiff.syntax.origin import Origin


def class_called(kind: Kind | None) -> type | None:
    """The class that a call makes an instance of, if its instances can be made part by part."""
    cls = kind.value if isinstance(kind, Static) else None
    if not isinstance(cls, type) or registry.rule_for(cls) is not None:
        return None
    if cls in (types.SimpleNamespace, dict):
        return cls
    return cls if is_plain_class(cls) and not is_library(module_of(cls)) else None


def construction(cls: type, value: gast.Call, origin: Origin | None) -> Make | None:
    """The parts of the object that a call of a class makes, and the method it calls then."""
    if cls in (types.SimpleNamespace, dict):
        if value.args or any(keyword.arg is None for keyword in value.keywords):
            return None
        return Make(Made(cls), tuple((k.arg, k.value) for k in value.keywords))
    init = class_attribute(cls, "__init__")
    if generated(init, cls):
        parts, given = dataclass_parts(init, cls, value, origin)
        if class_attribute(cls, "__post_init__") is None:
            return Make(Made(cls), parts)
        return Make(Made(cls), parts, "__post_init__", given)
    if isinstance(init, types.FunctionType):
        return Make(Made(cls), (), "__init__", tuple(value.args), tuple(value.keywords))
    return None if value.args or value.keywords else Make(Made(cls), ())


def generated(init: Any, cls: type) -> bool:
    """Whether an `__init__` was written by `dataclasses`."""
    return isinstance(init, types.FunctionType) and any(
        vars(base).get("__init__") is init and "__dataclass_params__" in vars(base)
        for base in cls.__mro__
    ) and init.__code__.co_filename == "<string>"


def dataclass_parts(
    init: Any, cls: type, value: gast.Call, origin: Origin | None
) -> tuple[tuple[tuple[Any, Any], ...], tuple[gast.expr, ...]]:
    """The fields that the `__init__` of a dataclass sets, and the arguments of `__post_init__`."""
    owner = next(base for base in cls.__mro__ if vars(base).get("__init__") is init)
    if any(isinstance(a, gast.Starred) for a in value.args) or any(
        k.arg is None for k in value.keywords
    ):
        raise UnsupportedSyntaxError(
            f"starred arguments of the dataclass `{cls.__name__}`",
            origin,
            why="which field gets which value is not known while compiling",
            cure="pass the fields one by one",
        )
    try:
        bound = inspect.signature(init).bind(
            None, *value.args, **{str(k.arg): k.value for k in value.keywords}
        )
    except TypeError as error:
        raise UnsupportedSyntaxError(
            f"this call does not fit the class `{cls.__name__}`",
            origin,
            why=str(error),
            cure="call it as its fields say",
        ) from None
    given = bound.arguments
    parts: list[tuple[Any, Any]] = []
    late: list[Any] = []
    real = {field.name for field in dataclasses.fields(owner)}
    for field in owner.__dataclass_fields__.values():  # type: ignore[attr-defined]
        found: Any = None
        if field.init and field.name in given:
            found = given[field.name]
        elif field.default_factory is not dataclasses.MISSING:
            found = Factory(field.default_factory)
        elif field.init and field.default is not dataclasses.MISSING:
            found = Value(field.default)
        if field.name in real and found is not None:
            parts.append((field.name, found))
        elif field.name not in real and str(field._field_type).endswith("INITVAR"):
            late.append(found)
    if any(isinstance(argument, (Value, Factory)) for argument in late):
        late = [
            gast.Constant(value=a.value, kind=None) if isinstance(a, Value) else a for a in late
        ]
    return tuple(parts), tuple(late)


def replaced(value: gast.Call, kinds: Kinds) -> Rewrite | None:
    """`dataclasses.replace(p, x=x)`, `t._replace(x=x)`: a new object with the other parts."""
    function = value.func
    if isinstance(function, gast.Attribute) and function.attr == "_replace" and not value.args:
        base, source = kinds.of(function.value), function.value
        if isinstance(base, Record) and makes_named_tuple(base.cls):
            fields = base.cls._fields  # type: ignore[attr-defined]
            given = {str(k.arg): k.value for k in value.keywords}
            if not set(given) <= set(fields):
                return None
            arguments = [given.get(f) or attribute(source, f) for f in fields]
            return Rewrite(gast.Call(func=attribute(source, "__class__"), args=arguments,
                                     keywords=[]))
        return None
    callee = kinds.of(function)
    if not isinstance(callee, Static):
        return None
    if callee.value is not dataclasses.replace:
        return _with_defaults(callee.value, value)
    base = kinds.of(value.args[0]) if len(value.args) == 1 else None
    if not isinstance(base, (Parts, Record)) or not dataclasses.is_dataclass(base.cls):
        return None
    if any(k.arg is None for k in value.keywords):
        return None
    source = value.args[0]
    given = {str(k.arg): k.value for k in value.keywords}
    for field in dataclasses.fields(base.cls):
        if field.init and field.name not in given:
            given[field.name] = attribute(source, field.name)
    keywords = [gast.keyword(arg=key, value=part) for key, part in given.items()]
    return Rewrite(gast.Call(func=attribute(source, "__class__"), args=[], keywords=keywords))


def _with_defaults(cls: Any, value: gast.Call) -> Rewrite | None:
    """A namedtuple that is made with defaults: `Point(x)` as `Point(x, 0.0)`."""
    given = fields_given(cls, value) if isinstance(cls, type) else None
    if given is None or len(given) == len(value.args) + len(value.keywords):
        return None
    return Rewrite(gast.Call(func=value.func, args=list(given.values()), keywords=[]))


def attribute(base: gast.expr, key: str) -> gast.Attribute:
    """`base.key`, read."""
    own = name(base.id) if isinstance(base, gast.Name) else base
    return gast.Attribute(value=own, attr=key, ctx=gast.Load())


COPYING = frozenset({dataclasses.replace, copy.copy, copy.deepcopy})
"""Functions that make new objects from old ones; they are not inlined."""


def copy_of(value: gast.Call, kinds: Kinds) -> Make | None:
    """`copy.copy(p)`, `d.copy()`, `dict(d)`: a new object with the parts of the old one."""
    callee, source = kinds.of(value.func), None
    if isinstance(callee, Static) and len(value.args) == 1 and not value.keywords:
        source = value.args[0] if callee.value in (copy.copy, dict) else None
        if source is not None and callee.value is dict and _cls(kinds, source) is not dict:
            return None
    elif isinstance(value.func, gast.Attribute) and value.func.attr == "copy":
        own = value.func.value
        source = own if not value.args and _cls(kinds, own) is dict else None
    if not isinstance(source, gast.Name):
        return None
    kind = kinds.of(source)
    keys: tuple[Any, ...] = ()
    if isinstance(kind, Parts):
        made = kinds.scope.objects[kind.owner]
        if set(made.fields) != made.certain:
            return None
        keys = tuple(made.fields)
    elif isinstance(kind, Record):
        keys = kind.keys
    if not keys or kind is None or not (kind.cls is dict or is_plain_class(kind.cls)):  # type: ignore[attr-defined]
        return None
    cls: type = kind.cls  # type: ignore[attr-defined]
    if cls is not dict and class_attribute(cls, "__copy__") is not None:
        return None
    parts = tuple(
        (key, item_of(name(source.id), key) if cls is dict else attribute(source, key))
        for key in keys
    )
    return Make(Made(cls), parts)


def _cls(kinds: Kinds, node: gast.expr) -> type | None:
    return getattr(kinds.of(node), "cls", None)
