"""Paths through graphs that are dicts of dicts."""

from tests.language.corpus import program
from tests.language.data import V4


@program([(V4,)])
def shortest_path(w):
    graph = {
        "a": {"b": w[0] ** 2, "c": abs(w[1])},
        "b": {"d": w[2] + 1},
        "c": {"b": 0.1, "d": w[3] ** 2 + 1},
        "d": {},
    }
    distance = {"a": 0.0}
    done = set()
    while len(done) < 4:
        u = min((k for k in distance if k not in done), key=lambda k: distance[k])
        done.add(u)
        for v, c in graph[u].items():
            through = distance[u] + c
            if v not in distance or through < distance[v]:
                distance[v] = through
    return distance["d"]


@program([(V4,)])
def more_edges_further_on(w):
    graph = {
        "a": {"b": w[0] ** 2, "c": abs(w[1])},
        "b": {"d": w[2] + 1, "e": w[3], "c": w[0] * w[1]},
    }
    distance = {"a": 0.0}
    done = set()
    while len(done) < 2:
        u = min((k for k in distance if k in graph and k not in done), key=lambda k: distance[k])
        done.add(u)
        for v, c in graph[u].items():
            distance[v] = distance[u] + c
    return distance["d"] + distance["e"] ** 2 + distance["c"]
