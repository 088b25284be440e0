"""Names in a tree: which are read, which are bound, fresh ones, renaming and substitution.

Python's scopes are respected: the parameters of a lambda or nested function and the targets of a
comprehension belong to the inner scope, and what an inner scope reads from outside is a read.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gast

from autodiff.syntax.make import LOAD, STORE
from autodiff.syntax.memo import Memo
from autodiff.syntax.walk import PARTS, children, clone, map_children, of_class, walk

_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_SCOPES = frozenset(_COMPREHENSIONS + _FUNCTIONS)
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
_NAMING = (gast.ExceptHandler, gast.MatchAs, gast.MatchStar, gast.alias)
_BINDERS = frozenset((*_COMPREHENSIONS, gast.Lambda, *_DEFINITIONS, *_NAMING))
_NAMED = frozenset((gast.FunctionDef, gast.ClassDef, gast.ExceptHandler, gast.alias))
_BINDING = (gast.Store, gast.Del)
_BLOCKS = frozenset(("body", "orelse", "finalbody"))


RESERVED = frozenset((*keyword.kwlist, *dir(builtins))) - {"_"}
"""No `_`, the last value of an interactive session, on which no text may depend."""


class Names:
    """Hands out names that are not taken yet: `sin_x`, then `sin_x_2`, `sin_x_3` ..."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = {*taken, *RESERVED}
        self.free_again: set[str] = set()
        """Names that were handed out and are not used any more."""

    def fresh(self, hint: str) -> str:
        """`hint` itself when free, else the first free `hint_2`, `hint_3` ..."""
        name, count = hint, 1
        while name in self.taken:
            count += 1
            name = f"{hint}_{count}"
        self.taken.add(name)
        return name


def name(identifier: str, context: gast.AST | None = None) -> gast.Name:
    """A `Name` node; loaded unless a context is given."""
    node = gast.Name.__new__(gast.Name)
    ctx = context or LOAD
    node.__dict__ = {"id": identifier, "ctx": ctx, "annotation": None, "type_comment": None}
    return node


def store(identifier: str) -> gast.Name:
    """A `Name` node that is assigned."""
    return name(identifier, STORE)


def title_of(function: Any, otherwise: str = "function") -> str:
    """The name of a function as an identifier: a lambda has none."""
    found = str(getattr(function, "__name__", otherwise))
    return found if found.isidentifier() and not keyword.iskeyword(found) else otherwise


def all_names(tree: gast.AST | list[Any]) -> set[str]:
    """Every identifier in the tree, whatever its role."""
    found: set[str] = {node.id for node in of_class(tree, gast.Name)}
    for node in of_class(tree, *_NAMED):
        cls = node.__class__
        if cls is gast.alias:
            found.add((node.asname or node.name).split(".")[0])
        elif cls is not gast.ExceptHandler or isinstance(node.name, str):
            found.add(node.name)
    return found


def parameters(arguments: gast.arguments) -> list[str]:
    """The parameter names of a function, in order."""
    found = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    if arguments.vararg:
        found.append(arguments.vararg.id)
    found.extend(a.id for a in arguments.kwonlyargs)
    if arguments.kwarg:
        found.append(arguments.kwarg.id)
    return found


def reads(node: Any) -> set[str]:
    """Names whose value the node (or list of statements) may read from the scope around it.

    A name bound by an inner scope is not a read; a name bound earlier in the same list is.
    """
    cls = node.__class__
    if cls is gast.Name:
        return {node.id} if node.ctx.__class__ is gast.Load else set()
    if cls is list:
        return _together(node, 0)
    return {*USES[node][0]}


def writes(node: Any) -> set[str]:
    """Names that the node (or list of statements) may bind in the scope around it."""
    cls = node.__class__
    if cls is gast.Name:
        return {node.id} if node.ctx.__class__ in _BINDING else set()
    if cls is list:
        return _together(node, 1)
    return {*USES[node][1]}


def _together(nodes: list[gast.AST], side: int) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        found |= USES[node][side]
    return found


def _uses(node: gast.AST) -> tuple[set[str], set[str]]:
    """The names that a node reads, and those that it binds."""
    read: set[str]
    bound: set[str]
    if node.__class__ is gast.Assign and node.targets[0].__class__ is gast.Name:
        if len(node.targets) == 1:  # of the value, most passes ask as well
            read, bound = USES[node.value]
            return read, {*bound, node.targets[0].id}
    read = set()
    bound = set()
    todo = [node]
    while todo:
        item = todo.pop()
        cls = item.__class__
        if cls is gast.Name:
            if item.ctx.__class__ is gast.Load:
                read.add(item.id)
            elif item.ctx.__class__ in _BINDING:
                bound.add(item.id)
            continue
        if cls is gast.BinOp:
            todo += (item.left, item.right)
            continue
        if cls is gast.Constant:
            continue
        is_scope = cls in _SCOPES
        if is_scope:
            read |= reads(_outside(item))
            read |= reads(_inside(item)) - _local(item)
        if (cls in _BINDERS and _bound(item, bound)) or is_scope:
            if cls is gast.ClassDef:  # its body runs at once, but what it binds are attributes
                read |= reads(children(item))
            continue
        if cls is gast.AugAssign and item.target.__class__ is gast.Name:
            read.add(item.target.id)
        for field in PARTS[cls]:
            value = item.__dict__.get(field)
            if value.__class__ is list:
                if field in _BLOCKS:
                    for part in value:
                        inner = USES[part]
                        read |= inner[0]
                        bound |= inner[1]
                else:
                    todo.extend(value)
            elif value is not None:
                todo.append(value)
    return read, bound


