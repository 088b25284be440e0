"""What a function has to return to have a gradient; one that takes the seed with its arguments, as
compiled code does, has no pullback.
"""

from __future__ import annotations

import gast

from autodiff.core import Built, Function, NotYet, Value, Verbatim, constant_kind
from autodiff.dataflow.carrying import carries
from autodiff.errors import NonDifferentiableError
from autodiff.kinds.kind import (
    Array,
    Kind,
    Mapping,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_complex,
)
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder, hole
from autodiff.runtime import alike
from autodiff.syntax.names import name


def check_number(function: Function) -> None:
    """Refuses what is no real number for sure."""
    result = function.result
    kind = result.kind if isinstance(result, Value) else None
    if isinstance(kind, Scalar) and kind.type == "float" or kind == Array("float64", ()):
        return
    if isinstance(kind, Numeric):  # which is found out at run time
        return
    words = NonDifferentiableError(
        f"`{name_of(function)}` returns {told(result)}; a gradient needs a real scalar",
        why="the gradient is the derivative of one real number",
        cure="return a float (np.sum, .item(), abs ...), or use jacobian or vjp; with has_aux=True "
        "a pair (value, aux) is allowed",
    )
    raise NotYet("a result that is no number", words)


def no_pair(function: Function) -> NotYet:
    """The refusal of what is no pair of a number and something else."""
    words = NonDifferentiableError(
        f"`{name_of(function)}` does not return a pair (value, aux)",
        why="has_aux=True says that it does",
        cure="return a tuple of the scalar and whatever else is wanted",
    )
    return NotYet("a pair of another form", words)


def name_of(function: Function) -> str:
    """What the user calls it."""
    own = function.at.inside if function.at is not None else function.name
    return str(getattr(own, "__name__", own))


def told(result: object) -> str:
    """What a result is."""
    if isinstance(result, Built):
        return f"a {result.cls.__name__}"
    if not isinstance(result, Value):
        return "something else"
    kind: Kind = constant_kind(result.constant) if result.is_constant else result.kind
    if is_complex(kind):
        return "a complex number" if isinstance(kind, Scalar) else "complex numbers"
    if isinstance(kind, Scalar):
        return f"a value of type {kind.type}"
    if isinstance(kind, Array):
        return f"an array of {len(kind.shape)} dimension(s)"
    if isinstance(kind, (Record, Sequence, Mapping)):
        return f"a {kind.cls.__name__}"
    if isinstance(kind, (Static, Text)):
        return "None" if isinstance(kind, Static) and kind.value is None else "text"
    return "what is known only at run time"


def alone(function: Function, wrt: list[Value]) -> None:
    """A function that gives adjoints alone is of what carries a derivative: of a state, as far as
    its adjoints are asked for.
    """
    whole, given = function.result, function.body.parameters[1:]
    items = [*whole.items] if isinstance(whole, Built) else [whole]
    own = zip(items, given) if function.state else ()
    asked = [k for k, (_, parameter) in enumerate(own) if parameter in wrt]
    if not function.state:
        asked = [k for k, item in enumerate(items) if carries(item.kind)]
    function.result = Built(tuple, (*range(len(asked)),), tuple(items[k] for k in asked))
    function.shared = frozenset(n for n, k in enumerate(asked) if k in function.shared)
    function.state = 0


def take_seed(unit: Unit, trusted: bool = False) -> None:
    """The seed is a parameter of the function, with arrays of the shapes of what that returns;
    trusted: it has them, and what the function returns is not asked for.
    """
    function, body = unit.function, unit.function.body
    assert function.seeds is not None
    [seed], function.seeds = function.seeds, None
    body.parameter(seed)
    reverse = body.operations[function.boundary :]
    del body.operations[function.boundary :]
    if trusted:
        function.result = None
    builder = Builder(body, unit.references)
    pairs: list[tuple[Value, object]] = [(seed, function.result)]
    if isinstance(function.result, Built) and isinstance(seed.kind, Record):
        parts = zip(seed.kind.keys, seed.kind.items, function.result.items)
        pairs = [(builder.item(seed, key, kind), item) for key, kind, item in parts]
    for g, value in pairs:
        if isinstance(value, Value) and isinstance(g.kind, Array) and not value.is_constant:
            use = name(unit.references.use("alike", alike))
            builder.add(Verbatim(gast.Expr(gast.Call(use, [hole(0), hole(1)], [])), [g, value]))
    function.boundary = len(body.operations)
    body.operations += reverse
