"""A rule applied to one operation: the template's text with the operands filled in."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Dim,
    Kind,
    Record,
    Scalar,
    Sequence,
    is_complex,
    is_real,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.operation import Operation
from autodiff.errors import InternalError
from autodiff.optimize.simplify import simplify
from autodiff.reverse.bars import Bar, Bars, leaves
from autodiff.reverse.expand import (
    conjugate_seed,
    conjugated,
    expand,
    known_value,
    lowered,
    same_shape,
)
from autodiff.reverse.helpers import Helpers
from autodiff.rules.template import Rule
from autodiff.syntax.names import name, reads, store
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import clone, map_children


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one operation adds to the adjoint of one operand.

    at: the index at which it is added, None where it is added to the whole adjoint.
    """

    operand: str
    value: gast.expr
    kind: Kind
    fresh: bool
    at: gast.expr | None = None


class Applier:
    """Fills in one template."""

    def __init__(
        self, rule: Rule, operation: Operation, result: str, bars: Bars, helpers: Helpers
    ) -> None:
        self.rule = rule
        self.operation = operation
        self.result = result
        self.bars = bars
        self.kinds: Kinds = bars.kinds
        self.helpers = helpers
        self.mapping: dict[str, Any] = {}
        self.seeds: dict[tuple[object, ...], Bar] = {}
        self.locals: dict[str, gast.expr] = {}
        self.np = helpers.use("np", np)
        self.complex = False

    def contributions(
        self, bound: dict[str, Any], seeds: dict[tuple[object, ...], Bar], active: frozenset[str]
    ) -> list[Contribution]:
        """The contributions to all active operands; `bound` maps parameters to operands."""
        for parameter in self.rule.parameters:
            own = parameter.name
            if own in bound:
                self.mapping[own] = bound[own]
            else:
                self.mapping[own] = _ABSENT.get(parameter.kind, _Default(parameter.default))
        self.seeds = seeds
        found: list[Contribution] = []
        for parameter, template in self.rule.adjoints.items():
            operand = bound.get(parameter)
            if isinstance(operand, (tuple, list)):
                found.extend(self.spread(template, operand, active))
            elif isinstance(operand, gast.Name) and operand.id in active:
                found.append(self.contribution(template, operand))
            elif isinstance(operand, gast.AST) and not isinstance(operand, gast.Name):
                if reads(operand) & active:
                    raise InternalError(
                        f"reverse: an operand of {self.rule.name} is not a name: {sorted(reads(operand))}"
                    )
        return found

    def spread(
        self, template: gast.expr, operands: Any, active: frozenset[str]
    ) -> list[Contribution]:
        """A var-positional parameter: its adjoint is a sequence, one item for each operand."""
        found = []
        whole: gast.expr | None = None
        for index, operand in enumerate(operands):
            if not (isinstance(operand, gast.Name) and operand.id in active):
                continue
            if whole is None:
                whole = self.bound_once(self.filled(template), "adjoints")
            value = gast.Subscript(
                value=whole, slice=gast.Constant(value=index, kind=None), ctx=gast.Load()
            )
            found.append(self.finished(value, operand))
        return found

    def bound_once(self, value: gast.expr, hint: str) -> gast.expr:
        variable = self.bars.temporary(hint)
        self.bars.assign(variable, value, self.kinds.known(value))
        return name(variable)

    def contribution(self, template: gast.expr, operand: gast.Name) -> Contribution:
        while isinstance(template, gast.IfExp):
            test = simplify(self.fill(template.test), self.inexact)
            if not isinstance(test, gast.Constant):
                break
            template = template.body if test.value else template.orelse
        if self.is_scatter(template):
            return self.scattered(template, operand)
        self.complex = self.rule.elementwise and self.rule.holomorphic and (
            is_complex(self.kinds.known(operand)) or is_complex(self.kinds.known(name(self.result)))
        )
        value = self.filled(template)
        if self.complex:
            value = conjugated(value, self.kinds, self.np)
        return self.finished(value, operand)

    def is_scatter(self, template: gast.expr) -> bool:
        return (
            isinstance(template, gast.Call)
            and isinstance(template.func, gast.Name)
            and template.func.id == "scatter"
            and self.rule.lookup("scatter") is runtime.scatter
        )

    def scattered(self, template: gast.Call, operand: gast.Name) -> Contribution:
        keywords = {keyword.arg: keyword.value for keyword in template.keywords}
        kind = self.kinds.known(operand)
        at = self.fill(keywords["at"])
        if isinstance(kind, Array):
            value = simplify(self.fill(template.args[0], raw=True), self.inexact)
            if is_real(kind) and is_complex(self.kinds.known(value)):
                value = quote("np.real(x)", np=self.np, x=value)
            return Contribution(operand.id, value, self.kinds.known(value), False, at)
        self.mapping = {
            p: _index(v) if isinstance(v, gast.AST) else v for p, v in self.mapping.items()
        }
        value = self.fill(template)
        return Contribution(operand.id, value, kind, True)

    def inexact(self, node: gast.expr) -> bool:
        from autodiff.analysis.kind import is_inexact

        return is_inexact(self.kinds.known(node))

    def filled(self, template: gast.expr) -> gast.expr:
        value = simplify(self.fill(template), self.inexact)
        from_math = getattr(self.operation.function, "__module__", "") == "math"
        math_name = self.math if from_math else None
        value = lowered(value, self.kinds, self.np.id, math_name)  # type: ignore[attr-defined]
        return simplify(value, self.inexact)

    def math(self) -> gast.expr:
        import math

        return self.helpers.use("math", math)

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
        new = map_children(lambda child: self.fill(child, raw), node)
        if isinstance(new, gast.Attribute):
            return known_value(new, self.kinds)
        if isinstance(new, gast.Subscript) and isinstance(new.value, gast.Tuple):
            if isinstance(new.slice, gast.Constant) and type(new.slice.value) is int:
                return new.value.elts[new.slice.value]
        return new

    def call(self, node: gast.Call, raw: bool) -> gast.expr:
        function = self.callee(node.func)
        raw = function is runtime.unreduce or (raw and function is None)
        new = map_children(lambda child: self.fill(child, raw), node)
        if function is None:
            return new
        new.args = [simplify(argument, self.inexact) for argument in new.args]
        for keyword in new.keywords:
            keyword.value = simplify(keyword.value, self.inexact)
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
        return self.helpers.use(identifier, value)

    def operand(self, value: gast.expr) -> gast.expr:
        if self.rule.elementwise and isinstance(self.kinds.of(value), (Record, Sequence)):
            return quote("np.asarray(x)", np=self.np, x=value)
        return clone(value)

    def default(self, value: Any) -> gast.expr:
        if value is None or isinstance(value, (bool, int, float, complex, str)):
            return gast.Constant(value=value, kind=None)
        return self.helpers.use(getattr(value, "__name__", "default"), value)

    def local(self, identifier: str) -> gast.expr | None:
        """A local of the template, computed once and before its first use."""
        if identifier in self.locals:
            return self.locals[identifier]
        for statement in self.rule.locals:
            target = statement.targets[0]
            if isinstance(target, gast.Tuple) and any(e.id == identifier for e in target.elts):
                self.unpacked(target, self.filled(statement.value))
                return self.locals[identifier]
            if isinstance(target, gast.Name) and target.id == identifier:
                value = self.filled(statement.value)
                if not isinstance(value, (gast.Name, gast.Constant)):
                    value = self.bound_once(value, identifier)
                self.locals[identifier] = value
                return value
        return None

    def unpacked(self, target: gast.Tuple, value: gast.expr) -> None:
        names = [self.bars.temporary(part.id) for part in target.elts]
        for part, own in zip(target.elts, names):
            self.bars.define(own, UNKNOWN)
            self.locals[part.id] = name(own)
        self.bars.out.append(
            gast.Assign(
                targets=[gast.Tuple(elts=[store(n) for n in names], ctx=gast.Store())], value=value
            )
        )

    def seed(self, node: gast.Subscript, raw: bool) -> gast.expr | None:
        path: list[object] = []
        while isinstance(node, gast.Subscript):
            if isinstance(node.value, gast.Name) and node.value.id == "d":
                return self.seed_at(tuple(reversed(path)), raw)
            if not isinstance(node.slice, gast.Constant):
                return None
            path.append(node.slice.value)
            node = node.value
        return None

    def seed_at(self, path: tuple[object, ...], raw: bool) -> gast.expr:
        place = (self.result, path)
        bar = self.seeds.get(path)
        kind = self.bars.kind(place)
        if bar is None:
            if isinstance(kind, Record) and self.result not in self.bars.whole:
                items = [self.seed_at((*path, *rest), raw) for rest in leaves(kind)]
                return gast.Tuple(elts=items, ctx=gast.Load())
            return self.bars.zeros(place)
        small = isinstance(bar.kind, Scalar) and raw
        if self.rule.elementwise or small:
            node = clone(bar.node)
        else:
            node = self.bars.expanded(place, bar)
        return conjugate_seed(node, bar.kind, self.np) if self.complex else node

    def finished(self, value: gast.expr, operand: gast.Name) -> Contribution:
        """The contribution brought to the operand's shape and to the real line."""
        kind = self.kinds.known(operand)
        own = self.kinds.known(value)
        if self.rule.elementwise:
            whole = value
            value = self.reduced(value, own, operand, kind)
            if value is not whole:
                own = self.kinds.known(value)
        elif self.misfits(own, kind):
            helper = self.helpers.use("unbroadcast", runtime.unbroadcast)
            value = quote("f(g, x)", f=helper, g=value, x=operand)
            own = self.kinds.known(value)
        if is_real(kind) and is_complex(own):
            value = self.real(value, own)
            own = self.kinds.known(value)
        return Contribution(operand.id, value, own, self.is_fresh(value, own))

    def misfits(self, own: Kind, kind: Kind) -> bool:
        """Whether a rule for arrays was applied to a number or to nested lists of numbers."""
        if isinstance(kind, Scalar):
            return isinstance(own, Array)
        return isinstance(kind, (Record, Sequence)) and isinstance(own, Array)

    def real(self, value: gast.expr, kind: Kind) -> gast.expr:
        if isinstance(value, gast.Name):
            return gast.Attribute(value=value, attr="real", ctx=gast.Load())
        return quote("np.real(x)", np=self.np, x=value)

    def reduced(self, value: gast.expr, own: Kind, operand: gast.Name, kind: Kind) -> gast.expr:
        """Summed over the axes along which the operand was broadcast."""
        result = self.kinds.known(name(self.result))
        if isinstance(result, Record):
            result = next((self.kinds.known(o) for o in self.operands()), UNKNOWN)
        if isinstance(kind, Scalar):
            if isinstance(result, Scalar):
                return value
            if isinstance(result, Array):
                like = same_shape(self.kinds, result)
                if isinstance(own, Scalar) and like is not None:
                    return quote("g * x.size", g=value, x=like)
                return quote("np.sum(g)", np=self.np, g=self.full(value, own, result))
        if isinstance(kind, Array) and isinstance(result, Array):
            if kind.shape == result.shape and None not in kind.shape:
                return value
            if len(kind.shape) == len(result.shape) and self.alone(operand):
                return value
            axes = _broadcast_axes(kind.shape, result.shape)
            if axes is not None:
                lead, kept = axes
                value = self.full(value, own, result)
                if not lead and not kept:
                    return value
                if not (lead and kept):
                    text = "np.sum(g, axis=A)" if lead else "np.sum(g, axis=A, keepdims=True)"
                    numbers = lead or kept
                    axis = repr(numbers[0]) if len(numbers) == 1 else repr(numbers)
                    return quote(text.replace("A", axis), np=self.np, g=value)
        elif self.alone(operand) and not isinstance(kind, Scalar):
            return value
        elif isinstance(kind, Array) and not kind.shape and isinstance(result, Scalar):
            return value
        helper = self.helpers.use("unbroadcast", runtime.unbroadcast)
        full = self.full(value, own, result)
        return quote("f(g, x)", f=helper, g=full, x=operand)

    def operands(self) -> list[gast.expr]:
        return [a for a in self.operation.arguments if not isinstance(a, gast.Starred)]

    def alone(self, operand: gast.Name) -> bool:
        """Whether all other operands are plain numbers, so that nothing was broadcast."""
        others = [
            other
            for other in (*self.operands(), *(value for _, value in self.operation.keywords))
            if not (isinstance(other, gast.Name) and other.id == operand.id)
        ]
        return all(isinstance(self.kinds.known(other), Scalar) for other in others)

    def full(self, value: gast.expr, own: Kind, result: Kind) -> gast.expr:
        """The value with all of the result's shape."""
        if isinstance(own, Array) and isinstance(result, Array):
            if own.shape == result.shape and None not in own.shape:
                return value
            if all(self.bars.is_full((self.result, p), bar) for p, bar in self.seeds.items()):
                return value
        elif all(self.bars.is_full((self.result, p), bar) for p, bar in self.seeds.items()):
            return value
        like = same_shape(self.kinds, result) or name(self.result)
        shape = gast.Attribute(value=like, attr="shape", ctx=gast.Load())
        return quote("np.broadcast_to(g, s)", np=self.np, g=value, s=shape)

    def is_fresh(self, value: gast.expr, kind: Kind) -> bool:
        """Whether the value, of this kind, is a new array that nothing else refers to."""
        if isinstance(value, gast.Name):
            return any(
                isinstance(bar.node, gast.Name) and bar.node.id == value.id and bar.owned
                for bar in self.seeds.values()
            )
        if isinstance(kind, Scalar):
            return True
        if isinstance(value, gast.BinOp):
            return isinstance(kind, Array) and bool(kind.shape)
        if isinstance(value, gast.UnaryOp):
            return isinstance(value.op, gast.USub)
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
            base = value.func.value
            if isinstance(base, gast.Name) and base.id == self.np.id:  # type: ignore[attr-defined]
                return isinstance(getattr(np, value.func.attr, None), np.ufunc) or (
                    value.func.attr in ("sum", "where", "full_like", "zeros_like", "dot", "outer")
                )
        return False


