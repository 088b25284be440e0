"""Whose function a frame is of, which decides where its statements stand to the user."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from autodiff.core import Spot
from autodiff.lower.flow.form import Form
from autodiff.rules.home import is_library, public_name
from autodiff.syntax.expressions import expression
from autodiff.syntax.origin import Entry, Origin


class Whose:
    """A function of the user's or of a library; or one of ours (`is_ours`) that stands for a call.

    function: what it is, or its name. entry: the call of the user's that leads into a library.
    """

    def __init__(self, form: Form, outer: Whose | None = None) -> None:
        self.function: Any = form.tree.name
        self.is_ours = self.is_library = False
        self.entry: Entry | None = None
        if form.namespace is not None:
            module = str(form.namespace.globals.get("__name__"))
            self.is_ours = form.plain or module.startswith("autodiff.")
            self.is_library = is_library(module)
        elif outer is not None:
            self.is_ours, self.is_library, self.entry = outer.is_ours, outer.is_library, outer.entry

    def at(self, origin: Origin | None, around: Spot | None) -> Spot | None:
        """A statement. around: the call that a statement of ours stands for."""
        if origin is None or self.is_ours:
            return around
        return Spot(None, origin, self.function, self.is_library, self.entry)

    def called(self, function: FunctionType, at: Spot | None, named: Any) -> None:
        """It is called there. named: what an expression means that is no variable."""
        self.function = function
        if not self.is_library or at is None:
            return
        self.entry = at.entry
        if not at.library:
            by = at.node.func if isinstance(at.node, gast.Call) else None
            found = function if by is None else named(by)
            title = public_name(found) if isinstance(found, FunctionType) else expression(by)
            self.entry = Entry(function if found is None else found, title, at.place)
