"""A derivative as text of Python's, with what the native passes are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import gast

from autodiff.kinds.kind import Kind
from autodiff.kinds.scope import Scope


@dataclass(slots=True)
class Source:
    """The text, and where its names are looked up.

    given: the kinds of its parameters, as far as these are known. taken: names that are not free.
    """

    tree: gast.FunctionDef
    scope: Scope
    given: Mapping[str, Kind]
    taken: set[str]
