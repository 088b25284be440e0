"""Tapes of one loop that runs once: what an iteration pushed lies where its counter says."""

from __future__ import annotations

import gast

from autodiff.native.trips import grows, stays, trips_of
from autodiff.native.values import NativeKinds, is_range, literal
from autodiff.syntax.change import changed
from autodiff.syntax.names import name, reads, rename, substitute, writes
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import same, walk


def indexed(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """The function without counts of what is on tapes, where a loop's counter is one.

        y_count = 0
        for i in range(n):                     for i in range(n):
            ...                                    ...
            y_tape[y_count] = y                    y_tape[i] = y
            y_count += 1
        y_count -= n
        y_row = y_tape[y_count:]
        for i in range(n):                     for i in range(n):
            y = y_row[i]                           y = y_tape[i]

    The count is mentioned nowhere else, and as much is taken off as the loop has iterations: it is
    0 again then, and the views are the whole tapes.
    """
    body = list(tree.body)
    for count in [node.targets[0].id for node in body if _is_start(node)]:
        body = _without(body, count, known) or body
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _without(body: list[gast.stmt], count: str, known: NativeKinds) -> list[gast.stmt] | None:
    """The statements of a function without a count; None where it is needed."""
    rows: dict[str, str] = {}
    result: list[gast.stmt] = []
    pushed: gast.For | None = None
    bound: set[str] = set()
    popped = False
    for node in body:
        if pushed is not None:
            bound |= writes([node])
        times = _times(node, count)
        if isinstance(node, gast.For) and times:
            pushing = None if pushed else _pushing(node, count, times)
            if pushing is None:
                return None
            pushed, bound = node, writes([node])
            result.append(pushing)
        elif pushed and not popped and _counts_down(node, count, pushed, known):
            if reads(node.value) & bound:
                return None
            popped = True
        elif popped and times == 1 and (row := _row(node, count)) is not None:
            rows[node.targets[0].id] = row
        elif not times:
            result.append(node)
        elif pushed or not _is_start(node):
            return None
    if not popped or any(_stores(node, {*rows, *rows.values()}) for node in _after(result, rows)):
        return None
    return [_renamed(node, rows, known) for node in result]


def _pushing(loop: gast.For, count: str, times: int) -> gast.For | None:
    """The loop that stores by its own counter; None where it counts otherwise."""
    first = _first(loop)
    own = loop.target.id if isinstance(loop.target, gast.Name) else None
    if first is None or own is None or own in writes(loop.body):
        return None
    if any(isinstance(part, (gast.Break, gast.Continue)) for part in walk(loop)):
        return None
    place = name(own) if first == 0 else quote("i - low", i=own, low=_constant(first))
    body: list[gast.stmt] = []
    counted = False
    for node in loop.body:
        if _counts_up(node, count) and not counted:
            counted = True
            times -= 1
        elif not counted and _is_store(node, count):
            times -= 1
            body.append(substitute(node, {count: place}))
        else:
            body.append(node)
    return changed(loop, body=body) if counted and not times else None  # type: ignore[no-any-return]


def _first(loop: gast.For) -> int | None:
    """The first number of a loop over `range(n)` or `range(1, n)`."""
    if not is_range(loop.iter) or len(loop.iter.args) > 2:
        return None
    first = literal(loop.iter.args[0], ...) if len(loop.iter.args) == 2 else 0
    return first if type(first) is int and first >= 0 else None


def _is_start(node: gast.stmt) -> bool:
    """Whether a statement is `count = 0`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return False
    return type(literal(node.value, ...)) is int and literal(node.value, ...) == 0


def _counts_up(node: gast.stmt, count: str) -> bool:
    is_sum = isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Add)
    return is_sum and _is_name(node.target, count) and literal(node.value, ...) == 1


def _counts_down(node: gast.stmt, count: str, loop: gast.For, known: NativeKinds) -> bool:
    """Whether a statement takes off what the iterations of a loop have counted."""
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, gast.Sub):
        return False
    stay = all(map(stays, loop.iter.args)) and not any(grows(n, known) for n in reads(loop.iter))
    return stay and _is_name(node.target, count) and same(node.value, trips_of(loop.iter))


def _is_store(node: gast.stmt, count: str) -> bool:
    """Whether a statement is `tape[count] = e`, and mentions the count but there."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Subscript):
        return False
    return _is_name(node.targets[0].slice, count) and _times(node, count) == 1


def _row(node: gast.stmt, count: str) -> str | None:
    """The tape of which a statement takes what is from the count on: `row = tape[count:]`."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
        return None
    view = node.value
    if not isinstance(view, gast.Subscript) or not isinstance(view.value, gast.Name):
        return None
    part = view.slice
    if not isinstance(part, gast.Slice) or part.upper or part.step:
        return None
    return str(view.value.id) if _is_name(part.lower, count) else None


def _after(body: list[gast.stmt], rows: dict[str, str]) -> list[gast.stmt]:
    """The statements from the first on that reads a row."""
    first = next((k for k, node in enumerate(body) if any(_times(node, r) for r in rows)), 0)
    return body[first:]


def _stores(node: gast.stmt, names: set[str]) -> bool:
    """Whether a statement binds one of the names, or stores to what it holds."""
    return any(
        isinstance(part, (gast.Name, gast.Subscript))
        and isinstance(part.ctx, gast.Store)
        and (part.id if isinstance(part, gast.Name) else getattr(part.value, "id", "")) in names
        for part in walk(node)
    )


def _renamed(node: gast.stmt, names: dict[str, str], known: NativeKinds) -> gast.stmt:
    if not any(_times(node, old) for old in names):
        return node
    new: gast.stmt = rename(node, names)  # type: ignore[assignment]
    known.remember_copies(node, new)  # type: ignore[arg-type]
    return new


def _times(node: gast.AST, identifier: str) -> int:
    return sum(isinstance(part, gast.Name) and part.id == identifier for part in walk(node))


def _is_name(node: gast.AST | None, identifier: str) -> bool:
    return isinstance(node, gast.Name) and node.id == identifier


def _constant(value: int) -> gast.Constant:
    return gast.Constant(value=value, kind=None)
