"""Dicts that are filled, changed and emptied by keys known when the program runs."""

import collections

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, M33, V3, V4


@program([(0.7, 5), (1.2, 1)], wrt=0, analytic=True)
def filled_by_key(x, n):
    d = {}
    for k in range(n):
        d[k] = x ** (k + 1)
    s = 0.0
    for k in range(n):
        s = s + d[k] * (k + 1)
    return s * d[0]


@program([(0.7, 6)], wrt=0, analytic=True)
def memo_dict(x, n):
    memo = {0: x, 1: x * x}
    for k in range(2, n + 1):
        if k not in memo:
            memo[k] = memo[k - 1] * x + memo[k - 2]
    return memo[n]


@program([(V4, "abca")], wrt=0, analytic=True)
def sums_by_key(x, labels):
    sums = {}
    for k, label in enumerate(labels):
        if label in sums:
            sums[label] += x[k] ** 2
        else:
            sums[label] = x[k]
    return sums["a"] * sums["b"] + sums["c"]


@program([(V4, "abca")], wrt=0, analytic=True)
def buckets(x, labels):
    groups = {}
    for v, label in zip(x, labels):
        if label not in groups:
            groups[label] = []
        groups[label].append(v * v)
    return sum(groups["a"]) * groups["b"][0] + groups["c"][-1]


@program([(V4, "abca")], wrt=0, analytic=True)
def buckets_by_setdefault(x, labels):
    groups = {}
    for v, label in zip(x, labels):
        groups.setdefault(label, []).append(v * v)
    s = 0.0
    for label, values in groups.items():
        s = s * 2.0 + sum(values) * values[0]
    return s


@program([(V4, "abca")], wrt=0, analytic=True, refusable=True)
def buckets_by_default(x, labels):
    groups = collections.defaultdict(list)
    for v, label in zip(x, labels):
        groups[label].append(v * v)
    return sum(groups["a"]) * groups["b"][0]


@program([(V4, "abca")], wrt=0, analytic=True)
def sums_by_get(x, labels):
    sums = {}
    for v, label in zip(x, labels):
        sums[label] = sums.get(label, 0.0) + v * v
    total = 0.0
    for label in sums:
        total = total * 0.5 + sums[label] ** 2
    return total


@program([(V3, ["a", "b", "c"])], wrt=0, analytic=True)
def comprehension(x, names):
    d = {name: x[k] ** 2 for k, name in enumerate(names)}
    d["a"] = d["b"] * d["c"]
    return d["a"] + d["b"]


@program([(V3, ["a", "b", "c"])], wrt=0, analytic=True)
def items_of_a_grown_dict(x, names):
    d = {}
    for k in range(3):
        d[names[k]] = x[k] * x[0]
    s = 0.0
    for key, v in d.items():
        s = s * 0.3 + v * len(key) * d["b"]
    for v in d.values():
        s = s * v
    return s


@program([({"w": V3, "b": V3 + 1.0}, 2)], wrt=0, analytic=True)
def parameters_updated(params, steps):
    for step in range(steps):
        for name in params:
            params[name] = params[name] - 0.1 * params[name] ** 2
    return np.sum(params["w"] * params["b"])


@program([({"w": V3, "b": V3 + 1.0}, {"w": 0.1, "b": 0.2})], analytic=True)
def parameters_with_rates(params, rates):
    for name in params.keys():
        params[name] = params[name] * rates[name]
        rates[name] = rates[name] ** 2
    return np.sum(params["w"] * params["b"]) * rates["b"]


@program([({"w": V3, "b": V3 + 1.0}, 2)], wrt=0, analytic=True)
def parameters_updated_in_place(params, steps):
    for step in range(steps):
        for name in params:
            params[name] -= 0.1 * params[name] ** 2
    return np.sum(params["w"] * params["b"])


@program([({"w0": M33, "b0": V3, "w1": M33 + 0.5, "b1": V3}, V3)], wrt=0, analytic=True)
def layers_by_name(params, x):
    out = {}
    for k in range(2):
        x = np.tanh(params[f"w{k}"] @ x + params[f"b{k}"])
        out[f"layer{k}"] = x
    return np.sum(out["layer0"] * out["layer1"])


