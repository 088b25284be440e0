"""What is known of one run: the numbers and the memory that carry a derivative, and the tape.

A number is a `Number` wherever it goes, in lists and objects too. An array stays the array that it
is; what it shares memory with is found by its root, the array that owns the memory, and the adjoint
of each element stands at the same place of a second block of memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autodiff.rules import foreign

Array = np.ndarray[Any, Any]


class Unfollowed(BaseException):
    """A run that is not followed on: no error of the user's, and no handler of theirs takes it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Memory:
    """A block of memory that carries a derivative, and beside it the same block for each layer.

    Layers: `bar`, the adjoints; `dot`, the tangents; `bar_dot`, the tangents of the adjoints.
    """

    __slots__ = ("bounds", "layers", "low", "root", "size")

    def __init__(self, root: Array) -> None:
        self.root = root
        low, high = byte_bounds(root)
        self.low, self.size = low, high - low
        self.bounds = low, high
        self.layers: dict[str, Array] = {}

    def at(self, layer: str, place: Array) -> Array:
        """The part of a layer that stands beside an array of this memory."""
        block = self.layers.get(layer)
        if block is None:
            block = self.layers[layer] = np.zeros(self.size, np.uint8)
        offset = place.__array_interface__["data"][0] - self.low
        part: Array = np.ndarray(place.shape, place.dtype, block.data, offset, place.strides)
        return part

    def add(self, layer: str, place: Array, contribution: Any) -> None:
        """Adds to the part of a layer beside an array, some elements of which may be one."""
        own = self.at(layer, place)
        contribution = np.reshape(contribution, own.shape)
        if place.dtype.names:
            for name in float_fields(place):
                self.add(layer, place[name], contribution[name])
            return
        if not may_overlap(place):
            own += contribution
            return
        steps = np.zeros(place.shape, np.intp)
        for axis, stride in enumerate(place.strides):
            along = np.arange(place.shape[axis], dtype=np.intp) * stride
            steps += along.reshape((-1,) + (1,) * (place.ndim - axis - 1))
        start = place.__array_interface__["data"][0] - self.low
        flat = self.layers[layer][start % place.itemsize :]
        flat = flat[: len(flat) // place.itemsize * place.itemsize].view(place.dtype)
        np.add.at(flat, (steps + start) // place.itemsize, contribution)


def float_fields(records: Array) -> list[str]:
    """The fields of records that may carry a derivative."""
    return [own for own in records.dtype.names or () if records[own].dtype.kind in "fcV"]


def _floats(dtype: np.dtype[Any]) -> set[np.dtype[Any]]:
    """The kinds of real numbers that memory of some kind holds."""
    if dtype.names:
        return {own for name in dtype.names for own in _floats(dtype[name])}
    if dtype.subdtype:
        return _floats(dtype.base)
    return {np.empty(0, dtype).real.dtype} if dtype.kind in "fc" else set()


def may_overlap(array: Array) -> bool:
    """Whether two elements of a view may be one place in memory."""
    if array.flags.forc or array.ndim == 0:
        return False
    axes = sorted((abs(s), n) for s, n in zip(array.strides, array.shape) if n > 1)
    reached = array.itemsize
    for stride, count in axes:
        if stride < reached:
            return True
        reached += stride * (count - 1)
    return False


_NEW = hasattr(np, "lib") and hasattr(np.lib, "array_utils")
byte_bounds: Any = np.lib.array_utils.byte_bounds if _NEW else np.byte_bounds  # type: ignore[attr-defined]


def root_of(array: Array) -> Array:
    """The array that owns the memory of another."""
    while True:
        base = array.base
        if isinstance(base, memoryview):
            base = base.obj
        elif not isinstance(base, np.ndarray):  # `as_strided` puts an object between
            base = getattr(base, "base", None)
        if not isinstance(base, np.ndarray):
            return array
        array = base


def place_of(x: Any) -> Any:
    """Where an array is, whatever becomes of its shape or its class; others themselves."""
    if not isinstance(x, np.ndarray):
        return x
    return x[...] if type(x) is np.ndarray else x.view(np.ndarray)


class Trace:
    """One run. second: tangents are carried along, and the adjoints have tangents, too.

    forward: tangents alone. failed: what made it impossible to follow, also if somebody caught it.
    printed: whether a text was made of a number that carries a derivative. touched: containers and
    objects that were written to. scopes: names outside that are assigned, with where they are.
    kept: results of functions that keep theirs. lent: arrays that C has the address of. blind:
    objects in C that were made of plain values. held: those that hold what they were given.
    keyed: dicts with entries under keys that carry a derivative. watch: who is told of each
    operation, if anybody is. asked: classes that say what functions give, while they are asked.
    """

    def __init__(self, forward: bool = False, second: bool = False) -> None:
        self.forward, self.second = forward, second
        self.tangents = forward or second
        self.adjoints = not forward
        self.memories: dict[int, Memory] = {}
        self.tape: list[Callable[[], None]] = []
        self.numbers: list[Any] = []
        self.failed: BaseException | None = None
        self.printed = False
        self.blind: dict[int, Any] = {}
        self.held: dict[int, Any] = {}
        self.hid = False
        self.keyed: dict[int, tuple[Any, dict[Any, bool]]] = {}
        self.touched: dict[int, Any] = {}
        self.scopes: list[tuple[dict[str, Any], frozenset[str]]] = []
        self.cells: dict[int, Any] = {}
        self.kept: dict[Any, Any] = {}
        self.lent: dict[int, Array] = {}
        self.asked: set[tuple[int, Any]] = set()
        self.zeros = foreign.zeros_kept()
        self.watch: Watch | None = getattr(_LOCAL, "watch", None)

    @property
    def sweeps(self) -> tuple[str, ...]:
        """The layers of the reverse sweep."""
        return ("bar", "bar_dot") if self.second else ("bar",)

    def fail(self, reason: str) -> Unfollowed:
        """The signal to raise where a run is not followed on."""
        own = self.failed
        if isinstance(own, Unfollowed):
            return own
        found = Unfollowed(reason)
        self.failed = own or found
        return found

    def memory(self, array: Array) -> Memory | None:
        """The memory of an array, if it carries a derivative."""
        if not self.memories:
            return None
        root = root_of(array)
        found = self.memories.get(id(root))
        if found is None:
            if root.base is not None:
                self._check_apart(root)
        elif array.dtype is not root.dtype:
            self._check_read(array, root)
        return found

    def _check_read(self, array: Array, root: Array) -> None:
        """Numbers that carry a derivative are read, and written, as the numbers that they are."""
        if not _floats(array.dtype) <= _floats(root.dtype):
            raise self.fail("memory that is read as something else")

    def _check_apart(self, root: Array) -> None:
        """Memory that another object lends is not that of an array that carries a derivative."""
        low, high = byte_bounds(root)
        if any(own.low < high and low < own.low + own.size for own in self.memories.values()):
            raise self.fail("memory that is seen in two ways")

    def activate(self, array: Array) -> Memory:
        """The memory of an array, which carries a derivative from now."""
        root = root_of(array)
        found = self.memories.get(id(root))
        if found is None:
            if id(root) in self.lent:
                raise self.fail("memory that is lent to C")
            found = self.memories[id(root)] = Memory(root)
        if array.dtype is not root.dtype:
            self._check_read(array, root)
        return found

    def lend(self, array: Array) -> None:
        """Notes that C reads and writes an array from now, which no hook sees."""
        root = root_of(array)
        self.lent[id(root)] = root

    def check_blind(self, *given: Any) -> None:
        """What C made of plain values, or of what it holds, gives no numbers."""
        for own in given:
            if id(own) in self.blind or id(own) in self.held:
                raise self.fail(f"a number of an object of {type(own).__name__}")

    def back(self) -> None:
        """The reverse sweep."""
        for step in reversed(self.tape):
            step()

    def reset(self) -> None:
        """Forgets the adjoints of a sweep, before another one."""
        for number in self.numbers:
            number.bar = number.bar_dot = None
        for memory in self.memories.values():
            for name in self.sweeps:
                memory.layers.pop(name, None)


_LOCAL = threading.local()


class Watch:
    """Who is told of the operations of a run."""

    def seen(
        self, function: Callable[..., Any], values: Any, keywords: Any, operation: Any, active: Any
    ) -> None:
        """A call with plain values. operation: the `Operation`, if it has a derivative; active:
        which of its operands carry one.
        """

    def taken(
        self, trace: Trace, operation: Any, places: Any, values: Any, outs: Any, back: Any
    ) -> Callable[[], None]:
        """What stands on the tape for an operation."""
        step: Callable[[], None] = back
        return step


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """While somebody is told of the operations of the runs that begin in this thread."""
    before = getattr(_LOCAL, "watch", None)
    _LOCAL.watch = watch
    try:
        yield
    finally:
        _LOCAL.watch = before


def current() -> Trace | None:
    """The run that is followed in this thread, if one is."""
    return getattr(_LOCAL, "trace", None)


@contextmanager
def running(trace: Trace | None) -> Iterator[None]:
    """While what is run is followed; None: not followed, inside of a run that is."""
    before = current()
    _LOCAL.trace = trace
    try:
        yield
    finally:
        _LOCAL.trace = before
