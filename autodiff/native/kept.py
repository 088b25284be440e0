"""Memory of tapes that is kept from one call to the next.

A tape of megabytes is new to the process whenever it is allocated: the system clears each page when
it is touched first, which takes longer than the sweep that fills it. An optimiser calls the same
gradient a thousand times, so blocks that one call gives back wait for the next.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils

LARGEST = 26
"""Log2 of the bytes of the largest block that waits."""
MOST = 2**27
"""Bytes of all blocks that wait, at most, in a process."""
NOWHERE = 2**60
"""Bytes: more than any machine has."""

_SMALLEST = 17  # below it memory of the heap is reused anyway
_SLOTS = 8  # blocks of one size that wait
_HEAD = 64  # bytes before a block, of which the first 8 tell its size
_TAKE, _LONGER, _GIVE = "autodiff_tape_take", "autodiff_tape_longer", "autodiff_tape_give"
_TOTAL = "autodiff_tape_total"
_PLAIN = ("PyMem_RawMalloc", "PyMem_RawFree")  # Numba's arrays lie there, too
_ALL = f"[{(LARGEST + 1) * _SLOTS} x i64]"

_POOL = f"""
@waiting = internal global {_ALL} zeroinitializer
@total = internal global i64 0

declare i8* @PyMem_RawMalloc(i64)
declare void @PyMem_RawFree(i8*)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)

define internal i64* @slot(i64 %log, i64 %k) {{
  %first = mul i64 %log, {_SLOTS}
  %place = add i64 %first, %k
  %found = getelementptr {_ALL}, {_ALL}* @waiting, i64 0, i64 %place
  ret i64* %found
}}

; where log2 of the bytes is kept, or 0 for a block that never waits
define internal i64* @log_at(i8* %block) {{
  %head = getelementptr i8, i8* %block, i64 -{_HEAD}
  %place = bitcast i8* %head to i64*
  ret i64* %place
}}

define i8* @{_TAKE}(i64 %wanted) {{
entry:
  %size = add i64 %wanted, {_HEAD}
  %less = sub i64 %size, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %less, i1 false)
  %log = sub i64 64, %zeros
  %above = sub i64 %log, {_SMALLEST}
  %waits = icmp ule i64 %above, {LARGEST - _SMALLEST}
  br i1 %waits, label %try, label %allocate
try:
  %k = phi i64 [ 0, %entry ], [ %next, %missed ]
  %slot = call i64* @slot(i64 %log, i64 %k)
  %found = atomicrmw xchg i64* %slot, i64 0 seq_cst
  %is_none = icmp eq i64 %found, 0
  %bytes = shl i64 1, %log
  br i1 %is_none, label %missed, label %reuse
missed:
  %next = add i64 %k, 1
  %is_over = icmp eq i64 %next, {_SLOTS}
  br i1 %is_over, label %allocate, label %try
reuse:
  %before = atomicrmw sub i64* @total, i64 %bytes seq_cst
  %old = inttoptr i64 %found to i8*
  ret i8* %old
allocate:
  %room = phi i64 [ %bytes, %missed ], [ %size, %entry ]
  %kept = phi i64 [ %log, %missed ], [ 0, %entry ]
  %made = call i8* @PyMem_RawMalloc(i64 %room)
  %failed = icmp eq i8* %made, null
  br i1 %failed, label %nothing, label %done
done:
  %block = getelementptr i8, i8* %made, i64 {_HEAD}
  %place = call i64* @log_at(i8* %block)
  store i64 %kept, i64* %place
  ret i8* %block
nothing:
  ret i8* null
}}

