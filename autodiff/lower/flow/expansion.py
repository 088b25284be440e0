"""The body of a loop put into the generator that it goes over."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

import gast

from autodiff.core.notyet import NotYet
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.entry import Entry
from autodiff.lower.flow.form import is_ours, plain
from autodiff.lower.flow.frame import Frame
from autodiff.lower.flow.peeled import ending
from autodiff.normalize.build import assign, at
from autodiff.syntax.definition import definition
from autodiff.syntax.names import Names, all_names, name, parameters, reads, rename, writes
from autodiff.syntax.walk import clone, map_children

_SCOPES = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.GeneratorExp)
_BODY = "$body"


@dataclass(frozen=True, slots=True)
class Text:
    """A generator's tree, the frame in which its free names mean something, and its parameters."""

    tree: gast.FunctionDef
    home: Frame
    given: dict[str, Entry]


@dataclass(frozen=True, slots=True)
class Expanded:
    """The statements of a loop over a generator. keeps: what has to live as long."""

    body: list[gast.stmt]
    parameters: dict[str, str]
    aliases: dict[str, str]
    keeps: Any


class Expansion:
    """Puts the body of a loop into a generator."""

    def __init__(self, statements: Statements, node: gast.For, text: Text) -> None:
        self.statements, self.frame, self.node, self.text = statements, statements.frame, node, text
        self.origin = getattr(node, "origin", None)
        self.names = Names({*all_names(self.frame.tree), *self.frame.local, *self.frame.aliases})
        self.around = frozenset(self.names.taken)
        self.ours = is_ours(text.home.space())
        self.inner, self.flag = ending(node.body)

    def made(self) -> Expanded:
        """The statements, without sugar and early jumps."""
        frame, tree = self.frame, self.text.tree
        if any(isinstance(part, (gast.Nonlocal, gast.Global)) for part in gast.walk(tree)):
            raise NotYet("a generator with variables of others")
        own = {*parameters(tree.args), *writes(tree.body)}
        mapping = {each: self.names.fresh(each) for each in sorted(own)}
        aliases = {}
        for each in sorted(reads(tree.body) - own):
            if not self.means_the_same(each):
                mapping[each] = self.names.fresh(each)
                aliases[mapping[each]] = each
        body = [rename(self.apart(statement), mapping) for statement in tree.body]
        if self.ours:
            for part in body:
                for inner in gast.walk(part):
                    if isinstance(inner, gast.stmt):
                        inner.origin = self.origin
        body = self.block(body, 0)
        given = definition("generator", [mapping[p] for p in parameters(tree.args)], body)
        given.origin = self.origin
        hidden = frozenset(n for n in vars(builtins) if frame.resolve(n)[0] is not None)
        home = self.text.home
        inverse = dict(aliases)

        def lookup(identifier: str) -> object:
            try:
                return home.lookup(inverse.get(identifier, identifier))
            except NotYet:
                raise KeyError(identifier) from None

        drawing = self.statements.unit.doors.drawing
        plain_tree, temporaries = plain(
            given,
            self.names,
            hidden,
            lookup,
            lambda loop: self.ours or getattr(loop, "origin", None) in drawing,
        )
        statements = self.filled(plain_tree.body)
        new = {*temporaries, *mapping.values()} - set(aliases)
        frame.local |= new
        frame.temporaries = frame.temporaries | temporaries | (new if self.ours else set())
        inner = set(map(id, (part for each in self.inner for part in gast.walk(each))))
        known = frame.reads(frame.tree)
        for statement in statements:
            for part in gast.walk(statement):
                if isinstance(part, gast.Name) and part.id in new and id(part) not in inner:
                    known[part.id] += 1
        keeps = plain_tree, self.node, self.text.tree, frame
        own_parameters = {p: mapping[p] for p in parameters(tree.args)}
        return Expanded(statements, own_parameters, aliases, keeps)

    def apart(self, node: Any) -> Any:
        """Comprehensions with other variables than those of the function of the loop."""
        new = map_children(self.apart, node)
        if not isinstance(new, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
            return new
        own = {each for part in new.generators for each in all_names(part.target)}
        mapping = {each: self.names.fresh(each) for each in sorted(own & self.around)}
        if not mapping:
            return new
        outermost = new.generators[0].iter
        new = map_children(lambda part: rename(part, mapping), new)
        new.generators[0].iter = outermost  # which is computed outside
        return new

    def means_the_same(self, identifier: str) -> bool:
        """Whether a free name of the generator means what it means in the function of the loop."""
        frame, home = self.frame, self.text.home
        holder, own = home.resolve(identifier)
        if holder is not None:
            return holder is frame and own == identifier
        if frame.resolve(identifier)[0] is not None:
            return False
        try:
            return frame.space().lookup(identifier) is home.space().lookup(identifier)
        except (KeyError, ValueError):
            return False

    def block(self, body: list[gast.stmt], depth: int) -> list[gast.stmt]:
        """Statements of the generator, what stands for the loop's body in place of `yield`."""
        done: list[gast.stmt] = []
        for statement in body:
            value = statement.value if isinstance(statement, (gast.Expr, gast.Assign)) else None
            if isinstance(value, gast.Yield):
                nothing = gast.Constant(value=None, kind=None)
                done += self.given(value.value or nothing)
                if isinstance(statement, gast.Assign):  # nobody sends it anything
                    done.append(at(gast.Assign(statement.targets, nothing, None), self.origin))
                continue
            if isinstance(value, gast.YieldFrom) and isinstance(statement, gast.Expr):
                item = self.names.fresh("item")
                each = [at(gast.Expr(value=gast.Yield(value=name(item))), self.origin)]
                made = gast.For(
                    target=name(item, gast.Store()),
                    iter=value.value,
                    body=each,
                    orelse=[],
                    type_comment=None,
                )
                done += self.block([at(made, getattr(statement, "origin", self.origin))], depth)
                continue
            done.append(self.inside(statement, depth))
        return done

    def inside(self, statement: Any, depth: int) -> gast.stmt:
        """A statement that may hold others."""
        if isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            return statement
        if isinstance(statement, gast.Return) and statement.value is not None:
            raise NotYet("a generator that returns a value")
        blocks = [f for f in ("body", "orelse", "finalbody") if getattr(statement, f, None)]
        if not blocks:
            if any(map(yields, gast.iter_child_nodes(statement))) or yields(statement):
                raise NotYet("expression Yield")
            return statement
        finishes = isinstance(statement, gast.Try) and not statement.handlers
        whole = finishes and self.flag is None  # who leaves early finishes it later
        if isinstance(statement, (gast.With, gast.Try)) and yields(statement) and not whole:
            raise NotYet("a generator that yields inside of a block")
        if isinstance(statement, gast.Match):
            raise NotYet("a generator with match")
        for field in blocks:
            setattr(statement, field, self.block(getattr(statement, field), depth + 1))
        return statement

    def given(self, value: gast.expr) -> list[gast.stmt]:
        """What stands for `yield value`."""
        call = gast.Call(func=name(_BODY), args=[], keywords=[])
        made = [
            assign(clone(self.node.target), value, self.origin),
            at(gast.Expr(value=call), self.origin),
        ]
        if self.flag is not None:
            leave = at(gast.Return(value=None), self.origin)
            made.append(at(gast.If(test=self.flag, body=[leave], orelse=[]), self.origin))
        return made

    def filled(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Statements with the loop's body where that is to stand, without the last `return`."""
        done: list[gast.stmt] = []
        for statement in body:
            if _stands_for_body(statement):
                done += self.inner
            elif not isinstance(statement, gast.Return):
                for field in ("body", "orelse", "finalbody"):
                    inner = getattr(statement, field, None)
                    if isinstance(inner, list) and inner:
                        if not isinstance(statement, gast.FunctionDef):
                            setattr(statement, field, self.filled(inner))
                done.append(statement)
        return done or [at(gast.Pass(), self.origin)]


def _stands_for_body(statement: gast.stmt) -> bool:
    call = statement.value if isinstance(statement, gast.Expr) else None
    return (
        isinstance(call, gast.Call) and isinstance(call.func, gast.Name) and call.func.id == _BODY
    )


def yields(node: gast.AST) -> bool:
    """Whether there is a `yield` in a node that is not of a function inside of it."""
    if isinstance(node, (gast.Yield, gast.YieldFrom)):
        return True
    if isinstance(node, _SCOPES):
        return False
    return any(map(yields, gast.iter_child_nodes(node)))
