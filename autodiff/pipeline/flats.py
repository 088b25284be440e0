"""What is stored into `y.flat`, or read from it beside stores, in terms of `y`.

    y_flat = y.flat                   flat_at = np.unravel_index(np.arange(y.size)[::4], y.shape)
    y_flat[::4] = e                   y[flat_at] = np.resize(e, np.shape(flat_at[0]))
    y.flat = e                        y[...] = np.reshape(np.resize(e, y.size), y.shape)
    y_flat = y.flat                   y_flat = y.flatten()
    a, b = y_flat                     a, b = y_flat

Only where `y.flat` is used by the next statement and nowhere else, and a derivative flows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.analysis.activity import varied
from autodiff.analysis.kind import Array, Scalar
from autodiff.analysis.known import Kinds
from autodiff.normalize.build import assign
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, of_class, shallow

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_BLOCKS = ("body", "orelse", "finalbody", "handlers")


def flats(
    unit: Unit,
    known: Kinds,
    chains: dict[int, tuple[Any, ...]],
    np_name: Callable[[], gast.expr],
) -> bool:
    """Rewrite the uses of `y.flat`; whether there were any."""
    if not any(node.attr == "flat" for node in of_class(unit.tree.body, gast.Attribute)):
        return False
    found = _Flats(unit, known, np_name)
    body = found.block(unit.tree.body, chains)
    if found.changed:
        unit.tree = with_body(unit.tree, body)
    return found.changed


class _Flats:
    def __init__(self, unit: Unit, known: Kinds, np_name: Callable[[], gast.expr]) -> None:
        self.unit = unit
        self.known = known
        self.np_name = np_name
        self.varied = varied(unit.tree, known, unit.inputs)
        self.changed = False
        used = [node.id for node in of_class(unit.tree.body, gast.Name)]
        self.uses = {own: used.count(own) for own in used}

    def block(
        self, statements: list[gast.stmt], chains: dict[int, tuple[Any, ...]]
    ) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        rest = list(statements)
        while rest:
            statement = rest.pop(0)
            made = self.whole(statement)
            if made is None and rest:
                made = self.parts(statement, rest[0])
                if made is not None:
                    rest.pop(0)
            if made is None:
                done.append(self.inside(statement, chains))
                continue
            self.changed = True
            for new in made:
                gast.copy_location(new, statement)
                chains[id(new)] = chains.get(id(statement), ())
            done.extend(made)
        return done

    def inside(self, statement: gast.stmt, chains: dict[int, tuple[Any, ...]]) -> gast.stmt:
        if not isinstance(statement, _COMPOUND):
            return statement
        new = shallow(statement)
        for field in _BLOCKS:
            if getattr(statement, field, None):
                setattr(new, field, self.block(getattr(statement, field), chains))
        chains[id(new)] = chains.get(id(statement), ())
        return new

    def base(self, node: gast.AST) -> gast.expr | None:
        """The array whose elements `node` goes over."""
        if not isinstance(node, gast.Attribute) or node.attr != "flat":
            return None
        array = isinstance(node.value, gast.Name) and isinstance(self.known.of(node.value), Array)
        return node.value if array else None

    def whole(self, statement: gast.stmt) -> list[gast.stmt] | None:
        """`y.flat = e`."""
        if not isinstance(statement, gast.Assign):
            return None
        y, e = self.base(statement.targets[0]), statement.value
        if y is None or not (reads(y) | reads(e)) & self.varied:
            return None
        if not isinstance(self.known.of(e), Scalar):
            text = "np.reshape(np.resize(e, y.size), y.shape)"
            e = quote(text, np=self.np_name(), e=e, y=y)
        return self.stored(statement, y, gast.Constant(value=..., kind=None), e)

    def parts(self, made: gast.stmt, use: gast.stmt) -> list[gast.stmt] | None:
        """`y_flat = y.flat`, and what is done with it."""
        if not isinstance(made, gast.Assign) or not isinstance(made.targets[0], gast.Name):
            return None
        y, own = self.base(made.value), made.targets[0].id
        if y is None or self.uses[own] != 2 or not isinstance(use, (gast.Assign, gast.AugAssign)):
            return None
        if not (reads(use) | {y.id}) & self.varied:
            return None
        target = use.targets[0] if isinstance(use, gast.Assign) else use.target
        if isinstance(target, gast.Tuple) and reads(use.value) == {own}:
            new = quote("y.flatten()", y=y)
            return [assign(own, new, origin_of(made)), use]
        stored = isinstance(target, gast.Subscript) and getattr(target.value, "id", None) == own
        node = target if stored else use.value
        if not isinstance(node, gast.Subscript) or getattr(node.value, "id", None) != own:
            return None
        if own in reads(node.slice) | (reads(use.value) if stored else set()):
            return None
        if not stored and not (isinstance(use, gast.Assign) and isinstance(target, gast.Name)):
            return None
        index: gast.expr = node.slice
        number = isinstance(self.known.of(index), Scalar)
        if not (isinstance(index, gast.Constant) and type(index.value) is int):
            every = gast.Subscript(
                value=quote("np.arange(y.size)", np=self.np_name(), y=y),
                slice=clone(index),
                ctx=gast.Load(),
            )
            index = every
        at = self.unit.names.fresh("flat_at")
        self.unit.temporaries.add(at)
        places = quote("np.unravel_index(k, y.shape)", np=self.np_name(), k=index, y=y)
        before = assign(at, places, origin_of(made))
        if not stored:
            read = gast.Subscript(value=clone(y), slice=name(at), ctx=gast.Load())
            return [before, assign(target, read, origin_of(use))]
        if isinstance(use, gast.AugAssign):
            new = shallow(use)
            new.target = gast.Subscript(value=clone(y), slice=name(at), ctx=gast.Store())
            return [before, new]
        e = use.value
        if not number and not isinstance(self.known.of(e), Scalar):
            text = "np.resize(e, np.shape(at[0]))"
            e = quote(text, np=self.np_name(), e=e, at=name(at))
        return [before, *self.stored(use, y, name(at), e)]

    def stored(
        self, statement: gast.stmt, y: gast.expr, index: gast.expr, e: gast.expr
    ) -> list[gast.stmt]:
        """`y[index] = e`, one operation per statement."""
        origin = origin_of(statement)
        made: list[gast.stmt] = []
        if isinstance(e, gast.Call):
            inner = e.args[0]
            for part in ([inner, e] if isinstance(inner, gast.Call) else [e]):
                own = self.unit.names.fresh("values")
                self.unit.temporaries.add(own)
                if part is e and made:
                    part = shallow(e)
                    part.args = [name(made[-1].targets[0].id), *e.args[1:]]
                made.append(assign(own, part, origin))
            e = name(own)
        target = gast.Subscript(value=clone(y), slice=index, ctx=gast.Store())
        return [*made, assign(target, e, origin)]
