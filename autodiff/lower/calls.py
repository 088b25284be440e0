"""Calls: of primitives, of functions that are inlined, of functions defined inside."""

from __future__ import annotations

import functools
import inspect
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Numeric, Record, Scalar
from autodiff.core.notyet import NotYet
from autodiff.core.value import Value, constant
from autodiff.frontend.source import MARK, Namespace
from autodiff.lower.entry import Closure, Entry, Pack
from autodiff.lower.expressions import Expressions
from autodiff.lower.form import Form, form_of, structured
from autodiff.primitives.form import hole, written
from autodiff.primitives.primitive import Application
from autodiff.primitives.table import primitive_of
from autodiff.rules import methods, registry
from autodiff.runtime import sequence
from autodiff.syntax.definition import definition
from autodiff.syntax.names import name

_DEEPEST = 30
"""So many calls may be inlined within each other."""


class Arguments:
    """The arguments of a call, each evaluated once, in order."""

    def __init__(self, expressions: Expressions, node: gast.Call) -> None:
        self.positional: list[Entry] = []
        for argument in node.args:
            if isinstance(argument, gast.List):  # its items are read at once
                self.positional.append(expressions.display(argument))
            else:
                self.positional += expressions.items([argument])
        self.named: list[tuple[str, Entry]] = []
        for keyword in node.keywords:
            if keyword.arg is None:
                raise NotYet("arguments by **")
            self.named.append((keyword.arg, expressions.entry(keyword.value)))


def call(expressions: Expressions, node: gast.Call) -> Entry:
    """What a call gives."""
    function = node.func
    if isinstance(function, gast.Name) and function.id.startswith(MARK):
        return of_helper(expressions, node)
    target = expressions.static(function)
    if target is None and isinstance(function, gast.Attribute):
        return of_method(expressions, node, function)
    if target is None:
        return of_entry(expressions, expressions.entry(function), node)
    arguments = Arguments(expressions, node)
    if not expressions.trusts and inlinable(target):
        return inlined(expressions, target, arguments.positional, arguments.named)
    if isinstance(target, type) and target in (list, tuple):
        return listed(expressions, target, node, arguments)
    if not expressions.trusts and not primitive_of(target).pure:
        raise NotYet(f"a call of {_spelled(target)}")
    return applied(expressions, target, expressions.outside(function)[1], arguments)


def of_helper(expressions: Expressions, node: gast.Call) -> Entry:
    """A call of a helper of normal form."""
    function = expressions.frame.lookup(node.func.id)
    if function is sequence:
        entry = expressions.entry(node.args[0])
        if isinstance(entry, Pack):
            return entry
        if isinstance(entry, Value) and isinstance(entry.kind, (Array, Record)):
            return entry
    raise NotYet(f"a call of {_spelled(function)}")


def inlinable(target: Any) -> bool:
    """Whether a function of Python's without a rule is read like the user's code."""
    if not isinstance(target, FunctionType):
        return False
    return registry.rule_for(target) is None and not primitive_of(target).pure


def of_entry(expressions: Expressions, entry: Entry, node: gast.Call) -> Entry:
    """A call of a function that a variable holds."""
    if isinstance(entry, Value) and entry.is_constant and callable(entry.constant):
        arguments = Arguments(expressions, node)
        if inlinable(entry.constant):
            return inlined(expressions, entry.constant, arguments.positional, arguments.named)
        if (
            isinstance(entry.constant, (FunctionType, BuiltinFunctionType, np.ufunc))
            and primitive_of(entry.constant).pure
        ):
            own = getattr(entry.constant, "__name__", "function")
            path = expressions.unit.references.use(own, entry.constant)
            return applied(expressions, entry.constant, path, arguments)
    if isinstance(entry, Closure):
        arguments = Arguments(expressions, node)
        return closed(expressions, entry, arguments.positional, arguments.named)
    raise NotYet("a call of a function that is not known")


def closed(
    expressions: Expressions,
    closure: Closure,
    positional: list[Entry],
    named: list[tuple[str, Entry]],
) -> Entry:
    """A call of a function defined inside: its free names are the variables around it, as they are
    now.
    """
    node = closure.node
    if isinstance(node, gast.Lambda):
        body: list[gast.stmt] = [gast.Return(value=node.body)]
        gast.copy_location(body[0], node)
        body[0].origin = expressions.builder.origin
        tree = definition("function", node.args, body)
    else:
        tree = node
    if node.args.defaults or any(node.args.kw_defaults):
        raise NotYet("a function defined inside with defaults")
    tree, temporaries = structured(tree, None)
    form = Form(tree, None, {}, temporaries)
    return entered(expressions, node, form, positional, named, closure)


def inlined(
    expressions: Expressions,
    target: FunctionType,
    positional: list[Entry],
    named: list[tuple[str, Entry]],
) -> Entry:
    """The body of a function in place of the call."""
    if hasattr(target, "__wrapped__"):
        raise NotYet("a call of a function that is wrapped")
    if inspect.isgeneratorfunction(target) or inspect.iscoroutinefunction(target):
        raise NotYet("a call of a generator")
    return entered(expressions, target.__code__, form_of(target), positional, named, None)


