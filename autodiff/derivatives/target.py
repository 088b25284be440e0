"""What a derivative is taken of: the Python function behind a callable, and its parameters."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from numbers import Number
from types import (
    BuiltinFunctionType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
    NoneType,
)
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError, NonDifferentiableError
from autodiff.frontend.jitted import plain
from autodiff.kinds.classes import is_named_tuple
from autodiff.kinds.kind import (
    UNKNOWN,
    Kind,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    differentiable,
)
from autodiff.loader import place_of
from autodiff.rules import foreign
from autodiff.rules.foreign_arrays import is_foreign_array, numbers_of
from autodiff.rules.home import hashable, is_library, module_of
from autodiff.runtime.structure import has_blank
from autodiff.structure import leaves

Wrt = int | str | tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call: by parameter, and as they are passed to the function."""

    values: tuple[Any, ...]
    positional: tuple[Any, ...]
    keywords: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    """A Python function with the arguments that its callable already holds.

    A bound method holds its instance, a `functools.partial` the arguments given to it.
    `names` are those of all parameters of the function. `paths` tell by which attributes of the
    callable each item of `prefix` is reached (`__self__`, `args[0]`), `named` the same of keywords.
    """

    function: FunctionType
    signature: inspect.Signature
    names: tuple[str, ...]
    prefix: tuple[object, ...] = ()
    keywords: Mapping[str, object] | None = None
    paths: tuple[str, ...] = ()
    named: tuple[tuple[str, str], ...] = ()

    @property
    def in_class(self) -> bool:
        """Whether the function is a method of a class whose body is running, as decorators do."""
        scope, _, _ = self.function.__qualname__.rpartition(".")
        if not scope or not self.names or self.names[0] not in ("self", "cls"):
            return False
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            body = not frame.f_code.co_flags & inspect.CO_OPTIMIZED
            if body and frame.f_locals.get("__qualname__") == scope:
                return True
            frame = frame.f_back
        return False

    @property
    def place(self) -> str:
        """Name, file and line of the function, for messages."""
        return f"{self.function.__name__} ({place_of(self.function.__code__)})"

    def bind(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Arguments:
        """All arguments of the function, defaults included, one value per parameter in order.

        Raises `TypeError` where they do not fit the signature.
        """
        args = tuple(_as_arrays(args, {}))
        if not keywords and not self.keywords:
            given = (*self.prefix, *args)
            code = self.function.__code__
            if len(given) == code.co_argcount == len(self.names):
                return Arguments(given, given, {})
        bound = self._bind(args, dict(zip(keywords, _as_arrays(keywords.values(), {}))))
        bound.apply_defaults()
        return Arguments(tuple(bound.arguments.values()), bound.args, bound.kwargs)

    def defaulted(self, args: tuple[Any, ...]) -> dict[str, Any]:
        """The parameters that keep their defaults when called with `args`, with the defaults."""
        given = self._bind(args, {}).arguments
        return {
            name: parameter.default
            for name, parameter in self.signature.parameters.items()
            if name not in given and parameter.default is not inspect.Parameter.empty
        }

    def _bind(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> inspect.BoundArguments:
        if self.keywords:
            keywords = {**self.keywords, **keywords}
        try:
            return self.signature.bind(*self.prefix, *args, **keywords)
        except TypeError as error:
            raise TypeError(f"{self.function.__qualname__}(): {error}") from None

    def resolve(self, wrt: Wrt, skip: int) -> tuple[str, ...]:
        """The parameter names meant by `wrt`; positions count after the first `skip` parameters."""
        chosen = wrt if isinstance(wrt, tuple) else (wrt,)
        names = tuple(self._resolve(item, skip) for item in chosen)
        for name in names:
            if names.count(name) > 1:
                raise self._refuse(f"wrt names parameter {name} twice", skip)
        if not names:
            raise self._refuse("wrt is empty", skip)
        return names

    def covered(self, count: int) -> tuple[tuple[str, ...], int | None]:
        """The parameters that `count` positional arguments go to.

        If some go to `*args`, that is the last name, and the number says how many items of it the
        callable already holds.
        """
        positional = self._positional()
        stop = len(self.prefix) + count
        names = tuple(positional[len(self.prefix) : stop])
        if stop <= len(positional):
            return names, None
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                return (*names, name), max(0, len(self.prefix) - len(positional))
        return names, None

    def _positional(self) -> list[str]:
        return [
            name
            for name, parameter in self.signature.parameters.items()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]

    def _resolve(self, item: int | str, skip: int) -> str:
        parameters = self.signature.parameters
        if isinstance(item, str):
            if item in parameters:
                return item
            raise self._refuse(f"{self.place} has no parameter {item!r}", skip)
        if isinstance(item, bool) or not isinstance(item, int):
            raise self._refuse(f"wrt must hold positions or names, not {item!r}", skip)
        positional = self._positional()[skip:]
        if -len(positional) <= item < len(positional):
            return positional[item]
        raise self._refuse(f"{self.place} has no parameter at position {item}", skip)

    def _refuse(self, what: str, skip: int) -> AutodiffError:
        names = self.names[skip:]
        known = ", ".join(names) if names else "none"
        return AutodiffError(
            what,
            why=f"its parameters are: {known}",
            cure=f"pass wrt={names[0]!r}, another name, or a tuple of names; "
            "arguments of the function go to the derivative: grad(f)(x)"
            if names
            else "",
        )


def _as_arrays(items: Collection[Any], made: dict[int, Any]) -> Collection[Any]:
    """Memory maps as the arrays that they are, without reading them; so in lists and dicts."""
    if not _MAPPED & {*map(type, items)}:
        return items
    return [_as_array(own, made) for own in items]


def _as_array(x: Any, made: dict[int, Any]) -> Any:
    cls = type(x)
    if cls is np.memmap:
        return x.view(np.ndarray)
    if cls not in _MAPPED:
        return x
    if id(x) not in made:
        made[id(x)] = x  # it may hold itself
        own = x.values() if cls is dict else x
        found = _as_arrays(own, made)
        same = all(map(operator.is_, own, found))
        made[id(x)] = x if same else dict(zip(x, found)) if cls is dict else cls(found)
    return made[id(x)]


_MAPPED = {np.memmap, tuple, list, dict}


def target_of(primal: Callable[..., Any]) -> Target:
    """The function behind a callable: a function, method, partial, callable object or primitive."""
    own = getattr(type(primal), "__target__", None)  # a derivative, of what it is one
    if own is not None:
        target: Target = own(primal)
        return target
    prefix: tuple[object, ...] = ()
    paths: tuple[str, ...] = ()
    keywords: dict[str, object] = {}
    named: dict[str, str] = {}
    callee: Any = plain(primal)
    path = ""
    while not isinstance(callee, FunctionType):
        if isinstance(callee, functools.partial):
            prefix = callee.args + prefix
            paths = (*(f"{path}.args[{k}]" for k in range(len(callee.args))), *paths)
            named = {**{key: f"{path}.keywords[{key!r}]" for key in callee.keywords}, **named}
            keywords = {**callee.keywords, **keywords}
            callee, path = callee.func, f"{path}.func"
        elif isinstance(callee, MethodType):
            prefix, paths = (callee.__self__, *prefix), (f"{path}.__self__", *paths)
            callee, path = callee.__func__, f"{path}.__func__"
        elif isinstance(callee, (staticmethod, functools._lru_cache_wrapper)):
            callee, path = callee.__wrapped__, f"{path}.__wrapped__"
        elif isinstance(inspect.getattr_static(type(callee), "__call__"), FunctionType):
            prefix, paths = (callee, *prefix), (path, *paths)
            callee = type(callee).__call__
        else:
            known = _by_rule(callee) if callable(callee) and hashable(callee) else None
            if known is None:
                raise _not_python(callee)
            callee = known
    if not prefix and is_library(module_of(callee)):
        callee = _by_rule(callee) or callee
    signature = inspect.signature(callee, follow_wrapped=False)
    held = prefix, keywords or None, paths, tuple(named.items())
    return Target(callee, signature, tuple(signature.parameters), *held)


def _by_rule(callee: Callable[..., Any]) -> FunctionType | None:
    from autodiff.derivatives.compiled_functions import in_python  # noqa: PLC0415 (a few need it)

    return in_python(callee)


def _not_python(callee: object) -> AutodiffError:
    from autodiff.derivatives.compiled_functions import name_of, parameters_of  # noqa: PLC0415

    if isinstance(callee, (type, classmethod)) or not callable(callee):
        function = "the function itself, and its arguments to the derivative: grad(f)(x)"
        return AutodiffError(
            f"cannot differentiate {callee!r}",
            why="it is not a Python function, method, partial or callable object",
            cure="put @grad below it" if isinstance(callee, classmethod) else f"pass {function}",
        )
    name = name_of(callee)
    last = name.rpartition(".")[2]
    native = isinstance(callee, BuiltinFunctionType) or hasattr(callee, "nin")
    owner = getattr(callee, "__self__", None)
    bound = not isinstance(owner, (ModuleType, type, NoneType))
    own = f"own.{last}" if bound else name
    given, _ = parameters_of(callee)
    where = f", where own is the {type(owner).__name__}" if bound else ""
    return AutodiffError(
        f"cannot differentiate {name}: it has no Python source",
        why="it is compiled code" if native else f"it is a {type(callee).__name__}",
        cure=f"wrap it in a function: grad(lambda {given}: {own}({given})){where}",
    )


def check_wanted(
    target: Target, wrt: tuple[str, ...], kinds: tuple[Kind, ...], values: tuple[Any, ...]
) -> None:
    """Refuse a derivative with respect to an integer, a string, None, a function ..."""
    for name, kind, value in zip(target.names, kinds, values):
        if name not in wrt:
            continue
        own = _own_class(kind)
        if is_foreign_array(type(value)) and not _is_rebuilt(kind):
            why = f"{name} is of the class {type(value).__name__}, no array of NumPy"
            cure = f"pass its numbers: {numbers_of(name, type(value))}"
        elif own is not None:
            base = next(base for base in _CONTENTS if issubclass(own, base))
            why = f"{own.__name__} is a class of its own, derived from {base.__name__}"
            cure = f"pass a plain {base.__name__}"
        elif not _wanted(kind) or _is_no_float(value) or kind is UNKNOWN and not [*leaves(value)]:
            what, cure = _describe(name, kind, value)
            others = (n for n, k in zip(target.names, kinds) if n not in wrt and differentiable(k))
            cure = cure or f"choose another parameter: wrt={next(others, 'its name')!r}"
            why = f"{name} is {what}, which has no derivative"
        else:
            continue
        raise NonDifferentiableError(
            f"cannot differentiate {target.place} with respect to {name}", why=why, cure=cure
        )


_CONTENTS = (np.ndarray, list, tuple, dict, set, frozenset, float, complex)
"""Classes whose instances hold more than attributes."""


def _own_class(kind: Kind) -> type | None:
    """The class of a part that is derived from one of containers, arrays or numbers."""
    if isinstance(kind, Record):
        plain = kind.cls in (list, tuple, dict) or is_named_tuple(kind.cls)
        if issubclass(kind.cls, _CONTENTS) and not plain:
            return kind.cls
        return next(filter(None, map(_own_class, kind.items)), None)
    return _own_class(kind.item) if isinstance(kind, Sequence) else None


def _is_rebuilt(kind: Kind) -> bool:
    """Whether there are numbers in an object, and one like it for their derivatives."""
    return bool(getattr(kind, "items", ())) and differentiable(kind) and _has_blanks(kind)


def _has_blanks(kind: Kind) -> bool:
    items = kind.items if isinstance(kind, Record) else ()
    own = not isinstance(kind, Record) or kind.cls in _CONTENTS or has_blank(kind.cls)
    return own and all(map(_has_blanks, items))


def _wanted(kind: Kind) -> bool:
    if isinstance(kind, Record) and not kind.items:  # an empty list has an empty gradient
        return True
    return differentiable(kind)


def _is_no_float(value: Any) -> bool:
    """Whether a value is a number of another kind, or an array of what are no numbers."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "fc"
    if foreign.is_followed(type(value)):  # a sparse array by lists has an array of objects
        return _is_no_float(getattr(value, "data", None))
    return isinstance(value, (Number, Set)) and not isinstance(value, (float, complex, np.inexact))


def _describe(name: str, kind: Kind, value: Any) -> tuple[str, str]:
    if isinstance(kind, Scalar):
        article = "an" if kind.type == "int" else "a"
        return f"{article} {kind.type}", f"pass a float: {name}={float(value)!r}"
    if isinstance(value, np.ndarray) and value.dtype.names:
        return "an array of records", f"pass its fields: {name}[{value.dtype.names[0]!r}]"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}", f"pass floats: {name}.astype(float)"
    if foreign.is_followed(type(value)):
        return f"a {type(value).__name__} without an array of floats", f"pass {name}.tocsr()"
    if _is_no_float(value):
        return f"a {type(value).__name__}", "pass a float or an array of floats"
    if isinstance(kind, (Record, Sequence)):
        return f"a {type(value).__name__} without a float in it", "pass floats"
    if isinstance(kind, Static) and value is None:
        return "None", "pass a float or an array of floats"
    if isinstance(kind, Text) or isinstance(value, str):  # a string's kind is its content
        return f"a {type(value).__name__}", "pass a float or an array of floats"
    if isinstance(value, Mapping):
        return f"a {type(value).__name__}", f"pass a dict: dict({name})"
    if isinstance(value, Iterable):
        return f"a {type(value).__name__}", f"pass an array or a list: [*{name}]"
    return f"a {type(value).__name__}", ""
