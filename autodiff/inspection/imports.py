"""Import statements, in the order and form that isort and ruff give them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

_WIDEST = 88  # what ruff and black allow unless told otherwise


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """`import module as name`, or `from module import member as name`."""

    module: str
    member: str | None
    name: str


def render(imports: Iterable[Import]) -> str:
    """The statements: the standard library first; no import twice.

    >>> print(render([Import("numpy", None, "np"), Import("math", None, "math")]))
    import math
    <BLANKLINE>
    import numpy as np
    """
    chosen = set(imports)
    own = {one for one in chosen if one.module.partition(".")[0] in sys.stdlib_module_names}
    groups = [_group(own), _group(chosen - own)]
    return "\n\n".join("\n".join(lines) for lines in groups if lines)


def _group(imports: set[Import]) -> list[str]:
    plain = sorted((one.module, one.name) for one in imports if one.member is None)
    lines = [f"import {m}" if m == name else f"import {m} as {name}" for m, name in plain]
    members: dict[str, set[str]] = {}
    for one in imports:
        if one.member is not None:
            renamed = "" if one.member == one.name else f" as {one.name}"
            members.setdefault(one.module, set()).add(one.member + renamed)
    for module in sorted(members):
        names = sorted(members[module], key=_rank)
        kept = [name for name in names if " as " not in name]
        if kept:
            lines.append(_from(module, kept))
        lines += [_from(module, [name]) for name in names if " as " in name]
    return lines


def _from(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= _WIDEST:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def _rank(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2, name)
