"""The function on its way through the passes."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from autodiff.analysis.kind import Kind
from autodiff.analysis.scope import Scope
from autodiff.analysis.size import Told
from autodiff.compiled import Compiled
from autodiff.errors import UnsupportedSyntaxError
from autodiff.recursion import Recursion
from autodiff.syntax.names import Names, parameters, writes
from autodiff.syntax.origin import Origin


@dataclass(slots=True)
class Unit:
    """The function on its way through the passes."""

    tree: gast.FunctionDef
    names: Names
    scope: Scope
    given: Mapping[str, Kind]
    inputs: tuple[str, ...]
    temporaries: set[str]
    main: types.CodeType
    recursion: Recursion
    guards: list[tuple[Any, str, Any]] = field(default_factory=list)
    checks: list[Callable[[], bool]] = field(default_factory=list)
    entries: set[str] = field(default_factory=set)
    """Variables that hold, on entry, a part of an object of the caller's."""
    givens: set[str] = field(default_factory=set)
    """Those of them that are objects in their turn, whose parts are held."""
    asked: frozenset[Told] = frozenset()
    """Sizes that arguments have, and that would be known if the function told them."""
    told: frozenset[Told] = frozenset()
    """Sizes that the function tells."""
    complex: bool = False
    """Whether values of unknown kind may be complex, whatever the text says."""
    unmarked: bool = False
    """Whether there were checkpointed loops that are plain now."""
    followed: Any = None
    """What parts of objects were replaced for: `pipeline.objects.followed.Followed`."""
    is_scalar: bool = False
    """Whether it is known to return a number."""
    power: Origin | None = None
    """Where a power of real numbers may be complex."""
    rebound: dict[str, UnsupportedSyntaxError] = field(default_factory=dict)
    """Names from outside that must not be read in the reverse sweep, each with what says so."""
    unsettled: frozenset[str] = frozenset()
    """The names of attributes that what the function runs may store."""
    updated: set[str] = field(default_factory=set)
    """The arguments that the function updates in place and its derivative does not."""
    stages: list[tuple[str, gast.FunctionDef]] = field(default_factory=list)

    def keep(self, stage: str) -> None:
        self.stages.append((stage, self.tree))

    def titled(self, hint: str) -> str:
        """A fresh name for a function that is written beside the derivative."""
        own = self.names.fresh(hint)
        while own in self.recursion.titles:
            own = self.names.fresh(hint)
        self.recursion.titles.add(own)
        return own

    def include(self, made: Compiled) -> None:
        """Have a compiled function stand beside the derivative, which calls it."""
        self.checks.extend(made.guards)
        self.recursion.sources.append(made.source)
        self.recursion.loaded.extend(made.generated)
        self.recursion.beside.update(made.beside)

    def holds_containers(self) -> bool:
        """Whether some list or dict is held by its parts."""
        return any(made.cls in (list, dict) for made in self.scope.objects.values())

    def meant(self) -> Callable[[str], Any]:
        """Tells what a name stands for that the function does not bind; None if not known."""
        local = self.local()
        return lambda identifier: None if identifier in local else self.scope.meant(identifier)

    def local(self) -> set[str]:
        """The names that the function binds."""
        return writes(self.tree.body) | set(parameters(self.tree.args))
