"""Every builtin that generated code calls is one whose name is checked."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

from autodiff.pipeline.builtin_names import _CALLED

ROOT = Path(__file__).parents[2]


def builtins_called(tree: ast.AST) -> set[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found = {func.id for func in calls if isinstance(func, ast.Name)}
    return {name for name in found if hasattr(builtins, name) and not name.endswith("Error")}


def test_in_templates() -> None:
    for file in (ROOT / "templates").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.decorator_list:  # else it is a helper
                found = set().union(*map(builtins_called, node.body))
                assert found <= _CALLED, f"{file}: {node.name}"


def quoted(tree: ast.AST) -> Iterator[str]:
    """The texts of `quote("...")`, as far as they are constant."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "").startswith("quote"):
            text = node.args[0] if node.args else None
            if isinstance(text, ast.Constant):
                yield str(text.value)


def test_in_what_the_passes_quote() -> None:
    for file in (ROOT / "autodiff").rglob("*.py"):
        for text in quoted(ast.parse(file.read_text(encoding="utf-8"))):
            assert builtins_called(ast.parse(text)) <= _CALLED, f"{file}: {text}"
