"""A function's tree with less sugar and no early jumps, as it is lowered.

Fewer statement forms: the rules of `desugar`, but for loops over what gives its items one after
the other. These stay as they are: `flow/drawing.py` draws from an iterator, which no index can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from autodiff.core.notyet import IN_ORDER, NotYet
from autodiff.errors import AutodiffError
from autodiff.frontend.defaults import Defaults, defaults_now, holds
from autodiff.frontend.fence import fence
from autodiff.frontend.lifted import lifted
from autodiff.frontend.source import Namespace, source
from autodiff.lower.entries.captured import captured
from autodiff.lower.flow.explicit import explicit_super
from autodiff.normalize.control import control
from autodiff.normalize.defaults import defaults
from autodiff.normalize.desugar import Draws, desugar
from autodiff.normalize.normal import defaults_of, shadowed
from autodiff.syntax.definition import definition
from autodiff.syntax.names import Names, all_names
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import walk


@dataclass(frozen=True, slots=True)
class Form:
    """The tree, where free names are looked up, the defaults, the names that are not the user's.
    plain: its statements stand in the place of a call of the user's.
    """

    tree: gast.FunctionDef
    namespace: Namespace | None
    defaults: dict[str, Any]
    temporaries: frozenset[str]
    plain: bool = False


_OURS = "autodiff.lower."
_forms: WeakKeyDictionary[FunctionType, tuple[Any, Defaults, Form]] = WeakKeyDictionary()


def form_of(function: FunctionType, drawing: frozenset[Any] = frozenset()) -> Form:
    """The form of a function; kept until its code, cells or defaults change. drawing: the places of
    loops that stay as they are.
    """
    key = function.__code__, function.__closure__, drawing
    found = _forms.get(function)
    if found is not None and found[0] == key and holds(function, found[1]):
        return found[2]
    given = defaults_now(function)
    try:
        read = source(function)
        fence(read, closed=True)
    except AutodiffError as error:
        raise NotYet(error.what, error) from error
    read = lifted(read)
    tree = explicit_super(read.tree) if any(map(names_super, walk(read.tree))) else read.tree
    user = all_names(tree)
    tree = captured(tree, Names(user))
    tree, temporaries = structured(tree, read.namespace, drawing)
    temporaries |= all_names(tree) - user - temporaries
    made = Form(tree, read.namespace, defaults_of(read), temporaries)
    _forms[function] = key, given, made
    return made


def names_super(node: gast.AST) -> bool:
    """Whether a node is the name `super`."""
    return isinstance(node, gast.Name) and node.id == "super"


def form_inside(
    node: Any, defaults: dict[str, Any], origin: Any, drawing: frozenset[Any] = frozenset()
) -> Form:
    """The form of a function that is defined inside, or of a lambda."""
    tree = node
    if isinstance(node, gast.Lambda):
        body: list[gast.stmt] = [gast.Return(value=node.body)]
        gast.copy_location(body[0], node)
        body[0].origin = origin
        tree = definition("function", node.args, body)
    tree, temporaries = structured(tree, None, drawing)
    return Form(tree, None, defaults, temporaries)


def structured(
    tree: gast.FunctionDef, namespace: Namespace | None, drawing: frozenset[Any] = frozenset()
) -> tuple[gast.FunctionDef, frozenset[str]]:
    """The tree without sugar, then without early jumps; the names made up for that."""
    lookup = None if namespace is None else namespace.lookup

    def draws(loop: gast.For) -> bool:
        return is_ours(namespace) or origin_of(loop) in drawing

    exact = IN_ORDER in drawing
    return plain(tree, Names(all_names(tree)), shadowed(namespace), lookup, draws, exact)


def is_ours(namespace: Namespace | None) -> bool:
    """Whether a function is one of our own that stand for one of Python's."""
    return namespace is not None and str(namespace.globals.get("__name__")).startswith(_OURS)


def plain(
    tree: gast.FunctionDef,
    names: Names,
    hidden: frozenset[str],
    lookup: Callable[[str], object] | None,
    draws: Draws,
    exact: bool = False,
) -> tuple[gast.FunctionDef, frozenset[str]]:
    """The tree without sugar, but for loops that draw from iterators, and without early jumps.
    exact: attributes, items and operators may run code that changes something.
    """
    user = set(names.taken)
    tree = desugar(defaults(tree, names), names, hidden, lookup, draws, exact)
    tree = control(tree, names)
    return tree, frozenset(names.taken - user)
