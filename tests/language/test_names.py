"""The names of variables mean nothing: under others a program has the same derivative.

The others are those that generated code is made of: `x_bar`, `k_2`, `tape`, `pullback` ...
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError
from autodiff.structure import leaves
from tests.language import oracle
from tests.language.corpus import Program
from tests.language.test_language import PROGRAMS

FOLDER = Path(__file__).parent / "programs"
TOPICS = sorted({entry.topic for entry in PROGRAMS})
EACH = 12
MADE = """
    tape tape_2 items items_2 items_bar result result_bar value steps steps_2 position branch i j k
    i_2 j_2 k_2 kept product total x_bar x_2 x_slot s_bar y_bar values seed pullback np_2 order
    index difference quotient pair completed flag
""".split()
SUFFIXES = ("2", "3", "bar", "slot", "new", "kept", "2_bar")
ASKING = {"locals", "vars", "eval", "exec", "globals"}
BINDING = (ast.MatchAs, ast.MatchStar, ast.MatchMapping, ast.ExceptHandler, ast.Import)


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body)


def identifiers(tree: ast.AST) -> set[str]:
    """All that is a name somewhere: of variables, keywords, attributes, or as a text."""
    found: set[str] = set()
    for node in ast.walk(tree):
        texts = [getattr(node, field, None) for field in ("id", "arg", "name", "attr", "value")]
        found.update(text for text in texts if isinstance(text, str))
    return found


def parameters(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    return {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}


def variables(function: ast.FunctionDef, fixed: set[str]) -> list[str]:
    """The variables of a function, and of what is defined in it, that may be called otherwise."""
    inside = [node for node in ast.walk(function) if node is not function]
    if any(isinstance(node, (ast.ClassDef, ast.Global, ast.Nonlocal, *BINDING)) for node in inside):
        return []
    names = [node for node in inside if isinstance(node, ast.Name)]
    if any(node.id in ASKING for node in names):
        return []
    found = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    for node in inside:
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            found |= parameters(node) | {getattr(node, "name", "")} - {""}
    return sorted(found - parameters(function) - fixed)


def renamed(text: str, seed: int) -> str:
    """A module of programs with other names for variables, and without its decorators."""
    random, tree = Random(seed), ast.parse(text)
    taken = identifiers(tree) | set(dir(builtins))
    fixed = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg}
    fixed |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)
              and isinstance(node.value, str)}  # fmt: skip
    for function in functions(tree.body):
        own = variables(function, fixed)
        like = [f"{name}_{suffix}" for name in own for suffix in SUFFIXES]
        pool = sorted({*MADE, *like} - taken)
        random.shuffle(pool)
        names = dict(zip(own, pool))
        for node in ast.walk(function):
            for field in ("id", "arg", "name"):
                if node is not function and not isinstance(node, ast.keyword):
                    old = getattr(node, field, None)
                    if old in names:
                        setattr(node, field, names[old])
    for function in functions(tree.body):
        function.decorator_list = [
            node for node in function.decorator_list
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "program")
        ]  # fmt: skip
    return ast.unparse(tree) + "\n"


def derivative(function: Any, entry: Program) -> list[Any] | None:
    """Value and adjoints at the first point; None where they are refused."""
    point = entry.points[0]
    value = function(*oracle.copied(list(point.args)), **oracle.copied(dict(point.kwargs)))
    args, keywords = oracle.copied(list(point.args)), oracle.copied(dict(point.kwargs))
    try:
        made = Derivative(function, "vjp", entry.wrt_at(point), False, {})(*args, **keywords)
    except AutodiffError:
        return None
    return [np.ravel(leaf) for leaf in leaves([made[0], *made[1](oracle.seed_for(value))])]


@pytest.mark.heavy  # a sweep
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("topic", TOPICS)
def test_other_names_have_the_same_derivative(
    topic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"{topic}_renamed.py"
    path.write_text(renamed((FOLDER / f"{topic}.py").read_text(), len(topic)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    entries = [entry for entry in PROGRAMS if entry.topic == topic and entry.repeatable]
    for entry in entries[::EACH]:
        with np.errstate(all="ignore"):
            expected = derivative(entry.function, entry)
            found = derivative(getattr(module, entry.function.__name__), entry)
        if expected is not None and found is None:
            assert "\nclass " in path.read_text()  # the arguments are objects of the other module's
        elif expected is not None:
            assert found is not None
            for own, other in zip(found, expected, strict=True):
                np.testing.assert_allclose(own, other, rtol=1e-9, atol=1e-12, err_msg=entry.name)
