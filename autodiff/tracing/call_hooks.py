"""Calls in a run: what is called is followed, is an operation, or is run as it is."""

from __future__ import annotations

import functools
import inspect
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from autodiff.core import NotYet
from autodiff.errors import SourceNotFoundError
from autodiff.frontend import jitted
from autodiff.frontend.draws import DRAWS, MOVES, OF_FIRST
from autodiff.kinds.arguments import kind_of
from autodiff.primitives.executing import reads_variables
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of, public_name
from autodiff.rules.ruled import user_rule
from autodiff.rules.taking import is_recipe, is_solver
from autodiff.tracing.attribute_hooks import Method
from autodiff.tracing.bound_late import as_array, handled_method, vectorized
from autodiff.tracing.class_calls import made_of, without_source
from autodiff.tracing.guard import unwatched
from autodiff.tracing.handlers.handled import HANDLED, Refused
from autodiff.tracing.hooked import with_hooks
from autodiff.tracing.number import Number, is_made_of_floats, plain_copy, value_of
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.plain_calls import is_ruled, method_of, operation, run
from autodiff.tracing.reach import holds_derivative, holds_users
from autodiff.tracing.special_methods import declines, in_python, method
from autodiff.tracing.trace import Trace, current

HOOKS: Any = None
"""The hooks of rewritten functions; set by the module that puts them together."""
_DISPATCHER = type(np.sum)
_OF_FORMS = ("inspect", "autodiff.transforms.vmapped")
"""Modules of functions that hold others, or ask for their forms, and call none."""

_GENERATORS = (np.random.Generator, np.random.RandomState)


def call(f: Any, /, *args: Any, **keywords: Any) -> Any:
    """`f(*args, **keywords)`."""
    trace = current()
    if trace is None:
        return f(*args, **keywords)
    cls = f.__class__
    if cls is FunctionType:
        return _function(trace, f, args, keywords)
    if cls is MethodType:
        plain = registry.written_for(f) if isinstance(f.__self__, type) else None
        if plain is not None and holds_derivative(trace, (args, keywords)):
            return followed(trace, plain, args, keywords)
        if registry.is_receiver(f.__self__) and is_ruled(f):  # a distribution
            try:
                return operation(trace, f, args, keywords, fall=True)
            except Missing:
                pass
        return call(f.__func__, f.__self__, *args, **keywords)
    if args and isinstance(args[0], _GENERATORS):
        drawn = _drawn(trace, f, args[1:], keywords)
        if drawn is not None:
            return followed(trace, drawn, args, keywords)
    elif cls is BuiltinFunctionType and isinstance(f.__self__, _GENERATORS):  # before NumPy 2
        return call(getattr(type(f.__self__), f.__name__), f.__self__, *args, **keywords)
    if cls is Number:
        return f.value(*args)  # its own error
    if cls is Method:
        return method_of(trace, f, args, keywords)
    handler = None
    if method(cls, "__hash__") is not None and in_python(cls, "__hash__") is None:
        try:
            handler = HANDLED.get(f)
        except TypeError:  # it holds what is not hashable
            handler = None
    if handler is not None:
        return handler(trace, *args, **keywords)
    if cls is functools.partial:
        return call(f.func, *f.args, *args, **{**f.keywords, **keywords})
    if isinstance(f, type):
        plain = registry.written_for(f)
        if plain is not None and holds_derivative(trace, (args, keywords)):
            return followed(trace, plain, args, keywords)
        return made_of(trace, f, args, keywords)
    if isinstance(f, functools._lru_cache_wrapper):
        return _cached(trace, f, args, keywords)
    if isinstance(f, np.vectorize):
        return vectorized(f, args, keywords)
    if module_of(cls).startswith("numba."):
        return _compiled(trace, f, args, keywords)
    if isinstance(f, (np.ufunc, _DISPATCHER)) or is_ruled(f) and not holds_derivative(trace, f):
        return operation(trace, f, args, keywords)
    own = method(cls, "__call__")
    if isinstance(own, FunctionType):
        if getattr(cls, "is_loop", False) and holds_derivative(trace, (args, f)):
            kinds = [kind_of(plain_copy(each)) for each in args]
            return followed(trace, f.__inlined__(kinds, keywords)[0], args, {})
        if module_of(type(f)).startswith("autodiff.") and not is_recipe(own):
            return operation(trace, f, args, keywords)
        return call(own, f, *args, **keywords)
    if isinstance(own, MethodType | staticmethod | classmethod):
        return call(f.__call__, *args, **keywords)
    if declines(f, args):
        return NotImplemented
    found = handled_method(trace, f, args, keywords)
    if found is not NotImplemented:
        return found
    if module_of(type(f)).startswith("autodiff."):
        return operation(trace, f, args, keywords)
    return run(trace, f, args, keywords)


