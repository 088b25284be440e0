"""The text of the user's files, and its tree."""

from __future__ import annotations

import ast
import linecache
import textwrap
from dataclasses import dataclass
from inspect import getblock
from tokenize import TokenError
from types import CodeType
from typing import Any

from autodiff.syntax.quiet import quiet


@dataclass(frozen=True, slots=True)
class Text:
    """A file: its lines, and its tree."""

    lines: list[str]
    tree: ast.Module


_SEEN: dict[str, Text] = {}
_MOST_SEEN = 64


def parsed(code: CodeType, namespace: dict[str, Any]) -> Text | None:
    """The file that a code object came from; parsed once per content, None if there is no text."""
    lines = linecache.getlines(code.co_filename, namespace)
    if not lines:
        return None
    known = _SEEN.get(code.co_filename)
    if known is not None and known.lines == lines:
        return known
    try:
        with quiet():
            text = Text(lines, ast.parse("".join(lines)))
    except SyntaxError:
        return _fragment(lines, code.co_firstlineno)
    if len(_SEEN) >= _MOST_SEEN:
        _SEEN.pop(next(iter(_SEEN)), None)
    _SEEN[code.co_filename] = text
    return text


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
    return Text(lines, tree)
