"""From a callable to its entry: `primitive_of` is the only door to what is known of a function.

The effects of a callable, found from the callable itself, however it was reached.
"""

from __future__ import annotations

import functools
import inspect
import operator
from typing import Any

import numpy as np

from autodiff import runtime
from autodiff.primitives.errors import errors_of
from autodiff.primitives.memory import claim_of
from autodiff.primitives.primitive import ANYTHING, NOTHING, Effects, Primitive, Slot
from autodiff.rules import registry
from autodiff.rules.home import hashable, home, module_of
from autodiff.runtime import add_items, unite_items

_CHEAP = frozenset(
    (
        *(operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.pos),
        *(operator.floordiv, operator.mod, operator.not_, operator.lt, operator.le, operator.gt),
        *(operator.ge, operator.eq, operator.ne, operator.is_, operator.is_not, len, range),
        *(np.transpose, np.shape, np.ndim, np.size, reversed, min, max),
    )
)
"""Operations of a few nanoseconds, on numbers: they are computed again rather than kept."""

_CONVERTING = frozenset(
    (int, float, bool, complex, operator.index, operator.getitem, runtime.checked_residual)
)
"""Functions that raise an error for values that they do not take."""

_FORMAL = frozenset(
    (
        *(np.zeros_like, runtime.zeros_like, runtime.zeros_alike, np.full_like, np.ones_like),
        *(np.empty_like, np.shape, np.ndim, np.size, len, np.iscomplexobj, np.isrealobj),
        np.result_type,
    )
)
"""Functions that ask for the form of their first operand alone."""

_PURE = frozenset(
    (
        *(len, range, reversed, isinstance, callable, hasattr, type, slice, np.may_share_memory),
        *(runtime.order_of, runtime.reordered, runtime.shadow_of, runtime.blanks),
    )
)
_LEAVING = frozenset((np.tril, np.triu))

SYNTAX = Primitive(None, "expression", memory="unknown")
"""An expression that stands as it is: it has no derivative."""
DISPLAY = Primitive(None, "display", memory="unknown", cheap=True, total=True)
"""A tuple, list or dict that is written out."""
LISTING = Primitive(None, "listing", memory="new", total=True)
"""A list that is memory: items may be put into it, and asked for at run time."""
LOOK = Primitive(None, "look", memory="new", total=True)
"""A question about what containers hold now, whose answer is a number, or several."""
KEYING = Primitive(None, "keys", memory="new", total=True)
"""The list of the keys that a dict has now."""
"""Which of several things something is, as a number."""
ITEM = Primitive(None, "item", memory="view", cheap=True, total=True)
"""A part of a container by a key that is known."""


def key_of(op: Any) -> Any:
    """The key by which an `ITEM` asks for its part."""
    return op.application.arguments[1].value


DRAW = Primitive(None, "draw", pure=False, raises=True)
"""What a random generator gives, or a generator: it comes once, in its place."""
BOUND = Primitive(None, "bound", memory="view", raises=True, cheap=True)
"""A variable that holds nothing on some paths, where it is read."""


def primitive_of(function: Any) -> Primitive:
    """The entry of a callable; what is not known does everything.

    >>> registry.load()
    >>> primitive_of(np.sin).memory, primitive_of(np.copyto).pure
    ('new', False)
    >>> primitive_of(eval).effects.unknown
    True
    """
    if not hashable(function):
        return Primitive(
            function, "call", memory="unknown", pure=False, raises=True, effects=ANYTHING
        )
    pure = registry.is_pure(function) or registry.is_vouched_for(function) or function in _PURE
    pure = pure or isinstance(function, np.ufunc) and home(function)[0] is not None
    rule = registry.rule_for(function)
    return _known(function, pure, bool(rule is not None and rule.elementwise))


@functools.lru_cache(maxsize=4096)
def _known(function: Any, pure: bool, elementwise: bool) -> Primitive:
    effects = effects_of(function, pure)
    pure = pure and effects.none
    errors = errors_of(function, elementwise) if pure else None
    return Primitive(
        function,
        getattr(function, "__name__", "value"),
        claim_of(function).memory if pure else "unknown",
        pure,
        raises=not pure or function in _CONVERTING or ".linalg" in module_of(function),
        cheap=function in _CHEAP,
        elementwise=elementwise,
        effects=effects,
        total=errors in ("never", "numbers"),
        partial=errors == "numbers",
        shaped=errors == "shapes",
        leaves=function in _LEAVING,
        formal=function in _FORMAL,
        shares=claim_of(function).shares if pure else None,
    )


_FIRST = (Slot(0),)


def _writes(*names: str, others: bool = False) -> Effects:
    """Effects on the first operand, which may be given by a name."""
    return Effects(tuple(Slot(0, name) for name in names) or _FIRST, others=others)


