"""Keys of dicts as sets."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import gast

from autodiff.lower.recipes.counterparts import Distinct


def united(keys, others):
    """`d.keys() | e.keys()`."""
    return Distinct([*keys, *others])


def common(keys, others):
    """`d.keys() & e.keys()`."""
    return Distinct([key for key in keys if key in others])


def remaining(keys, others):
    """`d.keys() - e.keys()`."""
    return Distinct([key for key in keys if key not in others])


def in_one_alone(keys, others):
    """`d.keys() ^ e.keys()`."""
    alone = [key for key in keys if key not in others]
    return Distinct(alone + [key for key in others if key not in keys])


OF_KEYS = {gast.BitOr: united, gast.BitAnd: common, gast.Sub: remaining, gast.BitXor: in_one_alone}
