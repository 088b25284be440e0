"""Which frames the traceback of a refusal shows: those of the user, not those of the compiler."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import ParamSpec, TypeVar

from autodiff.errors import AutodiffError, InternalError

SHOWN = "AUTODIFF_TRACEBACK"
"""The variable of the environment that says `full` where all frames are to be shown."""
_OURS = os.path.dirname(__file__) + os.sep
_GENERATED = "<autodiff "
_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Block:
    """A block, or a function, that a user's call leads to: what leaves it is told without frames of
    ours. kind: of errors. without: what takes the frames out of one.

    Those of an InternalError stay.
    """

    def __init__(self, kind: type[BaseException], without: Callable[[BaseException], None]) -> None:
        self.kind, self.without = kind, without

    def __call__(self, function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def hiding(*args: _P.args, **keywords: _P.kwargs) -> _R:
            with self:
                return function(*args, **keywords)

        return hiding

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, self.kind) and not isinstance(error, InternalError):
            if not is_shown():
                for each in _chain(error):
                    self.without(each)


def is_shown() -> bool:
    """Whether all frames are shown, and reasons behind refusals: for who changes the compiler."""
    return os.environ.get(SHOWN) == "full"


def _pick(error: BaseException) -> None:
    """Take all frames of ours out of the traceback of an error."""
    links, link = [], error.__traceback__
    while link is not None:
        links.append(link)
        link = link.tb_next
    kept = [own for own in links if not own.tb_frame.f_code.co_filename.startswith(_OURS)]
    for own, after in zip(kept, [*kept[1:], None]):
        own.tb_next = after
    error.__traceback__ = kept[0] if kept else links[0] if links else None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those that it comes from."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        error = waiting.pop()
        if error is not None and id(error) not in seen:
            seen.add(id(error))
            waiting += (error.__cause__, error.__context__)
            yield error


def _cut(error: BaseException) -> None:
    """Take the frames from the first to the last of ours out of the traceback of an error."""
    links = []
    link = error.__traceback__
    while link is not None:
        links.append(link)
        link = link.tb_next
    files = [link.tb_frame.f_code.co_filename for link in links]
    ours = [k for k, file in enumerate(files) if file.startswith(_OURS)]
    if not ours or any(file.startswith(_GENERATED) for file in files):
        return
    after = links[ours[-1]].tb_next
    links[ours[0]].tb_next = after  # Python 3.10 goes by the link, and shows this one
    if ours[0]:
        links[ours[0] - 1].tb_next = after
    else:
        error.__traceback__ = after


hidden = _Block(AutodiffError, _cut)
"""Where generated code runs, all frames stay: its lines are the user's."""
users = _Block(BaseException, _pick)
"""A run that is followed: of whatever error the frames of the user's, between which ours stand."""
