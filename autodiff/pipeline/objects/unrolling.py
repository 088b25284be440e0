"""Loops over fixed keys, by which parts are stored or attributes named, are written out.

    for key in ("x", "y"):          p.x = a * p.x
        p[key] = a * p[key]         p.y = a * p.y

So are loops over arrays that are listed right there and changed in place:

    for z in (u, v):                u[0] = 0.0
        z[0] = 0.0                  v[0] = 0.0
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto
from typing import Any

import gast

from autodiff.analysis.conflicts import changed
from autodiff.analysis.exposure import upward_exposed
from autodiff.analysis.kind import Array, Record, Scalar, Static
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, constant_key
from autodiff.normalize.build import assign, constant
from autodiff.normalize.inline import Inliner
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import captured, name, rename, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, shallow, statements, walk

_LONGEST = 24
_NAMING = (getattr, setattr, hasattr)


def unrolled(unit: Unit, known: Kinds, inliner: Inliner) -> bool:
    """Write out the loops over fixed keys; whether there was one."""
    unroller = _Unroller(unit, known, inliner)
    body = unroller.block(unit.tree.body)
    if body is unit.tree.body:
        return False
    unit.tree = with_body(unit.tree, body)
    return True


class _Unroller:
    def __init__(self, unit: Unit, known: Kinds, inliner: Inliner) -> None:
        self.unit = unit
        self.known = known
        self.inliner = inliner
        self.loads = _loads(unit.tree.body)
        growth = _growth(unit.tree, known)
        self.grows = growth is _Growth.ANY
        self.certain = _kinds_of_certain_keys(unit) if growth is _Growth.LISTED else known
        self.captured = captured(unit.tree.body)

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        altered = False
        for place, statement in enumerate(body):
            made: list[gast.stmt] | None = None
            if isinstance(statement, gast.For):
                listed = self.listed(statement, body[:place])
                made = self.loop(statement, listed)
                if made is not None:
                    out = [s for s in out if writes(s).isdisjoint(listed)]
            if made is None and isinstance(
                statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)
            ):
                new = self.inside(statement)
                made = None if new is statement else [new]
            altered = altered or made is not None
            out.extend([statement] if made is None else made)
        return out if altered else body

    def inside(self, statement: Any) -> Any:
        new = shallow(statement)
        altered = False
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if inner:
                made = self.block(inner)
                altered = altered or made is not inner
                setattr(new, field, made)
        return new if altered else statement

    def loop(self, loop: gast.For, listed: dict[str, list[str]]) -> list[gast.stmt] | None:
        """The iterations of a loop one after the other, None if it is to stay a loop.

        listed: the names of the arrays that a name lists, where the loop changes them.
        """
        keys = self.keys(loop)
        needed = listed or keys and self.is_needed(loop, keys)
        if not needed or _breaks(loop.body) or not isinstance(loop.iter, gast.Call):
            return None
        count = self.count(loop.iter.args[0])
        if count is None or count > _LONGEST:
            return None
        counter = loop.target.id
        own = writes(loop.body)
        if counter in own or counter in self.captured or own & self.captured:
            return None
        inside = _loads(loop.body)
        exposed = upward_exposed(loop)
        held = {n for made in self.unit.scope.objects.values() for n in made.fields.values()}
        private = sorted(
            n for n in own - held if n not in exposed and self.loads[n] == inside[n]
        )  # what holds a part may also be read as `d[key]`, until all keys are known
        out: list[gast.stmt] = []
        for number in range(count):
            mapping = {n: self.fresh(n) for n in private} if number else {}
            for statement in loop.body:
                copy = substitute(statement, {counter: constant(number)})
                copy = _taken(copy, listed)
                copy = rename(copy, mapping)
                self.inliner.carry(statement, copy)
                out.append(copy)
        if self.loads[counter] > inside[counter] and count:
            out.append(assign(counter, constant(count - 1), origin_of(loop)))
        return out or [_skip(loop)]

    def count(self, node: gast.expr) -> int | None:
        """How many iterations a loop makes, where that is known; `zip` takes the least of two."""
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            callee = self.known.of(node.func)
            if isinstance(callee, Static) and callee.value is min and len(node.args) > 1:
                counts = [self.count(part) for part in node.args]
                known = [count for count in counts if count is not None]
                return min(known) if len(known) == len(counts) else None
        kind = self.known.of(node)
        value = kind.value if isinstance(kind, Scalar) else None
        return value if type(value) is int else None

    def listed(self, loop: gast.For, before: list[gast.stmt]) -> dict[str, list[str]]:
        """The displays `items = (u, v)` whose arrays the loop changes in place as `items[k]`."""
        own = writes(loop.body)
        aliases = {}
        taken: Counter[str | None] = Counter()
        for node in walk(loop.body):
            taken[_item_of(node, loop.target.id)] += 1
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                base = _item_of(node.value, loop.target.id)
                if base is not None:
                    aliases[node.targets[0].id] = base
        if not aliases:
            return {}
        changing = {n for s in statements(loop.body) for n in changed(s, self.known)}
        wanted = {base for name, base in aliases.items() if name in changing} - own
        found = {}
        for statement in reversed(before):
            bound = writes(statement)
            own |= bound
            for base in bound & wanted:
                named = isinstance(statement, gast.Assign) and isinstance(
                    statement.targets[0], gast.Name
                )
                items = statement.value if named else None
                if isinstance(items, (gast.Tuple, gast.List)) and self.are_arrays(items.elts, own):
                    if self.loads[base] == _loads([loop.iter])[base] + taken[base]:
                        found[base] = [item.id for item in items.elts]
            wanted = wanted - bound
        return found

    def are_arrays(self, items: list[gast.expr], rebound: set[str]) -> bool:
        return all(
            isinstance(item, gast.Name)
            and item.id not in rebound
            and isinstance(self.known.names.get(item.id), Array)
            for item in items
        )

    def fresh(self, identifier: str) -> str:
        new = self.unit.names.fresh(identifier)
        self.inliner.local.add(new)
        if identifier in self.unit.temporaries:
            self.unit.temporaries.add(new)
        return new

    def keys(self, loop: gast.For) -> set[str]:
        """Names that hold one of the keys in the loop; the list of keys for `keys[i]` itself."""
        ranges = isinstance(loop.iter, gast.Call) and loop.iter.func.id == "range"
        if not ranges or len(loop.iter.args) != 1:
            return set()
        found: set[str] = set()
        for node in walk(loop.body):
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                if self.is_key(node.value, loop):
                    found.add(node.targets[0].id)
            elif isinstance(node, gast.Subscript) and self.is_key(node, loop):
                found.add(node.value.id)
        return found

    def is_key(self, node: Any, loop: gast.For) -> bool:
        """Whether an expression is an item of a list of strings and numbers, by the counter."""
        if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
            return False
        if not isinstance(node.slice, gast.Name) or node.slice.id != loop.target.id:
            return False
        kind = self.known.names.get(node.value.id)
        if isinstance(kind, Parts):
            return holds_objects(self.known, kind)
        certain = self.certain.names.get(node.value.id)
        return not self.grows and _has_keys(kind) and _has_keys(certain)

    def is_needed(self, loop: gast.For, keys: set[str]) -> bool:
        """Whether the loop stores by the keys, or names attributes or variables by them."""
        for node in walk(loop.body):
            if isinstance(node, gast.Subscript) and self.is_key(node, loop):
                base = self.known.of(node.value)
                if isinstance(base, Parts):
                    return True
            if isinstance(node, gast.Subscript) and self.names_key(node.slice, keys):
                base = self.known.of(node.value) if isinstance(node.value, gast.Name) else None
                if isinstance(node.ctx, gast.Store) or isinstance(base, Parts):
                    return True
            elif isinstance(node, gast.Call) and len(node.args) > 1:
                callee = self.known.of(node.func)
                if isinstance(callee, Static) and callee.value in _NAMING:
                    if self.names_key(node.args[1], keys):
                        return True
        return False

    def names_key(self, node: Any, keys: set[str]) -> bool:
        if isinstance(node, gast.Subscript):
            node = node.value
        return isinstance(node, gast.Name) and node.id in keys


def _item_of(node: Any, counter: str) -> str | None:
    """`items` for `items[k]`, the item that the counter of a loop says."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
        return None
    by_counter = isinstance(node.slice, gast.Name) and node.slice.id == counter
    return node.value.id if by_counter else None