define void @{_GIVE}(i8* %block) {{
entry:
  %place = call i64* @log_at(i8* %block)
  %log = load i64, i64* %place
  %is_plain = icmp eq i64 %log, 0
  br i1 %is_plain, label %free, label %count
count:
  %bytes = shl i64 1, %log
  %before = atomicrmw add i64* @total, i64 %bytes seq_cst
  %after = add i64 %before, %bytes
  %is_full = icmp ugt i64 %after, {MOST}
  br i1 %is_full, label %over, label %try
try:
  %k = phi i64 [ 0, %count ], [ %next, %taken ]
  %slot = call i64* @slot(i64 %log, i64 %k)
  %number = ptrtoint i8* %block to i64
  %pair = cmpxchg i64* %slot, i64 0, i64 %number seq_cst seq_cst
  %is_put = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %is_put, label %end, label %taken
taken:
  %next = add i64 %k, 1
  %is_over = icmp eq i64 %next, {_SLOTS}
  br i1 %is_over, label %over, label %try
over:
  %back = atomicrmw sub i64* @total, i64 %bytes seq_cst
  br label %free
free:
  %made = getelementptr i8, i8* %block, i64 -{_HEAD}
  call void @PyMem_RawFree(i8* %made)
  br label %end
end:
  ret void
}}

define i8* @{_LONGER}(i8* %given, i64 %kept, i64 %wanted) {{
  %new = call i8* @{_TAKE}(i64 %wanted)
  %failed = icmp eq i8* %new, null
  br i1 %failed, label %done, label %copy
copy:
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* %new, i8* %given, i64 %kept, i1 false)
  call void @{_GIVE}(i8* %given)
  br label %done
done:
  ret i8* %new
}}

define i64 @{_TOTAL}() {{
  %found = load atomic i64, i64* @total seq_cst, align 8
  ret i64 %found
}}
"""


def taken(target: Any, builder: Any, count: Any, each: int) -> Any:
    """Where memory for `count` times `each` bytes begins, in generated code; nobody counts it.

    It raises MemoryError where there is none.
    """
    return _found(target, builder, count, each, _TAKE, [])


def lengthened(target: Any, builder: Any, old: Any, kept: Any, count: Any, each: int) -> Any:
    """Where that much memory begins, with the first `kept` bytes of `old`, which is given back."""
    return _found(target, builder, count, each, _LONGER, [old, kept])


def given_back(builder: Any, old: Any) -> None:
    """Give back what was `taken`, in generated code."""
    kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t])
    give = cgutils.get_or_insert_function(builder.module, kind, _GIVE)  # type: ignore[no-untyped-call]
    builder.call(give, [old])


def _found(
    target: Any, builder: Any, count: Any, each: int, function: str, arguments: list[Any]
) -> Any:
    error = MemoryError, ("no room for the tape",)
    # nested loops may have a product of trips whose bytes no 64 bits can tell
    excess = builder.icmp_unsigned(">", count, count.type(NOWHERE // each))
    with builder.if_then(excess, likely=False):
        target.call_conv.return_user_exc(builder, *error)
    given = [*arguments, builder.mul(count, count.type(each))]
    kind = ir.FunctionType(cgutils.voidptr_t, [argument.type for argument in given])
    called = cgutils.get_or_insert_function(builder.module, kind, function)  # type: ignore[no-untyped-call]
    result = builder.call(called, given)
    with builder.if_then(cgutils.is_null(builder, result), likely=False):  # type: ignore[no-untyped-call]
        target.call_conv.return_user_exc(builder, *error)
    return result


def waiting() -> int:
    """Bytes of the blocks that wait for the next call."""
    return int(ctypes.CFUNCTYPE(ctypes.c_int64)(_WAITING)())


def _started() -> int:
    """Compile the allocator under names that code from Numba, or from its cache, finds it by.

    Where it tells how much waits. It is never let go: what was compiled holds its addresses, also
    after this module was loaded once more.
    """
    for name in _PLAIN:
        function = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p)
        llvm.add_symbol(name, function.value)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_POOL), machine)
    engine.finalize_object()
    for name in (_TAKE, _LONGER, _GIVE):
        llvm.add_symbol(name, engine.get_function_address(name))
    address: int = engine.get_function_address(_TOTAL)
    engine.detach()
    return address


_WAITING = _started()
