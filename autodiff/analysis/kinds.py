"""What every name holds: kinds flow forward through the function.

The analysis is flow-insensitive on names: `versions` has already given each version its own name. A
name's kind joins the kinds of all its definitions; loops repeat until nothing changes. Sizes that
are born inside a loop are forgotten for names that live on into the next iteration or past the
loop, since there they may belong to another iteration.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

import gast
import numpy as np

from autodiff.analysis.arguments import kind_of
from autodiff.analysis.exemplar import elementwise_kind, result_kind
from autodiff.analysis.indexing import indexing
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Bound,
    Dim,
    Kind,
    Local,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    Unknown,
    as_sequence,
    forget,
    forget_values,
    join,
    named,
)
from autodiff.analysis.operation import BINARY, UNARY, Operation
from autodiff.analysis.scope import Scope
from autodiff.normalize.structure.jumps import falls_through
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.rules import methods, registry
from autodiff.runtime import sequence
from autodiff.syntax.names import caught, parameters, reads, store, writes
from autodiff.syntax.walk import walk

_ROUNDS = 12


class Kinds:
    """The kind of every name, and of every expression over them."""

    def __init__(
        self,
        names: Mapping[str, Kind],
        scope: Scope,
        local: frozenset[str],
        recursive: Callable[[Any, list[Kind | None]], Kind | None] | None = None,
    ) -> None:
        self.names = dict(names)
        self.scope = scope
        self.local = local
        self.recursive = recursive
        self.seen: dict[Any, Kind | None] = {}
        self.stable: tuple[str, ...] = ()
        self.globals: dict[str, Kind] = {}
        self.members: dict[tuple[int, str], Kind] = {}

    def of(self, node: gast.expr) -> Kind | None:
        """The kind of an expression; None while a name it needs has no value yet."""
        if node.__class__ is gast.Name and node.id in self.local:
            return self.names.get(node.id)
        handler = _EXPRESSIONS.get(node.__class__)
        return handler(self, node) if handler else UNKNOWN

    def known(self, node: gast.expr) -> Kind:
        """The kind of an expression, `UNKNOWN` where there is none."""
        return self.of(node) or UNKNOWN

    def name(self, node: gast.Name) -> Kind | None:
        if node.id in self.local:
            return self.names.get(node.id)
        return self.free(node.id)

    def free(self, identifier: str) -> Kind:
        found = self.globals.get(identifier)
        if found is None:
            try:
                found = self.globals[identifier] = kind_of(self.scope.lookup(identifier))
            except (KeyError, ValueError):
                return UNKNOWN
        return found

    def constant(self, node: gast.Constant) -> Kind:
        value = node.value
        if type(value) in (bool, int, float, complex):
            return Scalar(type(value).__name__, None, value)
        return Static(value)

    def operation(self, node: gast.expr) -> Operation | None:
        """The primitive that an expression in normal form applies; None for structural ones."""
        if isinstance(node, gast.BinOp):
            return Operation(BINARY[type(node.op)], (node.left, node.right))
        if isinstance(node, gast.UnaryOp):
            return Operation(UNARY[type(node.op)], (node.operand,))
        if isinstance(node, gast.Subscript):
            return Operation(registry.getitem, (node.value, node.slice))
        if isinstance(node, gast.Attribute):
            if isinstance(self.known(node.value), (Array, Scalar)):
                method = methods.attribute(node.attr)
                if method is not None:
                    return Operation(method, (node.value,))
            return None
        if isinstance(node, gast.Call):
            return self.call_operation(node)
        return None

    def call_operation(self, node: gast.Call) -> Operation | None:
        keywords = tuple((keyword.arg, keyword.value) for keyword in node.keywords)
        if isinstance(node.func, gast.Attribute):
            base = self.known(node.func.value)
            if isinstance(base, (Array, Scalar)):
                method = methods.method(node.func.attr)
                if method is None:
                    return None
                arguments, named_arguments = method.bind(
                    node.func.value, list(node.args), list(keywords)
                )
                return Operation(method.function, tuple(arguments), tuple(named_arguments))
        callee = self.callee(node)
        if isinstance(callee, Static) and callable(callee.value):
            return Operation(callee.value, tuple(node.args), keywords)
        return None

    def callee(self, node: gast.Call) -> Kind:
        """The kind of the function that a call calls."""
        return self.known(node.func)

    def apply(self, operation: Operation) -> Kind | None:
        """The kind of a primitive's result."""
        special = _SPECIAL.get(operation.function) if _hashable(operation.function) else None
        if special is not None:
            return special(self, operation)
        arguments = [self.of(argument) for argument in self.flat(operation.arguments)]
        keywords = [(name, self.of(value)) for name, value in operation.keywords]
        if None in arguments or any(kind is None for _, kind in keywords):
            return None
        return self.result(operation, arguments, keywords)

    def result(
        self,
        operation: Operation,
        arguments: list[Kind],
        keywords: list[tuple[str, Kind]],
    ) -> Kind | None:
        """The kind of a primitive's result for operands of these kinds."""
        if not operation.pure or any(name is None for name, _ in keywords):
            if self.recursive is not None and isinstance(operation.function, types.FunctionType):
                return self.recursive(operation.function, [*arguments, *(k for _, k in keywords)])
            return UNKNOWN
        rule = operation.rule
        if operation.function in _ARITHMETIC:
            folded = _ARITHMETIC[operation.function](*arguments)
            if folded is not None:
                return folded
        if any(isinstance(kind, Unknown) for kind in arguments):
            return UNKNOWN
        if rule is not None and rule.elementwise and not keywords:
            return elementwise_kind(operation.function, tuple(arguments))
        return result_kind(operation.function, tuple(arguments), tuple(keywords))

    def flat(self, arguments: tuple[gast.expr, ...]) -> list[gast.expr]:
        return [a.value if isinstance(a, gast.Starred) else a for a in arguments]

    def binary(self, node: gast.BinOp) -> Kind | None:
        """Most of a program: each operator is asked once about each pair of kinds."""
        left, right = self.of(node.left), self.of(node.right)
        if left is None or right is None:
            return None
        key = (node.op.__class__, left, right)
        if key not in self.seen:
            operation = Operation(BINARY[node.op.__class__], (node.left, node.right))
            self.seen[key] = self.result(operation, [left, right], [])
        return self.seen[key]

    def primitive(self, node: gast.expr) -> Kind | None:
        operation = self.operation(node)
        return UNKNOWN if operation is None else self.apply(operation)

    def call(self, node: gast.Call) -> Kind | None:
        if any(isinstance(argument, gast.Starred) for argument in node.args):
            return UNKNOWN
        if isinstance(node.func, gast.Attribute):
            structural = _structural_method(self, node)
            if structural is not None:
                return structural
        operation = self.call_operation(node)
        if operation is None:
            callee = self.of(node.func)
            return None if callee is None else UNKNOWN
        if isinstance(operation.function, type) and registry.rule_for(operation.function) is None:
            built = self.built(operation.function, node)
            if built is not None:
                return built
        return self.apply(operation)

    def built(self, cls: type, node: gast.Call) -> Kind | None:
        """The kind of a namedtuple made by a call of its class with positional arguments."""
        fields = getattr(cls, "_fields", None)
        if fields and issubclass(cls, tuple) and cls.__new__.__name__ != "__init__":
            by_name = dict(zip(fields, node.args)) | {k.arg: k.value for k in node.keywords}
            if set(by_name) == set(fields):
                items = tuple(self.known(by_name[field]) for field in fields)
                return Record(cls, tuple(range(len(fields))), items)
        return None

    def subscript(self, node: gast.Subscript) -> Kind | None:
        base = self.of(node.value)
        if base is None:
            return None
        if isinstance(base, Array):
            return indexing(base, node.slice, self.of)
        if isinstance(base, (Record, Sequence)):
            return self.item(base, node.slice)
        return UNKNOWN

    def item(self, base: Record | Sequence, index: gast.expr) -> Kind:
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
            if issubclass(base.cls, (tuple, list)):
                sequence_kind = as_sequence(Record(list, base.keys, base.items))
                return sequence_kind.item if isinstance(sequence_kind, Sequence) else UNKNOWN
            return UNKNOWN
        return base.item

    def attribute(self, node: gast.Attribute) -> Kind | None:
        base = self.of(node.value)
        if base is None:
            return None
        if isinstance(base, Static):
            return self.static_attribute(base.value, node.attr)
        if isinstance(base, Record):
            return self.record_attribute(base, node)
        if isinstance(base, Array):
            fixed = _ARRAY_ATTRIBUTES.get(node.attr)
            if fixed is not None:
                return fixed(base)
        if isinstance(base, (Array, Scalar)):
            function = methods.attribute(node.attr)
            return UNKNOWN if function is None else self.apply(Operation(function, (node.value,)))
        return UNKNOWN

    def static_attribute(self, value: Any, attribute: str) -> Kind:
        if not isinstance(value, (types.ModuleType, type)):
            return UNKNOWN
        key = (id(value), attribute)
        if key not in self.members:
            has = hasattr(value, attribute)
            self.members[key] = kind_of(getattr(value, attribute)) if has else UNKNOWN
        return self.members[key]

    def record_attribute(self, base: Record, node: gast.Attribute) -> Kind:
        fields = getattr(base.cls, "_fields", None)
        if fields and node.attr in fields and issubclass(base.cls, tuple):
            return base.items[fields.index(node.attr)]
        if not base.indexed:
            own = base.get(node.attr)
            if own is not None:
                return own
        found = class_attribute(base.cls, node.attr)
        if isinstance(found, types.FunctionType):
            return Bound(Static(found), (node.value,))
        if isinstance(found, classmethod):
            return Bound(Static(found.__func__), (gast.Constant(value=None, kind=None),))
        if isinstance(found, staticmethod):
            return Static(found.__func__)
        if found is None or hasattr(found, "__get__"):
            return UNKNOWN
        return kind_of(found)

    def display(self, node: gast.Tuple | gast.List) -> Kind | None:
        cls = tuple if isinstance(node, gast.Tuple) else list
        if any(isinstance(item, gast.Starred) for item in node.elts):
            return Sequence(UNKNOWN, cls)
        items = [self.of(item) for item in node.elts]
        if any(item is None for item in items):
            return None
        return Record(cls, tuple(range(len(items))), tuple(items))  # type: ignore[arg-type]

    def table(self, node: gast.Dict) -> Kind | None:
        keys = [None if key is None else key_of(key, self.of) for key in node.keys]
        if any(key is None for key in keys):
            return UNKNOWN
        items = [self.of(value) for value in node.values]
        if any(item is None for item in items):
            return None
        return Record(dict, tuple(keys), tuple(items))  # type: ignore[arg-type]

    def choice(self, node: gast.IfExp) -> Kind | None:
        a, b = self.of(node.body), self.of(node.orelse)
        return b if a is None else a if b is None else join(a, b)

    def function(self, node: gast.Lambda) -> Kind:
        return Local(node)


