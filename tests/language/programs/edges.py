"""Programs at the edge: a clear refusal is as good as the right answer, a wrong number is not."""

import contextlib
import functools
import itertools
import random
from functools import partial

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, M33, P3, V3, V4, V5, V6, W3

edge = partial(program, refusable=True)


@edge([(V3,)])
def buffer_reused_with_inactive_data(x):
    buf = np.zeros(3)
    s = 0.0
    for i in range(3):
        buf[:] = i + 1.0
        s = s + np.sum(x * buf)
    return s


@edge([(V3,)])
def argument_updated_in_place(x):
    x[0] = x[1] * x[2]
    x[1] = x[0] ** 2
    return np.sum(x * x)


@edge([(V3, W3), (0.7, 1.3)])
def augmented_on_argument(x, y):
    x += y * x
    x *= y
    return np.sum(x * y)


@edge([(V3,), (0.7,)])
def augmented_through_alias(x):
    y = x
    y += 1.0
    z = x * y
    return np.sum(z * x)


@edge([(V3, W3)])
def augmented_on_array_accumulator(x, y):
    total = np.zeros(3)
    for k in range(3):
        total += x * y**k
    return np.sum(total * total)


@edge([(V4,)])
def filled_by_loop(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] ** 2
    return np.sum(y * y)


@edge([(V3, W3)])
def output_argument(x, y):
    z = np.empty(3)
    np.multiply(x, y, out=z)
    return np.sum(z * x)


@edge([(V5,)])
def stores_through_view(x):
    y = x * 2
    v = y[1:3]
    v[:] = x[:2] ** 2
    return np.sum(y * y)


@edge([(V5,)])
def view_read_after_store(x):
    y = x * 1.0
    v = y[1:]
    y[2] = 5.0
    return np.sum(v * v)


@edge([(V4,)])
def items_swapped(x):
    y = x.copy()
    y[0], y[1] = y[1], y[0]
    return y[0] * 3 + y[1] ** 2


@edge([(V4,)])
def sorted_in_place(x):
    y = x * x
    y.sort()
    return y[0] * y[1] + y[3]


def fill_with_squares(out, x):
    for i in range(len(x)):
        out[i] = x[i] ** 2


@edge([(V4,)])
def helper_fills_argument(x):
    out = np.zeros(4)
    fill_with_squares(out, x)
    return np.sum(out * x)


@edge([(0.7, 1.3)])
def list_aliased(x, y):
    a = [x, y]
    b = a
    b.append(x * y)
    b[0] = y
    return a[0] * a[2] + len(a)


@edge([(0.7, 1.3)])
def list_of_same_list(x, y):
    rows = [[0.0] * 2] * 2
    rows[0][1] = x * y
    return rows[1][1] * x


@edge([([0.7, 1.3],)])
def list_argument_mutated(xs):
    xs.append(xs[0] * xs[1])
    xs[0] = xs[2] ** 2
    return sum(xs) * xs[0]


@edge([({"a": 0.7, "b": 1.3},)])
def dict_argument_mutated(d):
    d["a"] = d["a"] * d["b"]
    d["c"] = d["a"] ** 2
    return d["c"] * d["b"]


def append_square(items, x):
    items.append(x * x)


@edge([(0.7, 1.3)])
def helper_grows_list(x, y):
    items = []
    append_square(items, x)
    append_square(items, x * y)
    return items[0] * items[1]


def remember(x, seen=[]):  # noqa: B006
    seen.append(x)
    return x * x if len(seen) > 0 else x


@edge([(0.7,)])
def mutable_default(x):
    return remember(x) * 2


class Body:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity

    def step(self, dt):
        self.velocity = self.velocity - dt * np.sin(self.position)
        self.position = self.position + dt * self.velocity


@edge([(Body(0.7, 1.3), 0.1), (Body(V3, W3), 0.1)])
def object_argument_mutated(body, dt):
    for _ in range(3):
        body.step(dt)
    return np.sum(body.position**2)


@edge([(0.7, 1.3)])
def object_mutated_through_alias(x, y):
    a = Body(x, y)
    b = a
    b.position = x * y
    return a.position * a.velocity


@edge([(0.7, 1.3)])
def late_binding_of_loop_variable(x, y):
    fs = []
    for k in range(3):
        fs.append(lambda v: v**k * y)
    return sum([f(x) for f in fs])


@edge([(0.7, 1.3)])
def early_binding_by_default(x, y):
    fs = [lambda v, k=k: v**k * y for k in range(3)]
    return fs[0](x) + fs[1](x) * fs[2](x)


@edge([(0.7,)])
def through_text(x):
    return float(f"{x:.17g}") ** 2


@edge([(V3,)])
def through_python_lists(x):
    a, b, c = x.tolist()
    return a * b * c


@edge([(V3,)])
def through_item(x):
    return x.item(0) * x[1].item()


@edge([(V4,)])
def running_products(x):
    return sum(itertools.accumulate(x, lambda a, b: a * b))


@edge([(V4,)])
def all_pairs(x):
    return sum(a * b for a, b in itertools.combinations(x, 2))


@edge([(V3, W3)])
def chained_iterables(x, y):
    total = 1.0
    for v in itertools.chain(x, y):
        total = total * v
    return total


@functools.lru_cache
def cached_square(x):
    return x * x


@edge([(0.7,)], refusable=True)
def cached_helper(x):
    return cached_square(x) * x


@edge([(V4,)])
def iterator_by_hand(x):
    it = iter(x)
    first = next(it)
    total = first
    for v in it:
        total = total * v + first
    return total


@edge([(V4,)])
def zip_kept_in_variable(x):
    pairs = zip(x[:-1], x[1:])
    return sum(a * b for a, b in pairs)


