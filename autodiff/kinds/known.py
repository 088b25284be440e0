"""The kind of every name, and of every expression over them."""

from __future__ import annotations

import types
from collections.abc import Callable
from collections.abc import Mapping as Table
from typing import Any

import gast
import numpy as np

from autodiff.kinds import displays
from autodiff.kinds.arguments import kind_of
from autodiff.kinds.arithmetic import ARITHMETIC
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.derivatives import derivative
from autodiff.kinds.distributions import frozen
from autodiff.kinds.held import held_classes, opaque
from autodiff.kinds.indexing import indexing
from autodiff.kinds.joined import joined_kind
from autodiff.kinds.joins import as_sequence, combined
from autodiff.kinds.keys import key_of, slice_of
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Bound,
    Instance,
    Kind,
    Local,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_empty,
    maybe,
    used,
)
from autodiff.kinds.objects import Parts, Pending, Super, is_object, made_by, part_name, whole
from autodiff.kinds.operation import BINARY, UNARY, Operation, ordered
from autodiff.kinds.remembered import Remembered
from autodiff.kinds.results import library_kind
from autodiff.kinds.scope import Scope
from autodiff.kinds.transfers import ARRAY_ATTRIBUTES, SPECIAL, condition, structural_method
from autodiff.normalize.sites import is_marker
from autodiff.rules import methods, registry
from autodiff.rules.home import hashable