def _hashable(function: Any) -> bool:
    try:
        hash(function)
    except TypeError:
        return False
    return True


def class_attribute(cls: type, name: str) -> Any:
    """The raw attribute of a class, descriptors unbound; None where there is none."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def key_of(index: gast.expr, of: Callable[[gast.expr], Kind | None]) -> Any:
    """The constant a subscript uses, None where it is not a known int or string."""
    kind = of(index)
    if isinstance(kind, Scalar) and kind.type == "int" and type(kind.value) is int:
        return kind.value
    if isinstance(kind, Static) and isinstance(kind.value, str):
        return kind.value
    return None


def slice_of(index: gast.Slice, of: Callable[[gast.expr], Kind | None]) -> slice | None:
    """A slice with constant bounds, None where they are not known."""
    bounds = [None if part is None else key_of(part, of) for part in (index.lower, index.upper, index.step)]
    for part, bound in zip((index.lower, index.upper, index.step), bounds):
        if part is not None and not isinstance(bound, int):
            return None
    return slice(*bounds)


def _condition(kinds: Kinds, node: gast.expr) -> Kind:
    """Comparisons of numbers are bools; of arrays, arrays of bools."""
    parts = [kinds.known(node.left), *map(kinds.known, node.comparators)]  # type: ignore[attr-defined]
    if len(parts) == 2 and any(isinstance(part, Array) for part in parts):
        import operator

        if isinstance(node.ops[0], (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)):  # type: ignore[attr-defined]
            return elementwise_kind(operator.lt, tuple(parts))
        return Scalar("bool")
    if all(isinstance(part, Scalar) for part in parts):
        return Scalar("bool", "?" if any(p.dtype for p in parts if isinstance(p, Scalar)) else None)
    return Scalar("bool") if len(parts) == 2 and _identity(node) else UNKNOWN


def _identity(node: Any) -> bool:
    return isinstance(node.ops[0], (gast.Is, gast.IsNot, gast.In, gast.NotIn))


_EXPRESSIONS: dict[type, Callable[[Kinds, Any], Kind | None]] = {
    gast.Name: Kinds.name,
    gast.Constant: Kinds.constant,
    gast.BinOp: Kinds.binary,
    gast.UnaryOp: Kinds.primitive,
    gast.Call: Kinds.call,
    gast.Subscript: Kinds.subscript,
    gast.Attribute: Kinds.attribute,
    gast.Tuple: Kinds.display,
    gast.List: Kinds.display,
    gast.Dict: Kinds.table,
    gast.IfExp: Kinds.choice,
    gast.Lambda: Kinds.function,
    gast.Compare: _condition,
    gast.JoinedStr: lambda kinds, node: Text(),
}
_ARRAY_ATTRIBUTES: dict[str, Callable[[Array], Kind]] = {
    "shape": lambda a: Record(
        tuple, tuple(range(len(a.shape))), tuple(Scalar("int", None, size) for size in a.shape)
    ),
    "ndim": lambda a: Scalar("int", None, len(a.shape)),
    "size": lambda a: Scalar("int", None, a.shape[0] if len(a.shape) == 1 else None),
    "dtype": lambda a: UNKNOWN if a.dtype is None else Static(np.dtype(a.dtype)),
}


def _length(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    if kind is None:
        return None
    if isinstance(kind, Array) and kind.shape:
        return Scalar("int", None, kind.shape[0])
    if isinstance(kind, Record) and kind.indexed:
        return Scalar("int", None, len(kind.items))
    return Scalar("int")


def _sequence(kinds: Kinds, operation: Operation) -> Kind | None:
    return kinds.of(operation.arguments[0])


def _shape(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    return _ARRAY_ATTRIBUTES["shape"](kind) if isinstance(kind, Array) else UNKNOWN


def _reshape(kinds: Kinds, operation: Operation) -> Kind | None:
    keywords = dict(operation.keywords)
    given = [*operation.arguments[1:2], *(keywords[k] for k in ("shape", "newshape") if k in keywords)]
    kind = kinds.of(operation.arguments[0])
    if kind is None or not given:
        return None if kind is None else UNKNOWN
    shape = kinds.of(given[0])
    parts = shape.items if isinstance(shape, Record) else (shape,)
    if not isinstance(kind, (Array, Scalar)) or not all(isinstance(p, Scalar) for p in parts):
        return UNKNOWN
    dtype = kind.dtype if isinstance(kind, Array) else _dtype_of(kind)
    sizes = [p.value for p in parts if isinstance(p, Scalar)]
    known = tuple(s if isinstance(s, Dim) or type(s) is int and s >= 0 else None for s in sizes)
    if known.count(None) == 1 and sizes[known.index(None)] == -1 and isinstance(kind, Array):
        known = _rest(known, kind.shape)
    return Array(dtype, known)


def _rest(known: tuple[Any, ...], shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """The size that -1 stands for, where one size alone is left on both sides."""
    left = list(shape)
    for size in known:
        if size is not None and size in left:
            left.remove(size)
        elif size is not None and size != 1:
            return known
    left = [size for size in left if size != 1 or size is None]
    missing = left[0] if len(left) == 1 else 1 if not left else None
    return tuple(missing if size is None else size for size in known)


def _dtype_of(kind: Scalar) -> str | None:
    if kind.dtype is not None:
        return None if kind.dtype == "?" else kind.dtype
    return {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}[kind.type]


def _listed(cls: type) -> Callable[[Kinds, Operation], Kind | None]:
    def listed(kinds: Kinds, operation: Operation) -> Kind | None:
        if not operation.arguments:
            return Record(cls, (), ())
        kind = kinds.of(operation.arguments[0])
        if isinstance(kind, Record) and kind.cls in (tuple, list):
            return Record(cls, kind.keys, kind.items)
        if isinstance(kind, Sequence):
            return Sequence(kind.item, cls)
        if isinstance(kind, Array) and kind.shape:
            item = indexing(kind, gast.Constant(value=0, kind=None), kinds.of)
            return Sequence(item, cls)
        return None if kind is None else Sequence(UNKNOWN, cls)

    return listed


def _partial(kinds: Kinds, operation: Operation) -> Kind | None:
    function = kinds.known(operation.arguments[0])
    return Bound(function, operation.arguments[1:], operation.keywords)


def _range(kinds: Kinds, operation: Operation) -> Kind | None:
    return Sequence(Scalar("int"), list)


_SPECIAL: dict[Any, Callable[[Kinds, Operation], Kind | None]] = {
    len: _length,
    sequence: _sequence,
    np.shape: _shape,
    np.reshape: _reshape,
    list: _listed(list),
    tuple: _listed(tuple),
    range: _range,
}


def _special_partial() -> None:
    import functools

    _SPECIAL[functools.partial] = _partial


_special_partial()


def _add(a: Kind, b: Kind) -> Kind | None:
    if isinstance(a, Record) and isinstance(b, Record) and a.cls is b.cls and a.cls in (list, tuple):
        items = a.items + b.items
        return Record(a.cls, tuple(range(len(items))), items)
    return _shifted(a, b, -1) or _shifted(b, a, -1) or _exact(a, b, lambda x, y: x + y)


def _subtract(a: Kind, b: Kind) -> Kind | None:
    return _shifted(a, b, 1) or _exact(a, b, lambda x, y: x - y)


def _multiply(a: Kind, b: Kind) -> Kind | None:
    return _exact(a, b, lambda x, y: x * y)


def _shifted(a: Kind, b: Kind, sign: int) -> Kind | None:
    if isinstance(a, Scalar) and isinstance(a.value, Dim) and a.type == "int":
        if isinstance(b, Scalar) and type(b.value) is int:
            return Scalar("int", a.dtype, a.value.minus(sign * b.value))
    return None


def _exact(a: Kind, b: Kind, function: Callable[[int, int], int]) -> Kind | None:
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        if type(a.value) is int and type(b.value) is int and a.dtype is None and b.dtype is None:
            return Scalar("int", None, function(a.value, b.value))
    return None


def _negate(a: Kind) -> Kind | None:
    return _subtract(Scalar("int", None, 0), a)


_ARITHMETIC: dict[Any, Callable[..., Kind | None]] = {
    BINARY[gast.Add]: _add,
    BINARY[gast.Sub]: _subtract,
    BINARY[gast.Mult]: _multiply,
    UNARY[gast.USub]: _negate,
}


def _structural_method(kinds: Kinds, node: gast.Call) -> Kind | None:
    """Methods of dicts that list their parts."""
    base = kinds.of(node.func.value)
    if not isinstance(base, Record) or base.cls is not dict or node.args:
        return None
    if node.func.attr == "items":
        pairs = tuple(
            Record(tuple, (0, 1), (_key_kind(key), item))
            for key, item in zip(base.keys, base.items)
        )
        return Record(list, tuple(range(len(pairs))), pairs)
    if node.func.attr == "values":
        return Record(list, tuple(range(len(base.items))), base.items)
    if node.func.attr == "keys":
        keys = tuple(map(_key_kind, base.keys))
        return Record(list, tuple(range(len(keys))), keys)
    return None


def _key_kind(key: Any) -> Kind:
    return Scalar("int", None, key) if type(key) is int else Static(key)


def kinds(
    tree: gast.FunctionDef,
    given: Mapping[str, Kind],
    scope: Scope,
    recursive: Callable[[Any, list[Kind | None]], Kind | None] | None = None,
) -> Kinds:
    """The kinds of all names of a function in normal form, from the kinds of its parameters.

    `recursive` tells the kind that a function which calls itself returns, for kinds of arguments.
    """
    return _Flow(tree, given, scope, recursive).run()


class _Flow:
    def __init__(
        self,
        tree: gast.FunctionDef,
        given: Mapping[str, Kind],
        scope: Scope,
        recursive: Callable[[Any, list[Kind | None]], Kind | None] | None,
    ) -> None:
        self.tree = tree
        assigned = _definitions(tree.body)
        self.single = {name for name, count in assigned.items() if count == 1}
        own = set(parameters(tree.args))
        self.single -= own
        self.escaping = _escaping(tree)
        self.grown: set[str] = set()
        self.stored = stored_into(tree)
        self.result = Kinds({}, scope, frozenset(own | set(assigned)), recursive)
        for parameter in own:
            kind = given.get(parameter, UNKNOWN)
            if not assigned.get(parameter):
                kind = named(kind, parameter)
            self.result.names[parameter] = loosened(kind) if parameter in self.stored else kind
        self.changed = False

    def run(self) -> Kinds:
        for round_number in range(_ROUNDS):
            self.changed = False
            self.block(self.tree.body)
            if not self.changed:
                return self.result
            if not self.escaping:
                return self.result
        for name in self.escaping:
            self.result.names[name] = UNKNOWN
        self.block(self.tree.body)
        return self.result

    def define(self, name: str, kind: Kind | None) -> None:
        if kind is None:
            return
        old = self.result.names.get(name)
        if name in self.single and name not in self.grown:
            kind = named(kind, name)
        elif old is not None:
            kind = join(old, kind)
        owners = self.escaping.get(name)
        if owners:
            kind = forget(kind, owners)
        if name in self.stored:
            kind = loosened(kind)
        if kind != old:
            self.result.names[name] = kind
            self.changed = True

    def block(self, statements: list[gast.stmt]) -> None:
        for statement in statements:
            handler = _STATEMENTS.get(type(statement))
            if handler:
                handler(self, statement)
            else:
                for name in writes(statement):
                    self.define(name, UNKNOWN)

    def assign(self, statement: gast.Assign) -> None:
        target = statement.targets[0]
        if isinstance(target, gast.Name):
            self.define(target.id, self.result.of(statement.value))
        elif isinstance(target, gast.Tuple):
            self.unpack(target, self.result.of(statement.value))

    def unpack(self, target: gast.Tuple, kind: Kind | None) -> None:
        if kind is None:
            return
        for number, part in enumerate(target.elts):
            item: Kind = UNKNOWN
            if isinstance(kind, Record) and number < len(kind.items):
                item = kind.items[number]
            elif isinstance(kind, Sequence):
                item = kind.item
            elif isinstance(kind, Array) and kind.shape:
                item = indexing(kind, gast.Constant(value=number, kind=None), self.result.of)
            self.define(part.id, item)

    def augmented(self, statement: gast.AugAssign) -> None:
        if isinstance(statement.target, gast.Name):
            target = store(statement.target.id)
            target.ctx = gast.Load()
            value = gast.BinOp(left=target, op=statement.op, right=statement.value)
            self.define(statement.target.id, self.result.of(value))

    def expression(self, statement: gast.Expr) -> None:
        """`xs.append(x)` and `xs.extend(ys)` make the items of `xs` known."""
        call = statement.value
        if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)):
            return
        base = call.func.value
        if not (isinstance(base, gast.Name) and base.id in self.result.local and call.args):
            return
        old = self.result.of(base)
        if isinstance(old, (Record, Sequence)) and old.cls is list:
            item = self.result.of(call.args[-1])
            if item is None:
                return
            if call.func.attr == "extend":
                grown = as_sequence(item)
                item = grown.item if isinstance(grown, Sequence) else UNKNOWN
            if call.func.attr in ("append", "extend", "insert"):
                self.grow(base.id, old, item)

    def grow(self, name: str, old: Kind, item: Kind) -> None:
        joined = as_sequence(old)
        if isinstance(old, Record) and not old.items:
            joined = Sequence(item)
        elif isinstance(joined, Sequence):
            joined = Sequence(join(joined.item, item))
        self.grown.add(name)
        owners = self.escaping.get(name)
        joined = forget(joined, owners) if owners else joined
        if joined != old:
            self.result.names[name] = joined
            self.changed = True

    def branch(self, statement: gast.If) -> None:
        self.block(statement.body)
        self.block(statement.orelse)

    def loop(self, statement: gast.For | gast.While) -> None:
        if isinstance(statement, gast.For):
            self.define(statement.target.id, Scalar("int"))
        self.block(statement.body)

    def context(self, statement: gast.With) -> None:
        for name in writes(statement.items):
            self.define(name, UNKNOWN)
        self.block(statement.body)

    def attempt(self, statement: gast.Try) -> None:
        self.block(statement.body)
        for handler in statement.handlers:
            for name in caught(handler):
                self.define(name, UNKNOWN)
            self.block(handler.body)
        self.block(statement.orelse)
        self.block(statement.finalbody)

    def local_function(self, statement: gast.FunctionDef) -> None:
        self.define(statement.name, Local(statement))


_STATEMENTS: dict[type, Callable[[_Flow, Any], None]] = {
    gast.Assign: _Flow.assign,
    gast.AugAssign: _Flow.augmented,
    gast.Expr: _Flow.expression,
    gast.If: _Flow.branch,
    gast.For: _Flow.loop,
    gast.While: _Flow.loop,
    gast.With: _Flow.context,
    gast.Try: _Flow.attempt,
    gast.FunctionDef: _Flow.local_function,
}


def loosened(kind: Kind) -> Kind:
    """The kind of a container whose parts are replaced: nothing is fixed about them."""
    if isinstance(kind, Record) and kind.cls is list:
        return forget_values(as_sequence(kind))
    if isinstance(kind, Record) and not issubclass(kind.cls, tuple):
        return UNKNOWN
    return kind


def stored_into(tree: gast.FunctionDef) -> set[str]:
    """Names that may refer to a container some part of which is replaced."""
    parent: dict[str, str] = {}
    bases: set[str] = set()

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for node in gast.walk(tree):
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            if isinstance(node.ctx, (gast.Store, gast.Del)):
                base = node.value
                while isinstance(base, (gast.Subscript, gast.Attribute)):
                    base = base.value
                if isinstance(base, gast.Name):
                    bases.add(base.id)
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            if node.func.attr in _REPLACING and isinstance(node.func.value, gast.Name):
                bases.add(node.func.value.id)
    if not bases:
        return bases
    for node in gast.walk(tree):
        if isinstance(node, gast.Assign) and isinstance(node.value, _SHARING):
            names = [find(name) for name in sorted(writes(node) | reads(node.value))]
            for other in names[1:]:
                parent[find(other)] = find(names[0])
    roots = {find(base) for base in bases}
    return {name for name in list(parent) if find(name) in roots} | bases


_SHARING = (gast.Name, gast.Subscript, gast.Attribute, gast.Tuple, gast.List, gast.Dict, gast.IfExp)
_REPLACING = frozenset("update setdefault pop popitem clear insert remove sort reverse".split())


def _definitions(statements: list[gast.stmt]) -> dict[str, int]:
    """How many statements define each name."""
    counts: dict[str, int] = {}

    def visit(block: list[gast.stmt]) -> None:
        for statement in block:
            if isinstance(statement, (gast.If, gast.While, gast.For, gast.With, gast.Try)):
                own: set[str] = set()
                if isinstance(statement, gast.For):
                    own = writes(statement.target)
                elif isinstance(statement, gast.With):
                    own = writes(statement.items)
                for handler in getattr(statement, "handlers", []):
                    own = own | caught(handler)
                    visit(handler.body)
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(statement, field, None) or [])
            else:
                own = writes(statement)
            for name in own:
                counts[name] = counts.get(name, 0) + 1

    visit(statements)
    return counts


def _escaping(tree: gast.FunctionDef) -> dict[str, set[str]]:
    """Names assigned in a loop that live past the iteration, with all names assigned in that loop."""
    found: dict[str, set[str]] = {}
    total: dict[str, int] = {}
    for node in walk(tree):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            total[node.id] = total.get(node.id, 0) + 1

    def visit(block: list[gast.stmt]) -> None:
        for statement in block:
            for field in ("body", "orelse", "finalbody"):
                visit(getattr(statement, field, None) or [])
            for handler in getattr(statement, "handlers", []):
                visit(handler.body)
            if isinstance(statement, (gast.For, gast.While)):
                assigned = writes(statement.body)
                if isinstance(statement, gast.For):
                    assigned |= writes(statement.target)
                inside: dict[str, int] = {}
                for node in walk(statement):
                    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                        inside[node.id] = inside.get(node.id, 0) + 1
                exposed = upward_exposed(statement)
                for name in assigned:
                    if name in exposed or total.get(name, 0) > inside.get(name, 0):
                        found.setdefault(name, set()).update(assigned)

    visit(tree.body)
    return found


def upward_exposed(loop: gast.For | gast.While) -> set[str]:
    """Names that an iteration of the loop may read before it assigns them."""
    exposed: set[str] = set()
    defined: set[str] = set()
    if isinstance(loop, gast.While):
        exposed |= reads(loop.test)
    else:
        defined = writes(loop.target)
    exposed_reads(loop.body, defined, exposed)
    return exposed


def exposed_reads(block: list[gast.stmt], defined: set[str], exposed: set[str]) -> set[str]:
    """Adds to `exposed` the names that the block may read before it defines them.

    Returns the names certainly defined after the block.
    """
    defined = set(defined)
    for statement in block:
        if isinstance(statement, gast.If):
            exposed |= reads(statement.test) - defined
            then = exposed_reads(statement.body, defined, exposed)
            defined = then & exposed_reads(statement.orelse, defined, exposed)
        elif isinstance(statement, gast.For):
            exposed |= reads(statement.iter) - defined
            exposed_reads(statement.body, defined | writes(statement.target), exposed)
        elif isinstance(statement, gast.While):
            exposed |= reads(statement.test) - defined
            exposed_reads(statement.body, defined, exposed)
        elif isinstance(statement, gast.With):
            exposed |= reads(statement.items) - defined
            inside = exposed_reads(statement.body, defined | writes(statement.items), exposed)
            defined = defined if may_suppress(statement) else inside
        elif isinstance(statement, gast.Try):
            after = exposed_reads(statement.body, defined, exposed)
            after = exposed_reads(statement.orelse, after, exposed)
            for handler in statement.handlers:
                exposed |= (reads(handler.type) if handler.type else set()) - defined
                handled = exposed_reads(handler.body, defined | caught(handler), exposed)
                after = after & handled if falls_through(handler.body) else after
            defined = after | exposed_reads(statement.finalbody, defined, exposed)
        else:
            exposed |= reads(statement) - defined
            defined |= writes(statement)
    return defined
