"""The slots of lists that change: places in one array, known by their numbers."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.analysis.kind import Array, Kind, Numeric, Scalar, Sequence, Static
from autodiff.errors import NativeError
from autodiff.native.lists import give_each, is_float_list, places_from
from autodiff.native.values import NativeKinds, values
from autodiff.optimize.change import blocks, changed, map_blocks, map_parts
from autodiff.optimize.tape import is_pop, pairs
from autodiff.reverse.helpers import Helpers
from autodiff.runtime import Slot
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import Names
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import children, statements, walk

_PLACE = Scalar("int")
_PLACES = Sequence(_PLACE)


def slots(
    tree: gast.FunctionDef, known: NativeKinds, names: Names, helpers: Helpers
) -> tuple[gast.FunctionDef, NativeKinds]:
    """A slot is the number of its place; the forward sweep counts them, the reverse sweep adds up.

        y_slot = Slot()                        y_slot = slot_count
        xs_bar.append(y_slot)                  slot_count += 1
                                               xs_bar.append(y_slot)
        # Reverse sweep                        # Reverse sweep
        y_slot.value += 2.0 * y                slots = np.zeros(slot_count)
                                               slots[y_slot] += 2.0 * y

    Numbers of places are ints like others: on the tape, and in lists. For slots of numbers only.
    """
    found = _Slots(tree, known)
    if not found.names and not found.lists:
        return tree, known
    found.check()
    count, memory = names.fresh("slot_count"), names.fresh("slots")

    def visit(node: Any) -> Any:
        new = map_parts(visit, node)
        if found.is_value(node):
            new = quote("v[s]", v=memory, s=new.value)
            new.ctx = node.ctx
            known.given[id(new)] = new, Scalar("float")
        return new

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            if found.makes(node):
                code = quote_statements("t = c; c += 1", t=node.targets[0], c=count)
                result.extend(with_origin(code, origin_of(node)))
                continue
            if found.shadows(node):
                use = helpers.use("places_from", places_from)
                holes = {"t": node.targets[0], "x": node.value.args[0], "c": count, "f": use}
                code = quote_statements("t = f(c, x); c += len(x)", **holes)
                result.extend(with_origin(code, origin_of(node)))
                continue
            if found.gives(node):
                use = helpers.use("give_each", give_each)
                held, given = map(visit, node.value.args)
                code = quote_statements("f(v, t, x)", f=use, v=memory, t=held, x=given)
                result.extend(with_origin(code, origin_of(node)))
                continue
            if _is_reverse(node):
                result.append(node)
                zeros = {"v": memory, "c": count, "np": helpers.use("np", np)}
                result.extend(quote_statements("v = np.zeros(c)", **zeros))
                continue
            result.append(map_blocks(block, node) if blocks(node) else visit(node))
        return result

    start = 1 if _is_text(tree.body[0]) else 0
    opening = quote_statements("c = 0", c=count)
    body = [*tree.body[:start], *opening, *block(tree.body[start:])]
    certain = {n: kind for n, kind in known.names.items() if not isinstance(kind, Numeric)}
    kinds = NativeKinds({**certain, **found.kinds()}, known.scope, known.local, known.recursive)
    kinds.given = known.given
    return changed(tree, body=body), kinds


class _Slots:
    """The names that hold slots, and lists of slots."""

    def __init__(self, tree: gast.FunctionDef, known: NativeKinds) -> None:
        self.tree = tree
        self.known = known
        self.names: set[str] = set()
        self.lists: set[str] = set()
        moves: list[tuple[gast.expr, gast.expr]] = []
        calls: list[gast.Call] = []
        sites = pairs(tree)
        for node in statements(tree):
            if self.makes(node):
                self.names.add(node.targets[0].id)
            elif self.shadows(node):
                self.lists.add(node.targets[0].id)
            elif is_pop(node) and node.site in sites:
                pair = sites[node.site]
                moves += zip(pair.targets, pair.values)
            elif isinstance(node, gast.Assign):
                moves += _parts(node.targets[0], node.value)
            elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
                calls.append(node.value)
        before = -1
        while (self.names or self.lists) and before < len(self.names) + len(self.lists):
            before = len(self.names) + len(self.lists)
            for target, value in moves:
                self.move(target, value)
            for call in calls:
                if _method(call) == "append" and self.is_slot(call.args[0]):
                    self.lists.add(call.func.value.id)

    def move(self, target: gast.expr, value: gast.expr) -> None:
        if isinstance(target, gast.Subscript):
            if isinstance(target.value, gast.Name) and self.is_slot(value):
                self.lists.add(target.value.id)
        elif isinstance(target, gast.Name):
            if self.is_slot(value):
                self.names.add(target.id)
            if isinstance(value, gast.List) and value.elts and all(map(self.is_slot, value.elts)):
                self.lists.add(target.id)
            if self.called(value) in (runtime.snapshot, list):
                value = value.args[0]
            if isinstance(value, gast.BinOp):  # a list several times
                value = value.left if isinstance(value.left, gast.Name) else value.right
            if isinstance(value, gast.Name) and {value.id, target.id} & self.lists:
                self.lists |= {value.id, target.id}

    def is_slot(self, node: gast.expr) -> bool:
        if isinstance(node, gast.Subscript) and not isinstance(node.slice, gast.Slice):
            return isinstance(node.value, gast.Name) and node.value.id in self.lists
        if isinstance(node, gast.Call):
            return _method(node) == "pop" and node.func.value.id in self.lists
        return isinstance(node, gast.Name) and node.id in self.names

    def makes(self, node: gast.stmt) -> bool:
        """Whether a statement is `x = Slot()`."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return False
        return self.is_new(node.value) and not node.value.args

    def shadows(self, node: gast.stmt) -> bool:
        """Whether a statement is `x_bar = shadow(x)` of a list of numbers."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return False
        if self.called(node.value) is not runtime.shadow or len(node.value.args) != 1:
            return False
        return is_float_list(self.known.of(node.value.args[0]))

    def gives(self, node: gast.stmt) -> bool:
        """Whether a statement is `give(x_bar, e)`, for a list of slots."""
        if not isinstance(node, gast.Expr) or self.called(node.value) is not runtime.give:
            return False
        held = node.value.args[0]
        return isinstance(held, gast.Name) and held.id in self.lists

    def called(self, node: gast.AST) -> object:
        kind = self.known.of(node.func) if isinstance(node, gast.Call) else None
        return kind.value if isinstance(kind, Static) else None

    def is_new(self, node: gast.AST) -> bool:
        return self.called(node) is Slot

    def is_value(self, node: gast.AST) -> bool:
        """Whether an expression is `s.value` of a slot."""
        if not isinstance(node, gast.Attribute) or node.attr != "value":
            return False
        return self.is_slot(node.value)

    def kinds(self) -> dict[str, Kind]:
        return {**dict.fromkeys(self.names, _PLACE), **dict.fromkeys(self.lists, _PLACES)}

    def check(self) -> None:
        """Refuse slots of what are no numbers, and where the two sweeps are not apart."""
        reverse = False
        for part in walk(self.tree.body):
            if self.is_value(part):
                self.known.given[id(part)] = part, Scalar("float")
        self.known = values(self.tree, self.known)
        for outer in self.tree.body:
            reverse = reverse or _is_reverse(outer)
            for node in statements(outer):
                parts = walk([p for p in children(node) if isinstance(p, gast.expr)])
                reads = any(map(self.is_value, parts)) or self.gives(node)
                new = any(map(self.is_new, parts))
                added = isinstance(node, (gast.Assign, gast.AugAssign)) and self.is_value(
                    node.target if isinstance(node, gast.AugAssign) else node.targets[0]
                )
                number = not added or not isinstance(self.known.of(node.value), Array)
                late = new and (reverse or not self.makes(node)) or self.shadows(node) and reverse
                if late or reads and not reverse or not number:
                    raise NativeError(
                        "a list that changes, of what are no numbers, cannot be compiled natively",
                        origin_of(node),
                        why="the adjoints of its items lie in one array, a number for each",
                        cure='keep the numbers in an array, or leave backend="numba" out',
                    )


def _parts(target: gast.expr, value: gast.expr) -> list[tuple[gast.expr, gast.expr]]:
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
        return [move for pair in zip(target.elts, value.elts) for move in _parts(*pair)]
    return [(target, value)]


def _method(call: gast.Call) -> str:
    """The method that is called of a name."""
    function = call.func
    is_one = isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name)
    return str(function.attr) if is_one else ""


def _is_reverse(node: gast.stmt) -> bool:
    return is_comment(node) and bool(node.value.value == "Reverse sweep")


def _is_text(node: gast.stmt) -> bool:
    return (
        isinstance(node, gast.Expr)
        and isinstance(node.value, gast.Constant)
        and isinstance(node.value.value, str)
        and not is_comment(node)
    )
