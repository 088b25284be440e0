"""`np.nditer` over what carries a derivative: NumPy's own says in which order, of which elements
views are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff.tracing.bound_late import call
from autodiff.tracing.handlers.handled import handles
from autodiff.tracing.index_forms import at
from autodiff.tracing.items import setitem
from autodiff.tracing.reach import holds_derivative
from autodiff.tracing.trace import Trace, place_of

_TAKEN = {"multi_index", "c_index", "f_index", "refs_ok", "zerosize_ok"}


class Elements:
    """What `np.nditer` gives: the elements of operands, each as an array of no axes."""

    def __init__(self, walk: Any, operands: tuple[Any, ...], written: list[bool], one: bool):
        self.walk, self.operands, self.written, self.one = walk, operands, written, one

    def __getattr__(self, name: str) -> Any:
        return getattr(self.walk, name)  # `multi_index`, `finished`, `iternext` ...

    def __getitem__(self, k: int) -> Any:
        own = self.operands[k]
        index = self.walk.multi_index[self.walk.ndim - own.ndim :]
        element = at(own, tuple(j if n > 1 else 0 for j, n in zip(index, own.shape)))
        element.flags.writeable = self.written[k] and element.flags.writeable
        return element

    def __setitem__(self, k: int, value: Any) -> None:
        setitem(self[k], Ellipsis, value)

    def __iter__(self) -> Iterator[Any]:
        for _ in self.walk:
            yield self[0] if self.one else tuple(map(self.__getitem__, range(len(self.operands))))

    def __enter__(self) -> Elements:
        return self

    def __exit__(self, *error: Any) -> None:
        pass


@handles(np.nditer)
def _nditer(
    trace: Trace, op: Any, flags: Any = (), op_flags: Any = None, *rest: Any, **keywords: Any
) -> Any:
    flags, one = flags or (), not isinstance(op, (list, tuple))
    if set(flags) - _TAKEN or rest or set(keywords) - {"order"}:
        if holds_derivative(trace, op):
            raise trace.fail("an `nditer` that does more than give elements")
        return np.nditer(op, flags, op_flags, *rest, **keywords)
    given = [own if own is None else call(np.asanyarray, own) for own in ([op] if one else op)]
    plain = [own if own is None else place_of(own) for own in given]
    several = None if op_flags is None else list(op_flags)
    walk = np.nditer(plain, [*flags, "multi_index"], several, **keywords)
    operands = tuple(o if own is None else own for o, own in zip(walk.operands, given))
    if several is None or isinstance(several[0], str):
        several = [several or ()] * len(given)
    written = [own is None or any("write" in s for s in f) for own, f in zip(given, several)]
    return Elements(walk, operands, written, one)
