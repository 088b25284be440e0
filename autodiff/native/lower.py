"""From the generated function to the one that Numba compiles: the list of native passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import gast

from autodiff.kinds.kind import UNKNOWN, Array, Kind, Record, Scalar
from autodiff.native.allocated import allocated
from autodiff.native.backward_ranges import loops
from autodiff.native.bindings import Helpers
from autodiff.native.calls import calls
from autodiff.native.common_factors import common_factors
from autodiff.native.elementwise import elements
from autodiff.native.entry import entry
from autodiff.native.fence import fence
from autodiff.native.invariants import invariants
from autodiff.native.layouts import layouts
from autodiff.native.lists import lists
from autodiff.native.narrow import NARROW, narrowed
from autodiff.native.native_kinds import NativeKinds
from autodiff.native.overlaps import overlaps
from autodiff.native.promoted import promoted
from autodiff.native.split import split
from autodiff.native.tapes import released, tapes
from autodiff.pipeline.request import Request
from autodiff.syntax.names import parameters


def lower(
    tree: gast.FunctionDef, given: Mapping[str, Kind], known: NativeKinds, request: Request
) -> tuple[gast.FunctionDef, list[str]]:
    """The function in what Numba takes, and the names that it is told to be ints.

    NativeError for what cannot be said in it.

    given: the kinds of its parameters, as far as these are known. Passes tell `known` what the
    names hold that they make.
    """
    helpers = Helpers(known.scope, known.unused, known.local)
    tree = loops(lists(tree, known, helpers), helpers)
    tree, stores, ints = tapes(tree, known, helpers)
    tree = narrowed(calls(tree, known, helpers), known, request, helpers)
    tree = layouts(tree, known, helpers)
    parallel = request.backend is not None and ("parallel", True) in request.backend.flags
    tree = elements(tree, known, helpers, parallel)
    for own in (overlaps, promoted, invariants, common_factors, split):
        tree = own(tree, known)
    given = _given(tree, given, known, request)
    fence(tree, known, given)
    tree = released(tree, stores, helpers)
    if not parallel:  # whose analysis knows NumPy's functions and operators only
        tree = allocated(tree, known, helpers)
    return entry(tree, _passed(given, request), helpers), ints


def _passed(given: Mapping[str, Kind], request: Request) -> dict[str, Kind]:
    """The kinds of the parameters as the caller passes them."""
    found = dict(given)
    for name, is_narrow in zip(given, request.narrow):
        kind = found[name]
        if is_narrow and isinstance(kind, (Scalar, Array)):
            found[name] = replace(kind, dtype=NARROW)
    return found


def _given(
    tree: gast.FunctionDef, given: Mapping[str, Kind], known: NativeKinds, request: Request
) -> dict[str, Kind]:
    """The kinds of all parameters, tangents and a seed among them.

    A seed has the type of the value, with floats for whole numbers; `alike` compares its sizes.
    Floats have 64 bits here, whatever made them.
    """
    found = {p: given.get(p) or known.names.get(p, UNKNOWN) for p in parameters(tree.args)}
    if request.seeded:
        *_, seed = found
        found[seed] = _seed(found[seed])
    return found


def _seed(kind: Kind) -> Kind:
    if isinstance(kind, Scalar):
        return Scalar("float") if kind.type in ("float", "int", "bool") else kind
    if isinstance(kind, Array):
        dtype = "float64" if kind.dtype in ("int64", "bool") else kind.dtype
        return replace(kind, dtype=dtype, shape=(None,) * len(kind.shape))
    if isinstance(kind, Record):
        return replace(kind, items=tuple(map(_seed, kind.items)))
    return kind
