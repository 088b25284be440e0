"""A function of NumPy as a function of JAX's arrays, with its derivatives."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import numpy as np
from jax.custom_derivatives import SymbolicZero

from autodiff.errors import AutodiffError
from autodiff.frames import hidden
from autodiff.interop.sweeps import NUMBERS, Call, Sweeps
from autodiff.structure import is_leaf, pieces, refilled

Arrays = Sequence[Any]
Flags = tuple[bool, ...]
LIMIT = 1024
"""So many forms of results are kept for a function."""


def wrap(f: Callable[..., Any], result: Any = None, **options: Any) -> Callable[..., Any]:
    """The function of JAX's arrays that computes `f`, a function of NumPy, and is differentiated
    by JAX.

    Arguments are arrays of JAX, or tuples, lists, dicts and objects of them, and anything else,
    which `f` gets as it is. `f` gets arrays of NumPy of their shapes and dtypes; for an array
    without axes a NumPy number. Numbers and arrays of the result become arrays of JAX, with 32 bits
    unless JAX is told to use 64. The rest of the result is returned as it is.

    It works under `jit`, `grad`, `vjp`, `jacrev` and `vmap`, also for second derivatives in reverse
    mode; of forward mode and third derivatives JAX says that they are not there. `f` runs on the
    host (`pure_callback`), so it must be pure; under `vmap` once for each example. A derivative
    runs both sweeps, after the value.

    While JAX traces, it has to know the form of the result: `result` is a structure like the
    result with arrays or `jax.ShapeDtypeStruct`, or a function of the arguments that gives one.
    Without it, `f` is run once for each form of its arguments, at ones. `options` are those of
    `autodiff.grad`.

    Raises AutodiffError where the form of a result is another one, for complex numbers, and what
    `autodiff.vjp` raises; when compiled code calls `f`, inside of JAX's own error.

        model = wrap(lambda w, x: np.tanh(w @ x))
        jax.jit(jax.grad(lambda w, x: model(w, x).sum()))(w, x)
    """
    with hidden:
        sweeps = Sweeps(f, options)
    forms: dict[Any, Any] = {}

    @functools.wraps(f)
    @hidden
    def wrapped(*args: Any, **keywords: Any) -> Any:
        call = Call(sweeps, sweeps.bind(args, keywords), (jax.Array,))
        if not call.foreign:
            return f(*args, **keywords)
        if not any(isinstance(own, jax.core.Tracer) for own in call.foreign):
            call.value = sweeps.value(call.arguments(map(_array, call.foreign)))
            numbers = (own for is_number, own in call.results() if is_number)
            found = map(jax.numpy.asarray, map(np.asarray, numbers))
        else:
            call.value = _form(call, result, forms)
            found = iter(_Traced(call).value(*call.foreign))
        return refilled(call.value, (next(found) if own else x for own, x in call.results()))

    return wrapped


def _form(call: Call, result: Any, forms: dict[Any, Any]) -> Any:
    """What the function gives for arguments of these forms: the structure, with arrays."""
    if result is not None:
        given = call.given
        found = result(*given.args, **given.kwargs) if callable(result) else result
        told = (jax.ShapeDtypeStruct, jax.Array)
        parts = [own for _, own in pieces(found, told)]
        made = (np.zeros(x.shape, x.dtype) if isinstance(x, told) else x for x in parts)
        return refilled(found, made, told)
    known = [(own.shape, own.dtype) for own in call.foreign]
    others = [(type(own), own) for _, own in call.own if not isinstance(own, jax.Array)]
    paths = [path for path, _ in pieces(dict(call.given.arguments), (jax.Array,))]
    key: Any = (*paths, *known, *others)
    try:
        if key in forms:
            return forms[key]
    except TypeError:  # something that has no hash: it may be another one next time
        key = None
    try:
        found = call.sweeps.value(call.arguments(np.ones(*own)[()] for own in known))
    except Exception as error:
        raise AutodiffError(
            "the form of the result is not known",
            why="it was looked for by arguments that are ones, for which there is an error: "
            f"{type(error).__name__}: {error}",
            cure="say it: wrap(f, result=jax.ShapeDtypeStruct((3,), float)), or a function of the "
            "arguments that gives one",
        ) from error
    if key is not None:
        if len(forms) >= LIMIT:
            forms.clear()
        forms[key] = found
    return found


class _Traced:
    """One call that JAX traces: what becomes callbacks, and rules for these.

    The arguments of the callbacks are lists: the arrays of the call, the adjoints of the floats of
    the result, vectors for the adjoints of the arrays.
    """

    def __init__(self, call: Call) -> None:
        self.call = call
        found = [own for is_number, own in call.results() if is_number]
        self.results, self.arguments = [*map(_like, found)], [*map(_like, call.foreign)]
        self.floats = [like for like, own in zip(self.results, found) if is_leaf(own)]
        self.is_float = [is_leaf(own) for own in found]
        self.value = jax.custom_vjp(self._value)
        self.value.defvjp(self._forward, self._backward, symbolic_zeros=True)

    def _value(self, *arrays: Any) -> Any:
        return _called(self._on_host, self.results, [*arrays])

    def _on_host(self, arrays: Arrays) -> Any:
        value = self.call.sweeps.value(self.call.arguments(map(_array, arrays)))
        found = (own for _, own in self.checked(value))
        return _as(self.results, (own for own in found if isinstance(own, NUMBERS)))

    def checked(self, value: Any) -> list[tuple[str, Any]]:
        """The pieces of a value, which has the form that JAX was told."""
        told, found = [*pieces(self.call.value)], [*pieces(value)]
        if len(told) != len(found) or not all(map(_fits, told, found)):
            raise AutodiffError(
                f"{self.call.sweeps.f!r} gives a result of another form than JAX was told",
                why="compiled code has one form for arguments of these shapes",
                cure="pass result=, the form, to wrap; pad arrays that differ in length",
            )
        return found

    def _forward(self, *primals: Any) -> Any:
        arrays, flags = _taken_apart(primals)
        return self.value(*arrays), (arrays, _hidden(flags))

    def _backward(self, kept: Any, seeds: Any) -> Any:
        arrays, flags = kept[0], _shown(kept[1])
        floats = [_filled(seed) for seed, is_float in zip(seeds, self.is_float) if is_float]
        found = iter(_Adjoints(self, flags).adjoints(arrays, floats))
        return tuple(next(found) if own else None for own in flags)


class _Adjoints:
    """The adjoints of the arrays that `flags` tells, for those of the floats of the result."""

    def __init__(self, traced: _Traced, flags: Flags) -> None:
        self.traced = traced
        self.call = traced.call
        self.flags = flags
        self.adjoints = jax.custom_vjp(self._adjoints)
        self.adjoints.defvjp(self._forward, self._backward, symbolic_zeros=True)

    def _forms(self, flags: Flags) -> list[Any]:
        return [own for own, is_wanted in zip(self.traced.arguments, flags) if is_wanted]

    def _adjoints(self, arrays: Arrays, seeds: Arrays) -> Any:
        return _called(self._on_host, self._forms(self.flags), arrays, seeds)

    def _on_host(self, arrays: Arrays, seeds: Arrays) -> Any:
        call, names = self.call, self.call.names(self.flags)
        value, pullback = call.sweeps.pulled(names, call.arguments(map(_array, arrays)))
        self.traced.checked(value)
        found = call.of_foreign(names, pullback(call.seed(map(_array, seeds))))
        return _as(self._forms(self.flags), (x for x, own in zip(found, self.flags) if own))

    def _forward(self, arrays: Arrays, seeds: Arrays) -> Any:
        arrays, flags = _taken_apart(arrays)
        seeds, _ = _taken_apart(seeds)
        return self.adjoints(arrays, seeds), (arrays, seeds, _hidden(flags))

    def _backward(self, kept: Any, vectors: Any) -> Any:
        arrays, seeds, flags = kept[0], kept[1], _shown(kept[2])
        forms = [*self._forms(flags), *self.traced.floats]
        host = functools.partial(self._second, flags)
        found = iter(_called(host, forms, arrays, seeds, [*map(_filled, vectors)]))
        return [next(found) if own else None for own in flags], [*found]

    def _second(self, flags: Flags, arrays: Arrays, seeds: Arrays, vectors: Arrays) -> Any:
        call, left = self.call, iter(vectors)
        names = call.names(flags if any(flags) else self.flags)
        given = call.arguments(map(_array, arrays))
        along = call.vectors((_array(next(left)) if own else None for own in self.flags), given)
        value = call.sweeps.value(given)
        self.traced.checked(value)
        seed = call.seed(map(_array, seeds))
        found, tangent = call.sweeps.again(names, given, value, seed, along)
        own = [x for x, wanted in zip(call.of_foreign(names, found), flags) if wanted]
        forms = [*self._forms(flags), *self.traced.floats]
        return _as(forms, [*own, *call.of_results(tangent)])


def _called(function: Callable[..., Any], forms: list[Any], *given: Any) -> Any:
    """What a function of NumPy gives: now, or when what is traced is run."""
    if not any(isinstance(own, jax.core.Tracer) for own in itertools.chain(*given)):
        return [*map(jax.numpy.asarray, function(*given))]
    return jax.pure_callback(function, forms, *given, vmap_method="sequential")


def _array(x: Any) -> Any:
    """An array of NumPy, or a number."""
    return np.asarray(x)[()]


def _like(x: Any) -> Any:
    dtype = x.dtype if isinstance(x, jax.Array) else np.asarray(x).dtype
    return jax.ShapeDtypeStruct(np.shape(x), jax.dtypes.canonicalize_dtype(dtype))


def _as(forms: list[Any], found: Iterable[Any]) -> list[Any]:
    """Arrays of the dtypes that JAX was told."""
    return [np.asarray(own, form.dtype) for form, own in zip(forms, found)]


def _fits(told: tuple[str, Any], found: tuple[str, Any]) -> bool:
    """Whether a piece of a result is where one was said to be, and becomes such a one."""
    (path, form), (again, own) = told, found
    if path != again or not isinstance(form, NUMBERS):
        return path == again and type(own) is type(form) and (own is form or own == form)
    if not isinstance(own, NUMBERS) or np.shape(own) != np.shape(form):
        return False
    return np.can_cast(np.asarray(own).dtype, np.asarray(form).dtype, "same_kind")


def _taken_apart(primals: Any) -> tuple[list[Any], Flags]:
    """Arrays, and which of them are differentiated by."""
    arrays = [own.value for own in primals]
    flags = tuple(bool(own.perturbed) for own in primals)
    for array, wanted in zip(arrays, flags):
        if wanted and jax.numpy.iscomplexobj(array):
            raise AutodiffError(
                "a complex array is differentiated by",
                why="libraries differ in what the derivative is",
                cure="pass real and imaginary part",
            )
    return arrays, flags


def _filled(seed: Any) -> Any:
    """An adjoint, which JAX may know to be zero."""
    return jax.numpy.zeros(seed.shape, seed.dtype) if isinstance(seed, SymbolicZero) else seed


def _hidden(flags: Flags) -> Any:
    """Flags as a structure without arrays, which JAX keeps as it is."""
    return tuple(() if own else None for own in flags)


def _shown(structure: Any) -> Flags:
    return tuple(own is not None for own in structure)
