"""The adjoint of `y = primitive(x, ...)`: its rule, applied."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.flow import IDENTITIES, binding
from autodiff.analysis.kind import Bound, Kind, Local, Record, Static, Text
from autodiff.analysis.operation import Operation
from autodiff.errors import MissingRuleError, NonDifferentiableError, UnsupportedSyntaxError
from autodiff.reverse import containers, recursion
from autodiff.reverse.apply import Applier, Contribution, add_at
from autodiff.reverse.bars import Bar, Place
from autodiff.rules import registry
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import same

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def primitive(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """Contributions of one operation to its operands."""
    node = statement.value
    if isinstance(node, gast.Call) and containers.listing(reverse, statement, node, taken):
        return
    if containers.concatenation(reverse, statement, target, taken):
        return
    operation = reverse.kinds.operation(node)
    if operation is not None and operation.function in IDENTITIES:
        if containers.identity(reverse, statement, operation.arguments[0], taken):
            return
    if operation is None:
        raise missing(reverse, statement, node)
    if registry.is_nondifferentiable(operation.function):
        return
    if operation.rule is None and isinstance(operation.function, types.FunctionType):
        recursion.call(reverse, statement, target, operation, taken)
        return
    apply(reverse, statement, target, operation, taken)


def apply(
    reverse: Reverse,
    statement: gast.stmt,
    target: str,
    operation: Operation,
    taken: dict[Place, Bar],
) -> None:
    """Apply the rule of an operation."""
    rule = operation.rule
    if rule is None:
        raise missing_rule(reverse, statement, operation)
    bound = binding(operation)
    if bound is None:
        raise misfit(statement, operation)
    check_operands(reverse, statement, operation, bound)
    bars = reverse.bars
    seeds = {path: bar for (_, path), bar in taken.items()}
    state = seed_state(reverse, seeds)
    known = reverse.contributions.get(id(statement))
    if known is not None and known[0] is statement and known[1] == state:
        found = known[2]
    else:
        before = len(bars.out), len(bars.names.taken)
        applier = Applier(rule, operation, target, bars, reverse.helpers)
        found = combined(reverse, applier.contributions(bound, seeds, reverse.active))
        if state and before == (len(bars.out), len(bars.names.taken)):
            reverse.contributions[id(statement)] = statement, state, found
    emit(reverse, found)


def seed_state(reverse: Reverse, seeds: dict[tuple[object, ...], Bar]) -> list[object]:
    """What the contributions of a statement depend on; empty where that is not easily told.

    A loop is reversed until it is known which adjoints cross its iterations: the last time, most
    statements see the adjoints that they saw before.
    """
    state: list[object] = []
    for path, bar in seeds.items():
        if not isinstance(bar.node, gast.Name):
            return []
        state.append((path, bar.node.id, bar.kind, bar.owned, reverse.kinds.names.get(bar.node.id)))
    return state


def combined(reverse: Reverse, found: list[Contribution]) -> list[Contribution]:
    """Contributions to the same operand, added up (`y = x * x`)."""
    result: list[Contribution] = []
    for contribution in found:
        for index, other in enumerate(result):
            if other.operand == contribution.operand and other.at is contribution.at is None:
                if same(other.value, contribution.value):
                    total = doubled(other.value)
                else:
                    total = gast.BinOp(left=other.value, op=gast.Add(), right=contribution.value)
                kind = reverse.kinds.known(total)
                result[index] = Contribution(other.operand, total, kind, True)
                break
        else:
            result.append(contribution)
    return result


def doubled(value: gast.expr) -> gast.expr:
    """`2.0 * a * b` for `a * b + a * b`: scaling by two is exact."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)):
        return gast.BinOp(left=doubled(value.left), op=value.op, right=value.right)
    two = gast.Constant(value=2.0, kind=None)
    return gast.BinOp(left=two, op=gast.Mult(), right=value)


def emit(reverse: Reverse, pending: list[Contribution]) -> None:
    """Write the contributions; one that overwrites what another reads comes after it."""
    bars = reverse.bars
    pending = list(pending)
    while pending:
        for index, contribution in enumerate(pending):
            own = written(reverse, contribution)
            others = pending[:index] + pending[index + 1 :] if own else []
            if not any(own & reads(other.value) for other in others):
                pending.pop(index)
                write(reverse, contribution)
                break
        else:
            first = pending.pop(0)
            kept = bars.temporary(f"{first.operand}_bar_part")
            bars.assign(kept, first.value, first.kind)
            value = Contribution(first.operand, name(kept), first.kind, first.fresh, first.at)
            pending.append(value)


def written(reverse: Reverse, contribution: Contribution) -> set[str]:
    """The variables that writing a contribution may overwrite."""
    bars = reverse.bars
    return {bars.variable(p) for p in bars.places(contribution.operand) if p in bars.variables}


def write(reverse: Reverse, contribution: Contribution) -> None:
    bars = reverse.bars
    operand = contribution.operand
    if isinstance(bars.kinds.names.get(operand), (Text, Static, Local, Bound)):
        raise NonDifferentiableError(
            f"a derivative would have to flow through `{operand}`, which is no number",
            why="text, functions and the like have no derivative",
            cure="keep the number itself, or wrap it in stop_gradient",
        )
    if contribution.at is not None:
        value = bars.apart((operand, ()), contribution.value, contribution.kind)
        variable = bars.own((operand, ()))
        bars.out.extend(add_at(variable, contribution.at, value, bars.kinds, reverse.helper))
        return
    kind = bars.kinds.names.get(operand)
    if isinstance(kind, Record) and operand not in bars.whole:
        value = contribution.value
        if not isinstance(value, gast.Name):
            variable = bars.temporary(f"{operand}_bar")
            bars.assign(variable, value, contribution.kind)
            value = name(variable)
        for part in bars.places(operand):
            item = part_of(value, part[1], kind)
            bars.contribute(part, item, bars.kind(part), False)
        return
    bars.contribute((operand, ()), contribution.value, contribution.kind, contribution.fresh)