_OF_ARRAYS: dict[Any, Effects] = {
    np.copyto: _writes("dst"),
    np.put: _writes("a", "arr"),
    np.place: _writes("arr"),
    np.putmask: _writes("a", "arr"),
    np.fill_diagonal: _writes("a"),
    np.put_along_axis: _writes("arr"),
    **dict.fromkeys((add_items, unite_items), _writes("bars")),
    runtime.overwrite: _writes("bar"),
    np.random.shuffle: _writes("x", others=True),
}
_METHODS_OF_ARRAYS = (
    "fill sort partition put resize itemset setflags setfield byteswap "
    "__setitem__ __delitem__ __setstate__"
).split()

_IN_PLACE = (
    "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift iconcat"
).split()

CHANGING: dict[Any, Effects] = {
    **_OF_ARRAYS,
    **{
        getattr(np.ndarray, name): _writes(others=name == "byteswap")
        for name in _METHODS_OF_ARRAYS
        if callable(getattr(np.ndarray, name, None))  # NumPy 2 has an `itemset` that is none
    },
    **{
        getattr(np.ndarray, f"__{name}__"): _writes(others=True)
        for name in _IN_PLACE
        if hasattr(np.ndarray, f"__{name}__")
    },
    **{getattr(operator, name): _writes(others=True) for name in _IN_PLACE},
}
"""Effects of callables that change their first operand."""

AT = _writes("a")
"""Those of `ufunc.at`."""


def effects_of(function: Any, pure: bool) -> Effects:
    """What a callable does; `pure`: it is known to do nothing but by parameters for that purpose.

    >>> effects_of(np.add.at, False).writes[0].position
    0
    >>> effects_of(print, False) is ANYTHING
    True
    """
    found = CHANGING.get(function)
    if found is not None:
        return found
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, np.ufunc) and name == "at":
        return AT
    if not pure:
        return ANYTHING
    writes, permits = outputs_of(function), permissions_of(function)
    return Effects(writes=writes, permits=permits) if writes or permits else NOTHING


_PLACES: dict[Any, int] = {np.dot: 2, np.concatenate: 2, np.vdot: 2, np.inner: 2}
"""Where `out` stands among the arguments of compiled functions that do not say so themselves."""
_PLACES_OF_METHODS = {"reduce": 3, "accumulate": 3, "reduceat": 4}
"""Where it stands among those of methods of ufuncs; `outer` takes it by name alone."""
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_OTHERS = "**"
"""The name of the parameter that takes all other names, and hands them on."""
REORDERING = frozenset(
    (np.median, np.percentile, np.quantile, np.nanmedian, np.nanpercentile, np.nanquantile)
)
"""Functions that put elements in another order where they may overwrite them."""
_ABSENT = (None,)
_REFUSED = (False, None)


def outputs_of(function: Any) -> tuple[Slot, ...]:
    """The parameters that a call writes to, if it gives them.

    >>> outputs_of(np.add)
    (Slot(position=2, name='out', harmless=(None,), rest=True),)
    >>> [slot.position for slot in outputs_of(np.cumsum)], outputs_of(np.sort)
    ([3], ())
    """
    if isinstance(function, np.ufunc):
        return (Slot(function.nin, "out", _ABSENT, rest=True),)
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, np.ufunc):
        return (Slot(_PLACES_OF_METHODS.get(name), "out", _ABSENT),)
    if isinstance(function, type):
        return ()
    parameters = _parameters(function)
    by_name = [place for place, own in parameters if own == "out"]
    places = by_name or [place for place, own in parameters if own == _OTHERS]
    found = [Slot(place, "out", _ABSENT) for place in places]
    if not found and (function in _PLACES or getattr(function, "__objclass__", None) is np.ndarray):
        own = _of_method(name) if function not in _PLACES else _PLACES[function]
        found = [Slot(own, "out", _ABSENT)]
    return tuple(found)


def permissions_of(function: Any) -> tuple[Slot, ...]:
    """The parameters by which the caller lets a function write to its operands.

    >>> [slot.name for slot in permissions_of(np.median)]
    ['overwrite_input']
    >>> permissions_of(np.nan_to_num)
    (Slot(position=1, name='copy', harmless=(True,), rest=False),)
    """
    if isinstance(function, (np.ufunc, type)):
        return ()
    if function is np.nan_to_num:
        return (Slot(1, "copy", (True,)),)
    return tuple(
        Slot(position, parameter, _REFUSED)
        for position, parameter in _parameters(function)
        if parameter.startswith("overwrite_")
    )


def _parameters(function: Any) -> list[tuple[int | None, str]]:
    """Places and names of the parameters, as far as the callable tells."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    found: list[tuple[int | None, str]] = []
    for place, (name, parameter) in enumerate(signature.parameters.items()):
        hands_on = parameter.kind is inspect.Parameter.VAR_KEYWORD
        found.append(
            (place if parameter.kind in _POSITIONAL else None, _OTHERS if hands_on else name)
        )
    return found


def _of_method(name: str) -> int | None:
    """Where `out` stands among the arguments of a method of arrays, the array being the first."""
    function = getattr(np, name, None)
    return next((place for place, own in _parameters(function) if own == "out"), None)
