"""Which call of the user's led into a library, in which something is not taken."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.core import NotYet
from autodiff.lower.flow.frame import Frame
from autodiff.rules.home import home, is_library, public_name
from autodiff.syntax.expressions import expression
from autodiff.syntax.origin import Entry, place


def is_of_library(frame: Frame) -> bool:
    """Whether a body is a library's, and not one that we wrote in place of a call."""
    module = "" if frame.namespace is None else str(frame.namespace.globals.get("__name__"))
    return is_library(module) and module.partition(".")[0] != "autodiff"


def led(reason: NotYet, frame: Frame, node: gast.Call, target: Any, origin: Any) -> None:
    """The call is noted, where it is in the user's file and leads into a library."""
    if reason.inside and reason.entry is None and not is_of_library(frame):
        whole = target is not None and "." not in (home(target)[1] or "")
        title = public_name(target) if whole else expression(node.func)
        reason.entry = Entry(target, title, place(node, origin))
