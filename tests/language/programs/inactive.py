"""Statements that carry no derivative and must be carried over as they are."""

import logging
import random
import time

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, M34, V3, V4, V5, W3

logger = logging.getLogger(__name__)
CALLS = {"count": 0}


@program([(0.7,), (V3,)])
def printing(x):
    print("x =", x)
    y = x * x
    print(f"y = {y}", end="\n", sep=",")
    return np.sum(y * x)


@program([(0.7, 4)], refusable=True)
def logging_in_loop(x, n):
    for k in range(n):
        x = np.sin(x) * 1.1
        logger.debug("step %d: %g", k, x)
        if k % 2 == 0:
            print(k, x)
    return x


@program([(0.7, "a b a c"), (0.7, "")], wrt=0)
def word_counts(x, text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return x ** counts.get("a", 1) * (1 + len(counts))


@program([(V4,)])
def import_inside(x):
    import math
    from math import pi

    return x[0] * pi + math.sqrt(2.0) * x[1] ** 2


@program([(V5,)])
def integer_arrays(x):
    idx = np.arange(len(x))
    even = idx[idx % 2 == 0]
    counts = np.zeros(5, dtype=int)
    counts[even] += 1
    counts[0] = 3
    return np.sum(x**2 * counts)


@program([(V5,)])
def inactive_buffer(x):
    w = np.zeros(len(x))
    for i in range(len(x)):
        w[i] = 1.0 / (i + 1)
    w[1:3] *= 2.0
    return w @ x**2


@program([(0.7, [3, 1, 2, 3])], wrt=0)
def sets(x, labels):
    seen = set()
    repeats = 0
    for label in labels:
        if label in seen:
            repeats += 1
        seen.add(label)
    return x ** len(seen) + repeats * x


@program([(V3, ["b", "c", "a"])], wrt=0)
def sorting_of_keys(x, names):
    order = sorted(range(len(names)), key=lambda i: names[i])
    total = 1.0
    for i in order:
        total = total * x[i] + 1
    return total


@program([(V3, 42), (M23, 7)], wrt=0)
def seeded_noise(x, seed):
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=x.shape)
    y = x + 0.1 * noise
    return np.sum(y**2)


@program([(V5, 3)], wrt=0)
def dropout(x, seed):
    rng = np.random.RandomState(seed)
    keep = rng.rand(*x.shape) < 0.7
    return np.sum((x * keep / 0.7) ** 2)


@program([(0.7, 5)], wrt=0)
def python_random(x, seed):
    generator = random.Random(seed)
    total = 0.0
    for _ in range(3):
        total += x**2 * generator.random()
    return total


@program([(0.7,)])
def timing(x):
    start = time.perf_counter()
    y = x**3
    elapsed = time.perf_counter() - start
    assert elapsed >= 0
    return y * 2


@program([(0.7,)])
def constant_tables(x):
    table = [[i * j for j in range(4)] for i in range(4)]
    names = {f"k{i}": i for i in range(3)}
    squares = tuple(i**2 for i in range(5))
    return x * table[2][3] + x ** names["k2"] + squares[-1] * x


@program([(0.7, 10)])
def sieve(x, n):
    is_prime = [True] * (n + 1)
    total = 0.0
    for p in range(2, n + 1):
        if is_prime[p]:
            total += x**p
            for multiple in range(p * p, n + 1, p):
                is_prime[multiple] = False
    return total


@program([(M34,)])
def history_of_floats(a):
    losses = []
    total = 0.0
    for row in a:
        loss = np.sum(row**2)
        losses.append(float(loss))
        total = total + loss * loss
    best = min(losses)
    print(f"best {best:.3f} of {len(losses)}")
    return total


@program([(V4, (2, 2)), (V4, (4, 1))], wrt=0)
def shape_arithmetic(x, shape):
    rows, cols = shape
    assert rows * cols == x.size
    a = x.reshape(shape)
    strides = [1]
    for s in reversed(shape[1:]):
        strides.insert(0, strides[0] * s)
    return np.sum(a * a) * strides[0]


@program([(0.7,)])
def string_methods(x):
    text = "Alpha-Beta".lower().replace("-", "_")
    head, _, tail = text.partition("_")
    if head.startswith("al") and tail:
        x = x * x
    return x * len(text)


@program([(0.7,)])
def lambda_sort_and_slices(x):
    words = ["ccc", "a", "bb"]
    words.sort(key=len)
    first, *others = words
    return x * len(first) + x**2 * len(others[-1])


@program([(0.7,)])
def docstring_and_constants(x):
    """A docstring."""
    "another string"
    ...
    pass
    N: int = 3
    return x**N


@program([(0.7, {"verbose": True, "order": 2}), (0.7, {"verbose": False, "order": 3})], wrt=0)
def settings(x, options):
    if options["verbose"]:
        print("verbose")
    order = options.get("order", 1)
    return x**order


@program([(V5,)])
def argmax_and_counts(x):
    k = int(np.argmax(x))
    n = np.count_nonzero(x > 0)
    return x[k] ** 2 * n + np.sum(x) * (x > 0).sum()


@program([(0.7,)])
def counts_in_a_global_dictionary(x):
    n = len(CALLS)
    return x * n


@program([(W3,)], refusable=True)
def class_made_inside(x):
    class Options:
        rate = 0.3
        steps = 4

    options = Options()
    y = x
    for _ in range(options.steps):
        y = y - options.rate * np.sin(y)
    return np.sum(y * y)


@program([(0.7,)])
def bytes_and_numbers(x):
    mask = 0b1011
    bits = bin(mask).count("1")
    value = int("12", 8) + ord("a") - 97
    return x * bits + x**2 * value


@program([(V5,)])
def early_stop_on_inactive_flag(x):
    stop = False
    total = 0.0
    k = 0
    while not stop:
        total += x[k] ** 2
        k += 1
        stop = k >= 3
    return total
