"""Numbers of which it is not known while compiling whether they are complex.

y = np.fft.fft(solution)        nothing is known of the solution, nor of y
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Iterator

import numpy as np

from autodiff.analysis.kind import Array, Kind, Mapping, Record, Sequence, Unknown
from autodiff.core import Apply, Value
from autodiff.primitives.opaque import is_vague
from autodiff.rules import registry
from autodiff.rules.home import module_of

_REAL = {each.__name__ for each in (np, math, builtins, operator)} | {operator.add.__module__}
"""Modules whose functions make no complex numbers of real ones, or whose kinds say so."""
_OURS = "autodiff.runtime"


def leaves(kind: Kind) -> Iterator[Kind]:
    """The kinds of all that a value holds."""
    if isinstance(kind, Record):
        for item in kind.items:
            yield from leaves(item)
    elif isinstance(kind, (Sequence, Mapping)):
        yield from leaves(kind.item)
    else:
        yield kind


def is_open(kind: Kind) -> bool:
    """Whether it is not known of a value whether it is complex."""
    if isinstance(kind, Array):
        return kind.dtype is None
    return isinstance(kind, Unknown)


def brings_complex(value: Value) -> bool:
    """Whether a value of which nothing is known may be complex where all operands are real."""
    if not any(map(is_open, leaves(value.kind))) or not isinstance(value.op, Apply):
        return False
    function = value.op.primitive.function
    if function is None:  # syntax: what its operands are
        return any(is_vague(operand.kind) for operand in value.op.operands)
    if registry.is_uncertain(function):
        return True
    module = module_of(function)
    return module not in _REAL and not module.startswith(_OURS)
