"""Derivatives for Numba out of Core's text, with the kinds that Core knows."""

from __future__ import annotations

import weakref
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any, cast

import numpy as np

from autodiff.core import Apply, Block, Function, LoadOuter, NotYet, Operation, Steps
from autodiff.dataflow.definite import definite
from autodiff.emit.module import Definition
from autodiff.emit.stages import Stages, Watching
from autodiff.errors import NativeError
from autodiff.loader import place_of
from autodiff.lower.flow.form import form_of
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.conversion import Converted
from autodiff.lower.functions.outlined import Outlined
from autodiff.lower.functions.standing import Callee
from autodiff.native.aliasing import Memory
from autodiff.native.bindings import Scope
from autodiff.native.dispatchers import compiled
from autodiff.native.frozen import named_constants
from autodiff.native.narrow import widened
from autodiff.native.native_kinds import NativeKinds, wide
from autodiff.native.stepping import stepping
from autodiff.native.unordered import turn_unordered
from autodiff.native.vocabulary import SHARING
from autodiff.pipeline.assembly import Module
from autodiff.pipeline.compiled import Compiled
from autodiff.pipeline.half import Half, half_of, rest_of
from autodiff.pipeline.request import Request
from autodiff.runtime import copied
from autodiff.syntax.names import all_names, parameters, writes
from autodiff.syntax.origin import origin_of


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
    made = replace(
        made,
        source="\n\n".join(module.texts),
        stages=stages,
        guards=(*module.guards,),
        generated=(*module.generated,),
        beside={"stepping": stepping} if module.names["steps"] else {},
    )
    if request.mode != "vjp":
        return made
    title = f"Value of {function.__name__} ({place_of(function.__code__)})."
    primal = native(function, replace(request, mode="value"), title)
    return with_pullback(primal, made)


class OfNumba(Module):
    """Functions of plain statements, which go through the native passes."""

    native = True

    def __init__(self, request: Request, watch: Watching | None = None) -> None:
        super().__init__(watch)
        assert request.backend is not None
        self.strict = dict(request.backend.flags).get("error_model", "python") == "python"
        self.request = request
        self.native_one: Compiled | None = None
        self.generated: list[FunctionType] = []
        self.dispatchers: dict[str, Any] = {}

    def prepared(self, unit: Unit) -> None:
        definite(unit.function, unit.references)
        self.guards += named_constants(unit)

    def finished(self, function: Function) -> None:
        turn_unordered(function)

    def load(self, half: Half, written: Definition, unit: Unit, place: str) -> FunctionType:
        check(unit.function.body)
        tree, kinds = written.tree, written.kinds
        local = frozenset(writes(tree.body)) | {*parameters(tree.args)}
        taken = {*all_names(tree), *written.helpers}
        memory = Memory(written.memory, written.views, unit.function.body)
        known = NativeKinds(kinds, Scope(unit.main, written.helpers), local, taken, memory)
        values = zip(parameters(tree.args), unit.function.body.parameters)
        given = {own: wide(value.kind) for own, value in values}
        asked = self.request
        if isinstance(half.function, Outlined):
            mode: Any = "adjoints" if half.mode == "adjoints" else "value"
            asked = replace(asked, mode=mode, wrt=half.wrt, has_aux=False, narrow=())
        made = compiled(tree, given, known, asked, place)
        self.native_one = made
        self.guards += made.guards
        self.generated += made.generated
        self.texts.append(made.source)
        self.dispatchers[tree.name] = made.native
        return made.generated[0]

    def called(
        self,
        callee: Callee,
        active: tuple[int, ...] | None,
        beside: str = "vjp",
        several: bool = False,
    ) -> tuple[str, object]:
        """Name and dispatcher of a part of the function: its value, or its adjoints for seeds."""
        own = callee.function
        if not isinstance(own, Outlined):
            raise NativeError(
                "a function that calls itself cannot be compiled natively",
                None if isinstance(own, Converted) else origin_of(form_of(own).tree),
                why="its derivative is a pair of functions that hand values over on a tape of "
                "objects",
                cure='write it as a loop, or leave backend="numba" out',
            )
        name, _ = super().called(callee, active, "adjoints")
        return name, self.dispatchers[name]

    def driven(self, unit: Unit, op: Steps) -> tuple[str, str]:
        """What runs a checkpointed loop, and what reverses it."""
        use = unit.references.use
        step, adjoints = (
            self.called(op.callee, k) for k in (None, tuple(k + 1 for k in op.active))
        )
        test = self.called(op.test, None) if op.test is not None else None
        places = tuple(k - op.width for k in op.active if k >= op.width)
        form = len(op.active) - len(places), places
        made = stepping(step[1], adjoints[1], *form, *([test[1]] if test else []))
        self.names["steps"] += 1
        ending = "" if self.names["steps"] == 1 else f"_{self.names['steps']}"
        names = f"run_steps{ending}", f"reverse_steps{ending}"
        given = ", ".join([step[0], adjoints[0], *map(repr, form), *([test[0]] if test else [])])
        self.texts.append(f"{', '.join(names)} = stepping({given})\n")
        return use(names[0], made[0]), use(names[1], made[1])


def with_pullback(primal: Compiled, both: Compiled) -> Compiled:
    """The function that returns the value, and the adjoints as a function of the seed.

    What a reverse sweep needs cannot leave compiled code, so each seed has both sweeps run, at the
    arguments as they were.
    """
    value, pulled = primal.function, both.function

    def native(*args: Any, **keywords: Any) -> Any:
        kept, named = copied(args), copied(keywords)
        return value(*args, **keywords), partial(_adjoints, pulled, kept, named)

    source, guards = f"{primal.source}\n\n{both.source}", (*primal.guards, *both.guards)
    function, generated = cast("FunctionType", native), (*primal.generated, *both.generated)
    return replace(both, function=function, source=source, guards=guards, generated=generated)


def _adjoints(both: Any, args: tuple[Any, ...], keywords: dict[str, Any], seed: Any) -> Any:
    return both(*args, seed, **keywords)[1]


_VIEWS = (*SHARING, np.transpose, np.asarray)
"""What looks at the memory of an argument in compiled code, too."""


def check(body: Block) -> None:
    """Whether arrays that change are those that change in Python."""
    for op in body.walk():
        if isinstance(op, LoadOuter) and op.result.is_written:
            region = op.result.home
            changing = (own.origin for own in body.walk() if own.origin and own.writes(region))
            raise NativeError(
                f"the array `{op.path}`, which changes, cannot be compiled natively",
                op.origin or next(changing, None),
                why="it comes from outside of the function: compiled code takes it for a constant",
                cure="pass it as an argument, or change a copy of it",
            )
        if isinstance(op, Apply) and is_copied(op):
            raise NativeError(
                f"a change of what {op.primitive.name} gives cannot be compiled natively",
                op.origin,
                why="it may be memory of its argument, and is a copy in compiled code",
                cure="change a copy, or the argument itself",
            )


def is_copied(op: Operation) -> bool:
    """Whether it gives memory of an operand that changes, and is new memory when compiled."""
    if not isinstance(op, Apply) or op.primitive.memory == "new" or len(op.results) != 1:
        return False
    region, function = op.result.region, op.primitive.function
    if region is None or not region.written or function is None:
        return False
    same = any(value.region is region for value in op.operands)
    return same and not any(function is own for own in _VIEWS)
