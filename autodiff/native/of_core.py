"""Derivatives for Numba out of Core's text, with the kinds that Core knows."""

from __future__ import annotations

import weakref
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any

from autodiff.analysis.known import Kinds
from autodiff.analysis.scope import Scope
from autodiff.assembly import Module
from autodiff.compiled import Compiled
from autodiff.core import Block, LoadOuter, NotYet
from autodiff.emit.module import Definition
from autodiff.emit.stages import Stages, Watching
from autodiff.half import Half, half_of, rest_of
from autodiff.loader import place_of
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.standing import Callee
from autodiff.native.build import compiled
from autodiff.native.pullback import with_pullback
from autodiff.native.source import Source
from autodiff.pipeline.request import Request
from autodiff.pipeline.widened import widened
from autodiff.syntax.names import parameters, writes


def native(function: FunctionType, request: Request, doc: str) -> Compiled:
    """The derivative, or `NotYet`."""
    if request.mode not in ("grad", "value_and_grad", "vjp", "jvp", "value"):
        raise NotYet(f"natively, mode {request.mode}")
    request = widened(request)
    form = partial(half_of, rest_of(request))
    modes = [*(step.mode for step in request.inner), request.mode]
    name = request.title or "_".join([form_of(function).tree.name, *modes])
    module = OfNumba(request)
    module.compiled(form(function), name, doc)
    made = module.native_one
    assert made is not None
    again = partial(OfNumba, request)
    stages: Any = Stages(weakref.ref(function), form, name, doc, frozenset(), again, module.tree)
    made = replace(made, stages=stages, guards=(*module.guards, *made.guards))
    if request.mode != "vjp":
        return made
    title = f"Value of {function.__name__} ({place_of(function.__code__)})."
    primal = native(function, replace(request, mode="value"), title)
    return with_pullback(primal, made)


class OfNumba(Module):
    """One function of plain statements, which goes through the native passes."""

    native = True

    def __init__(self, request: Request, watch: Watching | None = None) -> None:
        super().__init__(watch)
        assert request.backend is not None
        self.strict = dict(request.backend.flags).get("error_model", "python") == "python"
        self.request = request
        self.native_one: Compiled | None = None

    def load(self, half: Half, written: Definition, unit: Unit, place: str) -> FunctionType:
        check(unit.function.body)
        tree, kinds = written.tree, written.kinds
        local = frozenset(writes(tree.body)) | {*parameters(tree.args)}
        scope = Scope(unit.main, written.helpers)
        known = Kinds(kinds, scope, local)
        given = dict(zip(parameters(tree.args), half.kinds))
        taken = {*local, *written.helpers}
        source = Source(tree, scope, given, taken, set(), _none)
        made = compiled(source, known, self.request, place, _none)
        self.native_one, self.texts = made, [made.source]
        return made.generated[0]

    def called(
        self, callee: Callee, active: Any, beside: str = "vjp", several: bool = False
    ) -> tuple[str, object]:
        raise NotYet("natively, a call that stays a call")


def check(body: Block) -> None:
    """Raises `NotYet` for what compiled code does in another way without saying so."""
    for block in body.blocks():
        held = [*block.parameters, *(v for op in block.operations for v in op.results)]
        if any(value.partial for value in held):
            raise NotYet("natively, a variable that may hold nothing")
        if any(isinstance(op, LoadOuter) and op.result.is_written for op in block.operations):
            raise NotYet("natively, memory of outside that changes")  # a constant to Numba


def _none(*given: Any, **named: Any) -> Any:
    raise NotYet("natively, a function that is computed again")