def _drawn(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """What stands for a method of a generator where its arguments carry a derivative."""
    name = getattr(f, "__name__", "")
    given = args[:1] if name in OF_FIRST else (args, keywords)
    known = MOVES if args and isinstance(args[0], np.ndarray) else {}
    return (known | DRAWS).get(name) if holds_derivative(trace, given) else None


def _cached(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """A call of what keeps its results: each is the one that the run got first for such arguments,
    whether something carried a derivative then or not.
    """
    most, typed = f.cache_parameters().values()
    words, given = tuple(keywords), tuple(keywords.values())
    hash((args, given))  # its own error
    key = functools._make_key(_itself(args), dict(zip(words, _itself(given))), typed)
    kept = trace.kept.setdefault(id(f), {})
    found = kept.pop(key, None)
    if found is None:
        if holds_derivative(trace, (args, keywords, f)):
            made = call(f.__wrapped__, *args, **keywords)
        else:
            made = run(trace, f, args, keywords, checked=True)
        found = made, (f, args, given)
    kept[key] = found  # the one that was asked for last comes last
    if most is not None and len(kept) > most:
        del kept[next(iter(kept))]
    return found[0]


def _compiled(trace: Trace, f: Any, args: Any, keywords: Any) -> Any:
    """A call of what Numba compiled, by the function that it was made from: it gives the same."""
    if not holds_derivative(trace, (args, keywords)):  # what is around it are constants of its code
        with unwatched():
            return run(trace, f, args, keywords, checked=True)
    function = jitted.of_elements(f)
    if function is None or keywords:
        if not jitted.is_jitted(f):
            return run(trace, f, args, keywords)
        return call(f.py_func, *args, **keywords)
    given = [as_array(own) for own in args]
    with unwatched():
        result = f(*map(value_of, given))
    if not is_made_of_floats(result):
        return result
    if isinstance(result, np.ndarray):
        made = vectorized(np.vectorize(function, otypes=[result.dtype]), given, {})
    else:
        made = call(type(result), call(function, *given))
    if not np.allclose(value_of(made), result, rtol=1e-9, equal_nan=True):
        raise trace.fail("a ufunc of Numba's that gives something else than its function")
    return made


def _itself(x: Any) -> Any:
    """What tells apart numbers that happen to be equal."""
    if x.__class__ is tuple:
        return tuple(map(_itself, x))
    return (Number, id(x)) if x.__class__ is Number else x


def _function(trace: Trace, f: FunctionType, args: Any, keywords: Any) -> Any:
    if f.__code__ in with_hooks.OWN:
        return f(*args, **keywords)
    module = f.__module__ or ""
    if module.startswith("autodiff.tracing.") or module in _OF_FORMS and not reads_variables(f):
        return f(*args, **keywords)
    ours = module.partition(".")[0] == "autodiff"
    if ours and f in HANDLED:
        return HANDLED[f](trace, *args, **keywords)
    if ours and is_recipe(f):
        return followed(trace, f, args, keywords)
    if is_library(module):
        plain = registry.written_for(f)
        if module.startswith("scipy._lib"):
            plain = None  # it asks which NumPy there is
        if plain is not None and not _takes(plain, args, keywords):
            plain = None
        if (plain is not None or is_solver(f)) and holds_derivative(trace, (args, keywords)):
            try:
                if plain is not None:
                    return followed(trace, plain, args, keywords)
                raise Refused(f"no derivative rule for {public_name(f)}")
            except Refused as why:
                if is_solver(f):  # else what its source says is followed
                    raise trace.fail(str(why)) from None
        if not holds_derivative(trace, (args, keywords, f)):
            if not holds_users((args, keywords, f)):
                return run(trace, f, args, keywords, checked=True)
        elif ours or is_ruled(f) or registry.offer_of(f) is not None or user_rule(f) is not None:
            try:
                return operation(trace, f, args, keywords, fall=True)
            except Missing as why:
                if ours:
                    raise trace.fail(str(why)) from None
        handler = HANDLED.get(f)
        if handler is not None:
            return handler(trace, *args, **keywords)
    elif user_rule(f) is not None and holds_derivative(trace, (args, keywords)):
        return operation(trace, f, args, keywords)
    return followed(trace, f, args, keywords)


def _takes(f: Any, args: Any, keywords: Any) -> bool:
    """Whether what stands for a function takes such arguments."""
    try:
        inspect.signature(f).bind(*args, **keywords)
    except TypeError:
        return False
    return True


def followed(trace: Trace, f: FunctionType, args: Any, keywords: Any) -> Any:
    """A call of a function in Python, with hooks in it."""
    try:
        own, known = with_hooks.rewritten(f, HOOKS)
    except (SourceNotFoundError, NotYet, SyntaxError) as why:
        found = without_source(trace, f, args, keywords)
        if found is not NotImplemented:
            return found[0]
        if not holds_derivative(trace, (args, keywords, f)) and isinstance(
            why, SourceNotFoundError
        ):
            return run(trace, f, args, keywords, checked=True)
        library = is_library(f.__module__ or "")
        if library and isinstance(why, NotYet) and not holds_derivative(trace, (args, keywords, f)):
            return run(trace, f, args, keywords, checked=True)
        reason = why.what if isinstance(why, SourceNotFoundError) else str(why)
        raise trace.fail(reason) from None
    if known.global_names:
        trace.scopes.append((f.__globals__, known.global_names))
    for cell in f.__closure__ or ():
        trace.cells[id(cell)] = cell
    return own(*args, **keywords)
