"""Compiled derivatives, shared by all derivative objects of one function."""

from __future__ import annotations

import contextlib
import functools
import gc
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from autodiff.derivatives.saying import said_if_long
from autodiff.errors import AutodiffError
from autodiff.frames import users
from autodiff.kinds.kind import Kind
from autodiff.kinds.size import Told
from autodiff.locks import COMPILING
from autodiff.pipeline.compiled import Compiled
from autodiff.pipeline.request import Request

if TYPE_CHECKING:
    from autodiff.core.notyet import SizesTold


@dataclass(slots=True)
class Shelf:
    """What was compiled from one function while it had one code object."""

    code: CodeType
    compiled: dict[Request, Compiled] = field(default_factory=dict)
    exact: dict[tuple[Kind, ...], frozenset[Told]] = field(default_factory=dict)
    """For kinds of arguments, sizes that are told apart from others: the function tells them."""
    refused: dict[tuple[Kind, ...], AutodiffError] = field(default_factory=dict)
    """For kinds of arguments, why nothing is compiled: other derivatives are not tried, either."""


_shelves: WeakKeyDictionary[FunctionType, Shelf] = WeakKeyDictionary()
_LIMIT = 1024
FOLLOWING = True
"""Whether what the compiler refuses is followed while it runs; tests of the compiler say no."""
_DEEP = 10_000  # what fits 8 MB of stack, where Python's calls take some


def compiled(function: FunctionType, request: Request) -> Compiled:
    """The derivative of `function` for `request`; compiled if it is new or no longer valid."""
    with COMPILING:
        shelf = _shelf(function)
        found = shelf.compiled.get(request)
        if found is None or not valid(found):
            from autodiff.derivatives import kept  # noqa: PLC0415 (as late as the compiler)

            place = kept.place_for(function, request)
            again = None if place is None else kept.kept(place)
            if isinstance(again, frozenset):
                raise told()(again)
            if again is not None:
                found = shelf.compiled[request] = replace(again, kinds=request.kinds)
                return found
            from autodiff.pipeline.compiler import compile  # noqa: PLC0415 (most of what there is to import)

            with _uncollected(), _deep(), said_if_long(function, request.mode):
                refusal = shelf.refused.get(request.kinds) if _follows(request) else None
                try:
                    if refusal is None:
                        new = replace(compile(function, request), kinds=request.kinds)
                except told() as signal:
                    if place is not None:
                        kept.keep(place, signal.sizes)
                    raise
                except AutodiffError as error:
                    refusal = error
                    if error.early and request.backend is None and not request.inner:
                        shelf.refused[request.kinds] = error
                if refusal is not None:
                    new = _followed(function, request, refusal)
                elif (new.left or new.meets) and _follows(request):
                    new = _followed_where_left(function, request, new)
                if place is not None:
                    kept.keep(place, new)
                found = shelf.compiled[request] = replace(new, made=None)
        return found


def _follows(request: Request) -> bool:
    """Whether the run may be followed instead."""
    if not FOLLOWING or request.inner:
        return False
    from autodiff.tracing.followed import can_follow  # noqa: PLC0415 (rarely needed)

    return can_follow(request)


def _followed(function: FunctionType, request: Request, refusal: AutodiffError) -> Compiled:
    """The derivative that follows the function while it runs; the refusal where there is none."""
    from autodiff.tracing.followed import can_follow, followed  # noqa: PLC0415 (rarely needed)

    if not FOLLOWING or not can_follow(request):
        raise refusal
    return followed(function, request, refusal)


def _followed_where_left(function: FunctionType, request: Request, found: Compiled) -> Compiled:
    """The derivative, which follows the function where it comes to a path that was left out."""

    @functools.wraps(found.function)
    def run(*args: Any, **keywords: Any) -> Any:
        try:
            return found.function(*args, **keywords)
        except AutodiffError as error:
            if not (error.met or any(error is own for own in found.left)):
                raise
            refusal = error
        with users:
            return _followed(function, request, refusal).function(*args, **keywords)

    own = found.generated or (found.function,)
    return replace(found, function=run, generated=own)  # type: ignore[arg-type]


def exact_sizes(
    function: FunctionType, kinds: tuple[Kind, ...], more: frozenset[Told] = frozenset()
) -> frozenset[Told]:
    """The sizes that are known where an argument of these kinds has them; more of them from now."""
    with COMPILING:
        exact = _shelf(function).exact
        if more:
            exact[kinds] = exact.get(kinds, more) | more
        return exact.get(kinds, more)


def told() -> type[SizesTold]:
    """What a compilation raises where the function tells sizes, to be asked for once it did."""
    from autodiff.core.notyet import SizesTold  # noqa: PLC0415 (the compiler's)

    return SizesTold


def _shelf(function: FunctionType) -> Shelf:
    shelf = _shelves.get(function)
    if shelf is None or shelf.code is not function.__code__ or len(shelf.compiled) > _LIMIT:
        shelf = _shelves[function] = Shelf(function.__code__)
    return shelf


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection: trees have no cycles, and each round would go through all of them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def _deep() -> Iterator[None]:
    """Calls in calls, as deep as a program's helpers call each other: 16 of ours for one of its."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def valid(found: Compiled) -> bool:
    """Whether all globals and cells that were resolved while compiling still hold the same."""
    return all(guard() for guard in found.guards)
