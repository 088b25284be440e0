"""Functions with derivatives of their own, given as functions: `@custom(vjp=..., jvp=...)`.

They become rules, as templates do; for `def solve(x, k)` with `vjp=solve_vjp` what a template
would say is

    x_bar, k_bar = solve_vjp(d[y], y, x, k)
    d[x] = fitted(x_bar, x)
    d[k] = fitted(k_bar, k)
"""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any, TypeVar, overload

import gast

from autodiff.errors import TemplateError
from autodiff.rules import registry
from autodiff.rules.given import given_rule
from autodiff.rules.template import Rule
from autodiff.runtime import fitted
from autodiff.runtime.keywords import spelled
from autodiff.syntax.names import name, store

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

F = TypeVar("F", bound=Callable[..., Any])
Given = Callable[..., Any] | None


@overload
def custom(f: F, *, vjp: Given = ..., jvp: Given = ...) -> F: ...
@overload
def custom(f: None = ..., *, vjp: Given = ..., jvp: Given = ...) -> Callable[[F], F]: ...
@spelled
def custom(
    f: Callable[..., Any] | None = None,
    *,
    vjp: Callable[..., Any] | None = None,
    jvp: Callable[..., Any] | None = None,
) -> Any:
    """The function `f` with derivatives that are given as functions; also a decorator.

    `f` is called as it is, whatever it is: a C extension, a jitted function, an iterative solver.

    vjp
        `vjp(y_bar, y, *args)` gets the adjoint of the result, the result, and all arguments in the
        order of the parameters of `f`. It returns the adjoint of the argument if `f` has one
        parameter, else a tuple with an adjoint for each, None where there is no derivative.
    jvp
        `jvp(x_dot, y, *args)` gets the tangent of the argument (with several parameters, a tuple
        of tangents, None for what has none) and returns the tangent of the result.

    Adjoints and tangents have the structure and the shapes of what they belong to, else a
    ValueError is raised; their dtypes are converted. None of the functions may change what it is
    given. Where only `vjp` is given and it is linear Python source, forward mode derives the
    tangent from it. Second derivatives differentiate `vjp` and `jvp`.

    >>> import math
    >>> from autodiff import grad
    >>> @custom(vjp=lambda y_bar, y, a: y_bar / (2.0 * y))
    ... def root(a):
    ...     y = 1.0
    ...     while abs(y * y - a) > 1e-12:
    ...         y = 0.5 * (y + a / y)
    ...     return y
    >>> round(grad(root)(4.0), 9)
    0.25

    Raises:
        TemplateError: neither is given, or one is no function of so many arguments.
    """
    if f is None:
        return functools.partial(custom, vjp=vjp, jvp=jvp)
    if not callable(f):
        raise TemplateError(f"{f!r} is not a function", cure="write @custom(vjp=...)")
    if vjp is None and jvp is None:
        raise TemplateError(
            f"custom got no derivative of {_own(f)}",
            cure="pass vjp=..., jvp=..., or both: @custom(vjp=...)",
        )
    parameters = parameters_of(f, (vjp, 2), (jvp, 2))
    function = function_like(f, parameters)
    rule = _rule(function, parameters, vjp, jvp)
    for side, given in (("vjp", vjp), ("jvp", jvp)):
        if given is not None:
            _check(function, side, given, parameters)
    registry.add_rule(function, rule)
    return function


def parameters_of(
    f: Callable[..., Any], *others: tuple[Callable[..., Any] | None, int]
) -> tuple[inspect.Parameter, ...]:
    """The parameters of a function; of one that does not say, those that its derivative has.

    `others`: such a derivative, and how many parameters come first that the function has not.
    """
    for given, skipped in ((f, 0), *others):
        if given is None:
            continue
        try:
            found = tuple(inspect.signature(given).parameters.values())[skipped:]
        except (TypeError, ValueError):
            continue
        if found and not any(p.kind in _VARIADIC for p in found):
            return found
    raise TemplateError(
        f"the parameters of {_own(f)} are not known",
        why="it takes any number of arguments, and so do its derivatives",
        cure="write a function around it that names its parameters, and decorate that",
    )


