"""A number that carries a derivative, in a run that is followed."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autodiff.runtime.structure import as_tuple
from autodiff.tracing.trace import Array, Memory, Trace, Unfollowed, current, root_of

PLAIN = (float, np.float64)
"""Numbers of double precision: their arithmetic is one multiplication for each operand."""
FLOATS = (float, complex, np.floating, np.complexfloating)


class Number:
    """A number in a run: its value, and its adjoint and tangent once they are known.

    Whoever reads it past the hooks gets no plain number of it, which would lose the derivative.
    """

    __slots__ = ("bar", "bar_dot", "dot", "value")

    def __init__(self, trace: Trace, value: Any, dot: Any = None) -> None:
        self.value = value
        self.bar: Any = None
        self.dot = dot
        self.bar_dot: Any = None
        trace.numbers.append(self)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        trace = current()
        if trace is not None:
            trace.printed = True
        return repr(self.value)

    def __format__(self, form: str) -> str:
        return format(printed(self), form)

    def __copy__(self) -> Number:
        return self

    def __deepcopy__(self, memo: Any) -> Number:
        return self

    def _lost(self, *_: Any, **__: Any) -> Any:
        trace = current()
        reason = "a number that carries a derivative is read where that is not seen"
        raise Unfollowed(reason) if trace is None else trace.fail(reason)

    __float__ = __int__ = __complex__ = __index__ = __reduce_ex__ = _lost
    __round__ = __trunc__ = __floor__ = __ceil__ = _lost


def value_of(x: Any) -> Any:
    """What is there beside the derivative."""
    return x.value if x.__class__ is Number else x


def plain_copy(x: Any) -> Any:
    """A value beside the one that carries derivatives: numbers in new tuples, lists and dicts."""
    if x.__class__ is Number:
        return x.value
    if isinstance(x, tuple):
        return as_tuple(x, [plain_copy(own) for own in x])
    if type(x) is list:
        return [plain_copy(own) for own in x]
    if type(x) is dict:
        return {key: plain_copy(own) for key, own in x.items()}
    return x


def on_copies(f: Any, *args: Any, **keywords: Any) -> None:
    """What is stored elsewhere than by the call itself: what the call refuses is refused."""

    def copy(x: Any) -> Any:
        own = plain_copy(x)
        return own.copy(order="K") if isinstance(own, np.ndarray) else own

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f(*map(copy, args), **{key: copy(own) for key, own in keywords.items()})


def printed(x: Any) -> Any:
    """What is written in a text; a number that is read from one carries no derivative."""
    if x.__class__ is Number:
        trace = current()
        if trace is not None:
            trace.printed = True
        return x.value
    return x


def carries(trace: Trace, x: Any) -> bool:
    """Whether a number or array carries a derivative itself."""
    if x.__class__ is Number:
        return True
    if not isinstance(x, np.ndarray) or x.dtype.kind == "O" or trace.memory(x) is None:
        return False
    if x.dtype.kind not in "fcV":
        if root_of(x).dtype.kind == "V":
            return False  # a field of records
        raise trace.fail("memory that is read as something else")
    return True


def check_objects(trace: Trace, x: Any) -> None:
    """Arrays of arrays leave what is computed to these, in C."""
    if isinstance(x, np.ndarray) and x.dtype.kind == "O":
        if any(isinstance(own, np.ndarray) and carries(trace, own) for own in x.flat):
            raise trace.fail("arithmetic of arrays of arrays")


def is_made_of_floats(x: Any) -> bool:
    """Whether something is a number or array that could carry a derivative."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "fc"
    return isinstance(x, FLOATS) and not isinstance(x, (bool, int))


def layer(trace: Trace, name: str, x: Any) -> Any:
    """What stands in a layer for a number or an array (a copy); None for zero of a number."""
    if x.__class__ is Number:
        return getattr(x, name)
    memory: Memory | None = trace.memory(x)
    if memory is None or name not in memory.layers:
        return None
    return memory.at(name, x).copy()


def add(trace: Trace, name: str, x: Any, contribution: Any) -> None:
    """Adds to what stands in a layer for a number or an array."""
    if x.__class__ is Number:
        own = getattr(x, name)
        setattr(x, name, contribution if own is None else own + contribution)
        return
    memory = trace.memory(x)
    if memory is not None:
        memory.add(name, x, contribution)


def fitted(x: Any, contribution: Any) -> Any:
    """An adjoint in the shape and type of what it is of: broadcast axes are summed, and the
    imaginary part of a real number's is left out.
    """
    value = value_of(x)
    shape = np.shape(value)
    array: Array = np.asarray(contribution)
    if array.shape != shape:
        lead = max(array.ndim - len(shape), 0)
        whole = (1,) * (len(shape) + lead - array.ndim) + array.shape
        ones = (k + lead for k, n in enumerate(shape) if n == 1 and whole[k + lead] != 1)
        array = array.reshape(whole).sum((*range(lead), *ones)).reshape(shape)
    if not np.iscomplexobj(value):
        array = array.real
    return array[()]
