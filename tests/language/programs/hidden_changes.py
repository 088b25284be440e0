"""Lists and dicts that are changed inside of generators, and by methods that have another name."""

from tests.language.corpus import program
from tests.language.data import V4


@program([(V4,)], refusable=True)
def updated_in_any(x):
    table = {}
    any(table.update({i: v}) for i, v in enumerate(x))
    return sum(table.values())


@program([(V4,)], refusable=True)
def updated_in_all(x):
    table = {"s": 0.0}
    ok = all(table.update(s=table["s"] + v) is None for v in x)
    return table["s"] * 2.0 if ok else 0.0


@program([(V4,)], refusable=True)
def item_set_in_any(x):
    last = [x[0]]
    any(last.__setitem__(0, v * v) for v in x)
    return last[0]


@program([(V4,)])
def updated_in_a_sum(x):
    table = {}
    sum(1 if table.update({i: v}) is None else 0 for i, v in enumerate(x))
    return sum(table.values())


@program([(V4,)])
def appended_by_map(x):
    xs = []
    list(map(xs.append, x))
    return sum(xs)


def appended_by_a_generator(x, n):
    if n == 0:
        xs = []
        any(xs.append(v**2) for v in x)
        return sum(xs)
    return appended_by_a_generator(x * 1.5, n - 1)


@program([(V4,)], refusable=True)
def generator_in_a_recursion(x):
    return appended_by_a_generator(x, 1)


def appended_by_another_name(x, n):
    if n == 0:
        xs = []
        put = xs.append
        for v in x:
            put(v * v)
        return sum(xs)
    return appended_by_another_name(x * 1.5, n - 1)


@program([(V4,)], refusable=True)
def another_name_in_a_recursion(x):
    return appended_by_another_name(x, 1)


def added_by_a_function(x, n):
    if n == 0:
        total = [0]

        def add(v):
            total[0] = total[0] + v * v

        any(add(v) for v in x)
        return total[0]
    return added_by_a_function(x * 1.5, n - 1)


@program([(V4,)], refusable=True)
def function_in_a_recursion(x):
    return added_by_a_function(x, 1)


def added_by_map(x, n):
    if n == 0:
        total = [0]

        def add(v):
            total[0] = total[0] + v * v

        list(map(add, x))
        return total[0]
    return added_by_map(x * 1.5, n - 1)


@program([(V4,)])
def map_in_a_recursion(x):
    return added_by_map(x, 1)


@program([(V4,)])
def counted_by_a_function(x):
    seen = {"n": 0, "first": x[0]}

    def look(v):
        seen["n"] += 1
        if seen["n"] == 2:
            seen["second"] = v
        return v * seen["n"]

    total = 0.0
    for v in x:
        total += look(v)
    return total * seen["second"] + seen["first"]
