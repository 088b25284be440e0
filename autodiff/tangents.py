"""Tangents: derivatives along a direction, and what is built from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autodiff.derivative import Derivative
from autodiff.errors import AutodiffError
from autodiff.loader import annotate
from autodiff.normalize.normal import normal_form
from autodiff.pipeline.tangent import tangent_parameters
from autodiff.pullback import fit
from autodiff.target import target_of


class Tangent(Derivative):
    """Value and tangent of a function, along a direction that is given with each call."""

    def along(
        self, args: tuple[Any, ...], keywords: Mapping[str, Any], tangents: tuple[Any, ...]
    ) -> tuple[Any, Any]:
        """Value and tangent at some arguments; one tangent for each parameter of `wrt`."""
        arguments = self._bind(args, keywords)
        compiled = self._compile(arguments)
        names = tangent_parameters(normal_form(self.function).tree, self.wrt)
        given = dict(zip(self.target.signature.parameters, arguments.values))
        dots = {dot: fit(v, given[p]) for p, dot, v in zip(self.wrt, names, tangents)}
        try:
            pair: tuple[Any, Any] = compiled.function(
                *arguments.positional, **arguments.keywords, **dots
            )
            return pair
        except Exception as error:
            annotate(error)
            raise


def jvp(
    f: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], **options: Any
) -> tuple[Any, Any]:
    """The value of `f` at `primals`, and its derivative along `tangents`.

    Each tangent has the structure and the shapes of its primal, else an `AutodiffError` is raised;
    so has the tangent that is returned, of the value. A tangent that is None is zero: nothing is
    computed for it.

    >>> import numpy as np
    >>> def scaled(a, x):
    ...     return a * x
    >>> jvp(scaled, (2.0, np.array([1.0, 2.0])), (1.0, np.array([0.0, 10.0])))
    (array([2., 4.]), array([ 1., 22.]))
    """
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
        held = tuple(fit(v, x) for v, x in zip(tangents[first:], primals[first:]))
        chosen = [*chosen[:first], held]
    kept = [k for k, v in enumerate(chosen) if v is not None]
    if not kept:
        raise AutodiffError("jvp got no tangent", cure="pass a tangent for one of the primals")
    derivative = Tangent(f, "jvp", tuple(wrt[k] for k in kept), False, options)
    return derivative.along(tuple(primals), {}, tuple(chosen[k] for k in kept))
