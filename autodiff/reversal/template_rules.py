"""A rule applied to one operation: the template, filled in for the kinds, as operations."""

from __future__ import annotations

import functools
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.core import Apply, Block, NotYet, Value, Window
from autodiff.instantiate.adjoint_values import Bar, Values
from autodiff.instantiate.apply import Applier
from autodiff.instantiate.contribution import Contribution, doubled
from autodiff.kinds.binding import binding
from autodiff.kinds.helper_kinds import WHOLE
from autodiff.kinds.joins import join
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Numeric, Unknown, is_complex
from autodiff.kinds.operation import Operation
from autodiff.lower.entries.entry import Entry
from autodiff.lower.entries.outer import reading
from autodiff.lower.expression.comprehending import Comprehending
from autodiff.lower.expression.wholes import decided
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Application, Builder, bound, hole, index_node, names_in, placeholder
from autodiff.primitives.table import SYNTAX
from autodiff.primitives.untraced import misfit, no_slope, of_complex
from autodiff.rules import foreign, registry
from autodiff.rules.home import hashable
from autodiff.rules.linearity import is_zero
from autodiff.rules.template import Rule
from autodiff.syntax.names import name
from autodiff.syntax.walk import map_children, same


class TemplateFrame:
    """The names in what a template is filled in to: tokens of values, references, builtins."""

    outer = None
    tree = gast.Module(body=[], type_ignores=[])

    def __init__(self, unit: Unit, builder: Builder) -> None:
        self.unit, self.builder = unit, builder
        self.names: dict[str, Entry] = {}

    def holder(self, identifier: str) -> TemplateFrame | None:
        return self if identifier in self.names else None

    def temporary(self, hint: str) -> str:
        return f"{hint}_{len(self.names)}"

    def resolve(self, identifier: str) -> tuple[TemplateFrame | None, str]:
        return self.holder(identifier), identifier

    def lookup(self, identifier: str) -> Any:
        if identifier.startswith("@"):
            return self.unit.references.objects[identifier]
        import builtins  # noqa: PLC0415

        try:
            return getattr(builtins, identifier)
        except AttributeError:
            raise NotYet("a name of a template that has no value") from None

    def spelled(self, identifier: str, value: Any) -> str:
        use = self.unit.references.use
        return identifier if identifier.startswith("@") else use(identifier, value)

    def kind(self, value: Any) -> Kind:
        from autodiff.kinds.arguments import kind_of  # noqa: PLC0415

        return kind_of(value)


class Templates(Comprehending):
    """Lowers what a template is filled in to."""

    trusts = True

    def loaded(self, value: Value) -> Value:
        """What a value holds now; what is not written is its own content: regions grow no more."""
        return super().loaded(value) if value.is_written else value

    def numeric(self, entry: Entry) -> Value:
        return self.as_value(entry)

    def outer(self, node: gast.expr) -> Entry:
        return reading(self, *self.outside(node))

    def whole(self, node: gast.expr, kind: Kind | None = None) -> Value:
        """An expression that stays as it is: a choice, a comprehension."""
        operands: list[Value] = []
        inner = {
            part.id
            for part in gast.walk(node)
            if isinstance(part, gast.Name) and isinstance(part.ctx, (gast.Store, gast.Param))
        }

        given = {value.hint for value in self.unit.function.body.parameters}

        def visit(part: gast.AST) -> gast.AST:
            if isinstance(part, gast.Name) and part.id in inner:
                plain = part.id.partition("$")[0]
                while plain in given:  # a parameter keeps its name
                    plain = f"{plain}_"
                self.unit.free.add(plain)
                return gast.Name(plain, part.ctx, None, None)
            if isinstance(part, gast.Name):
                found = self.frame.names.get(part.id)
                if found is None:
                    return part
                operands.append(self.as_value(found))
                return hole(len(operands) - 1)
            return map_children(visit, part)

        form = visit(node)
        parts = node.values if isinstance(node, gast.BoolOp) else []
        parts = [node.body, node.orelse] if isinstance(node, gast.IfExp) else parts
        if parts:
            kind = functools.reduce(join, map(self.of, parts))
        return self.builder.apply(SYNTAX, Application((form,)), form, operands, kind or UNKNOWN)

    def of(self, node: gast.expr) -> Kind:
        """The kind of an expression: it is lowered into nowhere."""
        frame = self.frame
        kept, frame.builder = frame.builder, frame.builder.inside(Block())
        try:
            return self.content(node).kind
        except NotYet:
            return UNKNOWN
        finally:
            frame.builder = kept

    def element(self, base: Value, window: Window, index: list[Value]) -> Value:
        """By index; of several adjoints that a call gives, one."""
        if isinstance(base.kind, (Array, Numeric)):
            return super().element(base, window, index)
        places = index_node(window, [hole(k + 1) for k in range(len(index))])
        form = gast.Subscript(hole(0), places, gast.Load())
        return self.builder.apply(SYNTAX, Application((form,)), form, [base, *index], Numeric())

    def of_GeneratorExp(self, node: gast.GeneratorExp) -> Entry:
        return self.whole(node)


