"""Variables that functions defined inside assign: attributes of an object that both have.

total = 0.0                       cells = Cell("total"); cells.total = 0.0
def add(v):                       def add(v):
    nonlocal total
    total = total + v                 cells.total = cells.total + v
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import gast

from autodiff.core.notyet import NotYet
from autodiff.frontend.source import MARK
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.entry import Box, Entry, Unbound
from autodiff.lower.entries.global_names import SCOPES, declared, flat
from autodiff.normalize.build import assign, constant
from autodiff.runtime import Cell
from autodiff.syntax.names import Names, name, parameters, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, shallow

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit

_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def captured(tree: gast.FunctionDef, names: Names) -> gast.FunctionDef:
    """The tree without `nonlocal`."""
    if not any(isinstance(node, gast.Nonlocal) for node in gast.walk(tree)):
        return tree
    return inside(tree, {}, names)


def inside(tree: gast.FunctionDef, around: dict[str, str], names: Names) -> gast.FunctionDef:
    """A function, and those in it. around: the variables of others, and the objects they are in."""
    own = bound(tree)
    held = {each: cell for each, cell in around.items() if each not in own}
    mine = sorted(wanted(tree.body) & own)
    new = shallow(tree)
    before: list[gast.stmt] = []
    if mine:
        cell = names.fresh("cells")
        held |= dict.fromkeys(mine, cell)
        made = gast.Call(name(f"{MARK}{Cell.__name__}"), [constant(" ".join(mine))], [])
        before.append(assign(cell, made, origin_of(tree)))
        for each in parameters(tree.args):
            if each in mine:
                target = gast.Attribute(value=name(cell), attr=each, ctx=gast.Store())
                before.append(assign(target, name(each), origin_of(tree)))

    def changed(node: gast.AST) -> gast.AST:
        if isinstance(node, gast.Nonlocal):
            return gast.Pass()
        if isinstance(node, gast.FunctionDef):
            if node.name in held:
                raise NotYet("a function that another one exchanges")
            return inside(node, held, names)
        if isinstance(node, (*SCOPES, *_COMPREHENSIONS)):
            if any(isinstance(each, gast.Name) and each.id in held for each in binding(node)):
                raise NotYet("a variable of the same name further inside")
        if isinstance(node, gast.Name) and node.id in held:
            return gast.Attribute(value=name(held[node.id]), attr=node.id, ctx=node.ctx)
        return map_children(changed, node)

    new.body = [*before, *(changed(statement) for statement in tree.body)]
    return new


def cells(unit: Unit, node: gast.Call) -> Box:
    """The object that holds the variables of a function, none of which has a value yet."""
    slots: dict[str, Entry] = dict.fromkeys(node.args[0].value.split(), Unbound())
    return boxed(unit, Cell, slots)


def bound(tree: gast.FunctionDef) -> set[str]:
    """The variables of a function that are its own."""
    return {*parameters(tree.args), *writes(tree.body)} - declared(tree.body, gast.Nonlocal)


def wanted(body: list[gast.stmt]) -> set[str]:
    """The variables of others that functions in these statements assign."""
    found: set[str] = set()
    for node in flat(body):
        if isinstance(node, gast.FunctionDef):
            found |= declared(node.body, gast.Nonlocal) | (wanted(node.body) - bound(node))
    return found


def binding(node: gast.AST) -> Iterator[gast.AST]:
    """What a lambda or a comprehension binds."""
    for part in gast.walk(node):
        if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load):
            yield part
