"""Values of an iteration that are as cheap to compute again as to keep on the tape.

    quotient = c / x                         forward: nothing is pushed but x
    x = 0.5 * (x + quotient)                 reverse: quotient = c / x

Only one arithmetic operation on numbers, whose operands the reverse sweep has at hand anyway.
"""

from __future__ import annotations

from collections import Counter

import gast

from autodiff.analysis.exposure import upward_exposed
from autodiff.analysis.kind import Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Block, Item, Loop, Step
from autodiff.reverse.listing import occurrences, primal_of
from autodiff.syntax.names import reads, writes
from autodiff.syntax.walk import clone, map_children, walk

_CHEAP = (gast.Add, gast.Sub, gast.Mult, gast.Div)


def recompute(block: Block, kinds: Kinds) -> set[str]:
    """Puts recomputations into the adjoint code of loops; returns the names computed again."""
    total = occurrences(block)
    found: set[str] = set()

    def visit(items: Block) -> None:
        for item in items:
            if isinstance(item, Loop):
                visit(item.body)
                found.update(_loop(item, kinds, total))

    visit(block)
    return found


def _loop(loop: Loop, kinds: Kinds, total: Counter[str]) -> set[str]:
    body = loop.body
    inside = occurrences(body)
    primal = map_children(lambda child: child, loop.primal)
    primal.body = primal_of(body)
    crossing = upward_exposed(primal)
    defined: Counter[str] = Counter()
    for item in body:
        defined.update(_written(item))
    read = [reads(item.adjoint) if isinstance(item, Step) else set() for item in body]
    hidden: set[str] = set().union(*(_read_inside(item) for item in body))
    found: set[str] = set()
    for index in reversed(range(len(body))):
        item = body[index]
        if not isinstance(item, Step) or len(item.primal) != 1:
            continue
        statement = item.primal[0]
        if not isinstance(statement, gast.Assign) or not _is_cheap(statement, kinds):
            continue
        name = statement.targets[0].id
        if name in crossing or defined[name] != 1 or inside[name] != total[name]:
            continue
        last = None if name in hidden else _last_reader(read, name)
        if last is None or not _still_there(body, index, last, reads(statement.value)):
            continue
        if not all(
            operand not in defined or operand != name and any(operand in names for names in read)
            for operand in reads(statement.value)
            if operand in kinds.local
        ):
            continue
        reader = body[last]
        assert isinstance(reader, Step)
        reader.adjoint.insert(0, clone(statement))
        read[last] = reads(reader.adjoint)
        found.add(name)
    return found


def _is_cheap(statement: gast.Assign, kinds: Kinds) -> bool:
    value = statement.value
    if not isinstance(statement.targets[0], gast.Name):
        return False
    if not isinstance(value, (gast.BinOp, gast.UnaryOp)):
        return False
    if isinstance(value, gast.BinOp) and not isinstance(value.op, _CHEAP):
        return False
    parts = [node for node in walk(value) if isinstance(node, gast.Name)]
    return all(isinstance(kinds.known(part), Scalar) for part in parts) and not any(
        isinstance(node, (gast.Call, gast.Subscript, gast.Attribute)) for node in walk(value)
    )


def _written(item: Item) -> set[str]:
    return set(writes(primal_of([item])))


def _read_inside(item: Item) -> set[str]:
    """Names that the adjoint code of a nested block mentions."""
    if isinstance(item, Step):
        return set()
    primal = Counter(n.id for n in walk(primal_of([item])) if isinstance(n, gast.Name))
    return {name for name, count in occurrences([item]).items() if count > primal[name]}


def _last_reader(read: list[set[str]], name: str) -> int | None:
    """The last item whose adjoint code reads the name."""
    return next((k for k in reversed(range(len(read))) if name in read[k]), None)


def _still_there(body: Block, index: int, last: int, operands: set[str]) -> bool:
    """Whether no operand gets another value up to the item where it is needed."""
    return not any(operands & _written(body[position]) for position in range(index + 1, last + 1))
