"""Objects of classes derived from `np.ndarray`: the array that one is, and attributes of its own.

class Quaternion(np.ndarray):                         q is an object with a part `A`, and an array
    def __new__(cls, q):
        obj = super().__new__(cls, q.shape, float, q)
        obj.A = q
        return obj

What NumPy makes of such an object is asked of NumPy, with objects of a class that has methods of
the same names: an array, a number, or another object of the class, as which `__array_finalize__`
begins it. Where NumPy would ask one of these methods, it is refused.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import gast
import numpy as np

from autodiff.core import WHOLE, NotYet, Value, Verbatim, constant
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Scalar
from autodiff.kinds.rounds import NoExemplar, Round
from autodiff.lower.entries.above import Arguments, Values
from autodiff.lower.entries.boxes import boxed, called, watch
from autodiff.lower.entries.entry import Box, Entries, Entry, Keywords, Pack
from autodiff.lower.entries.metaclasses import is_usual
from autodiff.primitives import hole
from autodiff.runtime import check_in_order
from autodiff.syntax.names import name as spelled


class _Array:
    """The key of the array that an object is."""

    def __repr__(self) -> str:
        return "array"


ARRAY: Any = _Array()


def array_of(entry: Entry) -> Value | None:
    """The array that an object is; None for others."""
    found = entry.slots.get(ARRAY) if isinstance(entry, Box) else None
    return found if isinstance(found, Value) else None


def stored_into(entry: Entry, method: str = "__setitem__") -> Entry:
    """The array that an object is, where that is changed; others, and what has a method for it, as
    they are.
    """
    own = array_of(entry)
    return entry if own is None or defines(entry, method) else own


def numbers_in(entry: Entry) -> Entry | None:
    """The array whose numbers iterating over an object gives."""
    own = array_of(entry)
    if own is None:
        return None
    if not isinstance(own.kind, Array) or len(own.kind.shape) != 1 or defines(entry, "__getitem__"):
        raise NotYet("a loop over an object that is an array")
    return own


def defines(entry: Entry, name: str) -> bool:
    """Whether the class of such an object has a method of its own."""
    assert isinstance(entry, Box)
    return class_attribute(entry.cls, name) is not class_attribute(np.ndarray, name)


def begun(expressions: Values, given: Entries, named: Keywords) -> Entry:
    """`np.ndarray.__new__(cls, shape, float, buffer)`: the memory of an array."""
    cls = given[0].constant if given and isinstance(given[0], Value) else None
    if not isinstance(cls, type) or not is_taken(cls) or len(given) != 4 or named:
        raise NotYet("a call of np.ndarray.__new__")
    _, shape, dtype, buffer = given
    whole = buffer.kind if isinstance(buffer, Value) else None
    if not isinstance(whole, Array) or whole.dtype != "float64" or not isinstance(shape, Pack):
        raise NotYet("a call of np.ndarray.__new__")
    assert isinstance(buffer, Value)
    if getattr(dtype, "constant", None) not in (float, np.float64) or sizes(shape) != whole.shape:
        raise NotYet("a call of np.ndarray.__new__")
    if None in whole.shape:
        raise NotYet("a call of np.ndarray.__new__")
    check = spelled(expressions.unit.references.use("check_in_order", check_in_order))
    call = gast.Expr(value=gast.Call(check, [hole(0)], []))
    expressions.builder.add(Verbatim(call, [buffer], expressions.builder.origin))
    view = expressions.builder.view(buffer, WHOLE, [])
    return finalized(expressions, cls, view, constant(None))


def sizes(shape: Pack) -> tuple[Any, ...]:
    """The sizes in a shape, as far as they are known."""
    values = [item if isinstance(item, Value) else None for item in shape.items]
    kinds = [None if value is None else value.kind for value in values]
    known = [None if v is None else v.constant if v.is_constant else None for v in values]
    return tuple(
        getattr(kind, "value", None) if own is None else own for own, kind in zip(known, kinds)
    )


@functools.cache
def is_taken(cls: type) -> bool:
    """Whether a class says nothing else to NumPy than how its objects begin."""
    if not is_usual(cls) or not issubclass(cls, np.ndarray):
        return False
    behind = cls.__mro__[: cls.__mro__.index(np.ndarray)]
    said = {name for base in behind for name in vars(base)}
    told = {name for name in said if name.startswith("__array")}
    answers = said & {"__getattribute__", "__setattr__"} or said & {"__getattr__", "__del__"}
    return told <= {"__array_finalize__"} and not (answers or "__slots__" in said)


def finalized(expressions: Values, cls: type, value: Value, parent: Entry) -> Box:
    """An object of a class that NumPy makes: of another one, or of none."""
    box = boxed(expressions.unit, cls, {ARRAY: value}, cls.__name__.lower())
    box.view = False  # its attributes are not all that it is
    found = class_attribute(cls, "__array_finalize__")
    watch(expressions, cls, "__array_finalize__", found)
    if isinstance(found, FunctionType):
        called(expressions, found, box, parent, stores=True)
    return box


class Asked(Exception):
    """NumPy asks a method of a class, or begins more than one object."""


@functools.cache
def exemplar_class(cls: type) -> type:
    """A class that tells of which object another one was made, and refuses to answer."""

    def begin(self: Any, parent: Any) -> None:
        self.parent = parent

    def refuse(self: Any, *given: Any, **named: Any) -> Any:
        raise Asked

    behind = cls.__mro__[: cls.__mro__.index(np.ndarray)]
    own = {name: held for base in behind for name, held in vars(base).items()}
    held: dict[str, Any] = {
        name: refuse if callable(getattr(np.ndarray, name)) else property(refuse)
        for name, found in own.items()
        if name in dir(np.ndarray) and hasattr(type(found), "__get__")
    }
    begins = {"__new__": np.ndarray.__new__, "__init__": object.__init__}
    return type("Exemplar", (np.ndarray,), {**held, **begins, "__array_finalize__": begin})


def computed(
    expressions: Values,
    given: Entries,
    run: Callable[..., Any],
    compute: Callable[[Entries], Entry],
) -> Entry:
    """What NumPy computes with such objects. run: of exemplars; compute: of the arrays."""
    holders = [entry for entry in given if array_of(entry) is not None]
    plain = [array_of(entry) or entry for entry in given]
    each = Round(0)
    try:
        exemplars = [exemplar(each, entry) for entry in given]
        objects = [own for own in exemplars if hasattr(own, "parent")]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = run(*exemplars)
    except Exception:
        raise NotYet("a call with an object that is an array") from None
    found = compute(plain)
    if not hasattr(result, "parent"):
        if any(isinstance(part, np.ndarray) and hasattr(part, "parent") for part in parts(result)):
            raise NotYet("several objects that are arrays")
        return found
    places = [k for k, own in enumerate(objects) if own is result.parent]
    if len(places) != 1 or not isinstance(found, Value) or not isinstance(found.kind, Array):
        raise NotYet("a call with an object that is an array")
    parent = holders[places[0]]
    assert isinstance(parent, Box)
    return finalized(expressions, parent.cls, found, parent)


def parts(result: Any) -> list[Any]:
    """The parts of what gives several."""
    return [*result] if isinstance(result, (tuple, list)) else [result]


def exemplar(each: Round, entry: Entry) -> Any:
    """A value of the kind of an entry; of an object one of a class that refuses to answer."""
    own = array_of(entry)
    if own is not None and isinstance(entry, Box):
        return each.value(own.kind).view(exemplar_class(entry.cls))
    if isinstance(entry, Pack) and entry.cls in (tuple, slice):
        items = [exemplar(each, item) for item in entry.items]
        return tuple(items) if entry.cls is tuple else slice(*items)
    if isinstance(entry, Box) and entry.cls is list and entry.memory is None:
        return [exemplar(each, item) for item in entry.slots.values()]
    if not isinstance(entry, Value):
        raise NoExemplar
    if entry.is_constant:
        return entry.constant
    whole = isinstance(entry.kind, Scalar) and entry.kind.type == "int"
    return 0 if whole else each.value(entry.kind)  # a place that is there, say


def of_function(
    expressions: Values,
    function: Any,
    arguments: Arguments,
    compute: Callable[[Arguments], Entry],
) -> Entry | None:
    """What a function computes with such objects; None where it is given none."""
    named = arguments.named
    given = [*arguments.positional, *(entry for _, entry in named)]
    count = len(arguments.positional)
    if expressions.trusts or all(array_of(entry) is None for entry in given):
        return None
    if any(key == "out" for key, _ in named):
        raise NotYet("an object that is an array and is written to")

    def run(*own: Any) -> Any:
        return function(*own[:count], **dict(zip((key for key, _ in named), own[count:])))

    def computing(plain: Entries) -> Entry:
        arguments.positional = plain[:count]
        arguments.named = [(key, entry) for (key, _), entry in zip(named, plain[count:])]
        return compute(arguments)

    return computed(expressions, given, run, computing)


def is_own(box: Box, name: str) -> bool:
    """Whether an attribute is one of the array that an object is, which its class has not."""
    if array_of(box) is None or name in box.slots or not hasattr(np.ndarray, name):
        return False
    behind = box.cls.__mro__[: box.cls.__mro__.index(np.ndarray)]
    return not name.startswith("__") and not any(name in vars(base) for base in behind)
