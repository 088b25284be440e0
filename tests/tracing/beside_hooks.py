"""Programs in which C reads, goes over, calls or keeps what carries a derivative."""

from __future__ import annotations

import array
import collections
import datetime
import decimal
import functools
import heapq
import itertools
import json
import types
from collections.abc import Callable
from typing import Any

import numpy as np

STATE: Any = types.SimpleNamespace()
Point = collections.namedtuple("Point", "a b c")
RIGHT: list[Callable[[Any], Any]] = []
OR_REFUSED: list[Callable[[Any], Any]] = []


def right(program: Any) -> Any:
    RIGHT.append(program)
    return program


def or_refused(program: Any) -> Any:
    OR_REFUSED.append(program)
    return program


class Pair(tuple):  # type: ignore[type-arg]
    def __new__(cls, items: Any) -> Any:
        return super().__new__(cls, items)


class Doubled:
    def __get__(self, owner: Any, cls: Any = None) -> Any:
        return np.sum(owner.w * owner.w)


class Base:
    square = Doubled()

    def __init__(self, w: Any) -> None:
        self.w = w

    def start(self) -> Any:
        return np.sum(self.w * self.w)

    def keys(self) -> list[str]:
        return ["p", "q"]

    def __getitem__(self, key: str) -> Any:
        return np.sum(self.w**2) + (key == "p")

    cube = property(functools.partial(lambda self: np.sum(self.w**3)))


class Derived(Base):
    @property
    def square(self) -> Any:  # type: ignore[override]
        return super().square * 2


class Lazy:
    def __init__(self, v: Any) -> None:
        self.v = v

    @functools.cached_property
    def cost(self) -> Any:
        return np.sum(self.v * self.v)

    def __lt__(self, other: Any) -> bool:
        return bool(self.cost < other.cost)


def reads(k: int) -> Any:
    return STATE.w[k] * 2.0


OPAQUE = np.frompyfunc(reads, 1, 1)
LAZY = map(reads, itertools.cycle([0]))


@functools.lru_cache
def kept(k: int) -> Any:
    return STATE.w[k] * 2.0


def running_sum() -> Any:
    total = 0.0
    while True:
        total = np.sum((yield total) ** 2)


@right
def containers(x: Any) -> Any:
    given = [1.0, 2.0, 3.0]
    given.__setitem__(slice(0, 2), x[:2])
    both = {5.0}.symmetric_difference(x)
    odd = itertools.filterfalse(lambda v: v > 1, x)
    pairs: dict[Any, Any] = {}
    pairs.update([x[:2]])
    ((first, second),) = pairs.items()
    more = [1.0]
    more += x  # an array
    return (
        sum(v * v for v in (*Pair(x), *both, *odd, *given))
        + Point._make(x).b * first * second
        + np.sum(more * x)
    )


@right
def mappings(x: Any) -> Any:
    def product(p: Any, q: Any) -> Any:
        return p * q

    own = Base(x)
    filled = dict(own)
    filled.update(own)
    counted = collections.defaultdict(own.start)
    return filled["p"] * {**own}["q"] + product(**own) * counted["a"]  # type: ignore[arg-type]


@right
def descriptors(x: Any) -> Any:
    return Derived(x).square * Base(x).cube


@right
def patterns(x: Any) -> Any:
    (a, b), *rest = [x[:2], x[1:]]
    total = a * b * rest[0][1]
    for (c, d), *_ in [(x[:2], 1), (x[1:], 2)]:
        total += c * d
    return total


@right
def keywords_of_classes(x: Any) -> Any:
    class Scaled:
        def __init_subclass__(cls, scale: Any) -> None:
            cls.scale = scale  # type: ignore[attr-defined]

    class Own(Scaled, scale=np.sum(x * x)):
        pass

    return Own.scale * x[0]  # type: ignore[attr-defined]


