"""Templates that were filled in before, for the same rule and operands of the same kinds.

Of numbers, what a template of the library comes to follows from the rule, the kinds of operands,
result and adjoint, and which operands carry a derivative: only the names are others.

    d[x] = d[z] * y                 a * b,  c_bar          a_bar: c_bar * b
                                    u * v,  w_bar          u_bar: w_bar * v
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import gast

from autodiff.analysis.kind import Kind, Scalar
from autodiff.analysis.operation import Operation
from autodiff.analysis.size import Dim
from autodiff.reverse.bars import Bars
from autodiff.reverse.contribution import Contribution
from autodiff.reverse.helpers import Helpers
from autodiff.reverse.values import Bar
from autodiff.rules.registry import is_of_library
from autodiff.rules.template import Rule
from autodiff.syntax.names import name
from autodiff.syntax.walk import PARTS, clone, of_class

_LARGEST = 1000
_BUILTIN = frozenset(dir(builtins))
_RESULT, _SEED = "the result", "the seed"

Seeds = dict[tuple[object, ...], Bar]


@dataclass(frozen=True, slots=True)
class _Local:
    """A temporary of a template: its role, the hint for its name, and what is assigned to it."""

    role: str
    hint: str
    value: gast.expr
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Instance:
    """Contributions in which a name stands for its role.

    And what they need, in order: the helpers to ask for, the temporaries to write.
    """

    rule: Rule
    found: tuple[Contribution, ...]
    helpers: tuple[tuple[str, Any], ...]
    locals: tuple[_Local, ...]


_instances: dict[Any, _Instance] = {}


def instance(
    rule: Rule,
    operation: Operation,
    result: str,
    bound: Mapping[str, Any],
    seeds: Seeds,
    bars: Bars,
    helpers: Helpers,
    active: frozenset[str],
    apply: Callable[[], list[Contribution]],
) -> list[Contribution]:
    """What `apply` finds, or what it found for names of these kinds with the names of today."""
    key = _key(rule, operation, result, bound, seeds, bars, active)
    if key is None:
        return apply()
    roles: dict[str, gast.expr] = {_RESULT: name(result), _SEED: seeds[()].node, **bound}
    known = _instances.get(key)
    if known is not None and known.rule is rule:
        roles.update((_role(own), helpers.use(own, value)) for own, value in known.helpers)
        for local in known.locals:
            own = bars.temporary(local.hint)
            bars.assign(own, _renamed(local.value, roles), local.kind)
            roles[local.role] = name(own)
        return [
            Contribution(bound[c.operand].id, _renamed(c.value, roles), c.kind, c.fresh)
            for c in known.found
        ]
    written, taken = len(bars.out), _taken(bars, helpers)
    helpers.asked, bars.given = [], []
    found = apply()
    made = bars.out[written:]
    if _are_locals(made, bars) and _taken(bars, helpers) == taken + len(made):
        _keep(key, rule, found, roles, helpers, made, bars)
    return found


def _taken(bars: Bars, helpers: Helpers) -> int:
    """How many names are taken, those of helpers aside."""
    return len(bars.names.taken - set(helpers.chosen.values()))


def _are_locals(made: list[gast.stmt], bars: Bars) -> bool:
    """Whether statements assign to the temporaries that were asked for, in order, and no more."""
    return len(made) == len(bars.given) and all(
        isinstance(statement, gast.Assign)
        and isinstance(statement.targets[0], gast.Name)
        and statement.targets[0].id == own
        for statement, (_, own) in zip(made, bars.given)
    )


def _key(
    rule: Rule,
    operation: Operation,
    result: str,
    bound: Mapping[str, Any],
    seeds: Seeds,
    bars: Bars,
    active: frozenset[str],
) -> Any:
    """What the contributions depend on besides names; None where that is not easily told."""
    seed = seeds.get(())
    if seed is None or len(seeds) > 1 or operation.keywords or not rule.elementwise:
        return None
    kinds = bars.kinds.names
    own = _plain(kinds.get(result))
    told = _plain(seed.kind)
    if own is None or told is None or not is_of_library(rule):
        return None
    names = {result}
    parts: list[Any] = [id(rule), id(operation.function), own, told, seed.owned]
    for parameter, node in (("", seed.node), *bound.items()):
        if node.__class__ is gast.Name:
            if node.id in names or node.id in _BUILTIN:
                return None
            names.add(node.id)
            kind = _plain(kinds.get(node.id))
            if kind is None:
                return None
            parts.append((parameter, kind, node.id in active))
        elif node.__class__ is gast.Constant and type(node.value) in (int, float):
            parts.append((parameter, type(node.value), repr(node.value)))
        else:
            return None
    return tuple(parts)


def _plain(kind: Kind | None) -> tuple[Any, ...] | None:
    """The kind of a number; None for other kinds, and for a size."""
    if kind.__class__ is not Scalar or kind.value.__class__ is Dim:
        return None
    return kind.type, kind.dtype, repr(kind.value)


def _keep(
    key: Any,
    rule: Rule,
    found: list[Contribution],
    roles: dict[str, gast.expr],
    helpers: Helpers,
    made: list[gast.stmt],
    bars: Bars,
) -> None:
    """Remember contributions and the temporaries in them, if each name in them has one role."""
    asked = dict(helpers.asked)
    if any(value is not asked[own] for own, value in helpers.asked):
        return
    given = {**roles, **{_role(own): name(helpers.chosen[id(v)]) for own, v in asked.items()}}
    by_name = {identifier: identifier for identifier in _BUILTIN}
    for role, node in given.items():
        if node.__class__ is gast.Name:
            if node.id in by_name:
                return
            by_name[node.id] = role
    locals_ = []
    for statement, (hint, own) in zip(made, bars.given):
        value = _by_roles(statement.value, by_name)
        if value is None or own in by_name:
            return
        by_name[own] = role = f"the local {own}"
        locals_.append(_Local(role, hint, value, bars.kinds.names[own]))
    kept = []
    for contribution in found:
        value = _by_roles(contribution.value, by_name)
        if contribution.at is not None or value is None:
            return
        operand = by_name[contribution.operand]
        kept.append(Contribution(operand, value, contribution.kind, contribution.fresh))
    if len(_instances) >= _LARGEST:
        _instances.clear()
    _instances[key] = _Instance(rule, tuple(kept), tuple(asked.items()), tuple(locals_))


def _by_roles(value: gast.expr, by_name: Mapping[str, str]) -> gast.expr | None:
    """The expression with roles for names; None if a name in it has none."""
    inside = [node.id for node in of_class(value, gast.Name)]
    if any(own not in by_name for own in inside):
        return None
    renamed: gast.expr = _renamed(value, {own: name(by_name[own]) for own in inside})
    return renamed


def _role(helper: str) -> str:
    return f"the helper {helper}"


def _renamed(node: gast.AST, holes: Mapping[str, gast.expr]) -> Any:
    """A copy, marks included, with an expression for each name."""
    cls = node.__class__
    if cls is gast.Name:
        return clone(holes.get(node.id, node))
    copy = cls.__new__(cls)
    copy.__dict__ = new = dict(node.__dict__)
    for field in PARTS[cls]:
        value = new.get(field)
        if value.__class__ is list:
            new[field] = [_renamed(part, holes) for part in value]
        elif value.__class__ not in (type(None), str):
            new[field] = _renamed(value, holes)
    return copy
