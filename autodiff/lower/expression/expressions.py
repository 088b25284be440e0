"""Expressions: each operation becomes one of Core's; the value of each is an entry."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.core import NotYet, Raises, Value, constant
from autodiff.frontend.source import MARK
from autodiff.kinds.arguments import kind_of
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Drawing,
    Kind,
    Numeric,
    Record,
    Scalar,
    Static,
    Text,
    is_text,
    number,
)
from autodiff.lower.entries import Bound, Box, Closure, Entry, Outer, Pack, outer
from autodiff.lower.entries.boxes import attribute, boxed, called, member, watch
from autodiff.lower.entries.callables import is_derivative, opened
from autodiff.lower.entries.defining import NUMBERS, defines
from autodiff.lower.entries.entry import is_inside, own_method
from autodiff.lower.entries.growing import Growing
from autodiff.lower.entries.library import iterator_of
from autodiff.lower.entries.members import asked
from autodiff.lower.entries.objects import of_own
from autodiff.lower.entries.supers import behind
from autodiff.lower.expression.answered import of_dtype, written_size
from autodiff.lower.expression.comparing import Comparisons
from autodiff.lower.flow import opaque
from autodiff.lower.flow.generators import suspended
from autodiff.primitives import Application, hole, is_opaque, primitive_of
from autodiff.rules import methods, registry


class Expressions(Comparisons):
    """Lowers all expressions; calls are in `calls`."""

    def of_Attribute(self, node: gast.Attribute) -> Entry:
        if self.static(node) is not None:
            return self.outer(node)
        base = asked(self.entry(node.value), node.attr)
        if isinstance(base, (Box, Outer)) and is_derivative(
            own := class_attribute(base.cls, node.attr)
        ):
            watch(self, base.cls, node.attr, own)
            return Bound(opened(self, own, self.unit.references.use(node.attr, own)), (base,))
        if isinstance(base, Box):
            return attribute(self, base, node.attr)
        if isinstance(base, Growing):
            return own_method(base, node.attr)
        if isinstance(base, Outer):
            return self.outer_attribute(base, node.attr)
        if isinstance(base, Pack):
            return self.field(base, node.attr)
        if isinstance(base, Value) and is_inside(base.constant):
            return of_own(self, base.constant, node.attr)
        own = base.function if isinstance(base, Bound) else base
        if isinstance(own, Value) and registry.is_receiver(own.constant):
            return of_distribution(own.constant, node.attr, base)
        if isinstance(base, Closure) and node.attr == "__name__":
            if id(base.node) not in self.unit.renamed:
                return constant(getattr(base.node, "name", "<lambda>"))
        if not isinstance(base, Value):
            raise NotYet("an attribute of an object")
        if lacks(base.kind, node.attr):
            raise Raises(AttributeError, f"this has no attribute {node.attr!r}")
        if node.attr == "__class__" and isinstance(base.kind, (Array, Scalar, Numeric)):
            with self.named(base) as own:
                return self.entry(gast.Call(gast.Name(f"{MARK}type", gast.Load()), [own], []))
        if is_opaque(base):
            return opaque.attribute(self, base, node.attr)
        if is_text(base.kind) or isinstance(base.kind, Drawing):
            return own_method(base, node.attr)
        if not isinstance(base.kind, (Array, Scalar, Numeric)):
            if (told := of_dtype(self, base, node.attr)) is not None:
                return told
            if self.trusts and (own_kind := kind_in(base.kind, node.attr)) is not None:
                return self.builder.look(f"_0.{node.attr}", own_kind, base)
            if isinstance(base.kind, Static):
                return opaque.attribute(self, base, node.attr)
            raise NotYet(f"attribute {node.attr} of {type(base.kind).__name__.lower()}")
        function = methods.attribute(node.attr)
        if function is None:
            return self.bound_method(base, node.attr)
        primitive = primitive_of(function)
        operand = base if primitive.memory != "new" else self.loaded(base)
        if node.attr in ("shape", "size", "ndim", "dtype"):
            operand = base
        if node.attr == "ndim" and isinstance(base.kind, (Array, Scalar)):
            return constant(len(getattr(base.kind, "shape", ())))
        if node.attr == "size" and (size := written_size(base.kind)) is not None:
            return constant(size)
        form = gast.Attribute(value=hole(0), attr=node.attr, ctx=gast.Load())
        found = self.builder.apply(primitive, Application((hole(0),)), form, [operand])
        if node.attr == "dtype" and found.kind == UNKNOWN:
            found.kind = Drawing((np.dtype,))
        if node.attr == "shape" and isinstance(found.kind, Record):
            return self.sizes(found)
        return found

    def outer_attribute(self, base: Outer, word: str) -> Entry:
        """An attribute of an object of outside."""
        return opaque.tried(
            self,
            lambda: outer.attribute(self, base, word),
            lambda: opaque.attribute(self, base, word),
        )

    def sizes_of(self, base: Value) -> Pack:
        """`base.shape`, taken apart."""
        form = gast.Attribute(hole(0), "shape", gast.Load())
        return self.sizes(
            self.builder.apply(primitive_of(np.shape), Application((hole(0),)), form, [base])
        )

    def bound_method(self, base: Value, attribute: str) -> Entry:
        """A method of an array as a value: `f = x.fill`."""
        own = getattr(np.ndarray, attribute, None)
        if attribute == "flat" and isinstance(base.kind, Array):
            return boxed(self.unit, np.flatiter, {"base": base})
        if own is not None and not callable(own):
            return opaque.attribute(self, base, attribute)
        return own_method(base, attribute)

    def field(self, pack: Pack, name: str) -> Entry:
        """A field or a method of a namedtuple; what a class behind that of an object has."""
        if pack.cls is super:
            return behind(self, pack, name)
        fields = getattr(pack.cls, "_fields", ())
        if name in fields:
            return pack.items[fields.index(name)]
        found = class_attribute(pack.cls, name)
        if isinstance(found, property) and found.fget is not None:
            return called(self, found.fget, pack)
        return member(self, pack, found, name)

    def sizes(self, shape: Value) -> Pack:
        """A shape, taken apart."""
        kind = shape.kind
        assert isinstance(kind, Record)
        items = []
        for k, size in enumerate(kind.items):
            if isinstance(size, Scalar) and type(size.value) is int:
                items.append(constant(size.value))
            else:
                items.append(self.builder.item(shape, k, size))
        return Pack(tuple(items))

    def left_out(self, arguments: gast.arguments) -> tuple[tuple[str, Entry], ...]:
        """What parameters of a function defined here are where a call leaves them out."""
        positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
        pairs = list(
            zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults)
        )
        pairs += [
            (a.id, node) for a, node in zip(arguments.kwonlyargs, arguments.kw_defaults) if node
        ]
        if any(not isinstance(node, gast.Constant) for _, node in pairs):
            self.unit.binds = self.builder.origin
        return tuple((parameter, self.passed(node)) for parameter, node in pairs)

    def of_Lambda(self, node: gast.Lambda) -> Entry:
        return Closure(node, self.frame, self.left_out(node.args), self.builder.origin)

    def of_GeneratorExp(self, node: gast.GeneratorExp) -> Entry:
        first = iterator_of(self, self.entry(node.generators[0].iter))
        return suspended(self, node, first)

    def of_ListComp(self, node: gast.ListComp) -> Entry:
        """One in a test; elsewhere they are loops."""
        if self.trusts or any(isinstance(part, gast.Lambda) for part in gast.walk(node)):
            raise NotYet("expression ListComp")
        items = gast.GeneratorExp(node.elt, node.generators)
        return self.entry(gast.Call(gast.Name(f"{MARK}list", gast.Load()), [items], []))

    def of_Call(self, node: gast.Call) -> Entry:
        found: Entry = self.unit.doors.call(self, node)
        return found


def of_distribution(distribution: Any, name: str, given: Entry) -> Entry:
    """A method of a distribution, which may have its parameters already:
    `stats.norm(a, b).logpdf(x)` is `stats.norm.logpdf(x, loc=a, scale=b)`.
    """
    method = getattr(distribution, name, None)
    if registry.rule_for(method) is None:
        raise NotYet(f"method {name} of a distribution")
    return Bound(constant(method), (), given.keywords if isinstance(given, Bound) else ())


def kind_in(kind: Kind, attribute: str) -> Kind | None:
    """The kind of an attribute of an object, if that is a number."""
    found: Kind | None = None
    if isinstance(kind, Static) and hasattr(kind.value, attribute):
        found = kind_of(getattr(kind.value, attribute))
    elif isinstance(kind, Record) and attribute in kind.keys:
        found = kind.items[kind.keys.index(attribute)]
    return number(found.type, found.dtype) if isinstance(found, Scalar) else None


def lacks(kind: Kind, name: str) -> bool:
    """Whether values of a kind surely have no attribute of a name."""
    if isinstance(kind, Array):
        return not hasattr(np.eye(1), name)  # the class has some that only raise an error
    if isinstance(kind, Text):
        return not defines(str, name)
    if not isinstance(kind, Scalar):
        plain = isinstance(kind, Static) and isinstance(kind.value, (str, bytes, type(None)))
        return plain and not hasattr(kind.value, name)  # type: ignore[attr-defined]
    if kind.dtype == "?":
        return not any(defines(cls, name) for cls in NUMBERS)
    known = {"bool": bool, "int": int, "float": float, "complex": complex}[kind.type]
    return not (defines(known, name) or kind.dtype is not None and hasattr(np.float64(), name))
