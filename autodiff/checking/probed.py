"""The function itself, with a look at what each of its operations is given.

    y = np.sin(x)           probe(0, (x,))
                            y = np.sin(x)

What stands there are primitive operations: calls are inlined, or are of functions that are looked
at as this one is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import FunctionType
from typing import Any

import gast

from autodiff.core import MARK, Apply, Function, Operation, Value, Verbatim
from autodiff.dataflow.activity import Varied
from autodiff.dataflow.carrying import carries
from autodiff.frontend.source import Namespace
from autodiff.identity import no_grad, stop_gradient
from autodiff.loader import load
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Unit
from autodiff.pipeline.assembly import Module
from autodiff.pipeline.half import Half
from autodiff.primitives import DISPLAY, ITEM, KEYING, LISTING, hole, is_world
from autodiff.primitives.primitive import filled, written
from autodiff.reversal.differentiate import inputs
from autodiff.rules import registry
from autodiff.syntax.definition import definition
from autodiff.syntax.emit import emit
from autodiff.syntax.names import name
from autodiff.syntax.origin import Origin
from autodiff.syntax.walk import map_children

_SHAPES = (DISPLAY, ITEM, KEYING, LISTING)
"""What only puts things together, and takes them apart."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One operation of a function, as a function of the values that it is given, and its place.

    `call`: where it is a call, a function of the same values that tells what is called, with which
    arguments and keywords.
    """

    function: FunctionType
    origin: Origin | None
    call: FunctionType | None = None


Look = Callable[[Probe, tuple[Any, ...]], None]


def probed(function: FunctionType, wrt: tuple[str, ...], kinds: Any, look: Look) -> FunctionType:
    """The function, which calls `look` with each operation on what depends on arguments `wrt`.

    Raises:
        NotYet: Core does not take the function.
    """
    registry.load()
    own = form_of(function).tree.name
    doc = f"{own}, and a look at its operations."
    return _Probed(look).compiled(Half(function, kinds, wrt, "primal"), own, doc)


class _Probed(Module):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look

    def primal(self, unit: Unit, function: Function) -> None:
        every = [value for value in function.body.parameters if carries(value.kind)]
        leaves = [leaf for value in every for leaf in inputs(unit, value)]
        varied = Varied(function, leaves)
        for block in [*function.body.blocks()]:
            for op in [*block.operations]:
                if isinstance(op, Apply) and is_probed(op, varied):
                    at = block.operations.index(op)
                    block.operations.insert(at, self.probe(unit, op))

    def probe(self, unit: Unit, op: Apply) -> Verbatim:
        """A statement that calls `look` with the operands of an operation."""
        given = [*dict.fromkeys(value for value in op.operands if not is_written(value))]
        telling = isinstance(op.form, gast.Call)
        own = partial(_function, unit, op, given)
        found = Probe(own(op.form), place_of(op), own(_told(op.form)) if telling else None)
        called = name(unit.references.use("probe", partial(_called, self.look, found)))
        form = gast.Expr(value=gast.Call(called, [*map(hole, range(len(given)))], []))
        probe = Verbatim(form, given, op.origin)
        probe.block, probe.certain = op.block, True
        return probe


def _called(look: Look, probe: Probe, *values: Any) -> None:
    look(probe, values)


def is_probed(op: Apply, varied: Varied) -> bool:
    """Whether an operation computes something from what depends on the inputs."""
    if op.primitive in _SHAPES or is_world(op) or not any(v in varied for v in op.operands):
        return False
    constant = op.primitive.function in (no_grad, stop_gradient)
    return constant or any(value in varied for value in op.results)


def is_written(value: Value) -> bool:
    """Whether an operand is written where it stands."""
    return value.is_constant and isinstance(value.constant, (bool, int, float, complex, str))


def place_of(op: Apply) -> Origin | None:
    """The expression of the user's statement that an operation is, if it is the only one of its
    kind there; else the statement.
    """
    origin: Origin | None = op.origin
    if origin is None:
        return None
    try:
        tree = gast.parse(origin.text)
    except SyntaxError:  # of a loop there is the head alone
        return origin
    found = [node for node in gast.walk(tree) if is_of_kind(node, op.form)]
    if len(found) != 1 or found[0].end_lineno != 1:
        return origin
    start, end = (origin.column + at for at in (found[0].col_offset, found[0].end_col_offset))
    return replace(origin, column=start, end_line=origin.line, end_column=end)


def is_of_kind(node: gast.AST, form: gast.AST) -> bool:
    """Whether a node is a call of the same name as a form, or has the same operator."""
    if isinstance(node, gast.BinOp) and isinstance(form, gast.BinOp):
        return type(node.op) is type(form.op)
    return (
        isinstance(node, gast.Call) and isinstance(form, gast.Call) and own(node) == own(form) != ""
    )


def own(call: gast.Call) -> str:
    """The last part of the name of what is called."""
    found = call.func.attr if isinstance(call.func, gast.Attribute) else ""
    found = call.func.id if isinstance(call.func, gast.Name) else found
    return str(found).removeprefix(MARK)


def _function(unit: Unit, op: Operation, given: list[Value], form: gast.expr) -> FunctionType:
    """A function of the operands of an operation."""
    helpers: dict[str, Any] = {}

    def operand(number: int) -> gast.expr:
        value = op.operands[number]
        return written(value.constant) if is_written(value) else name(f"x{given.index(value)}")

    def spelled(node: Any) -> Any:
        if isinstance(node, gast.Name) and node.id.startswith(MARK):
            own = f"{node.id.removeprefix(MARK)}_"
            helpers[own] = unit.references.objects[node.id]
            return name(own)
        return map_children(spelled, node)

    statement = gast.Return(value=spelled(filled(form, operand)))
    statement.origin = op.origin
    names = tuple(f"x{k}" for k in range(len(given)))
    text = emit(definition("operation", names, [statement])).text
    space = Namespace(unit.main.globals, unit.main.cells, imports=unit.main.imports)
    return load(text, "operation", space, helpers, {})


def _told(call: gast.Call) -> gast.expr:
    """What is called, with which arguments and keywords."""
    arguments = gast.Tuple(elts=list(call.args), ctx=gast.Load())
    keys = [k.arg and gast.Constant(value=k.arg, kind=None) for k in call.keywords]
    keywords = gast.Dict(keys=keys, values=[k.value for k in call.keywords])
    return gast.Tuple(elts=[call.func, arguments, keywords], ctx=gast.Load())
