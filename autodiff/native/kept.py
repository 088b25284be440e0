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
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

LARGEST = 26
"""Log2 of the bytes of the largest block that waits."""
MOST = 2**27
"""Bytes of all blocks that wait, at most, in a process."""
NOWHERE = 2**60
"""Bytes: more than any machine has."""

_SMALLEST = 17  # below it memory of the heap is reused anyway
_SLOTS = 8  # blocks of one size that wait
_ALIGNED = 64  # bytes: a line of the cache
_HEADER = 64  # bytes before what the caller gets: log2 of the size, or 0 for what never waits
_NAME, _TOTAL = "autodiff_tape_allocator", "autodiff_tape_total"
_ALL = f"[{(LARGEST + 1) * _SLOTS} x i64]"

_POOL = f"""
@waiting = internal global {_ALL} zeroinitializer
@total = internal global i64 0
@allocator = internal global [4 x i64] [
    i64 ptrtoint (i8* (i64, i8*)* @take to i64), i64 0,
    i64 ptrtoint (void (i8*, i8*)* @give to i64), i64 0]

declare i8* @NRT_Allocate(i64)
declare void @NRT_Free(i8*)
declare i64 @llvm.ctlz.i64(i64, i1)

define internal i64* @slot(i64 %log, i64 %k) {{
  %first = mul i64 %log, {_SLOTS}
  %place = add i64 %first, %k
  %found = getelementptr {_ALL}, {_ALL}* @waiting, i64 0, i64 %place
  ret i64* %found
}}

define internal i8* @take(i64 %wanted, i8* %unused) {{
entry:
  %size = add i64 %wanted, {_HEADER}
  %less = sub i64 %size, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %less, i1 false)
  %log = sub i64 64, %zeros
  %is_small = icmp ult i64 %log, {_SMALLEST}
  %is_large = icmp ugt i64 %log, {LARGEST}
  %is_plain = or i1 %is_small, %is_large
  br i1 %is_plain, label %plain, label %try
try:
  %k = phi i64 [ 0, %entry ], [ %next, %missed ]
  %slot = call i64* @slot(i64 %log, i64 %k)
  %found = atomicrmw xchg i64* %slot, i64 0 seq_cst
  %is_none = icmp eq i64 %found, 0
  br i1 %is_none, label %missed, label %reuse
missed:
  %next = add i64 %k, 1
  %is_over = icmp eq i64 %next, {_SLOTS}
  br i1 %is_over, label %new, label %try
reuse:
  %bytes = shl i64 1, %log
  %before = atomicrmw sub i64* @total, i64 %bytes seq_cst
  %old = inttoptr i64 %found to i8*
  br label %done
new:
  %rounded = shl i64 1, %log
  br label %allocate
plain:
  br label %allocate
allocate:
  %room = phi i64 [ %rounded, %new ], [ %size, %plain ]
  %mark = phi i64 [ %log, %new ], [ 0, %plain ]
  %made = call i8* @NRT_Allocate(i64 %room)
  %failed = icmp eq i8* %made, null
  br i1 %failed, label %nothing, label %marked
marked:
  %header = bitcast i8* %made to i64*
  store i64 %mark, i64* %header
  br label %done
nothing:
  ret i8* null
done:
  %block = phi i8* [ %old, %reuse ], [ %made, %marked ]
  %result = getelementptr i8, i8* %block, i64 {_HEADER}
  ret i8* %result
}}

define internal void @give(i8* %given, i8* %unused) {{
entry:
  %block = getelementptr i8, i8* %given, i64 -{_HEADER}
  %address = ptrtoint i8* %block to i64
  %header = bitcast i8* %block to i64*
  %log = load i64, i64* %header
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
  %pair = cmpxchg i64* %slot, i64 0, i64 %address seq_cst seq_cst
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
  call void @NRT_Free(i8* %block)
  br label %end
end:
  ret void
}}

define i64 @{_NAME}() {{
  ret i64 ptrtoint ([4 x i64]* @allocator to i64)
}}

define i64 @{_TOTAL}() {{
  %found = load atomic i64, i64* @total seq_cst, align 8
  ret i64 %found
}}
"""


def block(target: Any, builder: Any, count: Any, each: int) -> tuple[Any, Any]:
    """Memory for `count` times `each` bytes, counted by reference, and where it begins, in
    generated code.

    It raises MemoryError where there is none.
    """
    error = MemoryError, ("no room for the tape",)
    # a loop that is left early may have a range of any length, whose bytes no 64 bits can tell
    excess = builder.icmp_unsigned(">", count, count.type(NOWHERE // each))
    with builder.if_then(excess, likely=False):
        target.call_conv.return_user_exc(builder, *error)
    room = builder.add(builder.mul(count, count.type(each)), count.type(_ALIGNED))
    ask = ir.FunctionType(ir.IntType(64), [])
    known = builder.call(cgutils.get_or_insert_function(builder.module, ask, _NAME), [])  # type: ignore[no-untyped-call]
    make = ir.FunctionType(cgutils.voidptr_t, [room.type, cgutils.voidptr_t])
    table = builder.bitcast(target.nrt.get_nrt_api(builder), make.as_pointer().as_pointer())
    allocate = builder.load(builder.gep(table, [ir.IntType(32)(1)]))  # `allocate_external`
    memory = builder.call(allocate, [room, builder.inttoptr(known, cgutils.voidptr_t)])
    with builder.if_then(cgutils.is_null(builder, memory), likely=False):  # type: ignore[no-untyped-call]
        target.call_conv.return_user_exc(builder, *error)
    first = builder.ptrtoint(target.nrt.meminfo_data(builder, memory), room.type)
    aligned = builder.and_(builder.add(first, room.type(_ALIGNED - 1)), room.type(-_ALIGNED))
    return memory, builder.inttoptr(aligned, cgutils.voidptr_t)


def waiting() -> int:
    """Bytes of the blocks that wait for the next call."""
    return int(ctypes.CFUNCTYPE(ctypes.c_int64)(_WAITING)())


def _started() -> int:
    """Compile the allocator under a name that code from Numba, or from its cache, finds it by.

    Where it tells how much waits. It is never let go: what was compiled holds its address, also
    after this module was loaded once more.
    """
    rtsys.initialize(cpu_target.target_context)  # has NRT_Allocate
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_POOL), machine)
    engine.finalize_object()
    llvm.add_symbol(_NAME, engine.get_function_address(_NAME))
    address: int = engine.get_function_address(_TOTAL)
    engine.detach()
    return address


_WAITING = _started()
