"""Which errors an operation may raise.

Powers of Python's numbers that may be complex though their operands are not.

(x - 1.0) ** 0.5          is complex in Python where x < 1, and nan in NumPy
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any

import gast

from autodiff.core import LEAVING, Append, Function, Move, References, Span, Take, Try, Verbatim
from autodiff.core.operation import Access, Apply, If, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.core.value import Block, constant
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Scalar, Sequence, Unknown, is_complex
from autodiff.primitives.primitive import hole
from autodiff.primitives.table import BOUND
from autodiff.rules.home import module_of
from autodiff.runtime import check_real
from autodiff.syntax.names import name

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
    if found is None and isinstance(op, Apply) and op.primitive.pure:
        return not all(issubclass(own, NameError) for own in classes)  # it looks up no names
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


def complex_power(function: Function) -> Any:
    """Where the first such power of a function is, if nothing else in it is complex; None else."""
    found = None
    if not is_plain(function):
        return None
    values = list(function.body.parameters)
    for op in function.body.walk():
        values += op.results
        if found is None and isinstance(op, Apply) and is_power(op):
            base, exponent = (kind(op, node) for node in op.application.arguments)
            found = op.origin if may_be_complex(base, exponent) else None
    if any(is_complex(value.kind) or isinstance(value.kind, Unknown) for value in values):
        return None
    return found


def is_plain(function: Function) -> bool:
    """Whether what is complex in a function shows in its result or in its derivative: of numbers,
    by operators and functions of `math`.
    """
    values = [*function.body.parameters, *(v for op in function.body.walk() for v in op.results)]
    applied = [op for op in function.body.walk() if isinstance(op, Apply)]
    homes = (getattr(op.primitive.function, "__module__", None) for op in applied)
    numbers = not function.tells_complex and all(isinstance(value.kind, Scalar) for value in values)
    return numbers and all(home in ("_operator", "math") for home in homes)


def stay_real(function: Function, references: References) -> None:
    """Such powers are checked where they are computed, if they may not show otherwise.

    before: `y = float(x[1]) ** 0.5`
    after: `y = float(x[1]) ** 0.5`, `check_real(y)`
    """
    plain = is_plain(function)
    for block in () if plain else list(function.body.blocks()):
        for op in [op for op in block.operations if isinstance(op, Apply) and is_power(op)]:
            if may_be_complex(*(kind(op, node) for node in op.application.arguments)):
                own = name(references.use("check_real", check_real))
                call = gast.Call(func=own, args=[hole(0)], keywords=[])
                check = Verbatim(gast.Expr(value=call), [op.result], op.origin)
                check.block = block
                block.operations.insert(block.operations.index(op) + 1, check)


def may_be_complex(base: Kind, exponent: Kind) -> bool:
    """Whether a power of real numbers is complex for some base and exponent of these kinds."""
    if not (isinstance(base, Scalar) and isinstance(exponent, Scalar)):
        return False
    if {base.dtype, exponent.dtype} - {None, "?"}:
        return False  # a number of NumPy's makes the power one
    known, power = base.value, exponent.value
    whole = isinstance(power, float) and power.is_integer()
    positive = isinstance(known, (int, float)) and known >= 0
    return base.type != "complex" and exponent.type == "float" and not (whole or positive)


def is_power(op: Apply) -> bool:
    """Whether an operation is a power, or has an adjoint with one."""
    own = op.primitive.function
    return own in (operator.pow, pow, math.pow) and len(op.application.arguments) == 2


def kind(op: Apply, node: Any) -> Kind:
    """What an argument is: an operand, or a constant as it is written."""
    own = getattr(node, "id", None)
    if own is not None:
        return op.operands[int(own)].kind if own[0].isdigit() else UNKNOWN
    return constant(node.value).kind if hasattr(node, "kind") else UNKNOWN
