"""What names mean that the function does not bind: globals, closure cells, compiler helpers."""

from __future__ import annotations

import types
from typing import Any

from autodiff.rules.home import is_library, module_of


class Scope:
    """Looks names up at compile time and remembers what was found, for the guards.

    `helpers` maps the names that the compiler injects to objects, or to cells of inlined closures.
    """

    def __init__(self, namespace: Any, helpers: dict[str, Any]) -> None:
        self.namespace = namespace
        self.helpers = helpers
        self.found: dict[str, Any] = {}
        self.methods: dict[tuple[type, str], Any] = {}
        self.members: dict[tuple[Any, str], Any] = {}  # attributes of modules and classes
        self.objects: dict[str, Any] = {}  # what `analysis.objects` knows of each object
        self.operators: dict[Any, Any] = {}  # the kinds that operators make of kinds
        self.made: dict[Any, Any] = {}  # derivatives of functions that are taken in the function
        self.whole = False  # whether lists and dicts are left as they are
        self.by_kinds = False  # whether the user's tests are decided where the kinds tell them
        self.hoping = True  # whether what a method returns may have a kind later
        self.hoped = False  # whether that was made use of
        self.narrowed: set[str] = set()  # names that hold what is known not to be None
        self.forward = False  # whether tangents are computed, without a reverse sweep
        self.given: tuple[type, ...] = ()  # the classes of the objects among the arguments
        self.snapshots: set[str] = set()  # names of copies that were put in by the compiler
        self.framed: set[str] = set()  # variables of inlined functions that those inside read
        self.framing = True  # whether what makes functions is inlined though nothing flows in
        self.kept = False  # whether functions were found to be held past their iteration
        self.opened: set[str] = set()  # objects of the caller's that are read on entry only

    def lookup(self, name: str) -> Any:
        """The object a free name refers to now; KeyError where there is none."""
        if name in self.helpers:
            value = self.helpers[name]
            return value.cell_contents if isinstance(value, types.CellType) else value
        value = self.namespace.lookup(name)
        self.found[name] = value
        return value

    def member(self, owner: Any, attribute: str) -> Any:
        """An attribute of a module, class or other object; remembered if it may change."""
        value = getattr(owner, attribute)
        if isinstance(owner, types.ModuleType):
            is_fixed = is_library(owner.__name__)
        else:
            is_fixed = not isinstance(owner, type) or is_library(module_of(owner))
        if not is_fixed:
            self.members[owner, attribute] = value
        return value

    def meant(self, name: str) -> Any:
        """The object a free name refers to now; None where there is none."""
        try:
            return self.lookup(name)
        except (KeyError, ValueError):
            return None

    def is_module(self, name: str) -> bool:
        """Whether a free name refers to a module."""
        return isinstance(self.meant(name), types.ModuleType)
