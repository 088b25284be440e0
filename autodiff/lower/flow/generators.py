"""Generators: their body stands where a loop asks for their items.

    def squares(xs):                for x in xs:
        for x in xs:                    v = x * x
            yield x * x                 total += v
    ...
    for v in squares(xs):
        total += v

Parameters and variables of the generator get names that are free in the function of the loop; what
it reads from around it is an alias for what it means there. A loop that ends early returns from it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from autodiff.core import NotYet, Reread, constant
from autodiff.frontend.source import source
from autodiff.lower.entries.above import Expressions, Statements
from autodiff.lower.entries.boxes import Method, called, special
from autodiff.lower.entries.entry import Box, Closure, Entry, Given, Mixed
from autodiff.lower.flow.expansion import Expansion, Text, yields
from autodiff.lower.flow.form import Form
from autodiff.lower.flow.frame import Frame, Unit
from autodiff.lower.flow.hoisted import ending
from autodiff.lower.flow.steps import Steps, needs_steps
from autodiff.lower.recipes.uncounted import Generator, Stepwise
from autodiff.normalize.build import at, call, repeat
from autodiff.normalize.build import constant as written
from autodiff.normalize.normal import defaults_of
from autodiff.syntax.definition import definition
from autodiff.syntax.names import Names, all_names, name, parameters
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, map_children, of_class

_DEEPEST = 8
"""So many loops over generators may stand within each other."""


class Suspended(Box):
    """What a call of a generator gives. `fresh`: it has not been asked for anything."""

    __slots__ = ("key", "text")

    def __init__(self, text: Text, key: ReadOn) -> None:
        super().__init__(Generator, {"fresh": constant(True)})
        self.text, self.key = text, key


@dataclass(frozen=True, slots=True)
class ReadOn:
    """A decision: a generator is asked for some of its items here, and for others there."""

    name: str
    origin: Any


def begun(expressions: Expressions, text: Text, origin: Any) -> Box:
    """What a call of a generator gives: nothing of it has run yet."""
    unit, key = expressions.unit, ReadOn(text.tree.name, origin)
    if key not in unit.doors.decided and not needs_steps(text.tree):
        box: Box = Suspended(text, key)
        unit.boxes.append(box)
        return box
    known = unit.turned.get(id(text.tree))
    if known is None:
        steps = Steps(text.tree)
        known = unit.turned[id(text.tree)] = steps.made(), steps.attributes, text.tree
    tree, attributes, _ = known
    made = called(expressions, Stepwise, Closure(tree, text.home))
    assert isinstance(made, Box)
    made.hint = ""
    made.slots |= {attributes[own]: entry for own, entry in text.given.items()}
    return made


Binding = Callable[[Any, Form, Given], dict[str, Entry]]
_forms: WeakKeyDictionary[FunctionType, Form] = WeakKeyDictionary()


def raw(function: FunctionType) -> Form:
    """The tree of a generator as it was written."""
    found = _forms.get(function)
    if found is None:
        read = source(function)
        found = _forms[function] = Form(read.tree, read.namespace, defaults_of(read), frozenset())
    return found


def made(
    expressions: Expressions, target: FunctionType | Closure, given: Given, bound: Binding
) -> Entry:
    """What a call of a generator gives: nothing of it has run yet."""
    unit = expressions.unit
    if isinstance(target, FunctionType) and not inspect.isgeneratorfunction(target):
        raise NotYet("a call of a coroutine")
    form, home = home_of(unit, target)
    text = Text(ending_itself(unit, form.tree), home, bound(expressions, form, given))
    return begun(expressions, text, origin_of(form.tree))


def ending_itself(unit: Unit, tree: gast.FunctionDef) -> gast.FunctionDef:
    """A generator whose `raise StopIteration` is the RuntimeError that Python makes of it: only
    what it catches itself stays what it is.
    """

    def told(node: gast.AST) -> gast.AST:
        if isinstance(node, gast.Raise) and _stops(node.exc):
            words = written("generator raised StopIteration")
            return at(gast.Raise(call("RuntimeError", words), None), getattr(node, "origin", None))
        apart = isinstance(node, (gast.Try, gast.FunctionDef, gast.ClassDef))
        return node if apart and node is not tree else map_children(told, node)

    if not any(_stops(each.exc) for each in of_class(tree.body, gast.Raise)):
        return tree
    key = tree, ending_itself
    if key not in unit.turned:
        unit.turned[key] = told(tree)
    return unit.turned[key]


def home_of(unit: Unit, target: FunctionType | Method | Closure) -> tuple[Form, Frame]:
    """A generator as it was written, and the frame in which its names mean something."""
    target = target.closure if isinstance(target, Method) else target
    if isinstance(target, Closure):
        form = Form(target.node, None, dict(target.defaults), frozenset())
        return form, Frame(unit, form, target.frame)
    form = raw(target)
    return form, Frame(unit, form)


def suspended(expressions: Expressions, node: gast.GeneratorExp, first: Entry) -> Entry:
    """`(f(v) for v in xs)`: a generator over an iterator that is made now."""
    unit = expressions.unit
    key = id(node)
    if key not in unit.turned:
        origin = expressions.builder.origin
        taken = Names(all_names(node))
        own = taken.fresh("items")
        body: list[gast.stmt] = [at(gast.Expr(value=gast.Yield(value=node.elt)), origin)]
        for generator in reversed(node.generators):
            if generator.is_async:
                raise NotYet("expression GeneratorExp")
            for test in reversed(generator.ifs):
                body = [at(gast.If(test=test, body=body, orelse=[]), origin)]
            over = name(own) if generator is node.generators[0] else generator.iter
            body = [at(gast.For(clone(generator.target), over, body, [], None), origin)]
        unit.turned[key] = definition("generator", [own], body), node
    tree, _ = unit.turned[key]
    [own] = parameters(tree.args)
    home = Frame(unit, Form(tree, None, {}, frozenset()), expressions.frame)
    return begun(expressions, Text(tree, home, {own: first}), expressions.builder.origin)


def text(
    statements: Statements,
    function: Any,
    receiver: Entry,
    turned: Callable[[gast.FunctionDef], gast.FunctionDef] | None = None,
) -> Text:
    """A generator of one argument. turned: its tree, made of that of a function."""
    unit = statements.unit
    form, home = home_of(unit, function)
    tree = form.tree
    if turned is None:
        tree = ending_itself(unit, tree)
    else:
        key = tree, turned
        found = unit.turned.get(key)
        tree = unit.turned[key] = turned(tree) if found is None else found
    [own] = parameters(tree.args)
    return Text(tree, home, {own: receiver})


def run(statements: Statements, node: gast.For, box: Suspended) -> None:
    """A loop over what a generator gives. Who leaves it early leaves the rest to nobody."""
    fresh = box.slots["fresh"]
    if fresh == constant(False) or getattr(fresh, "constant", None) is False:
        return
    if getattr(fresh, "constant", None) is not True:
        raise Reread(box.key, "a generator that is read on")
    box.slots["fresh"] = Mixed("a generator that is read on")
    consumed(statements, node, box.text)
    if ending(node.body)[1] is None:
        box.slots["fresh"] = constant(False)


def consumed(statements: Statements, node: gast.For, text: Text) -> None:
    """A generator's body, with that of the loop in place of each `yield`."""
    unit, frame = statements.unit, statements.frame
    key = id(node), id(text.tree), id(frame)
    found = unit.drawn.get(key)
    if found is None:
        found = unit.drawn[key] = Expansion(statements, node, text).made()
    if len(unit.drawing) >= _DEEPEST:
        raise NotYet("generators within each other")
    for parameter, own in found.parameters.items():
        frame.names[own] = text.given[parameter]
    for alias, own in found.aliases.items():
        frame.aliases[alias] = text.home, own
    unit.drawing.append(text.tree)
    try:
        statements.block(found.body)
    finally:
        unit.drawing.pop()


