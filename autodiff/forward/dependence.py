"""Each statement of the primal, with the index sets of its value beside it.

    y = x * w           y = x * w
                        y_from = depends(y, x_from, w_from)

The sets of a value say, element by element, which inputs it may depend on: arrays of the numbers
of sets (`runtime/indexsets.py`), moved, stored and shared as tangents are. So the run of this code
at a point finds the sparsity pattern of the Jacobian there, along the path that the function takes.
"""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

import gast

from autodiff.analysis.contents import is_slot
from autodiff.analysis.flow import binding
from autodiff.analysis.kind import (
    Array,
    Kind,
    Local,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
)
from autodiff.analysis.operation import Operation
from autodiff.errors import UnsupportedSyntaxError
from autodiff.forward.calls import called
from autodiff.forward.fitting import Tangent, check_memory, fitted
from autodiff.forward.forward import Forward
from autodiff.forward.kinds import tangent_kind
from autodiff.forward.operations import check_result, is_new, itself, reads_layout
from autodiff.forward.zeros import atom, zeros_for
from autodiff.reverse.primitives import is_repetition
from autodiff.reverse.refusals import check_operands, misfit, missing, missing_rule
from autodiff.rules import registry
from autodiff.rules.linearity import is_zero
from autodiff.runtime import give
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, nodes
from autodiff.tangent.transfers import MOVES, Transfer, transfer_of


