"""What the names of a text hold, as Core knows them, and expressions of them, as its rules say."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Table
from functools import reduce
from types import ModuleType
from typing import Any

import gast
import numpy as np

from autodiff.instantiate.numerals import number as number_in
from autodiff.kinds.arguments import kind_of
from autodiff.kinds.arithmetic import ARITHMETIC
from autodiff.kinds.exemplar import elementwise_kind
from autodiff.kinds.indexing import indexing
from autodiff.kinds.joins import as_sequence, combined, join
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    number,
    used,
)
from autodiff.kinds.known import Kinds
from autodiff.kinds.operation import BINARY, UNARY, Operation
from autodiff.kinds.results import library_kind
from autodiff.kinds.transfers import ARRAY_ATTRIBUTES, SPECIAL
from autodiff.native.aliasing import Memory
from autodiff.native.bindings import Scope
from autodiff.native.taped import longer, times
from autodiff.rules import methods, registry
from autodiff.rules.home import hashable
from autodiff.syntax.names import Names
from autodiff.syntax.walk import same, walk

_NUMERIC = (Array, Numeric, Scalar)
_ORDERED = (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)
_TESTS = (gast.Is, gast.IsNot, gast.In, gast.NotIn)
_TAKEN = ("float64", "int64", "bool", "complex128")
SHORT = ("int8", "int16", "int32", "uint8", "uint16", "uint32")
"""Whole numbers of fewer bits: data, of which NumPy's results have as many."""


CHOICES: list[Any] = []
"""Helpers that give the second or third argument, as a number of the type of both."""