@program([({"a": 0.7, "b": 0.2, "c": 1.1}, "b")], wrt=0, analytic=True)
def popped_by_key(d, k):
    v = d.pop(k)
    d["a"] = v * d["c"]
    w = d.pop("z", 2.0)
    return d["a"] * w + len(d)


@program([({"a": 0.7, "b": 0.2, "c": 1.1}, "b")], wrt=0, analytic=True)
def deleted_by_key(d, k):
    s = d[k] ** 2
    del d[k]
    d[k] = d["a"] * d["c"]
    return s + d[k] * d["a"]


@program([({"a": 0.7, "b": 0.2}, {"b": 0.5, "c": 1.1})], analytic=True)
def updated(d, e):
    s = d["b"]
    d.update(e)
    d.update({"a": d["b"] * d["c"]})
    return d["a"] * s + d["b"] * d["c"]


@program([({"a": 0.7, "b": 0.2}, {"b": 0.5, "c": 1.1})], analytic=True)
def merged(d, e):
    both = {**d, **e}
    for k in both:
        both[k] = both[k] ** 2
    return both["a"] * both["b"] + both["c"] * d["b"]


@program([(V4, {0: [1, 2], 1: [3], 2: [3], 3: []})], wrt=0, analytic=True)
def adjacency(x, graph):
    flow = {k: x[k] for k in graph}
    for node in graph:
        for target in graph[node]:
            flow[target] = flow[target] + 0.5 * flow[node] * x[target]
    return flow[3]


@program([(V4, [(0, 1), (1, 2), (0, 2), (2, 3)])], wrt=0, analytic=True)
def weighted_edges(x, edges):
    graph = {}
    for a, b in edges:
        graph.setdefault(a, {})[b] = x[a] * x[b]
    best = {0: 1.0}
    for a in sorted(graph):
        for b, w in graph[a].items():
            best[b] = best.get(b, 0.0) + best[a] * w
    return best[3]


@program([(0.7, 3)], wrt=0, analytic=True)
def tuple_keys(x, n):
    grid = {}
    for i in range(n):
        for j in range(n):
            if i == 0 or j == 0:
                grid[i, j] = x
            else:
                grid[i, j] = grid[i - 1, j] * x + grid[i, j - 1]
    return grid[n - 1, n - 1]


@program([(V3, ["s", "t"])], wrt=0, analytic=True)
def nested_dicts(x, names):
    state = {name: {"p": x * k, "v": 0.0} for k, name in enumerate(names)}
    for name in names:
        state[name]["v"] = np.sum(state[name]["p"] ** 2)
        state[name]["p"] = x * state[name]["v"]
    return state["s"]["v"] + np.sum(state["t"]["p"])


@program([(0.7, 8)], wrt=0, analytic=True)
def cache_in_a_helper(x, n):
    cache = {}

    def value(k):
        if k not in cache:
            cache[k] = x**k
        return cache[k]

    s = 0.0
    for k in range(n):
        s = s + value(k % 3) * value(2)
    return s


def record(log, key, value):
    log.setdefault(key, []).append(value)


@program([(V3, 3)], wrt=0, analytic=True)
def log_by_a_helper(x, n):
    log = {}
    y = x
    for k in range(n):
        y = np.sin(y) * x
        record(log, "even" if k % 2 == 0 else "odd", np.sum(y))
    return log["even"][0] * log["even"][1] + log["odd"][0]


@program([({"a": [0.7, 0.2], "b": [1.1]},)], analytic=True)
def dict_of_lists_argument(d):
    d["a"].append(d["b"][0] ** 2)
    for k in d:
        d[k][0] = d[k][-1] * d[k][0]
    return d["a"][0] * d["b"][0] + d["a"][1]


@program([(V3,)], analytic=True)
def same_dict_twice(x):
    d = {"u": x[0]}
    e = d
    for k in "vw":
        e[k] = d["u"] * x[1]
    d["u"] = x[2]
    return e["u"] * e["v"] + d["w"]


@program([(V3, "b")], wrt=0, analytic=True)
def dict_returned(x, key):
    d = {"a": x[0] ** 2}
    d[key] = x[1] * x[2]
    return d


@program([(0.3, 3)], wrt=0, analytic=True)
def counter_values(x, n):
    counts = dict.fromkeys(range(n), 0.0)
    for i in range(2 * n):
        counts[i % n] += x * i
    return sum(counts.values()) * counts[0] + max(counts)


