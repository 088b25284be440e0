"""Sets of inputs, held once each and known by their numbers, so that arrays of sets are of ints.

Set 0 is empty, set 1 + k holds input k alone. Equal sets have equal numbers. Where many large sets
would take too much memory, the set of all inputs stands for them: none ever misses an input.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

Ints = np.ndarray[Any, Any]

_CHUNK = 1 << 24
_LIMIT = 1 << 26
_SMALL = 1000
_FEW = 64
_SAME = "two sets of inputs have the same sum of random numbers"
_local = threading.local()


class IndexSets:
    """All sets of inputs that occur in one run of a function."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.full = -1
        """The number of the set of all inputs, once it occurs: it takes in every other."""
        self._lengths = _Growing(np.concatenate([[0], np.ones(inputs, np.int64)]))
        self._members = _Growing(np.arange(inputs))
        self._starts = _Growing(np.concatenate([[0], np.arange(inputs)]))
        # A set is found by the sum of random numbers of its members, and compared then.
        self._weights = np.random.default_rng(0).integers(1, 2**63, inputs, np.uint64)
        self._found = dict(zip(self._weights.tolist(), range(1, inputs + 1)))
        self._pairs: dict[int, int] = {}

    def united(self, a: Any, b: Any) -> Any:
        """The unions of two arrays of sets, element by element; the arrays are broadcast."""
        if not np.ndim(a) and not np.ndim(b):
            return self.pair(int(a), int(b))
        a, b = np.broadcast_arrays(a, b)
        result = np.where(b == 0, a, b)
        rest = (a != b) & (a != 0) & (b != 0)
        if self.full >= 0:
            whole = (a == self.full) | (b == self.full)
            result[whole] = self.full
            rest &= ~whole
        (rest,) = np.nonzero(rest.ravel())
        if rest.size:
            low, high = np.sort([a.ravel()[rest], b.ravel()[rest]], axis=0)
            result.ravel()[rest] = self._all_pairs(low, high)  # a new array, so ravel is a view
        return result

    def pair(self, a: int, b: int) -> int:
        """The union of two sets."""
        if a == b or not a or not b:
            return a or b
        if self.full in (a, b):
            return self.full
        key = min(a, b) << 32 | max(a, b)
        found = self._pairs.get(key)
        if found is None:
            found = self._few(a, b)
            if found is None:
                (found,) = self.gathered(np.zeros(2, np.int64), np.array([a, b]), 1).tolist()
            self._pairs[key] = found
        return found

    def _few(self, a: int, b: int) -> int | None:
        """The union of two small sets, in loops over numbers; None for others."""
        members: set[int] = set()
        for own in (a, b):
            begin, length = int(self._starts.values[own]), int(self._lengths.values[own])
            if length > _FEW:
                return None
            members.update(self._members.values[begin : begin + length].tolist())
        held = np.array(sorted(members))
        key = int(self._weights[held].sum())
        found: int | None = self._found.get(key)
        if found is None:
            if held.size == self.inputs:
                return self.whole()
            found = self._found[key] = int(self._lengths.values.size)
            self._starts.extend(np.array([self._members.values.size]))
            self._lengths.extend(np.array([held.size]))
            self._members.extend(held)
            return found
        begin = int(self._starts.values[found])
        if not np.array_equal(self._members.values[begin : begin + held.size], held):
            raise RuntimeError(_SAME)
        return found

    def _all_pairs(self, low: Ints, high: Ints) -> Ints:
        keys, places = np.unique(low << 32 | high, return_inverse=True)
        if keys.size > _SMALL:  # remembering these takes longer than uniting them
            labels = np.tile(np.arange(keys.size), 2)
            sides = np.concatenate([keys >> 32, keys & 0xFFFFFFFF])
            return self.gathered(labels, sides, keys.size)[places]
        known = np.array([self._pairs.get(key, -1) for key in keys.tolist()])
        (new,) = np.nonzero(known < 0)
        if new.size:
            labels = np.tile(np.arange(new.size), 2)
            sides = np.concatenate([keys[new] >> 32, keys[new] & 0xFFFFFFFF])
            known[new] = self.gathered(labels, sides, new.size)
            self._pairs.update(zip(keys[new].tolist(), known[new].tolist()))
        return known[places]

    def gathered(self, labels: Ints, sets: Ints, count: int) -> Ints:
        """For each label below `count`, the union of all sets that stand beside it."""
        labels, sets = labels[sets != 0], sets[sets != 0]
        result = np.zeros(count, np.int64)
        if self.full >= 0:
            whole = labels[sets == self.full]
            result[whole] = self.full
            kept = result[labels] != self.full
            labels, sets = labels[kept], sets[kept]
        pairs = _distinct(labels << 32 | sets)
        labels, sets = pairs >> 32, pairs & 0xFFFFFFFF
        large = self._too_large(labels, sets, count)
        if large.any():
            result[large] = self.whole()
            kept = ~large[labels]
            labels, sets = labels[kept], sets[kept]
        ends = np.cumsum(self._lengths.values[sets])
        begin = 0
        while begin < labels.size:  # in pieces, so that the members fit into memory
            done = ends[begin - 1] if begin else 0
            stop = max(begin + 1, int(np.searchsorted(ends, done + _CHUNK)))
            while stop < labels.size and labels[stop] == labels[stop - 1]:
                stop += 1
            owners, own = np.unique(labels[begin:stop], return_inverse=True)
            result[owners] = self._of_members(own, sets[begin:stop], owners.size)
            begin = stop
        return result

    def _too_large(self, labels: Ints, sets: Ints, count: int) -> Ints:
        """Which unions are not to be held."""
        lengths = self._lengths.values[sets]
        if lengths.sum() + self._members.values.size < _LIMIT:
            return np.zeros(count, bool)
        return np.bincount(labels, lengths, count) > _SMALL

    def whole(self) -> int:
        """The set of all inputs."""
        if self.full < 0 and self.inputs:
            members = np.arange(self.inputs)
            sums = np.array([self._weights.sum()])
            self.full = int(
                self._numbered(sums, np.array([0]), np.array([self.inputs]), members)[0]
            )
        return max(self.full, 0)

    def _of_members(self, labels: Ints, sets: Ints, count: int) -> Ints:
        """The unions, none of which is empty."""
        lengths = self._lengths.values[sets]
        keys = np.repeat(labels, lengths) * self.inputs + self.members(sets)
        rows, members = np.divmod(_distinct(keys), self.inputs)
        starts = np.searchsorted(rows, np.arange(count))
        lengths = np.diff(np.append(starts, rows.size))
        sums = np.add.reduceat(self._weights[members], starts)
        return self._numbered(sums, starts, lengths, members)

    def _numbered(self, sums: Ints, starts: Ints, lengths: Ints, members: Ints) -> Ints:
        """The numbers of sets given by their members; those that are new get numbers."""
        sums, first, places = np.unique(sums, return_index=True, return_inverse=True)
        numbers = np.array([self._found.get(key, -1) for key in sums.tolist()])
        (new,) = np.nonzero(numbers < 0)
        if new.size:
            count = self._lengths.values.size
            numbers[new] = np.arange(count, count + new.size)
            self._found.update(zip(sums[new].tolist(), numbers[new].tolist()))
            own = first[new]
            begun = self._members.values.size + np.cumsum(lengths[own]) - lengths[own]
            self._starts.extend(begun)
            self._lengths.extend(lengths[own])
            self._members.extend(members[_spans(starts[own], lengths[own])])
            whole = new[lengths[own] == self.inputs]
            if whole.size:
                self.full = int(numbers[whole[0]])
        result: Ints = numbers[places]
        same = np.array_equal(self._lengths.values[result], lengths)
        if not same or not np.array_equal(self.members(result), members):
            raise RuntimeError(_SAME)
        return result

    def lengths(self, sets: Ints) -> Ints:
        """How many inputs each set holds."""
        return self._lengths.values[sets]

    def members(self, sets: Ints) -> Ints:
        """The inputs in each set in ascending order, one set after the other.

        >>> sets = IndexSets(3)
        >>> sets.members(sets.united(np.array([1, 2]), np.array([3, 2])))
        array([0, 2, 1])
        """
        return self._members.values[_spans(self._starts.values[sets], self._lengths.values[sets])]


