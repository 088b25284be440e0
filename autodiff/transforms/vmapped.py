"""A function of one example as a function of many, which lie along an axis of the arguments.

vmap(grad(loss), in_axes=(None, 0, 0))(w, x, y)         one gradient for each row of x and y
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autodiff.derivatives.bound import BoundDerivative
from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError, OptionError
from autodiff.frames import hidden
from autodiff.kinds.kind import Kind
from autodiff.pipeline.compiled import Offer
from autodiff.runtime import copied
from autodiff.runtime.keywords import spelled
from autodiff.structure import pieces, refilled
from autodiff.transforms.example_axes import (
    Axes,
    check_axis,
    check_plain,
    form_of,
    is_numeric,
    matched,
    spread_axes,
)
from autodiff.transforms.many_directions import at_once
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangents import Linear
from autodiff.transforms.vmapped_inside import inside

Array = np.ndarray[Any, Any]


@hidden
@spelled
def vmap(f: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0) -> Vmapped:
    """The function that applies `f` to each example along an axis of the arguments.

    `f` is any function: a plain one, `grad(f)`, `value_and_grad(f)`, a `jvp` in a lambda.
    `in_axes` says which axis of the arrays counts the examples: an int for all positional
    arguments, or a tuple with one entry for each; None passes an argument to all examples. Where
    an argument is a tuple, list, dict or object, its entry goes for all arrays in it, or is such a
    structure itself. Keyword arguments have the examples along axis 0. Text, None and functions in
    arguments have no axis, and are passed on.

    An example is what `x[k]` gives: of a vector, a NumPy number. The result has the structure of
    `f`'s, its numbers and arrays of shape `s` with one more axis, `(n, *s)` for `out_axes=0`, and
    the dtype that they have in common. `out_axes=None` asks that all examples give the same, which
    is returned once. Whatever `f` does to its arguments in place is not seen outside, or by the
    next example: a function that is no derivative gets copies.

    It costs `n` calls of `f`, one after the other, and one copy of the results: the code is that
    of one example. Where the examples can be written as one more axis by hand, that is faster. The
    linear function of `linearize`, and `hvp(f)` along vectors at one point, take many directions in
    one sweep where `jacfwd` does.

    Raises `OptionError` for axes that do not fit the arguments or the result, `AutodiffError` for
    different numbers of examples, for none, and for results of different forms.

    >>> from autodiff import grad
    >>> def loss(w, x):
    ...     return np.sum(w * x) ** 2
    >>> x = np.array([[1.0, 0.0], [1.0, 1.0]])
    >>> vmap(grad(loss), in_axes=(None, 0))(np.array([1.0, 2.0]), x)
    array([[2., 0.],
           [6., 6.]])
    """
    for own, name in ((in_axes, "in_axes"), (out_axes, "out_axes")):
        for path, axis in pieces(own):
            check_axis(axis, f"{name}{path}")
    if not callable(f):
        raise OptionError(f"vmap takes a function, not {f!r}", cure="write vmap(f)(x)")
    return Vmapped(f, in_axes, out_axes)


class Vmapped:
    """A function of many examples. is_loop: a run that is followed goes over them itself."""

    is_loop = True

    def __init__(self, f: Callable[..., Any], in_axes: Axes, out_axes: Axes) -> None:
        functools.update_wrapper(self, f, updated=())
        self.f = f
        self.in_axes = in_axes
        self.out_axes = out_axes

    @hidden
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        axes = self._axes(args, keywords)
        stacked = None if keywords else at_once(self.f, args, axes)
        if stacked is not None:
            return _Results(0, self.out_axes).of(stacked)
        examples = _Examples(axes, args, keywords)
        results, copies = _Results(examples.count, self.out_axes), self._copies()
        for k in range(examples.count):
            own, named = copied(examples.at(k)) if copies else examples.at(k)
            results.put(k, self.f(*own, **named))
        return results.whole()

    @property
    @hidden
    def source(self) -> str:
        """The generated source of the derivative that is called for each example.

        Raises AutodiffError where it is no derivative.
        """
        if not isinstance(self.f, (Derivative, BoundDerivative, Vmapped)):
            raise AutodiffError(
                f"vmap of {getattr(self.f, '__name__', repr(self.f))} has no source of its own",
                why="it calls the function for each example, which is no derivative",
                cure="ask the derivative of it: grad(many).source_for(x), or wrap one: "
                "vmap(grad(f)).source",
            )
        found: str = self.f.source
        return found

    def __inlined__(self, kinds: list[Kind], keywords: dict[str, Any]) -> Offer:
        """What a call comes to inside a function that is differentiated."""
        return inside(self.f, self.in_axes, self.out_axes, kinds, keywords, self._copies()), ()

    def _axes(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[int | None]:
        """The axis of each piece of the arguments."""
        spec = self.in_axes
        if not isinstance(spec, (tuple, list)):
            spec = (spec,) * len(args)
        elif len(spec) != len(args):
            raise OptionError(
                f"in_axes has {len(spec)} entries for {len(args)} positional arguments",
                cure="give one entry, an axis or None, for each; or one int for all",
            )
        found: list[int | None] = []
        for k, (axes, own) in enumerate(zip(spec, args)):
            if axes is not None:
                check_plain(own, f"argument {k}")
            found += spread_axes(axes, own, f"in_axes[{k}]", f"argument {k}")
        for name, own in keywords.items():
            check_plain(own, f"argument {name}")
            found += spread_axes(0, own, "in_axes", f"argument {name}")
        return found

    def _copies(self) -> bool:
        """Whether the function may change what another example sees."""
        return not isinstance(self.f, (Derivative, BoundDerivative, Linear, Pullback, Vmapped))

    def __repr__(self) -> str:
        return f"<vmap of {getattr(self.f, '__qualname__', self.f)}>"


class _Examples:
    """The arguments of all examples."""

    def __init__(self, axes: list[int | None], args: tuple[Any, ...], keywords: dict[str, Any]):
        self.count = 0
        self.first = ""
        self.names = [*range(len(args)), *keywords]
        left = iter(axes)
        given = [*args, *keywords.values()]
        self.at_each = [self._part(own, name, left) for own, name in zip(given, self.names)]
        self.places = len(args)
        if not self.first:
            raise OptionError(
                "vmap has no axis to go along",
                why="no argument is an array with an axis in in_axes",
                cure="say an axis for one of the arguments: in_axes=(None, 0)",
            )
        if not self.count:
            raise AutodiffError(
                f"{self.first} holds no example",
                why="the form of the result is that of the first",
                cure="pass at least one, or leave the call out",
            )

    def _part(self, x: Any, name: Any, axes: Iterator[int | None]) -> Callable[[int], Any]:
        """What gives one argument of an example."""
        found = list(pieces(x))
        rows = [self._rows(own, f"argument {name}{path}", next(axes)) for path, own in found]
        if all(own is None for own in rows):
            return lambda _: x
        if isinstance(x, np.ndarray):
            return lambda k: rows[0][k]
        both = [(own, piece) for own, (_, piece) in zip(rows, found)]
        return lambda k: refilled(x, (piece if own is None else own[k] for own, piece in both))

    def _rows(self, x: Any, where: str, axis: int | None) -> Any:
        """An array with the examples along its first axis; None for what they share."""
        if axis is None or not is_numeric(x):
            return None
        check_plain(x, where)
        if not -np.ndim(x) <= axis < np.ndim(x):
            raise OptionError(
                f"{where} has no axis {axis}: it is {form_of(x)}",
                cure="say None in in_axes for what all examples share; pass arrays, no lists, for "
                "what they do not",
            )
        rows = np.moveaxis(x, axis, 0)
        if self.first and len(rows) != self.count:
            raise AutodiffError(
                f"{self.first} has {self.count} examples, {where} has {len(rows)}",
                why=f"they lie along axis {axis} of {where}, which is {form_of(x)}",
                cure="pass arrays that are equally long there, or say another axis in in_axes",
            )
        self.first, self.count = self.first or where, len(rows)
        return rows

    def at(self, k: int) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of one example."""
        own = [part(k) for part in self.at_each]
        return own[: self.places], dict(zip(self.names[self.places :], own[self.places :]))


