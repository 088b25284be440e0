"""Numba's list of passes with a short way for what adjoint code consists of.

Types of what has been asked before are found in a table, code is lean (`lean_code`). What passes
find out again and again, and nobody reads, is left out, and LLVM optimises once, in place of three
times. All else is Numba's.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numpy as np
from numba.core import ir, ssa, types
from numba.core.analysis import compute_live_variables
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import (
    BaseNativeLowering,
    NativeLowering,
    NopythonRewrites,
    NopythonTypeInference,
)
from numba.core.untyped_passes import DeadBranchPrune, InlineClosureLikes, ReconstructSSA

from autodiff.codegen.lean_code import ARITHMETIC, COMPARED, LeanLower


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(BaseNativeLowering):  # type: ignore[misc]
    _name = "native_lowering"  # type: ignore[assignment]

    @property
    def lowering_class(self) -> type[Lower]:
        return LeanLower


class _Asked:
    """Numba's context of types, which answers at once what it was asked about the same types."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.known: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: Any, keywords: Any) -> Any:
        operation = getattr(function, "typing_key", None)
        if keywords or operation not in (*ARITHMETIC, *COMPARED):
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


@register_pass(mutates_CFG=True, analysis_only=False)
class _Closures(InlineClosureLikes):  # type: ignore[misc]
    _name = "inline_closure_likes"

    def run_pass(self, state: Any) -> Any:
        held = state.func_id.code.co_consts
        return any(isinstance(part, CodeType) for part in held) and super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Rewrites(NopythonRewrites):  # type: ignore[misc]
    _name = "nopython_rewrites"

    def run_pass(self, state: Any) -> Any:
        """Expressions of arrays as loops; most are loops before."""
        nodes = [n for b in state.func_ir.blocks.values() for n in b.find_insts(ir.Assign)]
        arrays = [n.value for n in nodes if isinstance(state.typemap[n.target.name], types.Array)]
        called = {n.func.name for n in arrays if getattr(n, "op", "") == "call"}
        keys = (getattr(state.typemap[own], "typing_key", None) for own in called)
        written = any(getattr(n, "op", "") in ("unary", "binop") for n in arrays)
        return (written or any(isinstance(k, np.ufunc) for k in keys)) and super().run_pass(state)


_INSTEAD = {
    NativeLowering: _Lowering,
    NopythonTypeInference: _Inference,
    InlineClosureLikes: _Closures,
    NopythonRewrites: _Rewrites,
}


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


@contextmanager
def hastened() -> Iterator[None]:
    """With these in place of Numba's own, for helpers, too; who compiles holds its only lock."""
    before = [(owner, own, getattr(owner, own)) for owner, own, _ in _HASTENED]
    try:
        for owner, own, function in _HASTENED:
            setattr(owner, own, function)
        yield
    finally:
        for owner, own, function in before:
            setattr(owner, own, function)


def _unoptimised(library: Any, module: Any) -> None:
    module.data_layout = library._codegen._data_layout


def _optimised(library: Any) -> None:
    """Once, when all that is called is there: as fast code as when each function was before."""
    passes, builder = library._codegen._module_pass_manager()
    passes.run(library._final_module, builder)


class _Entering(dict[Any, Any]):
    """What may live at the beginning of each block, which code in object mode asks for."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __missing__(self, block: Any) -> Any:
        blocks, life = self.function.blocks, self.function.variable_lifetime
        ends = life.deadmaps.combined
        found = compute_live_variables(life.cfg, blocks, life.usedefs.defmap, ends)
        self.update((block, found[offset]) for offset, block in blocks.items())
        return self[block]


def _post_processed(
    processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False
) -> None:
    """What lives where is found out when it is asked for; what `_ALL` does for generators, too."""
    function = processor.func_ir
    if function.is_generator:
        _ALL(processor, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime = VariableLifetime(function.blocks)
    function.block_entry_vars = _Entering(function)
    function.generator_info = None
    if emit_dels:
        processor._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _assigned_once(blocks: Any) -> Any:
    try:
        return _RUN(blocks)
    finally:
        _MENTIONED.clear()


def _rewritten(blocks: Any, states: Any, handler: Any) -> Any:
    """Blocks that mention a name that is assigned in several places, and the others as they are."""
    found = {}
    for label, block in blocks.items():
        known = _MENTIONED.get(id(block))
        if known is None:
            parts = (part for node in block.body for part in node.list_vars())
            known = _MENTIONED[id(block)] = block, {part.name for part in parts}
        own = states["varname"] in known[1]
        found[label] = _EACH({label: block}, states, handler)[label] if own else block
    return found


_MENTIONED: dict[int, tuple[Any, set[str]]] = {}
"""Blocks by their identity while names are assigned once, and the names in them."""

_ALL, _RUN, _EACH = PostProcessor.run, ssa._run_ssa, ssa._run_block_rewrite

_HASTENED: tuple[tuple[Any, str, Any], ...] = (
    (CPUCodeLibrary, "_optimize_functions", _unoptimised),
    (CPUCodeLibrary, "_optimize_final_module", _optimised),
    (PostProcessor, "run", _post_processed),
    (ssa, "_run_ssa", _assigned_once),
    (ssa, "_run_block_rewrite", _rewritten),
)
