"""Calls of library functions that take functions, iterate or write: as plain Python functions."""

from __future__ import annotations

import inspect
import itertools
import math
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.changes import changed_in
from autodiff.analysis.constructors import attribute
from autodiff.analysis.drawn import OF_ALL
from autodiff.analysis.kept import functions_in
from autodiff.analysis.kind import (
    Array,
    Drawing,
    Kind,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Static,
    Unknown,
    is_complex,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, whole
from autodiff.analysis.outer_changes import outer_changes
from autodiff.analysis.purity import may_change_arguments
from autodiff.analysis.whereabouts import Whereabouts
from autodiff.frontend.draws import DRAWS
from autodiff.frontend.equivalents import (
    ITERATORS,
    VECTORIZED,
    equivalent,
    multiplied,
    ordered_items,
)
from autodiff.frontend.ufunc_methods import ufunc_of, written_ufunc_method
from autodiff.frontend.writers import sign, written_function, written_method
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Site
from autodiff.rules import registry
from autodiff.rules.home import hashable
from autodiff.syntax.names import captured, reads
from autodiff.syntax.walk import of_class

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

_SIGN_IS_REAL = np.sign(1j) != 1j
"""Before NumPy 2 the sign of a complex number is that of its real part."""

Found = tuple[Any, list[gast.expr], list[tuple[str, gast.expr]]]
"""The function, and the arguments that it already has."""


def written_out(resolver: Resolver, kind: Kind | None, value: gast.Call) -> Found | None:
    """The plain Python equivalent of `map`, `functools.reduce`, `rng.normal`, `np.put`."""
    draw = _draw(resolver, kind, value)
    if draw is not None:
        return draw
    if not isinstance(kind, Static) or any(k.arg is None for k in value.keywords):
        return None
    if hashable(kind.value) and kind.value in ITERATORS and (
        not resolver.used_once(value)  # an iterator, which is empty when it is read a second time
        or id(value) not in resolver.consumed
        and (resolver.stores or _reads_later(resolver, value))  # read while memory changes
    ):
        return None
    keywords = [str(k.arg) for k in value.keywords]
    table = _table(resolver, value) if kind.value is sorted and not keywords else None
    if table is not None:
        return ordered_items, [table], []
    if kind.value is math.prod and len(value.args) == 1:
        return None if _is_of_numbers(resolver.kinds, value) else (multiplied, [], [])
    if kind.value is np.sign and _may_be_direction(resolver, value):
        return sign, [], []
    found = equivalent(kind.value, len(value.args), keywords)
    if found is not None:
        return found, [], []
    found = written_function(kind.value, len(value.args), keywords)
    if found is not None:
        return found, leading(kind, value), []
    if ufunc_of(kind.value) is None or registry.rule_for(kind.value) is not None:
        return None
    if not isinstance(value.func, gast.Attribute):
        return None
    found = written_ufunc_method(kind.value, len(value.args), keywords)
    return None if found is None else (found, [value.func.value], [])


def _may_be_direction(resolver: Resolver, value: gast.Call) -> bool:
    """Whether `np.sign` may get complex numbers, of which it is no sign."""
    if len(value.args) != 1 or value.keywords or _SIGN_IS_REAL:
        return False
    own = resolver.kinds.of(value.args[0])
    if isinstance(own, Unknown) or isinstance(own, Array) and own.dtype is None:
        return any(map(is_complex, resolver.kinds.names.values()))
    return own is not None and is_complex(own)


def _draw(resolver: Resolver, kind: Kind | None, value: gast.Call) -> Found | None:
    """What draws the same numbers from a distribution without parameters."""
    function = value.func
    own = kind.value if isinstance(kind, Static) and hashable(kind.value) else None
    if own is not None and own in OF_ALL:
        plain = DRAWS.get(own.__name__)
        is_attribute = isinstance(function, gast.Attribute)
        rng = function.value if is_attribute else attribute(function, "__self__")
    elif isinstance(function, gast.Attribute):
        rng = function.value
        plain = DRAWS.get(function.attr) if isinstance(resolver.kinds.of(rng), Drawing) else None
    else:
        return None
    return None if plain is None else (plain, [rng], [])


def stand_in(kind: Kind | None, value: gast.Call) -> Found | None:
    """The plain function for one of a library, if it knows the arguments of the call."""
    plain = registry.written_for(kind.value) if isinstance(kind, Static) else None
    return (plain, [], []) if plain is not None and _binds(plain, value) else None


def _binds(plain: Any, value: gast.Call) -> bool:
    """Whether a function has the arguments of a call for its parameters."""
    if any(isinstance(argument, gast.Starred) for argument in value.args):
        return False
    if any(k.arg is None for k in value.keywords):
        return False
    try:
        inspect.signature(plain).bind(*value.args, **{str(k.arg): k.value for k in value.keywords})
    except TypeError:  # an argument that it does not know
        return False
    return True


def only_called(resolver: Resolver, kind: Kind | None, value: gast.Call) -> Found | None:
    """The plain function for a class whose object, made here, is only called: an interpolant."""
    plain = registry.plain_for(kind.value) if isinstance(kind, Static) else None
    if plain is None or not _binds(plain, value):
        return None
    own = resolver.targets.get(id(value), "")
    calls = [call.func for call in of_class(resolver.tree, gast.Call)]
    called = [f for f in calls if isinstance(f, gast.Name) and f.id == own]
    alone = bool(called) and resolver.loads[own] == len(called) and own not in resolver.rebound
    return (plain, [], []) if alone else None


def _reads_later(resolver: Resolver, value: gast.Call) -> bool:
    """Whether a function that an iterator calls reads variables which have other values by then.

    Or whether a list that it goes over may become longer.
    """
    target = resolver.targets.get(id(value), "")
    given = [*value.args, *(keyword.value for keyword in value.keywords)]
    functions = [node for part in given for node in functions_in(resolver.kinds.of(part))]
    read = captured(functions)
    grown = [
        call.func.value
        for call in of_class(resolver.tree, gast.Call)
        if isinstance(call.func, gast.Attribute) and call.func.attr in ("append", "extend")
    ]
    if grown and reads(given) & Whereabouts(resolver.tree, frozenset()).holding(grown):
        return True
    return bool(read & (resolver.rebound | resolver.lasting.get(target, set())))


def _is_of_numbers(kinds: Kinds, product: gast.Call) -> bool:
    """Whether `math.prod` is known to multiply numbers only, which its rule is for."""
    kind = kinds.of(product.args[0])
    kind = whole(kinds, kind) if isinstance(kind, Parts) else kind
    items: tuple[Kind, ...] = ()
    if isinstance(kind, Array):
        numbers = kind.shape is not None and len(kind.shape) == 1
    elif isinstance(kind, Record) and kind.cls in (list, tuple):
        items, numbers = kind.items, True
    elif isinstance(kind, Sequence):
        items, numbers = (kind.item,), True
    else:
        numbers = False
    start = [kinds.of(keyword.value) for keyword in product.keywords]
    return numbers and all(isinstance(item, Scalar) for item in (*items, *start))


def _table(resolver: Resolver, value: gast.Call) -> gast.expr | None:
    """The dict whose items are sorted, if it is asked for them just before."""
    if len(value.args) != 1 or not isinstance(value.args[0], gast.Name):
        return None
    own = value.args[0].id
    for block in resolver.blocks:
        for before, statement in itertools.pairwise(block):
            if getattr(statement, "value", None) is value and isinstance(before, gast.Assign):
                made = getattr(before.targets[0], "id", None) == own
                return _items_of(before.value, resolver.kinds) if made else None
    return None


def _items_of(value: gast.expr, kinds: Kinds) -> gast.expr | None:
    """The dict `d` of `d.items()`."""
    method = value.func if isinstance(value, gast.Call) and not value.args else None
    if not isinstance(method, gast.Attribute) or method.attr != "items":
        return None
    held = kinds.of(method.value)
    is_dict = isinstance(held, (Record, Mapping, Parts)) and held.cls is dict
    return method.value if is_dict else None


def leading(kind: Static, value: gast.Call) -> list[gast.expr]:
    """A ufunc is itself an argument of what is written for it."""
    return [value.func] if isinstance(kind.value, np.ufunc) else []


def changing_method(resolver: Resolver, function: gast.Attribute, value: gast.Call) -> Site | None:
    """A method that changes the array itself, as a function that does."""
    keywords = [(str(k.arg), k.value) for k in value.keywords]
    found = written_method(function.attr, len(value.args), dict(keywords))
    if found is None or not reads(value) & resolver.varied:
        return None
    if any(isinstance(argument, gast.Starred) for argument in value.args):
        return None
    return Site(normal_form(found), (function.value,), tuple(value.args), tuple(keywords))


def vectorized_for(value: gast.Call, kind: Kind | None, kinds: Kinds) -> Any:
    """The plain equivalent of a call of `np.vectorize(f)`; None where that would differ.

    NumPy calls `f` once more, for the type of the result: nobody may notice.
    """
    if isinstance(kind, Record):
        if not isinstance(value.func, gast.Name) or value.func.id in kinds.local:
            return None
        made = kinds.scope.lookup(value.func.id)
        if not isinstance(made, np.vectorize) or made.otypes or made.signature or made.excluded:
            return None
        function = made.pyfunc
        harmless = not (may_change_arguments(function) or outer_changes([function]))
    else:
        harmless = not changed_in(value, kinds)
    few = 1 <= len(value.args) <= len(VECTORIZED) and not value.keywords
    starred = any(isinstance(a, gast.Starred) for a in value.args)
    plain = few and not starred and harmless
    return VECTORIZED[len(value.args) - 1] if plain else None