def _taken(node: Any, listed: dict[str, list[str]]) -> Any:
    """The tree with `u` for `items[0]`."""
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        names = listed.get(node.value.id)
        if names is not None and isinstance(node.slice, gast.Constant):
            return name(names[node.slice.value])
    return map_children(lambda child: _taken(child, listed), node) if listed else node


def holds_objects(known: Kinds, kind: Parts) -> bool:
    """Whether a list or tuple refers to objects that are held by their parts."""
    held = known.scope.objects[kind.owner].fields.values()
    return issubclass(kind.cls, (list, tuple)) and any(
        isinstance(known.names.get(variable), Parts) for variable in held
    )


def _keys_of(kind: Any) -> set[Any]:
    """The strings and numbers of a list of which `_has_keys` is true."""
    return {getattr(item, "value", None) for item in kind.items}


def _loads(body: list[gast.stmt]) -> Counter[str]:
    found: Counter[str] = Counter()
    for node in walk(body):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            found[node.id] += 1
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            found[node.target.id] += 1
    return found


def _breaks(body: list[gast.stmt]) -> bool:
    """Whether a block leaves the loop around it."""
    for statement in body:
        if isinstance(statement, (gast.Break, gast.Continue)):
            return True
        if isinstance(statement, (gast.For, gast.While)):
            continue
        for field in ("body", "orelse", "finalbody"):
            if _breaks(getattr(statement, field, None) or []):
                return True
        if any(_breaks(handler.body) for handler in getattr(statement, "handlers", [])):
            return True
    return False


