"""Which backend compiles a derivative."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from autodiff.errors import AutodiffError
from autodiff.frontend.jitted import is_jitted
from autodiff.pipeline.backend import FLAGS, Backend

_PYTHON_ONLY = ("vjp", "jvp", "sparsity")


def backend_of(
    primal: Callable[..., Any], mode: str, options: Mapping[str, Any]
) -> tuple[Backend | None, dict[str, Any]]:
    """The backend that is asked for, None for Python, and the options that are left.

    `backend` is "python" or "numba"; a function that Numba compiled has Numba for its default.
    """
    rest = dict(options)
    chosen = rest.pop("backend", None)
    if chosen is None:
        chosen = "numba" if is_jitted(primal) and mode not in _PYTHON_ONLY else "python"
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
    if mode in _PYTHON_ONLY:
        raise AutodiffError(
            f"{mode} and what is built from it have no native backend yet",
            why="a pullback is a closure over values of one call, which Numba cannot return, and "
            "tangents are not lowered",
            cure='use grad or value_and_grad, or leave backend="numba" out',
        )
    if find_spec("numba") is None:
        raise AutodiffError(
            'backend="numba" needs Numba, which is not installed',
            cure="install it: pip install 'autodiff[numba]'",
        )
    return Backend(tuple(sorted(flags.items()))), rest
