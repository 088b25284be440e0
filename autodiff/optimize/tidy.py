"""Comments and blank lines after statements have gone."""

from __future__ import annotations

import gast

from autodiff.optimize.change import Block, has_code
from autodiff.syntax.emit import is_comment

Pairs = list[tuple[gast.stmt, gast.stmt | None]]


def tidy(statements: Block, kept: list[gast.stmt | None]) -> Block:
    """What was kept (None for a statement that has gone), without comments on what has gone.

    A comment heads the statements up to the next one. A comment after a blank line is a title: it
    heads everything up to the next blank line.
    """
    sections: list[Pairs] = [[]]
    for old, new in zip(statements, kept):
        if old.__class__ is gast.Expr and _is_blank(old):
            sections.append([])
        sections[-1].append((old, new))
    result: Block = []
    for section in sections:
        new = _section(section)
        if new and _is_blank(new[0]) and (not result or len(new) == 1):
            del new[0]
        result.extend(new)
    return result


def _section(pairs: Pairs) -> Block:
    """A blank line, a title, headings and code; or all of it gone."""
    start = 1 if pairs and _is_blank(pairs[0][0]) else 0
    if start and len(pairs) > 1 and is_comment(pairs[1][0]):
        start = 2
    result: Block = [old for old, _ in pairs[:start]]
    groups: list[Pairs] = [[]]
    for old, new in pairs[start:]:
        if old.__class__ is gast.Expr and is_comment(old):
            groups.append([])
        groups[-1].append((old, new))
    for group in groups:
        left = [new for _, new in group if new is not None and not isinstance(new, gast.Pass)]
        if has_code(left) or all(new is not None for _, new in group):
            result.extend(left)
    lost = any(new is None for _, new in pairs)
    return [] if lost and not has_code(result) and start else result


def _is_blank(statement: gast.stmt) -> bool:
    return is_comment(statement) and not statement.value.value
