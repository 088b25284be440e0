"""Gradients that are added up in buffers, beside the pure ones of `grad`.

w = Parameter(np.zeros(3))
step = backward(loss, {"w": w})
step(inputs, targets)                   w.grad += dloss/dw
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.options import Given, shown
from autodiff.errors import AutodiffError, OptionError
from autodiff.frames import hidden
from autodiff.locks import lock
from autodiff.runtime.structure import fields, in_form, is_record
from autodiff.structure import is_leaf

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Parameter:
    """A number or array that is learnt: its value, and the buffer that gradients are added to.

    `grad` is zero in the beginning, an array of the shape and dtype of `value`, and stays the same
    array. Optimisers update `value` in place, `p.value -= rate * p.grad`, while no gradient is
    being computed.

    Raises AutodiffError for a value that holds no floats.

    >>> w = Parameter(np.array([1.0, 2.0]))
    >>> w.add(np.array([0.5, 0.5]))
    >>> w.grad
    array([0.5, 0.5])
    """

    __slots__ = ("_lock", "grad", "value")

    def __init__(self, value: Any) -> None:
        if not is_leaf(value):
            raise AutodiffError(
                f"a Parameter cannot hold {value!r}",
                why="it is no float and no array of floats, so it has no gradient",
                cure="pass floats: np.asarray(value, float)",
            )
        self.value: Any = np.array(value)
        self.grad: Any = np.zeros_like(self.value)
        self._lock = lock()

    def add(self, gradient: Any) -> None:
        """Add to the buffer; several threads may do so at once."""
        with self._lock:
            self.grad += gradient

    def zero_grad(self) -> None:
        """Set the buffer to zero."""
        with self._lock:
            self.grad[...] = 0.0

    def __getstate__(self) -> tuple[Any, Any]:
        return self.value, self.grad

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        self.value, self.grad = state
        self._lock = lock()

    def __repr__(self) -> str:
        return f"Parameter({self.value!r})"


class Backward:
    """A function that adds its gradient to the buffers of parameters, and returns its value."""

    def __init__(
        self, f: Callable[..., Any], params: Any, has_aux: bool, options: dict[str, Any]
    ) -> None:
        self.params = params
        self.derivative = Derivative(f, "value_and_grad", 0, has_aux, options)
        if "argnums" in options:
            raise OptionError(
                "backward takes the gradient by the first argument, which are its params",
                cure="leave argnums out",
            )
        if not self.parameters:
            raise AutodiffError(
                "backward got no Parameter",
                why=f"there is none in {params!r}",
                cure="wrap the arrays that are learnt: Parameter(np.zeros(3))",
            )

    @hidden
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        value, gradient = self.derivative(_values(self.params), *args, **keywords)
        for parameter, own in _pairs(self.params, gradient):
            parameter.add(own)
        return value

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters, each once, in the order of the structure."""
        return list({id(p): p for p, _ in _pairs(self.params, self.params)}.values())

    def zero_grad(self) -> None:
        """Set all buffers to zero."""
        for parameter in self.parameters:
            parameter.zero_grad()

    def __repr__(self) -> str:
        return f"<backward of {self.derivative.target.place}>"


@shown
def backward(
    f: Callable[..., Any], params: Any, has_aux: bool = False, **options: Unpack[Given]
) -> Backward:
    """The function of the arguments of `f` after the first that adds its gradient to buffers.

    `params` is a `Parameter`, or nested tuples, lists, dicts and objects of them; `f` gets the same
    structure with their values as its first argument, and returns a scalar (`(scalar, aux)` with
    `has_aux`). `backward(f, params)(*args)` returns what `f` returns, and adds to the `grad` of
    every parameter; a parameter that stands in two places gets the sum. Several threads may call it
    at once: each buffer has its lock. `.parameters` lists the parameters, `.zero_grad()` sets their
    buffers to zero. Without buffers: `value_and_grad`.

    Raises AutodiffError where `params` holds no Parameter, and what `grad` raises.

    >>> def loss(w, x):
    ...     return np.sum(w * x)
    >>> w = Parameter(np.array([1.0, 2.0]))
    >>> step = backward(loss, w)
    >>> for x in (np.array([1.0, 0.0]), np.array([1.0, 3.0])):
    ...     print(step(x))
    1.0
    7.0
    >>> w.grad
    array([2., 3.])
    """
    with hidden:
        return Backward(f, params, has_aux, dict(options))


def _values(x: Any) -> Any:
    """The structure with the value of each parameter in its place."""
    return x.value if isinstance(x, Parameter) else in_form(x, {}, _values, x)


def _pairs(x: Any, gradient: Any) -> Iterator[tuple[Parameter, Any]]:
    """Each parameter in a structure with its part of a gradient of that structure."""
    if isinstance(x, Parameter):
        yield x, gradient
    elif isinstance(x, (tuple, list)):
        for item, own in zip(x, gradient):
            yield from _pairs(item, own)
    elif isinstance(x, dict):
        for key, item in x.items():
            yield from _pairs(item, gradient[key])
    elif is_record(x):
        for name, item in fields(x).items():
            yield from _pairs(item, getattr(gradient, name))
