"""Runs that are followed, though the compiler would take the function."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from autodiff.derivatives import cache
from autodiff.errors import UnsupportedSyntaxError
from autodiff.pipeline import compiler
from autodiff.tracing.followed import can_follow


@contextlib.contextmanager
def followed_alone() -> Iterator[None]:
    """The compiler refuses everything but single operations."""
    own, shelves = compiler.compile, cache._shelves

    def compile(function: Any, request: Any) -> Any:
        if can_follow(request):
            raise UnsupportedSyntaxError("not asked")
        return own(function, request)

    compiler.compile = compile  # type: ignore[assignment]
    cache._shelves = WeakKeyDictionary()  # nobody else finds what is made here
    try:
        yield
    finally:
        compiler.compile, cache._shelves = own, shelves
