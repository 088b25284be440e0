"""Which values the reverse sweep needs and would lose: where to push, where to pop.

The adjoint code says what it reads. Walking forwards, a name is *needed* once adjoint code of a
statement behind us reads it. A definition of a needed name pushes the old value, and the reverse
sweep pops it at the mirrored place. A value that belongs to one iteration of a loop is pushed at
the end of that iteration instead, or computed again where that is as cheap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass, field

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.exposure import upward_exposed
from autodiff.analysis.halfway import changed_by, halfway
from autodiff.analysis.kind import Array, Record, Scalar, Sequence, Static, Text, Unknown
from autodiff.analysis.known import Kinds
from autodiff.optimize.tape import saving
from autodiff.reverse.again import recomputable
from autodiff.reverse.certainty import certain_pushes
from autodiff.reverse.clauses import chosen, completing, tried
from autodiff.reverse.items import Attempt, Block, Branch, Context, Item, Loop, Step
from autodiff.reverse.listing import defined_in_order, idle, occurrences, primal_of, with_origins
from autodiff.reverse.saving import Meeting, changed_in_place
from autodiff.reverse.starts import before_only, started
from autodiff.syntax.names import Names, caught, name, reads, writes
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.walk import map_children


@dataclass(frozen=True, slots=True)
class Sweeps:
    """The statements of both sweeps, pushes and pops included.

    initial: names that may have no value when they are pushed; starts: variables that keep what
    others, given by name, were before a loop.
    """

    forward: list[gast.stmt]
    reverse: list[gast.stmt]
    tape: str | None
    initial: list[str]
    starts: dict[str, str]


@dataclass(slots=True)
class _Frame:
    """The loop around a block: names whose value crosses its iterations, names it assigns."""

    crossing: set[str]
    assigned: set[str]
    counters: set[str]
    counts: Counter[str] = field(default_factory=Counter)


def recorded(
    block: Block,
    kinds: Kinds,
    aliases: Aliases,
    made: set[str],
    names: Names,
    given: list[str],
    steady: Set[str],
    helper: Callable[[str], gast.expr],
    tree: gast.FunctionDef,
    unsettled: Set[str],
) -> Sweeps:
    """Both sweeps of a function; `made` are the names that belong to the reverse sweep alone.

    `given` are the parameters, which have a value from the start; what is `steady` is never lost.
    """
    recorder = _Recorder(kinds, aliases, made | steady, names, helper, tree)
    recorder.lost = unsettled
    recorder.occurrences = occurrences(block)
    forward, reverse, _ = recorder.block(block, frozenset(), None)
    uncertain: set[str] = set()
    certain_pushes(forward, set(given), uncertain)
    return Sweeps(forward, reverse, recorder.tape, sorted(uncertain), recorder.starts)


class _Recorder:
    def __init__(
        self, kinds: Kinds, aliases: Aliases, made: set[str], names: Names,
        helper: Callable[[str], gast.expr], tree: gast.FunctionDef,
    ) -> None:
        self.helper = helper
        self.meeting = Meeting(tree, kinds)
        self.kinds = kinds
        self.aliases = aliases
        self.made = made
        self.names = names
        self.tape: str | None = None
        self.sites = 0
        self.starts: dict[str, str] = {}
        self.occurrences: Counter[str] = Counter()
        self.lost: Set[str] = frozenset()

    def needed(self, adjoint: list[gast.stmt] | gast.expr) -> set[str]:
        """Primal names that adjoint code reads."""
        return (reads(adjoint) & self.kinds.local) - self.made

    # Pushes and pops

    def save(self, values: list[str]) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """A push of each value, and the pops in the opposite order."""
        pushes: list[gast.stmt] = []
        pops: list[gast.stmt] = []
        for value in values:
            kind = self.kinds.names.get(value)
            changed = self.aliases.is_changed(value)
            alone = isinstance(kind, (Sequence, Record)) and self.aliases.grows_alone(value)
            if changed and not (isinstance(kind, (Array, Unknown)) or alone):
                raise changed_in_place(value, None)
            held: gast.expr = name(value)
            if changed and isinstance(kind, Unknown):
                held = gast.Call(func=self.helper("deeply_copied"), args=[held], keywords=[])
            if self.tape is None:
                self.tape = self.names.fresh("tape")
            self.sites += 1
            push, pop = saving(self.tape, held, value, f"site{self.sites}")
            pushes.append(push)
            pops.insert(0, pop)
        return pushes, pops

    # Blocks

    def block(
        self, items: Block, need: frozenset[str], frame: _Frame | None
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        """Forward code, reverse code, and the names needed after the block."""
        forward: list[gast.stmt] = []
        chunks: list[list[gast.stmt]] = []
        for item in items:
            code, chunk, need = self.item(item, need, frame)
            forward.extend(code)
            chunks.append(chunk)
        reverse = [statement for chunk in reversed(chunks) for statement in chunk]
        return forward, reverse, need

    def item(
        self, item: Item, need: frozenset[str], frame: _Frame | None
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        if isinstance(item, Step):
            return self.step(item, need, frame)
        if isinstance(item, Branch):
            return self.branch(item, need, frame)
        if isinstance(item, Loop):
            return self.loop(item, need, frame)
        if isinstance(item, Attempt):
            return self.attempt(item, need, frame)
        return self.context(item, need, frame)

    def step(
        self, step: Step, need: frozenset[str], frame: _Frame | None
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        bound = writes(step.primal)
        reads_back = self.needed(step.adjoint) if step.adjoint else set()
        need = need | reads_back if step.undone else need
        pushes, pops = self.save(sorted(bound & need))
        adjoint, pops = with_origins(step.adjoint, step.origin), with_origins(pops, step.origin)
        chunk = [*pops, *adjoint] if step.undone else [*adjoint, *pops]
        chunk += [code for base in step.mutates for code in self.mutation(step, base, need)]
        after = need - bound if step.undone else need - bound | reads_back
        return [*with_origins(pushes, step.origin), *step.primal], chunk, after

    def mutation(self, step: Step, base: str, need: frozenset[str]) -> list[gast.stmt]:
        """What undoes a change of memory that the reverse sweep reads; an error if nothing can.

        Of arrays, `contents` has kept what is needed.
        """
        if isinstance(self.kinds.names.get(base), Array):
            return []
        for value in sorted(need & {base} if base in self.aliases.stacks else need):
            kind = self.kinds.names.get(value)
            if value in step.safe or isinstance(kind, (Array, Scalar, Text, Static)):
                continue
            shares = self.aliases.share(value, base) and self.aliases.is_changed(value)
            shares = shares and self.meeting.may_be(step.primal[0], value, base)
            if value != base and shares or (value == base and not step.restore):
                raise changed_in_place(value, step.primal[0], None if value == base else base)
        return with_origins(step.restore, step.origin) if base in need else []

    def branch(
        self, branch: Branch, need: frozenset[str], frame: _Frame | None
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        sides = []
        for items in (branch.then, branch.orelse):
            forward, reverse, after = self.block(items, need, frame)
            if frame is not None:
                forward, reverse, after = self.leave(items, forward, reverse, after, frame, True)
            sides.append((forward, reverse, after))
        (then, then_back, then_need), (orelse, else_back, else_need) = sides
        new = map_children(lambda child: child, branch.primal)
        new.body, new.orelse = then or [idle(branch.origin)], orelse
        back: list[gast.stmt] = []
        if then_back or else_back:
            if then_back:
                back.append(gast.If(test=branch.flag, body=then_back, orelse=else_back))
            else:
                test = gast.UnaryOp(op=gast.Not(), operand=branch.flag)
                back.append(gast.If(test=test, body=else_back, orelse=[]))
            with_origins(back, branch.origin)
        after = then_need | else_need
        if back:
            after |= self.needed(branch.flag)
        return [new], back, frozenset(after)

    def context(
        self, context: Context, need: frozenset[str], frame: _Frame | None
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        bound = writes(context.primal.items)
        pushes, pops = self.save(sorted(bound & need))
        forward, reverse, after = self.block(context.body, need - bound, frame)
        new = map_children(lambda child: child, context.primal)
        new.body = forward or [idle(context.origin)]
        code: list[gast.stmt] = [*pushes, new]
        if reverse and context.may_stop:
            code = with_origins([*pushes, *completing(context, new, self.names)], context.origin)
        back: list[gast.stmt] = []
        if reverse:
            again = map_children(lambda child: child, context.primal)
            again.body = reverse
            back = completing(context, again, self.names) if context.may_stop else [again]
            after = (after - bound) | self.needed(context.primal.items[0].context_expr)
        return code, [*back, *pops], frozenset(after)

    def attempt(
        self, item: Attempt, need: frozenset[str], frame: _Frame | None
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        """A `try`. What half a body may overwrite is kept before it begins."""
        pushes, pops, need = self.spared(item, need)
        body, body_back, after = self.block(item.body, need, frame)
        orelse, else_back, after = self.block(item.orelse, after, frame)
        clauses: list[list[gast.stmt]] = []
        backs: list[list[gast.stmt]] = []
        needs: set[str] = set()
        ways = [(orelse or body, [*else_back, *body_back], after, [*item.body, *item.orelse])]
        for block in item.handlers:
            if block is not None:
                ways.append((*self.block(block, need, frame), block))
        for forward, reverse, wanted, items in ways:
            if frame is not None:
                forward, reverse, wanted = self.leave(
                    items, forward, reverse, wanted, frame, item.clauses > 1
                )
            clauses.append(forward)
            backs.append(reverse)
            needs |= wanted
        if orelse:
            orelse = clauses[0]
        else:
            body = clauses[0]
        back = chosen(item, backs)
        new = tried(item, body, orelse, clauses[1:], bool(back) and item.clauses > 1)
        left = halfway(body, self.kinds)
        if item.clauses > 1 and any(getattr(part, "site", None) is not None for part in left):
            pushes = [*pushes, *self.take_back(item, new)]
        if back and item.flag is not None:
            needs.add(item.flag)
        new.finalbody, final_back, after = self.block(item.final, frozenset(needs), frame)
        if item.final and not new.finalbody:
            new.finalbody = [idle(item.origin)]
        back = with_origins([*final_back, *back, *pops], item.origin)
        return with_origins([*pushes, new], item.origin), back, after

    def spared(
        self, item: Attempt, need: frozenset[str]
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        """Pushes of the needed values that an exception may leave overwritten."""
        if item.clauses == 1:
            return [], [], need
        left = halfway(primal_of(item.body), self.kinds)
        for part in left:
            for base in changed_by(part):
                for value in sorted(need):
                    kind = self.kinds.names.get(base)
                    plain = isinstance(kind, Array) or isinstance(
                        self.kinds.names.get(value), (Scalar, Text, Static)
                    )
                    if not plain and (value == base or self.aliases.share(value, base)):
                        raise changed_in_place(value, part)
        bound = writes(left) | {n for handler in item.primal.handlers for n in caught(handler)}
        pushes, pops = self.save(sorted(bound & need))
        return pushes, pops, need - bound

    def take_back(self, item: Attempt, new: gast.Try) -> list[gast.stmt]:
        """Handlers drop what half a body pushed."""
        assert self.tape is not None
        if item.mark is None:
            item.mark = self.names.fresh("mark")
        for handler, block in zip(new.handlers, item.handlers):
            if block is not None:
                drop = quote_statements("del tape[mark:]", tape=self.tape, mark=item.mark)
                handler.body = [*with_origins(drop, item.origin), *handler.body]
        return quote_statements("mark = len(tape)", tape=self.tape, mark=item.mark)

    def loop(
        self, loop: Loop, need: frozenset[str], frame: _Frame | None
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        primal = map_children(lambda child: child, loop.primal)
        targets = writes(primal.target) if isinstance(primal, gast.For) else set()
        pushes, pops = self.save(sorted(targets & need))
        outside = need - targets
        primal.body = primal_of(loop.body)
        inner = _Frame(
            upward_exposed(primal),
            writes(primal.body) | targets,
            (frame.counters if frame else set()) | targets,
        )
        apart = before_only(loop, primal, outside & inner.assigned, self.kinds, self.aliases)
        forward, reverse, head, after = self.iteration(loop, outside - apart, targets, inner)
        if apart & (head | after):  # some of them are needed to compute others again
            apart -= head | after
            forward, reverse, head, after = self.iteration(loop, outside - apart, targets, inner)
        if apart & (head | after):
            apart = frozenset()
            forward, reverse, head, after = self.iteration(loop, outside, targets, inner)
        if frame is None:
            starts, ends = started(sorted(apart), self.names, self.kinds, self.starts)
        else:
            starts, ends = self.save(sorted(apart))
        primal.body = forward or [idle(loop.origin)]
        back: list[gast.stmt] = []
        exit_need = set(head | after)
        if reverse:
            header = map_children(lambda child: child, loop.header)
            header.body = reverse
            back = with_origins([header], loop.origin)
            exit_need |= self.needed(loop.header.iter)
            exit_need -= targets
        with_origins([*starts, *ends], loop.origin)
        return [*pushes, *starts, primal], [*back, *ends, *pops], frozenset(exit_need)

    def iteration(
        self, loop: Loop, head: frozenset[str], targets: set[str], inner: _Frame
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str], frozenset[str]]:
        """Forward code and reverse code of an iteration, the names needed before and after it."""
        for _ in range(50):
            sites = self.sites
            forward, reverse, after = self.block(loop.body, head, inner)
            forward, reverse, after = self.leave(loop.body, forward, reverse, after, inner, False)
            grown = head | (after - targets)
            if grown == head:
                break
            head = frozenset(grown)
            self.sites = sites
        return forward, reverse, head, after

    def leave(
        self,
        items: Block,
        forward: list[gast.stmt],
        reverse: list[gast.stmt],
        need: frozenset[str],
        frame: _Frame,
        is_branch: bool,
    ) -> tuple[list[gast.stmt], list[gast.stmt], frozenset[str]]:
        """At the end of a block inside a loop, keep what the next iteration overwrites."""
        primal = primal_of(items)
        bound = writes(primal)
        own = {n for n in need & bound if n not in frame.crossing and n not in frame.counters}
        if is_branch:
            inside = occurrences(items)
            if not self.occurrences:
                return forward, reverse, need
            own = {n for n in own if inside[n] == self.occurrences[n]}
        if not own:
            return forward, reverse, need
        order = [n for n in defined_in_order(items) if n in own]
        order += sorted(own - set(order))
        extra: set[str] = set()
        fixed = set(frame.counters)
        inside = occurrences(items) if self.occurrences else Counter[str]()
        inner = {n for n in bound - need - frame.crossing if inside[n] == self.occurrences[n]}
        assigned = frame.assigned - frame.counters
        recomputed = recomputable(
            items, order, self.kinds, self.aliases, assigned, inner, self.lost
        )
        again = list(recomputed.values())
        for definition in again:
            extra |= self.needed(definition.value) - own - fixed - recomputed.keys()
        kept = [n for n in order if n not in recomputed]
        pushes, pops = self.save(kept)
        stop = len(forward)
        if stop and _is_break(forward[-1]):
            stop -= 1
        forward = [*forward[:stop], *pushes, *forward[stop:]]
        return forward, [*pops, *again, *reverse], frozenset((need - own) | extra)


def _is_break(statement: gast.stmt) -> bool:
    return (
        isinstance(statement, gast.If)
        and len(statement.body) == 1
        and isinstance(statement.body[0], gast.Break)
    )
