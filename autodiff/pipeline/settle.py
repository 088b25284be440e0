"""The last normal form, for which the kinds must be known."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import cache, partial

import gast

from autodiff import runtime
from autodiff.analysis.activity import activity, varied
from autodiff.analysis.alias import alias
from autodiff.analysis.conflicts import conflicts, outside
from autodiff.analysis.contents import holds
from autodiff.analysis.indexing import is_basic
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_inexact,
    is_table,
)
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.liveness import liveness
from autodiff.analysis.objects import Parts, may_hold_object
from autodiff.analysis.references import borrowed
from autodiff.analysis.sharing import caller, sharing
from autodiff.analysis.writing import written
from autodiff.normalize.anf import anf
from autodiff.normalize.items import items
from autodiff.normalize.rebind import rebind, separate, unwrap
from autodiff.normalize.stores import Meaning, stores
from autodiff.normalize.suppress import suppress
from autodiff.normalize.versions import versions
from autodiff.normalize.windows import windows
from autodiff.pipeline.cut import cut
from autodiff.pipeline.excepted import excepted
from autodiff.pipeline.growth import growth
from autodiff.pipeline.leaving import leaving
from autodiff.pipeline.unit import Unit
from autodiff.pipeline.united import united
from autodiff.rules import registry
from autodiff.runtime import sequence
from autodiff.syntax.names import name, parameters, reads
from autodiff.syntax.windows import root


def settle(unit: Unit, known: Kinds) -> Kinds:
    """The last normal form: augmented assignments by kind, one version and one meaning per name."""
    if excepted(unit, known):
        known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
    if growth(unit, known):
        known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
    unit.tree = united(unit, known)
    known = cut(unit, parted(unit, known))
    tree = unit.tree
    memory = cache(lambda: (sharing(tree, known), liveness(tree)))

    def rebinds(statement: gast.AugAssign) -> bool:
        identifier = statement.target.id
        kind = known.names.get(identifier, UNKNOWN)
        if isinstance(kind, (Scalar, Text, Static)):
            return True
        if isinstance(kind, (Record, Sequence)) and issubclass(kind.cls, tuple):
            return True
        if isinstance(kind, (Record, Sequence)) or not keeps_type(statement, known):
            return False
        if isinstance(statement.op, (gast.Add, gast.Sub)) and not keeps_shape(statement, known):
            return False
        shares, live = memory()
        partners = shares.partners(statement, identifier)
        if partners & (live[id(statement)] | outside(known)):
            return False
        unit.updated |= {p for p in parameters(tree.args) if caller(p) in partners}
        return True

    checked = cache(lambda: leaving(tree, known))

    def indexable(value: gast.expr) -> gast.expr | None:
        operation = known.operation(value) if isinstance(value, gast.Call) else None
        if operation is None or operation.function is not runtime.sequence:
            return None
        kind = known.known(operation.arguments[0])
        is_list = isinstance(kind, (Record, Sequence)) and issubclass(kind.cls, (list, tuple))
        if is_list or isinstance(kind, (Array, Numeric)):  # a number is an error either way
            return operation.arguments[0]
        return checked()(value)

    unit.tree = suppress(unit.tree, lambda f: known.known(f) == Static(contextlib.suppress))
    normal = unit.tree is unit.stages[0][1]  # nothing was inlined
    unit.tree, _ = rebind(unwrap(unit.tree, indexable), rebinds)
    before = set(unit.names.taken)
    aliases = cache(lambda: alias(tree, known))
    unit.tree = stores(unit.tree, unit.names, meaning(known, lambda n: aliases().is_changed(n)))
    versioned: Mapping[str, str] = {}
    if not normal:
        unit.tree, _ = anf(unit.tree, unit.names, unit.meant())
    if not (normal and unit.tree is tree):
        unit.tree, versioned = versions(unit.tree, unit.names)
    seen, unit.tree, intermediate = unit.tree, *separate(unit.tree, unit.names)
    if seen is tree and with_numbers(known, intermediate):
        tree = unit.tree
    known = opened(unit, known, tree)
    made = unit.names.taken - before
    unit.temporaries |= {n for n in made if versioned.get(n, n) not in before - unit.temporaries}
    unit.keep("settle")
    return known


def parted(unit: Unit, known: Kinds) -> Kinds:
    """Augmented assignments to items of containers in their parts; the kinds then."""

    @cache
    def depends() -> frozenset[str]:
        aliases = alias(unit.tree, known)  # `row = rows[i]` varies with another name of that row
        return activity(unit.tree, known, aliases, unit.inputs, None).varied

    def meaning(target: gast.expr) -> str | None:
        kind = known.known(target.value if isinstance(target, gast.Subscript) else target)
        if not holds(kind) or root(target) not in depends():
            return None
        if isinstance(target, gast.Subscript):
            return "item"
        cls = getattr(kind, "cls", None)
        return None if cls is None or isinstance(kind, Parts) else str(cls.__name__)

    def merges(left: gast.expr, right: gast.expr) -> bool:
        both = is_table(known.known(left)) and is_table(known.known(right))
        return both and bool((reads(left) | reads(right)) & depends())

    new = items(unit.tree, unit.names, meaning, merges)
    if new is unit.tree:
        return known
    unit.tree = new
    return kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)


def with_numbers(known: Kinds, made: Mapping[str, gast.expr | None]) -> bool:
    """Tell the kinds of intermediates that `separate` made; False where all must be found again.

    A number that is assigned once, on its way to a name, changes no other kind.
    """
    if any(map(may_hold_object, known.names.values())):
        return False
    found: dict[str, Kind] = {}
    for identifier, value in made.items():
        kind = None if value is None else known.of(value)
        if not isinstance(kind, Scalar):
            return False
        found[identifier] = kind
    known.hopeful = False
    known.local |= frozenset(found)
    known.names.update(found)
    return True


def keeps_type(statement: gast.AugAssign, known: Kinds) -> bool:
    """Whether `x + e` has the type of `x`: in place, it would be brought back to that."""
    own = known.names.get(statement.target.id, UNKNOWN)
    target = name(statement.target.id)
    total = known.of(gast.BinOp(left=target, op=statement.op, right=statement.value))
    if not isinstance(own, Array):
        return True
    if own.dtype not in (None, "float64", "complex128", "int64", "bool"):
        value = known.of(statement.value)
        exact = isinstance(statement.value, gast.Constant)
        return exact or isinstance(value, Array) and value.dtype == own.dtype
    if not isinstance(total, Array):
        return bool(own.shape)  # without dimensions `x + e` is a number
    return None in (own.dtype, total.dtype) or own.dtype == total.dtype


def keeps_shape(statement: gast.AugAssign, known: Kinds) -> bool:
    """Whether the kinds tell that `x + e` has the shape of `x`, which it has in place anyway.

    Where they do not, sizes would be forgotten, and each sum kept for its shape.
    """
    own = known.names.get(statement.target.id, UNKNOWN)
    target = name(statement.target.id)
    total = known.of(gast.BinOp(left=target, op=statement.op, right=statement.value))
    if not isinstance(own, Array) or not isinstance(total, Array) or not own.shape:
        return True
    return own.shape == total.shape and None not in own.shape


def meaning(known: Kinds, changing: Callable[[str], bool]) -> Meaning:
    """What the kinds say of stores."""

    def is_array(node: gast.expr) -> bool:
        kind = known.of(node)
        return isinstance(kind, Array) and (kind.dtype is None or is_inexact(kind))

    def repeats(index: gast.expr) -> bool:
        basic = is_basic(index, known.of)
        whole = isinstance(index, (gast.Name, gast.Compare, gast.BinOp, gast.UnaryOp))
        kind = known.of(index) if whole else None
        return not basic and not (isinstance(kind, Array) and kind.dtype == "bool")

    def is_pure(call: gast.Call) -> bool:
        operation = known.operation(call)
        if operation is None:
            return False
        harmless = operation.function in (range, reversed, len, slice, sequence)
        return harmless or operation.pure or registry.is_nondifferentiable(operation.function)

    return Meaning(is_pure, is_array, repeats, lambda call: written(call, known), changing)


def opened(unit: Unit, known: Kinds, tree: gast.FunctionDef) -> Kinds:
    """Views that are written to, or whose array is, as windows of their array, where they can be.

    Returns the kinds of the function as it is now.
    """
    own = set(unit.names.taken)
    while True:
        if unit.tree is not tree:
            known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
            tree = unit.tree
        found = conflicts(unit.tree, known)
        if not found:
            return known
        depends = varied(unit.tree, known, unit.inputs)
        names = [n for c in found for n in (c.changed, c.other) if {c.changed, c.other} & depends]
        tests = partial(is_view, known), known_number(known)
        candidates = [n for n in dict.fromkeys(names) if n in own]  # a window is no candidate again
        unit.tree = windows(unit.tree, candidates, unit.names, *tests)
        if unit.tree is tree:
            return known


def known_number(known: Kinds) -> Callable[[gast.expr], bool]:
    """Whether a part of an index is a whole number."""

    def is_number(node: gast.expr) -> bool:
        kind = None if isinstance(node, gast.Slice) else known.of(node)
        return isinstance(kind, Scalar) and kind.type == "int"

    return is_number


def is_view(known: Kinds, window: gast.expr) -> bool:
    """Whether an expression certainly is a view of the array at its root, or that array itself."""
    own = root(window)
    if own is None or borrowed(window, known) != {own}:
        return False
    while not isinstance(window, gast.Name):
        if not isinstance(known.of(window), Array):
            return False
        if isinstance(window, gast.Subscript):
            if is_basic(window.slice, known.of) is not True:
                return False
        elif isinstance(window, gast.Attribute):
            if window.attr not in ("T", "mT"):
                return False
        elif window.func.attr not in ("transpose", "swapaxes", "squeeze"):
            return False
        window = window.func.value if isinstance(window, gast.Call) else window.value
    return isinstance(known.of(window), Array)
