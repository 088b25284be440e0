"""How often a reversed loop runs, and over what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.conflicts import changed as changed_names
from autodiff.analysis.kind import Array, Scalar, Static
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.references import has_memory
from autodiff.reverse.items import Block, Item, Loop, Step
from autodiff.syntax.content import content_reads
from autodiff.syntax.names import name, reads, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import map_children, statements, walk
from autodiff.syntax.windows import root

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def looped(reverse: Reverse, statement: gast.For | gast.While, body: Block) -> list[Item]:
    """The loop item, with a counter where the number of iterations is not known in advance."""
    origin = origin_of(statement)
    stop = trailing_break(statement)
    if isinstance(statement, gast.For) and stop is None:
        return counted(reverse, statement, body)
    steps = reverse.flag("steps", Scalar("int"))
    start = quote_statements("n = 0", n=steps)
    count = quote_statements("n += 1", n=steps)
    for made in (*start, *count):
        made.origin = origin
    body.insert(0, Step(count, [], origin))
    if isinstance(statement, gast.For):
        header = for_header(statement.target.id, stopped_range(reverse, statement.iter, steps))
        before, new = bounds(reverse, statement)
        if before:
            header = for_header(new.target.id, stopped_range(reverse, new.iter, steps))
        return [Step([*start, *before], [], origin), Loop(new, header, body, origin)]
    header = for_header("_", quote("range(n)", n=steps))
    return [Step(start, [], origin), Loop(statement, header, body, origin)]


def counted(reverse: Reverse, statement: gast.For, body: Block) -> list[Item]:
    origin = origin_of(statement)
    before, new = bounds(reverse, statement)
    header = for_header(new.target.id, backwards(new.iter))
    items: list[Item] = [Step(before, [], origin)] if before else []
    return [*items, Loop(new, header, body, origin)]


def bounds(reverse: Reverse, statement: gast.For) -> tuple[list[gast.stmt], gast.For]:
    """Keep the bounds of a range that the body (or a later statement) changes."""
    used = reads(statement.iter)
    changing = used & (reverse.reassigned(statement) | reverse.bars.mirrors.keys())
    if not changing and not reads_changed(reverse, statement):
        return [], statement
    kept = reverse.flag("steps_range", Static(range))
    assignment = gast.Assign(targets=[store(kept)], value=statement.iter)
    assignment.origin = origin_of(statement)
    if isinstance(statement.iter, gast.Call) and statement.iter.func.id == "reversed":
        assignment.value = quote("r[::-1]", r=statement.iter.args[0])
    new = map_children(lambda child: child, statement)
    new.iter = name(kept)
    return [assignment], new


def backwards(iterable: gast.expr) -> gast.expr:
    """The range of a loop, from its end to its start."""
    if isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name):
        if iterable.func.id == "reversed":
            return iterable.args[0]
    return quote("reversed(r)", r=iterable)


def stopped_range(reverse: Reverse, iterable: gast.expr, steps: str) -> gast.expr:
    """The first `steps` elements of a range, backwards."""
    if isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name):
        if iterable.func.id == "range" and len(iterable.args) == 1:
            return quote("reversed(range(n))", n=steps)
        if iterable.func.id == "reversed":
            return quote("reversed(r[::-1][:n])", r=iterable.args[0], n=steps)
    return quote("reversed(r[:n])", r=iterable, n=steps)


def for_header(target: str, iterable: gast.expr) -> gast.For:
    """A `for` without a body."""
    return gast.For(
        target=store(target), iter=iterable, body=[], orelse=[], type_comment=None
    )


def trailing_break(statement: gast.For | gast.While) -> gast.If | None:
    """The `if stop: break` that may end a loop body."""
    if not statement.body:
        return None
    last = statement.body[-1]
    if isinstance(last, gast.If) and len(last.body) == 1 and isinstance(last.body[0], gast.Break):
        return last
    return None


def reads_changed(reverse: Reverse, statement: gast.For) -> bool:
    """Whether the range is read from memory that the body changes: `range(n[0])`."""
    names = reverse.kinds.names
    looked_at = content_reads(statement.iter)
    read = {
        n
        for n in reads(statement.iter)
        if has_memory(n, reverse.kinds)
        and (n in looked_at or not isinstance(names.get(n), Array))  # `len(u)` of an array stays
    }
    if not read:
        return False
    changed: set[str | None] = set()
    for inner in statements(statement.body):
        changed |= set(changed_names(inner, reverse.kinds))
    for node in walk(statement.body):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            changed |= {root(node.func.value)} if node.func.attr in CHANGING else set()
    return any(reverse.aliases.share(n, m) for n in read for m in changed if m is not None)
