"""What memory an expression of adjoint code hands on."""

from __future__ import annotations

import gast

from autodiff.syntax.fresh import ALLOCATORS, SUMS, called


def passed(value: gast.expr) -> set[str]:
    """Names whose memory the value of an expression of adjoint code may share."""
    if isinstance(value, gast.Name):
        return {value.id}
    if isinstance(value, (gast.Subscript, gast.Attribute)):
        return passed(value.value)
    if isinstance(value, gast.IfExp):
        return passed(value.body) | passed(value.orelse)
    if isinstance(value, gast.Call):
        if called(value) in ALLOCATORS | SUMS:
            return set()
        found = passed(value.args[0]) if value.args else set()
        return found | (passed(value.func) if isinstance(value.func, gast.Attribute) else set())
    return set()
