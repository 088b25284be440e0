"""Generators that are asked for an item here and for others there."""

import itertools

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.differences import differences

X = np.array([0.5, 1.2, -0.7, 2.0])


def naturals():
    n = 0
    while True:
        yield n
        n += 1


def squares(x):
    for v in x:
        yield v * v


def running(x):
    s = 0.0
    for v in x:
        s = s + v
        yield s


def newton(a):
    z = 1.0
    while True:
        z = 0.5 * (z + a / z)
        yield z


def ret(x):
    yield x[0]
    return x[1] * 2


def two(x):
    yield x[0]
    for v in x:
        yield v * v
    yield x[-1]


def two_loops(x):
    for v in x:
        yield v * v
    for v in x:
        yield 3 * v


def branchy(x):
    for i, v in enumerate(x):
        if i % 2:
            yield v
        else:
            yield v * v


def skipping(x):
    for v in x:
        if v < 0:
            continue
        yield v * 2


def nested(x):
    for v in x:
        for w in x[:2]:
            yield v * w


def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def bounded(x, n):
    k = 0
    while k < n:
        if k > len(x) - 1:
            return
        yield x[k]
        k += 1


class Walk:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            yield v


def arrays(x):
    w = x.copy()
    while True:
        yield w
        w = w * x


def mutates(x):
    w = x.copy()
    for i in range(3):
        yield w
        w *= x


def the_first_two(x):
    g = squares(x)
    a = next(g)
    b = next(g)
    return a * 3 + b


def in_a_loop_over_others(x):
    g = naturals()
    t = 0.0
    for i in range(4):
        t += next(g) * x[i]
    return t


def two_at_once(x):
    t = 0.0
    for a, b in zip(squares(x), running(x)):
        t += a * b
    return t


def until_it_settles(x):
    g = newton(x[1])
    for i in range(5):
        z = next(g)
    return z


def the_first_and_the_others(x):
    g = squares(x)
    first = next(g)
    t = 0.0
    for v in g:
        t += v * first
    return t


def with_a_default(x):
    g = squares(x)
    t = 0.0
    v = next(g, None)
    while v is not None:
        t = t * 0.5 + v
        v = next(g, None)
    return t


def left_and_read_on(x):
    g = running(x)
    t = 0.0
    for v in g:
        t += v
        if v > 1.0:
            break
    for v in g:
        t += 2 * v
    return t


def round_and_round(x):
    t = 0.0
    w = itertools.cycle([1.0, 2.0])
    for v in x:
        t += v * next(w)
    return t


def what_a_generator_returns(x):
    g = ret(x)

    def outer():
        r = yield from ret(x)
        yield r

    return sum(outer())


def several_places(x):
    g = two(x)
    a = next(g)
    b = next(g)
    return a * b + sum(g)


def several_places_in_a_loop(x):
    g = two(x)
    t = 0.0
    for i in range(5):
        t += next(g) * (i + 1)
    return t


def several_places_at_once(x):
    t = 0.0
    for a, b in zip(two(x), two_loops(x)):
        t += a * b
    return t


def loops_one_after_the_other(x):
    g = two_loops(x)
    t = 0.0
    for i in range(6):
        t += next(g) * (i + 1)
    return t


def places_in_branches(x):
    g = branchy(x)
    a = next(g)
    t = 0.0
    for v in g:
        t += a * v
    return t


def skipped(x):
    g = skipping(x)
    a = next(g)
    t = 0.0
    for v in g:
        t += a * v
    return t


def loops_in_loops(x):
    g = nested(x)
    a = next(g)
    t = 0.0
    for v in g:
        t += a * v
    return t


def without_end(x):
    g = fib()
    t = 0.0
    for v in x:
        t += next(g) * v
    return t


def left_by_return(x):
    g = bounded(x, 3)
    t = 0.0
    v = next(g)
    for w in g:
        t += v * w
        v = w
    return t


def of_an_object(x):
    it = iter(Walk(x))
    a = next(it)
    return a * sum(it)


def on_both_paths(x):
    g = two(x)
    return next(g) if x[0] > 0 else next(g) * 2


def on_one_path(x):
    g = two(x)
    if x[0] > 0:
        a = next(g)
    else:
        a = 1.0
    return a * next(g)


def in_a_helper(x):
    def h(g):
        return next(g)

    g = two(x)
    return h(g) * h(g) + h(g)


def taken_while(x):
    t = 0.0
    g = fib()
    for v in itertools.takewhile(lambda n: n < 4, g):
        t += v * x[int(v) % 4]
    return t


def counted_from_a_place_on(x):
    e = enumerate(two(x))
    i, a = next(e)
    j, b = next(e)
    return a * (i + 1) + b * (j + 1) + sum(v for _, v in e)


def chained(x):
    c = itertools.chain(two(x), [x[0] * 3])
    a = next(c)
    return a * sum(c)


def filtered(x):
    f = filter(lambda v: v > 0, x)
    a = next(f)
    b = next(f)
    return a * b


