"""What a user asks while derivatives run: where NaN comes from, what is about to switch.

Who does not ask imports nothing of what answers.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autodiff.runtime.keywords import spelled

if TYPE_CHECKING:
    from autodiff.inspection.kinks import Kink


@spelled
@contextlib.contextmanager
def debug_nans(infinities: bool = True) -> Iterator[None]:
    """Raise `NonFiniteError` where a statement of a derivative first makes NaN or infinity.

    Inside of the `with` block each generated statement is looked at, of the forward and of the
    reverse sweep: it is the first that makes NaN from other numbers, or (unless `infinities=False`)
    infinity from finite ones. What was infinite before, like an argument or `np.inf`, is no fault.
    The error names your statement and the generated one, says whether that is of the primal or of
    the adjoint, and shows the values that it read.

    As an option, `grad(f, debug_nans=True)`, for the calls of one derivative. It takes the place
    that debuggers take (`sys.settrace`), for this thread, and is slow; machine code is not looked
    into.

    >>> import numpy as np
    >>> from autodiff import grad
    >>> def norm(x):
    ...     return np.sqrt(np.sum(x))
    >>> with debug_nans():
    ...     grad(norm)(np.zeros(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    autodiff.errors.NonFiniteError: ...
    """
    from autodiff.inspection.nans import looking  # noqa: PLC0415 (see above)

    with looking(infinities):
        yield


@spelled
@contextlib.contextmanager
def report_kinks(tolerance: float = 1e-6) -> Iterator[list[Kink]]:
    """List what is within a tolerance of switching in the functions of derivatives that are called.

    In the `with` block each call of a derivative runs its function once more (prints and draws
    with it), operation by operation. Listed are comparisons, and operations whose value jumps or
    whose slope does, as those of `max`, `abs`, `clip`, `sort` and `floor` do, if one of their
    operands has to move by no more than the tolerance (relative to its size where that is above 1).
    There the derivative is that of one side (`docs/hard-points.md`), and differences are of both.

    Raises AutodiffError for a function of which no run can be followed.

        with report_kinks() as kinks:
            grad(lambda x: abs(x) * x)(1e-9)
        print(*kinks)           # model.py:2: grad(lambda x: abs(x) * x)(1e-9)  [abs of 1e-09]
    """
    from autodiff.inspection.kinks import listed  # noqa: PLC0415 (see above)

    with listed(tolerance) as kinks:
        yield kinks
