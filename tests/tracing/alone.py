"""Runs that are followed, though the compiler would take the function."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from autodiff.errors import UnsupportedSyntaxError
from autodiff.pipeline import compiler
from autodiff.tracing.followed import can_follow


@contextlib.contextmanager
def followed_alone() -> Iterator[None]:
    """The compiler refuses everything but single operations."""
    own = compiler.compile

    def compile(function: Any, request: Any) -> Any:
        if can_follow(request):
            raise UnsupportedSyntaxError("not asked")
        return own(function, request)

    compiler.compile = compile  # type: ignore[assignment]
    try:
        yield
    finally:
        compiler.compile = own
