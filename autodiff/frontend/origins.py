"""Giving every statement the place and the text it has in the user's file."""

from __future__ import annotations

import io
import tokenize

import gast

from autodiff.syntax.origin import Origin
from autodiff.syntax.walk import walk

_BLOCKS = ("body", "orelse", "finalbody")


def give_origins(statement: gast.stmt, file: str, lines: list[str]) -> None:
    """Set `origin` on a statement, on all statements inside it, and on lambdas: of their text."""
    text = _text(statement, lines)
    statement.origin = Origin(
        file,
        statement.lineno,
        statement.col_offset,
        statement.end_lineno,
        statement.end_col_offset,
        text,
    )
    if "lambda" in text:
        for node in walk(statement):
            if isinstance(node, gast.Lambda):
                node.origin = statement.origin
    for child in _inner(statement):
        give_origins(child, file, lines)


def _inner(node: gast.AST) -> list[gast.stmt]:
    found: list[gast.stmt] = []
    for block in _BLOCKS:
        found.extend(getattr(node, block, ()))
    for clause in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        found.extend(clause.body)
    return found


def _text(statement: gast.stmt, lines: list[str]) -> str:
    """A simple statement, or the header of a compound one, on one line and without comments."""
    first, start = statement.lineno, statement.col_offset
    last, stop = statement.end_lineno, statement.end_col_offset
    inner = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not isinstance(inner, list):
        return one_line(_cut(lines, first, start, last, stop))
    block = one_line(_cut(lines, first, start, *_beginning(inner[0])))
    for opening in ("case", "@"):  # what stands before the first pattern or decorator
        block = block.removesuffix(opening).rstrip()
    return block


def _beginning(node: gast.AST) -> tuple[int, int]:
    """Where the first statement of a block starts; a `case` has no place, its pattern has."""
    if isinstance(node, gast.match_case):
        return node.pattern.lineno, node.pattern.col_offset
    decorators = getattr(node, "decorator_list", None)
    if decorators:
        return decorators[0].lineno, decorators[0].col_offset
    return node.lineno, node.col_offset


def _cut(lines: list[str], first: int, start: int, last: int, stop: int) -> str:
    """The text between two places; columns count bytes, as in `ast`."""
    if first == last:
        line = lines[first - 1]
        return line[start:stop] if line.isascii() else line.encode()[start:stop].decode()
    pieces = [lines[first - 1].encode()[start:].decode()]
    pieces.extend(lines[first : last - 1])
    pieces.append(lines[last - 1].encode()[:stop].decode())
    return "".join(pieces)


def one_line(text: str) -> str:
    """Code on one line: comments and line breaks inside brackets are taken out.

    >>> one_line("f(  # twice\\n    x,\\n    y\\n)")
    'f(x, y)'
    """
    if "\n" not in text:
        return text.strip()
    joined = ""
    for line in _without_comments(text).splitlines():
        line = line.strip().removesuffix("\\").rstrip()
        close = line[:1] in (")", "]", "}")
        joint = "" if not joined or joined[-1] in "([{" or close else " "
        joined += joint + line
    return joined


def _without_comments(text: str) -> str:
    if "#" not in text:
        return text
    lines = text.splitlines()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column].rstrip()
    except (tokenize.TokenError, IndentationError):  # the header of a block has no block
        pass
    return "\n".join(lines)
