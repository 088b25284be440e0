"""The second half of a vector-Jacobian product, guarded against seeds that do not fit."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.errors import AutodiffError
from autodiff.loader import annotate
from autodiff.runtime import zeros_like
from autodiff.runtime.structure import blank, fields, is_record
from autodiff.structure import is_leaf, map_leaves

_NUMBERS = (bool, int, float, complex, np.generic, np.ndarray)


class Pullback:
    """Maps a seed, an adjoint of the value, to the adjoints of the primals.

    The seed must have the structure and shapes of the value; numbers in it are converted to the
    dtypes of the value. A seed of another shape would be broadcast and give a wrong result, so it
    is refused with an `AutodiffError`.

    It is pickled as the call that makes it `again`: its tape and code are of this process.
    """

    __slots__ = ("again", "arrange", "function", "value")

    def __init__(
        self,
        function: Callable[[Any], tuple[Any, ...]],
        value: Any,
        arrange: Callable[[tuple[Any, ...]], Any] = tuple,
        again: tuple[Callable[..., Pullback], tuple[Any, ...]] | None = None,
    ) -> None:
        self.function = function
        self.value = value
        self.arrange = arrange
        self.again = again

    def __call__(self, seed: Any) -> Any:
        seed = fit(seed, self.value)
        try:
            adjoints = self.function(seed)
        except Exception as error:
            annotate(error)
            raise
        return self.arrange(adjoints)

    def batch(self, seeds: Any) -> Any:
        """The adjoints for several seeds, one reverse sweep each.

        `seeds` has the structure of the value, each number and array in it with one more axis in
        front, all of one length; so have the adjoints. What is no number (text, None) has no such
        axis, integers need none; None for a part is zero.

        Raises AutodiffError where the seeds do not fit, or are not equally many.

        >>> pullback = Pullback(lambda seed: (2.0 * seed,), 1.5)
        >>> pullback.batch([1.0, 10.0])
        (array([ 2., 20.]),)
        """
        batches = _each(_batched, self.value, seeds)
        lengths: set[int] = set()
        _each(lambda _, batch: lengths.add(len(batch)), self.value, batches)
        if not lengths:
            raise _misfit(seeds, self.value, "seeds")
        if len(lengths) != 1:
            raise AutodiffError(
                "the batches of seeds are not equally long",
                why=f"their lengths are {sorted(lengths)}",
                cure="give every part of the value the same number of seeds",
            )

        def swept_for(k: int) -> Any:
            return self(_each(lambda _, batch: batch[k], self.value, batches))

        swept = [swept_for(k) for k in range(lengths.pop())]
        if swept:
            return map_leaves(lambda *adjoints: np.stack(adjoints), *swept)
        form = self(map_leaves(zeros_like, self.value))
        return map_leaves(lambda leaf: np.zeros((0, *np.shape(leaf)), np.result_type(leaf)), form)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.again is None:
            raise pickle.PicklingError(f"cannot pickle {self!r}: it is not one that vjp returned")
        return self.again

    def __repr__(self) -> str:
        return f"<pullback for a seed like {_form(self.value)}>"


def fit(seed: Any, value: Any) -> Any:
    """The seed with the dtypes of `value`.

    >>> fit(1, 2.0), fit([1, 0], np.array([3.0, 4.0]))
    (1.0, array([1., 0.]))
    """
    cls = value.__class__
    if cls is seed.__class__:  # most of the time there is nothing to do
        if cls is float:
            return seed
        if cls is np.ndarray and seed.dtype == value.dtype and seed.dtype.kind in "fc":
            if seed.shape == value.shape:
                return seed
    if isinstance(value, tuple) and isinstance(seed, (tuple, list)) and len(seed) == len(value):
        items = [fit(s, v) for s, v in zip(seed, value)]
        return type(value)._make(items) if hasattr(value, "_make") else tuple(items)
    if isinstance(value, list) and isinstance(seed, (tuple, list)) and len(seed) == len(value):
        return [fit(s, v) for s, v in zip(seed, value)]
    if isinstance(value, dict) and isinstance(seed, dict) and seed.keys() == value.keys():
        return {key: fit(seed[key], value[key]) for key in value}
    if isinstance(value, _NUMBERS):
        return _fit_number(seed, value)
    is_container = isinstance(value, (tuple, list, dict))
    if type(seed) is type(value) and not is_container or seed is None:
        return zeros_like(value) if seed is None else seed
    raise _misfit(seed, value)


def _fit_number(seed: Any, value: Any) -> Any:
    shape = np.shape(value)
    try:
        array = np.asarray(seed)
    except ValueError:  # a ragged list
        raise _misfit(seed, value) from None
    if array.shape != shape or array.dtype.kind not in "biufc":
        raise _misfit(seed, value)
    dtype = np.asarray(value).dtype
    if dtype.kind not in "fc":
        dtype = np.dtype(float)
    if array.dtype.kind == "c" and dtype.kind != "c":
        raise _misfit(seed, value)
    array = array.astype(dtype, copy=False)
    if isinstance(value, np.ndarray):
        return array
    if isinstance(value, np.generic):
        return array[()]
    return array.item()


def _each(change: Callable[[Any, Any], Any], value: Any, seeds: Any) -> Any:
    """The seeds, each of a number or array of the value changed: `change(own, seeds of it)`.

    What is neither, what there is None for, and one seed for integers is kept.
    """
    if isinstance(value, _NUMBERS):
        is_one = not is_leaf(value) and np.shape(seeds) == np.shape(value)
        return seeds if is_one else change(value, seeds)
    if seeds is None:
        return None
    if isinstance(value, (tuple, list)):
        if not isinstance(seeds, (tuple, list)) or len(seeds) != len(value):
            raise _misfit(seeds, value, "seeds")
        return [_each(change, own, part) for own, part in zip(value, seeds)]
    if isinstance(value, dict):
        if not isinstance(seeds, dict) or seeds.keys() != value.keys():
            raise _misfit(seeds, value, "seeds")
        return {key: _each(change, value[key], seeds[key]) for key in value}
    if is_record(value):
        if type(seeds) is not type(value) or fields(seeds).keys() != fields(value).keys():
            raise _misfit(seeds, value, "seeds")
        result = blank(type(value))
        for name, own in fields(value).items():
            object.__setattr__(result, name, _each(change, own, fields(seeds)[name]))
        return result
    return seeds


def _batched(value: Any, seeds: Any) -> Any:
    """The seeds for one number or array of the value, as an array."""
    try:
        batch = np.asarray(seeds)
    except ValueError:  # a ragged list
        raise _misfit(seeds, value, "seeds") from None
    if batch.ndim != np.ndim(value) + 1 or batch.shape[1:] != np.shape(value):
        raise _misfit(seeds, value, "seeds")
    return batch if batch.dtype.kind in "fc" else batch.astype(float)


def _misfit(seed: Any, value: Any, what: str = "seed") -> AutodiffError:
    axis = ", with one more axis in front" if what == "seeds" else ""
    return AutodiffError(
        f"the {what} {'do' if axis else 'does'} not fit the value",
        why=f"the value is {_form(value)}, the {what} {'are' if axis else 'is'} {_form(seed)}",
        cure=f"pass a seed of the structure, shape and dtype of the value{axis}",
    )


def _form(x: Any) -> str:
    if isinstance(x, np.ndarray):
        return f"an array of {x.dtype} of shape {x.shape}"
    if isinstance(x, (tuple, list)):
        return f"a {type(x).__name__} of {len(x)} items"
    if isinstance(x, dict):
        return f"a dict with keys {', '.join(map(repr, x))}"
    return f"a number ({type(x).__name__})" if np.isscalar(x) else f"a {type(x).__name__}"
