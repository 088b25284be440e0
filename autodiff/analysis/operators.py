"""Operators on objects: the methods that their classes give them."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.cycles import check_recursive
from autodiff.analysis.joined import JOINING, joining_function, joins, parts_joined
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Instance,
    Kind,
    Numeric,
    Record,
    Scalar,
    classes_of,
)
from autodiff.analysis.objects import Parts, Pending
from autodiff.analysis.operation import BINARY, UNARY
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.normal import normal_form
from autodiff.normalize.sites import Direct, Site
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import of_class, walk

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver


_NUMBERS = frozenset((Scalar, Array, Numeric))


def operator_site(resolver: Resolver, statement: gast.stmt, value: Any) -> Site | Direct | None:
    """`u + v`, `-u` and `u[i]` of objects whose class says what they mean.

    A method that comes to the same operator again is called, not inlined.
    """
    if isinstance(value, gast.BinOp):
        left, right = resolver.kinds.of(value.left), resolver.kinds.of(value.right)
        if left.__class__ in _NUMBERS and right.__class__ in _NUMBERS:  # nearly all
            return None
        word = BINARY[type(value.op)].__name__.strip("_")
        tries = [(value.left, value.right, word), (value.right, value.left, f"r{word}")]
        if _is_open(resolver, left) or _is_open(resolver, right):
            return None
        first = _first(left, right, f"__r{word}__")
        if first is None:
            return None
        tries = tries[first:] + tries[:first]
    elif isinstance(value, gast.UnaryOp):
        tries = [(value.operand, None, UNARY[type(value.op)].__name__.strip("_"))]
    elif joins(resolver.kinds.of(value.value)):
        return _joined(resolver, statement, value) if reads(value) & resolver.varied else None
    elif any(isinstance(part, gast.Slice) for part in walk(value.slice)):
        return None  # a slice is no expression of its own
    else:
        tries = [(value.value, value.slice, "getitem")]
    for base, other, word in tries:
        kind = resolver.kinds.of(base)
        if not isinstance(kind, (Record, Parts)) or kind.cls in (tuple, list, dict):
            continue
        found = class_attribute(kind.cls, f"__{word}__")
        if isinstance(found, types.FunctionType):
            given = (base,) if other is None else (base, other)
            if comes_again(resolver, found, statement):
                return called_again(resolver, found, given, statement, value)
            callee = resolver.callee(found, statement, value)
            resolver.assume(base)
            return Site(callee, (base,), () if other is None else (other,), ())
    return None


def _is_open(resolver: Resolver, kind: Kind | None) -> bool:
    """Whether an operand may turn out to be an object once more is inlined."""
    if isinstance(kind, Pending):
        return True
    open_ = kind in (None, UNKNOWN) or isinstance(kind, Instance) and classes_of(kind)
    if not open_ or not resolver.kinds.hopeful:
        return False
    resolver.left_open = True  # ask again when nothing else is left to inline
    return True


def _first(left: Kind | None, right: Kind | None, method: str) -> int | None:
    """Which operand Python asks first, None if that is open.

    It is the right one if its class is derived from that of the left one, and says otherwise.
    """
    if left in (None, UNKNOWN) or isinstance(left, Instance) and classes_of(left):
        return None
    base = left.cls if isinstance(left, (Record, Parts)) else None
    known = isinstance(right, (Record, Parts))
    classes = (right.cls,) if known else classes_of(right)  # type: ignore[union-attr]
    if base is not None and right in (None, UNKNOWN):
        classes = tuple(_derived(base))
    found = {
        base is not None
        and cls is not base
        and issubclass(cls, base)
        and class_attribute(cls, method) is not class_attribute(base, method)
        for cls in classes
    }
    if not found or found == {False}:
        return 0
    return 1 if known else None


def _derived(cls: type) -> list[type]:
    """All classes that are derived from one, as far as they exist by now."""
    own: list[type] = type.__subclasses__(cls)
    return own + [further for one in own for further in _derived(one)]


def comes_again(resolver: Resolver, function: Any, statement: gast.stmt) -> bool:
    """Whether a method that is asked for without a call's syntax is being inlined there."""
    code = getattr(function, "__code__", None)
    chain = (resolver.main, *resolver.chains.get(id(statement), ()))
    return code is not None and (code in resolver.recursive or code in chain)


def called_again(
    resolver: Resolver,
    function: Any,
    given: tuple[gast.expr, ...],
    statement: gast.stmt,
    value: gast.expr,
) -> Direct | None:
    """The call that such a method is, where it carries a derivative."""
    if not reads(value) & resolver.varied:
        return None
    check_recursive(normal_form(function).tree.args, place(value, origin_of(statement)))
    resolver.recursive.add(function.__code__)
    return Direct(function, given, ())


def _joined(resolver: Resolver, statement: gast.stmt, value: gast.Subscript) -> Site | None:
    """`np.r_[x, 0.0, 1:3]` as `np.hstack([x, 0.0, np.arange(1, 3)])`.

    What is not known may be known once more is inlined; see `check_joined`.
    """
    base = resolver.kinds.of(value.value)
    assert isinstance(base, Record)
    function = joining_function(value, base, resolver.kinds.of)
    if function is None:
        return None
    return Site(normal_form(function), (), tuple(parts_joined(value)), ())  # type: ignore[arg-type]


def check_joined(resolver: Resolver, tree: gast.FunctionDef) -> None:
    """Refuse what is left of `np.r_[...]` and `np.c_[...]` if a derivative flows through it."""
    for statement in of_class(tree.body, gast.Assign):
        value = statement.value
        base = resolver.kinds.of(value.value) if isinstance(value, gast.Subscript) else None
        if not isinstance(base, Record) or not joins(base) or not reads(value) & resolver.varied:
            continue
        written, instead = JOINING[base.cls]
        raise UnsupportedSyntaxError(
            f"`np.{written}[...]` of values that carry a derivative",
            place(value, origin_of(statement)),
            why="it is followed for arrays of known rank, and numbers beside arrays of doubles; "
            "texts in its index change what it means",
            cure=f"write `{instead}`",
        )