def mapped(x):
    m = map(lambda v: v * v, two(x))
    a = next(m)
    return a + sum(m)


def of_an_expression(x):
    g = (v * x[0] for v in x if v > 0)
    a = next(g)
    b = next(g)
    c = next(g, 0.0)
    d = next(g, 0.5)
    return a * b + c * d


def arrays_by_place(x):
    g = arrays(x)
    a = next(g)
    b = next(g)
    c = next(g)
    return np.sum(a * b * c)


def one_array_again(x):
    g = mutates(x)
    a = next(g)
    t = np.sum(a)
    next(g)
    t += np.sum(a) * 2
    return t


def one_array_again_in_a_loop(x):
    g = mutates(x)
    t = 0.0
    for k in range(3):
        t += np.sum(next(g) * x[k])
    return t


def a_generator_of_a_class_inside(x):
    class C:
        def __iter__(self):
            for v in x:
                yield v * v

    return sum(C())


def an_iterator_of_a_class_inside(x):
    class C:
        def __init__(self):
            self.k = 0

        def __iter__(self):
            return self

        def __next__(self):
            if self.k >= len(x):
                raise StopIteration
            self.k += 1
            return x[self.k - 1] ** 2

    t = 0.0
    for v in C():
        t += v * x[0]
    return t


def an_iterator_asked_for_one(x):
    class C:
        def __init__(self):
            self.k = 0

        def __iter__(self):
            return self

        def __next__(self):
            if self.k >= len(x):
                raise StopIteration
            self.k += 1
            return x[self.k - 1] ** 2

    c = C()
    a = next(c)
    return a * sum(c)


def two_of_one_object(x):
    class C:
        def __init__(self, v):
            self.v = v

        def __iter__(self):
            for v in self.v:
                yield v * v

    c = C(x)
    it = iter(c)
    a = next(it)
    b, *rest = c
    return a * b * sum(rest) + sum(it)


def taken_apart(x):
    def gen(n):
        for k in range(n):
            yield x[k] * k

    a, b, *c = gen(4)
    return a + b * c[0] * c[1]


PROGRAMS = (
    the_first_two,
    in_a_loop_over_others,
    two_at_once,
    until_it_settles,
    the_first_and_the_others,
    with_a_default,
    left_and_read_on,
    round_and_round,
    what_a_generator_returns,
    several_places,
    several_places_in_a_loop,
    several_places_at_once,
    loops_one_after_the_other,
    places_in_branches,
    skipped,
    loops_in_loops,
    without_end,
    left_by_return,
    of_an_object,
    on_both_paths,
    on_one_path,
    in_a_helper,
    taken_while,
    counted_from_a_place_on,
    chained,
    filtered,
    mapped,
    of_an_expression,
    arrays_by_place,
    one_array_again,
    one_array_again_in_a_loop,
    a_generator_of_a_class_inside,
    an_iterator_of_a_class_inside,
    an_iterator_asked_for_one,
    two_of_one_object,
    taken_apart,
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_items_are_those_of_python(f):
    expected = differences(f, (X,))
    np.testing.assert_allclose(grad(f)(X), expected, rtol=1e-5, atol=1e-7)
    for k, direction in enumerate(np.eye(4)):
        value, tangent = jvp(f, (X,), (direction,))
        assert value == pytest.approx(f(X), rel=1e-12)
        assert tangent == pytest.approx(expected[k], rel=1e-5, abs=1e-7)


def ended(x):
    g = squares(x)
    first = next(g)
    return first * next(g)


def raising(x):
    for v in x:
        if v > 1.0:
            raise ValueError("too large")
        yield v


def after_an_error(x):
    g = raising(x)
    t = next(g)
    try:
        t = next(g)
    except ValueError:
        t = t * 3.0
    return t + next(g, 7.0)


def test_errors_are_those_of_python():
    assert grad(ended)(X[:2]) == pytest.approx(differences(ended, (X[:2],)))
    for wrong in (X[:0], X[:1]):
        with pytest.raises(StopIteration):
            ended(wrong)
        with pytest.raises(StopIteration):
            grad(ended)(wrong)


def made_in_a_loop(x):
    for v in list(x):
        g = running(x * v)
    return sum(g)


def chosen_in_a_loop(x):
    g = running(x)
    for v in list(x):
        g = running(x * v)
    return sum(g)


@pytest.mark.parametrize("f", [after_an_error, made_in_a_loop, chosen_in_a_loop])
def test_generators_that_have_raised_or_are_handed_on(f):
    np.testing.assert_allclose(grad(f)(X), differences(f, (X,)), rtol=1e-5, atol=1e-7)


def kept_in_a_list(x):
    g = running(x)
    kept = [x]
    first = next(g)
    for v in itertools.islice(g, 2):
        kept = kept + [x * v]
    return first + np.sum(kept[-1])


def test_lists_that_grow_beside_a_generator():
    np.testing.assert_allclose(
        grad(kept_in_a_list)(X), differences(kept_in_a_list, (X,)), rtol=1e-5
    )
