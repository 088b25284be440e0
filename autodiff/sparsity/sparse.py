"""Jacobians and Hessians with few entries that are not zero, by compressed sweeps.

The sparsity pattern at a point is found by following index sets through the function. Columns that
have no row in common get one colour, and one forward sweep gives all columns of a colour; or rows
and reverse sweeps, where these take fewer colours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.core import NotYet
from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.options import Given, shown
from autodiff.derivatives.target import Wrt
from autodiff.errors import AutodiffError, InternalError, NonDifferentiableError
from autodiff.frames import hidden
from autodiff.pipeline.refusal import REFUSED
from autodiff.pipeline.request import FLAGS
from autodiff.runtime import zeros_like
from autodiff.runtime.dependence import laid_out, like_value
from autodiff.runtime.indexsets import index_sets
from autodiff.sparsity.pattern import Pattern
from autodiff.structure import is_leaf, leaves, map_leaves
from autodiff.transforms.jacobian import apart
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangents import Several, Tangent, swept

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = np.ndarray[Any, Any]

_LIMIT = 1 << 27
_UNKNOWN = (*REFUSED, InternalError, NotYet)


class SparseJacobian(Tangent):
    """The Jacobian of a function as a `scipy.sparse.csr_array`.

    Its rows are the numbers of the value, its columns those of the arguments in `wrt`, each in the
    order of `leaves`.
    """

    pattern: Pattern | None = None
    """The pattern found last, which the next call begins with."""

    @hidden
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        found = self._matrix(args, keywords)
        if not self.has_aux:
            return found
        primals = self._primals(args, keywords)
        pair, _ = self.along(args, keywords, tuple(map(zeros_like, primals)))
        return found, apart(self, pair)[1]

    def _matrix(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        pattern = self.pattern
        if pattern is not None and pattern.shape[1] == self._count(args, keywords):
            found = self._compressed(pattern, args, keywords)
            if found is not None and self._agrees(found, args, keywords, fresh=False):
                return found
        new = self.pattern_at(*args, **keywords)
        if pattern is not None and pattern.shape == new.shape:
            new = new.joined(pattern)
        self.pattern = new
        found = self._compressed(new, args, keywords)
        if found is None or not self._agrees(found, args, keywords, fresh=True):
            raise InternalError(
                f"the sparse Jacobian of {self.target.place} does not agree with its tangent",
                why="its sparsity pattern misses an entry, or it draws random numbers",
                cure="draw random numbers outside; if there are none, please report it",
            )
        return found

    @hidden
    def pattern_at(self, *args: Any, **keywords: Any) -> Pattern:
        """The sparsity pattern at a point, of the path that the function takes there."""
        primals = self._primals(args, keywords)
        plain = {k: v for k, v in self._given_options.items() if k not in FLAGS}
        options = {**plain, "backend": "python"}  # the sets are Python's own
        follower = _Follower(self.primal, "sparsity", self._wrt, False, options)
        arguments = follower._bind(args, keywords)
        size, source = self._count(args, keywords), ""
        with index_sets(size) as sets:
            try:
                source = follower._compile(arguments).source
                value, found = map(self._value, follower.beside(arguments, _numbered(primals)))
                numbers = _flat(self._form(value, primals), found).astype(np.int64)
            except (*_UNKNOWN, TypeError):  # it cannot be followed: each may depend on all
                rows, _ = self._along(np.zeros(size), args, keywords)
                numbers = np.full(rows.size, sets.whole())
            starts = np.concatenate([[0], np.cumsum(sets.lengths(numbers))])
            if starts[-1] > _LIMIT:
                raise _not_sparse(self, source, int(starts[-1]))
            return Pattern((numbers.size, size), starts, sets.members(numbers))

    def _primals(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        bound = self._bind(args, keywords)
        given = dict(zip(self.target.signature.parameters, bound.values))
        primals = tuple(given[name] for name in self.wrt)
        if any(map(np.iscomplexobj, leaves(primals))):
            raise NonDifferentiableError(
                f"cannot take the sparse Jacobian of {self.target.place}",
                why="an argument is complex",
                cure="pass real and imaginary parts, or use jacobian",
            )
        return primals

    def _count(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> int:
        return sum(map(np.size, leaves(self._primals(args, keywords))))

    def _value(self, pair: Any) -> Any:
        """What is differentiated of what the function returns, or of its tangent."""
        return apart(self, pair)[0] if self.has_aux else pair

    def _form(self, value: Any, primals: tuple[Any, ...]) -> Any:
        """What says which numbers of the value are rows."""
        if any(map(np.iscomplexobj, leaves(value))):
            raise NonDifferentiableError(
                f"cannot take the sparse Jacobian of {self.target.place}",
                why="its value is complex",
                cure="return floats or arrays of floats",
            )
        return value

    def _along(self, vector: Array, args: Any, keywords: Any) -> tuple[Array, Array]:
        """The numbers of the value, and their tangents along a vector."""
        primals = self._primals(args, keywords)
        pairs = self.along(args, keywords, _shaped(vector, primals))
        value, tangent = map(self._value, pairs)
        form = self._form(value, primals)
        return _flat(form, value), _flat(form, tangent)

    def _compressed(self, pattern: Pattern, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The matrix by one sweep per colour; None where the value is none of this pattern."""
        by_columns, colours = pattern.colours
        if pattern.stars is not None:
            by_columns, colours = True, pattern.stars[0]
        found: list[Array] = []
        if by_columns:
            values = []
            for value, tangents in self._by_columns(colours, pattern.sweeps, args, keywords):
                values.append(value)
                found.extend(tangents)
                if value.size != pattern.shape[0]:
                    return None
                if not np.array_equal(value, values[0], equal_nan=True):
                    raise _not_the_same(self)
            at = pattern.rows, colours[pattern.columns]
            if pattern.stars is not None:
                at = pattern.stars[1:]
        else:
            value, pullback = self._pulled_back(args, keywords)
            if sum(map(np.size, leaves(value))) != pattern.shape[0]:
                return None
            for colour in range(pattern.sweeps):
                (seed,) = _shaped((colours == colour).astype(float), (value,))
                adjoints = pullback(seed)
                found.append(_flat(self._primals(args, keywords), adjoints))
            at = pattern.columns, colours[pattern.rows]
        if not found:
            return pattern.filled(np.zeros(0))
        return pattern.filled(np.stack(found, axis=1)[at])

    def _by_columns(
        self, colours: Array, count: int, args: Any, keywords: Any
    ) -> list[tuple[Array, list[Array]]]:
        """The numbers of the value, and tangents along the sums of the columns of each colour."""
        if not count:
            return []
        primals = self._primals(args, keywords)
        sweeper = Several(self.primal, "jvp", self._wrt, False, self._given_options)

        def vectors(start: int, stop: int) -> Array:
            chosen: Array = colours == np.arange(start, stop)[:, None]
            return chosen.astype(float)

        arguments = sweeper._bind(args, keywords)
        found = []
        for pairs in swept(sweeper, arguments, primals, count, vectors):
            value, tangents = map(self._value, pairs)
            form = self._form(value, primals)
            found.append((_flat(form, value), _rows(form, tangents)))
        return found

    def _pulled_back(self, args: Any, keywords: Any) -> tuple[Any, Pullback]:
        value, function = Derivative(self.primal, "vjp", self.wrt, False, self._given_options)(
            *args, **keywords
        )
        if not self.has_aux:
            return value, Pullback(function, value)
        value, aux = apart(self, value)
        return value, Pullback(lambda seed: function((seed, zeros_like(aux))), value)

    def _agrees(self, found: Any, args: Any, keywords: Any, fresh: bool) -> bool:
        """Whether the matrix times a random vector is the tangent along it.

        A pattern that misses an entry shows here, to half the digits.
        """
        vector = np.random.default_rng(found.nnz).uniform(0.5, 1.5, found.shape[1])
        _, tangent = self._along(vector, args, keywords)
        if tangent.size != found.shape[0]:
            return False
        product, size = found @ vector, abs(found) @ vector
        with np.errstate(invalid="ignore"):
            error = np.abs(product - tangent)
        tolerance = np.sqrt(np.finfo(np.result_type(tangent, np.float32)).eps) * size
        if fresh:  # found for this point: rounding in the function must not count as a mistake
            tolerance = 100 * (tolerance + np.max(tolerance[np.isfinite(size)], initial=0.0))
        wild = ~np.isfinite(product) & ~np.isfinite(tangent)
        return bool(np.all((error <= tolerance) | wild))


