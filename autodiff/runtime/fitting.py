"""What a custom derivative gives, checked against the value that it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.errors import NonDifferentiableError
from autodiff.runtime.copying import assembled
from autodiff.runtime.structure import as_tuple, fields, is_record

_NUMBERS = (bool, int, float, complex, np.generic, np.ndarray)


def fitted(given: Any, like: Any) -> Any:
    """An adjoint or tangent of `like`, with its dtype; None of what has none (text, functions).

    >>> fitted([1, 2], np.zeros(2, np.float32))
    array([1., 2.], dtype=float32)

    Raises:
        ValueError: it has another shape or structure than `like`, is None, or is complex where
            `like` is real.
    """
    if isinstance(like, np.ndarray):
        return _number(given, like)
    if isinstance(like, _NUMBERS):
        number = _number(given, like)
        return number[()] if isinstance(like, np.generic) else number.item()
    if isinstance(like, (tuple, list)):
        if not isinstance(given, (tuple, list)) or len(given) != len(like):
            raise _misfit(given, like)
        items = [fitted(part, own) for part, own in zip(given, like)]
        return items if isinstance(like, list) else as_tuple(like, items)
    if isinstance(like, dict):
        if not isinstance(given, dict) or given.keys() != like.keys():
            raise _misfit(given, like)
        return {key: fitted(given[key], own) for key, own in like.items()}
    if not is_record(like):
        return None
    if type(given) is not type(like) or fields(given).keys() != fields(like).keys():
        raise _misfit(given, like)
    parts = fields(given)
    return assembled(type(like), **{own: fitted(parts[own], x) for own, x in fields(like).items()})


def number_or_array(y: Any) -> Any:
    """What a function with a derivative of the user's gave, as it is; nothing was known of it.

    Raises:
        NonDifferentiableError: it is no number and no array.
    """
    if isinstance(y, _NUMBERS):
        return y
    raise NonDifferentiableError(
        f"a function with a derivative of its own returned a {type(y).__name__}, "
        "not a number or an array",
        why="its source does not tell what it returns, so that is taken to be one",
        cure="return an array, or let a Python function put together what it gives",
    )


def checked_residual(given: Any, y: Any) -> Any:
    """A residual, which has the form of the solution.

    Raises:
        ValueError: it has another one.
    """
    if np.shape(given) != np.shape(y) or np.iscomplexobj(given):
        raise ValueError(
            f"the residual is {_form(given)}, the solution {_form(y)}: "
            "there must be as many real equations as unknowns, in the same shape"
        )
    return given


def _number(given: Any, like: Any) -> np.ndarray[Any, Any]:
    if given is None:
        raise _misfit(given, like)
    array, wanted = np.asarray(given), np.asarray(like)
    real = wanted.dtype.kind != "c" and array.dtype.kind == "c"
    if array.shape != wanted.shape or array.dtype.kind not in "biufc" or real:
        raise _misfit(given, like)
    dtype = wanted.dtype if wanted.dtype.kind in "fc" else np.dtype(float)
    return array.astype(dtype, copy=False)


def _misfit(given: Any, like: Any) -> ValueError:
    return ValueError(
        f"a custom derivative gave {_form(given)} where {_form(like)} belongs: "
        "its vjp returns one adjoint for each parameter, its jvp the tangent of the result"
    )


def _form(x: Any) -> str:
    if isinstance(x, np.ndarray):
        return f"an array of {x.dtype} of shape {x.shape}"
    if isinstance(x, (tuple, list, dict)):
        return f"a {type(x).__name__} of {len(x)}"
    return "None" if x is None else f"a {type(x).__name__}"
