"""Which stores overwrite in arrays what the reverse sweep reads.

A name is *wanted* from the statement on whose adjoint code reads its content, and so is every name
that shares the memory. A store into wanted memory has to keep what it overwrites. New memory under
the name is not wanted, so that an array that is filled anew in each iteration keeps nothing; nor is
what `lasting` proves never to be read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.contents import holds
from autodiff.analysis.kind import Array, Unknown
from autodiff.analysis.known import Kinds
from autodiff.analysis.references import borrowed, has_memory
from autodiff.analysis.sharing import Sharing, sharing
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.items import Attempt, Block, Branch, Context, Loop, Step
from autodiff.reverse.lasting import Lasting
from autodiff.reverse.listing import primal_of, steps
from autodiff.syntax.content import content_reads
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children

Wanted = frozenset[str]
Slot = tuple[str, gast.expr | None]
"""An array and the part of it that is overwritten; None for any part."""


@dataclass(frozen=True, slots=True)
class Overwritten:
    """found: the steps that have to keep something, by `id`, and what. spared: the steps before
    which values of unknown kind are copied. places: the block and the place in it of each step.
    """

    found: Mapping[int, tuple[Step, Sequence[Slot]]]
    spared: Mapping[int, tuple[Step, Set[str]]]
    places: Mapping[int, tuple[Block, int]]


class Overwriting:
    """Asked for the adjoint code of a function as it is at that time."""

    def __init__(
        self, block: Block, tree: gast.FunctionDef, kinds: Kinds, aliases: Aliases
    ) -> None:
        self.block = block
        self.kinds = kinds
        self.aliases = aliases
        self.parameters = parameters(tree.args)
        self.any = any(step.mutates for step in steps(block))
        self.tree = tree
        self.primal: tuple[Sharing, Lasting] | None = None
        """What follows from the primal statements, which stay."""

    def __call__(self, made: Set[str]) -> Overwritten:
        """`made`: the names that belong to the reverse sweep alone."""
        if not self.any:
            return Overwritten({}, {}, {})
        if self.primal is None:
            body = map_children(lambda child: child, self.tree)
            body.body = primal_of(self.block)
            lasting = Lasting(self.block, self.parameters, self.kinds, self.aliases)
            self.primal = sharing(body, self.kinds), lasting
        shares, lasting = self.primal
        walk = _Walk(self.kinds, shares, made, lasting.found())
        walk.block(self.block, frozenset())
        return Overwritten(walk.found, walk.spared, walk.places)


class _Walk:
    def __init__(
        self, kinds: Kinds, shares: Sharing, made: Set[str], lasting: frozenset[int]
    ) -> None:
        self.kinds = kinds
        self.shares = shares
        self.made = made
        self.lasting = lasting
        self.found: dict[int, tuple[Step, list[tuple[str, gast.expr | None]]]] = {}
        self.spared: dict[int, tuple[Step, set[str]]] = {}
        self.guarded = False
        self.last: Mapping[str, frozenset[str]] = {}
        self.places: dict[int, tuple[Block, int]] = {}

    def block(self, items: Block, wanted: Wanted) -> Wanted:
        for index, item in enumerate(items):
            self.places[id(item)] = items, index
            if isinstance(item, Step):
                wanted = self.step(item, wanted)
            elif isinstance(item, Branch):
                wanted = self.block(item.then, wanted) | self.block(item.orelse, wanted)
                wanted |= self.read(item.flag)
            elif isinstance(item, Loop):
                wanted = self.loop(item, wanted)
            elif isinstance(item, Attempt):
                wanted = self.attempt(item, wanted)
            else:
                assert isinstance(item, Context)
                wanted |= self.read(item.primal.items[0].context_expr)
                wanted = self.block(item.body, wanted)
        return wanted

    def loop(self, item: Loop, wanted: Wanted) -> Wanted:
        while True:
            after = wanted | self.block(item.body, wanted) | self.read(item.header.iter)
            if after == wanted:
                return wanted
            wanted = after

    def attempt(self, item: Attempt, wanted: Wanted) -> Wanted:
        """Where a handler goes on after half a body, nobody knows what the body has overwritten."""
        outer, self.guarded = self.guarded, self.guarded or item.clauses > 1
        after = self.block(item.body, wanted)
        self.guarded = outer
        joined = self.block(item.orelse, after)
        for handler in item.handlers:
            if handler is not None:
                joined |= self.block(handler, wanted | after)
        return self.block(item.final, joined)

    def step(self, step: Step, wanted: Wanted) -> Wanted:
        for statement in step.primal:
            wanted = self.statement(step, statement, wanted)
        read = self.read(step.adjoint)
        partners = [self.partners(step, n) for n in read]
        return wanted.union(read, *partners)

    def partners(self, step: Step, identifier: str) -> Wanted:
        """Who shares memory with a name after the step."""
        state = self.shares.after.get(id(step.primal[-1])) if step.primal else self.last
        self.last = state or self.last
        return self.last.get(identifier, frozenset())

    def statement(self, step: Step, statement: gast.stmt, wanted: Wanted) -> Wanted:
        changed = dict.fromkeys(n for base in step.mutates for n in self.arrays(statement, base))
        for base in changed:
            if id(step) in self.lasting:
                continue
            if ({base} | self.shares.partners(statement, base)) & wanted:
                self.keep(step, statement, base)
        if step.mutates and not step.restore:
            self.spare(step, statement, wanted)
        bound = writes(statement)
        wanted |= self.takers(statement, wanted) - bound
        if not bound:
            return wanted
        value = statement.value if isinstance(statement, gast.Assign) else None
        sources = borrowed(value, self.kinds) if value is not None else set()
        return wanted | bound if sources & wanted else wanted - bound

    def takers(self, statement: gast.stmt, wanted: Wanted) -> Wanted:
        """Who shares wanted memory from this statement on: containers that take it up."""
        before = self.shares.before.get(id(statement), {})
        after = self.shares.after.get(id(statement), {})
        if before is after:
            return frozenset()
        found = (after[n] - before.get(n, frozenset()) for n in wanted & after.keys())
        return frozenset().union(*found)

    def arrays(self, statement: gast.stmt, base: str) -> list[str]:
        """The arrays that change with a name: itself, or those that a container may hold."""
        if isinstance(self.kinds.names.get(base), Array):
            return [base]
        if self.keeps_parts(statement, base):
            return []
        partners = sorted(self.shares.partners(statement, base))
        return [n for n in partners if isinstance(self.kinds.names.get(n), Array)]

    def keeps_parts(self, statement: gast.stmt, base: str) -> bool:
        """Whether a container or an object gets other parts, and what it held stays as it is."""
        kind = self.kinds.names.get(base)
        is_container = holds(kind)
        targets = list(getattr(statement, "targets", ()))
        value = getattr(statement, "value", None)
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute):
            targets.append(value.func)
        for target in targets:
            if isinstance(target, (gast.Attribute, gast.Subscript)):
                if isinstance(target.value, gast.Name) and target.value.id == base:
                    return is_container or isinstance(target.ctx, gast.Store) and _is_part(target)
        return False

    def spare(self, step: Step, statement: gast.stmt, wanted: Wanted) -> None:
        """Values of which nothing is known are copied as a whole before they may change."""
        changed = set(step.mutates).union(
            *(
                self.shares.partners(statement, base)
                for base in step.mutates
                if not (holds(self.kinds.names.get(base)) and self.keeps_parts(statement, base))
            )
        )
        found = {
            n
            for n in (changed & wanted) - self.made
            if isinstance(self.kinds.names.get(n), Unknown)
        }
        if found and self.guarded:
            return  # `recorded` refuses it
        if found:
            self.spared.setdefault(id(step), (step, set()))[1].update(found)

    def keep(self, step: Step, statement: gast.stmt, base: str) -> None:
        if self.guarded:
            raise UnsupportedSyntaxError(
                f"`{base}` is updated in place inside a `try`, and the reverse sweep needs its "
                "earlier content",
                origin_of(statement),
                why="after an exception it is not known how much was overwritten",
                cure=f"write to a copy of `{base}` inside the `try`",
            )
        if _reshapes(statement):
            raise UnsupportedSyntaxError(
                f"`{base}` gets another shape in place, and the reverse sweep needs it as it was",
                origin_of(statement),
                why="autodiff puts back the elements of an array, not its shape",
                cure=f"write `{base} = {base}.reshape(...)`",
            )
        slots: list[gast.expr | None] = [*step.slots] or [None]
        _, kept = self.found.setdefault(id(step), (step, []))
        kept.extend((base, slot) for slot in slots if (base, slot) not in kept)

    def read(self, code: object) -> Wanted:
        found = content_reads(code) - self.made - self.kinds.numbers
        return frozenset(n for n in found if has_memory(n, self.kinds))


_OF_ARRAYS = frozenset("real imag flat shape dtype strides data".split())


def _is_part(target: gast.expr) -> bool:
    """Whether a store gives an object another attribute; of an array it changes the content."""
    return isinstance(target, gast.Attribute) and target.attr not in _OF_ARRAYS


def _reshapes(statement: gast.stmt) -> bool:
    """`x.shape = ...`, `x.resize(...)`."""
    if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Attribute):
        return True
    call = statement.value if isinstance(statement, gast.Expr) else None
    return (
        isinstance(call, gast.Call)
        and isinstance(call.func, gast.Attribute)
        and call.func.attr in ("resize", "setflags", "setfield", "byteswap")
    )
