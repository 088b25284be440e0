"""Functions that are compiled once as a forward and a reverse half: those that call themselves."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from autodiff.analysis.forgetting import forget
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Bound,
    Derived,
    Kind,
    Local,
    Mapping,
    Nullable,
    OneOf,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    forget_values,
    with_parts,
)
from autodiff.analysis.size import Dim, Size, owners_of
from autodiff.errors import AutodiffError
from autodiff.syntax.origin import Entry

Key = tuple[types.CodeType, tuple[Kind, ...]]
ResultOf = Callable[[types.FunctionType, tuple[Kind, ...]], "Kind | None"]


@dataclass(slots=True)
class Recursion:
    """What one compilation knows of the recursive functions it meets."""

    result_of: ResultOf
    marked: set[types.CodeType] = field(default_factory=set)
    """The functions that are not inlined."""
    divided: set[types.CodeType] = field(default_factory=set)
    """Those of them that would be inlined if that were not too much text (`divided`)."""
    whole: bool = False
    """Whether all is inlined that can be, however long the text gets."""
    summarize: bool = False
    asked: bool = False
    results: dict[Key, Kind | None] = field(default_factory=dict)
    functions: dict[tuple[Key, tuple[str, ...]], tuple[types.CellType, str]] = field(
        default_factory=dict
    )
    """The halves that were compiled, or are being compiled, and what they are called."""
    sources: list[str] = field(default_factory=list)
    """The texts of functions that the derivative calls."""
    texts: dict[Any, tuple[types.CellType, str]] = field(default_factory=dict)
    """Halves of `divided` functions by their text and what it refers to."""
    loaded: list[types.FunctionType] = field(default_factory=list)
    """Those of them that a backend compiles."""
    beside: dict[str, object] = field(default_factory=dict)
    """What else the texts read, outside of functions."""
    guards: list[Callable[[], bool]] = field(default_factory=list)
    """Checks that what was resolved while compiling the halves, or summaries, still holds."""
    entered: set[types.CodeType] = field(default_factory=set)
    """Functions whose summary is being found."""
    titles: set[str] = field(default_factory=set)
    """The names of functions that were written for parts of others."""
    lifted: dict[Any, tuple[dict[str, types.FunctionType], Any]] = field(default_factory=dict)
    """Nested functions as functions of their own, by their text and what it refers to."""
    entries: dict[types.CodeType, Entry | None] = field(default_factory=dict)
    """Of recursive functions of libraries: the call in the user's file that led there."""
    trees: dict[types.CodeType, tuple[Any, Any]] = field(default_factory=dict)
    """The tree and the namespace of each of them."""
    versions: dict[types.CodeType, set[types.CodeType]] = field(default_factory=dict)
    """Of functions that are given functions: what they were made to for these."""

    def result(self, function: types.FunctionType, kinds: list[Kind | None]) -> Kind | None:
        """The kind that a recursive function returns; None while nothing is known of it."""
        if any(isinstance(kind, (Local, Bound)) for kind in kinds):
            return UNKNOWN  # it is compiled for these functions, as another one
        if function.__code__ not in self.marked:
            return self.summary(function, kinds)
        if function.__code__ in self.divided:
            return self.shared(function, kinds)
        general = tuple(map(generalized, kinds))
        key = (function.__code__, general)
        if key in self.results:
            return self.results[key]
        self.results[key] = None
        for _ in range(6):
            found = apart(self.result_of(function, general))
            if found == self.results[key]:
                return found
            self.results[key] = found
        self.results[key] = UNKNOWN
        return UNKNOWN

    def shared(self, function: types.FunctionType, kinds: list[Kind | None]) -> Kind:
        """The kind that a function returns which is called from several places, for these kinds."""
        code = function.__code__
        known, sizes = alike_and_sizes([kind or UNKNOWN for kind in kinds])
        key = (code, given := tuple(known))
        if key not in self.results:
            self.results[key] = UNKNOWN
            if code in self.entered:  # it comes to call itself
                self.divided.discard(code)
                return UNKNOWN
            self.entered.add(code)
            try:
                self.results[key] = apart(self.result_of(function, given)) or UNKNOWN
            finally:
                self.entered.discard(code)
        return with_sizes(forget_values(self.results[key] or UNKNOWN), sizes)

    def summary(self, function: types.FunctionType, kinds: list[Kind | None]) -> Kind:
        """The kind that a function returns which is called as it is, since no derivative flows.

        Only asked for once nothing is left to inline: most calls are inlined, and then tell more.
        """
        if None in kinds or getattr(function, "__module__", "") in ("numpy", "scipy"):
            return UNKNOWN
        if not self.summarize:
            self.asked = True
            return UNKNOWN
        given = tuple(kind or UNKNOWN for kind in kinds)
        key = (function.__code__, given)
        if key not in self.results:
            self.results[key] = UNKNOWN
            if function.__code__ in self.entered:  # for other kinds, at each depth others
                return UNKNOWN
            self.entered.add(function.__code__)
            try:
                found = apart(self.result_of(function, given)) or UNKNOWN
            except AutodiffError:
                found = UNKNOWN
            finally:
                self.entered.discard(function.__code__)
            sizes = {size.name for kind in given for size in dims(kind)}
            foreign = [size for size in dims(found) if size.name not in sizes]
            self.results[key] = forget_values(forget(found, set().union(*map(owners_of, foreign))))
        return self.results[key] or UNKNOWN


