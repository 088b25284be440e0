"""LLVM's code for what adjoint code consists of: a few instructions in place of Numba's many.

Numba looks for the implementation of each `a * b` and `x[i, k]` among all that are registered,
copies arrays to ask for a size, and clears what no longer holds anything. LLVM leaves all of that
out again, which takes it most of its time: every variable that is cleared is a choice at each place
where paths join. All else is Numba's.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite.ir import Constant, Undefined
from llvmlite.ir.instructions import LoadInstr
from numba.core import cgutils, ir, types
from numba.core.lowering import Lower
from numba.np.arrayobj import load_item, mark_positive, store_item

ARITHMETIC = {
    **dict.fromkeys((operator.add, operator.iadd), "add"),
    **dict.fromkeys((operator.sub, operator.isub), "sub"),
    **dict.fromkeys((operator.mul, operator.imul), "mul"),
}
COMPARED = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
_NUMBERS = (types.float64, types.int64)


class LeanLower(Lower):  # type: ignore[misc]
    """LLVM's code for numbers of 64 bits, elements and sizes of arrays, and loops that count."""

    def pre_lower(self) -> None:
        super().pre_lower()
        self.counting: dict[str, tuple[Any, Any, int, bool]] = {}
        """Of loops by the names of what they go over: next number, how many are left, step,
        and whether no number is negative."""

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        of = getattr(self, f"of_{expr.op}", None)
        found = None if of is None else of(resty, expr)
        return super().lower_expr(resty, expr) if found is None else found

    def of_getattr(self, resty: Any, expr: Any) -> Any:
        kind = self.typeof(expr.value.name)
        if not isinstance(kind, types.Array) or expr.attr != "shape":
            return None
        _, sizes, _ = self._fields(kind, expr.value)
        for size in sizes:
            if isinstance(size, LoadInstr):
                mark_positive(self.builder, size)
        return cgutils.pack_array(self.builder, sizes)

    def of_static_getitem(self, resty: Any, expr: Any) -> Any:
        kind, place = self.typeof(expr.value.name), expr.index
        if not isinstance(kind, types.UniTuple) or not resty == kind.dtype == types.int64:
            return None
        if not isinstance(place, int) or not -kind.count <= place < kind.count:
            return None
        return self.builder.extract_value(self.loadvar(expr.value.name), place % kind.count)

    def of_getiter(self, resty: Any, expr: Any) -> Any:
        """The iterator of a loop that counts up or down in ones, which is two numbers."""
        call, function = self._defined(expr.value), None
        if (
            expr.value.is_temp
            and getattr(call, "op", "") == "call"
            and not call.kws
            and call.vararg is None
        ):
            function = getattr(self.typeof(call.func.name), "typing_key", None)
        if function is not range or resty != types.range_iter64_type or self._disable_sroa_like_opt:
            return None
        step = self._defined(call.args[2]) if len(call.args) == 3 else ir.Const(1, self.loc)
        if not isinstance(step, ir.Const) or step.value not in (1, -1):
            return None
        start, *more = (self._cast_var(arg, types.int64) for arg in call.args[:2])
        first, stop = (start, *more) if more else (Constant(start.type, 0), start)
        ends = (stop, first) if step.value == 1 else (first, stop)
        counting = [self._slot(v) for v in (first, self.builder.sub(*ends))]
        up = step.value == 1
        is_positive = self._is_from_zero(call.args[0 if up else 1], 0 if up else -1)
        self.counting[expr.value.name] = (*counting, step.value, is_positive or up and not more)
        return Constant(self.context.get_value_type(resty), Undefined)

    def of_iternext(self, resty: Any, expr: Any) -> Any:
        iterator = self._defined(expr.value)
        if getattr(iterator, "op", "") != "getiter" or iterator.value.name not in self.counting:
            return None
        following, left, step, _ = self.counting[iterator.value.name]
        number, count = self.builder.load(following), self.builder.load(left)
        goes_on = self.builder.icmp_signed(">", count, count.type(0))
        self.builder.store(self.builder.add(number, number.type(step)), following)
        self.builder.store(self.builder.sub(count, count.type(1), flags=["nsw"]), left)
        return cgutils.pack_struct(self.builder, [number, goes_on])

    def of_pair_first(self, resty: Any, expr: Any) -> Any:
        if resty != types.int64:
            return None
        return self.builder.extract_value(self.loadvar(expr.value.name), 0)

    def of_pair_second(self, resty: Any, expr: Any) -> Any:
        if self.typeof(expr.value.name).first_type != types.int64:
            return None
        return self.builder.extract_value(self.loadvar(expr.value.name), 1)

    def _defined(self, variable: Any) -> Any:
        """What a name that is assigned once is."""
        while isinstance(variable, ir.Var):
            held = self.func_ir._definitions[variable.name]
            if len(held) != 1:
                return None
            [variable] = held
        return variable

    def _slot(self, value: Any) -> Any:
        with self.builder.goto_entry_block():
            place = self.builder.alloca(value.type)
        self.builder.store(value, place)
        return place

    def alloca(self, name: str, kind: Any) -> Any:
        if self._disable_sroa_like_opt or not self._is_lean(kind):
            return super().alloca(name, kind)
        with self.builder.goto_entry_block():
            place = self.builder.alloca(self.context.get_value_type(kind), name=name)
            if isinstance(kind, types.Array):
                self._cleared(place)
        return place

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        kind = self.typeof(name)
        in_memory = name not in self._singly_assigned_vars and argidx is None
        if self._disable_sroa_like_opt or not in_memory or not self._is_lean(kind):
            super().storevar(value, name, argidx)
            return
        self._alloca_var(name, kind)
        self._released(kind, self.getvar(name))
        self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        kind = self.typeof(name)
        known = name in self._blk_local_varmap or name in self._singly_assigned_vars
        if self._disable_sroa_like_opt or known or not self._is_lean(kind):
            super().delvar(name)
            return
        self._alloca_var(name, kind)
        self._released(kind, self.getvar(name))
        if isinstance(kind, types.Array):
            self._cleared(self.getvar(name))

    def _is_lean(self, kind: Any) -> bool:
        """Whether it is an array, or holds no memory that is counted."""
        counted = self.context.data_model_manager[kind].contains_nrt_meminfo()
        return isinstance(kind, types.Array) or not counted

    def _released(self, kind: Any, place: Any) -> None:
        """One fewer who knows the memory of an array; the first field says where it is counted."""
        if isinstance(kind, types.Array):
            counted = self.builder.load(cgutils.gep_inbounds(self.builder, place, 0, 0))
            nothing = Constant(place.type.pointee, Undefined)
            self.decref(kind, self.builder.insert_value(nothing, counted, 0))

    def _cleared(self, place: Any) -> None:
        first = cgutils.gep_inbounds(self.builder, place, 0, 0)
        self.builder.store(Constant(first.type.pointee, None), first)

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
        data, sizes, strides = self._fields(kind, array)
        held = self._defined(index)
        variables = held.items if getattr(held, "op", "") == "build_tuple" else [index]
        for k, (part, size) in enumerate(zip(parts, sizes)):
            if len(variables) != len(parts) or not self._is_from_zero(variables[k]):
                is_less = self.builder.icmp_signed("<", part, part.type(0))
                parts[k] = self.builder.select(is_less, self.builder.add(part, size), part)
        form = data, sizes, strides, kind.layout, parts
        checked = self.context.enable_boundscheck
        return cgutils.get_item_pointer2(self.context, self.builder, *form, boundscheck=checked)

    def _is_from_zero(self, variable: Any, least: int = 0) -> bool:
        """Whether a whole number is known not to be negative (`least`), as counters of loops are.

        Others count from the end where they are.
        """
        held = self._defined(variable)
        if isinstance(held, ir.Const):
            return isinstance(held.value, int) and held.value >= least
        if getattr(held, "op", "") == "binop" and held.fn in (operator.add, operator.mul):
            return self._is_from_zero(held.lhs) and self._is_from_zero(held.rhs)
        for op in ("pair_first", "iternext", "getiter"):
            if getattr(held, "op", "") != op:
                return False
            held, name = self._defined(held.value), held.value.name
        return name in self.counting and self.counting[name][3]

    def _fields(self, kind: Any, array: Any) -> tuple[Any, list[Any], list[Any]]:
        """Where an array lies, its sizes and its strides, read one by one."""
        model = self.context.data_model_manager[kind]
        if array.name in self._blk_local_varmap:
            held = self.loadvar(array.name)
            data, *axes = (model.get(self.builder, held, f) for f in ("data", "shape", "strides"))
            shape, strides = (cgutils.unpack_tuple(self.builder, axis, kind.ndim) for axis in axes)
            return data, shape, strides
        variable = self.getvar(array.name)

        def part(field: str, *more: int) -> Any:
            position = model.get_field_position(field)
            place = cgutils.gep_inbounds(self.builder, variable, 0, position, *more)
            return self.builder.load(place)

        shape, strides = ([part(f, k) for k in range(kind.ndim)] for f in ("shape", "strides"))
        return part("data"), shape, strides


def _operation(op: Any, signature: Any) -> Callable[..., Any] | None:
    """What an operator is for two floats, or two whole numbers, of 64 bits."""
    left, right = signature.args
    if left != right or left not in _NUMBERS:
        return None
    is_float = left == types.float64
    if op in ARITHMETIC and signature.return_type == left:
        name = ("f" if is_float else "") + ARITHMETIC[op]
        flags = () if is_float else ("nsw",)  # LLVM vectorises loops whose counts do not overflow
        return lambda builder, a, b: getattr(builder, name)(a, b, flags=flags)
    if op in COMPARED and signature.return_type == types.boolean:
        sign = COMPARED[op]
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
