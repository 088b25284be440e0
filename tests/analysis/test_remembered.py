"""Kinds of expressions are remembered as long as the names in them have theirs."""

from __future__ import annotations

from autodiff.analysis.kind import Scalar
from tests.analysis.given import expression, function, known


def test_kinds_that_are_told_again_are_remembered() -> None:
    kinds = known(function("u = s * t"))
    node = expression("s + t")
    assert kinds.of(node) == Scalar("float")
    kinds.tell(dict(kinds.names))
    assert node in kinds.found


def test_other_kinds_are_asked_for_anew() -> None:
    kinds = known(function("u = s * t"))
    node = expression("s + n")
    assert kinds.of(node) == Scalar("float")
    kinds.tell({**kinds.names, "s": Scalar("int")})
    assert node not in kinds.found
    assert kinds.known(node) == Scalar("int")
