"""The functions a user calls to get a derivative."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.options import Given, shown
from autodiff.derivatives.target import Wrt, target_of
from autodiff.derivatives.typed import A, P, V
from autodiff.errors import AutodiffError
from autodiff.frames import hidden
from autodiff.pipeline.request import Mode
from autodiff.rules import registry
from autodiff.runtime import zeros_like
from autodiff.transforms.hessian import CheaperJacobian, ForwardJacobian, HessianProduct
from autodiff.transforms.jacobian import ElementwiseGradient, HolomorphicJacobian, Jacobian
from autodiff.transforms.pullback import Pullback
from autodiff.transforms.tangent_inside import along, back
from autodiff.transforms.tangents import jvp

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from autodiff.derivatives.typed import Decorator, ValueDecorator

Function = Callable[..., Any]


JacobianMode = Literal["auto", "forward", "reverse"]

_JACOBIANS: dict[str, type[Derivative]] = {
    "auto": CheaperJacobian,
    "forward": ForwardJacobian,
    "reverse": Jacobian,
}


@overload
def grad(
    f: Callable[P, tuple[Any, A]],
    wrt: Wrt = ...,
    *,
    has_aux: Literal[True],
    **options: Unpack[Given],
) -> Derivative[P, tuple[Any, A]]: ...
@overload
def grad(
    f: Callable[P, Any], wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Derivative[P, Any]: ...
@overload
def grad(
    f: None = ..., wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Decorator: ...
@shown
def grad(
    f: Function | None = None, wrt: Wrt = 0, has_aux: bool = False, **options: Unpack[Given]
) -> Derivative | Decorator:
    """The function that computes the gradient of `f`.

    `wrt` (or `argnums`) says with respect to what: the position or the name of a parameter, or a
    tuple of those (then the gradient is a tuple). The instance of a bound method, or of one that
    is decorated in its class, does not count; of `Model.loss` it is position 0, as of any function.
    What `*args` and `**keywords` take is named so, too. The gradient has the structure of the
    argument; arrays keep shape and dtype. `f` must return a real scalar, or `(scalar, aux)` with
    `has_aux`, as in all functions that make derivatives: then the result is `(gradient, aux)`.

    Usable as a decorator, `@grad` or `@grad(wrt="x")`. What is returned, a `Derivative`, shows its
    `.source`, and is called as `f` is.

    The options, here and in all that take `**options`: `backend="numba"` compiles to machine code,
    with `boundscheck`, `cache`, `error_model`, `fastmath` and `parallel` for `numba.njit`;
    `sizes=False` compiles in no lengths that `f` tells (`x, y = state`); `debug_nans=True` names
    the statement that makes NaN or infinity (see `debug_nans`); `timeout=10.0` raises
    `CompileTimeoutError` where compiling takes more seconds than that (as long as it is not
    Numba that compiles, or another thread).

    Raises `OptionError` for other options; on the first call with arguments of new kinds,
    `NonDifferentiableError` for an argument that is no float and a result that is no scalar,
    `UnsupportedSyntaxError` and `MissingRuleError` for what cannot be differentiated.

    >>> def area(radius):
    ...     return 3.0 * radius ** 2
    >>> grad(area)(2.0)
    12.0
    """
    with hidden:
        return _derivative(Derivative, f, "grad", wrt, has_aux, options)


@overload
def value_and_grad(
    f: Callable[P, V], wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Derivative[P, tuple[V, Any]]: ...
@overload
def value_and_grad(
    f: None = ..., wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> ValueDecorator: ...
@shown
def value_and_grad(
    f: Function | None = None, wrt: Wrt = 0, has_aux: bool = False, **options: Unpack[Given]
) -> Derivative | Decorator | ValueDecorator:
    """The function that computes `(value, gradient)` of `f`, as `grad` does, in one go.

    This is what `scipy.optimize.minimize(..., jac=True)` takes. With `has_aux` the result is
    `((value, aux), gradient)`.

    >>> def area(radius):
    ...     return 3.0 * radius ** 2
    >>> value_and_grad(area)(2.0)
    (12.0, 12.0)
    """
    with hidden:
        return _derivative(Derivative, f, "value_and_grad", wrt, has_aux, options)


@overload
def jacobian(
    f: Callable[P, Any],
    wrt: Wrt = ...,
    has_aux: bool = ...,
    *,
    mode: JacobianMode = ...,
    holomorphic: bool = ...,
    **options: Unpack[Given],
) -> Derivative[P, Any]: ...
@overload
def jacobian(
    f: None = ...,
    wrt: Wrt = ...,
    has_aux: bool = ...,
    *,
    mode: JacobianMode = ...,
    holomorphic: bool = ...,
    **options: Unpack[Given],
) -> Decorator: ...
@shown
def jacobian(
    f: Function | None = None,
    wrt: Wrt = 0,
    has_aux: bool = False,
    *,
    mode: JacobianMode = "auto",
    holomorphic: bool = False,
    **options: Unpack[Given],
) -> Derivative | Decorator:
    """The function that computes all partial derivatives of `f`.

    `mode="auto"` takes one sweep per number of the value, in reverse mode, or, where these are
    fewer, one per number of the arguments, in forward mode; `mode="reverse"` and `mode="forward"`
    (`jacrev` and `jacfwd`) say which. The result has shape `value.shape + argument.shape`; a
    structured value or argument gives a structure of such arrays (value outside, argument inside,
    zeros for integers, None for text), a tuple `wrt` a tuple.

    `holomorphic=True` gives the complex derivatives of a complex function of complex arguments, and
    raises NonDifferentiableError where it has none.

    >>> import numpy as np
    >>> def squares(x):
    ...     return x ** 2
    >>> jacobian(squares)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    if mode not in _JACOBIANS:
        raise AutodiffError(f"jacobian has no mode {mode!r}", cure=f"pass one of {[*_JACOBIANS]}")
    if holomorphic and mode == "forward":
        raise AutodiffError(
            "holomorphic Jacobians are taken in reverse mode", cure="leave mode out"
        )
    cls = HolomorphicJacobian if holomorphic else _JACOBIANS[mode]
    with hidden:
        return _derivative(cls, f, "jvp" if mode == "forward" else "vjp", wrt, has_aux, options)


