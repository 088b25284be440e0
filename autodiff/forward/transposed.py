"""The tangent of a primitive from its adjoint, which is linear in the adjoint of the result.

If `x_bar = A(y_bar)` is the adjoint, the gradient of the pairing `sum(x_dot * A(y_bar))` with
respect to `y_bar` is the tangent. So the compiler itself makes it, from the template:

    d[a] = d[y] * np.linalg.inv(a).T * y        y_dot = np.sum(a_dot * np.linalg.inv(a).T * y)
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Record,
    Scalar,
    Sequence,
    is_complex,
    is_real,
)
from autodiff.analysis.operation import Operation
from autodiff.errors import UnsupportedSyntaxError
from autodiff.forward.fitting import Tangent
from autodiff.forward.zeros import zero_of, zeros_for
from autodiff.reverse.apply import Applier
from autodiff.reverse.bars import Bars
from autodiff.reverse.contribution import Contribution
from autodiff.reverse.refusals import title
from autodiff.reverse.values import Bar
from autodiff.rules.template import Rule
from autodiff.runtime import apart, distinct
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import is_comment
from autodiff.syntax.names import bound_inside, name, parameters, reads, store, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import map_children, shallow

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward


def transposed(
    forward: Forward,
    statement: gast.Assign,
    rule: Rule,
    operation: Operation,
    bound: dict[str, Any],
    target: str,
) -> Tangent:
    """The tangent; statements that it needs are written to `forward.bars.out`."""
    kind = forward.kinds.known(name(target))
    parts = forward.used_parts.get(target)
    if parts is None or not isinstance(kind, Record):
        node = _one(forward, statement, rule, operation, bound, target, None, kind)
        if node is None:
            return Tangent(zeros_for(forward, target, name(target)), True)
        if isinstance(kind, Record) and any(map(_is_uncertain, kind.items)):
            node = quote("f(g, x)", f=forward.helper("tangent_of"), g=node, x=target)
        return Tangent(node, covering=True, after=frozenset({target}))
    items: list[gast.expr] = []
    for key, item in enumerate(kind.items):
        own = None
        if key in parts:
            own = _one(forward, statement, rule, operation, bound, target, key, item)
            own = own or zero_of(forward, _part(target, key))
            if _is_uncertain(item):
                helper, like = forward.helper("tangent_of"), _part(target, key)
                own = quote("f(g, x)", f=helper, g=own, x=like)
        items.append(own or gast.Constant(value=None, kind=None))
    node = gast.Tuple(elts=items, ctx=gast.Load())
    return Tangent(node, covering=True, after=frozenset({target}))


def _is_uncertain(item: Kind) -> bool:
    """Whether a part of a result may have another shape than its kind says: residuals, ranks."""
    return isinstance(item, Array) and bool({None, 0, 1} & set(item.shape))


def _part(target: str, key: int) -> gast.expr:
    return quote(f"y[{key}]", y=target)


def _one(
    forward: Forward,
    statement: gast.Assign,
    rule: Rule,
    operation: Operation,
    bound: dict[str, Any],
    target: str,
    key: int | None,
    kind: Kind,
) -> gast.expr | None:
    """The tangent of the result, or of a part of it; None if it is zero."""
    seed = forward.names.fresh(f"{target}_bar")
    forward.kinds.names[seed] = kind
    forward.kinds.local |= {seed}
    bars = Bars(forward.kinds, forward.names, frozenset())
    bars.helper, bars.complex = forward.helper, forward.bars.complex
    applier = Applier(rule, operation, target, bars, forward.helpers)
    path: tuple[object, ...] = () if key is None else (key,)
    found = applier.contributions(bound, {path: Bar(name(seed), kind, False)}, forward.active)
    terms = [_pairing(forward, statement, operation, c, bars) for c in found]
    if not terms:
        return None
    total = terms[0]
    for term in terms[1:]:
        total = gast.BinOp(left=total, op=gast.Add(), right=term)
    body = [*bars.out, gast.Return(value=total)]
    given = sorted((reads(body) & forward.kinds.local) - writes(body) | {seed})
    tree = definition(f"{target}_tangent", given, body)
    kinds = {own: forward.kinds.known(name(own)) for own in given}
    made, meaning = forward.transpose(tree, seed, kinds, not rule.custom)
    primal = name(target) if key is None else _part(target, key)
    return _inlined(forward, made, meaning, {seed: primal})


def _pairing(
    forward: Forward,
    statement: gast.Assign,
    operation: Operation,
    contribution: Contribution,
    bars: Bars,
) -> gast.expr:
    """The inner product of an operand's tangent with what its adjoint receives."""
    own = contribution.operand
    kind = forward.kinds.known(name(own))
    dot: gast.expr = name(forward.follow(own))
    if contribution.at is not None:
        dot = gast.Subscript(value=dot, slice=contribution.at, ctx=gast.Load())
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        variable = bars.temporary(f"{own}_bar")
        bars.assign(variable, contribution.value, contribution.kind)
        items = [
            _inner(forward, quote(f"x[{k}]", x=dot), quote(f"g[{k}]", g=variable), item)
            for k, item in enumerate(kind.items)
        ]
        total = items[0]
        for item in items[1:]:
            total = gast.BinOp(left=total, op=gast.Add(), right=item)
        return total
    if isinstance(kind, Sequence) and isinstance(kind.item, Scalar):
        np = forward.helper("np")
        dot = quote("np.asarray(x)", np=np, x=dot)
        return _inner(forward, dot, quote("np.asarray(g)", np=np, g=contribution.value), UNKNOWN)
    if isinstance(kind, (Record, Sequence)):
        raise UnsupportedSyntaxError(
            f"{title(operation)} of `{own}`, a container of unknown length, has no tangent yet",
            origin_of(statement),
            why="its rule gives the adjoint of a list, which forward mode cannot take apart",
            cure="pass an array: np.array(...)",
        )
    return _inner(forward, dot, contribution.value, kind)


