"""Values of an iteration that are as cheap to compute again as to keep on the tape.

    quotient = c / x                         forward: nothing is pushed but x
    x = 0.5 * (x + quotient)                 reverse: quotient = c / x

One arithmetic operation on numbers, whose operands the reverse sweep has at hand anyway; elements
of arrays that `elements` names; and the arrays that `states` names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence, Set

import gast
import numpy as np

from autodiff.analysis.alias import Aliases
from autodiff.analysis.exposure import upward_exposed
from autodiff.analysis.kind import Array, Scalar, Static
from autodiff.analysis.known import Kinds
from autodiff.reverse.elements import elements
from autodiff.reverse.items import Block, Branch, Item, Loop, Step
from autodiff.reverse.listing import occurrences, primal_of, steps
from autodiff.reverse.states import states
from autodiff.syntax.content import content_reads
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import clone, map_children, walk

_CHEAP = (gast.Add, gast.Sub, gast.Mult, gast.Div)


def recompute(
    block: Block,
    parameters: Sequence[str],
    kinds: Kinds,
    aliases: Aliases,
    steady: Set[str],
    native: bool = False,
) -> set[str]:
    """Puts recomputations into the adjoint code of loops; returns the names computed again.

    Names that are `steady` are there anyway. In native code arithmetic costs less than the tape.
    """
    total = occurrences(block)
    taken = elements(block, parameters, kinds, aliases, native)
    found: set[str] = set()

    def visit(items: Block, around: Loop | None) -> None:
        for item in items:
            if isinstance(item, Loop):
                visit(item.body, item)
                found.update(_loop(item, kinds, aliases, total, steady, taken, native))
            elif native and isinstance(item, Branch) and around is not None:
                for part in (item.then, item.orelse):  # names of its own are as those of a loop
                    visit(part, around)
                    own = Loop(around.primal, around.header, part)
                    found.update(_loop(own, kinds, aliases, total, steady, taken, native))

    visit(block, None)
    return found


def _loop(
    loop: Loop,
    kinds: Kinds,
    aliases: Aliases,
    total: Counter[str],
    steady: Set[str],
    taken: Set[int],
    native: bool,
) -> set[str]:
    body = loop.body
    inside = occurrences(body)
    primal = map_children(lambda child: child, loop.primal)
    primal.body = primal_of(body)
    crossing = upward_exposed(primal)
    defined: Counter[str] = Counter()
    written = [writes(primal_of([item])) for item in body]
    for names in written:
        defined.update(names)
    read = [reads(item.adjoint) if isinstance(item, Step) else set() for item in body]
    hidden: set[str] = set().union(*(_read_inside(item) for item in body))
    single = {n for n, count in defined.items() if count == 1 and inside[n] == total[n]} - crossing
    wanted = set().union(hidden, *read)
    looked_at = content_reads([item.adjoint for item in body if isinstance(item, Step)])
    free = {name for item in body if id(item) in taken and (name := _target(item))} & single
    if native and free:
        free |= _followers(body, free, single - hidden, steady, set(defined), kinds, aliases)
    arrays = states(body, single - hidden, wanted, looked_at, kinds, aliases)
    found: set[str] = set()
    for index in reversed(range(len(body))):
        item = body[index]
        if not isinstance(item, Step) or len(item.primal) != 1:
            continue
        statement = item.primal[0]
        if not isinstance(statement, gast.Assign):
            continue
        target = statement.targets[0]
        name = target.id if isinstance(target, gast.Name) else None
        if name not in single or not (
            name in arrays or name in free or _is_cheap(statement, kinds)
        ):
            continue
        operands = reads(statement.value)
        if name in steady:
            continue  # it is there
        last = None if name in hidden else _last_reader(read, name)
        if last is None or not _still_there(written, index, last, operands):
            continue
        if name in arrays or name in free:
            if not _unchanged(body, index, last, operands, aliases):
                continue
        elif not all(
            operand not in defined
            or operand in steady
            or operand in free
            or operand != name
            and any(operand in names for names in read)
            for operand in operands
            if operand in kinds.local
        ):
            continue
        reader = body[last]
        assert isinstance(reader, Step)
        reader.adjoint.insert(0, clone(statement))
        read[last] = reads(reader.adjoint)
        found.add(name)
    return found


def _followers(
    body: Block,
    free: Set[str],
    single: Set[str],
    steady: Set[str],
    defined: Set[str],
    kinds: Kinds,
    aliases: Aliases,
) -> set[str]:
    """Numbers of one iteration that a few operations make of elements that are read again."""
    found: set[str] = set()
    for item in body:
        if not isinstance(item, Step) or len(item.primal) != 1:
            continue
        statement = item.primal[0]
        if not isinstance(statement, gast.Assign) or not (
            _is_cheap(statement, kinds)
            or _is_root(statement, kinds)
            or _is_element(statement, kinds, aliases)
        ):
            continue
        name = _target(item)
        there = free | found | steady
        operands = {n for n in reads(statement.value) if n in kinds.local and n in defined}
        if name in single and operands <= there:
            found.add(str(name))
    return found


def _target(item: Item) -> str | None:
    """The name that a step sets."""
    assert isinstance(item, Step)
    target = item.primal[0].targets[0]
    return target.id if isinstance(target, gast.Name) else None


def _is_cheap(statement: gast.Assign, kinds: Kinds) -> bool:
    value = statement.value
    if not isinstance(value, (gast.BinOp, gast.UnaryOp)):
        return False
    if isinstance(value, gast.BinOp) and not isinstance(value.op, _CHEAP):
        return False
    parts = [node for node in walk(value) if isinstance(node, gast.Name)]
    return all(isinstance(kinds.known(part), Scalar) for part in parts) and not any(
        isinstance(node, (gast.Call, gast.Subscript, gast.Attribute)) for node in walk(value)
    )


def _is_root(statement: gast.Assign, kinds: Kinds) -> bool:
    """Whether a statement takes the square root of a number."""
    value = statement.value
    function = kinds.known(value.func) if isinstance(value, gast.Call) else None
    is_root = isinstance(function, Static) and function.value in (math.sqrt, np.sqrt)
    return is_root and isinstance(kinds.known(value), Scalar)


def _is_element(statement: gast.Assign, kinds: Kinds, aliases: Aliases) -> bool:
    """Whether a statement takes a number from an array that nobody changes."""
    value = statement.value
    if not isinstance(value, gast.Subscript) or not isinstance(value.value, gast.Name):
        return False
    if not isinstance(kinds.known(value), Scalar) or aliases.is_changed(value.value.id):
        return False
    is_array = isinstance(kinds.names.get(value.value.id), Array)
    return is_array and not any(isinstance(node, gast.Call) for node in walk(value.slice))


def _read_inside(item: Item) -> set[str]:
    """Names that the adjoint code of a nested block mentions."""
    if isinstance(item, Step):
        return set()
    primal = Counter(n.id for n in walk(primal_of([item])) if isinstance(n, gast.Name))
    return {name for name, count in occurrences([item]).items() if count > primal[name]}


def _last_reader(read: list[set[str]], name: str) -> int | None:
    """The last item whose adjoint code reads the name."""
    return next((k for k in reversed(range(len(read))) if name in read[k]), None)


def _still_there(written: list[set[str]], index: int, last: int, operands: set[str]) -> bool:
    """Whether no operand gets another value up to the item where it is needed."""
    return all(operands.isdisjoint(names) for names in written[index + 1 : last + 1])


def _unchanged(body: Block, index: int, last: int, operands: set[str], aliases: Aliases) -> bool:
    """Whether no memory of an operand changes up to the item where it is needed."""
    changing = {base for step in steps(body[index + 1 : last + 1]) for base in step.mutates}
    return not any(aliases.share(base, o) for base in changing for o in operands)
