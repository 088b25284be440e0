"""What Core does not take: it is refused, unless there is another way to lower what is around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from autodiff.kinds.size import Told


class NotYet(Exception):
    """Never a wrong number. reason: what is missing, for `make survey` and where nobody has better
    words. words: what the user is told; the place is found later (`located.py`).
    """

    def __init__(self, reason: str, words: AutodiffError | None = None) -> None:
        super().__init__(reason)
        self.reason, self.words = reason, words

    @classmethod
    def saying(cls, reason: str, what: str, why: str, cure: str) -> NotYet:
        """With what the user is told."""
        made = cls(reason)
        made.words = UnsupportedSyntaxError(what, why=why, cure=cure)
        return made


class TooMuch(NotYet):
    """What would take too long: not tried in another way."""


class Unseen(Exception):
    """What must not be left out, whatever path it stands on. origin: where it stands. Beside
    what may change a function is called that is found when it runs, if nothing else is said.
    """

    def __init__(
        self,
        origin: Any,
        what: str = "this calls what is found when it runs",
        why: str = "it may change what the function reads outside",
        cure: str = "call it by its name, or pass what is read as an argument",
    ) -> None:
        super().__init__(what)
        self.origin, self.what, self.why, self.cure = origin, what, why, cure


class Left(dict[str, NotYet]):
    """The paths that are left out, and why. unseen: so are those that call what is found when it
    runs.
    """

    unseen = False


class Raises(NotYet):
    """What is lowered raises an error for sure: a `try` runs its handler, a function ends there.

    said: what the error holds in Python, where that is not the reason.
    """

    def __init__(self, error: type[BaseException], reason: str, said: object = None) -> None:
        super().__init__(reason)
        self.error, self.said = error, reason if said is None else said

    @classmethod
    def by(cls, reason: str, does: Callable[..., object], *given: object) -> Raises:
        """What Python raises that does something which cannot be done."""
        try:
            does(*given)
        except Exception as error:
            return cls(type(error), reason, error.args[0])
        raise NotYet(reason)


class Untaken(BaseException):
    """Raised by a derivative whose function comes to a path that is not taken, and left out."""


class SizesTold(Exception):
    """The function tells sizes that its arguments may have: they are to be known where they do."""

    def __init__(self, sizes: frozenset[Told]) -> None:
        super().__init__(sizes)
        self.sizes = sizes


class Again(NotYet):
    """Something is lowered again with another decision, by who decides about it:

    whose               what is lowered again           the decision
    a container         the block that it comes into    it is memory before that
    a loop, by its key  the loop                        its first iteration stands apart
    a stale variable    the loop that left it           it is carried
    a test              the statement                   once for each outcome
    a watch             the loop over an iterator       its items are taken one by one
    None                a loop over what is known       it is written out
    """

    def __init__(self, reason: str, whose: Any = None, node: Any = None) -> None:
        super().__init__(reason)
        self.whose = whose
        self.node = node  # the expression that gives one of different things


IN_ORDER = "in order"


class Reread(Exception):
    """The function is read again with another decision: a loop (by its origin) is over an iterator,
    a place outside (a `Cell`) is a variable, a function stays one since it calls itself; parts of
    expressions run code that changes something, so their order is kept (`IN_ORDER`).
    """

    def __init__(self, decision: Any, reason: str) -> None:
        super().__init__(reason)
        self.decision, self.reason = decision, reason


class Recursion(NotYet, Reread):
    """A function calls itself, and what is known while compiling does not end that. Who asks what
    it is by itself goes on without.
    """

    def __init__(self, identity: Any) -> None:
        Reread.__init__(self, identity, "recursion")


class Parts(Again, Reread):
    """Items of a list may be anything: what it is made of stays parts; loops are written out."""

    def __init__(self, decision: Any, reason: str) -> None:
        Reread.__init__(self, decision, reason)
        self.whose = None


def needed(box: object) -> Again:
    """A box has to be memory before a block begins."""
    return Again("a container that has to be memory before a block", box)


class Endless(Exception):
    """A function calls itself on this path, and nothing is known yet of what that gives."""


def of_a_key() -> NotYet:
    """A number is a key of a dict, or an item of a set, and carries a derivative."""
    return NotYet.saying(
        "a key that carries a derivative",
        "a number that carries a derivative is a key of a dict, or an item of a set",
        "it is looked up by its value, which has no derivative",
        "keep such numbers in a list, or under another key",
    )
