"""The derivatives of a residual, which the derivative of an implicit function is made of."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from types import FunctionType
from typing import Any, Protocol

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.errors import NonDifferentiableError, UnsupportedSyntaxError
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.loader import load
from autodiff.pipeline.compiled import Offer
from autodiff.rules import nondifferentiable
from autodiff.runtime import checked_residual
from autodiff.syntax.names import Names
from autodiff.transforms.tangents import Tangent, jvp


class Equation:
    """The derivatives of `residual(*args, y)`. others: what else the derivatives are made of."""

    explicit = False
    others: tuple[str, ...] = ()

    def __init__(self, residual: Callable[..., Any], own: tuple[str, ...], root: str) -> None:
        self.residual = residual
        self.own = own
        self.root = root
        self.bar = "residual_bar"
        while self.bar in (*own, root):
            self.bar += "_"
        self.paired = self._paired()
        self._gradients: dict[tuple[str, ...], Derivative] = {}
        self._pulled: dict[tuple[str, ...], FunctionType] = {}
        self._tangents: dict[tuple[str, ...], FunctionType] = {}

    def _paired(self) -> FunctionType:
        """The function `sum(residual_bar * residual(*args, y))`."""
        arguments = ", ".join((*self.own, self.root))
        title = getattr(self.residual, "__name__", "residual")
        title = title if title.isidentifier() and not keyword.iskeyword(title) else "residual"
        text = (
            f"def {title}_paired({self.bar}, {arguments}):\n"
            f"    value = checked_residual(the_residual({arguments}), {self.root})\n"
            f"    return np.sum({self.bar} * value)\n"
        )
        helpers = {"the_residual": self.residual, "np": np, "checked_residual": checked_residual}
        return load(text, f"{title}_paired", Namespace({}), helpers, {})

    def gradient(self, wrt: tuple[str, ...]) -> Derivative:
        """The gradient of the pairing with respect to some arguments."""
        found = self._gradients.get(wrt)
        if found is None:
            found = Derivative(self.paired, "grad", wrt if len(wrt) > 1 else wrt[0])
            self._gradients[wrt] = found
        return found

    def adjoints(self, wrt: tuple[str, ...]) -> Callable[..., Any]:
        """What gives the adjoints of some arguments."""
        return self.gradient(wrt)

    def pulled(self, wrt: tuple[str, ...]) -> FunctionType:
        """A function that calls this gradient, and may be read."""
        found = self._pulled.get(wrt)
        if found is None:
            own = Names({*self.own, self.root, self.bar}).fresh("slopes")
            given = ", ".join((self.bar, *self.own, self.root))
            text = f"def pulled({given}):\n    return {own}({given})\n"
            found = load(text, "pulled", Namespace({}), {own: self.gradient(wrt)}, {})
            self._pulled[wrt] = found
        return found

    def tangent(self, wrt: tuple[str, ...]) -> FunctionType:
        """The tangent of the residual, the solution being fixed.

        It takes the arguments, the solution, and a tangent for each argument in `wrt`.
        """
        found = self._tangents.get(wrt)
        if found is None:
            free = Names({*self.own, self.root, "jvp", "the_residual"})
            dots = {own: free.fresh(f"{own}_dot") for own in wrt}
            given = ", ".join((*self.own, self.root))
            along = ", ".join(dots.get(own, "None") for own in (*self.own, self.root))
            text = (
                f"def pushed({given}, {', '.join(dots.values())}):\n"
                f"    return jvp(the_residual, ({given}), ({along}))[1]\n"
            )
            helpers = {"jvp": jvp, "the_residual": self.residual}
            found = self._tangents[wrt] = load(text, "pushed", Namespace({}), helpers, {})
        return found


class Along:
    """Value and tangent of a function, made once: of its arguments, and tangents of some."""

    def __init__(
        self, function: FunctionType, names: tuple[str, ...], wrt: tuple[str, ...]
    ) -> None:
        self.count, self.made = len(names), Tangent(function, "jvp", wrt)
        dots = [f"{own}_dot" for own in wrt]
        along = "".join(f"{own}_dot, " if own in wrt else "None, " for own in names)
        given = ", ".join(names)
        text = (
            f"def along({', '.join((*names, *dots))}):\n"
            f"    return jvp(the_function, ({given},), ({along}))\n"
        )
        helpers = {"jvp": jvp, "the_function": function}
        self.text = load(text, "along", Namespace({}), helpers, {})

    def __call__(self, *given: Any) -> Any:
        return self.made.along(given[: self.count], {}, given[self.count :])

    def __inlined__(self, kinds: list[Kind], keywords: dict[str, Any]) -> Offer:
        return self.text, ()


class Linked(Protocol):
    """What a result has to do with arguments: an equation, or an integral."""

    own: tuple[str, ...]

    def adjoints(self, wrt: tuple[str, ...]) -> Callable[..., Any]: ...
    def pulled(self, wrt: tuple[str, ...]) -> FunctionType: ...
    def tangent(self, wrt: tuple[str, ...]) -> FunctionType: ...


class Explicit:
    """A result that solves no equation for itself: an integral, a path.

    held: what the user's function reads around it; rule: what the solver does. own: the arguments.
    helpers: what the functions that are written here call.
    """

    explicit = True

    def __init__(
        self, held: tuple[str, ...], rule: tuple[str, ...], ends: tuple[str, str], **helpers: Any
    ) -> None:
        self.held, self.others, self.own = held, rule, (*held, *ends)
        self.helpers: dict[str, Any] = {"np": np, **helpers}
        self.made: dict[tuple[str, tuple[str, ...]], FunctionType] = {}

    def written(self, text: str, title: str) -> FunctionType:
        """A function that is read like the user's."""
        return load(text, title, Namespace({"__name__": __name__}), dict(self.helpers), {})

    def pulled(self, wrt: tuple[str, ...]) -> FunctionType:
        """The function of the seed, the arguments, what the solver holds, and the result."""
        raise NotImplementedError

    def adjoints(self, wrt: tuple[str, ...]) -> Callable[..., Any]:
        """What gives the adjoints of some arguments."""
        return self.pulled(wrt)


