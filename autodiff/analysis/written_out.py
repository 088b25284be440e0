"""Calls of library functions that take functions, iterate or write: as plain Python functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.classes import hashable
from autodiff.analysis.kind import Kind, Static
from autodiff.frontend.equivalents import ITERATORS, equivalent
from autodiff.frontend.writers import written_function, written_method
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Site
from autodiff.syntax.names import reads

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver

Found = tuple[Any, list[gast.expr], list[tuple[str, gast.expr]]]
"""The function, and the arguments that it already has."""


def written_out(resolver: Resolver, kind: Kind | None, value: gast.Call) -> Found | None:
    """The plain Python equivalent of `map`, `functools.reduce`, `max(..., key=...)`, `np.put`."""
    if not isinstance(kind, Static) or any(k.arg is None for k in value.keywords):
        return None
    if hashable(kind.value) and kind.value in ITERATORS and (
        not resolver.used_once(value)  # an iterator, which is empty when it is read a second time
        or resolver.stores
        and id(value) not in resolver.consumed  # read while memory changes
    ):
        return None
    keywords = [str(k.arg) for k in value.keywords]
    found = equivalent(kind.value, len(value.args), keywords)
    if found is not None:
        return found, [], []
    found = written_function(kind.value, len(value.args), keywords)
    return None if found is None else (found, leading(kind, value), [])


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
