"""Calls in a run that are operations, or run as they are."""

from __future__ import annotations

import builtins
import inspect
from contextlib import nullcontext
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.primitives.executing import reads_variables
from autodiff.primitives.table import primitive_of
from autodiff.rules import foreign, registry
from autodiff.rules.home import hashable, is_library, module_of, public_name
from autodiff.rules.ruled import user_rule
from autodiff.tracing import bound_late
from autodiff.tracing.array_classes import by_class, says_itself
from autodiff.tracing.attribute_hooks import Method
from autodiff.tracing.bound_late import call, numeric, of_array, where_asked
from autodiff.tracing.calls_in_c import told
from autodiff.tracing.guard import seen_in_operation
from autodiff.tracing.items import setitem
from autodiff.tracing.number import Number, on_copies, plain_copy
from autodiff.tracing.object_arrays import elementwise, moved, reduced
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import operate
from autodiff.tracing.reach import holds_derivative, is_discrete
from autodiff.tracing.special_methods import in_python, method
from autodiff.tracing.texts_read import check_read
from autodiff.tracing.trace import Trace


def is_ruled(f: Any) -> bool:
    registry.load()
    return registry.rule_for(f) is not None


def method_of(trace: Trace, f: Method, args: Any, keywords: Any) -> Any:
    """A method of a number or array."""
    found = of_array(trace, f.owner, f.name, args, keywords)
    if found is not NotImplemented:
        return found
    name = f.name
    args, keywords = out_by_name(name, args, keywords)
    out = keywords.get("out")
    if out is not None:
        rest = {key: own for key, own in keywords.items() if key != "out"}
        on_copies(getattr(np.ndarray, name), f.owner, *args, **keywords)
        setitem(out, Ellipsis, method_of(trace, f, args, rest))
        return out
    try:
        return operate(
            trace,
            f"method {name}",
            f"{{0}}.{name}({{args}})".replace("{args}", _rest(args, keywords)),
            (f.owner, *args),
            keywords,
            lambda own, *rest, **named: builtins.getattr(own, name)(*rest, **named),
        )
    except Missing as why:
        raise trace.fail(str(why)) from None


def _rest(args: Any, keywords: Any) -> str:
    """The places of the arguments after the first in a template."""
    return ", ".join(f"{{{k + 1}}}" for k in range(len(args) + len(keywords)))


def _put(place: Any, made: Any) -> Any:
    """What a result is given out as: the memory that it is put into, if there is some."""
    if place is None:
        return made
    setitem(place, Ellipsis, made)
    return place


def operation(trace: Trace, f: Any, args: Any, keywords: Any, fall: bool = False) -> Any:
    """A call of what has a rule, or of what NumPy has in Python."""
    if not holds_derivative(trace, (args, keywords)):
        return run(trace, f, args, keywords)
    found = _of_users(trace, f, args, keywords)
    if found is not NotImplemented:
        return found
    asks_form = _asks_form(f) and not holds_derivative(trace, (args[1:], keywords))
    plainly = registry.is_nondifferentiable(f) and registry.is_pure(f)
    if asks_form or plainly and not any(map(_is_complex, args)):
        named = {key: plain_copy(own) for key, own in keywords.items()}
        if trace.watch is not None:
            trace.watch.seen(f, tuple(map(plain_copy, args)), named, None, ())
        with seen_in_operation() if any(map(says_itself, args)) else nullcontext():
            return f(*map(plain_copy, args), **named)
    args, keywords = out_by_name(f, args, keywords)
    where = keywords.get("where")
    if isinstance(f, np.ufunc) and where is not None and np.ndim(where) == 0 and bool(where):
        keywords = {name: own for name, own in keywords.items() if name != "where"}
    out = keywords.get("out")
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if out is Ellipsis:  # an array, of no axes too
        rest = {name: own for name, own in keywords.items() if name != "out"}
        return call(np.asarray, call(f, *args, **rest))
    if out is not None:
        if isinstance(out, tuple) and "where" in keywords:
            raise trace.fail("several `out` of a universal function")
        on_copies(f, *args, **{**keywords, "out": out})
        if "where" in keywords and isinstance(f, np.ufunc):
            return where_asked(f, args, keywords, out)
        rest = {name: own for name, own in keywords.items() if name != "out"}
        made = call(f, *args, **rest)
        if isinstance(out, tuple):
            return tuple(map(_put, out, made))
        return _put(out, made)
    if isinstance(f, np.ufunc) and len(args) > f.nin:
        places = (*args[f.nin :], *[None] * (f.nin + f.nout - len(args)))
        return operation(trace, f, args[: f.nin], {**keywords, "out": places})
    try:
        given, named = numeric(trace, args, keywords)
        return operate(trace, f, "f({args})", given, named, f, user_rule(f) is not None)
    except Missing as why:
        if fall:
            raise
        found = moved(trace, f, args, keywords)
        if found is not NotImplemented:
            return found
        inside = getattr(f, "_implementation", None)
        if isinstance(inside, FunctionType) and not isinstance(f, np.ufunc):
            return bound_late.followed(trace, inside, args, keywords)
        raise trace.fail(str(why)) from None


