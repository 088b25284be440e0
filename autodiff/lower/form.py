"""A function's tree with less sugar and no early jumps, as it is lowered."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from autodiff.frontend.defaults import Defaults, defaults_now, holds
from autodiff.frontend.fence import fence
from autodiff.frontend.lifted import lifted
from autodiff.frontend.source import Namespace, source
from autodiff.normalize.control import control
from autodiff.normalize.defaults import defaults
from autodiff.normalize.desugar import desugar
from autodiff.normalize.normal import defaults_of, explicit_super, shadowed
from autodiff.syntax.names import Names, all_names


@dataclass(frozen=True, slots=True)
class Form:
    """The tree, where its free names are looked up, the defaults of its parameters, the names that
    are not the user's.
    """

    tree: gast.FunctionDef
    namespace: Namespace | None
    defaults: dict[str, Any]
    temporaries: frozenset[str]


_forms: WeakKeyDictionary[FunctionType, tuple[Any, Defaults, Form]] = WeakKeyDictionary()


def form_of(function: FunctionType) -> Form:
    """The form of a function; kept until its code, cells or defaults change."""
    key = function.__code__, function.__closure__
    found = _forms.get(function)
    if found is not None and found[0] == key and holds(function, found[1]):
        return found[2]
    given = defaults_now(function)
    read = source(function)
    fence(read)
    read = lifted(read)
    tree = explicit_super(read.tree) if "__class__" in function.__code__.co_freevars else read.tree
    tree, temporaries = structured(tree, read.namespace)
    made = Form(tree, read.namespace, defaults_of(read), temporaries)
    _forms[function] = key, given, made
    return made


def structured(
    tree: gast.FunctionDef, namespace: Namespace | None
) -> tuple[gast.FunctionDef, frozenset[str]]:
    """The tree without sugar, then without early jumps; and the names made up for that."""
    names = Names(all_names(tree))
    user = set(names.taken)
    lookup = None if namespace is None else namespace.lookup
    tree = desugar(defaults(tree, names), names, shadowed=shadowed(namespace), lookup=lookup)
    tree = control(tree, names)
    return tree, frozenset(names.taken - user)
