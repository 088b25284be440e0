"""Numba's compiler with a short way for what adjoint code consists of.

Numba looks for the implementation of each `a * b` and `x[i, k]` among all that are registered, and
builds a view of the array for each element: half of the time in which it makes LLVM's code. For
floats, whole numbers and elements of arrays these classes write the same operations at once, and
find the types of what has been asked before in a table. All else is Numba's.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba.core import cgutils, types
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering, NopythonTypeInference
from numba.core.untyped_passes import DeadBranchPrune, ReconstructSSA
from numba.np.arrayobj import load_item, store_item

from autodiff.native.intrinsics import address, element

_ARITHMETIC = {
    **dict.fromkeys((operator.add, operator.iadd), "add"),
    **dict.fromkeys((operator.sub, operator.isub), "sub"),
    **dict.fromkeys((operator.mul, operator.imul), "mul"),
}
_COMPARED = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
_NUMBERS = (types.float64, types.int64)


class _Lower(Lower):  # type: ignore[misc]
    """LLVM's code for numbers of 64 bits and for elements of arrays."""

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        signature = self.fndesc.calltypes[expr]
        operation = _operation(op, signature)
        if operation is None:
            return super().lower_binop(resty, expr, op)
        sides = [self._cast_var(v, t) for v, t in zip((expr.lhs, expr.rhs), signature.args)]
        result = operation(self.builder, *sides)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        kind = self.typeof(value.name)
        if not _is_element(kind, signature.args[1]) or signature.return_type != kind.dtype:
            return super().lower_getitem(resty, expr, value, index, signature)
        place = self._place(kind, value, index, signature.args[1])
        result = load_item(self.context, self.builder, kind, place)
        return self.context.cast(self.builder, result, kind.dtype, resty)

    def lower_setitem(self, target: Any, index: Any, value: Any, signature: Any) -> Any:
        kind = self.typeof(target.name)
        if not _is_element(kind, signature.args[1]) or signature.args[2] != kind.dtype:
            return super().lower_setitem(target, index, value, signature)
        stored = self._cast_var(value, kind.dtype)
        place = self._place(kind, target, index, signature.args[1])
        store_item(self.context, self.builder, kind, stored, place)

    def _place(self, kind: Any, array: Any, index: Any, wanted: Any) -> Any:
        """Where an element lies."""
        found = self._cast_var(index, wanted)
        is_tuple = isinstance(wanted, types.BaseTuple)
        parts = cgutils.unpack_tuple(self.builder, found, kind.ndim) if is_tuple else [found]
        model = self.context.data_model_manager[kind]
        if array.name in self._blk_local_varmap:
            return address(self.context, self.builder, kind, self.loadvar(array.name), parts)

        def part(field: str, *more: int) -> Any:
            position = model.get_field_position(field)
            held = cgutils.gep_inbounds(self.builder, variable, 0, position, *more)
            return self.builder.load(held)

        variable = self.getvar(array.name)
        shape, strides = ([part(f, k) for k in range(kind.ndim)] for f in ("shape", "strides"))
        return element(self.context, self.builder, kind, part("data"), shape, strides, parts)


def _operation(op: Any, signature: Any) -> Callable[..., Any] | None:
    """What an operator is for two floats, or two whole numbers, of 64 bits."""
    left, right = signature.args
    if left != right or left not in _NUMBERS:
        return None
    is_float = left == types.float64
    if op in _ARITHMETIC and signature.return_type == left:
        name = ("f" if is_float else "") + _ARITHMETIC[op]
        flags = () if is_float else ("nsw",)  # LLVM vectorises loops whose counts do not overflow
        return lambda builder, a, b: getattr(builder, name)(a, b, flags=flags)
    if op in _COMPARED and signature.return_type == types.boolean:
        sign = _COMPARED[op]
        if not is_float:
            return lambda builder, a, b: builder.icmp_signed(sign, a, b)
        if sign == "!=":
            return lambda builder, a, b: builder.fcmp_unordered(sign, a, b)
        return lambda builder, a, b: builder.fcmp_ordered(sign, a, b)
    return None


def _is_element(kind: Any, index: Any) -> bool:
    """Whether it is one number of an array of numbers of 64 bits."""
    if not isinstance(kind, types.Array) or kind.dtype not in _NUMBERS:
        return False
    parts: list[Any] = list(getattr(index, "types", [index]))
    return len(parts) == kind.ndim and all(types.unliteral(p) == types.int64 for p in parts)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(BaseNativeLowering):  # type: ignore[misc]
    _name = "native_lowering"  # type: ignore[assignment]

    @property
    def lowering_class(self) -> type[Lower]:
        return _Lower


class _Asked:
    """Numba's context of types, which answers at once what it was asked about the same types."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.known: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: Any, keywords: Any) -> Any:
        operation = getattr(function, "typing_key", None)
        if keywords or operation not in (*_ARITHMETIC, *_COMPARED):
            return self.context.resolve_function_type(function, args, keywords)
        return self._once(self.context.resolve_function_type, function, tuple(args), keywords)

    def resolve_getitem(self, target: Any, index: Any) -> Any:
        return self._once(self.context.resolve_getitem, target, index)

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        return self._once(self.context.resolve_setitem, target, index, value)

    def _once(self, ask: Callable[..., Any], *types: Any) -> Any:
        key = ask.__name__, *(t for t in types if t != {})
        if key not in self.known:
            self.known[key] = ask(*types)
        return self.known[key]


@register_pass(mutates_CFG=True, analysis_only=False)
class _Inference(NopythonTypeInference):  # type: ignore[misc]
    _name = "nopython_type_inference"

    def run_pass(self, state: Any) -> Any:
        context = state.typingctx
        state.typingctx = _Asked(context)
        try:
            return super().run_pass(state)
        finally:
            state.typingctx = context


_INSTEAD = {NativeLowering: _Lowering, NopythonTypeInference: _Inference}


def _without_pruning(steps: list[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """Passes of Numba, of which none leaves branches out after names are assigned once.

    It would see that `n = 0`, `while n < 0: tape.append(v)` never runs, but not that `tape.pop()`
    in the loop of the reverse sweep does not: a list that nothing is put into has no type.
    """
    ssa = [step for step, _ in steps].index(ReconstructSSA)
    return steps[:ssa] + [pair for pair in steps[ssa:] if pair[0] is not DeadBranchPrune]


class Quick(Compiler):  # type: ignore[misc]
    """Numba's list of passes with these."""

    def define_pipelines(self) -> Any:
        managers = super().define_pipelines()
        for manager in managers:
            steps = _without_pruning(manager.passes)
            manager.passes = [(_INSTEAD.get(step, step), why) for step, why in steps]
            manager._finalized = False
            manager.finalize()
        return managers
