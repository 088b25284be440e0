"""The text of the user's files, and its tree."""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import getblock
from tokenize import TokenError
from types import CodeType, FunctionType
from typing import Any

from autodiff.syntax.quiet import quiet


@dataclass(frozen=True, slots=True)
class Text:
    """A file: its lines, its tree, and what in it decides how its functions are compiled."""

    lines: list[str]
    tree: ast.Module
    prelude: tuple[ast.stmt, ...]


_SEEN: dict[str, Text] = {}
_MOST_SEEN = 64
_SENT: dict[str, Text] = {}
"""Texts that came from another process, by their content."""


def file_of(code: CodeType, namespace: dict[str, Any]) -> str:
    """The file that a code object came from: that of its module, where it does not tell of one.

    Code that Python froze does not, nor do functions of a script that a pickle holds as a whole.
    """
    own = code.co_filename
    told = not own.startswith("<") or linecache.getlines(own, namespace)
    return own if told else str(namespace.get("__file__", own))


def parsed(code: CodeType, namespace: dict[str, Any]) -> Text | None:
    """The file that a code object came from; parsed once per content, None if there is no text."""
    file = file_of(code, namespace)
    lines = linecache.getlines(file, namespace)
    if not lines:
        return None
    known = _SEEN.get(file)
    if known is not None and known.lines == lines:
        return known
    try:
        with quiet():
            tree = ast.parse("".join(lines))
    except SyntaxError:
        return _fragment(lines, code.co_firstlineno)
    text = Text(lines, tree, tuple(_prelude(tree)))
    if len(_SEEN) >= _MOST_SEEN:
        _SEEN.pop(next(iter(_SEEN)), None)
    _SEEN[file] = text
    return text


def texts(code: CodeType, namespace: dict[str, Any]) -> Iterator[Text]:
    """Where a function may stand: its file, or what was sent with one whose file is not here."""
    found = parsed(code, namespace)
    if found is not None:
        yield found
    if found is None or code.co_filename.startswith("<") or namespace.get("__name__") == "__main__":
        yield from tuple(_SENT.values())


def typed(function: FunctionType) -> tuple[str, ...]:
    """The texts of all cells of a notebook, or of a script, for a function of one; none for one of
    a module, which a process that is sent it imports.
    """
    namespace = function.__globals__
    if "__file__" in namespace:
        is_script = namespace.get("__name__") == "__main__"
        text = "".join(linecache.getlines(file_of(function.__code__, namespace), namespace))
        return (text,) if is_script and text else ()
    own = [function, *filter(_is_defined, namespace.values())]
    own += [part for each in own if isinstance(each, type) for part in vars(each).values()]
    primals = [each.primal if hasattr(type(each), "__target__") else each for each in own]
    files = {each.__code__.co_filename for each in primals if isinstance(each, FunctionType)}
    cells = ("".join(linecache.getlines(file, namespace)) for file in sorted(files))
    return tuple(filter(None, cells))


def _is_defined(value: Any) -> bool:
    """Whether a value is a function, a class or a derivative of the program itself."""
    known = isinstance(value, (FunctionType, type)) or hasattr(type(value), "__target__")
    return known and value.__module__ == "__main__"


def sent(cells: tuple[str, ...]) -> None:
    """Keeps the texts of cells that were typed in another process."""
    for cell in cells:
        if cell not in _SENT:
            with quiet():
                tree = ast.parse(cell)
            _SENT[cell] = Text(cell.splitlines(True), tree, tuple(_prelude(tree)))


def _fragment(lines: list[str], first: int) -> Text | None:
    """The block that begins at a line, where the text as a whole is not a Python file."""
    try:
        block = "".join(getblock(lines[first - 1 :]))
        with quiet():
            tree = ast.parse(textwrap.dedent(block))
    except (SyntaxError, TokenError):
        return None
    ast.increment_lineno(tree, first - 1)
    removed = len(block) - len(block.lstrip())
    for node in ast.walk(tree):
        for place in ("col_offset", "end_col_offset"):
            if hasattr(node, place):
                setattr(node, place, getattr(node, place) + removed)
    return Text(lines, tree, ())


def _prelude(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements that make Python compile functions as it does in this file.

    It calls `np.sin` in one way if the file imports `np` and in another if it does not, and
    `super()` in a slower way if the file does anything else with `super`.
    """
    nodes = list(_outside_functions(tree))
    aliases = [a for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names]
    names = [a.asname or a.name.split(".")[0] for a in aliases if a.name != "*"]
    if names:
        yield ast.Import([ast.alias(name) for name in names])
    if any(isinstance(node, ast.Name) and node.id == "super" for node in nodes):
        yield ast.Expr(ast.Name("super", ast.Load()))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield child
            yield from _outside_functions(child)
