"""From the generated function to the one that Numba compiles: the list of native passes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import gast

from autodiff.kinds.kind import UNKNOWN, Array, Kind, Record, Scalar
from autodiff.native.allocated import addressed, allocated
from autodiff.native.ascending import ascending
from autodiff.native.bindings import Helpers, Source
from autodiff.native.calls import calls
from autodiff.native.common_factors import common_factors
from autodiff.native.counters import counters
from autodiff.native.elements import elements
from autodiff.native.entry import entry
from autodiff.native.fence import fence
from autodiff.native.indexed import indexed
from autodiff.native.invariants import invariants
from autodiff.native.layouts import layouts
from autodiff.native.listed import listed
from autodiff.native.lists import lists
from autodiff.native.loops import loops
from autodiff.native.narrow import NARROW, narrowed
from autodiff.native.overlaps import overlaps
from autodiff.native.promoted import promoted
from autodiff.native.records import records
from autodiff.native.repeated import repeated
from autodiff.native.split import split
from autodiff.native.tapes import tapes
from autodiff.native.updates import updates
from autodiff.native.values import NativeKinds, values
from autodiff.pipeline.request import Request
from autodiff.syntax.names import Names, all_names, parameters


@dataclass(frozen=True, slots=True)
class Lowered:
    """The function as Numba takes it, and the names that it is told to be ints."""

    tree: gast.FunctionDef
    counters: list[str]


def lower(source: Source, known: NativeKinds, request: Request) -> Lowered:
    """The function in what Numba takes; NativeError for what cannot be said in it."""
    tree = source.tree
    names = Names({*all_names(tree), *source.taken})
    helpers = Helpers(source.scope, names, values(tree, known).local)
    tree, known = listed(tree, values(tree, known), helpers)
    found = values(tree, known)
    tree = repeated(tree, values(tree, known))
    found = values(tree, known)
    tree = lists(tree, found, helpers)
    tree = loops(tree, helpers)
    tree, stores = tapes(tree, found, names, helpers)
    found = values(tree, found)
    tree = calls(tree, found, helpers)
    tree = narrowed(tree, found, request, helpers)
    tree = layouts(tree, values(tree, found), helpers)
    parallel = request.backend is not None and ("parallel", True) in request.backend.flags
    tree = elements(tree, found, names, helpers, parallel)
    tree = updates(tree, values(tree, found))
    tree = overlaps(tree, values(tree, found), names)
    tree = ascending(tree, values(tree, found), names)
    found = values(tree, found)
    tree = indexed(tree, found)
    tree = promoted(tree, values(tree, found), names)
    tree = invariants(tree, values(tree, found), names)
    tree = common_factors(tree, values(tree, found), names)
    tree = split(tree, values(tree, found))
    given = _given(tree, source, known, request)
    found = values(tree, found)
    fence(tree, found, given)
    ints = counters(tree, found)
    tree = records(tree, stores, found, helpers)
    if not parallel:  # whose analysis knows NumPy's functions and operators only
        tree = allocated(addressed(tree, found, helpers), found, helpers)
    return Lowered(entry(tree, _passed(given, request), helpers), ints)


def _passed(given: dict[str, Kind], request: Request) -> dict[str, Kind]:
    """The kinds of the parameters as the caller passes them."""
    found = dict(given)
    for name, is_narrow in zip(given, request.narrow):
        kind = found[name]
        if is_narrow and isinstance(kind, (Scalar, Array)):
            found[name] = replace(kind, dtype=NARROW)
    return found


def _given(
    tree: gast.FunctionDef, source: Source, known: NativeKinds, request: Request
) -> dict[str, Kind]:
    """The kinds of all parameters, tangents and a seed among them.

    A seed has the type of the value, with floats for whole numbers; `alike` compares its sizes.
    Floats have 64 bits here, whatever made them.
    """
    found = {p: source.given.get(p) or known.names.get(p, UNKNOWN) for p in parameters(tree.args)}
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