class Bench(Values):
    """Where a template is filled in: it asks for kinds and makes temporaries."""

    names: dict[str, Kind]

    def __init__(self, unit: Unit, builder: Builder, stable: list[Value]) -> None:
        super().__init__({})
        self.unit, self.builder = unit, builder
        self.lowering = Templates(TemplateFrame(unit, builder))  # type: ignore[arg-type]
        self.asked: dict[int, tuple[gast.expr, Kind]] = {}
        self.complex = False
        self.count = 0
        for value in stable:
            self.known_as(value)
        self.stable = tuple(value.token for value in stable)

    # What the applier asks of kinds

    def of(self, node: gast.expr) -> Kind:
        """The kind of an expression: it is lowered into nowhere."""
        if isinstance(node, gast.Name) and node.id in self.names:
            return self.names[node.id]
        found = self.asked.get(id(node))
        if found is not None and found[0] is node:
            return found[1]
        kind = self.lowering.of(node)
        self.asked[id(node)] = node, kind
        return kind

    # What it asks of helpers and adjoints

    def use(self, hint: str, value: Any) -> gast.expr:
        """A name for an object."""
        return name(self.unit.references.use(hint, value))

    def helper(self, identifier: str) -> gast.expr:
        """A helper of ours, or NumPy."""
        return self.use(identifier, np if identifier == "np" else getattr(runtime, identifier))

    def temporary(self, hint: str) -> str:
        """A name for a value that is still to come."""
        self.count += 1
        return f"{hint}${self.count}"

    def assign(self, own: str, node: gast.expr, kind: Kind) -> None:
        """A name is the value of an expression."""
        value = self.lowering.content(node)
        if not value.hint and value.op is not None and value.op.reverse:
            value.hint = own.partition("$")[0]
        self.lowering.frame.names[own] = value
        self.names[own] = value.kind

    def known_as(self, value: Value) -> gast.expr:
        """How a value stands in expressions."""
        if not value.is_constant:
            self.lowering.frame.names[value.token] = value
            self.names[value.token] = value.kind
        return placeholder(value)


def contributions(
    bench: Bench,
    op: Apply,
    content: Entry,
    rule: Rule,
    seeds: dict[tuple[Any, ...], Value],
    active: set[Value],
) -> list[tuple[Value, Contribution]]:
    """What an operation adds to the adjoints of its active operands. content: what it gave."""
    for value in op.operands:
        bench.known_as(value)
    result = op.result
    bench.known_as(result)
    bench.lowering.frame.names[result.token] = content
    arguments = tuple(bound(node, op.operands) for node in op.application.arguments)
    keywords = tuple((key, bound(node, op.operands)) for key, node in op.application.keywords)
    operation = Operation(op.primitive.function, arguments, keywords)
    given = binding(operation)
    if given is None:
        raise misfit(op)
    if registry.is_receiver(getattr(op.primitive.function, "__self__", None)):
        check_real(bench, op)
    by_token = {value.token: value for value in active}
    check(op, given, rule, by_token)
    bars = {path: Bar(bench.known_as(g), g.kind) for path, g in seeds.items()}
    applier = Applier(rule, operation, result.token, bench)
    found = [
        each._replace(value=decided(each.value))
        for each in applier.contributions(given, bars, frozenset(by_token))
        if not is_zero(decided(each.value))
    ]
    return [(by_token[each.operand], each) for each in combined(bench, found)]


def lowered(bench: Bench, each: Contribution) -> Value:
    """A contribution as a value: of the shape of its operand where its function says so."""
    made = bench.lowering.content(each.value)
    function = made.op.primitive.function if isinstance(made.op, Apply) else None
    if hashable(function) and (function in WHOLE or foreign.axes_of(function) is not None):
        made.kind = each.kind
    return made


def check(op: Apply, given: dict[str, Any], rule: Rule, active: dict[str, Value]) -> None:
    """Operands that carry a derivative have to be ones of which the rule says an adjoint."""
    for parameter, node in given.items():
        nodes = node if isinstance(node, (tuple, list)) else [node]
        carrying = [each for each in nodes if not active.keys().isdisjoint(names_in(each))]
        if carrying and parameter not in rule.adjoints:
            raise no_slope(op, rule, parameter)
        if not all(isinstance(each, gast.Name) for each in carrying):
            raise NotYet("an operand that is an expression")


def check_real(bench: Bench, op: Apply) -> None:
    """Distributions are of real numbers; SciPy computes something for complex ones, too."""
    kinds = [value.kind for value in op.operands]
    if any(is_complex(kind) or bench.complex and isinstance(kind, Unknown) for kind in kinds):
        raise of_complex(op)


def combined(bench: Bench, found: list[Contribution]) -> list[Contribution]:
    """Contributions to the same operand, added up (`y = x * x`)."""
    result: list[Contribution] = []
    for each in found:
        for k, other in enumerate(result):
            if other.operand == each.operand and other.at is each.at is None:
                if isinstance(each.kind, Numeric) or each.kind == UNKNOWN:
                    continue
                if same(other.value, each.value):
                    total = doubled(other.value)
                else:
                    total = gast.BinOp(left=other.value, op=gast.Add(), right=each.value)
                result[k] = Contribution(other.operand, total, bench.of(total), True)
                break
        else:
            result.append(each)
    return result
