"""What the passes of this package are told about the function they rewrite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from autodiff.optimize.effects import Found


def _never(expression: gast.expr) -> bool:
    return False


def _idle(node: gast.AST) -> bool:
    return False


def _nothing(expression: gast.expr) -> None:
    return None


def _untold(own: str, expression: gast.expr) -> None:
    return None


class _Told(dict[gast.AST, bool]):
    """What is told of nodes, asked once of each."""

    __slots__ = ("ask",)

    def __init__(self, ask: Callable[[Any], bool]) -> None:
        super().__init__()
        self.ask = ask

    def __missing__(self, node: gast.AST) -> bool:
        found = self[node] = self.ask(node)
        return found


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts that the earlier analyses know; the defaults know nothing, which is always safe.

    temporaries: names that the compiler introduced; only these are folded into their use.
    pure: the call has no side effect, so that it may be dropped or moved.
    runs: the expression itself, whatever its operands do, runs code that may change something (an
        operator of the user's own class); `decides`: so does asking whether it is true.
    scalar: the expression is a Python or NumPy number, which nobody can mutate.
    inexact: the expression is a float or complex number (`1.0 * e` is `e`).
    signed: it is a float or complex number or array, so that `-e` only turns signs (`a + -e` is
        `a - e`).
    double: it is a Python float or a NumPy number of that precision.
    native: it is a Python number, with which arithmetic is cheaper than with one of NumPy's.
    wide: it is an array of doubles.
    fits: it is a call of a helper of ours that returns its first argument or new memory, and takes
        no more than shape and type from the second.
    exact: the forward sweep must give the very value of the primal, which is returned.
    place: where in the pair of value and adjoints it then stands.
    numbers: the names that hold a `scalar`, as far as they are known in advance.
    taken: all names of which something is told, also those that are in the function no more: a new
        variable that got one of them would be taken for what that was.
    shape: the symbolic shape of an array with elements that are `signed`; None for anything else.
    group: it is a tuple, which holds the same items for ever.
    makes: it is a pure call of what always returns new memory, or a number.
    fixed: it is a part of a dict to which nobody stores, whatever becomes of the part's memory.
    picks: it is a subscript of an array by index arrays or masks, whose value is new memory.
    chooses: it is an array of booleans: no store to an array of other elements changes it.
    tells: a new name is said to hold the value of an expression.
    least: names that always hold one size, with the smallest that may be.
    """

    temporaries: frozenset[str] = frozenset()
    pure: Callable[[gast.Call], bool] = _never
    scalar: Callable[[gast.expr], bool] = _never
    inexact: Callable[[gast.expr], bool] = _never
    signed: Callable[[gast.expr], bool] = _never
    double: Callable[[gast.expr], bool] = _never
    native: Callable[[gast.expr], bool] = _never
    shape: Callable[[gast.expr], tuple[Any, ...] | None] = _nothing
    wide: Callable[[gast.expr], bool] = _never
    exact: bool = True
    runs: Callable[[gast.AST], bool] = _idle
    decides: Callable[[gast.expr], bool] = _idle
    fits: Callable[[gast.expr], bool] = _never
    place: int = 0
    numbers: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    group: Callable[[gast.expr], bool] = _never
    makes: Callable[[gast.Call], bool] = _never
    fixed: Callable[[gast.expr], bool] = _never
    picks: Callable[[gast.expr], bool] = _never
    chooses: Callable[[gast.expr], bool] = _never
    tells: Callable[[str, gast.expr], None] = _untold
    least: Mapping[str, int] = field(default_factory=dict)

    effects: Found = field(init=False, repr=False, compare=False)
    folded: dict[gast.AST, list[gast.stmt]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What became of a statement by constant folding."""
    told: list[_Told] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "effects", Found(self))
        for question in ("pure", "runs"):  # the costly ones, asked whenever a call moves
            told = _Told(getattr(self, question))
            self.told.append(told)
            object.__setattr__(self, question, told.__getitem__)

    def introduce(self, own: str, expression: gast.expr) -> None:
        """Take a new name for a temporary that holds the number which the expression is."""
        self.tells(own, expression)
        object.__setattr__(self, "temporaries", self.temporaries | {own})
        object.__setattr__(self, "numbers", self.numbers | {own})
        object.__setattr__(self, "taken", self.taken | {own})

    def forget(self) -> None:
        """Let go of all nodes."""
        tables: tuple[dict[gast.AST, Any], ...] = (self.effects, self.folded, *self.told)
        for answers in tables:
            answers.clear()