@right
def kept_again(x: Any) -> Any:
    STATE.w = x
    kept.cache_clear()
    first, STATE.w = kept(0), x * x
    kept.cache_clear()
    return first * kept(0)


@right
def orders(x: Any) -> Any:
    a = np.asfortranarray(np.outer(x, x))
    a.ravel(order="K")[1] = 5 * x[0]
    return np.sum(a * np.arange(9.0).reshape(3, 3))


@right
def records(x: Any) -> Any:
    a = np.zeros(3, dtype=[("p", float), ("n", int)])
    a["p"], a["n"] = x, [3, 1, 2]
    b = a[np.argsort(a["n"])].copy()
    return np.sum(b["p"] * a["p"] * a["n"])


@or_refused
def records_put_together(x: Any) -> Any:
    a = np.zeros(3, dtype=[("p", float)])
    a["p"] = x
    return np.sum(np.concatenate([a, a])["p"] ** 2)


@right
def out_by_place(x: Any) -> Any:
    a, b = np.zeros(3), np.zeros(3)
    np.dot(np.outer(x, x), x, a)
    np.outer(x, x).sum(0, None, b)
    return np.sum(a * b)


@right
def asked_before(x: Any) -> Any:
    b = np.zeros(3)
    as_list, total = b.tolist, b.sum
    b[:] = x * x
    return as_list()[0] * total()


@right
def classes_of_arrays(x: Any) -> Any:
    m = np.matrix(np.outer(x, x)).copy()
    return (m * m)[0, 1] + (m.T @ m).A1[2]


@or_refused
def views_in_c(x: Any) -> Any:
    b = np.zeros(3)
    seen = memoryview(b)
    b[:] = x * x
    return seen[0] * x[0]


@or_refused
def one_record(x: Any) -> Any:
    a = np.zeros(3, dtype=[("p", float)])
    first = a[0]
    a["p"] = x
    return first["p"]


@or_refused
def bytes_of_an_array(x: Any) -> Any:
    buffer = np.zeros(24, np.uint8)
    buffer.view(float)[:] = x * x
    return np.sum(buffer.copy().view(float))


@right
def objects_in_an_array(x: Any) -> Any:
    o = np.empty(2, object)
    o[0], o[1] = [x[0], x[1]], x
    return len(o[0] + o[0]) * o[0][1] * o[1][2]


@or_refused
def arrays_of_arrays(x: Any) -> Any:
    o = np.empty(2, object)
    o[0], o[1] = x * x, x
    return np.sum(o.sum()) + np.sum((-o)[0])


@or_refused
def lent(x: Any) -> Any:
    b = np.zeros(3)
    address = b.ctypes
    b[:] = x + address.data * 0
    return np.sum(b)


@or_refused
def in_a_universal_function(x: Any) -> Any:
    STATE.w = x
    return OPAQUE(np.arange(2)).sum() * 1.0


@or_refused
def made_before(x: Any) -> Any:
    STATE.w = x
    return next(LAZY) * 1.0


@or_refused
def begun_before(x: Any) -> Any:
    begun: Any = STATE.begun
    return begun.send(x) * 1.0


@or_refused
def lazy_in_c(x: Any) -> Any:
    heap = [Lazy(x), Lazy(x * 2)]
    heapq.heapify(heap)
    return heap[0].cost * 1.0


@or_refused
def read_by_decimal(x: Any) -> Any:
    return float(decimal.Decimal(str(x[0]))) * x[1]


@or_refused
def read_by_json(x: Any) -> Any:
    return json.loads(f"[{x[0]}]")[0] * np.array([f"{x[0]}"]).astype(float)[0]


@or_refused
def read_by_numpy(x: Any) -> Any:
    return np.array([f"{x[0]}"]).astype(float)[0] * x[1]


@or_refused
def asked_of_what_c_made(x: Any) -> Any:
    return abs(datetime.timedelta(seconds=x[0] * 1e3)).total_seconds() * array.array("d", x)[0]