class Dependence(Forward):
    """What the index sets of a statement are made from."""

    suffix = "from"
    mirrors_zeros = False

    def statement(self, statement: gast.stmt) -> list[gast.stmt]:
        if isinstance(statement, (gast.Assign, gast.AugAssign)):
            self.check_parts(statement)
        return super().statement(statement)

    def check_parts(self, statement: gast.Assign | gast.AugAssign) -> None:
        """Refuse `z.imag = e`: an element of complex numbers has one set, not two."""
        targets = getattr(statement, "targets", None) or [statement.target]
        for node in nodes(targets[0]):
            if isinstance(node, gast.Attribute) and isinstance(self.kinds.of(node.value), Array):
                raise UnsupportedSyntaxError(
                    f"`.{node.attr}` of an array is assigned",
                    origin_of(statement),
                    why="index sets are not kept for a part of a number",
                    cure="assign the whole numbers",
                )

    def kind(self, primal: Kind | None) -> Kind:
        return _ints(tangent_kind(primal))

    def zero(self, value: gast.expr) -> gast.expr:
        kind = self.kinds.known(value)
        if isinstance(value, gast.Constant) or isinstance(kind, (Scalar, Static, Text, Local)):
            held = getattr(value, "value", None) if isinstance(value, gast.Constant) else 0
            number = isinstance(kind, Scalar) or isinstance(held, (int, float, complex))
            is_none = isinstance(kind, (Static, Text, Local)) or not number
            return gast.Constant(value=None if is_none else 0, kind=None)
        if isinstance(kind, Array) and kind.dtype is not None:
            return quote("np.zeros_like(x, np.int64)", np=self.helper("np"), x=value)
        return quote("f(x)", f=self.helper("independent"), x=value)

    def applied(self, statement: gast.Assign, target: str) -> Tangent:
        value, reverse = statement.value, self
        operation = self.kinds.operation(value)
        if operation is None or is_repetition(reverse, value):  # type: ignore[arg-type]
            raise missing(reverse, statement, value)  # type: ignore[arg-type]
        if registry.is_nondifferentiable(operation.function):
            return Tangent(zeros_for(self, target, name(target)), covering=True)
        rule = operation.rule
        if rule is None and isinstance(operation.function, types.FunctionType):
            return called(self, statement, target, operation)
        if rule is None:
            raise missing_rule(reverse, statement, operation)  # type: ignore[arg-type]
        bound = binding(operation)
        if bound is None:
            raise misfit(statement, operation)
        check_operands(reverse, statement, operation, rule, bound)  # type: ignore[arg-type]
        check_result(self, statement, operation, bound)
        if _moves(operation, bound):
            return Tangent(itself(self, statement, operation.rule, bound), mirrored=True)
        node = self.transferred(statement, target, operation, bound)
        new = is_new(self, operation, target)
        return Tangent(node, covering=True, new=new, after=frozenset({target}))

    def transferred(
        self,
        statement: gast.Assign,
        target: str,
        operation: Operation,
        bound: dict[str, Any],
    ) -> gast.expr:
        """The call of the helper that follows the operation."""
        rule = operation.rule
        own = {p: self.carried(bound[p]) for p, t in rule.adjoints.items() if p in bound}
        active = {p for p, found in own.items() if found and not is_zero(rule.adjoints[p])}
        if not active:
            return zeros_for(self, target, name(target))
        transfer = transfer_of(operation.function, rule, bound, active)
        if transfer is None:
            names = sorted({n.id for p in active for n in own[p]})
            arguments: list[gast.expr] = [name(self.follow(n)) for n in names]
            transfer = Transfer("depends_on_all", ())
        else:
            arguments = []
            for argument in transfer.arguments:
                arguments.extend(self.argument(argument, statement, bound))
        helper = self.helper(transfer.helper)
        return gast.Call(func=helper, args=[name(target), *arguments], keywords=[])

    def argument(
        self, argument: Any, statement: gast.Assign, bound: dict[str, Any]
    ) -> list[gast.expr]:
        """What a helper is given for one argument of its transfer."""
        if not isinstance(argument, str):
            return [_constant(argument)]
        how, _, parameter = argument.rpartition(":")
        if parameter not in bound:
            return [_constant(argument)]
        operand = bound[parameter]
        if how == "value":
            return [clone(operand)]
        several = operand if isinstance(operand, (tuple, list)) else [operand]
        if how == "each":
            none = gast.Constant(value=None, kind=None)
            return [atom(self, o, statement) if self.carried(o) else none for o in several]
        found = [atom(self, o, statement) for o in several]
        if how == "all":
            return [gast.Call(func=self.helper("everything"), args=found, keywords=[])]
        return found

    def carried(self, operand: Any) -> list[gast.Name]:
        """The names in an operand that have sets."""
        several = operand if isinstance(operand, (tuple, list)) else [operand]
        return [n for n in several if isinstance(n, gast.Name) and self.carries(n.id)]

    def fitted(self, statement: gast.Assign, tangent: Tangent) -> gast.expr:
        if tangent.mirrored:
            return fitted(self, statement, tangent)
        target = statement.targets[0].id
        if not tangent.new and not isinstance(self.kinds.names.get(target), Scalar):
            check_memory(self, statement, target)
        return tangent.node

    def laid_out(self, dot: gast.expr, primal: str) -> gast.expr:
        return quote("f(g, x)", f=self.helper("laid_out"), g=dot, x=primal)

    def added(self, statement: gast.AugAssign, place: gast.expr, value: gast.expr) -> gast.stmt:
        """`x_from[i] = depends(x[i], x_from[i], e_from)`."""
        target, kind = statement.target, self.kinds.of(statement.target)
        if isinstance(target, gast.Name) and isinstance(kind, (Record, Sequence)):
            return super().added(statement, place, value)
        if isinstance(target, gast.Attribute) and is_slot(self.kinds.known(target.value)):
            slots = [clone(place.value), clone(target.value)]
            helper = self.helper("united_value")
            return gast.Expr(value=gast.Call(func=helper, args=[*slots, value], keywords=[]))
        whole, read = clone(target), clone(place)
        whole.ctx = read.ctx = gast.Load()
        union = gast.Call(func=self.helper("depends"), args=[whole, read, value], keywords=[])
        inside = isinstance(target, gast.Subscript) and isinstance(
            self.kinds.of(target.value), Array
        )
        if isinstance(kind, Array) and not inside:  # the array itself is changed
            place = gast.Subscript(
                value=clone(read), slice=gast.Constant(value=Ellipsis, kind=None), ctx=gast.Store()
            )
        elif not inside and not isinstance(kind, Scalar):
            raise UnsupportedSyntaxError(
                "an in-place update of what is only known at run time",
                origin_of(statement),
                why="whether it changes an array or replaces a number is not known",
                cure="write `x[i] = x[i] + e`",
            )
        return gast.Assign(targets=[place], value=union)

    def added_at(self, call: gast.Call, arguments: list[gast.expr]) -> gast.Call:
        return gast.Call(func=self.helper("united_at"), args=arguments, keywords=[])

    def given(self, call: gast.Call, arguments: list[gast.expr]) -> gast.Call:
        operation = self.kinds.call_operation(call)
        is_give = operation is not None and operation.function is give
        helper = self.helper("united_slots" if is_give else "united_back")
        into, value = arguments
        return gast.Call(func=helper, args=[into, clone(call.args[0]), value], keywords=[])

    def scaled(self, statement: gast.AugAssign, place: gast.expr) -> list[gast.stmt]:
        return []


def _moves(operation: Operation, bound: dict[str, Any]) -> bool:
    """Whether the primitive does to sets what it does to numbers."""
    try:
        known = operation.function in MOVES
    except TypeError:  # not hashable
        return False
    return known and "dtype" not in bound and not reads_layout(bound)


def _constant(value: Any) -> gast.expr:
    if isinstance(value, tuple):
        return gast.Tuple(elts=[_constant(item) for item in value], ctx=gast.Load())
    return gast.Constant(value=value, kind=None)


def _ints(kind: Kind) -> Kind:
    """The kind with integers for all numbers."""
    if isinstance(kind, Scalar):
        return Scalar("int")
    if isinstance(kind, Array):
        return Array("int64", kind.shape)
    if isinstance(kind, Record):
        return replace(kind, items=tuple(map(_ints, kind.items)))
    if isinstance(kind, (Sequence, Mapping)):
        return replace(kind, item=_ints(kind.item))
    return kind