@overload
def elementwise_grad(
    f: Callable[P, Any], wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Derivative[P, Any]: ...
@overload
def elementwise_grad(
    f: None = ..., wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Decorator: ...
@shown
def elementwise_grad(
    f: Function | None = None, wrt: Wrt = 0, has_aux: bool = False, **options: Unpack[Given]
) -> Derivative | Decorator:
    """The function that computes the gradient of the sum of all elements of `f`'s value.

    For a function that acts on each element alone, this is its derivative at each element. The
    result has the shape of the argument.

    >>> import numpy as np
    >>> def squares(x):
    ...     return x ** 2
    >>> elementwise_grad(squares)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    with hidden:
        return _derivative(ElementwiseGradient, f, "vjp", wrt, has_aux, options)


@overload
def jacfwd(
    f: Callable[P, Any], wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Derivative[P, Any]: ...
@overload
def jacfwd(
    f: None = ..., wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Decorator: ...
@shown
def jacfwd(
    f: Function | None = None, wrt: Wrt = 0, has_aux: bool = False, **options: Unpack[Given]
) -> Derivative | Decorator:
    """The function that computes all partial derivatives of `f`, by a forward sweep along all
    numbers of the arguments: for functions with more results than arguments.

    Where the compiler cannot prove that code for several directions is right, there is one sweep
    for each; `.source` shows which. The result has the form that `jacobian` gives it.

    >>> import numpy as np
    >>> def powers(x):
    ...     return np.array([x, x**2, x**3])
    >>> jacfwd(powers)(2.0)
    array([ 1.,  4., 12.])
    """
    with hidden:
        return _derivative(ForwardJacobian, f, "jvp", wrt, has_aux, options)


@overload
def jacrev(
    f: Callable[P, Any], wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Derivative[P, Any]: ...
@overload
def jacrev(
    f: None = ..., wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Decorator: ...
@shown
def jacrev(
    f: Function | None = None, wrt: Wrt = 0, has_aux: bool = False, **options: Unpack[Given]
) -> Derivative | Decorator:
    """The function that computes all partial derivatives of `f`, by one reverse sweep per number
    of its value: for functions with more arguments than results.

    The result has the form that `jacobian` gives it.

    >>> import numpy as np
    >>> def product(x):
    ...     return x[0] * x[1]
    >>> jacrev(product)(np.array([2.0, 5.0]))
    array([5., 2.])
    """
    with hidden:
        return _derivative(Jacobian, f, "vjp", wrt, has_aux, options)


@overload
def hessian(
    f: Callable[P, Any], wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Derivative[P, Any]: ...
@overload
def hessian(
    f: None = ..., wrt: Wrt = ..., has_aux: bool = ..., **options: Unpack[Given]
) -> Decorator: ...
@shown
def hessian(
    f: Function | None = None, wrt: Wrt = 0, has_aux: bool = False, **options: Unpack[Given]
) -> Derivative | Decorator:
    """The function that computes all second partial derivatives of `f`, which returns a scalar.

    They are tangents of the gradient, in one sweep as with `jacfwd`. The result has shape
    `argument.shape + argument.shape`; a tuple `wrt` gives a tuple of tuples, a structured argument
    a structure of structures.

    >>> import numpy as np
    >>> def product(x):
    ...     return x[0] * x[1] ** 2
    >>> hessian(product)(np.array([3.0, 2.0]))
    array([[0., 4.],
           [4., 6.]])
    """
    if f is None:
        return cast("Decorator", partial(hessian, wrt=wrt, has_aux=has_aux, **options))
    with hidden:
        gradient = Derivative(f, "grad", wrt, has_aux, options)
        return ForwardJacobian(gradient, "jvp", wrt, has_aux, options)


@shown
def hvp(
    f: Callable[P, Any], wrt: Wrt = 0, has_aux: bool = False, **options: Unpack[Given]
) -> Derivative:
    """The function of the arguments of `f` and a vector that computes Hessian times vector.

    `f` returns a scalar; the vector comes after its arguments, and has the structure of the
    argument (a tuple of such for a tuple `wrt`). The cost is a few times that of the gradient.

    >>> def cube(x):
    ...     return x**3
    >>> hvp(cube)(2.0, 10.0)
    120.0
    """
    with hidden:
        gradient = Derivative(f, "grad", wrt, has_aux, options)
        return HessianProduct(gradient, "jvp", wrt, has_aux, options)


@overload
def vjp(
    f: Callable[..., V], *primals: Any, has_aux: Literal[False] = ..., **options: Unpack[Given]
) -> tuple[V, Pullback]: ...
@overload
def vjp(
    f: Callable[..., tuple[V, A]], *primals: Any, has_aux: Literal[True], **options: Unpack[Given]
) -> tuple[V, Pullback, A]: ...
@overload
def vjp(f: Function, *primals: Any, has_aux: bool, **options: Unpack[Given]) -> tuple[Any, ...]: ...
@shown
def vjp(
    f: Function, *primals: Any, has_aux: bool = False, **options: Unpack[Given]
) -> tuple[Any, ...]:
    """The value of `f` at `primals`, and the pullback.

    `pullback(seed)` takes an adjoint of the value (same structure and shapes, else an
    `AutodiffError`) and returns a tuple with one adjoint per primal. It may be called many times;
    `pullback.batch(seeds)` takes several at once, along a first axis, and so returns the adjoints.
    With `has_aux` the result is `(value, pullback, aux)`.

    A pullback holds `f` and the primals, and pickles where they do; when it is loaded, it runs the
    forward sweep again.

    >>> import numpy as np
    >>> def scaled(a, x):
    ...     return a * x
    >>> value, pullback = vjp(scaled, 2.0, np.array([1.0, 2.0]))
    >>> value
    array([2., 4.])
    >>> a_bar, x_bar = pullback(np.array([1.0, 10.0]))
    >>> x_bar
    array([ 2., 20.])
    """
    with hidden:
        wrt, inside = target_of(f).covered(len(primals))
        value, function = Derivative(f, "vjp", wrt, False, options)(*primals)

    def arrange(adjoints: tuple[Any, ...]) -> tuple[Any, ...]:
        return adjoints if inside is None else (*adjoints[:-1], *adjoints[-1][inside:])

    again = _pullback, (f, primals, has_aux, options)
    if not has_aux:
        return value, Pullback(function, value, arrange, again)
    value, aux = value

    def with_aux(seed: Any) -> Any:
        return function((seed, zeros_like(aux)))

    return value, Pullback(with_aux, value, arrange, again), aux


def _pullback(
    f: Function, primals: tuple[Any, ...], has_aux: bool, options: dict[str, Any]
) -> Pullback:
    """The pullback of `vjp` once more: one that was pickled."""
    made: Pullback = vjp(f, *primals, has_aux=has_aux, **options)[1]
    return made


def _derivative(
    cls: type[Derivative],
    f: Function | None,
    mode: Mode,
    wrt: Wrt,
    has_aux: bool,
    options: Mapping[str, Any],
) -> Derivative | Decorator:
    if f is None:
        made: Any = hidden(lambda f: cls(f, mode, wrt, has_aux, options))  # type: ignore[misc]
        return cast("Decorator", made)
    return cls(f, mode, wrt, has_aux, options)


registry.add_offer(vjp, back)
registry.add_offer(jvp, along)
registry.add_pulling(vjp)
registry.add_makers(
    (grad, value_and_grad, jacobian, jacfwd, jacrev, hessian, hvp, elementwise_grad)
)
