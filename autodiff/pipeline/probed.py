"""The function itself, with a look at what each of its operations is given.

    y = np.sin(x)           probe(0, (x,))
                            y = np.sin(x)

What stands there are primitive operations, since all calls that carry a derivative are inlined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import gast

from autodiff.analysis.activity import varied
from autodiff.analysis.kind import Local
from autodiff.analysis.known import Kinds
from autodiff.loader import load
from autodiff.optimize.change import changed
from autodiff.pipeline.marks import unmarked
from autodiff.pipeline.unit import Unit
from autodiff.reverse.assemble import bare
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit
from autodiff.syntax.names import name as read
from autodiff.syntax.names import reads
from autodiff.syntax.origin import Origin, origin_of, place
from autodiff.syntax.walk import map_children

_PLAIN = (gast.Name, gast.Constant, gast.Tuple, gast.List, gast.Dict)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a function, as a function of the values that it is given, and its place.

    `call`: where it is a call, a function of the same values that tells what is called, with which
    arguments and keywords.
    """

    function: FunctionType
    origin: Origin | None
    call: FunctionType | None = None


def probed(
    unit: Unit, known: Kinds, look: Callable[[Operation, tuple[Any, ...]], None]
) -> FunctionType:
    """The function, which calls `look` with each operation on what depends on its inputs."""
    unmarked(unit, known)
    probes = _Probes(unit, known)
    body = probes.block(unit.tree.body)
    tree = changed(unit.tree, args=bare(unit.tree.args), body=body)
    found = list(probes.found)

    def probe(number: int, values: tuple[Any, ...]) -> None:
        look(found[number], values)

    helpers = {**unit.scope.helpers, probes.name: probe}
    text = emit(tree).text
    return load(text, f"{tree.name} {unit.main.co_name}", unit.scope.namespace, helpers, {})


class _Probes:
    def __init__(self, unit: Unit, known: Kinds) -> None:
        self.unit = unit
        self.known = known
        self.depends = varied(unit.tree, known, unit.inputs)
        self.name = unit.names.fresh("probe")
        self.found: list[Operation] = []

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for statement in statements:
            value = _operation(statement)
            if value is not None and reads(value) & self.depends:
                out.extend(self.probe(statement, value))
            new = map_children(lambda child: child, statement)
            for field in ("body", "orelse", "finalbody"):
                if not isinstance(new, gast.FunctionDef) and getattr(new, field, None):
                    setattr(new, field, self.block(getattr(new, field)))
            for handler in getattr(new, "handlers", ()):
                handler.body = self.block(handler.body)
            out.append(new)
        return out

    def probe(self, statement: gast.stmt, value: gast.expr) -> list[gast.stmt]:
        names = sorted(reads(value) & self.known.local)
        if any(isinstance(self.known.names.get(own), Local) for own in names):
            return []
        origin = origin_of(statement)
        function = self.function(value, names, origin)
        told = self.function(_told(value), names, origin) if isinstance(value, gast.Call) else None
        given = gast.Tuple(elts=[read(own) for own in names], ctx=gast.Load())
        number = gast.Constant(value=len(self.found), kind=None)
        self.found.append(Operation(function, place(value, origin), told))
        call = gast.Call(func=read(self.name), args=[number, given], keywords=[])
        new = gast.Expr(value=call)
        new.origin = origin
        return [new]

    def function(
        self, value: gast.expr, names: list[str], origin: Origin | None
    ) -> FunctionType:
        """A function of the names that an expression reads."""
        body: list[gast.stmt] = [gast.Return(value=value)]
        body[0].origin = origin
        text = emit(definition("operation", tuple(names), body)).text
        scope = replace(self.unit.scope.namespace, defaults=(), kwdefaults={})
        return load(text, "operation", scope, self.unit.scope.helpers, {})


def _told(call: gast.Call) -> gast.expr:
    """What is called, with which arguments and keywords."""
    arguments = gast.Tuple(elts=list(call.args), ctx=gast.Load())
    keys = [k.arg and gast.Constant(value=k.arg, kind=None) for k in call.keywords]
    keywords = gast.Dict(keys=keys, values=[k.value for k in call.keywords])
    return gast.Tuple(elts=[call.func, arguments, keywords], ctx=gast.Load())


def _operation(statement: gast.stmt) -> gast.expr | None:
    """What a statement computes, if that is more than taking a value."""
    if isinstance(statement, gast.Assign):
        value = statement.value
    elif isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name):
        left = read(statement.target.id)
        value = gast.BinOp(left=left, op=statement.op, right=statement.value)
    else:
        return None
    return None if isinstance(value, _PLAIN) else value