class _Growing:
    """An array of ints that things are added to at the end."""

    def __init__(self, values: Ints) -> None:
        self._buffer = values.astype(np.int64)
        self.values = self._buffer

    def extend(self, more: Ints) -> None:
        size = self.values.size
        if size + more.size > self._buffer.size:
            buffer = np.empty(2 * (size + more.size), np.int64)
            buffer[:size] = self.values
            self._buffer = buffer
        self._buffer[size : size + more.size] = more
        self.values = self._buffer[: size + more.size]


def _distinct(keys: Ints) -> Ints:
    """The keys in ascending order, each once (`np.unique` hashes, which is far slower here)."""
    keys = np.sort(keys)
    first = np.ones(keys.size, bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def _spans(starts: Ints, lengths: Ints) -> Ints:
    """The places in the spans that begin at `starts`, one span after the other."""
    before = np.cumsum(lengths) - lengths
    result: Ints = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return result


@contextlib.contextmanager
def index_sets(inputs: int) -> Iterator[IndexSets]:
    """The sets that code run inside works with, in this thread."""
    before = getattr(_local, "sets", None)
    _local.sets = IndexSets(inputs)
    try:
        yield _local.sets
    finally:
        _local.sets = before


def current() -> IndexSets:
    """The sets of the innermost `index_sets`."""
    found: IndexSets | None = getattr(_local, "sets", None)
    if found is None:
        raise RuntimeError("code that follows index sets was called without them")
    return found