class _Results:
    """The results of all examples, each written where it belongs: `f` may use its memory again."""

    def __init__(self, count: int, out_axes: Axes) -> None:
        self.count = count
        self.out_axes = out_axes
        self.form: Any = None
        self.paths: list[str] = []
        self.stacks: list[Any] = []

    def put(self, k: int, found: Any) -> None:
        """One more result."""
        if not k:
            own = list(pieces(found))
            self.form, self.paths = found, [path for path, _ in own]
            self.stacks = [self._begun(piece) for _, piece in own]
            self.axes = spread_axes(self.out_axes, found, "out_axes", "the result")
        parts: list[Any] = []
        if not matched(self.form, found, parts):
            raise self._other(k, "", self.form, found)
        for at, piece in enumerate(parts):
            stack = self.stacks[at]
            if type(piece) is np.ndarray and stack.__class__ is np.ndarray:  # most of the time
                if piece.dtype == stack.dtype and piece.shape == stack.shape[1:]:
                    stack[k] = piece
                    continue
            self._put(k, at, piece)

    def _put(self, k: int, at: int, piece: Any) -> None:
        stack = self.stacks[at]
        if not isinstance(stack, np.ndarray):
            if piece is not stack and (type(piece) is not type(stack) or piece != stack):
                raise self._other(k, self.paths[at], stack, piece)
            return
        check_plain(piece, "the result")
        if not is_numeric(piece) or np.shape(piece) != stack.shape[1:]:
            raise self._other(k, self.paths[at], stack[0], piece)
        dtype = np.result_type(stack, np.asarray(piece))
        if dtype != stack.dtype:
            self.stacks[at] = stack = stack.astype(dtype)
        stack[k] = piece

    def _begun(self, piece: Any) -> Any:
        check_plain(piece, "the result")
        if not is_numeric(piece):
            return piece
        return np.empty((self.count, *np.shape(piece)), np.asarray(piece).dtype)

    def of(self, stacked: Any) -> Any:
        """The result, of a structure of arrays that have the examples along their first axis."""
        self.form = stacked
        self.paths, self.stacks = map(list, zip(*pieces(stacked)))
        self.axes = spread_axes(self.out_axes, stacked, "out_axes", "the result")
        return self.whole()

    def whole(self) -> Any:
        """The result of all examples."""
        return refilled(self.form, map(self._finished, self.paths, self.stacks, self.axes))

    def _finished(self, path: str, stack: Any, axis: int | None) -> Any:
        if not isinstance(stack, np.ndarray):
            return stack
        if axis is None:
            if not all(np.array_equal(stack[0], own, stack.dtype.kind in "fc") for own in stack):
                raise OptionError(
                    f"the result{path} is not the same for all examples",
                    why="out_axes says None for it",
                    cure="say an axis in out_axes",
                )
            return stack[0]
        if not -stack.ndim <= axis < stack.ndim:
            raise OptionError(
                f"the result{path} cannot have the examples along axis {axis}",
                why=f"with them it has {stack.ndim} axes",
                cure="say another axis in out_axes",
            )
        return np.moveaxis(stack, 0, axis)

    def _other(self, k: int, path: str, first: Any, found: Any) -> AutodiffError:
        return AutodiffError(
            f"example {k} gives another form of result{path} than example 0",
            why=f"this is {form_of(first)} there, {form_of(found)} here",
            cure="return the same form for all: pad arrays, and return numbers in their place",
        )