@dataclass(frozen=True, slots=True)
class _Default:
    value: Any


_ABSENT: dict[Any, Any] = {inspect.Parameter.VAR_POSITIONAL: ()}


def _broadcast_axes(
    small: tuple[Any, ...], big: tuple[Any, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Leading axes and kept axes to sum over; None where the sizes do not tell."""
    lead = len(big) - len(small)
    if lead < 0:
        return None
    kept = []
    for axis, (a, b) in enumerate(zip(small, big[lead:]), lead):
        if a is None or b is None:
            return None
        if a == b:
            continue
        if a == 1 and (isinstance(b, int) or isinstance(b, Dim) and b.plural):
            kept.append(axis)
        else:
            return None
    return tuple(range(lead)), tuple(kept)


def add_at(
    variable: str, at: gast.expr, value: gast.expr, kinds: Kinds, helper: Callable[[str], gast.expr]
) -> list[gast.stmt]:
    """`x_bar[at] += value`, by `np.add.at` where an index may occur twice."""
    basic = is_basic(at, kinds.of)
    if basic is False and _is_mask(at, kinds):
        basic = True
    if basic:
        return quote_statements("x[i] += v", x=variable, i=at, v=value)
    if basic is False:
        text = "np.add.at(x, i, v)"
        return quote_statements(text, np=helper("np"), x=variable, i=_index(at), v=value)
    return quote_statements("f(x, i, v)", f=helper("add_at"), x=variable, i=_index(at), v=value)


def _is_mask(at: gast.expr, kinds: Kinds) -> bool:
    kind = kinds.known(at) if not isinstance(at, (gast.Tuple, gast.Slice)) else UNKNOWN
    return isinstance(kind, Array) and kind.dtype == "bool"


def _index(at: gast.expr) -> gast.expr:
    if isinstance(at, gast.Slice):
        parts = [p or gast.Constant(value=None, kind=None) for p in (at.lower, at.upper, at.step)]
        return gast.Call(func=name("slice"), args=parts, keywords=[])
    if isinstance(at, gast.Tuple):
        return gast.Tuple(elts=[_index(part) for part in at.elts], ctx=gast.Load())
    return at

