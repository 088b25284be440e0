"""Tangents along several directions at once, where that can be proved right."""

from __future__ import annotations

import gast
import numpy as np

from autodiff import runtime
from autodiff.analysis.alias import alias
from autodiff.analysis.kind import UNKNOWN, Array, Kind, Mapping, Record, Scalar, Sequence
from autodiff.analysis.known import Kinds
from autodiff.analysis.size import Dim
from autodiff.forward.directions.batch import Batch, Unbatched, Unruled, batched_kind
from autodiff.forward.directions.batched import batched
from autodiff.forward.directions.least import least
from autodiff.pipeline.beginnings import depends_on_layout
from autodiff.pipeline.tangent import tangent_kinds
from autodiff.pipeline.unit import Unit
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.names import all_names, name
from autodiff.syntax.quote import quote

_SIZE = Dim("directions", 2)


def directions(unit: Unit, tree: gast.FunctionDef) -> gast.FunctionDef:
    """The tangent function along several directions; as it is where that is not known to be right.

    `unit.batched` says which of the two, and why. What comes out is checked: the kinds of all
    tangents are found again, and have to be those of one direction with one more axis.
    """
    try:
        new = _batched(unit, tree)
    except (Unbatched, Unruled) as why:
        unit.batched = str(why)
        return tree
    unit.batched = ""
    return new


def _batched(unit: Unit, tree: gast.FunctionDef) -> gast.FunctionDef:
    known = tangent_kinds(unit, tree, unit.directions)
    helpers = Helpers(unit.scope, unit.names, known.local)

    def helper(identifier: str) -> gast.expr:
        if identifier == "np":
            return helpers.use("np", np)
        return helpers.use(identifier, getattr(runtime, identifier))

    given = {dot: batched_kind(kind, _SIZE) for dot, kind in unit.directions.items()}
    batch = Batch(
        known,
        set(unit.dots & all_names(tree)) | set(given),
        alias(tree, known),
        unit.names,
        helper,
        depends_on_layout(tree),
    )
    new = batched(batch, tree, _first(unit.directions))
    found = tangent_kinds(unit, new, given)
    for own in sorted(batch.names):
        _check(own, batched_kind(known.names.get(own, UNKNOWN), _SIZE), found)
    unit.least = least(batch, tree)
    return new


def _first(given: dict[str, Kind]) -> gast.expr:
    """A number or array of the tangents that are given: its length is the number of directions."""
    for dot, kind in given.items():
        found = _part(name(dot), kind)
        if found is not None:
            return found
    raise Unbatched("lists whose lengths are not known")


def _part(node: gast.expr, kind: Kind) -> gast.expr | None:
    if isinstance(kind, (Scalar, Array)):
        return node
    if isinstance(kind, Record):
        for key, item in zip(kind.keys, kind.items):
            part = quote(f"x[{key!r}]" if kind.indexed else f"x.{key}", x=node)
            found = _part(part, item)
            if found is not None:
                return found
    return None


def _check(own: str, expected: Kind, found: Kinds) -> None:
    """Raise Unbatched for a tangent that may have other axes, or another dtype, than it should."""
    if not _agree(expected, found.names.get(own, UNKNOWN)):
        raise Unbatched(f"`{own}` would be {found.names.get(own)}, not {expected}")


def _agree(expected: Kind, found: Kind) -> bool:
    if isinstance(expected, Array):
        if isinstance(found, Array):
            same = None in (expected.dtype, found.dtype) or expected.dtype == found.dtype
            return same and len(found.shape) == len(expected.shape)
        return not isinstance(found, (Scalar, Record, Sequence, Mapping))
    if isinstance(expected, Record) and isinstance(found, Record):
        return expected.keys == found.keys and all(map(_agree, expected.items, found.items))
    if isinstance(expected, (Sequence, Mapping)) and isinstance(found, type(expected)):
        return _agree(expected.item, found.item)
    return not isinstance(found, Array)
