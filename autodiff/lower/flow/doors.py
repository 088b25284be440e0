"""What lowers the functions that a function calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from autodiff.core import IN_ORDER, Function, Left, Value
from autodiff.kinds.kind import Kind
from autodiff.lower.entries.entry import Entries, Entry, Keywords
from autodiff.syntax.origin import Origin

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit


class Work:
    """How many statements were lowered, also where a function is lowered again."""

    def __init__(self) -> None:
        self.statements = 0


class Doors(NamedTuple):
    """What lowers the functions that a function calls: handed down, since these call in turn.

    call: a call. inlined: the body of a function in place of a call. lower: a function.
    differentiated: appends the reverse sweep to a function whose derivative is called.
    decided: what it was read again for (`Reread`). assumed: what is known so far of what functions
    give that call themselves, None if nothing is. whole: no other function stays a function.
    lending: the recursive functions that give copies of what they would lend (""); or what they are
    given, change, and return.
    names: tuples and lists of names that were refused as memory, since loops over such are written
    out; None: nothing is.
    left: the paths that are not taken, if these are left out. work: what was done so far.
    """

    call: Callable[[Any, Any], Any]
    inlined: Callable[[Any, Any, Entries, Keywords], Entry]
    lower: Callable[..., Unit]
    differentiated: Callable[[Unit, Function, list[Value], str], None]
    decided: tuple[Any, ...] = ()
    assumed: dict[Any, Kind | None] = {}
    whole: bool = False
    lending: dict[Any, str] = {}
    names: set[str] | None = None
    left: Left | None = None
    work: Work | None = None

    @property
    def drawing(self) -> frozenset[Origin]:
        """The loops over what is no sequence, but gives its items one after the other; `IN_ORDER`
        where all parts of expressions are computed in their order.
        """
        return frozenset(o for o in self.decided if isinstance(o, Origin) or o == IN_ORDER)
