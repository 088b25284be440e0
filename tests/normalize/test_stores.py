"""How each way of writing into an array becomes a store, statement by statement."""

from __future__ import annotations

import textwrap

import gast
import pytest

from autodiff.analysis.alias import alias
from autodiff.normalize.anf import anf
from autodiff.normalize.stores import stores
from autodiff.pipeline.settle import meaning
from autodiff.syntax.names import Names, all_names
from autodiff.syntax.walk import walk
from tests.analysis.given import function, known
from tests.normalize.behaviour import text_of

# What becomes of a statement; None where it stays.
CASES = {
    "store": ("x[i] = t", None),
    "added to": ("x[i] += t", None),
    "subtracted from": ("x[1:] -= y[1:]", None),
    "added to, whole": ("x += y", "x[...] += y"),
    "subtracted from, whole": ("x -= t", "x[...] -= t"),
    "multiplied, whole": ("x *= y", "x_times_y = x * y\nx[...] = x_times_y"),
    "power, whole": ("x **= 2", "x_pow_2 = x ** 2\nx[...] = x_pow_2"),
    "multiplied": ("x[i] *= t", "x_i = x[i]\nx_i_times_t = x_i * t\nx[i] = x_i_times_t"),
    "divided slice": (
        "x[1:] /= y[1:]",
        "x_value = x[1:]\nquotient = x_value / y[1:]\nx[1:] = quotient",
    ),
    "everything multiplied": ("x[...] *= t", "x_times_t = x * t\nx[...] = x_times_t"),
    "indices that may repeat": (
        "x[index] += t",
        "x_index = x[index]\nx_index_plus_t = x_index + t\nx[index] = x_index_plus_t",
    ),
    "a mask does not repeat": ("x[mask] += t", None),
    "indices of unknown kind": (
        "x[mystery] += t",
        "x_mystery = x[mystery]\nx_mystery_plus_t = x_mystery + t\nx[mystery] = x_mystery_plus_t",
    ),
    "an index that is called": (
        "x[call(t)] += t",
        "call_t = call(t)\nx_call_t = x[call_t]\n"
        "x_call_t_plus_t = x_call_t + t\nx[call_t] = x_call_t_plus_t",
    ),
    "out": ("np.sin(y, out=x)", "sin_y = np.sin(y)\nx[...] = sin_y"),
    "out by position": ("np.sin(y, x)", "sin_y = np.sin(y)\nx[...] = sin_y"),
    "out that is read": ("np.add(x, y, out=x)", "add_x = np.add(x, y)\nx[...] = add_x"),
    "out with a name": ("p = np.sin(y, out=x)", "sin_y = np.sin(y)\nx[...] = sin_y\np = x"),
    "no out": ("p = np.sin(y)", None),
    "fill": ("x.fill(0.0)", "x[...] = 0.0"),
    "fill with a name": ("x.fill(t)", "x[...] = t"),
    "copyto": ("np.copyto(x, y)", "x[...] = y"),
    "copyto of a view": ("np.copyto(x[1:], y)", "x[1:][...] = y"),
    "a number is no array": ("t += s", None),
    "whole numbers": ("whole += 1", None),
    "a list": ("us[0] += x", None),
    "an object": ("o.u += x", None),
    "unknown": ("mystery += x", None),
    "an index that reads what changes": (
        "x[x > 0.0] = 0.0",
        "condition = x > 0.0\nx[condition] = 0.0",
    ),
    "and is read twice": (
        "x[x > 0.0] *= t",
        "condition = x > 0.0\nx_condition = x[condition]\n"
        "product = x_condition * t\nx[condition] = product",
    ),
    "and is added to": ("x[x > 0.0] += t", "condition = x > 0.0\nx[condition] += t"),
    "a mask written out does not repeat": ("x[y > 0.0] += t", None),
    "the same in a slice": (
        "x[int(x[0]):] = t",
        "int_x_0 = int(x[0])\nx[int_x_0:] = t",
    ),
    "an index that reads what stays": ("x[y > 0.0] = 0.0", None),
    "in a branch": ("if flag:\n    x += y", "if flag:\n    x[...] += y"),
    "in a loop": ("for k in range(n):\n    x += y", "for k in range(n):\n    x[...] += y"),
    "in a try": (
        "try:\n    x += y\nexcept ValueError:\n    x.fill(0.0)",
        "try:\n    x[...] += y\nexcept ValueError:\n    x[...] = 0.0",
    ),
    "not in a nested function": ("def g(x):\n    x += 1.0", None),
}


def after(body: str) -> tuple[gast.FunctionDef, gast.FunctionDef]:
    tree = function(body)
    kinds = known(tree)
    groups = alias(tree, kinds)
    asked = meaning(kinds, groups.is_changed)
    before = text_of(tree)
    new = stores(tree, Names(all_names(tree)), asked)
    assert text_of(tree) == before, "the pass changed its input"
    return tree, new


@pytest.mark.parametrize(("before", "expected"), CASES.values(), ids=CASES)
def test_stores(before: str, expected: str | None) -> None:
    _, new = after(before)
    wanted = before if expected is None else expected
    assert text_of(new).partition(":\n")[2].lstrip("\n") == textwrap.indent(wanted, "    ")


@pytest.mark.parametrize("body", [body for body, _ in CASES.values()], ids=CASES)
def test_every_statement_has_an_origin(body: str) -> None:
    _, new = after(body)
    for node in walk(new):
        if isinstance(node, gast.stmt) and node is not new:
            assert node.origin.text in body


def test_one_condition_for_what_is_read_and_stored() -> None:
    tree = function("x[x > 0.0] = t * x[x > 0.0]")
    tree, _ = anf(tree, Names(all_names(tree)), lambda own: None)
    kinds = known(tree)
    new = stores(tree, Names(all_names(tree)), meaning(kinds, alias(tree, kinds).is_changed))
    text = text_of(new)
    assert text.count("x > 0.0") == 1
    assert text.index("x > 0.0") < text.index("x[condition]")


def test_nothing_to_do() -> None:
    tree, new = after("p = x + y\nx[0] = t\nif flag:\n    us[0] += x")
    assert new is tree
