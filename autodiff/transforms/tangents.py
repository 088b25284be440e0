"""Tangents: derivatives along a direction, and what is built from them."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from autodiff.derivatives.derivative import LIMIT, Derivative
from autodiff.derivatives.options import Given, shown
from autodiff.derivatives.target import Arguments, target_of
from autodiff.derivatives.typed import A, V
from autodiff.errors import AutodiffError
from autodiff.frames import hidden
from autodiff.kinds.call_key import call_key, is_plain
from autodiff.loader import annotate
from autodiff.pipeline.compiled import Compiled
from autodiff.runtime import assembled, copied, zeros_like
from autodiff.runtime.structure import as_tuple, fields, is_record
from autodiff.structure import is_leaf, leaves, map_leaves
from autodiff.transforms.pullback import fit
from autodiff.transforms.turned import is_plain as all_given
from autodiff.transforms.turned import slope_of_tangent

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = np.ndarray[Any, Any]

BLOCK = 128
"""At most so many directions are taken in one sweep: its memory is so many times that of one."""

_NUMBERS = 1 << 22


class Known(NamedTuple):
    """What was compiled for arguments of some kinds: all of them, one after the other.

    places: those of the parameters of `wrt`. dots: what the tangents are called.
    """

    compiled: Compiled
    code: CodeType
    places: tuple[int, ...]
    dots: tuple[str, ...]


class Tangent(Derivative):
    """Value and tangent of a function, along a direction that is given with each call."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._known: dict[Any, Known] = {}

    def _is_single(self) -> bool:
        return False  # value and tangent

    def along(
        self, args: tuple[Any, ...], keywords: Mapping[str, Any], tangents: tuple[Any, ...]
    ) -> tuple[Any, Any]:
        """Value and tangent at some arguments; one tangent for each parameter of `wrt`."""
        key = None if keywords else call_key(args)
        known = self._known.get(key)
        if known is not None and known.code is self.function.__code__:
            for guard in known.compiled.guards:
                if not guard():
                    break
            else:
                companions = [direction(v, args[k]) for k, v in zip(known.places, tangents)]
                return self._run(known.compiled, known.dots, args, {}, companions)
        arguments = self._bind(args, keywords)
        names = tuple(self.target.signature.parameters)
        given = dict(zip(names, arguments.values))
        companions = [direction(v, given[p]) for p, v in zip(self.wrt, tangents)]
        compiled = self._compile(arguments)
        dots = self._dots(compiled)
        if key is not None and self._is_whole(args) and all(map(is_plain, args)):
            places = tuple(map(names.index, self.wrt))
            if len(self._known) >= LIMIT:
                self._known.clear()
            self._known[key] = Known(compiled, self.function.__code__, places, dots)
        return self._run(compiled, dots, arguments.positional, arguments.keywords, companions)

    def _is_whole(self, args: tuple[Any, ...]) -> bool:
        """Whether these are the arguments of all parameters, in their order."""
        whole = len(args) == len(self.target.names) == self.function.__code__.co_argcount
        return whole and not self.target.prefix and not self.target.keywords

    def beside(self, arguments: Arguments, companions: Sequence[Any]) -> tuple[Any, Any]:
        """Value and tangent; what stands beside each parameter of `wrt` has its final form."""
        compiled = self._compile(arguments)
        dots = self._dots(compiled)
        return self._run(compiled, dots, arguments.positional, arguments.keywords, companions)

    def _run(
        self,
        compiled: Compiled,
        dots: tuple[str, ...],
        args: tuple[Any, ...],
        keywords: Mapping[str, Any],
        companions: Sequence[Any],
    ) -> tuple[Any, Any]:
        try:
            pair: tuple[Any, Any] = compiled.function(
                *args, **keywords, **dict(zip(dots, companions))
            )
            return pair
        except Exception as error:
            annotate(error)
            raise

    def _dots(self, compiled: Compiled) -> tuple[str, ...]:
        """What the tangents are called: the last parameters of the generated function."""
        code = (*compiled.generated, compiled.function)[0].__code__
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return named[len(named) - len(self.wrt) :]


class _OfGradient(Tangent):
    """Gradient and its tangent; of a function with checkpointed loops in the other order."""

    def _run(
        self,
        compiled: Compiled,
        dots: tuple[str, ...],
        args: tuple[Any, ...],
        keywords: Mapping[str, Any],
        companions: Sequence[Any],
    ) -> tuple[Any, Any]:
        if compiled.unmarked and self.backend is None and all_given(self.target, self.function):
            gradient: Any = self.primal
            wrt = gradient.wrt if isinstance(gradient._wrt, tuple) else gradient.wrt[0]
            names = tuple(self.target.signature.parameters)
            values = self.target.bind(args, keywords).values
            with contextlib.suppress(Exception):  # an error of the function itself comes again
                slope = slope_of_tangent(jvp, self.function, names, self.wrt, wrt)
                return gradient(*values), slope(*values, *companions)
        return super()._run(compiled, dots, args, keywords, companions)