class SparseHessian(SparseJacobian):
    """The Hessian of a function, as the sparse Jacobian of its gradient.

    As it is symmetric, of each pair of entries one has to stand alone: that may take far fewer
    colours. Where it is not (`stop_gradient`, a kink), the check shows, and columns are coloured.
    """

    symmetric: bool = True

    @hidden
    def pattern_at(self, *args: Any, **keywords: Any) -> Pattern:
        found = super().pattern_at(*args, **keywords)
        return replace(found, symmetric=self.symmetric)

    def _compressed(self, pattern: Pattern, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        found = super()._compressed(pattern, args, keywords)
        if pattern.stars is None or found is None:
            return found
        if self._agrees(found, args, keywords, fresh=False):
            return found
        plain = replace(pattern, symmetric=False)
        found = super()._compressed(plain, args, keywords)
        if found is not None and self._agrees(found, args, keywords, fresh=True):
            self.symmetric = False
            if self.pattern is pattern:
                self.pattern = plain
        return found

    def _form(self, value: Any, primals: tuple[Any, ...]) -> Any:
        return primals if isinstance(self._wrt, tuple) else primals[0]


class _Follower(Tangent):
    """Value and index sets of a function."""


def _numbered(primals: tuple[Any, ...]) -> list[Any]:
    """The primals with each number replaced by the set of it alone; integers have empty sets."""
    after = 1

    def sets(zero: Any, own: Any) -> Any:
        nonlocal after
        if not is_leaf(own):
            return like_value(own, 0)
        size = np.size(own)
        numbers = np.arange(after, after + size).reshape(np.shape(own))
        after += size
        return laid_out(numbers, own) if np.ndim(own) else like_value(own, numbers)

    return [map_leaves(sets, zeros_like(primal), primal) for primal in primals]


def _shaped(vector: Array, like: tuple[Any, ...]) -> tuple[Any, ...]:
    """The numbers of a vector in the structure of some values."""
    after = 0

    def part(leaf: Any) -> Any:
        nonlocal after
        own = vector[after : after + np.size(leaf)].reshape(np.shape(leaf))
        after += np.size(leaf)
        return own if isinstance(leaf, np.ndarray) else type(leaf)(own)

    return tuple(map_leaves(part, like))


def _flat(form: Any, values: Any) -> Array:
    """The numbers in a structure of which `form` says where floats are."""
    found = [np.zeros(0)]
    map_leaves(lambda leaf, own: found.append(np.ravel(own)), form, values)
    return np.concatenate(found)


def _rows(form: Any, tangents: Any) -> list[Array]:
    """The numbers of tangents along several directions, direction by direction."""
    found: list[Array] = []
    map_leaves(lambda leaf, own: found.append(own.reshape(len(own), -1)), form, tangents)
    return list(np.concatenate(found, axis=1)) if found else []


def _not_sparse(derivative: Derivative, source: str, entries: int) -> AutodiffError:
    lines = [line.strip() for line in source.splitlines() if "depends_on_all(" in line]
    shown = "; ".join(lines[:3])
    return AutodiffError(
        f"the Jacobian of {derivative.target.place} may have {entries:,} entries",
        why=f"what is not followed depends on everything: {shown}" if lines else "it is not sparse",
        cure="write these operations with arithmetic, slices and sums, or use jvp and vjp",
    )


def _not_the_same(derivative: Derivative) -> AutodiffError:
    return AutodiffError(
        f"{derivative.target.place} does not give the same value twice",
        why="each sweep runs it again",
        cure="draw random numbers outside and pass them",
    )


@shown
def sparse_jacobian(
    f: Callable[..., Any],
    wrt: Wrt = 0,
    has_aux: bool = False,
    *,
    pattern: Pattern | None = None,
    **options: Unpack[Given],
) -> SparseJacobian:
    """The function that computes the Jacobian of `f` as a `scipy.sparse.csr_array`.

    Its rows are the numbers of the value, its columns those of the argument; the arrays in a
    structured value, in a structured argument, and of a tuple `wrt`, follow one another.

    The first call finds where entries may be other than zero, by following sets of inputs through
    `f` (never missing one; what cannot be followed is taken to depend on everything), and how
    columns or rows share sweeps. This `.pattern` is that of the path which `f` takes at the point:
    branches, indices and lengths of loops may change elsewhere. So each call compares the result
    with the derivative along a random direction, by one more sweep; where they differ, the pattern
    is found again and added to the one before. `pattern=` begins with the one of another
    `sparse_jacobian`. `.pattern_at(*args)` only finds it. With `has_aux` the function returns
    `(value, aux)`, and the result is `(matrix, aux)`.

    Needs SciPy. Raises `NonDifferentiableError` for complex numbers, and what `jvp` raises.

    >>> def differences(x):
    ...     return x[1:] ** 2 - x[:-1]
    >>> jac = sparse_jacobian(differences)
    >>> jac(np.array([1.0, 2.0, 3.0])).toarray()
    array([[-1.,  4.,  0.],
           [ 0., -1.,  6.]])
    >>> jac.pattern, jac.pattern.sweeps
    (<pattern of a 2 x 3 matrix, 4 entries>, 2)
    """
    with hidden:
        derivative = SparseJacobian(f, "jvp", wrt, has_aux, options)
    derivative.pattern = pattern
    return derivative


@shown
def sparse_hessian(
    f: Callable[..., Any],
    wrt: Wrt = 0,
    has_aux: bool = False,
    *,
    pattern: Pattern | None = None,
    **options: Unpack[Given],
) -> SparseHessian:
    """The function that computes the Hessian of a scalar `f` as a `scipy.sparse.csr_array`.

    It is the `sparse_jacobian` of the gradient, by tangents of the gradient along vectors that
    share columns; rows and columns are the numbers of the argument. Symmetry saves sweeps (star
    colouring): two are enough for an arrow-head of any size.

    >>> def energy(x):
    ...     return np.sum((x[1:] - x[:-1]) ** 2)
    >>> sparse_hessian(energy)(np.ones(3)).toarray()
    array([[ 2., -2.,  0.],
           [-2.,  4., -2.],
           [ 0., -2.,  2.]])
    """
    with hidden:
        gradient = Derivative(f, "grad", wrt, has_aux, options)
        derivative = SparseHessian(gradient, "jvp", wrt, has_aux, options)
    derivative.pattern = pattern
    return derivative
