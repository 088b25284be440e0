"""What errors look like."""

from __future__ import annotations

import linecache
import pickle

import numpy as np
import pytest

from autodiff import errors
from autodiff.errors import AutodiffError, MissingRuleError, UnsupportedSyntaxError
from autodiff.syntax.origin import Origin

CHILDREN = [
    errors.UnsupportedSyntaxError,
    errors.MissingRuleError,
    errors.NonDifferentiableError,
    errors.SharedMemoryError,
    errors.NativeError,
    errors.OptionError,
    errors.CompileTimeoutError,
    errors.TemplateError,
    errors.SourceNotFoundError,
    errors.InternalError,
]


@pytest.fixture
def file() -> str:
    """A file whose lines are known to linecache only."""
    text = "def f(x):\n    y = x @ z  # product\n\té = max(x,\n        y)\n"
    linecache.cache["model.py"] = (len(text), None, text.splitlines(True), "model.py")
    yield "model.py"
    del linecache.cache["model.py"]


def test_layout(file: str) -> None:
    origin = Origin(file, 2, 8, 2, 13, "y = x @ z")
    error = UnsupportedSyntaxError("what", origin, why="why", cure="cure")
    assert str(error) == (
        'what\n  File "model.py", line 2\n    y = x @ z  # product\n        ^^^^^\nwhy\ncure'
    )
    assert (error.what, error.origin, error.why, error.cure) == ("what", origin, "why", "cure")


def test_a_place_over_several_lines_is_marked_to_the_end_of_the_first(file: str) -> None:
    error = AutodiffError("what", Origin(file, 3, 6, 4, 10))
    assert str(error).splitlines()[2:] == ["    é = max(x,", "        ^^^^^^"]


def test_columns_count_bytes(file: str) -> None:
    error = AutodiffError("what", Origin(file, 3, 1, 3, 3))
    assert str(error).splitlines()[3] == "    ^"


def test_without_the_file_the_statement_is_shown() -> None:
    error = AutodiffError("what", Origin("gone.py", 3, 4, 3, 9, "y = 2 * x"))
    assert str(error) == 'what\n  File "gone.py", line 3\n    y = 2 * x'
    assert str(AutodiffError("what", Origin("gone.py", 3, 4, 3, 9))).endswith("line 3")


def test_without_a_place() -> None:
    assert str(AutodiffError("what")) == "what"
    assert str(AutodiffError("what", cure="cure")) == "what\ncure"


@pytest.mark.parametrize("kind", CHILDREN)
def test_pickle(kind: type[AutodiffError], file: str) -> None:
    error = kind("what", Origin(file, 2, 8, 2, 13), why="why", cure="cure")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.origin == error.origin


@pytest.mark.parametrize("kind", CHILDREN)
def test_documentation_shows_code_that_fails_and_code_that_does_not(kind: type) -> None:
    assert issubclass(kind, AutodiffError)
    assert kind.__doc__.count("\n\n") >= 3
    assert "        " in kind.__doc__


def mine(x: float, *rest: float, scale: float = 2.0) -> float:
    return x


class Unsigned:
    __name__ = "bad name"

    @property
    def __signature__(self) -> object:
        raise ValueError


@pytest.mark.parametrize(
    ("function", "head", "adjoints"),
    [
        (mine, "def mine(y, x, *rest, scale=2.0):", ["d[x] = d[y] * ...", "d[rest] = d[y] * ..."]),
        (np.hypot, "def hypot(z, x, y):", ["d[x] = d[z] * ...", "d[y] = d[z] * ..."]),
        (lambda y, z: y, "def rule(w, y, z):", ["d[y] = d[w] * ...", "d[z] = d[w] * ..."]),
        (Unsigned(), "def rule(y, x):", ["d[x] = d[y] * ..."]),
        (lambda: 0, "def rule(y):", ["d[...] = d[y] * ..."]),
    ],
)
def test_the_rule_to_write(function: object, head: str, adjoints: list[str]) -> None:
    lines = [line.strip() for line in str(MissingRuleError.of(function)).splitlines()]
    assert head in lines
    assert [line for line in lines if line.startswith("d[")] == adjoints
    assert "from autodiff import adjoint, d" in lines


def test_the_rule_to_write_names_the_function() -> None:
    message = str(MissingRuleError.of(np.linalg.slogdet))
    assert message.startswith("no derivative rule for numpy.linalg.slogdet")
    assert "@adjoint(numpy.linalg.slogdet)" in message
    assert MissingRuleError.of(len).what == "no derivative rule for len"