USES = Memo(_uses)
"""The names that a node reads, and those that it binds: sets that are not to be changed."""


def _bound(node: gast.AST, found: set[str]) -> bool:
    """Add the names that a node binds by other means than `Name`; whether nothing is left in it."""
    if isinstance(node, _DEFINITIONS):
        found.add(node.name)
        return True
    if isinstance(node, _COMPREHENSIONS):
        found.update(child.target.id for child in walk(node) if isinstance(child, gast.NamedExpr))
        return True
    if isinstance(node, gast.Lambda):
        return True
    if isinstance(node, gast.alias):
        found.add((node.asname or node.name).split(".")[0])
    elif isinstance(node, gast.ExceptHandler):
        found |= caught(node)
    elif node.name:  # a pattern
        found.add(node.name)
    return False


def caught(handler: gast.ExceptHandler) -> set[str]:
    """The name that `except ... as name` binds, if any."""
    if not handler.name:
        return set()
    return {handler.name if isinstance(handler.name, str) else handler.name.id}


def captured(node: Any) -> set[str]:
    """Names that functions nested in the node read from the scope around them, at any time."""
    found: set[str] = set()
    for child in of_class(node, *_FUNCTIONS):
        found |= reads(_inside(child)) - _local(child)
    return found


def _outside(scope: gast.AST) -> list[gast.AST]:
    """The parts of a scope-making node that are evaluated in the scope around it."""
    if isinstance(scope, _COMPREHENSIONS):
        return [scope.generators[0].iter]
    arguments = scope.args
    parts = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
    if not isinstance(scope, gast.Lambda):
        parts.extend(scope.decorator_list)
        annotated = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parts.extend(a.annotation for a in annotated if a.annotation is not None)
    return parts


def _inside(scope: gast.AST) -> list[gast.AST]:
    if isinstance(scope, _COMPREHENSIONS):
        body = [scope.key, scope.value] if isinstance(scope, gast.DictComp) else [scope.elt]
        for number, generator in enumerate(scope.generators):
            body.extend([generator.target, *generator.ifs])
            if number:
                body.append(generator.iter)
        return body
    return scope.body if isinstance(scope.body, list) else [scope.body]


def _local(scope: gast.AST) -> set[str]:
    if isinstance(scope, _COMPREHENSIONS):
        return writes([generator.target for generator in scope.generators])
    found = set(parameters(scope.args))
    outer: set[str] = set()
    if isinstance(scope.body, list):
        found |= writes(scope.body)
        for child in of_class(scope.body, gast.Global, gast.Nonlocal):
            outer |= set(child.names)
    return found - outer


def substitute(node: gast.AST, mapping: Mapping[str, gast.expr]) -> gast.AST:
    """A copy of the node, each *read* of a mapped name replaced by (a copy of) its expression.

    Names bound by an inner scope are left alone.
    """

    def visit(child: gast.AST) -> gast.AST:
        if isinstance(child, gast.Name):
            new = mapping.get(child.id) if isinstance(child.ctx, gast.Load) else None
            return clone(child) if new is None else clone(new)
        if child.__class__ in _SCOPES:
            return _scoped(child, mapping, substitute)
        return map_children(visit, child)

    return visit(node)


def _scoped(scope: Any, mapping: Mapping[str, Any], visit: Callable[[Any, Any], Any]) -> Any:
    """A copy of a scope, in which its own names are no others; what is evaluated around it is."""
    hidden, around = _local(scope), set(map(id, _outside(scope)))
    inner = {key: value for key, value in mapping.items() if key not in hidden}

    def part(node: gast.AST) -> gast.AST:
        if isinstance(node, (gast.arguments, gast.comprehension)):
            return map_children(part, node)
        return visit(node, mapping if id(node) in around else inner)

    return map_children(part, scope)


def rename(node: gast.AST, mapping: Mapping[str, str]) -> gast.AST:
    """A copy of the node with names renamed, reads and writes alike; inner scopes are respected."""
    if not mapping:
        return clone(node)

    def visit(child: gast.AST) -> gast.AST:
        if isinstance(child, gast.Name):
            copy = clone(child)
            copy.id = mapping.get(copy.id, copy.id)
            return copy
        if child.__class__ in _SCOPES:
            copy = _scoped(child, mapping, rename)
        else:
            copy = map_children(visit, child)
        if isinstance(copy, (gast.FunctionDef, gast.ClassDef)):
            copy.name = mapping.get(copy.name, copy.name)
        elif isinstance(copy, (gast.Global, gast.Nonlocal)):
            copy.names = [mapping.get(n, n) for n in copy.names]
        elif (isinstance(copy, gast.ExceptHandler) and isinstance(copy.name, str)) or (
            isinstance(copy, (gast.MatchAs, gast.MatchStar)) and copy.name
        ):
            copy.name = mapping.get(copy.name, copy.name)
        return copy

    return visit(node)
