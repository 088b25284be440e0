"""Variables that functions defined inside assign: attributes of an object that both have.

total = 0.0                       cells = Cell("total"); cells.total = 0.0
def add(v):                       def add(v):
    nonlocal total
    total = total + v                 cells.total = cells.total + v

Globals that a function assigns: places outside like any other, parts of their module.

global TOTAL
TOTAL = TOTAL + x                 module.TOTAL = TOTAL_2 = TOTAL + x
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import gast

from autodiff.core.notyet import NotYet, Raises
from autodiff.frontend.source import MARK
from autodiff.lower.entries import cells
from autodiff.lower.entries.above import Frame, Values
from autodiff.lower.entries.boxes import boxed
from autodiff.lower.entries.entry import Box, Entry, Outer, Unbound
from autodiff.lower.entries.outer import reading, static_attribute
from autodiff.normalize.build import assign, constant
from autodiff.runtime import Cell
from autodiff.syntax.names import Names, name, parameters, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import children, map_children, shallow

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
            made = inside(node, held, names)
            made.args = around_body(changed, node.args)
            made.decorator_list = [changed(each) for each in node.decorator_list]
            return made
        if isinstance(node, (*SCOPES, *_COMPREHENSIONS)):
            if any(isinstance(each, gast.Name) and each.id in held for each in binding(node)):
                raise NotYet("a variable of the same name further inside")
        if isinstance(node, gast.Name) and node.id in held:
            return gast.Attribute(value=name(held[node.id]), attr=node.id, ctx=node.ctx)
        return map_children(changed, node)

    new.body = [*before, *(changed(statement) for statement in tree.body)]
    return new


def around_body(changed: Callable[[gast.AST], gast.AST], args: gast.arguments) -> gast.arguments:
    """Parameters whose defaults read the variables of the function around."""
    made = shallow(args)
    made.defaults = [changed(each) for each in args.defaults]
    made.kw_defaults = [each and changed(each) for each in args.kw_defaults]
    return made


def cell_of(expressions: Values, node: gast.Call) -> Box:
    """The object that holds the variables of a function, none of which has a value yet."""
    slots: dict[str, Entry] = dict.fromkeys(node.args[0].value.split(), Unbound())
    return boxed(expressions.unit, Cell, slots)


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


SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def flat(nodes: list[gast.stmt]) -> Iterator[gast.AST]:
    """Statements and what is in them, but not in functions."""
    todo: list[gast.AST] = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, SCOPES):
            todo += children(node)


def declared(body: list[gast.stmt], how: type = gast.Global) -> set[str]:
    """The variables of others that a function says it assigns."""
    found: Iterator[Any] = (node for node in flat(body) if isinstance(node, how))
    return {each for node in found for each in node.names}


def check_declared(frame: Frame) -> None:
    """Globals are bound by assignments alone."""
    body = frame.tree.body
    assigned: list[gast.AST] = []
    for node in flat(body):
        if isinstance(node, (gast.Assign, gast.AugAssign)):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            assigned += [part for target in targets for part in gast.walk(target)]
    bound = [node for node in flat(body) if isinstance(node, gast.Name)]
    other = {n.id for n in bound if not isinstance(n.ctx, gast.Load) and n not in assigned}
    names = {node.id for node in assigned if isinstance(node, gast.Name)}
    if frame.declared & (other | (writes(body) - names)):
        raise NotYet("a global that is bound in another way")


def put_global(expressions: Values, identifier: str, entry: Entry) -> None:
    """A global holds something else."""
    space = expressions.frame.space()
    module = sys.modules.get(str(space.globals.get("__name__")))
    if identifier in space.cells or module is None or vars(module) is not space.globals:
        raise NotYet("a global of a module that is not there")
    own = expressions.unit.references.use(module.__name__.rpartition(".")[2], module)
    cells.put(expressions, space.globals, identifier, f"{own}.{identifier}", entry)


def is_nowhere(module: str) -> bool:
    """Whether there is no module of a name that has no dots."""
    known = module in sys.modules or "." in module
    return not known and importlib.util.find_spec(module) is None


def imported(expressions: Values, node: gast.Import | gast.ImportFrom) -> dict[str, Entry]:
    """What an import in a block or in an inner function binds: of modules that are there."""
    found: dict[str, Entry] = {}
    for alias in node.names:
        word = getattr(node, "module", None) or alias.name
        module, use = sys.modules.get(word), expressions.unit.references.use
        whole = isinstance(node, gast.Import)
        if module is None and not getattr(node, "level", None) and is_nowhere(word):
            expressions.unit.checks.append(partial(is_nowhere, word))
            raise Raises(ModuleNotFoundError, f"No module named {word!r}")
        if module is None or getattr(node, "level", None) or whole and "." in word:
            raise NotYet("an import of what is not there yet")
        own, path = alias.asname or alias.name, use(word.rpartition(".")[2], module)
        if whole:
            found[own] = reading(expressions, module, path)
        else:
            found[own] = static_attribute(expressions, Outer(module, path), alias.name)
    return found
