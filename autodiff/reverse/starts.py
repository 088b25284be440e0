"""Values from before a loop that are kept once, as nothing in the loop is to get them back.

    x_start = x                            x_start = x
    for _ in range(n):                     for _ in range(n):
        x = x - a * p          rather          tape.push(x)        in each iteration
                               than            x = x - a * p
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.reverse.items import Loop
from autodiff.reverse.listing import occurrences
from autodiff.syntax.names import Names
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.walk import walk


def before_only(
    loop: Loop, primal: gast.stmt, lost: Set[str], kinds: Kinds, aliases: Aliases
) -> frozenset[str]:
    """Names of which no adjoint code of the loop reads what they are in it.

    `lost` are needed as they are before the loop, which gives them other values.
    """
    plain = {
        n
        for n in lost
        if isinstance(kinds.names.get(n), (Array, Scalar)) and not aliases.is_changed(n)
    }
    if not plain:
        return frozenset()
    inside = Counter(node.id for node in walk(primal) if isinstance(node, gast.Name))
    mentioned = occurrences([loop])
    return frozenset(n for n in plain if mentioned[n] == inside[n])


def started(
    values: list[str], names: Names, kinds: Kinds, found: dict[str, str]
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """Statements that keep values, and that give them back.

    `found` gets the variables, and what they hold.
    """
    before: list[gast.stmt] = []
    behind: list[gast.stmt] = []
    for value in values:
        start = names.fresh(f"{value}_start")
        kinds.names[start] = kinds.names[value]
        kinds.local |= {start}
        found[start] = value
        before += quote_statements("s = x", s=start, x=value)
        behind += quote_statements("x = s", s=start, x=value)
    return before, behind
