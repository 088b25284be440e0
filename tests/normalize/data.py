"""The programs of `programs/`, and what they may use."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Circle:
    center: Point
    radius: float


class Bare:
    __match_args__ = ("a",)

    def __init__(self, a: float) -> None:
        self.a = a

    def __repr__(self) -> str:
        return f"Bare({self.a})"


@contextlib.contextmanager
def manager(note: Any, label: str) -> Iterator[str]:
    note("enter", label)
    try:
        yield label
    finally:
        note("exit", label)


class Quiet:
    """Swallows ValueError."""

    def __enter__(self) -> tuple[int, int]:
        return 1, 2

    def __exit__(self, kind: Any, *rest: Any) -> bool:
        return kind is not None and issubclass(kind, ValueError)


NAMESPACE = {
    "Point": Point,
    "Circle": Circle,
    "Bare": Bare,
    "manager": manager,
    "Quiet": Quiet,
    "contextlib": contextlib,
    "LIMIT": 3,
}


class Program(NamedTuple):
    """A function and the arguments to call it with."""

    name: str
    text: str
    calls: list[tuple[Any, ...]]


def programs() -> list[Program]:
    """Every function of every file; the comment above one lists its calls."""
    found = []
    for path in sorted((Path(__file__).parent / "programs").glob("*.txt")):
        text = path.read_text()
        lines = text.splitlines()
        for node in ast.parse(text).body:
            comment = lines[node.lineno - 2]
            assert comment.startswith("# "), (path, node.lineno)
            calls = eval(f"[{comment[2:]}]", {"np": np, **NAMESPACE})
            body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found.append(Program(f"{path.stem}:{node.name}", body, calls))
    return found