class NativeKinds(Kinds):
    """What is remembered of a node holds as long as no name gets another kind.

    given: by the `id` of an expression, itself and its kind, which stands for another one.
    """

    names: dict[str, Kind]

    def __init__(
        self,
        names: Table[str, Kind],
        scope: Scope,
        local: frozenset[str],
        taken: Iterable[str],
        memory: Memory,
    ) -> None:
        super().__init__(dict(names))
        self.scope = scope
        self.local = local
        self.memory = memory
        self.unused = Names({*names, *local, *taken})
        self.given: dict[int, tuple[gast.expr, Kind]] = {}
        self.globals: dict[str, Kind] = {}
        self.found: dict[gast.expr, Kind] = {}

    def fresh(self, hint: str, kind: Kind) -> str:
        """A new name for what is of this kind."""
        own = self.unused.fresh(hint)
        self.tell(own, kind)
        return own

    def tell(self, name: str, kind: Kind) -> None:
        """A name holds this, whatever it held."""
        if self.names.get(name, kind) != kind:
            self.found.clear()
        self.names[name] = kind
        self.local |= {name}

    def of(self, node: gast.expr) -> Kind:
        """The kind of an expression, `UNKNOWN` where there is none."""
        own = self.given.get(id(node))
        if own is not None:
            return own[1]
        found = self.found.get(node)
        if found is None:
            handler = _EXPRESSIONS.get(type(node))
            found = super().of(node) if handler is None else handler(self, node)
            self.found[node] = found
        return found

    def value(self, node: gast.expr | None) -> Any:
        """What an expression is that is known while compiling; None for any other."""
        kind = UNKNOWN if node is None else self.of(node)
        return kind.value if isinstance(kind, Static) else None

    def called(self, node: gast.AST | None) -> Any:
        """The function that a call calls, as far as it is known; None for what is no call."""
        return self.value(node.func) if isinstance(node, gast.Call) else None

    def name(self, node: gast.Name) -> Kind:
        found = self.names.get(node.id)
        if found is not None or node.id in self.local:
            return found or UNKNOWN
        return self.free(node.id)

    def free(self, identifier: str) -> Kind:
        """The kind of what a name means that the text does not bind."""
        found = self.globals.get(identifier)
        if found is None:
            try:
                found = kind_of(self.scope.lookup(identifier))
            except (KeyError, ValueError):
                found = UNKNOWN
            self.globals[identifier] = found
        return found

    def binary(self, node: gast.BinOp) -> Kind:
        left, right = used(self.of(node.left)), used(self.of(node.right))
        operation = Operation(BINARY[type(node.op)], (node.left, node.right))
        found = self.result(operation, [left, right], [])
        return combined(node.op, left, right) if found == UNKNOWN else found

    def unary(self, node: gast.UnaryOp) -> Kind:
        return self.apply(Operation(UNARY[type(node.op)], (node.operand,)))

    def call(self, node: gast.Call) -> Kind:
        if any(isinstance(argument, gast.Starred) for argument in node.args):
            return UNKNOWN
        keywords: Any = tuple((keyword.arg, keyword.value) for keyword in node.keywords)
        if isinstance(node.func, gast.Attribute):
            base = used(self.of(node.func.value))
            if isinstance(base, Sequence) and base.cls is list and node.func.attr == "pop":
                return base.item
            if isinstance(base, _NUMERIC):
                method = methods.method(node.func.attr)
                if method is None:
                    return UNKNOWN
                given, named = method.bind(node.func.value, list(node.args), list(keywords))
                keywords = tuple(named)
                return self.apply(Operation(method.function, tuple(given), keywords))
        called = self.called(node)
        if any(called is own for own in CHOICES):
            chosen = Operation(operator.add, tuple(node.args[1:]))
            return self.result(chosen, [used(self.of(a)) for a in node.args[1:]], [])
        if called is times:
            return Scalar("int")
        if called is longer:  # a store of some length
            store = self.of(node.args[0])
            return Array(store.dtype, (None,)) if isinstance(store, Array) else UNKNOWN
        if not callable(called):
            return UNKNOWN
        return self.apply(Operation(called, tuple(node.args), keywords))

    def apply(self, operation: Operation) -> Kind:
        """The kind of a primitive's result."""
        special = SPECIAL.get(operation.function) if hashable(operation.function) else None
        if special is not None:
            return special(self, operation)
        arguments = [self.of(argument) for argument in self.flat(operation.arguments)]
        keywords = [(name, self.of(value)) for name, value in operation.keywords]
        return self.result(operation, arguments, keywords)

    def result(
        self, operation: Operation, arguments: list[Kind], keywords: list[tuple[str, Kind]]
    ) -> Kind:
        """The kind of a primitive's result for operands of these kinds."""
        if not operation.pure or any(name is None for name, _ in keywords):
            return UNKNOWN
        arithmetic = ARITHMETIC.get(operation.function)
        if arithmetic and (folded := arithmetic(*arguments)) is not None:
            return folded
        elementwise = getattr(operation.rule, "elementwise", False)
        return library_kind(operation.function, elementwise, arguments, keywords)

    def subscript(self, node: gast.Subscript) -> Kind:
        base = used(self.of(node.value))
        if isinstance(base, Scalar):  # of NumPy, else it has no items
            base = Array(None if base.dtype == "?" else base.dtype, ())
        if isinstance(base, Array):
            return indexing(base, node.slice, self.of)
        if isinstance(base, Record):
            return self.item(base, node.slice)
        if isinstance(base, (Mapping, Sequence)):
            return base if isinstance(node.slice, gast.Slice) else base.item
        return Numeric() if isinstance(base, Numeric) else UNKNOWN

    def item(self, base: Record, index: gast.expr) -> Kind:
        """A part of a tuple or list, or some of them."""
        if not issubclass(base.cls, (tuple, list)):
            return UNKNOWN
        sequence = as_sequence(Record(list, base.keys, base.items))
        assert isinstance(sequence, Sequence)
        if isinstance(index, gast.Slice):
            bounds = [self.whole(own) for own in (index.lower, index.upper, index.step)]
            if ... in bounds:
                return as_sequence(base)
            items = base.items[slice(*bounds)]
            return Record(base.cls, tuple(range(len(items))), items)
        key = self.whole(index)
        if key is ...:
            return sequence.item
        return base.items[key] if -len(base.items) <= key < len(base.items) else UNKNOWN

    def whole(self, node: gast.expr | None) -> Any:
        """The whole number that an expression is, None for none, `...` for any other."""
        if node is None:
            return None
        kind = self.of(node)
        known = isinstance(kind, Scalar) and type(kind.value) is int
        return kind.value if known and isinstance(kind, Scalar) else ...

    def attribute(self, node: gast.Attribute) -> Kind:
        base = used(self.of(node.value))
        if isinstance(base, Static):
            told = isinstance(base.value, (ModuleType, type, np.ufunc))
            known = told or registry.is_receiver(base.value)
            found = getattr(base.value, node.attr, self) if known else self
            return UNKNOWN if found is self else kind_of(found)
        if isinstance(base, Record) and not base.indexed:
            return base.get(node.attr) or UNKNOWN
        if isinstance(base, Array) and node.attr in ARRAY_ATTRIBUTES:
            return ARRAY_ATTRIBUTES[node.attr](base)
        method = methods.attribute(node.attr) if isinstance(base, _NUMERIC) else None
        return UNKNOWN if method is None else self.apply(Operation(method, (node.value,)))

    def compared(self, node: gast.Compare) -> Kind:
        """Comparisons of numbers are bools; of arrays, arrays of bools."""
        parts = [self.of(node.left), *map(self.of, node.comparators)]
        if len(parts) == 2 and any(isinstance(part, Array) for part in parts):
            if isinstance(node.ops[0], _ORDERED):
                return elementwise_kind(operator.lt, tuple(parts))
            return number("bool")
        if all(isinstance(part, Scalar) for part in parts):
            vague = any(part.dtype for part in parts if isinstance(part, Scalar))
            return number("bool", "?" if vague else None)
        return number("bool") if len(parts) == 2 and isinstance(node.ops[0], _TESTS) else UNKNOWN

    def either(self, node: gast.BoolOp | gast.IfExp) -> Kind:
        """`a and b` is one of its operands, as is `a if test else b`."""
        parts = [node.body, node.orelse] if isinstance(node, gast.IfExp) else node.values
        return reduce(join, map(self.of, parts))

    def remember_copies(self, node: gast.expr, found: gast.expr) -> None:
        """The kinds of the calls in `node` hold for their copies in `found`, made by `quote`."""
        before = [part for part in walk(node) if id(part) in self.given]
        for part in walk(found):
            if isinstance(part, gast.Call) and id(part) not in self.given:
                for other in before:
                    if same(part, other):
                        self.given[id(part)] = part, self.given[id(other)][1]
                        break


