"""Items in order, and items of tuples, texts and lists of names that are found at run time."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([0.7, 1.3, 0.4, 1.9])


def sorted_twice(x):  # type: ignore[no-untyped-def]
    squares = sorted(v * v for v in x)
    down = sorted(squares, reverse=True)
    squares[0] = squares[1] * down[0]
    return squares[0] * 2.0 + squares[2] * down[3] + sum(down[1:])


def sorted_changes_nothing(x):  # type: ignore[no-untyped-def]
    held = [x[0] * x[1], x[2], x[3]]
    low = sorted(held)
    low[0] = low[1] * 3.0
    held[0] = held[0] * 2.0
    return held[0] * low[0] + low[2]


def sorted_in_each_iteration(x, n):  # type: ignore[no-untyped-def]
    row = list(x)
    for k in range(n):
        row.sort(reverse=k % 2 == 0)
        row[0] = row[0] * row[1]
    return row[0] + 2.0 * row[3]


def sorted_by_another_name(x):  # type: ignore[no-untyped-def]
    row = [x[1] * 2.0, x[0], x[2]]
    other = row
    other.sort()
    other.append(row[0] * row[1])
    return row[0] + 2.0 * row[3]


def sorted_on_a_condition(x, flag):  # type: ignore[no-untyped-def]
    row = [x[1], x[0], x[2] * x[3]]
    if flag > 0:
        row.sort()
    return row[0] + 2.0 * row[1] * row[2]


def sorted_pairs(x):  # type: ignore[no-untyped-def]
    pairs = [(v * v, k) for k, v in enumerate(x)]
    pairs.sort()
    return sum((place + 1) * v * x[k] for place, (v, k) in enumerate(pairs))


def sorted_words(x, words):  # type: ignore[no-untyped-def]
    words.sort(key=len, reverse=True)
    total = 0.0
    for word in words:
        total = total * 0.5 + x[len(word) - 1]
    return total


def sorted_array(x):  # type: ignore[no-untyped-def]
    low, *rest = sorted(x)
    return low * rest[0] + rest[-1] ** 2


def sorted_keys(x):  # type: ignore[no-untyped-def]
    table = {}
    for k, v in enumerate(x):
        table[3 - k] = v * v
    total = 0.0
    for key in sorted(table):
        total = total * 0.3 + table[key]
    for key, value in sorted(table.items(), reverse=True):
        total = total * 0.3 + value * key
    return total * max(table) + min(table) * x[0]


def sorted_with_ties(x):  # type: ignore[no-untyped-def]
    pairs = sorted([(1, x[0]), (0, x[1]), (1, x[2]), (0, x[3])], key=lambda pair: pair[0])
    return pairs[0][1] * 2.0 + pairs[1][1] * pairs[2][1] + pairs[3][1] ** 2


def greatest_of_rows(x):  # type: ignore[no-untyped-def]
    rows = [x[:1], x[1:2], x[3:] * 0.1]
    return np.sum(max(rows) * min(rows))


def greatest_key(x, n):  # type: ignore[no-untyped-def]
    table = {}
    for k in range(n):
        table[k * 2] = x[k] ** 2
    return table[max(table)] * table[min(table)] + sum(table) * x[0] + math.prod(table.values())


def products(x, n):  # type: ignore[no-untyped-def]
    rows = []
    for k in range(n):
        rows.append(x * (k + 1.0))
    return np.sum(math.prod(rows)) + np.sum(math.prod(rows, start=x[0]))


def names_beside_rows(x, labels):  # type: ignore[no-untyped-def]
    sums = {}
    for v, label in zip(x, labels):
        sums[label] = sums.get(label, 0.0) + v * v
    total = 1.0
    for label, value in sums.items():
        total = total * value + (label == "a") * value
    return total


def groups(x, labels):  # type: ignore[no-untyped-def]
    found = collections.defaultdict(list)
    for v, label in zip(x, labels):
        found[label].append(v * v)
        if len(found[label]) > 1:
            found[label][0] = found[label][0] * v
    return sum(sum(rows) * rows[0] for rows in found.values())


def a_group_that_is_shared(x, labels):  # type: ignore[no-untyped-def]
    found = {}
    for k in range(len(x)):
        found.setdefault(labels[k], []).append(x[k])
    first = found[labels[0]]
    first.append(x[1] * 2.0)
    first[0] = first[0] * first[-1]
    return sum(found[labels[0]]) * len(found)


def a_tuple_by_number(x, k):  # type: ignore[no-untyped-def]
    rows = (x[0] * 2.0, x[1] ** 2, x[3])
    total = 0.0
    while k >= 0:
        total = total * 0.5 + rows[k] * rows[-k - 1]
        k = k - 1
    return total


def a_tuple_of_arrays_that_change(x, k):  # type: ignore[no-untyped-def]
    rows = (x[:2] * 2.0, x[2:] ** 2)
    rows[k][0] = x[1]
    rows[1 - k][1] *= rows[k][0]
    return np.sum(rows[0] * rows[1]) + rows[k][1]


def a_letter_by_number(x, word):  # type: ignore[no-untyped-def]
    table = {"a": x[0], "b": x[1] * x[2]}
    total = 1.0
    for v, letter in zip(x, word):
        total = total * table[letter] + v
    return total


def chained_rows(x):  # type: ignore[no-untyped-def]
    total = 1.0
    for v in itertools.chain(x, x[:2] ** 2, x[::-1]):
        total = total * 0.5 + v * total
    items = itertools.chain(x, [x[0]], x)
    return total * sum(items)


def counted_by_words(x):  # type: ignore[no-untyped-def]
    counts = {}
    for word in ["b", "a", "b", "c"]:
        counts[word] = counts.get(word, 0) + 1
    return sum(x[k] * counts[word] for k, word in enumerate(sorted(counts)))


def removed_and_found(x):  # type: ignore[no-untyped-def]
    row = [x[0], x[1] * x[2], x[3], x[0]]
    row.remove(x[0])
    place = row.index(x[3])
    return row[place] * row[0] * (1 + row.count(x[0]))


def joined_by_an_index(x, n):  # type: ignore[no-untyped-def]
    row = np.r_[x[:2], 0.5, -1:n, 0:1:3j, [x[3], 2.0], x.sum()]
    row[0] = row[1] * row[2]
    whole = np.r_[x]
    whole[0] = 3.0
    for k in range(n):
        whole = np.r_[whole[1:], whole[0] * k]
    return np.sum(row**2) * np.sum(np.c_[whole, x**2, np.r_[0:4]] ** 2)


def sorted_by_tuples(x):  # type: ignore[no-untyped-def]
    held = [((1, "b"), x[0]), ((0, "c"), x[1]), ((1, "a"), x[2])]
    return sum((k + 1.0) * v * x[k] for k, (_, v) in enumerate(sorted(held, key=lambda p: p[0])))


def sorted_items_of_a_dict(x):  # type: ignore[no-untyped-def]
    table = {"b": [x[0]], "a": [x[1], x[2]]}
    total = 1.0
    for _, rows in sorted(table.items()):
        total = total * 0.5 + sum(rows) * total
    return total


def methods_as_values(x, n):  # type: ignore[no-untyped-def]
    held, other = [], [x[1]]
    put, take = held.append, other.pop
    for k in range(n):
        put(x[k] ** 2)
        put(x[k] * 2.0)
    list(map(other.append, held))
    put(take(0))
    return sum(held) * held[-1] + sum(other)


def a_method_on_one_path(x, flag):  # type: ignore[no-untyped-def]
    one, other = [x[0]], [x[1]]
    (one if flag > 0 else other).append(x[2] ** 2)
    found = one.index if flag > 0 else one.count
    return one[-1] * other[-1] * (found(x[0]) + 1)


def added(put, x):  # type: ignore[no-untyped-def]
    put(x * 3.0)
    return x


def methods_handed_on(x):  # type: ignore[no-untyped-def]
    table, rows = {}, [x * 1.0]
    added(rows.append, x)
    rows.append(rows[0])
    rows[0][1] = x[0] * x[1]
    table["a"] = rows[2].sum
    get = {"k": x[2], "m": x[3]}.get
    return table["a"]() * rows[1].sum() * get("k") * get("q", x[0])


def appended_in_a_display(x):  # type: ignore[no-untyped-def]
    held = []
    nothing = [held.append(v * v) for v in x]
    return sum(held) * len(nothing) * (2.0 if nothing[0] is None else 1.0)


def columns_of_tuples(x, n):  # type: ignore[no-untyped-def]
    rows = [(x[0], x[:2] * 1.0)]
    for k in range(n):
        rows.append((rows[-1][0] * x[1], rows[0][1] * x[k]))
    rows[0][1][0] = x[3]
    first, second = zip(*rows)
    second[-1][1] = first[0] * 2.0
    return sum(first) * len(second) + np.sum(second[0] * second[-1])


def columns_of_a_table(x):  # type: ignore[no-untyped-def]
    table = np.outer(x, x)
    total = 0.0
    for a, *rest in zip(*table):
        total = total * 0.5 + a * rest[0]
    table[0, 1] = x[0]
    return total + sum(sum(row) * row[1] for row in zip(*table))


def columns_of_lists(x, n):  # type: ignore[no-untyped-def]
    rows = [[x[0] * k, x[1], x[2] ** 2] for k in range(n)]
    rows[0].append(x[3])
    total = 0.0
    for column in zip(*rows):
        total = total * 0.7 + sum(column) * column[0]
    return total


def lists_of_an_array(x):  # type: ignore[no-untyped-def]
    a = np.outer(x, x)
    rows = a.tolist()
    a[0, 0] = 5.0
    rows[0][1] = rows[1][1] * x[0]
    rows[2] = rows[0]
    rows[2].append(a[1, 1])
    b, c, d, e = x.tolist()
    return sum(v * v for row in rows for v in row) * b * c + d * e.real


def lists_to_functions(x, n):  # type: ignore[no-untyped-def]
    rows = []
    for k in range(n):
        rows.append([])
        rows[k].append(x[k])
        rows[-1].append(x[0] * k)
    whole = np.array(rows)
    rows[0][0] = 1.0
    mean = np.average(np.sin([x, x * x]), axis=0, weights=[x[0], 2.0])
    return np.sum(whole**2) * rows[1][0] + np.sum(mean**2) + np.sum(np.exp([x, 2.0 * x]))


def parts_by_text(p):  # type: ignore[no-untyped-def]
    parts = {"w0": np.outer(p, p), "b0": p * 2.0, "w1": np.outer(p, p) * 0.1, "b1": p}
    h = p
    for k in range(2):
        h = np.tanh(parts[f"w{k}"] @ h + parts[f"b{k:d}"])
    return h.sum()


def taken_apart_with_a_star(x, n):  # type: ignore[no-untyped-def]
    rows = [x[k] ** 2 for k in range(n)]
    first, *others = rows
    *before, last = others
    first, rows[0] = rows[0] * 2.0, last * first
    before.append(rows[0])
    return sum(before) * first + last * len(others)


def parts_of_a_list_replaced(x, n):  # type: ignore[no-untyped-def]
    row = [x[0], x[1] * x[2], x[3]]
    other = row
    row[:2] = [x[1], x[2] * 2.0, row[0]]
    for k in range(n):
        row[k : k + 1] = [row[-1] * x[k], row[0]]
    return sum((k + 1) * v for k, v in enumerate(other)) * row[1]


def letters_and_tuples_as_keys(x, n):  # type: ignore[no-untyped-def]
    table = {"a": x[0], "b": x[1], (0, 1): x[2]}
    total = table[0, 1]
    for k in range(n):
        total = total * x[3] + table["ab"[k % 2]]
    return total


def as_long_as_there_are(x):  # type: ignore[no-untyped-def]
    queue, total = [(x[0], 1.0)], 0.0
    while queue and total < 6.0:
        value, weight = queue.pop(0)
        total = total + value * weight
        if weight < 3 or not queue and weight < 4:
            queue.append((value * x[1], weight + 1))
            queue.insert(0, (value + x[2], weight * 2))
    return total * total


def parts_of_unknown_number(x, n):  # type: ignore[no-untyped-def]
    total = 0.0
    for k, part in enumerate(np.split(x, n)):
        total += (k + 1) * np.sum(part**2)
    return total + sum(part[0] for part in np.array_split(x * 2.0, n))


def parts_that_change(x, n):  # type: ignore[no-untyped-def]
    y = x * 1.0
    parts = np.split(y, n)
    for k in range(n):
        parts[k][0] = parts[k - 1][-1] * x[k]
        y[0] = y[1] * 2.0
    return np.sum(y**2) * parts[0][0]


def among_numbers(x, a):  # type: ignore[no-untyped-def]
    total = 0.0
    for k in range(4):
        y = a * k
        if y in (x[0], a, 4.0):
            total += y * x[1]
        if y not in (a, a + x[2]):
            total += x[k] ** 2
    return total


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (among_numbers, (X, 2.0)),
        (parts_of_unknown_number, (X, 1)),
        (parts_of_unknown_number, (X, 2)),
        (parts_that_change, (X, 1)),
        (parts_that_change, (X, 4)),
        (taken_apart_with_a_star, (X, 2)),
        (taken_apart_with_a_star, (X, 4)),
        *(
            pytest.param(parts_of_a_list_replaced, (X, n), marks=pytest.mark.followed)
            for n in (0, 3)
        ),
        (letters_and_tuples_as_keys, (X, 0)),
        (letters_and_tuples_as_keys, (X, 3)),
        (as_long_as_there_are, (X,)),
        (methods_as_values, (X, 0)),
        (methods_as_values, (X, 1)),
        (methods_as_values, (X, 3)),
        (a_method_on_one_path, (X, 1)),
        (a_method_on_one_path, (X, -1)),
        (methods_handed_on, (X,)),
        (appended_in_a_display, (X,)),
        (columns_of_tuples, (X, 0)),
        (columns_of_tuples, (X, 1)),
        (columns_of_tuples, (X, 3)),
        (columns_of_a_table, (X,)),
        (columns_of_lists, (X, 1)),
        (columns_of_lists, (X, 3)),
        (lists_of_an_array, (X,)),
        (lists_to_functions, (X, 2)),
        (lists_to_functions, (X, 3)),
        (parts_by_text, (X,)),
        (joined_by_an_index, (X, 0)),
        (joined_by_an_index, (X, 3)),
        (sorted_by_tuples, (X,)),
        (sorted_items_of_a_dict, (X,)),
        (sorted_twice, (X,)),
        (sorted_changes_nothing, (X,)),
        (sorted_in_each_iteration, (X, 0)),
        (sorted_in_each_iteration, (X, 1)),
        (sorted_in_each_iteration, (X, 3)),
        (sorted_by_another_name, (X,)),
        (sorted_on_a_condition, (X, 1)),
        (sorted_on_a_condition, (X, -1)),
        (sorted_pairs, (X,)),
        (sorted_words, (X, ["ccc", "a", "bb"])),
        (sorted_array, (X,)),
        (sorted_keys, (X,)),
        (sorted_with_ties, (X,)),
        (greatest_of_rows, (X,)),
        (greatest_key, (X, 3)),
        (products, (X, 0)),
        (products, (X, 1)),
        (products, (X, 3)),
        (names_beside_rows, (X, ["a", "b", "a", "c"])),
        (names_beside_rows, (X, "abba")),
        pytest.param(groups, (X, ["a", "b", "a", "a"]), marks=pytest.mark.followed),
        pytest.param(groups, (X, "aabb"), marks=pytest.mark.followed),
        (a_group_that_is_shared, (X, ["a", "b", "a", "b"])),
        (a_tuple_by_number, (X, 0)),
        (a_tuple_by_number, (X, 2)),
        (a_tuple_of_arrays_that_change, (X, 0)),
        (a_tuple_of_arrays_that_change, (X, 1)),
        (a_letter_by_number, (X, "abba")),
        (chained_rows, (X,)),
        (counted_by_words, (X,)),
        (removed_and_found, (X,)),
    ],
)
def test_like_differences(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], args: tuple[Any, ...]
) -> None:
    check(monkeypatch, function, *args)
