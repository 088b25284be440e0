"""A tangent or a pullback that is taken inside of a function: what `jvp` and `vjp` offer there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import target_of
from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.source import Namespace
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Static
from autodiff.loader import load
from autodiff.pipeline.compiled import Offer
from autodiff.runtime import alike
from autodiff.transforms.tangents import Tangent
from autodiff.transforms.written import with_pullback


def along(kinds: list[Kind], keywords: dict[str, Any], held: Sequence[Kind] = ()) -> Offer:
    """What a call of `jvp` comes to inside a function that is differentiated.

    `held` are the kinds of what comes before the primals.
    """
    if len(kinds) != 3 or keywords:
        raise UnsupportedSyntaxError(
            "jvp is called with options, inside a function that is differentiated",
            why="what it calls is compiled with that function",
            cure="write jvp(f, (x,), (x_dot,))",
        )
    function, primals, tangents = kinds
    if (
        not (isinstance(function, Static) and callable(function.value))
        or not (isinstance(primals, Record) and isinstance(tangents, Record))
        or len(primals.items) != len(tangents.items)
    ):
        raise UnsupportedSyntaxError(
            "jvp is called inside a function that is differentiated, for a function or for tuples "
            "that are not known while compiling",
            why="what it calls is compiled with that function",
            cure="write jvp(f, (x,), (x_dot,)) with a function that is defined outside",
        )
    wrt, inside = target_of(function.value).covered(len(held) + len(primals.items))
    wrt = wrt[len(held) :]
    kept = [k for k, kind in enumerate(tangents.items) if kind != Static(None)]
    if inside is not None or not kept:
        raise UnsupportedSyntaxError(
            "jvp of a function of any number of arguments, or without a tangent, is called inside "
            "a function that is differentiated",
            cure="write a function that takes its arguments one by one",
        )
    derivative = Tangent(function.value, "jvp", tuple(wrt[k] for k in kept))
    made, guards = derivative.compose([*held, *primals.items])
    leading = [f"held_{k}" for k, _ in enumerate(held)]
    given = [*leading, *(f"primals[{k}]" for k, _ in enumerate(primals.items))]
    left = list(derivative.target.signature.parameters.values())[len(given) :]
    defaults = {f"default_{k}": each.default for k, each in enumerate(left)}
    given += defaults
    code = made.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given += [f"{dot}=tangents[{k}]" for dot, k in zip(names[len(names) - len(kept) :], kept)]
    checks = [
        f"    alike(tangents[{k}], primals[{k}])\n"
        for k in kept
        if not _is_alike(tangents.items[k], primals.items[k])
    ]
    head = ", ".join([*leading, "f", "primals", "tangents"])
    text = f"def along({head}):\n{''.join(checks)}    return tangent({', '.join(given)})\n"
    helpers = {"tangent": made, "alike": alike, **defaults}
    return load(text, "along", Namespace({}), helpers, {}), guards


def back(kinds: list[Kind], keywords: dict[str, Any], held: Sequence[Kind] = ()) -> Offer:
    """What a call of `vjp` comes to inside a function that is differentiated.

    `held` are the kinds of what comes before the primals.
    """
    function = kinds[0] if kinds else None
    if keywords or not (isinstance(function, Static) and callable(function.value)):
        raise UnsupportedSyntaxError(
            "vjp is called inside a function that is differentiated, with options or for a "
            "function that is not known while compiling",
            why="what it calls is compiled with that function",
            cure="write vjp(f, x) with a function that is defined outside",
        )
    wrt, inside = target_of(function.value).covered(len(held) + len(kinds) - 1)
    if inside is not None:
        raise UnsupportedSyntaxError(
            "vjp of a function of any number of arguments is called inside a function that is "
            "differentiated",
            cure="write a function that takes its arguments one by one",
        )
    derivative = Derivative(function.value, "vjp", wrt[len(held) :])
    return with_pullback(derivative, len(held), len(kinds) - 1, Derivative), ()


def _is_alike(tangent: Kind, primal: Kind) -> bool:
    """Whether a tangent is known to have the shape of its primal, or is asked by its own code.

    Raises UnsupportedSyntaxError where it has another one.
    """
    shapes = [
        kind.shape if isinstance(kind, Array) else () if isinstance(kind, Scalar) else None
        for kind in (tangent, primal)
    ]
    own, other = shapes
    if own is None or other is None or not own and not other:
        return True
    if len(own) == len(other):
        return own == other and None not in own
    raise UnsupportedSyntaxError(
        "jvp is called inside a function that is differentiated, with a tangent of another shape "
        "than its primal",
        why="it would be broadcast",
        cure="pass a tangent that has the shape of the primal",
    )
