"""What `dataclasses` gives of an object: its fields, a dict, a tuple."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field, fields
from typing import Any

import numpy as np
import pytest

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


@pytest.mark.parametrize(
    "f",
    [
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
