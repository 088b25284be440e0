"""Shadows: adjoint memory that is made in the forward sweep, beside the memory itself.

One rule: active memory that is written has a shadow, of the same form and layout, which is passed
on wherever the memory is passed on.
"""

from __future__ import annotations

from types import SimpleNamespace

import gast
import numpy as np

from autodiff.core import (
    NOTHING,
    About,
    Append,
    Block,
    Call,
    NotYet,
    References,
    Steps,
    Take,
    Value,
    constant,
    nothing,
    of_a_key,
)
from autodiff.core.operation import Apply, If, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.dataflow.activity import Activity
from autodiff.dataflow.carrying import carries
from autodiff.emit.naming import hint
from autodiff.kinds.kind import (
    Array,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    is_inexact,
    number,
)
from autodiff.primitives import DISPLAY, KEYING, LISTING, Builder, is_by_form, is_laid_out, lent
from autodiff.primitives.containing import is_container, is_memory, key_of, windows_of
from autodiff.primitives.untraced import not_followed
from autodiff.reversal.shadow_kinds import shadow_kind
from autodiff.runtime import blanks, shadow_of, zeros_alike, zeros_like
from autodiff.syntax.names import name


class Shadows:
    """Makes them; `of` gives the shadow of a value. laid_out: they lie in memory as that does.
    suffix: what their names end with. returning: they are given to others. replaced: what was in a
    shadow before. apart: what containers hold at some time, with adjoints of its own: it is looked
    into, or they get other memory for what they hold.
    """

    suffix, returning = "bar", False

    def __init__(self, active: Activity, references: References, laid_out: bool = False) -> None:
        self.active, self.references, self.laid_out = active, references, laid_out
        self.apart: set[Value] = set()
        self.of: dict[Value, Value] = {}
        self.replaced: dict[Store, Value] = {}
        self.primal: dict[Value, Value] = {}

    def shadowed(self, value: Value) -> bool:
        """Whether a value has a shadow."""
        region = value.region
        if region is None or value not in self.active:
            return False
        if is_memory(value) or isinstance(value.kind, Sequence):
            return True
        if isinstance(value.op, Apply) and value.op.primitive is DISPLAY:
            return False  # it is written where it is used
        if isinstance(value.kind, Numeric):
            return False  # nobody changes it
        return carries(value.kind) and (region.written or region.held)

    def block(self, block: Block) -> None:
        """Operations on shadows beside the operations on memory."""
        operations, block.operations = block.operations, []
        for op in operations:
            block.operations.append(op)
            if isinstance(op, Loop):
                carried = [group for group in op.groups if self.shadowed(group[1])]
                for _, parameter, _, _ in carried:
                    self.bar(parameter)
            for inner in op.blocks:
                self.block(inner)
            builder = Builder(block, self.references, op.origin)
            start = len(block.operations)
            with About(op):
                if isinstance(op, Loop):
                    for init, parameter, following, result in carried:
                        ends = self.end(init), self.of[parameter], self.end(following)
                        op.carry(*ends, self.bar(result))
                elif isinstance(op, If):
                    self.joined(op)
                else:
                    self.beside(op, builder)
            for made in block.operations[start:]:
                made.shadow = True

    def several(self, builder: Builder, values: list[Value], grouped: list[Value]) -> None:
        """The shadows of values of which some may share memory."""
        for value in (v for v in values if v not in grouped):
            self.know(value, self.zeros(builder, value))
        if grouped:
            kinds = [shadow_kind(v.kind) if is_container(v.kind) else v.kind for v in grouped]
            kind = Record(tuple, tuple(range(len(kinds))), tuple(kinds))
            whole = builder.call("blanks", blanks, *grouped, kind=kind)
            assert isinstance(whole.op, Apply)
            whole.op.reads = True
            for k, value in enumerate(grouped):
                made = builder.item(whole, k, kinds[k])
                made.named = True
                self.know(value, made)

    def joined(self, op: If) -> None:
        for first, second, result in op.groups:
            if self.shadowed(result):
                op.merge(self.end(first), self.end(second), self.bar(result))

    def end(self, value: Value) -> Value:
        """The shadow of what is carried on or joined: nothing, where a variable holds nothing."""
        if value.constant is NOTHING:
            return nothing(f"{value.hint}_{self.suffix}")
        if value not in self.of:
            raise NotYet("a number on one path, and memory on another")
        return self.of[value]

    def bar(self, value: Value) -> Value:
        """The shadow of what is carried or joined."""
        kind = shadow_kind(value.kind) if is_memory(value) else value.kind
        made = Value(f"{hint(value)}_{self.suffix}", kind, value.home.mirror)
        made.partial = value.partial
        self.of[value], self.primal[made] = made, value
        return made

    def beside(self, op: Operation, builder: Builder) -> None:
        """The shadow of what an operation makes."""
        if isinstance(op, Append) and self.shadowed(op.base):
            builder.append(self.of[op.base], self.of.get(op.value, constant(0.0)), op.place)
            self.note(self.of[op.base], None, op.value)
        if isinstance(op, Store) and is_container(op.base.kind) and self.shadowed(op.base):
            self.put(op, builder)
        if isinstance(op, Take) and self.shadowed(op.base):
            made = builder.take(self.of[op.base], op.place)
            if self.shadowed(op.result):
                self.know(op.result, made)
            return
        if isinstance(op, Steps):
            whole = [v for v in op.results if self.shadowed(v)]
            self.several(builder, whole, [v for v in whole if op.results.index(v) in op.grouped])
            return
        if isinstance(op, Load) and op.window is None and is_container(op.result.kind):
            if op.result in self.apart and self.shadowed(op.base):
                self.know(op.result, self.version(op, builder))
            return  # else what a list holds now is no list that changes
        for value in op.results:
            if not self.shadowed(value):
                continue
            if isinstance(op, View):
                made = (
                    builder.view(self.of[op.base], op.window, op.index)
                    if op.window
                    else self.of[op.base]
                )
            elif isinstance(op, Apply) and op.primitive.memory == "view":
                if op.operands[0] not in self.of:
                    raise NotYet("a view of a container of arrays")
                operands = [self.of[op.operands[0]], *op.operands[1:]]
                made = builder.apply(op.primitive, op.application, op.form, operands, value.kind)
                if made.op is not None:
                    made.op.raises = op.raises
            elif isinstance(op, Apply) and (place := lent(op)) is not None:
                given, operands = op.operands[place], list(op.operands)
                if is_by_form(op):
                    operands[place] = self.of[given]
                    own = (op.primitive, op.application, op.form)
                    made = builder.apply(*own, operands, value.kind)
                else:
                    operands = [value, given, self.of[given]]
                    made = builder.call("shadow_of", shadow_of, *operands, kind=value.kind)
            elif isinstance(op, Apply) and op.primitive.memory == "unknown" and value.is_written:
                raise not_followed(op)
            elif isinstance(op, Apply) and op.primitive is LISTING:
                made = self.listing(op, builder)
            elif isinstance(op, Apply) and op.primitive is KEYING:
                raise of_a_key()
            elif isinstance(op, Load) and is_container(op.base.kind):
                made = builder.load(self.of[op.base], op.window, op.index)
            elif isinstance(op, (Apply, Call, Load)) or value.is_array and not value.is_written:
                made = self.zeros(builder, value)
            elif isinstance(op, LoadOuter):
                raise NotYet("memory of outside is changed")
            else:
                raise NotYet("a shadow of another form")
            self.know(value, made)

    def version(self, op: Load, builder: Builder) -> Value:
        """The adjoints of what a list holds now: of arrays those there are, of numbers new ones."""
        item = op.result.kind.item if isinstance(op.result.kind, Sequence) else None
        if isinstance(item, Array) and is_inexact(item):
            return builder.load(self.of[op.base])
        if not isinstance(item, Scalar):
            raise NotYet("what a container holds that gets other memory for that")
        return builder.call("zeros_like", zeros_like, op.result, kind=op.result.kind)

    def know(self, value: Value, made: Value) -> None:
        """A value has a shadow."""
        made.hint = f"{hint(value)}_{self.suffix}"
        if is_memory(value):
            made.kind = shadow_kind(value.kind)
        elif isinstance(made.op, (Load, Take)) and is_container(made.op.operands[0].kind):
            made.kind = value.kind
        if made.memory is not None:
            value.home.mirror.unite(made.memory)
        made.memory = value.home.mirror
        self.of[value], self.primal[made] = made, value

    def put(self, op: Store, builder: Builder) -> None:
        """The shadow of what is put into a container; zero for what may get a new place."""
        shadow, own = self.of[op.base], self.of.get(op.value)
        assert op.window is not None
        if own is not None:
            if self.returning:
                self.replaced[op] = self.before(builder, shadow, op)
            builder.put(shadow, own, op.window, op.index)
        elif isinstance(op.base.kind, Mapping):
            builder.put(shadow, constant(0.0), op.window, op.index)
        self.note(shadow, key_of(shadow.kind, op.window), op.value)

    def before(self, builder: Builder, shadow: Value, op: Store) -> Value:
        """What is replaced: others see the shadow as it was, once the reverse sweep is over."""
        assert op.window is not None
        if isinstance(op.base.kind, Mapping):
            key = op.index[0] if op.index else constant(op.window.parts[0])
            return builder.look("_0.get(_1)", op.value.kind, shadow, key)
        return builder.load(shadow, op.window, op.index)

    def note(self, shadow: Value, key: object, item: Value) -> None:
        """The adjoint of a number in a container will be of its type, not only the zero there."""
        if isinstance(item.kind, Scalar) and carries(item.kind) and shadow.memory is not None:
            shadow.memory.note(key, number(item.kind.type, "?"))
        elif isinstance(item.kind, Numeric) and shadow.memory is not None:
            shadow.memory.note(key, item.kind)

    def listing(self, op: Apply, builder: Builder) -> Value:
        """A container of the shadows of what a container holds; of numbers, zeros."""
        items = [self.of.get(item, constant(0.0)) for item in op.operands]
        kind, region = op.result.kind, op.result.memory
        cls: type = dict if isinstance(kind, Mapping) else list
        cls = kind.cls if isinstance(kind, Record) else cls
        keys = list(range(len(items)))
        form = op.form
        if cls not in (list, dict, tuple):
            space = name(self.references.use("SimpleNamespace", SimpleNamespace))
            form = gast.Call(func=space, args=[], keywords=op.form.keywords)
            assert isinstance(kind, Record)
            cls, keys = SimpleNamespace, list(kind.keys[: len(items)])
        elif cls is tuple:
            cls, form = list, gast.List(elts=form.elts, ctx=gast.Load())
        elif cls is dict:
            keys = [gast.literal_eval(key) for key in form.keys]
        made = builder.holding(cls, keys, items, form, isinstance(kind, Record))
        for window, item in zip(windows_of(form, len(items)), op.operands):
            self.note(made, key_of(made.kind, window), item)
        assert region is not None
        for key, part in made.home.find().inner.items():
            region.part(key).mirror.unite(part)
        return made

    def zeros(self, builder: Builder, value: Value) -> Value:
        """New adjoint memory in the form of a value."""
        return zeros(builder, value, self.laid_out)