def entered(
    expressions: Expressions,
    identity: Any,
    form: Form,
    positional: list[Entry],
    named: list[tuple[str, Entry]],
    closure: Closure | None,
) -> Entry:
    """A frame of its own for a body."""
    from autodiff.lower.frame import Frame  # noqa: PLC0415
    from autodiff.lower.statements import Statements  # noqa: PLC0415 (functions call functions)

    unit = expressions.unit
    if identity in unit.calls:
        raise NotYet("recursion")
    if len(unit.calls) > _DEEPEST:
        raise NotYet("many calls within each other")
    frame = Frame(unit, form, closure.frame if closure else None)
    frame.names = bound(expressions, form, positional, named)
    frame.builder = expressions.builder
    origin = expressions.builder.origin
    unit.calls.append(identity)
    try:
        return Statements(frame).function()
    finally:
        unit.calls.pop()
        expressions.builder.origin = origin


def bound(
    expressions: Expressions, form: Form, positional: list[Entry], named: list[tuple[str, Entry]]
) -> dict[str, Entry]:
    """The parameters of a function and what they hold."""
    arguments = form.tree.args
    if arguments.vararg or arguments.kwarg:
        raise NotYet("a call of a function with * or ** parameters")
    first = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    every = [*first, *(a.id for a in arguments.kwonlyargs)]
    if len(positional) > len(first):
        raise NotYet("a call with too many arguments")
    found: dict[str, Entry] = dict(zip(first, positional))
    for key, entry in named:
        if key in found or key not in every:
            raise NotYet("a call that does not fit")
        found[key] = entry
    for parameter in every:
        if parameter not in found:
            if parameter not in form.defaults:
                raise NotYet("a call that does not fit")
            found[parameter] = default(form, parameter)
    return found


def default(form: Form, parameter: str) -> Entry:
    """The value that a parameter has where it is left out."""
    value = form.defaults[parameter]
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return constant(value)
    if isinstance(value, (FunctionType, BuiltinFunctionType, np.ufunc, type)):
        made = constant(value)
        return made
    raise NotYet("a default that is an object")


def of_method(expressions: Expressions, node: gast.Call, function: gast.Attribute) -> Entry:
    """A method of an array or a number, as the function that means the same."""
    receiver = expressions.entry(function.value)
    if not isinstance(receiver, Value):
        raise NotYet("a method of a tuple or a function")
    if not isinstance(receiver.kind, (Array, Scalar, Numeric)):
        raise NotYet(f"method {function.attr} of {type(receiver.kind).__name__.lower()}")
    arguments = Arguments(expressions, node)
    method = methods.method(function.attr)
    if method is None:
        raise NotYet(f"method {function.attr} of an array")
    return applied(expressions, method.function, "", arguments, receiver, function.attr, method)


def applied(
    expressions: Expressions,
    function: Any,
    path: str,
    arguments: Arguments,
    receiver: Value | None = None,
    attribute: str = "",
    method: methods.Method | None = None,
) -> Entry:
    """A primitive applied; tuples of constants and values are displays in its place."""
    primitive = primitive_of(function)
    if any(key == "out" for key, _ in arguments.named):
        raise NotYet("an output that is given")
    operands: list[Value] = []

    def operand(entry: Entry, first: bool = False) -> gast.expr:
        value = expressions.as_value(entry)
        if not (first and primitive.memory == "view") and primitive.memory != "unknown":
            value = expressions.loaded(value)
        if value.is_constant and not callable(value.constant):
            return written(value.constant)
        operands.append(value)
        return hole(len(operands) - 1)

    if receiver is not None:
        first = operand(receiver, first=True)
        positional = [operand(entry) for entry in arguments.positional]
    else:
        first = None
        positional = [operand(entry, first=k == 0) for k, entry in enumerate(arguments.positional)]
    named: list[tuple[str | None, gast.expr]] = [
        (key, operand(entry)) for key, entry in arguments.named
    ]
    keywords = [gast.keyword(arg=key, value=value) for key, value in named]
    if method is not None:
        assert first is not None
        called: gast.expr = gast.Attribute(value=first, attr=attribute, ctx=gast.Load())
        form = gast.Call(func=called, args=positional, keywords=keywords)
        positional, named = method.bind(first, positional, named)
    else:
        root, *rest = path.split(".")
        called = name(root)
        for each in rest:
            called = gast.Attribute(value=called, attr=each, ctx=gast.Load())
        form = gast.Call(func=called, args=positional, keywords=keywords)
    application = Application(tuple(positional), tuple((str(key), value) for key, value in named))
    found = expressions.builder.apply(primitive, application, form, operands)
    return found


def listed(expressions: Expressions, cls: type, node: gast.Call, arguments: Arguments) -> Entry:
    """`tuple(x)` and `list(x)` of what is taken apart."""
    if len(arguments.positional) != 1 or arguments.named:
        raise NotYet(f"a call of {cls.__name__}")
    if cls is tuple:
        return Pack(tuple(expressions.parts(arguments.positional[0])))
    raise NotYet("a list that is made of something")


def _spelled(target: Any) -> str:
    if isinstance(target, (functools.partial, MethodType, Namespace)):
        return str(type(target).__name__)
    found: Any = getattr(target, "__qualname__", type(target).__name__)
    return str(found)
