"""Iterators, generators and itertools through Core (`lower/flow/drawing.py`, `generators.py`):
when items are made, who takes which, and what is left, as in Python.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import MutableMapping

import numpy as np
import pytest

from autodiff import AutodiffError, InternalError, grad
from tests.core.differences import check
from tests.core.judge import MODES, Verdict, judge, programs

V = np.array([0.5, 0.3, -0.6])


def powers(x, n):
    p = 1.0
    for _ in range(n):
        p *= x
        yield p


def flattened(rows, most=1.0):
    for row in rows:
        for v in row:
            if v > most:
                return
            yield v


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n + 0.5


class Bag:
    def __init__(self, *items):
        self.items = list(items)

    def __iter__(self):
        for item in self.items:
            yield item * 2.0


def map_reads_what_changes(x, a):
    k = 1.0
    scaled = map(lambda v: v * k, a)
    k = x * x
    first = sum(scaled)
    return first * k + sum(scaled)


def generator_reads_what_changes(x, a):
    k = 1.0
    b = a * 1.0
    scaled = (k * v for v in b if v > 0.0)
    k = x * x
    b[0] = 2.0 * x
    s = 1.0
    for v in scaled:
        k = k + v
        s = s * v + k
    return s


def second_time_nothing(x, a):
    def squares():
        for v in a:
            yield v * v * x

    g = squares()
    return sum(g) + 5.0 * sum(g) + x * x


def pairs_of_one_iterator(x, a):
    it = iter([x, a[0], x * x, a[1], a[2]])
    s = 0.0
    for u, v in zip(*[it] * 2):
        s = s * 0.5 + u * v
    return s


def one_iterator_three_loops(x, a):
    it = iter([x, a[0], a[1], 2.0 * x])
    s = 1.0
    for v in it:
        s *= v
        if s < 0.6:
            break
    for v in it:
        s += 3.0 * v
        break
    for v in it:
        s += v * v
    return s


def loop_and_next_take_turns(x, a):
    it = iter(a)
    s = x
    for v in it:
        s = s * v + 2.0 * next(it, x)
    return s


def range_and_next_take_turns(x, a):
    it = iter(range(4))
    s = x
    for k in it:
        s = s * a[k // 2] + k
        s += next(it) * x
    return s


def zip_takes_one_more(x, a):
    it = iter([x, a[0], a[1] * x, a[2]])
    s = 0.0
    for u, v in zip(it, [2.0]):
        s += u * v
    return s + 10.0 * next(it)


def zip_takes_no_more(x, a):
    it = iter([x, a[0], a[1] * x, a[2]])
    s = 0.0
    for v, u in zip([2.0], it):
        s += u * v
    return s + 10.0 * next(it)


def generator_and_loop_change_one_array(x, a):
    b = a * x

    def changing():
        for k in range(3):
            b[k] = b[k] * 2.0
            yield b[k] * b[0]

    s = 0.0
    for v in changing():
        b[0] += v
        s = s * 0.3 + np.sum(b) * v
    return s


def early_end_of_a_nested_generator(x, a):
    s = x
    for v in flattened([[x, a[0]], [a[1], 5.0, a[2]]]):
        if v < 0.4:
            continue
        s = s * v + x
    for v in flattened([a, a * x], most=0.4):
        s += v
    return s


def loop_that_leaves_a_generator(x, a):
    s = 0.0
    for p in powers(x, 6):
        s += p * a[1]
        if p < 0.4:
            break
    else:
        s = 100.0
    return s * p


def names_of_the_generator_are_its_own(x, a):
    p, n, _ = 3.0, 2.0, x
    for v in powers(x + 1.0, 3):
        p += v * n
        n = n * 0.5
    return p * n * _


def one_generator_within_itself(x, a):
    s = 0.0
    for u in powers(x, 2):
        for v in powers(u, 3):
            s = s * v + u
    return s


def generator_that_is_handed_around(x, a):
    def made(k):
        def inner():
            for v in a:
                yield v * k

        k = k * 2.0
        return inner()

    def folded(items):
        total = 1.0
        for v in items:
            total = total * (1.5 + v)
        return total

    return folded(made(x)) + folded([x, a[0]]) + folded(a)


def generator_in_a_loop(x, a):
    s = 0.0
    for k in range(1, 4):
        s = s * x + sum(v**k for v in a) * sum(powers(x, k))
    return s


def delegating(x, a):
    def both():
        yield x
        yield from (v * v for v in a)
        yield from [x * x, 1.0]

    s = 1.0
    for v in both():
        s = s * 0.5 + v * s
    return s


def chain_that_is_left(x, a):
    both = itertools.chain([x, a[0]], [x * x], a[1:])
    s = 0.0
    for v in both:
        s = s * 2.0 + v
        if s > 1.4:
            break
    return s * x


def any_asks_no_further(x, a):
    seen = []
    found = any(seen.append(v * v) or v < 0.4 for v in [a[0], a[1], x])
    return sum(seen) * (2.0 if found else 1.0) * x


def values_that_change_while_read(x, a):
    d = {"u": x, "v": a[0]}
    s = 0.0
    for key, value in d.items():
        d["v"] = x * x
        s = s * 3.0 + value + d[key]
    return s


def nothing_to_go_over(x, a):
    s = x
    for v in map(np.sin, []):
        s = v
    for v in powers(x, 0):
        s = v
    for u, v in zip([], a):
        s = u * v
    return s + sum(powers(x, 0)) + sum(v for v in ())


def one_array_twice(x, a):
    b = a * x
    s = 0.0
    pairs = zip(b, b[::-1])
    b[1] = 2.0
    for u, v in pairs:
        s += u * v * x
        b[2] = s
    return s


def list_that_grows_under_an_iterator(x, a):
    xs = [x, a[0]]
    doubled = map(lambda v: 2.0 * v, xs)
    xs.append(x * x)
    return sum((k + 1) * v for k, v in enumerate(doubled))


def rows_of_an_iterator(x, a):
    first, *rest = map(lambda v: v * x, [a[0], a[1], a[2]])
    one, two = zip([x, 2.0], rest)
    return first * one[0] * one[1] + two[1] * two[0]


def iterator_of_a_class(x, a):
    it = Countdown(3)
    s = x
    for v in it:
        s = s * v + a[0]
    for v in it:
        s = 0.0
    for k, v in enumerate(Bag(x, a[1])):
        s += v * (k + 1)
    return s + next(Countdown(2)) * x


def maps_of_two(x, a):
    s = sum(map(lambda u, v: u * v, [x, x * x, 2.0, 3.0], a))
    return s * functools.reduce(lambda u, v: u * v + x, a) + functools.reduce(max, [x, 0.1], 0.2)


def pieces_of_itertools(x, a):
    s = sum(u * v for u, v in itertools.combinations(a, 2))
    s += sum(u * v * v for u, v in itertools.product([x, 2.0], a))
    s *= sum(itertools.accumulate(a, lambda u, v: u * v + x))
    for u, v in itertools.permutations([x, a[0], a[1]], 2):
        s = s * 0.5 + u * u * v
    for k, v in zip(itertools.count(1), a):
        s += k * v * x
    for v in itertools.starmap(lambda u, v: u - v, [(x, a[0]), (a[1], x)]):
        s += v * v
    return s + sum(itertools.repeat(x, 3))


def slices_leave_the_rest(x, a):
    it = iter([x, a[0], a[1], x * x, 3.0])
    s = 0.0
    for v in itertools.islice(it, 2):
        s = s * 0.5 + v
    return s * 10.0 + sum(it)


def filters(x, a):
    k = 0.2
    kept = filter(lambda v: v > k, [x, a[0], a[1], a[2]])
    k = 0.4
    s = 0.0
    for v in kept:
        s = s * x + v
    for v in filter(None, [a[0], 0.0, x]):
        s = s * 0.5 + v
    return s


def table_of_lists(x, a):
    table = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            table[i][j] = x * a[j] + (table[i - 1][j] if i else 0.0) * (
                table[i][j - 1] if j else 1.0
            )
    return table[2][2] * sum(table[1])


def keys_that_are_known(x, a):
    weights = {"u": a, "v": a * x}
    scales = {"v": 2.0, "u": x}
    total = 0.0
    for name, w in weights.items():
        total = total * scales[name] + np.sum(w)
        if total > 2.0:
            break
    for k in range(2):
        total = total * ("u", (x, a[0]), 2.0)[k + 1][k - 1] if k == 0 else total + x
    return total


def letters(x, text, a):
    s = x
    for letter in text:
        s = np.sin(s) if letter == "s" else s * x
    for k, letter in enumerate(text):
        s = s + a[k] * (letter == "s")
    return s


def places_of_what_changes(x, a):
    m = np.outer(a, a) * x
    s = 0.0
    for (i, j), v in np.ndenumerate(m):
        m[1, 1] = x
        s = s * 0.5 + v * (i + 2 * j)
    for i, j in np.ndindex(2, 3):
        s += m[i, j] * a[j]
    for (k,), v in np.ndenumerate(a):
        s *= v + k
    return s


def items_after_the_loop(x, a):
    s = 0.0
    for k, (u, v) in enumerate(zip(a, [x, x, 2.0]), start=2):
        s += k * u
    return s * u * v * k


def columns(rows):
    for k in range(2):
        yield [row[k] for row in rows] + [v for v in [row * 2.0 for row in rows[0]]]


def variables_of_comprehensions(x, a):
    row, v, k = [x], x * a[0], 1
    s = 0.0
    for column in columns([[a[1], a[2] * x] for _ in range(3)]):
        s += column[0] + column[-1] * column[2]
    both = list(zip(*[[x, s], row * 2]))
    return row[0] * s + v * k + both[1][0]


PROGRAMS = [
    pytest.param(own, marks=[pytest.mark.followed] * (own is iterator_of_a_class), id=own.__name__)
    for own in programs(globals())
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_right_in_all_modes(function):
    assert judge(function, [(0.7, V)], ("x", "a")) == Verdict("right")


def test_text():
    points = [(0.7, "sxs", V), (0.7, "", V)]
    assert judge(letters, points, ("x", "a")) == Verdict("right")


def generator_that_is_read_on(x, a):
    g = powers(x, 4)
    s = 0.0
    for p in g:
        s += p
        if p < 0.6:
            break
    return s + 3.0 * sum(g)


def parts_at_a_place_that_varies(x, a):
    it = iter([x, a[0], a[1], x * x, 3.0])
    s = 0.0
    for v in itertools.takewhile(lambda v: v > 0.4, it):
        s = s * 0.5 + v
    return s * 10.0 + sum(it)


@pytest.mark.parametrize("function", [generator_that_is_read_on, parts_at_a_place_that_varies])
def test_never_wrong(function):
    assert judge(function, [(0.7, V)], ("x", "a")).what in ("right", "not yet")


# Where an iterator is, is not known any more -----------------------------------------------------


def skips_at_times(x):
    s = 0.0
    it = iter([x[0], x[1], x[2]])
    for a in it:
        s += a * a
        if s > 1:
            next(it, None)
    return s


def skips_pairs_at_times(x):
    s = 0.0
    it = iter([(x[0], 1.0), (x[1], 2.0), (x[2], 3.0)])
    for a, b in it:
        s += a * b
        if s > 100:
            next(it)
    return s


@pytest.mark.parametrize(
    "f", [pytest.param(skips_at_times, marks=pytest.mark.followed), skips_pairs_at_times]
)
def test_items_that_are_skipped_at_times(f, monkeypatch):
    check(monkeypatch, f, np.array([0.7, 1.3, 0.4]))


def first_of_filtered(x):
    big = next(filter(lambda v: v > 1.0, [x, 2.0 * x, 3.0 * x]), x)
    none = next((v for v in (x, 2.0) if isinstance(v, list)), None)
    return big * x if none is None else x


def test_the_next_that_is_found(monkeypatch):
    check(monkeypatch, first_of_filtered, 0.7)
    check(monkeypatch, first_of_filtered, 0.1)


class Named(MutableMapping):
    """What has its methods from `collections.abc`, which Python froze."""

    def __init__(self, held):
        self.held = dict(held)

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]

    def __iter__(self):
        yield from self.held.keys()

    def __len__(self):
        return len(self.held)


def by_abstract_methods(x):
    named = Named({"a": x, "b": x * x})
    return sum(named.values()) + named.get("a", 0.0) * x + sum(v for _, v in named.items())


def summed_in_pairs(x, count):
    total = 0.0
    for factor, item in zip((k + x for k in range(2)), [x] * count, strict=True):
        total = total + factor * item
    return total


@pytest.mark.followed
def test_abstract_methods_and_zips_that_end_together():
    assert judge(by_abstract_methods, [(2.0,)], ("x",), modes=(*MODES, "jvp")).what == "right"
    assert judge(summed_in_pairs, [(2.0, 2)], ("x",)).what == "right"
    for count in (1, 3):
        with pytest.raises(ValueError, match="equally long|shorter|longer"):
            grad(summed_in_pairs, "x")(2.0, count)


def known_names(held):
    yield from held


def by_matched_names(x):
    own = Named({"a": x, "b": x * x})
    other = {"a": 1, "b": 2}
    names = dict(zip(known_names(other), own.keys(), strict=True))
    return own[names["b"]] * own[names["a"]]


@pytest.mark.followed
def test_generators_of_what_is_known_may_be_zipped():
    assert judge(by_matched_names, [(2.0,)], ("x",), modes=(*MODES, "jvp")).what == "right"


def signed(x):
    return sum(
        np.prod([x[i] for i in p]) * (-1) ** sum(p[j] > p[k] for j, k in ((0, 1), (0, 2), (1, 2)))
        for p in itertools.permutations(range(3))
    ) + sum(x[i % 3] * x[j % 3] for i, j in itertools.combinations(range(20), 2))


def powers_as_lambdas(x):
    listed = [lambda v, k=k: v**k for k in range(3)]
    fixed = [(lambda v, k=k: v * k) for k in (1, 2, 3)]
    by_key = {k: (lambda v, k=k: v**k) for k in range(3)}
    own = sum(f(v) for f, v in zip(listed, x)) * fixed[2](x[0])
    return own + by_key[2](x[1])


def names_around_scopes(x):
    k, t = 3, 0.0
    for j in (0, 1):
        t += sum([k * x[k] for k in range(k)]) * (j + 1)
    return t


@pytest.mark.parametrize(
    "f", [signed, pytest.param(powers_as_lambdas, marks=pytest.mark.followed), names_around_scopes]
)
def test_ranges_permuted_and_lambdas_in_comprehensions(f, monkeypatch):
    check(monkeypatch, f, V)


def test_a_range_without_a_step_is_an_error():
    acts = [np.sin, np.cos]

    def f(x):
        for i in range(0, len(acts), 0):
            x = acts[i](x)
        return np.sum(x)

    with pytest.raises((ValueError, AutodiffError)) as found:
        grad(f)(np.ones(2))
    assert not isinstance(found.value, InternalError)
