"""What a piece of code reads, writes and may do besides: whether it may be moved or dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any, NamedTuple

import gast

from autodiff.optimize.change import blocks, is_inert, is_straight
from autodiff.optimize.scan import Scan, of_numbers
from autodiff.optimize.tape import is_pop, is_push, tape_name
from autodiff.syntax import names
from autodiff.syntax.memo import Memo
from autodiff.syntax.origin import origin_of

if TYPE_CHECKING:
    from autodiff.optimize.facts import Facts

_NONE: frozenset[str] = frozenset()
_JUMPS = (gast.Break, gast.Continue)
_DECLARING_NOTHING = frozenset((gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Pass))


class Effects(NamedTuple):
    """Everything that running a piece of code may depend on or do.

    loads: how often each name is read in the text; a read in an inner scope counts twice.
    writes: the names it may bind.
    held: the names that functions defined in it read whenever they are called.
    callees: the roots of what is called purely (`np` in `np.sin(x)`): they are read, but their
        memory only matters if they are local (`x.sum()`).
    tapes: the tapes that it pushes on or pops from.
    looks, stores: it depends on memory that others may change; it may change such memory.
    calls: it has effects whose order counts (an impure call, a jump, a statement of unknown form).
    """

    loads: Mapping[str, int]
    writes: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    callees: frozenset[str] = frozenset()
    tapes: frozenset[str] = frozenset()
    looks: bool = False
    stores: bool = False
    calls: bool = False

    @property
    def droppable(self) -> bool:
        """For an expression: nobody notices whether it is evaluated."""
        return not (self.calls or self.writes)

    def commutes(self, other: Effects, local: Set[str]) -> bool:
        """Whether an expression with these effects gives the same before and after `other`."""
        if self.calls:
            if other.looks or other.stores or other.calls:
                return False
        elif other.calls:
            return False
        if other.stores and (self.looks or not self.callees.isdisjoint(local)):
            return False
        if not other.writes.isdisjoint(self.loads) or not other.tapes.isdisjoint(self.loads):
            return False
        return self.writes.isdisjoint(other.loads) and self.writes.isdisjoint(other.writes)


NOTHING = Effects({})
_new = tuple.__new__
"""Makes effects of all their fields at once: by their names takes three times as long."""


class Found(dict[gast.AST, Effects]):
    """The effects of statements and expressions, found the first time that they are asked for.

    Passes share what they do not change, so this saves them from asking again and again.
    """

    __slots__ = ("facts",)

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts

    def __missing__(self, node: gast.AST) -> Effects:
        find = _statement if isinstance(node, gast.stmt) else _expression
        found = self[node] = find(node, self.facts)
        return found


def effects(node: gast.AST, facts: Facts) -> Effects:
    """The effects of a statement or expression; who asks of all statements asks `facts.effects`."""
    return facts.effects[node]


def of_block(block: Iterable[gast.AST], facts: Facts) -> Effects:
    """The effects of several statements or expressions together."""
    return _joined([facts.effects[node] for node in block])


def _joined(parts: list[Effects]) -> Effects:
    if len(parts) < 2:
        return parts[0] if parts else NOTHING
    columns: Any = zip(*parts)
    every, *sets, looks, stores, calls = columns
    loads: dict[str, int] = {}
    for own in every:
        for name, count in own.items():
            loads[name] = loads.get(name, 0) + count
    writes, held, callees, tapes = [_NONE.union(*own) for own in sets]
    return Effects(loads, writes, held, callees, tapes, any(looks), any(stores), any(calls))


def _statement(node: gast.stmt, facts: Facts) -> Effects:
    cls = node.__class__
    if (cls is gast.Expr or cls is gast.Pass) and is_inert(node):
        return NOTHING
    if cls is gast.Assign and "site" not in node.__dict__:
        if node.targets[0].__class__ is gast.Name and len(node.targets) == 1:
            loads, writes, *others = facts.effects[node.value]  # most of all
            writes = frozenset((node.targets[0].id, *writes))
            return _new(Effects, (loads, writes, *others))
    scan = Scan(facts)
    if "site" in node.__dict__ and (is_push(node) or is_pop(node)):
        tape = tape_name(node)
        scan.loads[tape] = 1
        parts = node.value.args if is_push(node) else node.targets
        for part in parts:
            scan.top(part)
        return _found(scan, frozenset((tape,)))
    if cls is gast.Assign or cls is gast.Expr or cls is gast.Return:
        if node.value is not None:
            scan.top(node.value)
        for target in node.targets if cls is gast.Assign else ():
            scan.top(target)
        return _found(scan)
    if cls is gast.AugAssign:
        by_number = scan.visit(node.value)
        if not (by_number and _is_number(node.target, facts)) and facts.runs(node):
            scan.runs()
        if isinstance(node.target, gast.Name):
            scan.rebind(node.target)
        else:
            scan.visit(node.target)
        return _found(scan)
    if cls is gast.If or cls is gast.While:
        scan.test(node.test)
    elif cls is gast.For:
        scan.visit(node.iter)
        scan.top(node.target)
    elif cls is gast.With and is_straight(node):
        for item in node.items:
            scan.visit(item.context_expr)
    elif cls is gast.FunctionDef:
        return _function(node, facts)
    elif cls in _JUMPS:
        scan.calls = True
        return _found(scan)
    else:
        return _unknown(node)
    parts = [facts.effects[inner] for block in blocks(node) for inner in block]
    return _joined([_found(scan), *parts])


def _is_number(target: gast.expr, facts: Facts) -> bool:
    return target.__class__ is gast.Name and target.id in facts.numbers


def _found(scan: Scan, tapes: frozenset[str] = _NONE) -> Effects:
    writes = frozenset(scan.writes) if scan.writes else _NONE
    held = frozenset(scan.held) if scan.held else _NONE
    callees = frozenset(scan.callees) if scan.callees else _NONE
    found = scan.loads, writes, held, callees, tapes, scan.looks, scan.stores, scan.calls
    return _new(Effects, found)


def _function(node: gast.FunctionDef, facts: Facts) -> Effects:
    """A nested function: calling it is not part of its definition."""
    body = of_block(node.body, facts)
    local = (body.writes | set(names.parameters(node.args))) - outer_names(node)
    free = frozenset((set(body.loads) | body.held) - local)
    around = _joined([NOTHING, *[_expression(e, facts) for e in _defaults(node)]])
    loads = {**around.loads, **dict.fromkeys(free, 2)}
    calls = around.calls or bool(node.decorator_list)
    return Effects(loads, frozenset((node.name,)), free, looks=around.looks, calls=calls)


def is_generated(node: gast.stmt, facts: Facts) -> bool:
    """Whether a nested function is the compiler's own; one of the user's stays as it is."""
    return isinstance(node, gast.FunctionDef) and (
        origin_of(node) is None or node.name in facts.temporaries
    )


def _defaults(node: gast.FunctionDef) -> list[gast.expr]:
    defaults = [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
    return [*node.decorator_list, *defaults]


def outer_names(function: gast.FunctionDef) -> set[str]:
    """Names that a function declares `global` or `nonlocal`, itself or in functions inside it."""
    return set(_OUTER[function])


def _declared(statement: gast.stmt) -> frozenset[str]:
    if statement.__class__ is gast.Global or statement.__class__ is gast.Nonlocal:
        return frozenset(statement.names)
    found: frozenset[str] = frozenset()
    for block in blocks(statement):
        for node in block:
            if node.__class__ not in _DECLARING_NOTHING:
                found |= _OUTER[node]
    return found


_OUTER = Memo(_declared)


def _unknown(node: gast.stmt) -> Effects:
    """A statement of any other form: it may do anything.

    What it writes counts as read, too: it may delete it, or not come to write it.
    """
    held = frozenset(names.captured(node))
    writes = frozenset(names.writes(node))
    loads = dict.fromkeys(names.reads(node) | held | writes, 2)
    return Effects(loads, writes, held, frozenset(), frozenset(loads), True, True, True)


def _expression(node: gast.AST, facts: Facts) -> Effects:
    loads: dict[str, int] = {}
    if node.__class__ is gast.BinOp and of_numbers(node, facts.numbers, loads):  # most of all
        return _new(Effects, (loads, _NONE, _NONE, _NONE, _NONE, False, False, False))
    scan = Scan(facts)
    scan.top(node)
    return _found(scan)
