"""From lowered text to a function that Numba compiles when it is called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numba
from numba.core.errors import NumbaError

from autodiff.errors import NativeError
from autodiff.native.disk import keep_on_disk
from autodiff.pipeline.backend import Backend
from autodiff.syntax.origin import Origin

_LINE = re.compile(r'File "<autodiff [^"]*", line (\d+)')


def build(
    loaded: FunctionType, text: str, backend: Backend, origins: Mapping[int, Origin]
) -> tuple[Any, Any]:
    """The dispatcher of a loaded function, and a function that calls it and explains its errors."""
    flags: dict[str, Any] = dict(backend.flags)
    kept = flags.pop("cache", False)
    dispatcher = numba.njit(**flags)(loaded)
    if kept:
        keep_on_disk(dispatcher, text, flags, origins)

    def native(*args: Any, **keywords: Any) -> Any:
        try:
            return dispatcher(*args, **keywords)
        except (NumbaError, NotImplementedError) as error:  # the latter from its code generator
            raise _explained(error, loaded.__name__, origins) from error

    native.__name__ = native.__qualname__ = loaded.__name__
    native.__doc__ = loaded.__doc__
    return dispatcher, native


def _explained(error: Exception, name: str, origins: Mapping[int, Origin]) -> NativeError:
    """What Numba could not compile, at the statement of the user's that it comes from."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [int(line) for line in _LINE.findall(text)]
    origin = None
    for line in lines[-1:]:
        starts = [start for start in origins if start <= line]
        origin = origins[max(starts)] if starts else None
    shown = [line for line in text.splitlines() if line.strip()][:6]
    return NativeError(
        f"Numba cannot compile {name}",
        origin,
        why="\n".join(shown),
        cure='leave backend="numba" out: Python runs the same derivative',
    )
