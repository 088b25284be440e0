"""Derivatives that take several sweeps, written as functions that can be differentiated again.

    def jacobian_of_f(x):
        value = f(x)
        x_jacobian = np.zeros((np.size(value), x.size))
        for k in range(np.size(value)):
            x_row = row(x, k)                       # the gradient of element k of f(x)
            x_jacobian[k] = np.ravel(x_row)
        return np.reshape(x_jacobian, np.shape(value) + x.shape)

What they call is inlined in its turn, so that the code is that of any function of the user's.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from inspect import Parameter
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Array, Kind, Numeric, Scalar, differentiable
from autodiff.loader import load
from autodiff.pipeline.compiled import Offer
from autodiff.syntax.names import Names

if TYPE_CHECKING:
    from autodiff.derivatives.derivative import Derivative

_PLAIN = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)

_OTHERS = """
    raise TypeError("what is differentiated again here must return a number or an array")
"""


class _Writer:
    """The text of a function of the first parameters of what a derivative is taken of."""

    def __init__(self, derivative: Derivative, count: int, helpers: Mapping[str, Any]) -> None:
        target = derivative.target
        parameters = list(target.signature.parameters.values())
        if target.prefix or target.keywords or any(p.kind not in _PLAIN for p in parameters):
            raise UnsupportedSyntaxError(
                f"{derivative!r} is differentiated again",
                why="what is differentiated again has positional parameters alone: no method, no "
                "partial, no keywords",
                cure="write a function that takes its arguments one by one",
            )
        self.own = [parameter.name for parameter in parameters[:count]]
        self.names = Names({p.name for p in parameters} | {_called(derivative)})
        self.given = ", ".join(self.own)
        self.called = {hint: self.names.fresh(hint) for hint in ("np", *helpers)}
        meant = {"np": np, **helpers}
        self.helpers = {own: meant[hint] for hint, own in self.called.items()}
        self.wrt = derivative.wrt
        self.is_single = not isinstance(derivative._wrt, tuple)

    def fresh(self, *hints: str) -> list[str]:
        return [self.names.fresh(hint) for hint in hints]

    def returned(self, parts: list[str]) -> str:
        return parts[0] if self.is_single else f"({', '.join(parts)},)"

    def function(
        self, title: str, body: str, *further: str, defaults: tuple[object, ...] = ()
    ) -> FunctionType:
        """The function with this body, in which `$np` and the like mean the helpers."""
        head = ", ".join([*self.own, *further])
        for hint, own in self.called.items():
            body = re.sub(rf"\${hint}\b", own, body)
        text = f"def {title}({head}):\n    {body.strip()}\n"
        names = Namespace({}, defaults=defaults)
        return load(text, f"written {title}", names, self.helpers, {})


def by_rows(derivative: Derivative, kinds: list[Kind], gradient: Callable[..., Any]) -> Offer:
    """The Jacobian by gradients of the elements of the value; `gradient` is `Derivative`.

    Of a number it is the gradient.
    """
    primal = derivative.primal
    slope = gradient(primal, "grad", derivative._wrt)
    inner = _Writer(derivative, len(kinds), {"primal": primal})
    _check_arguments(derivative, dict(zip(inner.own, kinds)))
    [k] = inner.fresh("k")
    element = inner.function("element", f"return $np.ravel($primal({inner.given}))[{k}]", k)
    row = gradient(element, "grad", derivative._wrt)
    writer = _Writer(derivative, len(kinds), {"primal": primal, "row": row, "slope": slope})
    value, k = writer.fresh("value", "k")
    rows = writer.fresh(*(f"{own}_row" for own in writer.wrt))
    jacobians = writer.fresh(*(f"{own}_jacobian" for own in writer.wrt))
    each = list(zip(writer.wrt, jacobians, rows, (kinds[writer.own.index(p)] for p in writer.wrt)))
    lines = [
        f"{value} = $primal({writer.given})",
        f"    if isinstance({value}, (float, $np.floating)):",
        f"        return $slope({writer.given})",
        f"    if isinstance({value}, $np.ndarray):",
        *(f"        {all_} = $np.zeros({_size(own, kind, value)})" for own, all_, _, kind in each),
        f"        for {k} in range($np.size({value})):",
        f"            {writer.returned(rows)} = $row({writer.given}, {k})",
        *(f"            {all_}[{k}] = {_flat(one, kind)}" for _, all_, one, kind in each),
    ]
    made = [
        f"$np.reshape({all_}, $np.shape({value}) + {_asked(own, kind, 'shape')})"
        for own, all_, _, kind in each
    ]
    lines.append(f"        return {writer.returned(made)}")
    text = "\n".join(lines) + _OTHERS
    return writer.function(f"jacobian_of_{_called(primal)}", text), ()


def by_columns(derivative: Derivative, kinds: list[Kind], jvp: Callable[..., Any]) -> Any:
    """The Jacobian by tangents along the elements of the arguments."""
    primal = derivative.primal
    writer = _Writer(derivative, len(kinds), {"primal": primal, "jvp": jvp})
    _check_arguments(derivative, dict(zip(writer.own, kinds)))
    value, column, k = writer.fresh("value", "column", "k")
    lines = [
        f"{value} = $primal({writer.given})",
        f"    if isinstance({value}, (float, $np.floating, $np.ndarray)):",
    ]
    made = []
    for own in writer.wrt:
        jacobian, unit = writer.fresh(f"{own}_jacobian", f"{own}_unit")
        kind = kinds[writer.own.index(own)]
        if isinstance(kind, Scalar):
            dots = _only(writer.own, own, "1.0")
            lines.append(f"        _, {jacobian} = $jvp($primal, ({writer.given},), ({dots},))")
            made.append(jacobian)
            continue
        size, shape = _asked(own, kind, "size"), _asked(own, kind, "shape")
        dots = _only(writer.own, own, f"$np.reshape({unit}, {shape})")
        lines += [
            f"        {jacobian} = $np.zeros(($np.size({value}), {size}){_dtype(own, kind)})",
            f"        for {k} in range({size}):",
            f"            {unit} = $np.zeros({size}{_dtype(own, kind)})",
            f"            {unit}[{k}] = 1.0",
            f"            _, {column} = $jvp($primal, ({writer.given},), ({dots},))",
            f"            {jacobian}[:, {k}] = $np.ravel({column})",
        ]
        made.append(f"$np.reshape({jacobian}, $np.shape({value}) + {shape})")
    lines.append(f"        return {writer.returned(made)}")
    return writer.function(f"jacobian_of_{_called(primal)}", "\n".join(lines) + _OTHERS)


def _check_arguments(derivative: Derivative, kinds: Mapping[str, Kind]) -> None:
    """Refuse what makes a structure of Jacobians, or may make one."""
    for own in derivative.wrt:
        kind = kinds.get(own)
        if not isinstance(kind, (Array, Scalar, Numeric)) or not differentiable(kind):
            raise UnsupportedSyntaxError(
                f"{derivative!r} is differentiated again, and `{own}` may be something else than a "
                "number or an array of floats",
                why="its Jacobian is then a structure of such",
                cure=f"pass the parts of `{own}` as arguments of their own",
            )


def _size(own: str, kind: Kind, value: str) -> str:
    """The shape of a Jacobian as a matrix, and its dtype: that of the adjoint."""
    if isinstance(kind, Scalar):
        return f"$np.size({value})"
    return f"($np.size({value}), {_asked(own, kind, 'size')}){_dtype(own, kind)}"


def _asked(own: str, kind: Kind, attribute: str) -> str:
    """The size or shape of an argument."""
    if isinstance(kind, Array):
        return f"{own}.{attribute}"
    return "()" if isinstance(kind, Scalar) and attribute == "shape" else f"$np.{attribute}({own})"


def _dtype(own: str, kind: Kind) -> str:
    return f", {own}.dtype" if isinstance(kind, Array) and kind.dtype != "float64" else ""


def _flat(row: str, kind: Kind) -> str:
    return row if isinstance(kind, Scalar) else f"$np.ravel({row})"


def of_sum(derivative: Derivative, kinds: list[Kind], gradient: Callable[..., Any]) -> Any:
    """The gradient of the sum of all elements of the value."""
    primal = derivative.primal
    inner = _Writer(derivative, len(kinds), {"primal": primal})
    [value] = inner.fresh("value")
    test = f"    if isinstance({value}, (float, $np.floating, $np.ndarray)):"
    body = f"{value} = $primal({inner.given})\n{test}\n        return $np.sum({value}){_OTHERS}"
    total = inner.function(f"sum_of_{_called(primal)}", body)
    return gradient(total, "grad", derivative._wrt)


def with_pullback(
    derivative: Derivative, held: int, count: int, gradient: Callable[..., Any]
) -> Any:
    """Value and pullback, of what the function holds, the function, and its arguments."""
    primal = derivative.primal
    inner = _Writer(derivative, held + count, {"primal": primal})
    [seed] = inner.fresh("seed")
    along = inner.function("along", f"return $np.sum($primal({inner.given}) * {seed})", seed)
    adjoints = gradient(along, "grad", derivative.wrt)
    writer = _Writer(derivative, held + count, {"primal": primal, "adjoints": adjoints})
    f, value, pullback, seed = writer.fresh("f", "value", "pullback", "seed")
    lines = [
        f"{value} = $primal({writer.given})",
        f"    if isinstance({value}, (float, $np.floating, $np.ndarray)):",
        f"        def {pullback}({seed}):",
        f"            if $np.shape({seed}) != $np.shape({value}):",
        "                raise ValueError('the seed has another shape than the value')",
        f"            return $adjoints({writer.given}, {seed})",
        f"        return {value}, {pullback}",
    ]
    writer.own.insert(held, f)
    return writer.function(f"vjp_of_{_called(primal)}", "\n".join(lines) + _OTHERS)


def of_product(derivative: Derivative, kinds: list[Kind], jvp: Callable[..., Any]) -> Any:
    """The tangent of the gradient along the vector that is the last argument."""
    writer = _Writer(derivative, len(kinds) - 1, {"gradient": derivative.primal, "jvp": jvp})
    [v] = writer.fresh("v")
    vectors = {own: v if writer.is_single else f"{v}[{k}]" for k, own in enumerate(writer.wrt)}
    dots = ", ".join(vectors.get(own, "None") for own in writer.own)
    body = f"return $jvp($gradient, ({writer.given},), ({dots},))[1]"
    return writer.function(f"hvp_of_{_called(derivative.primal)}", body, v)


def caller_of(derivative: Derivative, further: tuple[str, ...] = ()) -> Callable[..., Any]:
    """A function that calls a derivative, with its parameters and their defaults.

    Where what is differentiated holds arguments, so does the function.
    """
    target = derivative.target
    if target.prefix or target.keywords:
        whole = caller_of(derivative.bare, further)
        return functools.partial(whole, *target.prefix, **(target.keywords or {}))
    parameters = derivative.target.signature.parameters.values()
    writer = _Writer(derivative, len(parameters), {"derivative": derivative})
    more = writer.fresh(*further)
    given = ", ".join([*writer.own, *more])
    title = _called(derivative)
    defaults = (
        () if further else tuple(p.default for p in parameters if p.default is not Parameter.empty)
    )
    return writer.function(title, f"return $derivative({given})", *more, defaults=defaults)


def _called(primal: object) -> str:
    found = str(getattr(primal, "__name__", "f"))
    return found if found.isidentifier() else "f"


def _only(names: list[str], own: str, value: str) -> str:
    """The tangents, of which one is not None."""
    return ", ".join(value if name == own else "None" for name in names)
