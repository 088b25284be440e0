"""The normal form of a function: everything before kinds come into play, kept per function."""

from __future__ import annotations

import types
from typing import Any
from weakref import WeakKeyDictionary

import gast

from autodiff import runtime
from autodiff.frontend.defaults import Defaults, defaults_now, holds
from autodiff.frontend.fence import fence
from autodiff.frontend.lifted import lifted
from autodiff.frontend.source import MARK, Source, source
from autodiff.locks import NORMAL_FORMS
from autodiff.normalize.anf import anf
from autodiff.normalize.control import control
from autodiff.normalize.defaults import defaults
from autodiff.normalize.desugar import desugar
from autodiff.normalize.queues import queues
from autodiff.normalize.selected import selected
from autodiff.normalize.sites import Callee
from autodiff.normalize.subscripts import subscripts
from autodiff.normalize.sugar.context import HELPERS
from autodiff.normalize.tapes import tapes
from autodiff.normalize.versions import versions
from autodiff.syntax.definition import definition
from autodiff.syntax.names import Names, all_names, name, parameters, rename, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children

_cache: WeakKeyDictionary[types.FunctionType, tuple[Any, Defaults, Callee]] = WeakKeyDictionary()


def normal_form(function: types.FunctionType) -> Callee:
    """A function in normal form, ready to be inlined; cached until its code or cells change."""
    key = (function.__code__, function.__closure__)
    with NORMAL_FORMS:
        found = _cache.get(function)
    if found is not None and found[0] == key and holds(function, found[1]):
        return found[2]
    given = defaults_now(function)
    read = source(function)
    fence(read)
    read = lifted(read)
    has_super = "__class__" in function.__code__.co_freevars
    written = explicit_super(read.tree) if has_super else read.tree
    tree, temporaries = normalized(written, read.namespace)
    callee = Callee(tree, read.namespace, defaults_of(read), function.__code__, temporaries)
    with NORMAL_FORMS:
        _cache[function] = (key, given, callee)
    return callee


def remember(function: types.FunctionType, callee: Callee) -> None:
    """Tell the normal form of a function that the compiler made from a tree."""
    key = (function.__code__, function.__closure__)
    with NORMAL_FORMS:
        _cache[function] = (key, defaults_now(function), callee)


def explicit_super(tree: gast.FunctionDef) -> gast.FunctionDef:
    """The function with `super()` as `super(__class__, self)`, which means the same anywhere."""
    own = parameters(tree.args)[:1]

    def visit(node: gast.AST) -> gast.AST:
        new = map_children(visit, node)
        if isinstance(new, gast.Call) and isinstance(new.func, gast.Name):
            if new.func.id == "super" and not new.args and own:
                new.args = [name("__class__"), name(own[0])]
        return new

    found: gast.FunctionDef = visit(tree)
    return found


def normal_node(node: Any) -> Callee:
    """The normal form of a function nested in the one being compiled: a `def` or a lambda."""
    if isinstance(node, gast.Lambda):
        body: list[gast.stmt] = [gast.Return(value=node.body)]
        gast.copy_location(body[0], node)
        body[0].origin = origin_of(node)
        tree = definition("function", node.args, body)
    else:
        tree = node
    given = {}
    arguments = tree.args
    positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    for parameter, value in zip(reversed(positional), reversed(arguments.defaults)):
        given[parameter] = value
    for parameter, value in zip(arguments.kwonlyargs, arguments.kw_defaults):
        if value is not None:
            given[parameter.id] = value
    new, temporaries = normalized(tree, None)
    return Callee(new, None, given, node, temporaries)


def normalized(tree: gast.FunctionDef, namespace: Any) -> tuple[gast.FunctionDef, frozenset[str]]:
    """desugar, control, anf, versions; and the temporaries made on the way."""
    names = Names(all_names(tree))
    user = set(names.taken)
    local = writes(tree.body) | set(parameters(tree.args))

    def meant(identifier: str) -> Any:
        """What a name stands for that the function does not bind; None if that is not known."""
        if identifier in local or namespace is None:
            return None
        try:
            return namespace.lookup(identifier)
        except (KeyError, ValueError):
            return None

    def is_helper(identifier: str) -> bool:
        """Whether a name means what the normal form means by it, as in a text of our own."""
        return meant(identifier) is getattr(runtime, identifier)

    lookup = None if namespace is None else namespace.lookup
    helpers = {n: MARK + n for n in user if MARK + n in HELPERS and is_helper(n)}
    tree = rename(tree, helpers) if helpers else tree
    tree = queues(defaults(tapes(tree, lookup), names), lookup)
    tree = selected(subscripts(tree, meant), meant)
    tree = desugar(tree, names, shadowed=shadowed(namespace), lookup=lookup)
    tree = control(tree, names)
    made = names.taken - user
    tree, _ = anf(tree, names, meant)
    made |= names.taken - user
    tree, versioned = versions(tree, names)
    temporaries = set(made) | {new for new, old in versioned.items() if old in made}
    return tree, frozenset(temporaries)


_EXPECTED = (
    *(range, len, min, zip, enumerate, reversed, map, filter),
    *(sum, max, list, dict, tuple, sorted),
)


def shadowed(namespace: Any) -> frozenset[str]:
    """Names of builtins that mean something else where the function lives."""
    if namespace is None:
        return frozenset()
    return frozenset(
        builtin.__name__
        for builtin in _EXPECTED
        if namespace.globals.get(builtin.__name__, builtin) is not builtin
        or builtin.__name__ in namespace.cells
    )


def defaults_of(read: Source) -> dict[str, Any]:
    """The default value of each parameter that has one."""
    arguments = read.tree.args
    positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
    values = read.namespace.defaults or ()
    found = dict(zip(reversed(positional), reversed(values)))
    found.update(read.namespace.kwdefaults or {})
    return found
