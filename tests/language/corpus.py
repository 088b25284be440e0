"""The corpus of small programs, and how a program enters it.

A program is a plain function in the style of code that users write, with the argument tuples
("points") at which its derivative is compared with an oracle. It knows nothing of the compiler:

    @program(points=[(0.7,), (V3,)], analytic=True)
    def softplus(x):
        return np.log(1.0 + np.exp(x))

A point is a tuple of positional arguments, or `call(...)` where keywords are wanted. The programs
are collected by importing every module of a package.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.language import oracle

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A function of the corpus, its points, and what is asked of it."""

    function: Callable[..., Any]
    points: tuple[Call, ...]
    wrt: tuple[int | str, ...] | None
    analytic: bool
    """Whether it accepts complex arguments and is analytic, so that complex step is exact."""
    refusable: bool
    """Whether an error of the compiler is as good as the right answer."""
    tolerance: float
    repeatable: bool
    """Whether two calls give the same bits; those of complex LAPACK depend on where memory lies."""

    @property
    def topic(self) -> str:
        return self.function.__module__.rpartition(".")[2]

    @property
    def name(self) -> str:
        return f"{self.topic}.{self.function.__name__}"

    def arguments(self, point: Call) -> dict[str, Any]:
        """The arguments by parameter, without those left at their defaults."""
        return oracle.arguments(self.function, point.args, point.kwargs).arguments

    def wrt_at(self, point: Call) -> tuple[str, ...]:
        """Parameters to differentiate: as declared, or all that hold floats."""
        given = self.arguments(point)
        if self.wrt is None:
            return tuple(name for name, value in given.items() if oracle.leaves(value))
        return tuple(w if isinstance(w, str) else list(given)[w] for w in self.wrt)


REGISTRY: dict[str, Program] = {}


def call(*args: Any, **kwargs: Any) -> Call:
    """A point with keyword arguments."""
    return Call(args, kwargs)


def program(
    points: Sequence[tuple[Any, ...] | Call],
    *,
    wrt: int | str | Iterable[int | str] | None = None,
    analytic: bool = False,
    refusable: bool = False,
    tolerance: float = 1e-8,
    repeatable: bool = True,
) -> Callable[[F], F]:
    """Enter the decorated function, which is returned as it is, into the corpus."""
    places = (wrt,) if isinstance(wrt, (int, str)) else None if wrt is None else tuple(wrt)

    def register(function: F) -> F:
        calls = tuple(p if isinstance(p, Call) else Call(tuple(p)) for p in points)
        entry = Program(function, calls, places, analytic, refusable, tolerance, repeatable)
        key = f"{function.__module__}.{function.__name__}"
        if key in REGISTRY:
            raise ValueError(f"two programs are called {key}")
        REGISTRY[key] = entry
        return function

    return register


def collect(name: str = f"{__package__}.programs") -> list[Program]:
    """All programs of a package, in order of topic and place."""
    package = importlib.import_module(name)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    prefix = f"{package.__name__}."
    return [entry for key, entry in REGISTRY.items() if key.startswith(prefix)]
