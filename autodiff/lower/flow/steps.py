"""A generator as a function that runs it to its next `yield`.

    def running(xs):                def advance(self):
        s = 0.0                         place, self.place = self.place, -1
        for x in xs:                    resumed = place > 0
            s = s + x                   if place < 0:
            yield s                         return False
                                        if not resumed:
                                            self.s = 0.0
                                            self.source = iter(self.xs)
                                        while resumed or self.source.more():
                                            if not resumed:
                                                self.x = self.source.take()
                                                self.s = self.s + self.x
                                            if resumed:
                                                resumed = False
                                            else:
                                                self.place, self.item = 1, self.s
                                                return True
                                        return False

Its variables are attributes of an object, so that who asks for one item now and for another later
finds them. `place` is the `yield` at which it waits, 0 before the first, -1 behind the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autodiff.core.notyet import NotYet
from autodiff.lower.flow.expansion import yields
from autodiff.lower.recipes.uncounted import Stepwise
from autodiff.normalize.build import assign, at, branch, constant, repeat
from autodiff.syntax.definition import definition
from autodiff.syntax.names import Names, all_names, name, parameters, store, writes
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import clone, map_children, of_class

_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_OTHERS = (
    *(gast.Nonlocal, gast.Global, gast.FunctionDef, gast.ClassDef, gast.NamedExpr),
    *(gast.Import, gast.ImportFrom, gast.Match, gast.ExceptHandler),
)


def needs_steps(tree: gast.FunctionDef) -> bool:
    """Whether a generator returns a value, or takes one that another returns."""
    alone = {id(part.value) for part in of_class(tree.body, gast.Expr)}
    taken = any(id(part) not in alone for part in of_class(tree.body, gast.YieldFrom))
    return taken or any(part.value is not None for part in of_class(tree.body, gast.Return))


class Steps:
    """Makes the function. attributes: under which names the object holds the variables."""

    def __init__(self, tree: gast.FunctionDef) -> None:
        if of_class(tree.body, *_OTHERS):
            raise NotYet("a generator that is asked for one item, with names of its own inside")
        self.tree = tree
        names = Names(all_names(tree))
        self.object, self.place, self.resumed = map(names.fresh, ("self", "place", "resumed"))
        held = (Stepwise.__init__, Stepwise.each)
        words = {word for function in held for word in function.__code__.co_names}
        self.names, self.members = names, Names(words.union(dir(Stepwise)))
        own = [*parameters(tree.args), *sorted(writes(tree.body))]
        self.attributes = {each: self.members.fresh(each) for each in dict.fromkeys(own)}
        self.count = 0

    def made(self) -> gast.FunctionDef:
        """The function; its parameter is the object."""
        body = quote_statements(
            "if me.ended:\n    return False\nresumed, place = me.begun, me.place\n"
            "me.begun = me.ended = True",  # it has ended where an error is raised
            place=self.place,
            me=self.object,
            resumed=self.resumed,
        )
        body += self.block(list(self.tree.body))
        body += quote_statements("return False")
        origin = getattr(self.tree, "origin", None)
        made = definition("advance", [self.object], body)
        made.origin = origin
        for part in gast.walk(made):
            if isinstance(part, gast.stmt) and getattr(part, "origin", None) is None:
                part.origin = origin
        return made

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Statements, of which those before the `yield` where it waits are left out."""
        done: list[gast.stmt] = []
        plain: list[gast.stmt] = []
        asking = [yields(statement) for statement in body]
        for k, statement in enumerate(body):
            if asking[k]:
                done += self.fresh(plain)
                plain = []
                done += self.asking(statement, any(asking[k + 1 :]))
            else:
                plain += self.plain(statement)
        return done + plain

    def fresh(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """What runs only where nothing is resumed."""
        test = quote("not resumed", resumed=self.resumed)
        return [branch(test, body, [], getattr(body[0], "origin", None))] if body else []

    def plain(self, statement: Any) -> list[gast.stmt]:
        """A statement without `yield`."""
        if not isinstance(statement, gast.Return) and not of_class(statement, gast.Return):
            return [self.held(clone(statement))]
        if isinstance(statement, gast.Return):
            done = quote_statements("return False")
            if statement.value is not None:
                result = self.member("result", gast.Store())
                done.insert(0, assign(result, self.held(clone(statement.value)), None))
            return [at(each, getattr(statement, "origin", None)) for each in done]
        new = clone(statement)
        for field in ("test", "iter", "target"):
            if hasattr(new, field):
                setattr(new, field, self.held(getattr(new, field)))
        for field in ("body", "orelse", "finalbody"):
            parts = getattr(new, field, None) or []
            setattr(new, field, [each for part in parts for each in self.plain(part)])
        if isinstance(new, (gast.With, gast.Try)):
            raise NotYet("a generator that returns inside of a block")
        return [new]

    def asking(self, statement: Any, others: bool) -> list[gast.stmt]:
        """A statement with a `yield`. others: there is one behind it in its block, too."""
        origin = getattr(statement, "origin", None)
        first = self.count + 1
        value = getattr(statement, "value", None)
        if _is_asking(statement):
            made = self.given(statement)
        elif isinstance(value, gast.YieldFrom) and not yields(value.value):
            made = self.delegated(statement, value)
        elif isinstance(statement, gast.If):
            made = self.chosen(statement)
        elif isinstance(statement, gast.While) and not any(map(yields, statement.orelse)):
            made = self.repeated(statement, self.held(clone(statement.test)), [])
        elif isinstance(statement, gast.For) and not any(map(yields, statement.orelse)):
            made = self.drawn(statement)
        else:
            raise NotYet("a generator that is asked for one item, and yields inside of a block")
        for part in made:
            part.origin = origin
        if not others:
            return made
        here = self.waits(first, self.count)  # else one further down is resumed
        test = quote("not resumed or here", resumed=self.resumed, here=here)
        return [branch(test, made, [], origin)]

    def waits(self, first: int, last: int) -> gast.expr:
        """Whether it waits at one of these."""
        text = "place == first" if first == last else "place >= first and place <= last"
        bounds = {"first": constant(first), "last": constant(last)}
        return quote(text, place=self.place, **bounds)

    def given(self, statement: Any) -> list[Any]:
        """`yield value`, and `x = yield value`, to which nobody sends anything."""
        self.count += 1
        asked = statement.value
        value = constant(None) if asked.value is None else asked.value
        if yields(value):
            raise NotYet("a generator that is asked for one item, and yields in an expression")
        made = quote_statements(
            "if resumed:\n    resumed = False\nelse:\n    item = value\n"
            "    me.place, me.ended = here, False\n    return True",
            resumed=self.resumed,
            item=self.member("item"),
            value=self.held(clone(value)),
            me=self.object,
            here=constant(self.count),
        )
        if isinstance(statement, gast.Assign):
            made.append(self.held(gast.Assign(statement.targets, constant(None), None)))
        return made

    def chosen(self, statement: gast.If) -> list[gast.stmt]:
        """`if test:`, or the branch in which it waits."""
        if yields(statement.test):
            raise NotYet("a generator that is asked for one item, and yields in an expression")
        taken = self.names.fresh("taken")
        first = self.count + 1
        body = self.block(statement.body)
        last = self.count
        orelse = self.block(statement.orelse)
        made = quote_statements(
            "if resumed:\n    taken = here\nelse:\n    taken = test",
            resumed=self.resumed,
            taken=taken,
            here=self.waits(first, last),
            test=self.held(clone(statement.test)),
        )
        return [*made, branch(name(taken), body, orelse, None)]

    def drawn(self, statement: gast.For) -> list[gast.stmt]:
        """`for x in xs:`, of which the object knows how far it is: no iterator differs by path."""
        items, at = (self.member(self.members.fresh(word)) for word in ("items", "at"))
        start = quote_statements(
            "items, at = me.over(xs)",
            items=items,
            at=at,
            me=self.object,
            xs=self.held(clone(statement.iter)),
        )
        taken = quote_statements(
            "target = me.nth(items, at)\nat = me.after(at)",
            target=self.held(clone(statement.target)),
            items=items,
            at=at,
            me=self.object,
        )
        more = quote("me.has(items, at)", items=items, at=at, me=self.object)
        return [*self.fresh(start), *self.repeated(statement, more, taken)]

    def repeated(
        self, loop: gast.For | gast.While, test: gast.expr, first: list[gast.stmt]
    ) -> list[gast.stmt]:
        """A loop. first: what its iterations begin with. One that comes to its only `yield` in each
        iteration is none: what is behind that, and what is in front of the next.
        """
        asking = [k for k, each in enumerate(loop.body) if yields(each)]
        [k, *others] = asking
        if others or not _is_asking(loop.body[k]) or of_class(loop.body, gast.Break, gast.Continue):
            test = quote("resumed or test", resumed=self.resumed, test=test)
            body = self.fresh(first) + self.block(loop.body)
            return [repeat(test, body, self.all(loop.orelse), None)]
        [begin, *after] = self.given(loop.body[k])
        behind = [*after, *self.all(loop.body[k + 1 :]), *begin.body]
        ahead = [*first, *self.all(loop.body[:k]), *begin.orelse]
        resumed = branch(name(self.resumed), behind, [], None)
        return [resumed, branch(test, ahead, self.all(loop.orelse), None)]

    def delegated(self, statement: Any, asked: gast.YieldFrom) -> list[gast.stmt]:
        """`yield from xs`, whose value is what a generator returns."""
        item, own = self.names.fresh("item"), self.names.fresh("source")
        self.attributes |= {each: self.members.fresh(each) for each in (item, own)}
        each = gast.Expr(value=gast.Yield(value=name(item)))
        begun = quote("me.begun_over(xs)", me=self.object, xs=asked.value)
        made = self.fresh([self.held(assign(own, begun, None))])
        made += self.drawn(gast.For(store(item), name(own), [each], [], None))
        if isinstance(statement, gast.Assign):
            result = gast.Assign(statement.targets, quote("own.result", own=own), None)
            made.append(self.held(result))
        return made

    def all(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Statements without `yield`."""
        return [each for statement in body for each in self.plain(statement)]

    def member(self, own: str, context: gast.AST | None = None) -> gast.Attribute:
        """An attribute of the object."""
        return gast.Attribute(name(self.object), own, context or gast.Load())

    def held(self, node: Any, bound: frozenset[str] = frozenset()) -> Any:
        """A tree whose variables are attributes of the object."""
        if isinstance(node, gast.Name):
            own = None if node.id in bound else self.attributes.get(node.id)
            return node if own is None else self.member(own, clone(node.ctx))
        if isinstance(node, _SCOPES):
            bound = bound | frozenset(_bound(node))
        return map_children(lambda part: self.held(part, bound), node)


def _is_asking(statement: Any) -> bool:
    """Whether it is `yield value` or `x = yield value`."""
    whole = isinstance(statement, (gast.Expr, gast.Assign))
    return whole and isinstance(statement.value, gast.Yield)


def _bound(node: Any) -> Iterator[str]:
    """The variables of a lambda or comprehension."""
    if isinstance(node, gast.Lambda):
        yield from parameters(node.args)
    else:
        for part in node.generators:
            yield from all_names(part.target)