class Adjoints:
    """The adjoints of arguments, a tuple; of one argument its adjoint alone."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked

    def __call__(self, seed: Any, *args: Any, wrt: tuple[str, ...]) -> Any:
        return self.linked.adjoints(wrt)(seed, *args)

    def __inlined__(self, kinds: list[Kind], keywords: dict[str, Any]) -> Offer:
        return self.linked.pulled(keywords["wrt"]), ()


class Pushed:
    """The tangent of the residual, or the integral, along tangents of arguments."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked

    def __call__(self, *args: Any, wrt: tuple[str, ...]) -> Any:
        return self.linked.tangent(wrt)(*args)

    def __inlined__(self, kinds: list[Kind], keywords: dict[str, Any]) -> Offer:
        return self.linked.tangent(keywords["wrt"]), ()


class Jacobian:
    """The derivative of the residual with respect to the solution, which is the last argument.

    It has the shape of the residual and then that of the solution.
    """

    def __init__(self, equation: Equation) -> None:
        self.by_root = equation.gradient((equation.root,))
        own = ", ".join((*equation.own, equation.root))
        helpers = {"by_root": self.by_root, "np": np, "unit_seeds": unit_seeds}

        def written(name: str, result: str) -> FunctionType:
            text = f"def {name}({own}):\n    return {result}\n"
            return load(text, name, Namespace({}), helpers, {})

        rows = f"[by_root(seed, {own}) for seed in unit_seeds({equation.root})]"
        self.slope = written("slope", f"by_root(1.0, {own})")
        self.matrix = written("jacobian", f"np.stack({rows})")
        shape = f"np.shape({equation.root}) + np.shape({equation.root})"
        self.whole = written("jacobian", f"np.reshape(np.stack({rows}), {shape})")

    def __call__(self, *args: Any) -> Any:
        y = args[-1]
        check_root(y)
        if np.ndim(y) == 0:
            return self.slope(*args)
        return self.matrix(*args) if np.ndim(y) == 1 else self.whole(*args)

    def __inlined__(self, kinds: list[Kind], keywords: dict[str, Any]) -> Offer:
        root = kinds[-1]
        if isinstance(root, Scalar):
            return self.slope, ()
        if isinstance(root, Array):
            return (self.matrix if len(root.shape) == 1 else self.whole), ()
        raise UnsupportedSyntaxError(
            "the second derivative of an implicit function whose result is of unknown kind",
            why="whether it is a number or an array is not known while compiling",
            cure="let the solver be a Python function, or annotate what it returns",
        )


def unit_seeds(y: Any) -> Any:
    """The arrays of the shape of `y` that are one in one place, else zero."""
    return np.eye(np.size(y), dtype=np.asarray(y).dtype).reshape(-1, *np.shape(y))


nondifferentiable(unit_seeds)


def check_root(y: Any) -> None:
    """Refuse a solution that is no float and no array of floats."""
    if np.ndim(y) and not isinstance(y, np.ndarray) or np.asarray(y).dtype.kind != "f":
        raise NonDifferentiableError(
            f"an implicit function returned a {type(y).__name__}, not real numbers",
            why="the equation is solved for a float or an array of floats",
            cure="return one of these, or put the unknowns together with np.concatenate",
        )