_EXPRESSIONS: dict[type, Callable[[NativeKinds, Any], Kind]] = {
    gast.Name: NativeKinds.name,
    gast.BinOp: NativeKinds.binary,
    gast.UnaryOp: NativeKinds.unary,
    gast.Call: NativeKinds.call,
    gast.Subscript: NativeKinds.subscript,
    gast.Attribute: NativeKinds.attribute,
    gast.IfExp: NativeKinds.either,
    gast.BoolOp: NativeKinds.either,
    gast.Compare: NativeKinds.compared,
}


def is_range(node: gast.AST) -> bool:
    """Whether an expression is `range(...)`."""
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id == "range"
        and not node.keywords
    )


def literal(node: gast.expr | None, default: Any) -> Any:
    """The number, None or tuple of numbers that an expression spells, `default` for no expression;
    `Ellipsis` where it is something else."""
    if node is None:
        return default
    if isinstance(node, gast.Tuple):
        items = tuple(literal(item, ...) for item in node.elts)
        return ... if ... in items else items
    if isinstance(node, gast.Constant) and not isinstance(node.value, str):
        return node.value
    value = number_in(node)
    return ... if value is None else value


def is_array(kind: Kind | None) -> bool:
    """Whether a value may be an array: it is not known to be a number."""
    return not isinstance(kind, Scalar)


def is_taken(kind: Kind) -> bool:
    """Whether the native backend takes an argument of this kind.

    Floats, ints and bools of 64 bits, complex numbers of two floats, arrays of them, tuples of
    those: what its tests compare.
    """
    if isinstance(kind, Scalar):
        return kind.dtype is None or kind.dtype in (*_TAKEN, *SHORT)
    if isinstance(kind, Array):
        return kind.dtype in (*_TAKEN, *SHORT) and len(kind.shape) > 0
    return isinstance(kind, Record) and kind.cls is tuple and all(map(is_taken, kind.items))


def wide(kind: Kind) -> Kind:
    """A number of unknown width as one of 64 bits: compiled code has no others."""
    return Scalar(kind.type) if isinstance(kind, Scalar) and kind.dtype == "?" else kind
