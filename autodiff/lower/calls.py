"""Calls: of primitives, of functions that are inlined, of functions defined inside."""

from __future__ import annotations

import functools
import inspect
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Array, Kind, Numeric, Record, Scalar, number
from autodiff.core.notyet import NotYet, SizesTold
from autodiff.core.operation import Apply
from autodiff.core.value import Value, constant
from autodiff.frontend.source import MARK, Namespace
from autodiff.lower import boxes, outer
from autodiff.lower.entry import Bound, Box, Closure, DictView, Entry, Outer, Pack, leaves
from autodiff.lower.expressions import Expressions
from autodiff.lower.form import Form, form_of, structured
from autodiff.lower.listed import as_operand, itemwise
from autodiff.lower.lists import as_memory, check_item, item_value, memory_of
from autodiff.lower.outer import reading
from autodiff.lower.standing import standing
from autodiff.normalize.anf import hint as hint_of
from autodiff.primitives.fitting import at_call
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
            self.positional += expressions.items([argument])
        self.named: list[tuple[str, Entry]] = []
        for keyword in node.keywords:
            if keyword.arg is None:
                box = expressions.entry(keyword.value)
                if not isinstance(box, Box) or box.cls is not dict:
                    raise NotYet("arguments by **")
                self.named += box.slots.items()
                continue
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
    if target is functools.partial and arguments.positional:
        first, *others = arguments.positional
        return Bound(first, tuple(others), tuple(arguments.named))
    if not expressions.trusts:
        made = of_object(expressions, target, arguments.positional, arguments.named)
        if made is not None:
            return called(made, node)
    if isinstance(target, type) and target in (list, tuple, dict):
        return listed(expressions, target, arguments)
    if target is len and len(arguments.positional) == 1:
        if isinstance(arguments.positional[0], DictView):
            return constant(len(arguments.positional[0].items))
        grown = length(expressions, arguments.positional[0])
        if grown is not None:
            return grown
        known = expressions.listed(arguments.positional[0])
        first = arguments.positional[0]
        if isinstance(first, Box) and first.cls is dict:
            return constant(len(first.slots))
        method = boxes.special(expressions, first, "__len__")
        if method is not None:
            return inlined(expressions, method, [first], [])
        if known is not None:
            return constant(len(known))
    if target is isinstance and len(arguments.positional) == 2:
        return instance(expressions, *arguments.positional)
    if not expressions.trusts and isinstance(
        class_attribute(type(target), "__call__"), FunctionType
    ):
        entry = Outer(target, expressions.outside(function)[1])
        return called_entry(expressions, entry, arguments)
    if not expressions.trusts and type(target) is MethodType:
        own, path = target.__func__, expressions.outside(function)[1]
        if isinstance(own, FunctionType) and inlinable(own):
            receiver = reading(expressions, target.__self__, f"{path}.__self__")
            return inlined(expressions, own, [receiver, *arguments.positional], arguments.named)
    if not expressions.trusts and not primitive_of(target).pure:
        raise NotYet(f"a call of {_spelled(target)}")
    return applied(expressions, target, expressions.outside(function)[1], arguments)


def called(made: Entry, node: gast.Call) -> Entry:
    """The result of a call that is read like the user's code, named after the call."""
    if isinstance(made, Value) and made.hint == "result" and not made.named:
        made.hint = hint_of(node)
    return made


def length(expressions: Expressions, entry: Entry) -> Entry | None:
    """The length of a list that is memory: that of now."""
    memory = memory_of(entry) if isinstance(entry, Box) else None
    if memory is None:
        return None
    form = gast.Call(func=name("len"), args=[hole(0)], keywords=[])
    kind = number("int")
    found = expressions.builder.apply(
        primitive_of(len), Application((hole(0),)), form, [memory], kind
    )
    assert isinstance(found.op, Apply)
    found.op.reads = True
    return found


