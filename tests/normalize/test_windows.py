"""Which views become windows of their array at their uses, and which stay."""

from __future__ import annotations

import ast
import textwrap
from functools import partial

import pytest

from autodiff.normalize.windows import windows
from autodiff.pipeline.settle import is_view, known_number
from autodiff.syntax.names import Names, all_names
from tests.analysis.given import function, known
from tests.normalize.behaviour import text_of

# The candidate is `p`. What comes out; None where nothing changes.
CASES = {
    "stored to": ("p = a[i]\np[j] = t", "p = a[i]\na[i, j] = t"),
    "read": ("p = x[1:]\nx[0] = t\nq = p * y", "p = x[1:]\nx[0] = t\np_2 = x[1:]\nq = p_2 * y"),
    "read twice": (
        "p = x[1:]\nq = p + p\nr = p * t",
        "p = x[1:]\np_2 = x[1:]\nq = p_2 + p_2\np_3 = x[1:]\nr = p_3 * t",
    ),
    "alias": ("p = x\np[0] = t\nq = p + y", "p = x\nx[0] = t\nq = x + y"),
    "renamed": ("p = x[1:]\nq = p", "p = x[1:]\nq = x[1:]"),
    "a part of it": ("p = x[1:]\nq = p[0]", "p = x[1:]\np_2 = x[1:]\nq = p_2[0]"),
    "a part of an alias": ("p = x\nq = p[0]", "p = x\nq = x[0]"),
    "an element of a row": ("p = a[i]\nq = p[j]", "p = a[i]\nq = a[i, j]"),
    "a slice of a row": ("p = a[i]\np[1:] = t", "p = a[i]\na[i, 1:] = t"),
    "a slice of a column": ("p = a[:, j]\np[1:] = t", "p = a[:, j]\na[1:, j] = t"),
    "all of it": ("p = x[1:]\np[...] = t", "p = x[1:]\nx[1:] = t"),
    "not composed: a slice of a slice": ("p = x[1:]\np[1:] = t", "p = x[1:]\nx[1:][1:] = t"),
    "not composed: transposed": ("p = a.T\np[i] = y", "p = a.T\na.T[i] = y"),
    "not composed: fancy": ("p = a[i]\np[index] = t", "p = a[i]\na[i][index] = t"),
    "augmented": ("p = a[i]\np[j] += t", "p = a[i]\na[i, j] += t"),
    "swapped axes": (
        "p = a.swapaxes(0, 1)\np[i] = y",
        "p = a.swapaxes(0, 1)\na.swapaxes(0, 1)[i] = y",
    ),
    "one row of each": (
        "p, q = a[:2]\np[j] = t",
        "p, q = a[:2]\na[:2][0, j] = t",
    ),
    "in a loop": (
        "for k in range(n):\n    p = a[k]\n    p[j] = t",
        "for k in range(n):\n    p = a[k]\n    a[k, j] = t",
    ),
    "used in a branch": (
        "p = a[i]\nif flag:\n    p[j] = t",
        "p = a[i]\nif flag:\n    a[i, j] = t",
    ),
    "used in a loop": (
        "p = a[i]\nfor k in range(n):\n    p[k] = t",
        "p = a[i]\nfor k in range(n):\n    a[i, k] = t",
    ),
    "in a test": (
        "p = x[1:]\nwhile p[0] > 0.0:\n    x[1] = t",
        "p = x[1:]\nwhile x[1:][0] > 0.0:\n    x[1] = t",
    ),
    "in an index": ("p = x[1:]\ny[p > 0.0] = t", "p = x[1:]\ny[x[1:] > 0.0] = t"),
    "added at": ("p = x[1:]\nnp.add.at(p, index, t)", "p = x[1:]\nnp.add.at(x[1:], index, t)"),
    "the array itself is stored to": (
        "p = x[1:]\nx[0] = t\np[0] = s",
        "p = x[1:]\nx[0] = t\nx[1:][0] = s",
    ),
    # What stays
    "the index changes": ("p = a[k]\nk = k + 1\np[j] = t", None),
    "the index changes in the loop": (
        "k = 0\np = a[k]\nfor l in range(n):\n    p[j] = t\n    k = k + 1",
        None,
    ),
    "the index changes after the last use": (
        "k = 0\np = a[k]\np[j] = t\nk = k + 1",
        "k = 0\np = a[k]\na[k, j] = t\nk = k + 1",
    ),
    "the name of the array changes": ("p = x[1:]\nx = y\np[0] = t", None),
    "two definitions": ("if flag:\n    p = x\nelse:\n    p = y\np[0] = t", None),
    "defined on one branch, used after it": ("if flag:\n    p = x\np[0] = t", None),
    "used in the next iteration": ("for k in range(n):\n    p[j] = t\n    p = a[k]", None),
    "a fancy index copies": ("p = x[index]\np[0] = t", None),
    "a mask copies": ("p = x[mask]\np[0] = t", None),
    "an index of unknown kind": ("p = x[mystery]\np[0] = t", None),
    "an index that calls": ("p = a[call(i)]\np[0] = t", None),
    "an index that reads an array": ("p = a[index[0]]\np[0] = t", None),
    "may copy": ("p = a.reshape(-1)\np[0] = t", None),
    "may be a view": ("p = np.asarray(x)\np[0] = t", None),
    "fresh": ("p = x + y\np[0] = t", None),
    "an item of a list": ("p = us[0]\np[0] = t", None),
    "an attribute": ("p = o.u\np[0] = t", None),
    "captured": ("p = x[1:]\ndef g():\n    return p\np[0] = t", None),
    "bound by with": ("with call() as p:\n    p[0] = t", None),
    "the counter of a loop": ("for p in range(n):\n    x[p] = t", None),
    "not defined": ("q = x", None),
}


def after(body: str, candidates: list[str]) -> str | None:
    tree = function(body)
    kinds = known(tree)
    before = text_of(tree)
    names = Names(all_names(tree))
    new = windows(tree, candidates, names, partial(is_view, kinds), known_number(kinds))
    assert text_of(tree) == before, "the pass changed its input"
    return None if new is tree else textwrap.dedent(text_of(new).partition(":\n")[2])


@pytest.mark.parametrize(("before", "expected"), CASES.values(), ids=CASES)
def test_windows(before: str, expected: str | None) -> None:
    wanted = None if expected is None else ast.unparse(ast.parse(expected))  # by version of Python
    assert after(before, ["p"]) == wanted


def test_parameters_are_no_candidates() -> None:
    assert after("x[0] = t", ["x"]) is None


def test_the_first_candidate_that_can_be_opened() -> None:
    body = "p = x[index]\nq = x[1:]\np[0] = t\nq[0] = t"
    assert after(body, ["p", "q"]) == "p = x[index]\nq = x[1:]\np[0] = t\nx[1:][0] = t"
    assert after(body, ["p"]) is None
    assert after(body, []) is None
