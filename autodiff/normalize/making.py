"""An object that is made inside the function becomes the variables that hold its parts.

    p = Particle(x, v)         where    @dataclass
                                        class Particle:
                                            x: float
                                            v: float
becomes
    p_x = x
    p_v = v

A class with an `__init__` of its own has that called on the object, to be inlined in its turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autodiff.normalize.build import assign, effect, method
from autodiff.normalize.sites import Factory, Make, Value, marker
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of

if TYPE_CHECKING:
    from autodiff.normalize.inline import Inliner


def make(inliner: Inliner, statement: gast.stmt, site: Make) -> list[gast.stmt]:
    """The statements that make an object part by part."""
    made, origin = site.made, origin_of(statement)
    target = statement.targets[0] if isinstance(statement, gast.Assign) else None
    if not made.prefix:
        named = isinstance(target, gast.Name)
        made.prefix = target.id if named else made.cls.__name__.lower()  # type: ignore[union-attr]
    owner = new_name(inliner, f"{made.prefix}_object")
    inliner.scope.objects[owner] = made
    out: list[gast.stmt] = [assign(owner, marker(owner), origin)]
    for key, value in site.parts:
        made.fields[key] = new_name(inliner, made.hint(key))
        out.append(assign(made.fields[key], part(inliner, str(key), value), origin))
    made.certain = frozenset(made.fields)
    if site.method is not None:
        call = method(name(owner), site.method, *site.arguments)
        call.keywords = list(site.keywords)
        out.append(effect(gast.copy_location(call, statement.value), origin))
    if target is not None:
        out.append(assign(target, name(owner), origin))
    for new in out:
        gast.copy_location(new, statement)
        inliner.chains[id(new)] = inliner.chains.get(id(statement), ())
    return out


def new_name(inliner: Inliner, hint: str) -> str:
    """A local name that is not taken."""
    new = inliner.names.fresh(hint)
    inliner.local.add(new)
    inliner.temporaries.add(new)
    return new


def part(inliner: Inliner, key: str, value: Any) -> gast.expr:
    """The expression for a part of an object."""
    if isinstance(value, Value):
        return inliner.default(key, value.value)
    if isinstance(value, Factory):
        function = value.function
        hint = getattr(function, "__name__", "factory")
        return gast.Call(func=inliner.helper(hint, function), args=[], keywords=[])
    found: gast.expr = value
    return found
