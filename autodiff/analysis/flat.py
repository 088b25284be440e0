"""`x.flat[k]` and `for v in x.flat`: the elements of an array in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Scalar
from autodiff.normalize.sites import Rewrite
from autodiff.rules import registry
from autodiff.syntax.names import reads
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import of_class

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver


def flat_read(resolver: Resolver, value: gast.Attribute) -> Rewrite | None:
    """`x.flat` as `x.ravel()`, where nothing changes in place: a store would miss a copy."""
    target = resolver.targets.get(id(value))
    array = isinstance(resolver.kinds.of(value.value), Array)
    if value.attr != "flat" or not array or target is None or not reads(value) & resolver.varied:
        return None
    if resolver.stores:  # `x.flat` itself sees what is stored later; its slices do not
        return None
    parts = [
        node.slice
        for node in of_class(resolver.tree, gast.Subscript)
        if isinstance(node.value, gast.Name) and node.value.id == target
    ]
    given = [
        argument
        for call in of_class(resolver.tree, gast.Call)
        for argument in call.args
        if isinstance(argument, gast.Name) and argument.id == target
        if registry.is_pure(getattr(resolver.kinds.of(call.func), "value", None))
    ]
    if resolver.loads[target] != len(parts) + len(given):
        return None
    numbers = all(isinstance(resolver.kinds.of(part), Scalar) for part in parts)
    text = "x.ravel()" if numbers else "x.flatten()"  # a slice of `x.flat` is a copy
    return Rewrite(quote(text, x=value.value))