class Kinds(Remembered):
    """The kind of every name, and of every expression over them."""

    def __init__(
        self,
        names: Table[str, Kind],
        scope: Scope,
        local: frozenset[str],
        recursive: Callable[[Any, list[Kind | None]], Kind | None] | None = None,
    ) -> None:
        super().__init__(names, local, scope.objects)
        self.scope = scope
        self.recursive = recursive
        self.stable: tuple[str, ...] = ()
        self.members: dict[tuple[int, str], Kind] = {}
        self.constants: dict[tuple[type, float], Kind] = {}
        self.hopeful = self.pending = False
        self.kept: frozenset[str] = frozenset()  # what may hold functions of other iterations
        self.filling = False
        """Whether an item of an empty container is one that is still to come."""

    def of(self, node: gast.expr) -> Kind | None:
        """The kind of an expression; None while a name it needs has no value yet."""
        cls = node.__class__
        if cls is gast.Name:
            kind = self.names.get(node.id)
            return self.name(node) if kind is None else kind
        kind = self.found.get(node)
        if kind is not None or node in self.found:
            return kind
        before = self.times
        handler = _EXPRESSIONS.get(cls)
        kind = UNKNOWN if handler is None else handler(self, node)
        if before == self.times and not self.objects:  # as in `answer`, which most calls would need
            self.found[node] = kind
        return kind

    def known(self, node: gast.expr) -> Kind:
        """The kind of an expression, `UNKNOWN` where there is none."""
        return self.of(node) or UNKNOWN

    def name(self, node: gast.Name) -> Kind | None:
        if node.id in self._local:
            return self.names.get(node.id)
        return self.globals.get(node.id) or self.free(node.id)

    def free(self, identifier: str) -> Kind:
        found = self.globals.get(identifier)
        if found is None:
            try:
                found = kind_of(self.scope.lookup(identifier))
            except (KeyError, ValueError):
                self.missed.add(identifier)
                return UNKNOWN
            self.globals[identifier] = found
            self.forget()  # an object of unknown kind may be one of a class that is named now
        return found

    def operation(self, node: gast.expr) -> Operation | None:
        """The primitive that an expression in normal form applies; None for structural ones."""
        cls = node.__class__
        if cls is gast.BinOp:
            return Operation(BINARY[type(node.op)], (node.left, node.right))
        if cls is gast.Call:
            return self.call_operation(node)
        if cls is gast.UnaryOp:
            return Operation(UNARY[type(node.op)], (node.operand,))
        if cls is gast.Subscript:
            return Operation(registry.getitem, (node.value, node.slice))
        if cls is gast.Attribute:
            if isinstance(used(self.known(node.value)), (Array, Numeric, Scalar)):
                method = methods.attribute(node.attr)
                if method is not None:
                    return Operation(method, (node.value,))
        return None

    def call_operation(self, node: gast.Call) -> Operation | None:
        found: Operation | None = self.answer(self.operations, node, Kinds.called)
        return found

    def called(self, node: gast.Call) -> Operation | None:
        """The primitive that a call applies."""
        keywords = tuple((keyword.arg, keyword.value) for keyword in node.keywords)
        if isinstance(node.func, gast.Attribute):
            base = used(self.known(node.func.value))
            if isinstance(base, (Array, Numeric, Scalar)):
                method = methods.method(node.func.attr)
                if method is None:
                    return None
                arguments, named_arguments = method.bind(
                    node.func.value, list(node.args), list(keywords)
                )
                named: Any = tuple(named_arguments)
                return Operation(method.function, tuple(arguments), named)
        callee = self.callee(node)
        value = callee.value if isinstance(callee, Static) else None
        if isinstance(callee, (Static, Record)) and not isinstance(value, registry.FUNCTIONS):
            cls = callee.cls if isinstance(callee, Record) else type(value)
            called = class_attribute(cls, "__call__")
            if registry.rule_for(called) is not None:  # an interpolant, say
                return Operation(called, (node.func, *node.args), keywords)
        return Operation(value, tuple(node.args), keywords) if callable(value) else None

    def callee(self, node: gast.Call) -> Kind:
        """The kind of the function that a call calls."""
        return self.known(node.func)

    def apply(self, operation: Operation) -> Kind | None:
        """The kind of a primitive's result."""
        special = SPECIAL.get(operation.function) if hashable(operation.function) else None
        if special is not None:
            return special(self, operation)
        if registry.is_receiver(operation.function) and callable(operation.function):
            return frozen(operation.function, operation.arguments, operation.keywords)
        derived = derivative(self, operation)
        if derived is not None:
            return derived
        arguments = [self.of(argument) for argument in self.flat(operation.arguments)]
        keywords = [(name, self.of(value)) for name, value in operation.keywords]
        given = [kind for kind in arguments if kind is not None]
        named = [(name, kind) for name, kind in keywords if kind is not None]
        if len(given) < len(arguments) or len(named) < len(keywords):
            return None
        return self.result(operation, given, named)

    def result(
        self,
        operation: Operation,
        arguments: list[Kind],
        keywords: list[tuple[str, Kind]],
    ) -> Kind | None:
        """The kind of a primitive's result for operands of these kinds."""
        if not operation.pure or any(name is None for name, _ in keywords):
            given = ordered(operation, arguments, keywords)
            if self.recursive is not None and given is not None:
                self.forget()  # what it says may change
                called = registry.original(operation.function)
                return self.recursive(called, [whole(self, kind) for kind in given])
            return UNKNOWN
        arithmetic = ARITHMETIC.get(operation.function)
        if arithmetic and (folded := arithmetic(*arguments)) is not None:
            return folded
        elementwise = getattr(operation.rule, "elementwise", False)
        return library_kind(operation.function, elementwise, arguments, keywords)

    def flat(self, arguments: tuple[gast.expr, ...]) -> list[gast.expr]:
        return [a.value if isinstance(a, gast.Starred) else a for a in arguments]

    def binary(self, node: gast.BinOp) -> Kind | None:
        """Most of a program: each operator is asked once about each pair of kinds."""
        left, right = self.of(node.left), self.of(node.right)
        if left.__class__ is not Scalar or right.__class__ is not Scalar:
            left, right = used(left), used(right)
        if left is None or right is None:
            return None
        own = (node.op.__class__, id(left), id(right))
        known = self.paired.get(own)
        if known is None:
            if is_object(left) or is_object(right):
                return Pending() if self.hopeful else UNKNOWN
            known = self.paired[own] = left, right, self.operated(node, left, right)
        return known[2]

    def operated(self, node: gast.BinOp, left: Kind, right: Kind) -> Kind | None:
        key = (node.op.__class__, left, right)
        seen: dict[Any, Any] = self.scope.operators
        known = seen.get(key, seen)
        if known is seen:
            operation = Operation(BINARY[node.op.__class__], (node.left, node.right))
            found = self.result(operation, [left, right], [])
            known = seen[key] = combined(node.op, left, right) if found == UNKNOWN else found
        kind: Kind | None = known
        return kind

    def primitive(self, node: gast.expr) -> Kind | None:
        operation = self.operation(node)
        return UNKNOWN if operation is None else self.apply(operation)

    def call(self, node: gast.Call) -> Kind | None:
        if any(isinstance(argument, gast.Starred) for argument in node.args):
            return UNKNOWN
        if is_marker(node):
            owner = node.args[0].value
            return Parts(self.scope.objects[owner].cls, owner)
        if isinstance(node.func, gast.Attribute):
            structural = structural_method(self, node)
            if structural is not None:
                return structural
        operation = self.call_operation(node)
        if operation is None:
            callee = self.of(node.func)
            if self.hopeful and isinstance(callee, Bound) and callee.arguments:
                if is_object(self.of(callee.arguments[0])):
                    return Pending()
            return None if callee is None else opaque(self, node)
        is_special = hashable(operation.function) and operation.function in SPECIAL
        if registry.rule_for(operation.function) is None and not is_special:
            built = made_by(self, operation, node)
            if built is not None:
                return built
        if isinstance(operation.function, types.FunctionType):
            found = self.apply(operation)
            return opaque(self, node) if found == UNKNOWN else found
        return self.apply(operation)

    def subscript(self, node: gast.Subscript) -> Kind | None:
        base = used(self.of(node.value))
        if base is None:
            return None
        if isinstance(base, Array):
            return indexing(base, node.slice, self.of)
        if isinstance(base, Scalar):  # of NumPy, else it has no items
            dtype = None if base.dtype == "?" else base.dtype
            return indexing(Array(dtype, ()), node.slice, self.of)
        if isinstance(base, Record) and not base.indexed:
            return joined_kind(node, base, self.of)  # what the class makes of it
        if isinstance(base, (Record, Sequence)):
            return self.item(base, node.slice)
        if isinstance(base, Instance):
            return maybe(held_classes(base.classes))
        if isinstance(base, Mapping):
            return base.item
        if isinstance(base, Text) or isinstance(base, Static) and isinstance(base.value, str):
            return Text()
        return Numeric() if isinstance(base, Numeric) else self.part(node)

    def part(self, node: gast.Attribute | gast.Subscript) -> Kind | None:
        """The kind of a part of an object that is held by its parts."""
        found = part_name(self, node)
        if found is not None:
            held = self.scope.objects[found[0].owner].fields
            if found[1] in held:
                return self.names.get(held[found[1]])
            if not found[0].indexed:
                return self.inherited(found[0].cls, node)
        return UNKNOWN

    def item(self, base: Record | Sequence, index: gast.expr) -> Kind | None:
        if is_empty(base) and base.cls in (list, dict) and not isinstance(index, gast.Slice):
            return None if self.filling else UNKNOWN
        if isinstance(index, gast.Slice):
            part = slice_of(index, self.of)
            if isinstance(base, Record) and part is not None and base.cls in (list, tuple):
                items = base.items[part]
                return Record(base.cls, tuple(range(len(items))), items)
            return as_sequence(base)
        key = key_of(index, self.of)
        if isinstance(base, Record):
            if isinstance(key, int) and issubclass(base.cls, (tuple, list)):
                return base.items[key] if -len(base.items) <= key < len(base.items) else UNKNOWN
            if key is not None and base.cls is dict:
                return base.get(key) or UNKNOWN
            if issubclass(base.cls, (tuple, list, dict)):
                sequence_kind = as_sequence(Record(list, base.keys, base.items))
                return sequence_kind.item if isinstance(sequence_kind, Sequence) else UNKNOWN
            return UNKNOWN
        return base.item

    def attribute(self, node: gast.Attribute) -> Kind | None:
        base = used(self.of(node.value))
        if base is None:
            return None
        if isinstance(base, Static):
            return self.static_attribute(base.value, node.attr)
        if isinstance(base, Record):
            return self.record_attribute(base, node)
        if isinstance(base, Parts):
            return self.part(node)
        if isinstance(base, Instance):
            return maybe(held_classes(base.classes))
        if isinstance(base, Super):
            following = base.cls.__mro__[base.cls.__mro__.index(base.after) + 1 :]
            return self.inherited(base.cls, node, base.base, following)
        if isinstance(base, Array):
            fixed = ARRAY_ATTRIBUTES.get(node.attr)
            if fixed is not None:
                return fixed(base)
        if isinstance(base, (Array, Numeric, Scalar)):
            function = methods.attribute(node.attr)
            return UNKNOWN if function is None else self.apply(Operation(function, (node.value,)))
        return UNKNOWN

    def static_attribute(self, value: Any, attribute: str) -> Kind:
        if isinstance(value, types.MethodType) and attribute == "__self__":
            return kind_of(value.__self__)
        told = isinstance(value, (types.ModuleType, type, np.ufunc))
        if not (told or registry.is_receiver(value) or registry.is_vouched_for(value)):
            return UNKNOWN
        key = (id(value), attribute)
        if key not in self.members:
            has = hasattr(value, attribute)
            self.members[key] = kind_of(self.scope.member(value, attribute)) if has else UNKNOWN
        return self.members[key]

    def record_attribute(self, base: Record, node: gast.Attribute) -> Kind:
        fields = getattr(base.cls, "_fields", None)
        if fields and node.attr in fields and issubclass(base.cls, tuple):
            position: int = fields.index(node.attr)
            return base.items[position]
        if not base.indexed:
            own = base.get(node.attr)
            if own is not None:
                return own
        return self.inherited(base.cls, node)

    def inherited(
        self,
        cls: type,
        node: gast.Attribute,
        receiver: gast.expr | None = None,
        bases: tuple[type, ...] | None = None,
    ) -> Kind:
        """The kind of an attribute that an object has from its class."""
        if node.attr == "__class__":
            return Static(cls)
        found = class_attribute(cls, node.attr, bases)
        if isinstance(found, types.FunctionType) or hasattr(type(found), "__unbound__"):
            if bases is None:
                self.scope.methods[cls, node.attr] = found
            return Bound(Static(found), (node.value if receiver is None else receiver,))
        if isinstance(found, classmethod):
            own = gast.Attribute(value=node.value, attr="__class__", ctx=gast.Load())
            return Bound(Static(found.__func__), (own,))
        if isinstance(found, staticmethod):
            return Static(found.__func__)
        if found is None or hasattr(found, "__get__"):
            return UNKNOWN
        return kind_of(found)


_EXPRESSIONS: dict[type, Callable[[Kinds, Any], Kind | None]] = {
    gast.Name: Kinds.name,
    gast.Constant: displays.constant,
    gast.BinOp: Kinds.binary,
    gast.UnaryOp: Kinds.primitive,
    gast.Call: Kinds.call,
    gast.Subscript: Kinds.subscript,
    gast.Attribute: Kinds.attribute,
    gast.Tuple: displays.display,
    gast.List: displays.display,
    gast.Dict: displays.table,
    gast.IfExp: displays.choice,
    gast.BoolOp: displays.either,
    gast.Lambda: lambda kinds, node: Local(node),
    gast.Compare: condition,
    gast.JoinedStr: lambda kinds, node: Text(),
}