@edge([(V4,)])
def filtered(x):
    return sum(filter(lambda v: v > 0, x))


@edge([(0.7,), (3.7,)])
def half_executed_try(x):
    y = x
    try:
        y = x * x
        if y > 4:
            raise ValueError
        y = y * 3
    except ValueError:
        y = y * 2
    return y


@edge([(0.7,), (-0.7,)])
def raise_caught_around_loop(x):
    total = 0.0
    try:
        for k in range(5):
            total = total + x**k
            if total > 2:
                raise StopIteration
    except StopIteration:
        total = total * x
    return total


@edge([(0.7,), (-0.7,)])
def suppressed(x):
    y = x
    with contextlib.suppress(ValueError):
        y = y * 2
        if x < 0:
            raise ValueError
        y = y * x
    return y


@edge([(0.7,)])
def return_in_finally(x):
    try:
        y = x * x
        return y
    finally:
        y = x * 100


@edge([(0.7,), (-0.7,)])
def break_inside_try(x):
    y = x
    for _ in range(4):
        try:
            y = y * x + 1
            if y > 1.4:
                break
        finally:
            y = y * 0.9
    return y


@edge([(V4,)])
def vectorized(x):
    return np.sum(np.vectorize(lambda v: v * v)(x))


@edge([(M33,)])
def applied_along_axis(a):
    return np.sum(np.apply_along_axis(lambda row: row * row[0], 1, a))


@edge([(V4,)])
def shuffled(x):
    y = list(x)
    random.Random(3).shuffle(y)
    return y[0] * y[1]


@edge([(V4,)])
def set_of_values(x):
    return sum({v * v for v in x})


@edge([(V6,)])
def interpolated_by_numpy(x):
    return np.sum(np.interp(x, [-2.0, 0.0, 2.0], [1.0, 0.5, 3.0]) * x)


@edge([(V6,)])
def fourier(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * np.arange(6))


@edge([(M33,)])
def eigenvalues(a):
    return np.sum(np.linalg.eigvalsh(a + a.T) ** 2)


@edge([(V5,)])
def median_and_percentile(x):
    return np.median(x) * np.percentile(x, 30)


@edge([(0.7, 1.3)])
def evaluated_text(x, y):
    return eval("x * y") * x


@edge([(0.7, 1.3)])
def names_from_locals(x, y):
    z = x * y
    return locals()["z"] * x


@edge([(0.7, 1.3)])
def unpacked_from_dict_by_position(x, y):
    d = {"a": x, "b": x * y}
    (_, first), (_, second) = d.items()
    return first * second


@edge([(0.7, 1.3)])
def dict_changed_in_loop(x, y):
    d = {"a": x, "b": y}
    for key in list(d):
        d[key + "2"] = d[key] * d["a"]
    return sum(d.values())


@edge([(0.7, 1.3)])
def setdefault_and_pop(x, y):
    d = {"a": x}
    z = d.setdefault("b", x * y)
    w = d.pop("a")
    return z * w + len(d)


class Lazy:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if name == "double":
            return self.x * 2
        raise AttributeError(name)


@edge([(0.7,)])
def dynamic_attribute(x):
    return Lazy(x).double * x


@edge([(0.7, 1.3)])
def setattr_by_name(x, y):
    body = Body(x, y)
    setattr(body, "position", x * y)
    return body.position * body.velocity


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __enter__(self):
        return self.factor

    def __exit__(self, *exception):
        return False


@edge([(0.7, 1.3)])
def active_context_manager(x, y):
    with Scale(x * y) as factor:
        z = factor * x
    return z * y


@edge([(M23,)])
def iterated_by_nditer(a):
    total = 0.0
    for v in np.nditer(a):
        total = total + v * v
    return total


@edge([(M23,)])
def iterated_by_ndenumerate_and_flat(a):
    total = 0.0
    for (i, j), v in np.ndenumerate(a):
        total = total + v**2 * (i + j)
    for v in a.flat:
        total = total * 1.1 + v
    return total


@edge([(P3,)])
def integer_view_of_active(x):
    k = np.floor(x).astype(int)
    return np.sum(x**k)


@edge([(V3,)])
def dtype_narrowed(x):
    y = x.astype(np.float32).astype(np.float64)
    return np.sum(x * x) + 0 * np.sum(y)


@edge([(0.7, 1.3)])
def function_attribute(x, y):
    def f(v):
        return v * f.scale

    f.scale = y
    return f(x) * x


@edge([(0.7, 1.3)])
def assignment_expression_in_comprehension_leaks(x, y):
    squares = [last := v * v for v in (x, y)]
    return last * squares[0]


@edge([(0.7, 1.3)])
def currying_in_loop(x, y):
    f = lambda v: v
    for _ in range(3):
        g = f
        f = lambda v, g=g: g(v) * y + v
    return f(x)


@edge([(0.7,)])
def star_star_into_builtin(x):
    return sum([x, x * x], **{"start": x})


@edge([(V3,)])
def string_keyed_by_active_value(x):
    table = {}
    for v in x:
        table[f"{v:.2f}"] = v * v
    return sum(table.values())


@edge([(V3,)])
def max_with_key_and_default(x):
    best = max(x, key=lambda v: v * v)
    return best**2 + max([], default=x[0])


@edge([(0.4, 1.1)])
def comparison_of_tuples(x, y):
    return x * y if (x, 1) < (y, 0) else x


@edge([(0.4, 1.1)])
def ternary_of_functions_and_methods(x, y):
    op = (lambda v: v * y) if x < y else (lambda v: v)
    return op(x) ** 2
