"""`np.select` with lists whose parts are known, as the choices between two that it is.

    np.select([x > 1, x > 0], [x, np.log(x)], 0.0)
                                    np.where(x > 1, x, np.where(x > 0, np.log(x), 0.0))

So what is not chosen receives 0 through any number of factors, as with `np.where`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff.core import Value, constant, constant_kind
from autodiff.kinds.kind import Array, Scalar
from autodiff.lower.entries.above import Expressions
from autodiff.lower.entries.entry import Entries, Entry, Keywords

_PARAMETERS = ("condlist", "choicelist", "default")


def selected(expressions: Expressions, given: Entries, named: Keywords) -> Entry | None:
    """What `np.select` chooses; None where the lists, or the dtype that NumPy finds for all of
    them, are not known.
    """
    bound = {**dict(zip(_PARAMETERS, given)), **dict(named)}
    if len(bound) != len(given) + len(named) or not {*_PARAMETERS[:2]} <= {*bound} <= {
        *_PARAMETERS
    }:
        return None
    lists = [expressions.listed(bound[key]) for key in _PARAMETERS[:2]]
    if None in lists or len(lists[0] or ()) != len(lists[1] or ()) or not lists[0]:
        return None
    tests, choices = ([expressions.as_value(e) for e in own or ()] for own in lists)
    rest = expressions.as_value(bound.get("default", constant(0)))
    dtype = _dtype([*choices, rest])
    if dtype is None or not all(map(_is_mask, tests)):
        return None
    call = expressions.builder.call
    if dtype != np.float64 and not any(isinstance(v.kind, Array) for v in (choices[-1], rest)):
        # two numbers, between which NumPy chooses in double precision
        named_dtype = constant(dtype.name)
        own = [call("np.asarray", np.asarray, v, named_dtype) for v in (choices[-1], rest)]
        choices[-1], rest = own
    for test, choice in zip(reversed(tests), reversed(choices)):
        rest = call("np.where", np.where, *map(expressions.loaded, (test, choice, rest)))
    return rest


def _is_mask(value: Value) -> bool:
    return isinstance(value.kind, Array) and value.kind.dtype == "bool"


def _dtype(values: Iterable[Value]) -> np.dtype[Any] | None:
    """The dtype of all choices, where arrays of floats or complex numbers say it; numbers of
    Python's have none. None where that is not known.
    """
    kinds = [constant_kind(v.constant) if v.is_constant else v.kind for v in values]
    dtypes = [kind.dtype for kind in kinds if isinstance(kind, Array)]
    plain = [kind for kind in kinds if isinstance(kind, Scalar) and kind.dtype is None]
    known = [d for d in dtypes if d is not None]
    if len(known) + len(plain) < len(kinds) or not known:
        return None
    found = np.result_type(*known)
    wide = found.kind == "c" or found.kind == "f" and all(k.type != "complex" for k in plain)
    return found if wide else None
