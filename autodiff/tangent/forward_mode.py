"""A function in Core as one that gives its value and the tangent of that."""

from __future__ import annotations

from dataclasses import replace

import gast
import numpy as np

from autodiff.core import Apply, Block, Built, LoadOuter, NotYet, Operation, Value, placed
from autodiff.core.statements import Context
from autodiff.dataflow.activity import Activity
from autodiff.dataflow.carrying import carries
from autodiff.dataflow.whole import check_stores
from autodiff.kinds.kind import Array, Kind, Mapping, Numeric, Record, Scalar, Sequence
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder
from autodiff.primitives.containing import is_memory
from autodiff.reversal.checkpointing import bound_by
from autodiff.reversal.custom_rules import without_insertions
from autodiff.reversal.differentiate import begun, inputs
from autodiff.reversal.finish import is_new
from autodiff.reversal.scope import Precision
from autodiff.runtime import assembled, copied
from autodiff.runtime.checkpoints import checkpointed
from autodiff.syntax.names import name
from autodiff.tangent.inlined_helpers import open_helpers
from autodiff.tangent.propagation import Tangents
from autodiff.tangent.tangent_values import is_same


def with_tangent(
    unit: Unit, wrt: list[Value], single: bool = False, beside: type[Tangents] = Tangents
) -> None:
    """Takes tangents of parameters, behind these, and returns `value, tangent`; `single`: the
    tangent alone. beside: what writes these.
    """
    function = unit.function
    body = function.body
    without_insertions(function)
    leaves = [leaf for value in wrt for leaf in inputs(unit, value)]
    entering = begun(unit)
    starts = [entering.get(leaf, leaf) for leaf in leaves]
    if not beside.has_rules:
        open_helpers(unit, function, starts)
    active = Activity(function, starts)
    check_stores(function, active, unit.references)
    precision = Precision(function)
    made = beside(unit, active, precision.complex)
    entry = given(unit, made, wrt)
    made.block(body)
    body.operations[:0] = entry
    builder = Builder(body, unit.references, reverse=True)
    ending = Ending(made, builder, precision)
    dot = ending.of(function.result)
    active.check()
    function.result = dot if single else Built(tuple, (0, 1), (function.result, dot))


def given(unit: Unit, made: Tangents, wrt: list[Value]) -> list[Operation]:
    """The parameters that hold the tangents of arguments; by name where others are. They may be
    memory of outside that the function changes: then copies are used, made first.
    """
    function = unit.function
    body = function.body
    function.forms += [""] * (len(body.parameters) - len(function.forms))
    form = "keyword" if any(function.forms) else ""
    outer = any(isinstance(op, LoadOuter) and op.result.is_written for op in body.walk())
    entry = Builder(Block(), unit.references, reverse=True)
    for value in wrt:
        dot = body.parameter(Value(f"{value.hint}_{made.suffix}", value.kind, named=True))
        if outer and dot.memory is not None:
            dot = entry.call("copied", copied, dot, name_hint=dot.hint, kind=dot.kind)
            dot.named = True
        elif dot.memory is not None:
            dot.memory.given = not made.shadowed(value)
        made.of[value] = dot
        function.forms.append(form)
    for value in [value for value in body.parameters if value not in made.of]:
        if value not in made.of.values() and made.shadowed(value):
            made.become(entry, value, None)
    placed(body, entry.block.operations)
    return entry.block.operations


class Ending:
    """What is returned beside a result."""

    def __init__(self, made: Tangents, builder: Builder, precision: Precision) -> None:
        self.made, self.builder, self.precision = made, builder, precision
        self.known: dict[int, Built] = {}
        entry = made.unit.entry
        self.seen = {
            dot.region: value.region
            for value, dot in made.of.items()
            if value.op in entry or value in made.unit.function.body.parameters
        }

    def of(self, result: object) -> object:
        """The tangent of a result, in its structure."""
        if isinstance(result, Built):
            if id(result) not in self.known:
                self.known[id(result)] = self.built(result)
            return self.known[id(result)]
        if isinstance(result, (tuple, list)):
            return type(result)(map(self.of, result))
        if not isinstance(result, Value):
            raise NotYet("a result of another form")
        if result not in self.made.of or not carries(result.kind):
            return self.made.zero(self.builder, result)
        if is_memory(result) and not is_alike(result.kind):
            raise NotYet("a result of another form")
        return self.own(result, self.made.of[result])

    def built(self, result: Built) -> Built:
        """The tangent of a container."""
        use = self.made.references.use
        if result.like is None and result.is_object:
            use("assembled", assembled)
            use(result.cls.__name__, result.cls)
        items = tuple(map(self.of, result.items))
        return replace(result, items=items, plain=not result.is_object)

    def own(self, value: Value, dot: Value) -> Value:
        """A tangent that is given out is nobody else's memory, unless its value is."""
        kind = value.kind
        if self.precision.mixed and not is_same(dot.kind, kind):
            dot = self.made.typed(self.builder, value, dot)
        if isinstance(kind, Scalar) or dot.is_constant or dot.region is None:
            return dot
        before = self.seen.get(dot.region)
        if before is None and (is_new(dot) or self.made.shadowed(value)):
            before = self.seen[dot.region] = value.region
        if before is not None and before is value.region:
            return dot
        is_array = isinstance(dot.kind, Array) and dot.kind.shape != ()
        own = (".copy", np.copy) if is_array else ("copied", copied)
        made = self.builder.call(*own, dot, kind=kind)
        assert isinstance(made.op, Apply)
        made.op.reads = True  # what is there now
        return made


def is_alike(kind: Kind) -> bool:
    """Whether the shadow of a container is one as well that holds the same."""
    if isinstance(kind, Sequence):
        return kind.cls is list and is_alike(kind.item)
    if isinstance(kind, Mapping):
        return is_alike(kind.item)
    if isinstance(kind, Record):
        return kind.cls in (list, dict) and all(map(is_alike, kind.items))
    return isinstance(kind, (Array, Scalar, Numeric))


def mark(unit: Unit) -> None:
    """Loops that the function marks have their marks in the text: differentiated again, they stay
    checkpointed.
    """
    for op, count in unit.checkpointed.items():
        own = name(unit.references.use("checkpointed", checkpointed))
        keyword = gast.keyword(arg="snapshots", value=spelled(unit, count))
        form = gast.Call(func=own, args=[], keywords=[keyword])
        op.contexts = (*op.contexts, Context(form, False))


def spelled(unit: Unit, count: Value) -> gast.expr:
    """How many states, as it is written at the loop: a constant, or an argument."""
    if count.is_constant:
        return gast.Constant(value=count.constant, kind=None)
    body = unit.function.body
    made = (v for op in body.walk() for v in (*op.results, *bound_by(op)))
    alike = [v for v in (*body.parameters, *made) if v.hint == count.hint]
    if alike != [count]:  # else no other variable takes its name
        raise NotYet("a tangent of checkpointed loops that is differentiated again")
    return name(count.hint)
