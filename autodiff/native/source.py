"""A derivative as text of Python's, with what the native passes are told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gast

from autodiff.analysis.kind import Kind
from autodiff.analysis.scope import Scope
from autodiff.compiled import Compiled
from autodiff.optimize.facts import Facts


@dataclass(slots=True)
class Source:
    """The text, and where its names are looked up.

    given: the kinds of its parameters, as far as these are known. taken: names that are not free.
    titles: of the functions in the text that it is a part of. include: is given the functions that
    it calls. told: what dead code is told.
    """

    tree: gast.FunctionDef
    scope: Scope
    given: Mapping[str, Kind]
    taken: set[str]
    titles: set[str]
    include: Callable[[Compiled], None]
    told: Facts
