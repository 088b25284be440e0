"""What has no rule for several directions is evaluated for each of them.

    y_dot = f(x_dot)        y_dot = np.stack([f(x_dot_1) for x_dot_1 in x_dot])
"""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.references import borrowed
from autodiff.forward.directions.batch import Batch, Unbatched
from autodiff.syntax.expressions import unparsed
from autodiff.syntax.names import name, reads, store, substitute
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class

_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def each(batch: Batch, node: gast.expr) -> gast.expr:
    """The values of an expression for all directions, one after the other.

    Raises Unbatched where the tangents in it, or its value, may be no plain numbers and arrays of
    double precision: iteration turns Python's numbers into NumPy's, which are not as weak.
    """
    own = sorted(reads(node) & batch.names)
    kinds = [batch.kinds.known(node), *(batch.kinds.known(name(n)) for n in own)]
    for kind in kinds:
        if not isinstance(kind, (Scalar, Array)) or kind.dtype not in (None, "?", *_DOUBLE):
            text = unparsed(node)
            raise Unbatched(f"an operation that has no rule, on what is no plain array: {text}")
        if isinstance(kind, Array) and kind.dtype is None:
            raise Unbatched("an operation that has no rule, on an array of unknown dtype")
    if of_class(node, *_SCOPES):
        raise Unbatched("an expression with a scope of its own")
    if any(map(batch.aliases.is_changed, borrowed(node, batch.kinds))):
        raise Unbatched(f"what may be a view of an array that is changed: {unparsed(node)}")
    items = {n: batch.fresh(f"{n}_1") for n in own}
    value = substitute(node, {n: name(item) for n, item in items.items()})
    if len(own) == 1:
        target: gast.expr = store(items[own[0]])
        source: gast.expr = name(own[0])
    else:
        target = gast.Tuple(elts=[store(items[n]) for n in own], ctx=gast.Store())
        source = quote("zip()")
        source.args = [name(n) for n in own]
    generator = gast.comprehension(target=target, iter=source, ifs=[], is_async=0)
    made = gast.ListComp(elt=value, generators=[generator])
    text = "np.array(v)" if isinstance(kinds[0], Scalar) else "np.stack(v)"
    return quote(text, np=batch.helper("np"), v=made)


_DOUBLE = ("float64", "complex128")