_OUT = {np.dot: 2, "dot": 1, "sum": 2, "mean": 2, "prod": 2, "cumsum": 2, "cumprod": 2, "max": 1,
        "min": 1, "take": 2, "clip": 2}  # fmt: skip
"""Where `out` comes of functions that do not say so, and of methods."""


def out_by_name(f: Any, args: Any, keywords: Any) -> tuple[Any, Any]:
    """The arguments with what is written to by its name."""
    if isinstance(f, np.ufunc):
        return args, keywords
    place = None if type(f).__hash__ is None else _OUT.get(f)
    if place is None and (getattr(f, "__module__", "") or "").startswith("numpy"):
        names = _names(f)
        place = names.index("out") if "out" in names else None
    if place is None or len(args) <= place:
        return args, keywords
    if args[place] is None:
        return args, keywords
    if len(args) > place + 1:
        raise Missing("an operation with `out` by its place")
    return args[:place], {**keywords, "out": args[place]}


def _names(f: Any) -> list[str]:
    try:
        parameters = inspect.signature(f).parameters.values()
    except (ValueError, TypeError):
        return []
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [own.name for own in parameters if own.kind in by_place]


def _of_users(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """NumPy's functions of objects of the user's, which may say themselves what they give."""
    if isinstance(f, np.ufunc):
        return universal(trace, f, "__call__", args, keywords)
    if isinstance(owner := getattr(f, "__self__", None), np.ufunc):
        return universal(trace, owner, f.__name__, args, keywords)
    for own in args:
        cls = type(own)
        if cls.__module__ == "builtins" or isinstance(own, (Number, np.generic)):
            continue
        special = method(cls, "__array_function__")
        if isinstance(special, FunctionType):
            return call(special, own, f, (cls,), args, keywords)
        if isinstance(own, np.ndarray):
            continue
        inside = getattr(f, "_implementation", None)
        if is_library(module_of(cls)):
            known = not isinstance(own, np.poly1d)
        else:
            known = in_python(cls, "__array__") is not None and not hasattr(cls, f.__name__)
        if isinstance(inside, FunctionType) and not known:
            return bound_late.followed(trace, inside, args, keywords)
    return NotImplemented


def universal(trace: Trace, f: np.ufunc, way: str, args: Any, keywords: Any) -> Any:
    """A universal function where classes or objects say what it gives; else NotImplemented."""
    found = by_class(trace, f, way, args, keywords)
    if found is not NotImplemented:
        return found
    if way == "__call__":
        return elementwise(trace, f, args, keywords)
    return reduced(trace, f, way, args, keywords)


def _asks_form(f: Any) -> bool:
    """Whether a function asks for the form of its first argument alone."""
    return bool(hashable(f) and primitive_of(f).formal)


def _is_complex(x: Any) -> bool:
    return np.iscomplexobj(plain_copy(x))


def run(trace: Trace, f: Any, args: Any, keywords: Any, checked: bool = False) -> Any:
    """A call of what carries no derivative and is not followed, as it is."""
    own = getattr(f, "__self__", None)
    if not checked and holds_derivative(trace, (args, keywords, f, own)):
        plain = registry.written_for(f) if hashable(f) else None
        if plain is not None:
            return bound_late.followed(trace, plain, args, keywords)
        plain = registry.written_for(type(f).__call__)  # of an object in C
        if plain is not None:
            return bound_late.followed(trace, plain, (f, *args), keywords)
        if foreign.is_handle(own):
            plain = registry.written_for(getattr(type(own), f.__name__))
            if plain is not None:
                return bound_late.followed(trace, plain, (own, *args), keywords)
        found = told(trace, f, args, keywords)
        return _blindly(trace, f, args, keywords) if found is None else found[0]
    if reads_variables(f) and not _joins(f, args):
        raise trace.fail(f"`{public_name(f)}`, which reads the variables of a function")
    return check_read(trace, (own, args, keywords), f(*args, **keywords))


def _joins(f: Any, args: Any) -> bool:
    """Whether this is `np.r_[...]` or `np.c_[...]` of arrays: it reads variables for text alone."""
    joining = type(np.r_).__mro__[1].__getitem__  # type: ignore[index]
    return getattr(f, "__func__", f) is joining and not isinstance(args[-1], str)


def _blindly(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """An object in C that is made of plain values, or what it answers: numbers of it are lost, but
    not whole numbers, truth values and texts.
    """
    makes = isinstance(f, type) and not issubclass(f, (np.ndarray, np.generic, float, complex))
    owner = getattr(f, "__self__", args[0] if args else None)
    if makes or id(owner) in trace.blind:
        given = {key: plain_copy(own) for key, own in keywords.items()}
        result = f(*map(plain_copy, args), **given)
        if makes:
            trace.blind[id(result)] = result
            return result
        if is_discrete(result):
            trace.printed |= isinstance(result, str)
            return result
    raise trace.fail(f"no derivative rule for {public_name(f)}")
