"""What a message says is to be done, is done: the program is right then.

Every text `cure=...` of the compiler with code in it is met by a program of `cures.py`, or stands
in the list of those that are met elsewhere.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import autodiff
from autodiff import AutodiffError
from autodiff.core.located import Spot
from autodiff.derivatives import cache
from autodiff.pipeline.refusal import aside
from tests.errors.cures import CURES

SOURCES = [Path(autodiff.__file__).parent.parent]
ELSEWHERE = {
    "say it: wrap(f, result=jax.ShapeDtypeStruct((3,), float)), or a function of the arguments "
    "that gives one": "tests/interop",
    "take one of them by autodiff: wrap(grad(f))": "tests/interop",
    "pass x.double(), and turn the result back": "tests/interop",
    "install it: pip install 'source-autodiff[graph]'{}, or look at .view(path)": "another machine",
    "make an array of it, np.asarray(...), or write a function of it with @custom": "in a run",
    "make an array of floats, np.array(..., dtype=float)": "tests/core/test_whole_numbers.py",
    "take the derivatives in another order: jacobian(grad(f)), hessian(f)": "nobody comes there",
    "write jvp(f, (x,), (x_dot,)) with a function that is defined outside": "not yet",
    "compute it with functions of NumPy, or in a function with a derivative by @custom": "not yet",
    "change a copy of it (`.copy()`)": "not yet",
    "keep a list of what it holds instead, `list(...)`": "not yet",
    "pass `{}` as an argument, or return what is new": "not yet",
    "give larger `rtol` and `atol`": "not yet",
}
"""Cures with code that no program of `cures.py` meets, and what does."""
CODE = re.compile(r"`|\w\(|\w=\w|@\w|\w\.\w")


def by_class(cure):
    return cure.wrong.__qualname__.partition(".")[0]


@pytest.mark.parametrize("cure", CURES, ids=by_class)
def test_the_cure_works(cure, monkeypatch):
    monkeypatch.setattr(cache, "FOLLOWING", cure.followed)
    if cure.native:
        pytest.importorskip("numba")
    with pytest.raises(AutodiffError) as caught:
        cure.wrong()
    pattern = ".*".join(map(re.escape, cure.text.split("{}")))
    assert re.fullmatch(pattern, caught.value.cure, re.DOTALL), str(caught.value)
    cure.right()


def texts():
    """The texts of all cures with code in them, by where they stand."""
    found = {}
    for root in SOURCES:
        for file in [*root.glob("autodiff/**/*.py"), *root.glob("templates/**/*.py")]:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                for text in cures_of(node):
                    if CODE.search(text):
                        found[text] = f"{file.name}:{node.lineno}"
    return found


def cures_of(node):
    """What a call gives as a cure: by its name, or as the last of what `NotYet.saying` says."""
    if not isinstance(node, ast.Call):
        return
    for keyword in node.keywords:
        if keyword.arg == "cure":
            yield from spelled(keyword.value)
    if getattr(node.func, "attr", "") == "saying" and len(node.args) == 4:
        yield from spelled(node.args[3])


def spelled(node):
    """A text as it is written, `{}` for what is filled in; both of a choice."""
    if isinstance(node, ast.IfExp):
        yield from spelled(node.body)
        yield from spelled(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = [own.value if isinstance(own, ast.Constant) else "{}" for own in node.values]
        yield "".join(map(str, parts))


def test_every_cure_with_code_is_applied():
    there = texts()
    assert len(there) > 40, "they are not found"
    left = {text: place for text, place in there.items() if not any(text == c.text for c in CURES)}
    assert left.keys() <= ELSEWHERE.keys(), {t: left[t] for t in left.keys() - ELSEWHERE.keys()}
    assert ELSEWHERE.keys() <= left.keys(), ELSEWHERE.keys() - left.keys()


def test_a_place_of_no_function_has_the_cure_of_the_whole_one():
    def outer(x):
        return x

    def inner(x):
        return x

    assert "`inner`" in aside(Spot(inside=inner), outer)
    for unknown in (Spot(), Spot(inside=outer), None):
        assert aside(unknown, outer).startswith("move it to a function")
