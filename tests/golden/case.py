"""A golden case: a function, arguments, and which of its derivatives is pinned."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import Wrt
from autodiff.inspection.save import standalone
from autodiff.pipeline.request import Mode
from autodiff.transforms.tangents import Several, Tangent

F = TypeVar("F", bound=Callable[..., Any])
EXPECTED = Path(__file__).resolve().parent / "expected"


@dataclass(frozen=True, slots=True)
class Case:
    """What is pinned: the derivative of `function` for the kinds of `args`."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: Wrt
    transform: Mode
    has_aux: bool
    reference: Callable[..., Any]
    """The function that finite differences are taken of."""
    several: bool = False
    """Whether tangents are along several directions at once."""

    @property
    def file(self) -> Path:
        return EXPECTED / f"{self.name}.py"

    def derivative(self, **options: bool) -> Derivative:
        """The derivative, with some optimisations switched off (`fold=False`)."""
        if self.transform == "jvp":
            cls = Several if self.several else Tangent
            return cls(self.function, "jvp", self.wrt, False, options)
        return Derivative(self.function, self.transform, self.wrt, self.has_aux, options)

    def text(self) -> str:
        """The generated source as a module of its own, as `.save` writes it, for any arguments."""
        derivative = self.derivative()
        derivative.source_for(*self.args)
        return standalone(derivative._latest(), derivative.target.place, {})


REGISTRY: dict[str, Case] = {}


def case(
    *args: Any,
    wrt: Wrt = 0,
    transform: Mode = "grad",
    has_aux: bool = False,
    name: str | None = None,
    reference: Callable[..., Any] | None = None,
    several: bool = False,
) -> Callable[[F], F]:
    """Pin the derivative of a function for the kinds of `args`.

    @case(V3, 2.0, wrt=("a", "x"))
    def horner(a, x): ...
    """

    def register(function: F) -> F:
        own = name or function.__name__
        if own in REGISTRY:
            raise ValueError(f"two golden cases are named {own}")
        REGISTRY[own] = Case(
            own, function, args, wrt, transform, has_aux, reference or function, several
        )
        return function

    return register


def collect() -> list[Case]:
    """All cases: every module of the package `cases` is imported."""
    package = importlib.import_module("tests.golden.cases")
    for module in sorted(found.name for found in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"tests.golden.cases.{module}")
    return list(REGISTRY.values())