def of_object(
    expressions: Expressions, target: Any, positional: list[Entry], named: list[tuple[str, Entry]]
) -> Entry | None:
    """A call of a function, method, partial or class of the user's; None for other callables."""
    if inlinable(target):
        return inlined(expressions, target, positional, named)
    if type(target) is functools.partial:
        first = [held(expressions, value) for value in target.args]
        given = {key: held(expressions, value) for key, value in target.keywords.items()}
        return of_object(
            expressions, target.func, [*first, *positional], [*(given | dict(named)).items()]
        )
    if isinstance(target, type) and target.__module__ not in ("builtins", "numpy"):
        if not primitive_of(target).pure and is_users(target):
            return boxes.made(expressions, target, positional, named)
    return None


def held(expressions: Expressions, value: Any) -> Entry:
    """What a partial holds."""
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return constant(value)
    if isinstance(value, (FunctionType, BuiltinFunctionType, np.ufunc, type)):
        return boxes.of_class(expressions, value)
    raise NotYet("a partial that holds an object")


def is_users(cls: type) -> bool:
    """Whether a class is written in Python."""
    return bool(cls.__flags__ & (1 << 9))  # a heap type


def of_helper(expressions: Expressions, node: gast.Call) -> Entry:
    """A call of a helper of normal form."""
    function = expressions.frame.lookup(node.func.id)
    if function is sequence:
        entry = expressions.entry(node.args[0])
        if isinstance(entry, (Outer, DictView)):
            return Pack(tuple(expressions.parts(entry)))
        if isinstance(entry, Pack) or isinstance(entry, Box) and entry.cls is list:
            return entry
        if isinstance(entry, Box) and entry.cls is dict:
            return Pack(tuple(map(constant, entry.slots)))
        if isinstance(entry, Value) and isinstance(entry.kind, (Array, Record)):
            return entry
    raise NotYet(f"a call of {_spelled(function)}")


def inlinable(target: Any) -> bool:
    """Whether a function of Python's without a rule is read like the user's code."""
    if not isinstance(target, FunctionType):
        return False
    return registry.rule_for(target) is None and not primitive_of(target).pure


def of_entry(expressions: Expressions, entry: Entry, node: gast.Call) -> Entry:
    """A call of what a variable holds."""
    arguments = Arguments(expressions, node)
    return called_entry(expressions, entry, arguments)


def called_entry(expressions: Expressions, entry: Entry, arguments: Arguments) -> Entry:
    """A call of an entry."""
    if isinstance(entry, Bound):
        arguments.positional = [*entry.arguments, *arguments.positional]
        arguments.named = [*(dict(entry.keywords) | dict(arguments.named)).items()]
        return called_entry(expressions, entry.function, arguments)
    if isinstance(entry, Value) and entry.is_constant and callable(entry.constant):
        function = entry.constant
        made = of_object(expressions, function, arguments.positional, arguments.named)
        if made is not None:
            return made
        if primitive_of(function).pure and not isinstance(function, type):
            own = getattr(function, "__name__", "function")
            path = expressions.unit.references.use(own, function)
            return applied(expressions, function, path, arguments)
    if isinstance(entry, Closure):
        return closed(expressions, entry, arguments.positional, arguments.named)
    method = boxes.special(expressions, entry, "__call__")
    if method is not None:
        return inlined(expressions, method, [entry, *arguments.positional], arguments.named)
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
    form = form_of(target)
    if not form.tree.args.vararg and not form.tree.args.kwarg:
        made = standing(expressions, target, bound(expressions, form, positional, named))
        if made is not None:
            return made
    return entered(expressions, target.__code__, form, positional, named, None)


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
    first = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    every = [*first, *(a.id for a in arguments.kwonlyargs)]
    if len(positional) > len(first) and arguments.vararg is None:
        raise NotYet("a call with too many arguments")
    found: dict[str, Entry] = dict(zip(first, positional))
    rest: dict[Any, Entry] = {}
    for key, entry in named:
        if key in found or key not in every and arguments.kwarg is None:
            raise NotYet("a call that does not fit")
        (found if key in every else rest)[key] = entry
    for parameter in every:
        if parameter not in found:
            if parameter not in form.defaults:
                raise NotYet("a call that does not fit")
            found[parameter] = default(expressions, form, parameter)
    if arguments.vararg is not None:
        found[arguments.vararg.id] = Pack(tuple(positional[len(first) :]))
    if arguments.kwarg is not None:
        found[arguments.kwarg.id] = boxes.boxed(expressions.unit, dict, rest)
    return found


