"""Runs a function as written and as a pass leaves it, and compares all that can be observed."""

from __future__ import annotations

import ast
import copy
import itertools
import math
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gast
import numpy as np

from autodiff.frontend.source import MARK
from autodiff.normalize.control import control
from autodiff.normalize.desugar import desugar
from autodiff.runtime import sequence
from autodiff.syntax.names import Names, all_names
from autodiff.syntax.origin import Origin
from tests.normalize.data import NAMESPACE

JUMPS = (gast.Return, gast.Break, gast.Continue)
BLOCKS = ("body", "orelse", "finalbody")


def is_sequence(value: object) -> bool:
    match value:
        case [*_]:  # what that accepts depends on the versions of Python and NumPy
            return True
    return False


def is_mapping(value: object) -> bool:
    match value:
        case {}:
            return True
    return False


HELPERS = {"sequence": sequence, "is_sequence": is_sequence, "is_mapping": is_mapping}


def parsed(text: str) -> gast.FunctionDef:
    """The tree of a function, with origins as the frontend gives them."""
    tree = gast.parse(text).body[0]
    lines = text.splitlines()
    for node in gast.walk(tree):
        if isinstance(node, gast.stmt):
            node.origin = Origin(
                "test.py",
                node.lineno,
                node.col_offset,
                node.end_lineno,
                node.end_col_offset,
                lines[node.lineno - 1].strip(),
            )
    return tree


def text_of(tree: gast.AST) -> str:
    text = ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree)))
    return text.replace(MARK, "")


def both(tree: gast.FunctionDef, names: Names) -> gast.FunctionDef:
    """`desugar`, then `control`."""
    return control(desugar(tree, names), names)


def passed(text: str, change: Callable[..., gast.FunctionDef] = both, **options: Any) -> str:
    """The text of the function after a pass, checked for what every pass must keep."""
    tree = parsed(text)
    before = text_of(tree)
    new = change(tree, Names(all_names(tree)), **options)
    assert text_of(tree) == before, "the pass changed its input"
    seen: set[int] = set()
    for node in gast.walk(new):
        if isinstance(node, (gast.stmt, gast.expr)):
            assert id(node) not in seen, f"a node stands in two places: {gast.dump(node)}"
            seen.add(id(node))
        if isinstance(node, gast.stmt) and node is not new:
            assert getattr(node, "origin", None) is not None, f"no origin: {text_of(node)}"
    if change is not desugar:
        check_structure(new)
    return text_of(new)


def check_structure(tree: gast.FunctionDef) -> None:
    """One `return` at the end, `if NAME: break` at the end of loops, no other jump."""
    last = tree.body[-1]
    assert isinstance(last, gast.Return)
    assert last.value is None or isinstance(last.value, (gast.Name, gast.Constant))
    check_block(tree.body[:-1])


def check_block(statements: list[gast.stmt]) -> None:
    for statement in statements:
        assert not isinstance(statement, JUMPS), text_of(statement)
        if isinstance(statement, (gast.FunctionDef, gast.ClassDef)):
            continue
        if isinstance(statement, (gast.For, gast.While)):
            assert not statement.orelse
            body = statement.body
            if is_exit(body[-1]):
                body = body[:-1]
            check_block(body)
            continue
        for field in BLOCKS:
            check_block(getattr(statement, field, None) or [])
        for handler in getattr(statement, "handlers", ()):
            check_block(handler.body)


def is_exit(statement: gast.stmt) -> bool:
    return (
        isinstance(statement, gast.If)
        and isinstance(statement.test, gast.Name)
        and not statement.orelse
        and len(statement.body) == 1
        and isinstance(statement.body[0], gast.Break)
    )


def observed(text: str, arguments: Iterable[Any], more: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a call returns or raises, what it logs, and its arguments afterwards."""
    log: list[Any] = []

    def note(*values: Any) -> Any:
        log.append(repr(values))
        assert len(log) < 2000, "runs away"
        return values[-1]

    namespace = {
        "np": np,
        "math": math,
        "itertools": itertools,
        "types": types,
        "note": note,
        "print": lambda *values: log.append(("print", repr(values))),
        **NAMESPACE,
        **more,
    }
    tree = ast.parse(text)
    exec(compile(tree, "test.py", "exec"), namespace)
    function = namespace[tree.body[0].name]
    arguments = copy.deepcopy(list(arguments))
    try:
        outcome = ("returns", repr(function(*arguments)))
    except Exception as error:
        outcome = ("raises", type(error).__name__)
    return outcome, log, repr(arguments)


def check(text: str, *calls: tuple[Any, ...], **options: Any) -> str:
    """Assert that both passes keep the behaviour of every call; the new text."""
    after = {}
    for change in (desugar, control, both):
        if change is control and "match " in text:
            continue
        after[change] = passed(text, change, **(options if change is desugar else {}))
        for arguments in calls:
            expected = observed(text, arguments, {})
            found = observed(after[change], arguments, HELPERS)
            assert found == expected, f"{arguments}\n{after[change]}"
    return after[both]