def function_like(f: Callable[..., Any], parameters: tuple[inspect.Parameter, ...]) -> FunctionType:
    """A function of its own that does what `f` does; the same `f` may be given again elsewhere."""
    if isinstance(f, FunctionType):
        copy = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
        copy.__kwdefaults__ = f.__kwdefaults__
        for attribute in functools.WRAPPER_ASSIGNMENTS:
            setattr(copy, attribute, getattr(f, attribute, None))
        copy.__dict__.update(f.__dict__)
        return copy

    def opaque(*arguments: Any, **keywords: Any) -> Any:
        return f(*arguments, **keywords)

    opaque.__name__ = opaque.__qualname__ = _own(f)
    functools.update_wrapper(opaque, f)
    opaque.__signature__ = inspect.Signature(list(parameters))  # type: ignore[attr-defined]
    assert isinstance(opaque, FunctionType)
    return opaque


def _rule(
    function: FunctionType,
    parameters: tuple[inspect.Parameter, ...],
    vjp: Callable[..., Any] | None,
    jvp: Callable[..., Any] | None,
) -> Rule:
    """What a template would say."""
    own = [p.name for p in parameters]
    free = (n for n in ("y", "z", "w", "result", "the_result") if n not in own)
    result = next(free)
    helpers: dict[str, Any] = {}

    def helper(hint: str, value: Any) -> gast.expr:
        while hint in own or hint in (result, "d"):
            hint += "_custom"
        helpers[hint] = value
        return name(hint)

    check = helper("fitted", fitted)
    temporaries: list[gast.stmt] = []
    adjoints: dict[str, gast.expr] = {}
    values = [name(result), *map(name, own)]
    if vjp is not None:
        call = _call(helper(_named(vjp, function, "vjp"), vjp), _d(result), *values)
        if len(own) == 1:
            adjoints[own[0]] = _call(check, call, name(own[0]))
        else:
            bars = [f"{p}_bar" for p in own]
            targets = gast.Tuple(elts=[store(bar) for bar in bars], ctx=gast.Store())
            temporaries.append(gast.Assign(targets=[targets], value=call))
            adjoints = {p: _call(check, name(bar), name(p)) for p, bar in zip(own, bars)}
    tangent = None
    if jvp is not None:
        dots = [_d(p) for p in own]
        dot = dots[0] if len(own) == 1 else gast.Tuple(elts=dots, ctx=gast.Load())
        call = _call(helper(_named(jvp, function, "jvp"), jvp), dot, *values)
        tangent = _call(check, call, name(result))
    made = temporaries, adjoints
    rule = given_rule(function, result, parameters, helpers, made, tangent)
    return replace(rule, vjp=vjp, jvp=jvp)


def _call(function: gast.expr, *arguments: gast.expr) -> gast.Call:
    return gast.Call(func=function, args=list(arguments), keywords=[])


def _d(parameter: str) -> gast.expr:
    return gast.Subscript(value=name("d"), slice=name(parameter), ctx=gast.Load())


def _own(f: Any) -> str:
    found = getattr(f, "__name__", "") or type(f).__name__
    return found if found.isidentifier() and not keyword.iskeyword(found) else "function"


def _named(given: Any, function: FunctionType, side: str) -> str:
    """What generated code calls a given function."""
    found = getattr(given, "__name__", "")
    good = found.isidentifier() and not keyword.iskeyword(found)
    return found if good else f"{_own(function)}_{side}"


def _check(
    function: FunctionType,
    side: str,
    given: Any,
    parameters: tuple[inspect.Parameter, ...],
) -> None:
    """Refuse what cannot be called with the derivative, the result and the arguments."""
    what = f"the {side} of {function.__name__}"
    if not callable(given):
        raise TemplateError(f"{what} is not a function: {given!r}", cure=f"pass {side}=function")
    try:
        signature = inspect.signature(given)
    except (TypeError, ValueError):
        return
    first = "y_bar" if side == "vjp" else "x_dot" if len(parameters) == 1 else "tangents"
    wanted = ", ".join([first, "y", *(p.name for p in parameters)])
    try:
        signature.bind(*(None for _ in range(len(parameters) + 2)))
    except TypeError:
        raise TemplateError(
            f"{what} takes {signature}",
            why=f"it is called as {side}({wanted})",
            cure=f"write it with these parameters: def {_named(given, function, side)}({wanted})",
        ) from None
