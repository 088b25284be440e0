"""What a call can be replaced by, and what is known of objects that are made on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from autodiff.syntax.origin import Entry, moved


@dataclass(frozen=True, slots=True)
class Callee:
    """A function to inline, in normal form.

    namespace: where its free names are looked up; None for a function nested in the caller, whose
    free names are the caller's.
    defaults: values of parameters that the call may leave out.
    """

    tree: gast.FunctionDef
    namespace: Any
    defaults: dict[str, Any]
    identity: Any
    temporaries: frozenset[str]

    def body(self, call: gast.stmt) -> list[gast.stmt]:
        """Its statements; those of ours, which stand for a library's function, are at the call."""
        file = getattr(self.identity, "co_filename", "<")
        module = getattr(self.namespace, "globals", {}).get("__name__") or ""
        stands_in = module.startswith("autodiff.") and not file.startswith("<")
        return moved(self.tree.body, call) if stands_in else list(self.tree.body)


@dataclass(frozen=True, slots=True)
class Site:
    """A call to inline: the callee, the expressions before its arguments and beside them.

    entry: the call in the user's file that leads here, if the callee is a library's.
    """

    callee: Callee
    leading: tuple[gast.expr, ...]
    arguments: tuple[gast.expr, ...]
    keywords: tuple[tuple[str, gast.expr], ...]
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Direct:
    """A call of a function that cannot be inlined, with all its arguments."""

    function: Any
    arguments: tuple[gast.expr, ...]
    keywords: tuple[tuple[str, gast.expr], ...]


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A call of one of several functions, told apart by identity when it runs.

    options: functions, or names of local functions.
    """

    callee: gast.expr
    options: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An expression that means the same for the kinds at hand."""

    value: gast.expr


@dataclass(frozen=True, slots=True)
class Converted:
    """An operation of which some operands, lists of numbers, are made arrays before it."""

    operands: tuple[str, ...]


@dataclass(slots=True)
class Made:
    """One object: its class, and the variable of each part.

    prefix: what the variables are named after.
    given: for an object that came in by an argument, the name of the caller's own object.
    kind: and what is known of that.
    inherited: attributes of the class that are stored on the object later on.
    certain: the keys of the parts that are there from the beginning.
    """

    cls: type
    prefix: str = ""
    given: str | None = None
    kind: Any = None
    fields: dict[Any, str] = field(default_factory=dict)
    certain: frozenset[Any] = frozenset()
    inherited: dict[str, Any] = field(default_factory=dict)

    def hint(self, key: object) -> str:
        """The name of the variable that holds a part."""
        own = f"{self.prefix}_{key}"
        return own if own.isidentifier() else f"{self.prefix}_item"


@dataclass(frozen=True, slots=True)
class Value:
    """A value known while compiling: the default of a field."""

    value: Any


@dataclass(frozen=True, slots=True)
class Factory:
    """A function that makes the default of a field."""

    function: Any


@dataclass(frozen=True, slots=True)
class Make:
    """The making of an object: what its parts are, and the method that is called on it then."""

    made: Made
    parts: tuple[tuple[Any, gast.expr | Value | Factory], ...]
    method: str | None = None
    arguments: tuple[gast.expr, ...] = ()
    keywords: tuple[gast.keyword, ...] = ()


Replacement = Site | Direct | Dispatch | Rewrite | Converted | Make

MARKER = "<object>"
"""What the statement calls that says where an object is made; it is gone when all is inlined."""


def marker(owner: str) -> gast.Call:
    """The expression that stands for the making of an object."""
    function = gast.Name(id=MARKER, ctx=gast.Load(), annotation=None, type_comment=None)
    return gast.Call(func=function, args=[gast.Constant(value=owner, kind=None)], keywords=[])


def is_marker(node: Any) -> bool:
    """Whether an expression stands for the making of an object."""
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id == MARKER
    )
