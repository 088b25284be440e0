"""What the reverse sweep needs and would lose: values and versions of memory alike.

A value of a loop body or a branch is not there any more when the mirrored block of the reverse
sweep asks for it. It
is, in this order: the loop's variable; a carried value that the loop only permutes (`u, w = w, u`:
the swap is run
backwards); computed again from what is there, when that is cheap; stored in memory for good;
pushed. A load may be
repeated when nothing writes there afterwards ("final"), or when every write to its region keeps
what it overwrites
("restored"); the cheaper of the two is chosen for each region.
"""

from __future__ import annotations

from autodiff.core.function import Function
from autodiff.reversal.needs import Needs
from autodiff.reversal.placing import Placing


def record(function: Function) -> None:
    """Plans, and then places what the reverse sweep needs."""
    needs = Needs(function)
    needs.choose()
    Placing(needs).place()