def _is_gradient(f: Any) -> bool:
    """Whether a function is the plain gradient of one that is no derivative itself."""
    return type(f) is Derivative and f.mode == "grad" and not f.has_aux and f._inner is None


@overload
def jvp(
    f: Callable[..., V],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    has_aux: Literal[False] = ...,
    **options: Unpack[Given],
) -> tuple[V, Any]: ...
@overload
def jvp(
    f: Callable[..., tuple[V, A]],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    has_aux: Literal[True],
    **options: Unpack[Given],
) -> tuple[V, Any, A]: ...
@overload
def jvp(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    has_aux: bool,
    **options: Unpack[Given],
) -> tuple[Any, ...]: ...
@shown
def jvp(
    f: Callable[..., Any],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    has_aux: bool = False,
    **options: Unpack[Given],
) -> tuple[Any, ...]:
    """The value of `f` at `primals`, and its derivative along `tangents`.

    Each tangent has the structure and the shapes of its primal, else an `AutodiffError` is raised;
    so has the tangent that is returned, of the value. A tangent that is None is zero: nothing is
    computed for it. With `has_aux` the function returns `(value, aux)`, and the result is
    `(value, tangent, aux)`.

    >>> import numpy as np
    >>> def scaled(a, x):
    ...     return a * x
    >>> jvp(scaled, (2.0, np.array([1.0, 2.0])), (1.0, np.array([0.0, 10.0])))
    (array([2., 4.]), array([ 1., 22.]))
    """
    with hidden:
        for given in (primals, tangents):
            if not isinstance(given, (tuple, list)):
                raise AutodiffError(
                    f"jvp takes tuples of primals and tangents, not {type(given).__name__}",
                    cure="write jvp(f, (x,), (x_dot,))",
                )
        if len(primals) != len(tangents):
            raise AutodiffError(
                f"jvp got {len(primals)} primals and {len(tangents)} tangents",
                cure="pass one tangent, or None, for each primal",
            )
        wrt, inside = target_of(f).covered(len(primals))
        chosen = list(tangents)
        if inside is not None:
            first = len(wrt) - 1
            held = tuple(direction(v, x) for v, x in zip(tangents[first:], primals[first:]))
            chosen = [*chosen[:first], held]
        kept = [k for k, v in enumerate(chosen) if v is not None]
        if not kept:
            raise AutodiffError("jvp got no tangent", cure="pass a tangent for one of the primals")
        names = tuple(wrt[k] for k in kept)
        derivative = (_OfGradient if _is_gradient(f) else Tangent)(f, "jvp", names, False, options)
        pair = derivative.along(tuple(primals), {}, tuple(chosen[k] for k in kept))
    if not has_aux:
        return pair
    (value, aux), (tangent, _) = pair
    return value, tangent, aux


@overload
def linearize(
    f: Callable[..., V], *primals: Any, has_aux: Literal[False] = ..., **options: Unpack[Given]
) -> tuple[V, Linear]: ...
@overload
def linearize(
    f: Callable[..., tuple[V, A]], *primals: Any, has_aux: Literal[True], **options: Unpack[Given]
) -> tuple[V, Linear, A]: ...
@overload
def linearize(
    f: Callable[..., Any], *primals: Any, has_aux: bool, **options: Unpack[Given]
) -> tuple[Any, ...]: ...
@shown
def linearize(
    f: Callable[..., Any], *primals: Any, has_aux: bool = False, **options: Unpack[Given]
) -> tuple[Any, ...]:
    """The value of `f` at `primals`, and the linear function that approximates `f` there.

    The linear function takes one tangent per primal, or None for zero, and gives the tangent of the
    value; each call runs `f` and its tangent at the primals as they were. With `has_aux` the result
    is `(value, linear function, aux)`.

    >>> def scaled(a, x):
    ...     return a * x
    >>> value, linear = linearize(scaled, 2.0, 3.0)
    >>> value, linear(1.0, 0.0), linear(None, 1.0)
    (6.0, 3.0, 2.0)
    """
    kept = copied(primals)
    with hidden:
        value, *_ = found = jvp(f, kept, zeros_like(kept), has_aux=has_aux, **options)
    linear = Linear(f, kept, {"has_aux": has_aux, **options})
    return (value, linear, found[2]) if has_aux else (value, linear)