@program([(0.7,)], analytic=True)
def key_added_before_a_loop_over_keys(x):
    d = {"a": x}
    try:
        v = d["b"]
    except KeyError:
        v = x * x
    d["c"] = v
    for k in list(d):
        d[k] = d[k] * x
    return d["a"] + d["c"]


@program([(0.7,)], refusable=True)
def number_as_a_key(x):
    d = {}
    d[x * x] = 1.0
    s = 0.0
    for k in d:
        s += k
    return s


@program([(M23,)], analytic=True)
def rebound_while_its_items_are_read(m):
    d = {"a": m[0], "b": m[1]}
    total = 0.0
    for key, value in d.items():
        d["b"] = value * 2.0
        total += np.sum(value * d[key])
    return total


@program([(V3,)], analytic=True)
def merged_in_place(x):
    d = {"a": x[0], "b": x[1]}
    same = d
    d |= {"b": d["a"] ** 2}
    return same["a"] * d["b"]


@program([(V3,)], analytic=True)
def merged_by_an_operator(x):
    d = {"a": x[0], "b": x[1]}
    e = d | {"b": d["a"] ** 2, "c": x[2]}
    e = {"c": x[0]} | e
    return e["a"] * d["b"] + e["b"] * e["c"]


@program([(V3,)], analytic=True)
def merged_in_a_loop(x):
    d = {}
    for k in range(3):
        d |= {k: x[k] ** 2}
        d = d | {k + 1: x[k] * d[0]}
    return d[0] * d[2] + d[3]


@program([(0.4,), (1.2,)], analytic=True)
def keys_numbered_before_more_come(x):
    state = {"a": x}
    state["b"] = x * x
    total = 0.0
    for place, key in enumerate(state):
        total += state[key] * (place + 1)
    state["c"] = x
    return total * sum(state.values())


@program([(0.4,), (1.2,)], analytic=True)
def keys_paired_in_a_loop_that_adds_some(x):
    state = {"a": x}
    for own, factor in (("b", 2.0), ("c", 3.0)):
        state[own] = x * factor
        total = 0.0
        for key, weight in zip(state, (1.0, 2.0, 4.0)):
            total += state[key] * weight
        state["a"] = state["a"] * total
    return state["a"]


EDGES = [(0, 1), (1, 2), (2, 0), (2, 3)]


@program([(V4, "abca")], wrt=0, analytic=True, refusable=True)
def items_of_a_defaultdict(x, labels):
    sums = collections.defaultdict(float)
    for v, label in zip(x, labels):
        sums[label] += v * v
    total = 1.0
    for label, s in sums.items():
        total = total * s + (label == "a") * s
    for label in sums.keys():
        total *= sums[label]
    return total + sum(s**3 for s in sums.values())


@program([(np.array([1.0, 2.0, 0.5, 1.5]), EDGES)], wrt=0, refusable=True)
def conductances_by_node(g, edges):
    neighbours = collections.defaultdict(list)
    for (i, j), conductance in zip(edges, g):
        neighbours[i].append((j, conductance))
        neighbours[j].append((i, conductance))
    size = max(neighbours) + 1
    laplacian = np.zeros((size, size))
    for i, near in neighbours.items():
        for j, conductance in near:
            laplacian[i, i] += conductance
            laplacian[i, j] -= conductance
    voltage = np.zeros(size)
    voltage[1:] = np.linalg.solve(laplacian[1:, 1:], np.array([0.5, -1.0, 0.2]))
    return sum(c * (voltage[i] - voltage[j]) ** 2 for (i, j), c in zip(edges, g))


@program([(V4,)])
def a_defaultdict_that_stays_empty(x):
    table = collections.defaultdict(float)
    total = np.sum(x**2)
    for key, value in table.items():
        total += key * value
    return total + sum(table.values())


@program([(V4, ["abcd", "e"])], wrt=0)
def sizes_that_are_not_known(x, words):
    size = max(map(len, words))
    rows, buffer = np.zeros((size, 2)), np.zeros(int(size))
    buffer[1:] = x[1:] * x[0]
    rows[1:, 0] = buffer[1:] ** 2
    return np.sum(rows**2) + np.sum(buffer)