def default(expressions: Expressions, form: Form, parameter: str) -> Entry:
    """The value that a parameter has where it is left out."""
    value = form.defaults[parameter]
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return constant(value)
    if isinstance(value, (FunctionType, BuiltinFunctionType, np.ufunc, type)):
        return boxes.of_class(expressions, value)
    raise NotYet("a default that is an object")


def of_method(expressions: Expressions, node: gast.Call, function: gast.Attribute) -> Entry:
    """A method of an array or a number, as the function that means the same."""
    receiver = expressions.entry(function.value)
    if isinstance(receiver, Box) and receiver.indexed:
        return of_list(expressions, receiver, function.attr, Arguments(expressions, node))
    if isinstance(receiver, Outer):
        if receiver.cls in (list, tuple, dict):
            raise NotYet(f"method {function.attr} of a container of outside")
        return of_entry(expressions, outer.attribute(expressions, receiver, function.attr), node)
    if isinstance(receiver, Box):
        return of_entry(expressions, boxes.attribute(expressions, receiver, function.attr), node)
    if isinstance(receiver, Pack) and receiver.cls is not tuple:
        return of_entry(expressions, expressions.field(receiver, function.attr), node)
    if not isinstance(receiver, Value):
        raise NotYet("a method of a tuple or a function")
    if not isinstance(receiver.kind, (Array, Scalar, Numeric)):
        raise NotYet(f"method {function.attr} of {type(receiver.kind).__name__.lower()}")
    arguments = Arguments(expressions, node)
    method = methods.method(function.attr)
    if method is None:
        raise NotYet(f"method {function.attr} of an array")
    return applied(expressions, method.function, "", arguments, receiver, function.attr, method)


def of_list(expressions: Expressions, box: Box, method: str, arguments: Arguments) -> Entry:
    """A method of a list or dict whose parts are known, in code that runs once."""
    given, slots = arguments.positional, box.slots
    if arguments.named:
        raise NotYet(f"method {method} of a {box.cls.__name__} with keywords")
    around = any(box in heap.slots for heap in expressions.unit.around)
    if box.cls is list and (memory_of(box) is not None or around and method in ("append", "pop")):
        return of_memory(expressions, box, method, given)
    if box.cls is dict and method in ("keys", "values", "items") and not given:
        return DictView(box, method)
    if box.cls is dict and method == "get" and given:
        key = boxes.key_of(box, given[0])
        return slots[key] if key in slots else given[1] if len(given) > 1 else constant(None)
    if box.cls is list and method == "append" and len(given) == 1:
        slots[len(slots)] = given[0]
        return constant(None)
    if box.cls is list and method == "pop" and not given and slots:
        return slots.pop(len(slots) - 1)
    if method == "copy" and not given:
        return boxes.boxed(expressions.unit, box.cls, dict(slots))
    if box.cls is list and method == "extend" and len(given) == 1:
        for entry in expressions.parts(given[0]):
            slots[len(slots)] = entry
        return constant(None)
    raise NotYet(f"method {method} of a {box.cls.__name__}")


