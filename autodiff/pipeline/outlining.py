"""Checkpointed loops as calls: the body becomes a step function, from state to state.

    with checkpointed(snapshots=s):
        for t in range(n):                  steps_value = checkpointed_steps(
            k = nu * dt                         step, range(n), s, 1, u, nu, dt)
            u = u + k * u                   u, = steps_value

The state is what the loop changes, by assignment or in place, and what is read of that by a later
iteration or after the loop. All else that the body reads is constant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.changes import changed_in
from autodiff.analysis.kind import Local, Record, Scalar, forget_values
from autodiff.analysis.known import Kinds
from autodiff.analysis.liveness import liveness
from autodiff.analysis.purity import CHANGING
from autodiff.analysis.repeatable import unrepeatable
from autodiff.errors import UnsupportedSyntaxError
from autodiff.loader import load, place_of
from autodiff.optimize.optimize import optimize
from autodiff.pipeline.facts import facts
from autodiff.pipeline.marks import manager
from autodiff.pipeline.outliving import check_outside
from autodiff.pipeline.request import Request
from autodiff.pipeline.unit import Unit
from autodiff.reverse.definitions import certain_before
from autodiff.runtime import checkpointed_steps
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit
from autodiff.syntax.names import name, parameters, reads, store, writes
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, map_children, of_class, walk
from autodiff.syntax.windows import root


def outlined(
    unit: Unit,
    known: Kinds,
    active: frozenset[str],
    aliases: Aliases,
    request: Request,
) -> bool:
    """Replace the checkpointed loops through which a derivative flows; whether there were any."""
    if not any(manager(node, known) for node in of_class(unit.tree, gast.With)):
        return False
    certain: dict[int, frozenset[str]] = {}
    certain_before(unit.tree.body, frozenset(parameters(unit.tree.args)), certain)
    outliner = _Outliner(unit, known, active, aliases, certain, request)
    unit.tree = outliner.function()
    return outliner.found


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parameters of a step function besides its counter."""

    state: tuple[str, ...]
    constants: tuple[str, ...]


