"""A function that takes the seed with its arguments, as compiled code does: no pullback."""

from __future__ import annotations

import gast

from autodiff.core import Built, Function, Value, Verbatim
from autodiff.dataflow.carrying import carries
from autodiff.kinds.kind import Array, Record
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder, hole
from autodiff.runtime import alike
from autodiff.syntax.names import name


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
