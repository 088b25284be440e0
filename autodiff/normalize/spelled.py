"""Options that a function spells in its own way, where the call says what they are.

    def sky(tilt, model="Isotropic"):       y = sky(tilt)
        model = model.lower()               # `model` is "isotropic" in what follows
        if model == "isotropic":
            ...
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from autodiff.syntax.names import captured, reads, substitute, writes
from autodiff.syntax.walk import walk

_METHODS = frozenset("lower upper casefold strip lstrip rstrip replace title capitalize".split())
"""Methods of text whose result is text, the same at all times."""


def spelled(
    body: list[gast.stmt], bound: dict[str, gast.expr]
) -> tuple[list[gast.stmt], dict[str, gast.expr]]:
    """The body without such assignments, and the arguments as they are after them.

    Only of a name that nothing reads before, and that gets no other value.
    """
    texts = {p: v for p, v in bound.items() if _text(v) is not None}
    if not texts:
        return body, bound
    assigned = Counter(n.id for n in walk(body) if _is_written(n))
    held = captured(body)
    before: set[str] = set()
    out: list[gast.stmt] = []
    found: dict[str, gast.expr] = {}
    for node in body:
        statement = substitute(node, found) if found else node
        target = _target(statement)
        if target is not None and assigned[target] == 1 and target not in before | held:
            given = {p: v for p, v in texts.items() if not assigned[p] or p == target}
            text = _spelled(statement.value, given)
            if text is not None:
                new = gast.Constant(value=text, kind=None)
                found[target] = gast.copy_location(new, statement)
                continue
        before |= reads(statement) | writes(statement)
        out.append(statement)
    if not found:
        return body, bound
    return out, {p: v for p, v in bound.items() if p not in found}


def _is_written(node: gast.AST) -> bool:
    return isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)


def _target(statement: gast.stmt) -> str | None:
    if not isinstance(statement, gast.Assign) or not isinstance(statement.targets[0], gast.Name):
        return None
    identifier: str = statement.targets[0].id
    return identifier


def _text(value: gast.expr | None) -> str | None:
    is_text = isinstance(value, gast.Constant) and isinstance(value.value, str)
    return value.value if is_text else None  # type: ignore[union-attr]


def _spelled(value: gast.expr, texts: dict[str, gast.expr]) -> str | None:
    """The text that `parameter.lower()` is; None for what is no such call."""
    if not isinstance(value, gast.Call) or value.keywords:
        return None
    if not isinstance(value.func, gast.Attribute) or value.func.attr not in _METHODS:
        return None
    owner = value.func.value
    text = _text(texts.get(owner.id) if isinstance(owner, gast.Name) else owner)
    arguments = [_text(argument) for argument in value.args]
    if text is None or None in arguments:
        return None
    method: Any = getattr(text, value.func.attr)
    try:
        return str(method(*arguments))
    except TypeError:  # as the function itself will say
        return None
