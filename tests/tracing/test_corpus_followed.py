"""The programs of the language, each followed while it runs: right, or refused for a reason."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff.errors import AutodiffError
from tests.language.corpus import collect
from tests.language.known import REFUSED_PROGRAMS
from tests.language.test_language import Program, check
from tests.tracing.alone import followed_alone

PROGRAMS = [entry for entry in collect() if entry.points]


@pytest.mark.parametrize("part", range(16))
def test_programs(part: int) -> None:
    """Whatever is followed is right; most are."""
    own = PROGRAMS[part::16]
    left = []
    for entry in own:
        try:
            with followed_alone(), np.errstate(all="ignore"):
                check(entry, entry.points[0], thorough=False)
        except AutodiffError as error:
            if error.what == "not asked":
                left.append((entry.name, getattr(error, "unfollowed", "")))
            elif not entry.refusable:
                raise AssertionError(entry.name) from error
        except AssertionError as error:
            raise AssertionError(entry.name) from error
    assert len(left) <= 0.06 * len(own), left


WITHOUT = frozenset(
    """
    adversary_holders.rule_identity adversary_holders.rule_view
    edges.evaluated_text edges.through_text
""".split()
)
"""Rules that are made inside, and text that is read back: refused in both ways."""
REFUSED = [entry for entry in PROGRAMS if entry.name in REFUSED_PROGRAMS]


@pytest.mark.parametrize("entry", REFUSED, ids=lambda entry: entry.name)
def test_what_the_compiler_refuses(entry: Program) -> None:
    """What is followed is right at all points; what has no derivative is refused."""
    for point in entry.points:
        if entry.name in WITHOUT:
            with pytest.raises(AutodiffError):
                check(entry, point, thorough=False)
        else:
            with np.errstate(all="ignore"):
                check(entry, point, thorough=False)
