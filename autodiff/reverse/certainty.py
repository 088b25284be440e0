"""Which names certainly have a value when they are pushed, or copied before they may change."""

from __future__ import annotations

import gast

from autodiff.normalize.structure.jumps import falls_through
from autodiff.syntax.names import USES, caught, writes


def certain_pushes(
    statements: list[gast.stmt], certain: set[str], uncertain: set[str]
) -> set[str]:
    """Adds to `uncertain` what is pushed though it may have no value yet; returns what has one."""
    for statement in statements:
        if isinstance(statement, gast.If):
            then = certain_pushes(statement.body, set(certain), uncertain)
            certain = then & certain_pushes(statement.orelse, set(certain), uncertain)
        elif isinstance(statement, (gast.For, gast.While)):
            inside = set(certain) | (
                writes(statement.target) if isinstance(statement, gast.For) else set()
            )
            certain_pushes(statement.body, inside, uncertain)
        elif isinstance(statement, gast.With):
            inside = certain | writes(statement.items)
            certain = certain_pushes(statement.body, inside, uncertain)
        elif isinstance(statement, gast.Try):
            after = certain_pushes(statement.body, set(certain), uncertain)
            after = certain_pushes(statement.orelse, after, uncertain)
            for handler in statement.handlers:
                handled = certain_pushes(handler.body, certain | caught(handler), uncertain)
                after = after & handled if falls_through(handler.body) else after
            certain = after | certain_pushes(statement.finalbody, set(certain), uncertain)
        else:
            if getattr(statement, "site", None) is not None:
                for held in statement.value.args:
                    value = held.args[0] if isinstance(held, gast.Call) else held
                    uncertain |= {value.id} - certain
            spared: str | None = getattr(statement, "spares", None)
            if spared is not None and spared not in certain:
                uncertain.add(spared)
            certain |= USES[statement][1]
    return certain
