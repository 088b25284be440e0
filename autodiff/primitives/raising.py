"""Which errors an operation may raise."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from autodiff.analysis.kind import Array, Scalar, Sequence
from autodiff.core.operation import (
    Access,
    Apply,
    Block,
    If,
    Load,
    LoadOuter,
    Loop,
    Operation,
    Store,
    View,
)
from autodiff.core.statements import LEAVING, Append, Move, Take, Try, Verbatim
from autodiff.core.window import Span
from autodiff.primitives.table import BOUND
from autodiff.rules.home import module_of

Errors = tuple[type[BaseException], ...]

_QUOTIENTS = (operator.truediv, operator.floordiv, operator.mod, operator.pow, pow, divmod)
_INDEX: Errors = (IndexError,)
_PART: Errors = (LookupError, AttributeError)
"""What a dict or an object says that does not have a part."""
_STORE: Errors = (IndexError, ValueError)
_FLAGS: Errors = (FloatingPointError, RuntimeWarning)
"""What NumPy raises where it was asked to (`np.errstate`), or where warnings are errors."""


def errors(op: Operation) -> Errors | None:
    """The classes of errors that an operation may raise; None if it may be any.

    Blocks have operations of their own that are asked.
    """
    if isinstance(op, (Loop, If, Move, Append, LoadOuter, *LEAVING)):
        return ()
    if isinstance(op, Verbatim) and op.certain:
        return ()
    if isinstance(op, Verbatim):
        return None if op.error is None else (op.error,)
    if isinstance(op, (Load, View)):
        missing = _INDEX if isinstance(op.base.kind, (Array, Scalar, Sequence)) else _PART
        return missing if op.raises and not is_inside(op) else ()
    if isinstance(op, Store):
        flags = _FLAGS if isinstance(op.base.kind, Array) else ()
        fits = op.fits and (op.window is None or is_inside(op))
        return flags if fits else (*_STORE, *flags)
    if isinstance(op, Take):
        return _INDEX if isinstance(op.base.kind, Sequence) else _PART
    if isinstance(op, Apply):
        return of_application(op)
    return None


def is_inside(op: Access) -> bool:
    """Whether a window is known to be inside of its memory: slices, and items of known sizes."""
    shape = op.base.kind.shape if isinstance(op.base.kind, Array) else ()
    assert op.window is not None
    for k, part in enumerate(op.window.parts):
        if isinstance(part, Span) or part is Ellipsis and k == len(op.window.parts) - 1:
            continue
        size = shape[k] if k < len(shape) else None
        if type(part) is not int or type(size) is not int or not -size <= part < size:
            return False
    return True


def of_application(op: Apply) -> Errors | None:
    """The errors of a primitive."""
    if op.primitive is BOUND:
        return (NameError,) if op.raises else ()
    kinds = [value.kind for value in op.operands]
    of_numpy = any(isinstance(kind, Array) or _is_numpy(kind) for kind in kinds)
    flags = _FLAGS if of_numpy or module_of(op.primitive.function).startswith("numpy") else ()
    if not op.raises:
        return flags
    numbers = all(isinstance(kind, Scalar) for kind in kinds)
    if numbers and op.primitive.function in _QUOTIENTS:
        return (ZeroDivisionError, OverflowError, *flags)
    if numbers and module_of(op.primitive.function) == "math":
        return (ValueError, OverflowError)
    return None


def _is_numpy(kind: object) -> bool:
    return isinstance(kind, Scalar) and kind.dtype is not None


def catches(classes: Errors, error: type[BaseException]) -> bool:
    """Whether a clause takes an error of a class, or of a class derived from it."""
    return any(issubclass(error, own) or issubclass(own, error) for own in classes)


def may_be_caught(op: Operation, classes: Errors) -> bool:
    """Whether an operation may raise what a clause for these classes takes."""
    found = errors(op)
    return found is None or any(catches(classes, error) for error in found)


def escaping(block: Block, classes: Errors) -> Iterator[Operation]:
    """The operations of a block that may raise what is caught around it; what a `try` in it surely
    catches is not among them.
    """
    for op in block.operations:
        if not op.blocks and may_be_caught(op, classes):
            yield op
        for inner in op.blocks:
            for each in escaping(inner, classes):
                if not (isinstance(op, Try) and inner is op.body and surely(each, op)):
                    yield each


def surely(op: Operation, around: Try) -> bool:
    """Whether a `try` takes whatever an operation of its body raises."""
    found = errors(op)
    return found is not None and all(issubclass(error, around.classes) for error in found)
