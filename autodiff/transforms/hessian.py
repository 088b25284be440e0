"""Derivatives built from tangents: Jacobians by columns, Hessians, Hessian-vector products."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.errors import AutodiffError, NonDifferentiableError
from autodiff.frames import hidden
from autodiff.kinds.kind import Kind, Scalar
from autodiff.loader import annotate
from autodiff.pipeline.compiled import Compiled, Offer
from autodiff.runtime import zeros_like
from autodiff.structure import are_same, is_leaf, leaves, map_leaves
from autodiff.transforms.jacobian import Jacobian, apart, pulled, with_aux
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangents import Array, Several, Tangent, jvp, swept
from autodiff.transforms.turned import is_plain, slope_of_tangent
from autodiff.transforms.written import by_columns, by_rows, caller_of, of_product


class ForwardJacobian(Several):
    """All partial derivatives, by forward sweeps along all numbers of the arguments.

    Where the compiler has made code for several directions, one sweep takes all of them, or a
    block of them; else there is one sweep for each.

    The result has the shape of the value followed by the shape of the argument. A value that is a
    structure gives a structure of Jacobians, and so does an argument.
    """

    @hidden
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        bound = self._bind(args, keywords)
        given = dict(zip(self.target.signature.parameters, bound.values))
        primals = tuple(given[name] for name in self.wrt)
        if any(map(np.iscomplexobj, leaves(primals))):
            raise NonDifferentiableError(
                f"cannot take the Jacobian of {self.target.place} by tangents",
                why="an argument is complex",
                cure="use jacobian, which takes reverse sweeps",
            )
        total = sum(map(np.size, leaves(primals)))

        def units(start: int, stop: int) -> Array:
            return np.eye(stop - start, total, start)

        sweeps = swept(self, bound, primals, total, units)
        value, _ = sweeps[0]
        if not all(are_same(value, again) for again, _ in sweeps):
            raise AutodiffError(
                f"{self.target.place} does not give the same value twice",
                why="each sweep runs it again",
                cure="draw random numbers outside and pass them, or use vjp",
            )
        parts, aux = [tangents for _, tangents in sweeps], None
        if self.has_aux:
            value, aux = apart(self, value)
            parts = [part for part, _ in parts]
        check_floats(self, value)
        columns = map_leaves(lambda leaf, *own: np.concatenate(own), value, *parts)
        matrix = map_leaves(lambda leaf, own: self._rows(leaf, own, primals), value, columns)
        return with_aux(self, matrix, aux)

    def __standing__(self) -> Callable[..., Any]:
        return caller_of(self)

    def compose(self, kinds: list[Kind]) -> Offer:
        return by_columns(self, kinds, jvp), ()

    def _rows(self, leaf: Any, columns: Array, primals: tuple[Any, ...]) -> Any:
        """The derivatives of one leaf of the value, in the structure of the adjoints."""
        after = 0

        def partial(zero: Any, argument: Any) -> Any:
            nonlocal after
            shape = np.shape(leaf) + np.shape(zero)
            if not is_leaf(argument):  # an integer, along which there is no tangent
                return np.zeros(shape) if shape else 0.0
            own = columns[after : after + np.size(argument)]
            after += len(own)
            if not shape:
                return own.item() if type(leaf) in (float, complex) else own[0]
            return np.ascontiguousarray(np.moveaxis(own, 0, -1)).reshape(shape)

        whole = map_leaves(partial, zeros_like(primals), primals)
        return whole if isinstance(self._wrt, tuple) else whole[0]


class CheaperJacobian(Jacobian):
    """All partial derivatives by the mode that takes fewer sweeps.

    Reverse mode, unless there are more numbers in the value than in the arguments; the other mode
    where the first refuses the function.
    """

    @hidden
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            value, function, aux = pulled(self, Derivative.__call__(self, *args, **keywords))
        except AutodiffError:
            with contextlib.suppress(AutodiffError):
                return self._by_columns(args, keywords)
            raise
        bound = self._bind(args, keywords)
        given = dict(zip(self.target.signature.parameters, bound.values))
        found, primals = list(leaves(value)), list(leaves([given[name] for name in self.wrt]))
        if sum(map(np.size, found)) > sum(map(np.size, primals)):
            if not any(map(np.iscomplexobj, (*found, *primals))):
                with contextlib.suppress(AutodiffError):
                    return self._by_columns(args, keywords)
        return with_aux(self, self._of(value, Pullback(function, value)), aux)

    def compose(self, kinds: list[Kind]) -> Offer:
        names = list(self.target.signature.parameters)
        given = dict(zip(names, kinds))
        if all(isinstance(given.get(own), Scalar) for own in self.wrt):
            return by_columns(self, kinds, jvp), ()
        return by_rows(self, kinds, Derivative)

    def _by_columns(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        wrt = self.wrt if isinstance(self._wrt, tuple) else self.wrt[0]
        columns = ForwardJacobian(self.primal, "jvp", wrt, self.has_aux, self._given_options)
        return columns(*args, **keywords)


class HessianProduct(Tangent):
    """The Hessian of a function times a vector: the tangent of its gradient along the vector.

    Of a function with checkpointed loops it is the gradient of its tangent: that sweep goes forward
    before it goes back, so that no more states are kept than those loops say.
    """

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._slope: Any = None
        self._refused = False

    def _is_single(self) -> bool:
        return not self.has_aux  # no gradient

    def __standing__(self) -> Callable[..., Any]:
        return caller_of(self, ("v",))

    def compose(self, kinds: list[Kind]) -> Offer:
        return of_product(self, kinds, jvp), ()

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        match args:  # of one number: there every step is felt
            case (x, v) if x.__class__ is v.__class__ is float and not (keywords or self.has_aux):
                known = self._known.get((float,))
                if known is not None and known.code is self.function.__code__:
                    if not known.compiled.unmarked and all(g() for g in known.compiled.guards):
                        try:
                            return known.compiled.function(x, v)
                        except Exception as error:
                            annotate(error)
                            raise
        with hidden:
            return self._product(args, keywords)

    def _product(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        if not args or not self._takes(args[:-1], keywords) and self._takes(args, keywords):
            raise AutodiffError(
                "hvp needs a vector", cure="pass it after the arguments: hvp(f)(x, v)"
            )
        *rest, vector = args
        vectors = vector if isinstance(self._wrt, tuple) else (vector,)
        if len(vectors) != len(self.wrt):
            raise AutodiffError(
                f"hvp got {len(vectors)} vectors for {len(self.wrt)} arguments",
                cure="pass a tuple with one vector for each argument in wrt",
            )
        product: Any = self.along(tuple(rest), keywords, tuple(vectors))
        if self.has_aux:
            (_, aux), (product, _) = product
            return product, aux
        return product

    def _takes(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> bool:
        """Whether these are arguments of the function."""
        try:
            self.target.bind(args, keywords)
        except TypeError:
            return False
        return True

    def _run(
        self,
        compiled: Compiled,
        dots: tuple[str, ...],
        args: tuple[Any, ...],
        keywords: Mapping[str, Any],
        companions: Sequence[Any],
    ) -> Any:
        if compiled.unmarked and self._keeps_few():
            values = self.target.bind(args, keywords).values
            with contextlib.suppress(Exception):  # an error of the function itself comes again
                return self._slope(*values, *companions)
            product = super()._run(compiled, dots, args, keywords, companions)
            self._refused = True
            return product
        return super()._run(compiled, dots, args, keywords, companions)

    @property
    @hidden
    def source(self) -> str:
        """The generated source of the latest call."""
        ran = self._slope is not None and not self._refused
        found: str = self._slope.source if ran else super().source
        return found

    def _keeps_few(self) -> bool:
        """Whether there is a gradient of the tangent: of a plain function, in Python."""
        if not is_plain(self.target, self.function) or self.backend or self.has_aux:
            return False
        if self._slope is None:
            wrt = self.wrt if isinstance(self._wrt, tuple) else self.wrt[0]
            names = tuple(self.target.signature.parameters)
            self._slope = slope_of_tangent(jvp, self.function, names, self.wrt, wrt)
        return not self._refused


def check_floats(derivative: Tangent, value: Any) -> None:
    """Refuse a value without floats, which has no Jacobian."""
    if not list(leaves(value)):
        raise NonDifferentiableError(
            f"cannot take the Jacobian of {derivative.target.place}",
            why="there is no float in its value",
            cure="return floats or arrays of floats",
        )
