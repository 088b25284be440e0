"""Which backend compiles a derivative."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from autodiff.errors import AutodiffError
from autodiff.frontend.jitted import is_jitted
from autodiff.pipeline.request import FLAGS, Backend


def backend_of(
    primal: Callable[..., Any], options: Mapping[str, Any]
) -> tuple[Backend | None, dict[str, Any]]:
    """The backend that is asked for, None for Python, and the options that are left.

    `backend` is "python" or "numba". A function that Numba compiled, and a derivative that it will
    compile, have Numba for their default, and the options that they are compiled with.
    """
    rest = dict(options)
    chosen = rest.pop("backend", None)
    inherited = _inherited(primal)
    if chosen is None:
        chosen = "python" if inherited is None else "numba"
    flags = {flag: rest.pop(flag) for flag in FLAGS if flag in rest}
    if chosen == "python":
        if flags:
            raise AutodiffError(
                f"the option {next(iter(flags))} is one of Numba's",
                why="the backend is Python",
                cure='pass backend="numba" as well',
            )
        return None, rest
    if chosen != "numba":
        raise AutodiffError(
            f"there is no backend {chosen!r}", cure='pass backend="python" or backend="numba"'
        )
    if find_spec("numba") is None:
        raise AutodiffError(
            'backend="numba" needs Numba, which is not installed',
            cure="install it: pip install 'source-autodiff[numba]'",
        )
    return Backend(tuple(sorted({**(inherited or {}), **flags}.items()))), rest


def _inherited(primal: Any) -> dict[str, object] | None:
    """The options that a dispatcher or a native derivative compiles with; None for all others."""
    backend = getattr(primal, "backend", None)
    if isinstance(backend, Backend):
        return dict(backend.flags)
    if not is_jitted(primal):
        return None
    given = primal.targetoptions
    flags = {flag: given[flag] for flag in FLAGS if given.get(flag) is not None}
    return {**flags, "cache": True} if primal.stats.cache_path is not None else flags