def apart(kind: Kind | None) -> Kind | None:
    """The kind of a result where the variables of the function that returns it mean nothing.

    Of functions that are made there is nothing to say: they read those by their names.
    """
    if isinstance(kind, (Local, Bound, Derived)):
        return UNKNOWN
    if isinstance(kind, OneOf):
        return kind if all(map(_is_apart, kind.options)) else UNKNOWN
    if isinstance(kind, Record):
        return replace(kind, items=tuple(apart(item) or UNKNOWN for item in kind.items))
    if isinstance(kind, (Sequence, Mapping)):
        return replace(kind, item=apart(kind.item) or UNKNOWN)
    if isinstance(kind, Nullable):
        return kind if _is_apart(kind.other) else UNKNOWN
    return kind


def _is_apart(kind: Kind) -> bool:
    return apart(kind) == kind


def dims(kind: Kind) -> list[Dim]:
    """The symbolic sizes that a kind mentions."""
    if isinstance(kind, Array):
        return [size for size in kind.shape if isinstance(size, Dim)]
    if isinstance(kind, Scalar):
        return [kind.value] if isinstance(kind.value, Dim) else []
    if isinstance(kind, Record):
        return [size for item in kind.items for size in dims(item)]
    return dims(kind.item) if isinstance(kind, (Mapping, Sequence)) else []


def generalized(kind: Kind | None, result: bool = False) -> Kind:
    """The kind that all calls of a recursion share: sizes and constants differ at each depth.

    So may the length of a tuple that is handed along; not that of a result, unless it is found to.
    """
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype)
    if isinstance(kind, Array):
        return Array(kind.dtype, (None,) * len(kind.shape))
    if isinstance(kind, Static) and isinstance(kind.value, (str, bytes)):
        return Text()
    if isinstance(kind, Record) and (not kind.indexed or result and kind.cls is tuple):
        return replace(kind, items=tuple(generalized(item, result) for item in kind.items))
    if isinstance(kind, (Static, Local, Text)):
        return kind
    if isinstance(kind, Sequence):
        return Sequence(generalized(kind.item, result), kind.cls)
    if isinstance(kind, Mapping):
        return replace(kind, item=generalized(kind.item, result), key=generalized(kind.key))
    return UNKNOWN


def alike(kinds: list[Kind]) -> list[Kind]:
    """The kinds of arguments, as `kinds_of` would find them: sizes under names of their own."""
    return alike_and_sizes(kinds, generalized)[0]


def told(kind: Kind) -> Kind:
    """The kind of what is no array: strings and flags, which choose what a function does, stay."""
    chooses = isinstance(kind, Static) or isinstance(kind, Scalar) and type(kind.value) is bool
    return kind if chooses else generalized(kind)


def alike_and_sizes(
    kinds: list[Kind], others: Callable[[Kind], Kind] = told
) -> tuple[list[Kind], dict[str, Size]]:
    """The kinds of arguments, sizes under names of their own, and which sizes these are here.

    others: the kind of what is no array, nor a tuple, list or dict of known parts.
    """
    sizes: dict[object, Dim] = {}

    def size(own: Size) -> Size:
        if own is None or own == 1:
            return own
        plural = own.plural and not own.offset if isinstance(own, Dim) else own > 1
        return sizes.setdefault(own, Dim(f"n{len(sizes)}", 2 if plural else 0))

    def visit(kind: Kind) -> Kind:
        if isinstance(kind, Array):
            return Array(kind.dtype, tuple(map(size, kind.shape)))
        if isinstance(kind, Record) and kind.indexed:
            return Record(kind.cls, kind.keys, tuple(map(visit, kind.items)))
        return others(kind)

    given = [visit(kind) for kind in kinds]
    return given, {new.name: own for own, new in sizes.items()}  # type: ignore[misc]


def with_sizes(kind: Kind, sizes: dict[str, Size]) -> Kind:
    """The kind of a result, its sizes called as the caller calls those of its arguments."""

    def size(own: Size) -> Size:
        if not isinstance(own, Dim):
            return own
        factor, base = own.factored
        there = sizes.get(base)
        if isinstance(there, Dim):
            return there.times(factor).minus(own.offset)
        return None if there is None else max(0, there * factor - own.offset)

    def visit(kind: Kind) -> Kind:
        if isinstance(kind, Array):
            return Array(kind.dtype, tuple(map(size, kind.shape)))
        return with_parts(kind, visit)

    return visit(kind)
