"""Heaps and sorted lists of the standard library, as Python's own text has them: the order of the
items is what compiled code makes of it.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import Any


def towards_root(heap, first, place):
    """An item moves to where its parent is no larger."""
    item = heap[place]
    while place > first:
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def towards_leaves(heap, place):
    """The smaller children move up, then the item to where it belongs among them."""
    first, stop, item = place, len(heap), heap[place]
    below = 2 * place + 1
    while below < stop:
        if below + 1 < stop and not heap[below] < heap[below + 1]:
            below = below + 1
        heap[place] = heap[below]
        place = below
        below = 2 * place + 1
    heap[place] = item
    towards_root(heap, first, place)


def pushed(heap, item):
    """`heapq.heappush(heap, item)`."""
    heap.append(item)
    towards_root(heap, 0, len(heap) - 1)


def popped(heap):
    """`heapq.heappop(heap)`."""
    last = heap.pop()
    if len(heap) == 0:
        return last
    smallest = heap[0]
    heap[0] = last
    towards_leaves(heap, 0)
    return smallest


def replaced(heap, item):
    """`heapq.heapreplace(heap, item)`."""
    smallest = heap[0]
    heap[0] = item
    towards_leaves(heap, 0)
    return smallest


def pushed_and_popped(heap, item):
    """`heapq.heappushpop(heap, item)`."""
    if len(heap) > 0 and heap[0] < item:
        smallest = heap[0]
        heap[0] = item
        towards_leaves(heap, 0)
        return smallest
    return item


def made_heap(items):
    """`heapq.heapify(items)`."""
    for place in range(len(items) // 2 - 1, -1, -1):
        towards_leaves(items, place)


def behind_equals(a, x, lo=0, hi=None, *, key=None):
    """`bisect.bisect_right(a, x)`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    stop = len(a) if hi is None else hi
    while lo < stop:
        middle = (lo + stop) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            stop = middle
        else:
            lo = middle + 1
    return lo


def before_equals(a, x, lo=0, hi=None, *, key=None):
    """`bisect.bisect_left(a, x)`."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    stop = len(a) if hi is None else hi
    while lo < stop:
        middle = (lo + stop) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            stop = middle
    return lo


def put_behind_equals(a, x, lo=0, hi=None, *, key=None):
    """`bisect.insort_right(a, x)`."""
    if key is None:
        place = bisect.bisect_right(a, x, lo, hi)
    else:
        place = bisect.bisect_right(a, key(x), lo, hi, key=key)
    a.insert(place, x)


def put_before_equals(a, x, lo=0, hi=None, *, key=None):
    """`bisect.insort_left(a, x)`."""
    if key is None:
        place = bisect.bisect_left(a, x, lo, hi)
    else:
        place = bisect.bisect_left(a, key(x), lo, hi, key=key)
    a.insert(place, x)


HEAPS: dict[Any, Callable[..., Any]] = {
    heapq.heappush: pushed,
    heapq.heappop: popped,
    heapq.heapreplace: replaced,
    heapq.heappushpop: pushed_and_popped,
    heapq.heapify: made_heap,
    bisect.insort_right: put_behind_equals,
    bisect.insort_left: put_before_equals,
}
"""What stands for a function of the heap or the sorted list."""
