"""Heaps and sorted lists of the standard library, whose items carry derivatives."""

from __future__ import annotations

import bisect
import heapq

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([0.7, 1.3, 0.4, 0.9])


def smallest_first(x):
    heap = []
    for k in range(4):
        heapq.heappush(heap, (x[k], k))
    total = 0.0
    for i in range(4):
        value, k = heapq.heappop(heap)
        total = total + value**2 * (i + 1) * (k + 1)
    return total


def made_of_a_list(x):
    heap = [x[0], x[1], x[2], x[0] * x[3]]
    heapq.heapify(heap)
    return heap[0] ** 2 + heap[1] * heap[2] * heapq.heappop(heap) + heap[-1]


def replaced(x):
    heap = [x[1] * 3, x[0], x[2], x[3]]
    heapq.heapify(heap)
    total = 1.0
    for k in range(4):
        total = total * heapq.heapreplace(heap, x[k] * total) + heap[0]
    return total + heapq.heappushpop(heap, x[0]) * heapq.heappushpop(heap, 2.0 * x[1] + 9.0)


def shortest_path(x):
    distances = [0.0, 1e9, 1e9]
    queue = [(0.0, 0)]
    while queue:
        distance, node = heapq.heappop(queue)
        if distance > distances[node]:
            continue
        for other in range(3):
            through = distance + x[other] * (node + 1.0)
            if through < distances[other]:
                distances[other] = through
                heapq.heappush(queue, (through, other))
    return distances[1] ** 2 + distances[2] ** 3


def of_counters(x):
    heap = []
    for k in (3, 1, 2):
        heapq.heappush(heap, k)
    total = 0.0
    while heap:
        total = total * x[0] + x[heapq.heappop(heap)] ** 2
    return total


def sorted_in(x):
    rows = []
    for k in range(4):
        bisect.insort(rows, x[k] * (1.0 + k))
    bisect.insort_left(rows, rows[2] * x[0])
    return rows[0] ** 2 + rows[1] * rows[-1] + rows[3]


class Weighed:
    def __init__(self, weight):
        self.weight = weight

    def __lt__(self, other):
        return self.weight < other.weight


def of_objects(x):
    rows = []
    for k in range(4):
        bisect.insort(rows, Weighed(x[k]))
    place = bisect.bisect(rows, Weighed(0.8))
    return rows[0].weight ** 2 + rows[1].weight * rows[place].weight * 3.0


def of_pairs(x):
    table = []
    for k in range(3):
        table.append((x[k], k))
    place = bisect.bisect([(0.1, 1.0), (0.5, 2.0), (1.0, 4.0)], (x[0], 0.0))
    return table[place][0] ** 2 + table[bisect.bisect_left(table, (0.2, 7), 0, 2)][0] * x[1]


def by_key(x):
    table = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]
    place = bisect.bisect_left(table, x[0], key=lambda pair: pair[0])
    bisect.insort(table, (x[1], x[2]), key=lambda pair: pair[0])
    return table[place][1] * x[0] ** 2 + table[2][1]


@pytest.mark.parametrize(
    "function",
    [
        smallest_first,
        made_of_a_list,
        replaced,
        shortest_path,
        of_counters,
        sorted_in,
        of_objects,
        of_pairs,
        by_key,
    ],
    ids=lambda own: own.__name__,
)
def test_gradient(monkeypatch, function):
    check(monkeypatch, function, X)