def of_memory(expressions: Expressions, box: Box, method: str, given: list[Entry]) -> Entry:
    """A method of a list that is memory."""
    value = as_memory(expressions, box)
    if method == "append" and len(given) == 1:
        expressions.builder.append(value, item_value(expressions, given[0]))
        return constant(None)
    if method == "pop" and not given:
        check_item(value)
        return expressions.builder.take(value)
    raise NotYet(f"method {method} of a list that grows")


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
    if not expressions.trusts:
        found = itemwise(expressions, function, arguments.positional)
        if found is not None:
            return found
    given: list[Entry] = (
        arguments.positional if receiver is None else [receiver, *arguments.positional]
    )
    values = [as_operand(expressions, function, k, entry) for k, entry in enumerate(given)]
    by_name = [
        (key, as_operand(expressions, function, key, entry)) for key, entry in arguments.named
    ]
    kinds = [value.kind for value in (*values, *(value for _, value in by_name))]
    primitive = at_call(primitive_of(function), kinds, len(values), [key for key, _ in by_name])
    operands: list[Value] = []

    def operand(value: Value, first: bool = False) -> gast.expr:
        if not (first and primitive.memory == "view") and primitive.memory != "unknown":
            value = expressions.loaded(value)
        if value.is_constant and not callable(value.constant):
            return written(value.constant)
        operands.append(value)
        return hole(len(operands) - 1)

    positional = [operand(value, first=k == 0) for k, value in enumerate(values)]
    named: list[tuple[str | None, gast.expr]] = [(key, operand(value)) for key, value in by_name]
    keywords = [gast.keyword(arg=key, value=value) for key, value in named]
    if method is not None:
        first, *positional = positional
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
    tell(expressions, found.kind)
    return found


def tell(expressions: Expressions, kind: Kind) -> None:
    """An array of a written size tells how long arguments probably are."""
    sizes = kind.shape if isinstance(kind, Array) else ()
    told = frozenset(size for size in sizes if isinstance(size, int)) & expressions.unit.asked
    if told:
        raise SizesTold(told)


def listed(expressions: Expressions, cls: type, arguments: Arguments) -> Entry:
    """`tuple(x)`, `list(x)`, `dict(x, y=z)` of what is taken apart."""
    given = arguments.positional
    if cls is dict and len(given) < 2:
        slots: dict[Any, Entry] = {}
        if given:
            first = given[0]
            if not isinstance(first, Box) or first.cls is not dict:
                raise NotYet("a dict that is made of something")
            slots.update(first.slots)
        return boxes.boxed(expressions.unit, dict, slots | dict(arguments.named))
    if len(given) > 1 or arguments.named:
        raise NotYet(f"a call of {cls.__name__}")
    items = expressions.parts(given[0]) if given else []
    if cls is tuple:
        return Pack(tuple(items))
    return boxes.boxed(expressions.unit, list, dict(enumerate(items)))


def instance(expressions: Expressions, entry: Entry, cls: Entry) -> Entry:
    """`isinstance(x, cls)`, where kinds tell."""
    wanted = [each.constant for each in leaves(cls)]
    if not all(isinstance(each, type) for each in wanted):
        raise NotYet("a test of a class")
    own: type | None = None
    if isinstance(entry, (Box, Pack)):
        own = entry.cls
    elif isinstance(entry, Value) and isinstance(entry.kind, Array):
        own = np.ndarray
    elif isinstance(entry, Value) and isinstance(entry.kind, Scalar) and entry.kind.dtype is None:
        own = {"bool": bool, "int": int, "float": float, "complex": complex}[entry.kind.type]
    elif isinstance(entry, Value) and entry.is_constant:
        own = type(entry.constant)
    if own is None:
        raise NotYet("a test of a class")
    return constant(any(issubclass(own, each) for each in wanted))


def _spelled(target: Any) -> str:
    if isinstance(target, (functools.partial, MethodType, Namespace)):
        return str(type(target).__name__)
    found: Any = getattr(target, "__qualname__", type(target).__name__)
    return str(found)