def is_generator(node: gast.AST) -> bool:
    """Whether a definition is one of a generator."""
    return isinstance(node, gast.FunctionDef) and any(map(yields, node.body))


# Iterators of the user's classes: `__iter__`, and `__next__` until StopIteration ------------------


def stepwise(statements: Statements, entry: Entry) -> Text | None:
    """What an object of the user's gives, as a generator; None for what has no `__next__`."""
    following = special(statements, entry, "__next__")
    itself = special(statements, entry, "__iter__")
    if itself is not None and following is None:
        return text(statements, itself, entry) if gives_items(itself) else None
    if following is None:
        return None
    if itself is not None and called(statements, itself, entry) != entry:
        raise NotYet("an iterator that gives another")
    return text(statements, following, entry, until_stop)


def gives_items(function: FunctionType | Method) -> bool:
    """Whether a method is a generator."""
    if isinstance(function, Method):
        return is_generator(function.closure.node)
    return inspect.isgeneratorfunction(function)


def until_stop(tree: gast.FunctionDef) -> gast.FunctionDef:
    """`__next__` as a generator.

    before: `def __next__(self): ...; return x`
    after: `def __next__(self): while True: ...; yield x`
    """
    if any(
        isinstance(part, (gast.For, gast.While, gast.Try, gast.With)) for part in gast.walk(tree)
    ):
        raise NotYet("a method __next__ with blocks")
    origin = getattr(tree.body[-1], "origin", None)
    body = _block([clone(statement) for statement in tree.body])
    made = definition(tree.name, tree.args, [repeat(written(True), body, [], origin)])
    made.origin = getattr(tree, "origin", None)
    return made


def _block(body: list[gast.stmt]) -> list[gast.stmt]:
    done: list[gast.stmt] = []
    for statement in body:
        origin = getattr(statement, "origin", None)
        if isinstance(statement, gast.Return):
            value = statement.value or written(None)
            done += [at(gast.Expr(value=gast.Yield(value=value)), origin)]
            done += [at(gast.Continue(), origin)]
        elif isinstance(statement, gast.Raise) and _stops(statement.exc):
            done.append(at(gast.Return(value=None), origin))
        else:
            if isinstance(statement, gast.If):
                statement.body = _block(statement.body)
                statement.orelse = _block(statement.orelse)
            done.append(statement)
    return done


def _stops(error: Any) -> bool:
    error = error.func if isinstance(error, gast.Call) else error
    return isinstance(error, gast.Name) and error.id == "StopIteration"
