"""A rule applied to one operation: the template's text with the operands filled in."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.errors import InternalError
from autodiff.instantiate.absence import Absence
from autodiff.instantiate.adjoint_values import Bar, Values
from autodiff.instantiate.broadcast import (
    finished,
    is_fresh,
    is_scatter,
    is_whole,
    scattered,
    terms,
)
from autodiff.instantiate.contribution import Contribution
from autodiff.instantiate.expand import conjugate_seed, conjugated, expand, known_value, lowered
from autodiff.instantiate.literal import known_identity
from autodiff.instantiate.scalars import scalars_first
from autodiff.instantiate.simplify import simplify
from autodiff.kinds.helper_kinds import EVEN
from autodiff.kinds.kind import Record, Scalar, Sequence, is_complex, is_inexact, is_real
from autodiff.kinds.known import Kinds
from autodiff.kinds.operation import Operation
from autodiff.rules import registry
from autodiff.rules.home import home
from autodiff.rules.linearity import is_zero
from autodiff.rules.template import Rule
from autodiff.syntax.names import name, reads
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, map_children


class Applier:
    """Fills in one template."""

    value: gast.expr | None = None
    """The operation as it stands in the function, if it stands there."""

    def __init__(self, rule: Rule, operation: Operation, result: str, bars: Values) -> None:
        self.rule = rule
        self.operation = operation
        self.result = result
        self.bars = bars
        self.kinds: Kinds = bars
        self.mapping: dict[str, Any] = {}
        self.seeds: dict[tuple[object, ...], Bar] = {}
        self.locals: dict[str, gast.expr] = {}
        self.fresh: set[str] = set()
        self.whole: set[str] = set()
        self.absence = Absence(rule, ())
        self.np = bars.use("np", np)
        self.complex = False

    def contributions(
        self, bound: dict[str, Any], seeds: dict[tuple[object, ...], Bar], active: frozenset[str]
    ) -> list[Contribution]:
        """The contributions to all active operands; `bound` maps parameters to operands."""
        self.bind(bound, seeds)
        found: list[Contribution] = []
        for target, template in self.rule.adjoints.items():
            operand = bound.get(target)
            if self.absence.holds(template):
                continue
            if isinstance(operand, (tuple, list)):
                found.extend(self.spread(template, operand, active))
            elif isinstance(operand, gast.Name) and operand.id in active:
                chosen = self.chosen(template)
                if not is_zero(chosen):
                    found += [self.contribution(e, operand) for e in terms(self, chosen, operand)]
            elif isinstance(operand, gast.AST) and not isinstance(operand, gast.Name):
                if names := sorted(reads(operand) & active):
                    raise InternalError(f"reverse: an operand of {self.rule.name} reads {names}")
        return found

    def bind(self, bound: dict[str, Any], seeds: dict[tuple[object, ...], Bar]) -> None:
        """Say what the parameters stand for, and what `d[result]` does."""
        for parameter in self.rule.parameters:
            absent = _ABSENT.get(parameter.kind, _Default(parameter.default))
            self.mapping[parameter.name] = bound.get(parameter.name, absent)
        self.seeds = seeds
        self.absence = Absence(self.rule, seeds)

    def spread(
        self, template: gast.expr, operands: Any, active: frozenset[str]
    ) -> list[Contribution]:
        """A var-positional parameter: its adjoint is a sequence, one item for each operand."""
        found = []
        whole: gast.expr | None = None
        template = self.chosen(template)
        for index, operand in enumerate(operands):
            if not (isinstance(operand, gast.Name) and operand.id in active):
                continue
            if self.is_by_operand(template):
                self.mapping[template.generators[0].target.id] = gast.Constant(index, None)
                found.append(finished(self, self.filled(template.elt), operand))
                continue
            if whole is None:
                whole = self.bound_once(self.filled(template), "adjoints")
            value = gast.Subscript(
                value=whole, slice=gast.Constant(value=index, kind=None), ctx=gast.Load()
            )
            found.append(finished(self, value, operand))
        return found

    def is_by_operand(self, template: gast.expr) -> bool:
        """Whether a template says an item for each operand: `[... for k in range(len(xs))]`."""
        if not isinstance(template, gast.ListComp) or len(template.generators) > 1:
            return False
        over = template.generators[0].iter
        return (
            isinstance(over, gast.Call)
            and isinstance(over.func, gast.Name)
            and self.callee(over.func) is range
        )

    def bound_once(self, value: gast.expr, hint: str) -> gast.Name:
        variable = self.bars.temporary(hint)
        self.bars.assign(variable, value, self.kinds.of(value))
        return name(variable)

    def chosen(self, template: gast.expr) -> gast.expr:
        """The alternative of a template that holds for the kinds at hand."""
        while isinstance(template, gast.IfExp):
            test = simplify(self.fill(template.test), self.inexact)
            if not isinstance(test, gast.Constant):
                break
            template = template.body if test.value else template.orelse
        return template

    def contribution(self, template: gast.expr, operand: gast.Name) -> Contribution:
        if is_scatter(self, template):
            return scattered(self, template, operand)
        self.complex = (
            self.rule.elementwise
            and self.rule.holomorphic
            and (self.may_be_complex(operand) or self.may_be_complex(name(self.result)))
        )
        value = self.filled(template)
        if self.complex:
            value = conjugated(value, self.kinds, self.np)
        return finished(self, value, operand, template)

    def may_be_complex(self, value: gast.expr) -> bool:
        kind = self.kinds.of(value)
        return is_complex(kind) or self.bars.complex and not is_real(kind)

    def inexact(self, node: gast.expr) -> bool:
        return is_inexact(self.kinds.of(node))

    def filled(self, template: gast.expr) -> gast.expr:
        value = simplify(self.fill(template), self.inexact)
        from_math = getattr(self.operation.function, "__module__", "") == "math"
        math_name = self.math if from_math else None
        value = lowered(value, self.kinds, self.np.id, math_name)
        simple = simplify(value, self.inexact)
        ordered = scalars_first(simple, self.kinds)
        done = ordered is simple is value
        return simple if done else simplify(ordered, self.inexact)

    def math(self) -> gast.expr:
        return self.bars.use("math", math)

    def fill(self, node: gast.AST, raw: bool = False) -> Any:
        """The template with operands, result and seed filled in.

        `raw`: a seed that is one number for all elements may stay a number.
        """
        if isinstance(node, gast.Subscript):
            seed = self.seed(node, raw)
            if seed is not None:
                return seed
        if isinstance(node, gast.Name):
            return self.name(node)
        if isinstance(node, gast.IfExp):
            test = simplify(self.fill(node.test), self.inexact)
            if isinstance(test, gast.Constant):
                return self.fill(node.body if test.value else node.orelse, raw)
            body, orelse = self.fill(node.body, raw), self.fill(node.orelse, raw)
            return gast.IfExp(test=test, body=body, orelse=orelse)
        if isinstance(node, gast.Call):
            return self.call(node, raw)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
            if self.absence.holds(node.right):
                return self.fill(node.left, raw)
            if self.absence.holds(node.left):
                right = self.fill(node.right, raw)
                minus = isinstance(node.op, gast.Sub)
                return gast.UnaryOp(op=gast.USub(), operand=right) if minus else right
        new = map_children(lambda child: self.fill(child, raw), node)
        if isinstance(new, gast.Attribute):
            return known_value(new, self.kinds)
        if isinstance(new, gast.Compare):
            return known_identity(new, self.kinds)
        if isinstance(new, gast.Subscript) and isinstance(new.value, gast.Tuple):
            if isinstance(new.slice, gast.Constant) and type(new.slice.value) is int:
                return new.value.elts[new.slice.value]
        return new

    def call(self, node: gast.Call, raw: bool) -> gast.expr:
        function = self.callee(node.func)
        raw = function is runtime.unreduce or (raw and function is None)
        own = getattr(function, "__module__", "").startswith(runtime.__name__)
        even = [node.args[k] for k in EVEN.get(function, ())] if own else []

        def filled(child: gast.AST) -> Any:
            if own and isinstance(child, gast.Subscript) and self.absence.holds(child):
                return gast.Constant(value=None, kind=None)  # a zero, for our helpers
            return self.fill(child, raw or any(child is one for one in even))

        new = map_children(filled, node)
        if function is None:
            return new
        new.args = [simplify(argument, self.inexact) for argument in new.args]
        for keyword in new.keywords:
            keyword.value = simplify(keyword.value, self.inexact)
        new.masks = function in _MASKING
        return expand(new, function, self.kinds, self.np)

    def callee(self, node: gast.expr) -> Any:
        if isinstance(node, gast.Name) and node.id not in self.mapping:
            try:
                return self.rule.lookup(node.id)
            except KeyError:
                return None
        if isinstance(node, gast.Attribute):
            return getattr(self.callee(node.value), node.attr, None)
        return None

    def name(self, node: gast.Name) -> gast.expr:
        identifier = node.id
        if identifier == self.rule.result:
            return name(self.result)
        if identifier in self.mapping:
            value = self.mapping[identifier]
            if isinstance(value, _Default):
                return self.default(value.value)
            if isinstance(value, (tuple, list)):
                items = [self.operand(item) for item in value]
                return gast.Tuple(elts=items, ctx=gast.Load())
            new = self.operand(value)
            if isinstance(node.ctx, gast.Store):
                new.ctx = gast.Store()
            return new
        local = self.local(identifier)
        if local is not None:
            return clone(local)
        try:
            value = self.rule.lookup(identifier)
        except KeyError:  # the variable of a comprehension in the template
            self.mapping[identifier] = name(self.bars.temporary(identifier))
            return self.name(node)
        if isinstance(value, type) or getattr(value, "__module__", "") == "builtins":
            return name(identifier)
        if type(value) in (bool, int, float, str):
            return gast.Constant(value=value, kind=None)
        is_named = registry.is_receiver(value) or identifier in self.rule.cells
        own = home(value)[1] if is_named else None
        hint = own.rpartition(".")[2] if own and "<" not in own else identifier  # of a method
        return self.bars.use(hint, value)

    def operand(self, value: gast.expr) -> gast.expr:
        if self.rule.elementwise and isinstance(self.kinds.of(value), (Record, Sequence)):
            return quote("np.asarray(x)", np=self.np, x=value)
        return clone(value)

    def default(self, value: Any) -> gast.expr:
        if value is None or isinstance(value, (bool, int, float, complex, str)):
            return gast.Constant(value=value, kind=None)
        if isinstance(value, tuple):
            return gast.Tuple(elts=[self.default(item) for item in value], ctx=gast.Load())
        return self.bars.use(getattr(value, "__name__", "default"), value)

    def local(self, identifier: str) -> gast.expr | None:
        """A local of the template, computed once and before its first use."""
        if identifier in self.locals:
            return self.locals[identifier]
        for statement in self.rule.locals:
            target = statement.targets[0]
            if isinstance(target, gast.Name) and target.id == identifier:
                value = self.filled(statement.value)
                if not isinstance(value, (gast.Name, gast.Constant)):
                    new = is_fresh(self, value, self.kinds.of(value))
                    whole = is_whole(self, value)
                    value = self.bound_once(value, identifier)
                    if whole:
                        self.whole.add(value.id)
                    if new and self.read_once(identifier):
                        self.fresh.add(value.id)
                self.locals[identifier] = value
                return value
        return None

    def read_once(self, identifier: str) -> bool:
        """Whether a local of the template goes into one adjoint, and no other local."""
        readers = [*self.rule.adjoints.values(), *(s.value for s in self.rule.locals)]
        return sum(identifier in reads(reader) for reader in readers) == 1

    def seed(self, node: gast.Subscript, raw: bool) -> gast.expr | None:
        path: list[object] = []
        while isinstance(node, gast.Subscript):
            if isinstance(node.value, gast.Name) and node.value.id == "d":
                return self.seed_at(tuple(reversed(path)), raw)
            key = node.slice
            if isinstance(key, gast.Name):  # which operand it is, in a template for many
                key = self.mapping.get(key.id, key)
            if not isinstance(key, gast.Constant) or isinstance(key.value, slice):
                return None
            path.append(key.value)
            node = node.value
        return None

    def seed_at(self, path: tuple[object, ...], raw: bool) -> gast.expr:
        place = (self.result, path)
        bar = self.seeds.get(path)
        kind = self.bars.kind(place)
        if bar is None:
            for end in range(len(path) - 1, -1, -1):
                if path[:end] in self.seeds:  # held as a whole: its parts are not known
                    node = self.seed_at(path[:end], raw)
                    for key in path[end:]:
                        index = gast.Constant(value=key, kind=None)
                        node = gast.Subscript(value=node, slice=index, ctx=gast.Load())
                    return node
            if isinstance(kind, Record):
                items = [self.seed_at((*path, key), raw) for key in kind.keys]
                display = gast.List if kind.cls is list else gast.Tuple
                return display(elts=items, ctx=gast.Load())
            return self.bars.zeros(place)
        small = isinstance(bar.kind, Scalar) and raw
        whole = not (self.rule.elementwise or small)
        node = self.bars.expanded(place, bar) if whole else clone(bar.node)
        return conjugate_seed(node, bar.kind, self.np) if self.complex else node


@dataclass(frozen=True, slots=True)
class _Default:
    value: Any


_MASKING = (np.where, np.tril, np.triu)
_ABSENT: dict[Any, Any] = {inspect.Parameter.VAR_POSITIONAL: ()}
