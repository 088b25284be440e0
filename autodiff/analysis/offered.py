"""Calls of objects that say, for kinds of arguments, which plain function they come to.

Such an object has a method `__inlined__(kinds, keywords)`, or is a function that is registered with
one: from the kinds of the positional
arguments and the values of the keywords, all constants, it tells the function that takes those
positional arguments, and checks that have to hold as long as the code is used. Derivatives are of
that sort. Where the first argument of such a function (`jvp`, `vjp`) is a function that is defined
inside, its offer is also told of what kinds what that reads is (`held`): these come first.
"""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Kind, Local, Record, Static, Unknown
from autodiff.errors import AutodiffError
from autodiff.normalize.sites import Site
from autodiff.rules import registry
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of, place

if TYPE_CHECKING:
    from autodiff.analysis.callees import Resolver


def offered(
    resolver: Resolver, kind: Kind | None, statement: gast.stmt, value: gast.Call
) -> Site | None:
    """The function that an object says it comes to, if the call carries a derivative."""
    offer = registry.offer_of(kind.value) if isinstance(kind, Static) else None
    if offer is None:
        return None
    arguments = list(value.args)
    held: list[Kind] = []
    inside = resolver.kinds.of(arguments[0]) if arguments else None
    node = None
    if isinstance(inside, Local) and isinstance(kind, Static):
        node = inside.node if isinstance(kind.value, FunctionType) else None
    if not (reads(value) | (reads(node) if node is not None else set())) & resolver.varied:
        return None
    keywords = {str(k.arg): constant(resolver.kinds.known(k.value)) for k in value.keywords}
    kinds = [resolver.kinds.known(argument) for argument in value.args]
    if resolver.waits and any(isinstance(own, Unknown) for own in kinds):
        return None  # more is known in the end, when kinds of what is not inlined are asked for
    if node is not None and resolver.stands_alone is not None:
        where = place(value, origin_of(statement))
        made, leading, _ = resolver.stands_alone(node, 0, statement, where)
        held = [resolver.kinds.known(name(own)) for own in leading]
        offer, kinds[0] = partial(offer, held=held), Static(made)
        arguments = [*map(name, leading), *arguments]
    try:
        function, checks = offer(kinds, keywords)
    except AutodiffError as error:
        if error.origin is not None:
            raise
        here = place(value, origin_of(statement))
        raise type(error)(error.what, here, why=error.why, cure=error.cure) from error
    resolver.checks.extend(checks)
    return Site(resolver.callee(function, statement, value), (), tuple(arguments), ())


def constant(kind: Kind) -> object:
    """The value of a constant, or of a tuple of constants, by its kind."""
    if isinstance(kind, Record):
        return tuple(map(constant, kind.items))
    return getattr(kind, "value", None)
