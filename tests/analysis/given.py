"""Functions in normal form, written as their bodies, whose parameters have kinds by their names."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from autodiff.analysis.arguments import kinds_of
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.scope import Scope
from autodiff.frontend.source import Namespace
from autodiff.rules import registry
from tests.normalize.behaviour import parsed


@dataclass
class Box:
    """An object with an array."""

    u: Any


def unknown_function(*values: Any) -> Any:
    """No rule says what it does."""
    return eval("values")


VALUES: dict[str, Any] = {
    **dict.fromkeys("uvwxyz", np.zeros(4)),
    **dict.fromkeys("ab", np.zeros((4, 3))),
    **dict.fromkeys("ijn", 2),
    **dict.fromkeys("st", 0.5),
    "flag": True,
    "index": np.array([0, 1, 1]),
    "mask": np.array([True, False, True, False]),
    "whole": np.zeros(4, dtype=int),
    "us": [np.zeros(4), np.ones(4)],
    "numbers": [0.5, 1.5],
    "pair": (np.zeros(4), np.ones(4)),
    "d": {"u": np.zeros(4)},
    "o": Box(np.zeros(4)),
}
"""x and y are vectors, a is a matrix, i is a number, t a float: what else there is has a name."""

UNKNOWN = "mystery"
"""A parameter of which nothing is known."""


def function(body: str, values: dict[str, Any] = VALUES) -> gast.FunctionDef:
    """The function with this body and all parameters."""
    heading = f"def f({', '.join([*values, UNKNOWN])}):\n"
    return parsed(heading + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n")


def known(tree: gast.FunctionDef, values: dict[str, Any] = VALUES) -> Kinds:
    """The kinds of the names of a function."""
    registry.load()
    namespace = Namespace({"np": np, "call": unknown_function, "Box": Box})
    given = dict(zip(values, kinds_of(list(values.values())), strict=True))
    return kinds(tree, given, Scope(namespace, {}))


def expression(text: str) -> gast.expr:
    return gast.parse(text, mode="eval").body
