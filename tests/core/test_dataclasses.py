"""What `dataclasses` gives of an object: its fields, a dict, a tuple."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field, fields
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check


@dataclass
class Pair:
    a: Any
    b: Any
    n: int = 2


@dataclass
class Run:
    a: Any
    log: list[Any] = field(default_factory=list)
    w: Any = field(default_factory=lambda: np.ones(3))

    def grow(self, value: Any) -> Run:
        self.log.append(value)
        return self


def over_fields(x: Any) -> Any:
    p = Pair(x[0], x[1])
    return sum(getattr(p, f.name) * (2 if f.name == "a" else 1) for f in fields(p))


def over_fields_of_the_class(x: Any) -> Any:
    p = Pair(x[0], x[1])
    for f in fields(Pair):
        setattr(p, f.name, getattr(p, f.name) * 2)
    return p.a * p.b * len(fields(p))


def as_dict(x: Any) -> Any:
    d = asdict(Pair(x[0], x[1]))
    return d["a"] * d["b"] + d["n"]


def as_tuple(x: Any) -> Any:
    a, b, n = astuple(Pair(x[0], x[1]))
    return a * b * n


def made_anew(x: Any) -> Any:
    p = Pair(x[0], x[1])
    return Pair(**{**asdict(p), "b": x[2]}).b * p.a


def of_objects_inside(x: Any) -> Any:
    d = asdict(Run([Pair(x[0], x[1]), Pair(x[1], x[2])]))
    return d["a"][0]["b"] * d["a"][1]["b"] * d["w"][1]


def copies(x: Any) -> Any:
    r = Run(x * 2)
    d = asdict(r)
    d["a"][0] = 5.0
    return np.sum(r.a) + np.sum(d["a"] * x)


def of_a_list_that_grows(x: Any) -> Any:
    r = Run(x)
    r.grow(x[0]).grow(x[1])
    return sum(asdict(r)["log"]) * np.sum(asdict(r)["a"])


def defaults_are_made_anew(x: Any) -> Any:
    r = Run(x)
    r.w[0] = x[1]
    return np.sum(r.w * r.a) + np.sum(Run(x).w)


def in_a_loop(x: Any) -> Any:
    t = 0.0
    for i in range(3):
        p = Pair(x[i], 2.0)
        t += asdict(p)["a"] * astuple(p)[1]
    return t


@dataclass
class Checked:
    """As packages do it: what a field may be stands beside it."""

    a: Any = field(default=None, metadata={"types": (int, float)})
    b: Any = field(default=None, metadata={"types": (int, float)})
    flag: bool = field(default=True, metadata={"is_flag": True})
    plain: Any = 2.0

    def __post_init__(self) -> None:
        for f in fields(self):
            if f.metadata.get("is_flag") and not isinstance(getattr(self, f.name), bool):
                raise TypeError(f"{f.name} is no flag")
        for f in fields(self):
            if not f.metadata:
                continue
            value = getattr(self, f.name)
            allowed = f.metadata.get("types")
            if value is not None and allowed:
                if not isinstance(value, allowed) or type(value).__name__ == "Series":
                    raise TypeError(f"{f.name} must be one of {allowed}")
                setattr(self, f.name, value * 2)


def checked_by_metadata(x: Any) -> Any:
    p = Checked(float(x[0]), flag=False)
    return p.a * p.plain * x[1] if p.b is None else x[2]


SCALES = {"a": 3.0}
LAYERS = MappingProxyType(SCALES)


def read_through_a_proxy(x: Any) -> Any:
    t = x[0] if LAYERS else x[1]
    for key, scale in dict(LAYERS).items():
        t = t * scale * LAYERS.get(key, 1.0) * LAYERS[key] * x[1]
    return t


def test_a_proxy_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    derivative = grad(read_through_a_proxy)
    x = np.array([0.7, 1.3, 0.4])
    np.testing.assert_allclose(derivative(x), [27 * x[1], 27 * x[0], 0.0])
    monkeypatch.setitem(SCALES, "a", 2.0)
    np.testing.assert_allclose(derivative(x), [8 * x[1], 8 * x[0], 0.0])
    monkeypatch.setitem(SCALES, "b", 1.0)
    np.testing.assert_allclose(derivative(x), [8 * x[1] ** 2, 16 * x[0] * x[1], 0.0])
    monkeypatch.delitem(SCALES, "a")
    monkeypatch.delitem(SCALES, "b")
    np.testing.assert_allclose(derivative(x), [0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    "f",
    [
        checked_by_metadata,
        read_through_a_proxy,
        over_fields,
        over_fields_of_the_class,
        as_dict,
        as_tuple,
        made_anew,
        of_objects_inside,
        copies,
        of_a_list_that_grows,
        defaults_are_made_anew,
        in_a_loop,
    ],
)
def test_numbers(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.7, 1.3, 0.4]))
