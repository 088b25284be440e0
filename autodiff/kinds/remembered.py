"""What was found out about nodes, kept as long as what is known of names stays the same.

Trees are rewritten functionally: a node that a pass has seen never changes, and passes share what
they do not rewrite. So the same questions are asked about the same nodes again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import gast

from autodiff.kinds.kind import Kind, Scalar
from autodiff.kinds.size import lowest

Node = TypeVar("Node", bound=gast.AST)
Answers = dict[gast.AST, Any]
"""By the node, which is equal to itself only."""
_ABSENT: Any = object()


class Remembered:
    """The kinds of names, and answers that follow from them; these are dropped when those change.

    A name that nobody can have asked about yet (a new variable) leaves the answers as they are.
    """

    def __init__(
        self, names: Mapping[str, Kind], local: frozenset[str], objects: Mapping[str, Any]
    ) -> None:
        self._local = local
        self.names = Table(self, names)
        self.globals: dict[str, Kind] = {}
        self.missed: set[str] = set()
        """Names that were asked about and stood for nothing."""
        self.found: dict[gast.AST, Kind | None] = {}
        """The kinds of expressions."""
        self.operations: Answers = {}
        self.changes: Answers = {}
        """The names whose memory a piece of code changes."""
        self.sources: Answers = {}
        """The names with which a value may share memory."""
        self.objects = objects
        """Those held by their parts, which come to be while kinds are asked for."""
        self.times = 0
        """How often answers were dropped."""
        self.paired: dict[tuple[type, int, int], tuple[Kind, Kind, Kind | None]] = {}
        """What operators make of kinds, by their `id`: kinds take long to hash. This lasts."""

    def tell(self, names: Mapping[str, Kind]) -> None:
        """From now on the names have these kinds, and no others have any."""
        old, self.names = self.names, Table(self, names)
        if self.names != old:
            self.forget()

    @property
    def numbers(self) -> set[str]:
        """The names that hold a number, which nobody can change; not to be changed itself."""
        return self.names.numbers

    @property
    def sizes(self) -> dict[str, int]:
        """The names that always hold one size, or what follows from it, and how small that may be.

        In another iteration of a loop that makes it, it may be another one.
        """
        kinds = ((name, self.names[name]) for name in self.numbers)
        found = {name: lowest(kind.value) for name, kind in kinds if isinstance(kind, Scalar)}
        return {name: least for name, least in found.items() if least is not None and least >= 0}

    @property
    def local(self) -> frozenset[str]:
        return self._local

    @local.setter
    def local(self, local: frozenset[str]) -> None:
        more = local >= self._local and self.missed.isdisjoint(local - self._local)
        if not (more and local.isdisjoint(self.globals)):
            self.forget()
        self._local = local

    def asked(self, name: str) -> bool:
        """Whether somebody may have asked about a name that has no kind."""
        return name in self._local or name in self.missed or name in self.globals

    def answer(self, answers: Answers, node: Node, find: Callable[[Any, Node], Any]) -> Any:
        """What `find` says of a node, or said before."""
        known = answers.get(node, _ABSENT)
        if known is not _ABSENT:
            return known
        before = self.times
        new = find(self, node)
        if before == self.times and not self.objects:
            answers[node] = new
        return new

    def forget(self) -> None:
        """Drop all answers, and those that are being looked for."""
        self.times += 1
        self.found.clear()
        self.operations.clear()
        self.changes.clear()
        self.sources.clear()


class Table(dict[str, Kind]):
    """The kinds of names; it tells when one changes, and which of them are `numbers`."""

    __slots__ = ("numbers", "owner")

    def __init__(self, owner: Remembered, names: Mapping[str, Kind]) -> None:
        super().__init__(names)
        self.owner = owner
        self.numbers = {name for name, kind in names.items() if kind.__class__ is Scalar}

    def __setitem__(self, name: str, kind: Kind) -> None:
        old = self.get(name)
        if old is not kind and (old != kind if old is not None else self.owner.asked(name)):
            self.owner.forget()
        if kind.__class__ is Scalar:
            self.numbers.add(name)
        else:
            self.numbers.discard(name)
        super().__setitem__(name, kind)

    def update(self, other: Any = (), /, **more: Kind) -> None:
        pairs: Iterable[tuple[str, Kind]] = dict(other, **more).items()
        for name, kind in pairs:
            self[name] = kind

    def _fixed(self, *_: Any) -> Any:
        raise TypeError("kinds of names are set one by one, or by `update`")

    __delitem__: Callable[..., Any] = _fixed
    __ior__ = _fixed
    clear = _fixed
    pop = _fixed
    popitem = _fixed
    setdefault = _fixed