class _Outliner:
    def __init__(
        self,
        unit: Unit,
        known: Kinds,
        active: frozenset[str],
        aliases: Aliases,
        certain: dict[int, frozenset[str]],
        request: Request,
    ) -> None:
        self.options = replace(request.options, unwind=False)
        self.printed = request.backend is None  # a backend prints what it compiles
        self.unit = unit
        self.known = known
        self.active = active
        self.aliases = aliases
        self.certain = certain
        self.after = liveness(unit.tree)
        self.found = False

    def function(self) -> gast.FunctionDef:
        new: gast.FunctionDef = map_children(lambda child: child, self.unit.tree)
        new.body = self.block(self.unit.tree.body)
        return new

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for statement in statements:
            if isinstance(statement, gast.With) and manager(statement, self.known):
                done.extend(self.loop(statement))
                continue
            if isinstance(statement, (gast.If, gast.For, gast.While, gast.With)):
                new = map_children(lambda child: child, statement)
                new.body = self.block(statement.body)
                if getattr(statement, "orelse", None):
                    new.orelse = self.block(statement.orelse)
                new.origin = origin_of(statement)
                done.append(new)
                continue
            if isinstance(statement, gast.Try) and self.marked(statement):
                raise self.refusal(
                    statement,
                    "a checkpointed loop inside a `try`",
                    "an exception would leave its state half computed",
                    "move the `try` into the loop, or out of the function",
                )
            done.append(statement)
        return done

    def marked(self, statement: gast.stmt) -> bool:
        return any(manager(n, self.known) for n in of_class(statement, gast.With))

    def loop(self, statement: gast.With) -> list[gast.stmt]:
        """The statements that replace one loop."""
        call = manager(statement, self.known)
        assert call is not None
        *before, last = statement.body
        changed = writes(statement.body) | self.stored(statement.body)
        if not changed & self.active:
            return [statement]  # no derivative flows through it
        if not isinstance(last, (gast.For, gast.While)) or any(
            isinstance(s, (gast.For, gast.While)) for s in before
        ):
            raise self.refusal(
                statement,
                "a checkpointed block is one loop",
                "what else is in it belongs to no step",
                "move it before or after the `with`, and leave the loop neither by `break` nor by "
                "`return`",
            )
        self.check_steps(last)
        check_outside(self.unit.tree, last, self.known, self.stored(last.body))
        live = self.after[id(statement)]
        parts = self.parts(last, live)
        self.check_alone(statement, parts, live)
        self.found = True
        return [*before, *self.called(statement, call, last, parts)]

    def refusal(
        self, statement: gast.stmt, what: str, why: str, cure: str
    ) -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(what, origin_of(statement), why=why, cure=cure)

    def check_steps(self, loop: gast.For | gast.While) -> None:
        if isinstance(loop.body[-1], gast.If) and isinstance(loop.body[-1].body[-1], gast.Break):
            raise self.refusal(
                loop,
                "a checkpointed loop is left by `break`, or by `return`",
                "how many steps it takes is not known before it runs",
                "write it as a `while` loop, under `with checkpointed(snapshots=...)`",
            )
        bad = unrepeatable(loop.body, self.known)
        if bad is None and isinstance(loop, gast.While):
            bad = unrepeatable([gast.Expr(value=loop.test)], self.known)
        if bad is not None:
            raise UnsupportedSyntaxError(
                "this call is not known to give the same when it is run again",
                next((place(bad, origin_of(s)) for s in loop.body if bad in list(walk(s))), None),
                why="a checkpointed loop runs steps again; random numbers would be others, and "
                "output would come twice",
                cure="draw random numbers before the loop, one row for each step; print after it",
            )

    def stored(self, body: list[gast.stmt]) -> set[str]:
        """Names whose memory a block may change."""
        roots: set[str] = set()
        for statement in body:
            for node in walk(statement):
                if isinstance(node, (gast.Subscript, gast.Attribute)):
                    if isinstance(node.ctx, (gast.Store, gast.Del)):
                        roots.add(str(root(node)))
                elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
                    if node.func.attr in CHANGING:
                        roots.add(str(root(node.func)))
            roots |= set(changed_in(statement, self.known))
        names = reads(body) | writes(body)
        return roots | {n for n in names if any(self.aliases.share(n, r) for r in roots)}

    def parts(self, loop: gast.For | gast.While, live: frozenset[str]) -> _Parts:
        """What of the names in a loop is state, and what is constant."""
        first = gast.Pass()
        copy = map_children(lambda child: child, loop)
        copy.body = [first, *loop.body]
        ending = [gast.Expr(value=name(n)) for n in sorted(live)]
        around = map_children(lambda child: child, self.unit.tree)
        around.body = [copy, *ending]
        head = liveness(around)[id(first)]
        local = self.known.local
        counter = {loop.target.id} if isinstance(loop, gast.For) else set()
        changed = (writes(loop.body) | self.stored(loop.body)) & local
        test = reads(loop.test) if isinstance(loop, gast.While) else set()
        inside = reads(loop.body) | writes(loop.body) | test
        state = {n for n in changed & (head | live) if n in inside} - counter
        constants = ((reads(loop.body) | test) & head & local) - state - counter
        if counter & live:
            raise self.refusal(
                loop,
                f"`{loop.target.id}`, the counter of a checkpointed loop, is read after it",
                "it is no part of the state",
                "keep it under another name inside the loop",
            )
        for own in sorted(constants | state):
            if isinstance(self.known.names.get(own), Local):
                raise self.refusal(
                    loop,
                    f"`{own}` is a function that is made outside of the checkpointed loop",
                    "a step takes values only",
                    "define it at module level",
                )
        order = {n: k for k, n in enumerate(_in_order(loop))}
        by_place = lambda own: order.get(own, len(order))  # noqa: E731
        return _Parts(
            tuple(sorted(sorted(state), key=by_place)),
            tuple(sorted(sorted(constants), key=by_place)),
        )

    def check_alone(self, statement: gast.With, parts: _Parts, live: frozenset[str]) -> None:
        """Nobody else may look at memory that the steps change: they work on copies."""
        stored = self.stored(statement.body)
        for own in parts.state:
            if own not in stored:
                continue
            others = {n for n in self.aliases.sharing(own) if n not in parts.state}
            seen = others & (live | set(parts.constants))
            if seen:
                raise self.refusal(
                    statement,
                    f"`{min(seen)}` may share memory with `{own}`, which the checkpointed loop "
                    "changes",
                    "the steps of the loop change copies",
                    f"write `{own} = {own}.copy()` before the loop, or take `{min(seen)}` of it "
                    "after the loop",
                )

    def called(
        self,
        statement: gast.With,
        call: gast.Call,
        loop: gast.For | gast.While,
        parts: _Parts,
    ) -> list[gast.stmt]:
        """The loop as a call; names that have no value yet get one that nobody reads."""
        unit, origin = self.unit, origin_of(loop)
        made: list[gast.stmt] = []
        for own in parts.state:
            if own in self.certain.get(id(statement), frozenset()):
                continue
            if not isinstance(self.known.names.get(own), Scalar):
                raise self.refusal(
                    loop,
                    f"`{own}` may have no value before the checkpointed loop",
                    "it is part of the state, since it is read after an iteration",
                    f"assign `{own}` before the loop",
                )
            made.append(gast.Assign(targets=[store(own)], value=gast.Constant(0.0, None)))
        step = self.written("step", loop, parts, origin)
        counts: gast.expr
        if isinstance(loop, gast.While):
            body: list[gast.stmt] = [gast.Return(value=clone(loop.test))]
            test = self.loaded("goes_on", (*parts.state, *parts.constants), body, origin)
            counts = name(test)
        else:
            counts = _indexable(clone(loop.iter))
        snapshots = next((k.value for k in call.keywords if k.arg == "snapshots"), None)
        if snapshots is None or len(call.keywords) > 1:
            raise self.refusal(
                statement,
                "a checkpointed loop does not say how many states to keep",
                "that many snapshots are held in memory at once",
                "write checkpointed(range(n), snapshots=100)",
            )
        result = unit.names.fresh("state")
        items = tuple(forget_values(self.known.names[own]) for own in parts.state)
        for own, kind in zip(parts.state, items):
            self.known.names[own] = kind
        self.known.local |= {result}
        self.known.names[result] = Record(tuple, tuple(range(len(items))), items)
        unit.temporaries.add(result)
        driver = unit.names.fresh("checkpointed_steps")
        unit.scope.helpers[driver] = checkpointed_steps
        width = gast.Constant(len(parts.state), None)
        values = [name(own) for own in (*parts.state, *parts.constants)]
        run = gast.Call(
            func=name(driver), args=[name(step), counts, snapshots, width, *values], keywords=[]
        )
        targets = gast.Tuple(elts=[store(own) for own in parts.state], ctx=gast.Store())
        made.append(gast.Assign(targets=[store(result)], value=run))
        made.append(gast.Assign(targets=[targets], value=name(result)))
        for new in made:
            new.origin = origin
        return made

    def written(
        self, title: str, loop: gast.For | gast.While, parts: _Parts, origin: Any
    ) -> str:
        counter = loop.target.id if isinstance(loop, gast.For) else self.unit.names.fresh("count")
        state = gast.Tuple(elts=[name(own) for own in parts.state], ctx=gast.Load())
        body = [*loop.body, gast.Return(value=state)]
        given = (counter, *parts.state, *parts.constants)
        return self.loaded(title, given, body, origin)

    def loaded(
        self, title: str, given: tuple[str, ...], body: list[gast.stmt], origin: Any
    ) -> str:
        """The name of a function that is written to the text of the derivative."""
        unit = self.unit
        own = unit.titled(title)
        body[-1].origin = origin
        tree = definition(own, given, body)
        tree = optimize(tree, facts(unit, self.known, exact=True, place=0), self.options)
        emitted = emit(tree)
        scope = replace(unit.scope.namespace, defaults=(), kwdefaults={})
        place = place_of(unit.main)
        function = load(emitted.text, f"{own} {place}", scope, unit.scope.helpers, emitted.origins)
        if self.printed:
            unit.recursion.sources.append(emitted.text)
        unit.scope.helpers[own] = function
        return own


def _in_order(loop: gast.stmt) -> list[str]:
    """The names of a loop, in the order of the text."""
    found: dict[str, None] = {}
    for node in walk(loop):
        if isinstance(node, gast.Name):
            found.setdefault(node.id)
    return list(found)


def _indexable(counts: gast.expr) -> gast.expr:
    """`reversed(range(n))` as a range."""
    if isinstance(counts, gast.Call) and getattr(counts.func, "id", "") == "reversed":
        return quote("r[::-1]", r=counts.args[0])
    return counts
