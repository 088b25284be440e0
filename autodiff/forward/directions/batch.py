"""What the code for several directions is made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.analysis.alias import Aliases
from autodiff.analysis.kind import Array, Kind, Mapping, Record, Scalar, Sequence, Static
from autodiff.analysis.known import Kinds
from autodiff.syntax.expressions import unparsed
from autodiff.syntax.names import Names, name, reads
from autodiff.syntax.windows import root

TOLD = frozenset({"shape", "ndim", "dtype"})
"""Attributes of an array that are the same along all directions."""


class Unbatched(Exception):
    """It cannot be proved what the code is for several directions."""


class Unruled(Exception):
    """There is no rule for an expression: it is evaluated for each direction."""


class Batch:
    """What is known of one function.

    names: those that hold tangents, which have an axis of the directions in front.
    count: the variable that holds the number of directions.
    """

    def __init__(
        self,
        kinds: Kinds,
        dots: set[str],
        aliases: Aliases,
        names: Names,
        helper: Callable[[str], gast.expr],
        depends_on_layout: bool,
    ) -> None:
        self.kinds = kinds
        self.names = dots
        self.aliases = aliases
        self.fresh = names.fresh
        self.helper = helper
        self.depends_on_layout = depends_on_layout
        self.count = names.fresh("directions")
        self.counted = False

    def number(self) -> gast.expr:
        """The number of directions."""
        self.counted = True
        return name(self.count)

    def rank(self, node: gast.expr) -> int:
        """The number of axes that a value has along one direction."""
        kind = self.kinds.known(node)
        if isinstance(kind, Scalar):
            return 0
        if isinstance(kind, Array):
            return len(kind.shape)
        raise Unruled(f"whether a value is an array is not known: {unparsed(node)}")

    def is_container(self, node: gast.expr) -> bool:
        """Whether a value holds tangents, and is none itself."""
        return isinstance(self.kinds.known(node), (Record, Sequence, Mapping))

    def carries(self, node: Any) -> bool:
        """Whether a value depends on the direction, and not only its shape does."""
        if not reads(node) & self.names:
            return False
        if isinstance(node, gast.Attribute) and node.attr in TOLD and self.is_array(node.value):
            return False
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            if node.func.id == "len" and len(node.args) == 1:
                return False
        if isinstance(node, gast.Name):
            return True
        if isinstance(node, list):
            return any(map(self.carries, node))
        return any(
            self.carries(part)
            for value in vars(node).values()
            for part in (value if isinstance(value, list) else [value])
            if isinstance(part, gast.AST)
        )

    def is_array(self, node: gast.expr) -> bool:
        return isinstance(self.kinds.known(node), (Array, Scalar))

    def is_changed(self, node: gast.expr) -> bool:
        """Whether the memory that an expression may be a view of is changed somewhere."""
        base = root(node)
        return base is None or self.aliases.is_changed(base)

    def constant(self, node: gast.expr | None) -> Any:
        """The integer, or the tuple of integers, that an expression is known to be."""
        if node is None:
            return None
        if isinstance(node, (gast.Tuple, gast.List)):
            return tuple(map(self.constant, node.elts))
        kind = self.kinds.known(node)
        found = getattr(kind, "value", None)
        if isinstance(kind, Static) and found is None:
            return None
        if isinstance(kind, Scalar) and type(found) is int:
            return found
        raise Unruled


def batched_kind(kind: Kind, size: Any) -> Kind:
    """The kind of a tangent along several directions, from that along one.

    >>> batched_kind(Scalar("float"), 4)
    Array(dtype='float64', shape=(4,))
    """
    if isinstance(kind, Scalar):
        plain = {"float": "float64", "complex": "complex128"}.get(kind.type)
        if plain is None:
            raise Unbatched("a tangent that is no float")
        return Array(None if kind.dtype == "?" else kind.dtype or plain, (size,))
    if isinstance(kind, Array):
        return Array(kind.dtype, (size, *kind.shape))
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(batched_kind(k, size) for k in kind.items))
    if isinstance(kind, Sequence):
        return Sequence(batched_kind(kind.item, size), kind.cls)
    if isinstance(kind, Mapping):
        return Mapping(batched_kind(kind.item, size), kind.key, kind.cls)
    if isinstance(kind, Static) and kind.value is None:
        return kind
    raise Unbatched(f"a tangent of unknown kind ({type(kind).__name__})")
