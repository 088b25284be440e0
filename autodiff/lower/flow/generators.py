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
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from autodiff.core import NotYet, constant
from autodiff.frontend.source import source
from autodiff.lower.entries.above import Expressions, Statements
from autodiff.lower.entries.boxes import Method, special
from autodiff.lower.entries.entry import Box, Closure, Entry, Given, Mixed
from autodiff.lower.flow.expansion import Expansion, Text, yields
from autodiff.lower.flow.form import Form
from autodiff.lower.flow.frame import Frame, Unit
from autodiff.lower.flow.peeled import ending
from autodiff.lower.recipes.uncounted import Generator
from autodiff.normalize.build import at, call
from autodiff.normalize.build import constant as written
from autodiff.normalize.normal import defaults_of
from autodiff.syntax.definition import definition
from autodiff.syntax.names import Names, all_names, name, parameters
from autodiff.syntax.walk import clone, map_children, of_class

_DEEPEST = 8
"""So many loops over generators may stand within each other."""


class Suspended(Box):
    """What a call of a generator gives. `fresh`: it has not been asked for anything."""

    __slots__ = ("text",)

    def __init__(self, text: Text) -> None:
        super().__init__(Generator, {"fresh": constant(True)})
        self.text = text


def begun(expressions: Expressions, text: Text) -> Box:
    """What a call of a generator gives: nothing of it has run yet."""
    box = Suspended(text)
    expressions.unit.boxes.append(box)
    return box


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
    return begun(expressions, text)


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
    return begun(expressions, Text(tree, home, {own: first}))


def text(statements: Statements, function: Any, receiver: Entry) -> Text:
    """A generator of one argument."""
    unit = statements.unit
    form, home = home_of(unit, function)
    tree = ending_itself(unit, form.tree)
    [own] = parameters(tree.args)
    return Text(tree, home, {own: receiver})


def run(statements: Statements, node: gast.For, box: Suspended) -> None:
    """A loop over what a generator gives. Who leaves it early leaves the rest to nobody."""
    fresh = box.slots["fresh"]
    if fresh == constant(False) or getattr(fresh, "constant", None) is False:
        return
    if getattr(fresh, "constant", None) is not True:
        raise NotYet("a generator that is read on")
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


# Objects of the user's classes that are gone over -------------------------------------------------


def stepwise(statements: Statements, entry: Entry) -> Text | None:
    """What an object of the user's gives whose `__iter__` is a generator; None for others."""
    itself = special(statements, entry, "__iter__")
    if special(statements, entry, "__next__") is not None:
        raise NotYet("an iterator of the user's")
    return text(statements, itself, entry) if itself is not None and gives_items(itself) else None


def gives_items(function: FunctionType | Method) -> bool:
    """Whether a method is a generator."""
    if isinstance(function, Method):
        return is_generator(function.closure.node)
    return inspect.isgeneratorfunction(function)


def _stops(error: Any) -> bool:
    error = error.func if isinstance(error, gast.Call) else error
    return isinstance(error, gast.Name) and error.id == "StopIteration"