class Linear:
    """The linear function that approximates another one at a point."""

    def __init__(
        self, f: Callable[..., Any], primals: tuple[Any, ...], options: dict[str, Any]
    ) -> None:
        self.f = f
        self.primals = primals
        self.options = options

    @hidden
    def __call__(self, *tangents: Any) -> Any:
        if all(tangent is None for tangent in tangents) and len(tangents) == len(self.primals):
            tangents = zeros_like(self.primals)
        return jvp(self.f, self.primals, tangents, **self.options)[1]

    def __repr__(self) -> str:
        return f"<tangent of {getattr(self.f, '__qualname__', self.f)} at a point>"


class Several(Tangent):
    """Value and tangents of a function along several directions at once, where that can be."""

    _directions = True

    def _compile(self, arguments: Arguments) -> Compiled:
        """What is refused along several directions goes along one, and from then on."""
        try:
            return super()._compile(arguments)
        except AutodiffError:
            if not self._directions:
                raise
            with contextlib.suppress(AutodiffError):
                self._directions = False
                return super()._compile(arguments)
            self._directions = True
            raise


def swept(
    derivative: Tangent,
    arguments: Arguments,
    primals: tuple[Any, ...],
    total: int,
    vectors: Callable[[int, int], Array],
) -> list[tuple[Any, Any]]:
    """Value and tangents of sweeps along `total` directions, some of which `vectors` gives as rows.

    The numbers of a row are those of the arguments, in the order of `leaves`. The directions of a
    sweep are the first axis of each tangent. There is at least one sweep, and no more than one if
    there is code for several directions, as long as memory is bounded and there are not so few
    directions that it would be slower. No generator, which would not let a StopIteration out.
    """
    compiled = derivative._compile(arguments)
    several = compiled.batched == ""
    if several and total >= max(2, compiled.least):
        most = max(2, min(BLOCK, _NUMBERS // sum(map(np.size, leaves(primals)))))
        blocks = -(-total // most)
        ends = [block * total // blocks for block in range(blocks + 1)]
        rows = (vectors(start, stop) for start, stop in itertools.pairwise(ends))
        return [derivative.beside(arguments, _shaped(own, primals)) for own in rows]
    single = derivative
    if several:
        options = derivative._given_options
        single = Tangent(derivative.primal, "jvp", derivative._wrt, False, options)
        derivative._last = single._compile(arguments)  # what `source` shows
    size = min(total, 1)

    def row(leaf: Any, own: Any) -> Array:
        return np.asarray(own)[None][:size]

    found = list[tuple[Any, Any]]()
    for number in range(max(total, 1)):
        own = vectors(number, number + 1)
        seeds = map_leaves(lambda leaf: leaf[0], _shaped(own, primals))
        seeds = [direction(seed, primal) for seed, primal in zip(seeds, primals)]
        value, tangent = single.beside(arguments, seeds)
        found.append((value, map_leaves(row, value, tangent)))
    return found


def _shaped(vectors: Array, primals: tuple[Any, ...]) -> tuple[Any, ...]:
    """Directions, one a row, as tangents of the primals: zero for integers, None for text."""
    after = 0

    def part(zero: Any, primal: Any) -> Array:
        nonlocal after
        shape = len(vectors), *np.shape(zero)
        if not is_leaf(primal):
            return np.zeros(shape)
        own = vectors[:, after : after + np.size(primal)]
        after += np.size(primal)
        return np.asarray(own.reshape(shape), np.asarray(primal).dtype)

    found: tuple[Any, ...] = map_leaves(part, zeros_like(primals), primals)
    return found


def direction(tangent: Any, primal: Any) -> Any:
    """The tangent of an argument in the form that generated code expects.

    Its numbers have the dtypes of the primal's; what has no derivative has a zero: 0.0 for
    integers, None for text.

    >>> direction((1, "b"), (2.0, "a"))
    (1.0, None)
    """
    if primal.__class__ is float and tangent.__class__ is float:
        return tangent
    if is_leaf(primal):
        return fit(tangent, primal)
    if isinstance(primal, (int, np.integer, np.ndarray)):
        return zeros_like(primal)
    if isinstance(primal, (tuple, list)):
        if not isinstance(tangent, (tuple, list)) or len(tangent) != len(primal):
            return fit(tangent, primal)
        items = [direction(v, x) for v, x in zip(tangent, primal)]
        return items if isinstance(primal, list) else as_tuple(primal, items)
    if isinstance(primal, dict):
        if not isinstance(tangent, dict) or tangent.keys() != primal.keys():
            return fit(tangent, primal)
        return {key: direction(tangent[key], x) for key, x in primal.items()}
    if isinstance(primal, (str, bytes, type(None))) or not is_record(primal):
        return None
    if type(tangent) is not type(primal):
        return fit(tangent, primal)
    parts = fields(tangent)
    return assembled(
        type(primal), **{own: direction(parts[own], x) for own, x in fields(primal).items()}
    )
