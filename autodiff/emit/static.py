"""What is as good as a name wherever it is used."""

from __future__ import annotations

import numpy as np

from autodiff.analysis.kind import Record, Scalar, Static
from autodiff.core.operation import Apply
from autodiff.primitives.table import CHOICE, DISPLAY, ITEM


def is_static(op: Apply) -> bool:
    """Whether an operation only names a size, a range or a part that does not change."""
    kind = op.result.kind
    if op.primitive is ITEM and op.operands[0].kind != kind:
        base = op.operands[0].op
        return not isinstance(base, Apply) or is_static(base) or base.primitive is DISPLAY
    if isinstance(kind, Record) and op.primitive.function is np.shape:
        return True
    if isinstance(kind, Static):
        return True
    if op.primitive.function is range or op.primitive is DISPLAY and is_short(op):
        return True
    return (
        op.primitive.cheap
        and isinstance(kind, Scalar)
        and (kind.type == "int" or op.primitive is CHOICE)
        and not op.result.named
    )


def is_short(op: Apply) -> bool:
    """Whether a display holds a few numbers, as in `y[[0, 2]]`."""
    return len(op.operands) <= _SHORT and all(type(v.constant) is int for v in op.operands)


_SHORT = 4