def part_of(
    value: gast.expr, path: tuple[object, ...], kind: Kind | None = None
) -> gast.expr:
    """`value[k0][k1]` for a path of keys; attributes where `kind` is that of an object."""
    for key in path:
        if isinstance(kind, Record) and not kind.indexed:
            value = gast.Attribute(value=value, attr=str(key), ctx=gast.Load())
        else:
            index = gast.Constant(value=key, kind=None)
            value = gast.Subscript(value=value, slice=index, ctx=gast.Load())
        kind = kind.get(key) if isinstance(kind, Record) else None
    return value


def check_operands(
    reverse: Reverse, statement: gast.stmt, operation: Operation, bound: dict[str, Any]
) -> None:
    """An active operand in a parameter that the rule does not differentiate is an error."""
    rule = operation.rule
    for parameter, operand in bound.items():
        if parameter in rule.adjoints:
            continue
        for active in sorted(active_names(reverse, operand)):
            raise NonDifferentiableError(
                f"`{active}` carries a derivative, but {title(operation)} has no derivative in "
                f"its argument `{parameter}`",
                origin_of(statement),
                why=f"the rule ({rule.file}:{rule.line}) has no line `d[{parameter}] = ...`",
                cure="wrap the argument in stop_gradient if its derivative is to be ignored",
            )


def active_names(reverse: Reverse, operand: Any) -> set[str]:
    if isinstance(operand, (tuple, list)):
        return set().union(*(active_names(reverse, o) for o in operand)) if operand else set()
    if isinstance(operand, gast.Name):
        return {operand.id} & reverse.active
    return set()


def title(operation: Operation) -> str:
    """How a message calls a function: `numpy.linalg.eig`."""
    function = operation.function
    module = getattr(function, "__module__", None)
    if isinstance(function, np.ufunc):
        module = "numpy"
    own = getattr(function, "__qualname__", None) or getattr(function, "__name__", repr(function))
    return f"{module}.{own}" if module and module != "builtins" else str(own)


def missing_rule(
    reverse: Reverse, statement: gast.stmt, operation: Operation
) -> MissingRuleError:
    function = operation.function
    try:
        parameters = [
            p.name
            for p in inspect.signature(function).parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        parameters = []
    parameters = parameters or [f"x{k}" for k in range(1, len(operation.arguments) + 1)] or ["x"]
    own = getattr(function, "__name__", "function")
    head = f"@adjoint({title(operation)})\ndef {own}(y, {', '.join(parameters)}):"
    body = "".join(f"\n    d[{p}] = d[y] * ..." for p in parameters[:1])
    return MissingRuleError(
        f"no derivative is known for {title(operation)}",
        place(statement.value, origin_of(statement)),  # type: ignore[attr-defined]
        why="an argument of this call carries a derivative",
        cure=f"write its rule:\n\nfrom autodiff import adjoint, d\n\n{head}{body}\n",
    )


def misfit(statement: gast.stmt, operation: Operation) -> MissingRuleError:
    rule = operation.rule
    known = {parameter.name for parameter in rule.parameters}
    extra = [key for key, _ in operation.keywords if key not in known]
    if extra:
        what = f"the rule of {title(operation)} does not handle the keyword `{extra[0]}`"
        cure = f"leave out `{extra[0]}=`, or write a rule that has it among its parameters"
    else:
        what = f"the arguments of this call do not fit the rule of {title(operation)}"
        cure = "pass the arguments one by one, as the rule lists them"
    parameters = ", ".join(parameter.name for parameter in rule.parameters)
    return MissingRuleError(
        what,
        place(statement.value, origin_of(statement)),  # type: ignore[attr-defined]
        why=f"it knows ({parameters}); a keyword that is ignored would give a wrong derivative",
        cure=cure,
    )


def missing(reverse: Reverse, statement: gast.Assign, node: gast.expr) -> Exception:
    """The error for an expression through which no derivative can be traced."""
    where = place(node, origin_of(statement))
    if isinstance(node, gast.Call):
        callee = reverse.kinds.known(node.func)
        shown = gast_text(node.func)
        if isinstance(callee, Static) and callable(callee.value):
            return missing_rule(reverse, statement, Operation(callee.value, tuple(node.args)))
        return UnsupportedSyntaxError(
            f"autodiff does not know which function `{shown}` is",
            where,
            why="an argument of this call carries a derivative, and the function is only known at "
            "run time",
            cure="call a function that is a global, a closure variable or an argument, or annotate "
            "the value it is a method of",
        )
    return UnsupportedSyntaxError(
        f"a derivative flows through this {type(node).__name__}, which autodiff cannot trace",
        where,
        why="it is not one of the expressions that autodiff differentiates",
        cure="write it as assignments, loops and calls, or wrap it in stop_gradient",
    )


def gast_text(node: gast.expr) -> str:
    """Short text of a callee: `self.f`."""
    if isinstance(node, gast.Name):
        return node.id
    if isinstance(node, gast.Attribute):
        return f"{gast_text(node.value)}.{node.attr}"
    return "this"