def zeros(builder: Builder, value: Value, laid_out: bool = False) -> Value:
    """Zeros in the form of an array, and in its memory order; `laid_out`: as it lies in memory."""
    if value.partial:
        raise NotYet("an adjoint in the form of what may hold nothing")
    own = f"{hint(value)}_bar"
    if laid_out and isinstance(value.kind, Array) and not is_laid_out(value):
        return builder.call("zeros_alike", zeros_alike, value, name_hint=own, kind=value.kind)
    if isinstance(value.kind, Array) and is_inexact(value.kind):
        return builder.call("np.zeros_like", np.zeros_like, value, name_hint=own, kind=value.kind)
    several = isinstance(value.kind, Record) and all(map(carries, value.kind.items))
    if isinstance(value.kind, Sequence):
        several = isinstance(value.kind.item, Scalar)
        if several and value.kind.cls is tuple:  # places of their own, which numbers do not have
            value = builder.call("list", list, value, kind=Sequence(value.kind.item, list))
    if not several and not (
        isinstance(value.kind, Numeric)
        or isinstance(value.kind, Array)
        and value.kind.dtype is None
    ):
        raise NotYet("an adjoint of what holds no floating-point numbers")
    return builder.call("zeros_like", zeros_like, value, name_hint=own, kind=value.kind)
