"""Helpers that are called from several places are not inlined where that would be too much text.

    def mixture(T, P, z):                   def mixture(T, P, z):
        a = enthalpy(T, P, z)                   a, enthalpy_pullback = enthalpy_vjp(T, P, z)
        ...                                     ...
        b = enthalpy(T, 2.0 * P, z)             b, enthalpy_pullback_2 = enthalpy_vjp(...)

Inlined code is faster and easier to follow, as long as it is short. A solver that calls a property
in three places, which calls another solver, which calls ..., is its own text a hundred times. What
is called from several places is then compiled as functions that call themselves are: once for all
calls with arguments of the same kinds, as a function of its own with a pullback.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

import gast

from autodiff.analysis.callees import Resolver
from autodiff.analysis.cycles import is_made_here
from autodiff.analysis.objects import Parts
from autodiff.normalize.sites import Replacement, Site
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import reads
from autodiff.syntax.walk import statements

LARGEST = 1500
"""The most statements of normal form that a function has while others can be divided off."""
FEWEST = 2
"""How often a function is called, at least, that is divided off."""
WORTH = 100
"""How many statements that saves, at least."""

_ANY_NUMBER = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR


@dataclass(slots=True)
class Inlined:
    """How often each function was inlined into one that is being compiled."""

    count: Counter[CodeType] = field(default_factory=Counter)
    bound: set[Any] = field(default_factory=set)
    """Those that are given what has no value: functions and objects that are made here."""

    def counting(self, resolver: Resolver) -> Callable[[gast.stmt, gast.expr], Replacement | None]:
        """The same as `resolver.resolve`, which notes what is to be inlined."""

        def resolve(statement: gast.stmt, value: gast.expr) -> Replacement | None:
            site = resolver.resolve(statement, value)
            if isinstance(site, Site):
                own = site.callee.identity
                self.count[own] += 1
                if not _stands_alone(site, resolver):
                    self.bound.add(own)
            return site

        return resolve


def divided(unit: Unit, inlined: Inlined, chains: dict[int, tuple[Any, ...]]) -> bool:
    """Mark a function as one that is not inlined, if `unit` got too long; whether any was.

    Of those without which it has half of `LARGEST` statements the one with the fewest calls (what
    is called by many is called by it), else the one that takes the most.
    """
    there = list(statements(unit.tree))
    total = len(there)
    if unit.recursion.whole or total <= LARGEST:
        return False
    lengths = Counter(own for part in there for own in {*chains.get(id(part), ())})
    saved = {
        own: lengths[own] * (count - 1) // count
        for own, count in inlined.count.items()
        if count >= FEWEST and own not in inlined.bound and own is not unit.main
    }
    if not saved or max(saved.values()) < WORTH:
        return False
    enough = [own for own in saved if total - saved[own] <= LARGEST // 2]
    if enough:
        own = min(enough, key=lambda own: inlined.count[own])
    else:
        own = max(saved, key=lambda own: saved[own])
    unit.recursion.marked.add(own)
    unit.recursion.divided.add(own)
    return True


def _stands_alone(site: Site, resolver: Resolver) -> bool:
    """Whether the function can be called with the values of its arguments."""
    code = site.callee.identity
    if not isinstance(code, CodeType) or code.co_flags & _ANY_NUMBER:
        return False
    if code.co_filename.startswith("<autodiff "):  # it is written anew in each attempt
        return False
    if str(site.callee.namespace.globals.get("__name__")).startswith("autodiff."):
        return False
    given = [*site.leading, *site.arguments, *(value for _, value in site.keywords)]
    names = {n for value in given for n in reads(value)}
    return not any(
        isinstance(resolver.kinds.names.get(n), Parts) for n in names
    ) and not any(is_made_here(resolver.kinds.of(value)) for value in given)