def _inner(forward: Forward, dot: gast.expr, value: gast.expr, kind: Kind) -> gast.expr:
    """`sum(x_dot * x_bar)`; of complex numbers the real part of that with the conjugate."""
    np = forward.helper("np")
    if is_complex(kind) or forward.bars.complex and not is_real(kind):
        product = quote("np.real(np.conj(x) * g)", np=np, x=dot, g=value)
    else:
        product = quote("x * g", x=dot, g=value)
    if isinstance(kind, Scalar):
        return product
    return quote("np.sum(p)", np=np, p=product)


def _inlined(
    forward: Forward,
    made: gast.FunctionDef,
    meaning: Any,
    values: dict[str, gast.expr],
) -> gast.expr:
    """The body of a function of the caller's names, under names that are free here."""
    given = set(parameters(made.args))
    body = [s for s in made.body if not is_comment(s) and not _checks(s, meaning)]
    own = writes(body) | bound_inside(body)
    renamed: dict[str, str] = {}
    for identifier in sorted(own):
        renamed[identifier] = forward.bars.temporary(identifier.replace("_bar", "_dot"))
    out: list[gast.stmt] = []
    for identifier in sorted(own & given):
        value = values.get(identifier, name(identifier))
        out.append(gast.Assign(targets=[store(renamed[identifier])], value=value))
    free = reads(body) - own - given
    mapping: dict[str, gast.expr] = {n: v for n, v in values.items() if n not in own}
    for identifier in sorted(free):
        with contextlib.suppress(KeyError):
            mapping[identifier] = forward.helpers.use(identifier, meaning(identifier))

    def visit(node: gast.AST) -> Any:
        if isinstance(node, gast.Name):
            if node.id in renamed:
                return name(renamed[node.id], node.ctx)
            if node.id in mapping:
                return substitute(node, mapping)
        new = map_children(visit, node)
        if isinstance(node, (gast.FunctionDef, gast.ClassDef)) and node.name in renamed:
            new = shallow(new)
            new.name = renamed[node.name]
        return new

    body = [visit(statement) for statement in body]
    *statements, last = body
    forward.bars.out.extend([*out, *map(_untransposed, statements)])
    last = _untransposed(last)
    value = last.value
    while isinstance(value, gast.Name) and forward.bars.out:
        folded = _folded(value.id, forward.bars.out)
        if folded is None:
            break
        value = folded
    return value


def _checks(statement: gast.stmt, meaning: Any) -> bool:
    """Whether a statement checks that arguments share no memory; here they are copied first."""
    call = statement.value if isinstance(statement, gast.Expr) else None
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Name):
        return False
    with contextlib.suppress(KeyError):
        return meaning(call.func.id) in (apart, distinct)
    return False


def _folded(own: str, out: list[gast.stmt]) -> gast.expr | None:
    """The value of a variable that the last statements have summed up; they are taken away."""
    terms: list[gast.expr] = []
    count = 0
    for statement in reversed(out):
        count += 1
        if isinstance(statement, (gast.Assign, gast.AugAssign)) and own in reads(statement.value):
            return None
        if isinstance(statement, gast.AugAssign) and isinstance(statement.op, gast.Add):
            if isinstance(statement.target, gast.Name) and statement.target.id == own:
                terms.append(statement.value)
                continue
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            if statement.targets[0].id == own:
                terms.append(statement.value)
                break
        return None
    else:
        return None
    del out[-count:]
    total = terms.pop()
    for term in reversed(terms):
        total = gast.BinOp(left=total, op=gast.Add(), right=term)
    return total


def _untransposed(node: Any) -> Any:
    """`x.T.T` is `x`."""
    new = map_children(_untransposed, node)
    if isinstance(new, gast.Attribute) and new.attr == "T":
        if isinstance(new.value, gast.Attribute) and new.value.attr == "T":
            return new.value.value
    return new
