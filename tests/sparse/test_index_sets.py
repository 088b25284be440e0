"""Index sets against Python's sets; colours."""

import numpy as np
import pytest

from autodiff.runtime import dependence, indexsets
from autodiff.runtime.indexsets import IndexSets, index_sets
from autodiff.sparsity.colouring import colouring


def as_sets(sets, numbers):
    return [set(sets.members(np.array([k])).tolist()) for k in np.ravel(numbers)]


@pytest.mark.parametrize("limit", [indexsets._LIMIT, 0])
def test_unions(monkeypatch, limit):
    monkeypatch.setattr(indexsets, "_LIMIT", limit)
    monkeypatch.setattr(indexsets, "_SMALL", 4)
    monkeypatch.setattr(indexsets, "_CHUNK", 7)
    random, sets = np.random.default_rng(0), IndexSets(12)
    numbers = np.arange(1, 13)
    for _ in range(6):
        a, b = random.choice(numbers, 20), random.choice([0, *numbers], 20)
        both = sets.united(a, b)
        assert limit == 0 or sets.united(int(a[0]), int(b[0])) == both[0]
        for one, other, union in zip(*(as_sets(sets, k) for k in (a, b, both))):
            assert one | other <= union
            assert limit == 0 or one | other == union
        labels = random.integers(0, 5, 20)
        for k, union in enumerate(as_sets(sets, sets.gathered(labels, b, 5))):
            expected = set().union(*(s for s, at in zip(as_sets(sets, b), labels) if at == k))
            assert expected <= union
            assert limit == 0 or expected == union
        numbers = np.unique(np.concatenate([numbers, both]))
    found = as_sets(sets, numbers)
    assert len({frozenset(own) for own in found}) == len(found)  # equal sets, equal numbers


def test_sets_with_the_same_sum_are_noticed():
    sets = IndexSets(4)
    sets._weights[:] = [1, 2, 3, 4]
    sets._found = {1: 1, 2: 2, 3: 3, 4: 4}
    with pytest.raises(RuntimeError, match="same sum"):
        sets.united(1, 2)  # as {2}


def test_helpers_need_sets():
    with pytest.raises(RuntimeError, match="without them"):
        dependence.depends(np.ones(2), np.array([1, 2]), np.array([0, 1]))


def test_numbers_of_sets_are_never_rounded():
    with index_sets(3), pytest.raises(TypeError, match="cannot be float32"):
        dependence.depends(np.ones(2), np.ones(2, np.float32))
    with index_sets(3), pytest.raises(TypeError, match="in a set"):
        dependence.depends_on_all(1.0, {1, 2})


def test_colours():
    random = np.random.default_rng(0)
    for rows, columns, entries in ((30, 20, 60), (5, 40, 60), (40, 5, 30), (1, 3, 3), (3, 1, 0)):
        at = np.unique(random.integers(0, rows * columns, entries))
        i, j = np.divmod(at, columns)
        colours = colouring(i, j, (rows, columns))
        assert colours.shape == (columns,)
        for row in range(rows):
            own = colours[j[i == row]]
            assert np.unique(own).size == own.size


def test_as_few_colours_as_networkx_takes():
    networkx = pytest.importorskip("networkx")
    random = np.random.default_rng(1)
    for _ in range(10):
        i, j = np.divmod(np.unique(random.integers(0, 40 * 30, 100)), 30)
        graph = networkx.Graph()
        graph.add_nodes_from(range(30))
        graph.add_edges_from((a, b) for a in range(30) for b in range(a)
                             if set(i[j == a]) & set(i[j == b]))  # fmt: skip
        theirs = networkx.greedy_color(graph, "largest_first")
        assert colouring(i, j, (40, 30)).max() <= max(theirs.values()) + 1


def test_sets_lie_in_memory_as_their_arrays_do():
    turned = np.ones((2, 3)).T
    found = dependence.laid_out(np.arange(6).reshape(3, 2), turned)
    assert found.strides == turned.strides and found.dtype == np.int64
    assert np.array_equal(found, np.arange(6).reshape(3, 2))


def test_sets_of_structures():
    shared = [1.0, np.ones(2)]
    found = dependence.independent({"a": shared, "b": (shared, None), "c": np.array([2.0, None])})
    assert found["a"] is found["b"][0]
    assert found["a"][0] == 0 and found["a"][1].tolist() == [0, 0] and found["b"][1] is None
    assert found["c"].tolist() == [0, None]