def _skip(loop: gast.For) -> gast.stmt:
    new = gast.Pass()
    new.origin = origin_of(loop)
    return new


def _has_keys(kind: Any) -> bool:
    """Whether a value is a list of a known number of strings."""
    return isinstance(kind, Record) and kind.cls in (list, tuple) and any(
        isinstance(item, Static) and isinstance(item.value, str) for item in kind.items
    )


class _Growth(Enum):
    """How dicts may get or lose keys."""

    NONE = auto()
    LISTED = auto()  # by stores in loops over fixed keys, which are to be written out
    ANY = auto()


def _kinds_of_certain_keys(unit: Unit) -> Kinds:
    """Kinds that say nothing of the keys of a dict that grows, nor of what they lead to."""
    return kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)


def _growth(tree: gast.FunctionDef, known: Kinds) -> _Growth:
    """Whether a dict may get or lose keys: if it is held by its parts, by a store that is left."""
    nodes = walk(tree)
    listed = {
        node.targets[0].id: _keys_of(known.of(node.value.value))
        for node in nodes
        if isinstance(node, gast.Assign)
        and isinstance(node.targets[0], gast.Name)
        and isinstance(node.value, gast.Subscript)
        and _has_keys(known.of(node.value.value))
    }
    found = _Growth.NONE
    for node in nodes:
        is_store = isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)
        is_method = isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)
        if not is_store and not (is_method and node.func.attr in _RESIZING):
            continue
        kind = known.of(node.value if is_store else node.func.value)
        if not isinstance(kind, (Parts, Record)) or kind.cls is not dict:
            continue
        keys: Any = (
            known.scope.objects[kind.owner].fields if isinstance(kind, Parts) else kind.keys
        )
        if is_method or isinstance(node.ctx, gast.Del):
            return _Growth.ANY
        key = constant_key(known, node.slice)
        among = listed.get(getattr(node.slice, "id", None))
        if key is None and among is None or key is not None and key not in keys:
            return _Growth.ANY
        if key is None and among is not None and not among.issubset(keys):
            found = _Growth.LISTED
    return found


_RESIZING = frozenset({"pop", "popitem", "clear", "update", "setdefault"})
