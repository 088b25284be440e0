"""Where containers may be: which names, and which parts of what they hold, may be the same one.

Every name, and every part of what it holds, has a place. Places that may hold the same container
are one: an assignment makes the places of both sides one, and so the places of their parts (the
analysis of Steensgaard, Points-to analysis in almost linear time, POPL 1996). A copy has the place
of the original. What is held is kept apart from its holder: that a row is taken from a tape does
not say that the row changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autodiff.syntax.walk import of_class
from autodiff.syntax.windows import root

_ANY = object()
"""The key of all parts, where one of them was reached by a key that is not constant."""


class Whereabouts:
    """The places of a function in normal form.

    arrays: names that hold arrays of numbers, into which nothing but numbers is put.
    """

    def __init__(self, tree: gast.FunctionDef, arrays: frozenset[str] = frozenset()) -> None:
        self.arrays = arrays
        self.names: dict[str, int] = {}
        self.parent: list[int] = []
        self.parts: dict[int, dict[Any, int]] = {}
        for node in of_class(tree, gast.Assign, gast.For, gast.Call):
            if isinstance(node, gast.Assign):
                self._assigned(node)
            elif isinstance(node, gast.For):
                self._bound(node.target, self._part(self._of(node.iter), _ANY))
            elif isinstance(node.func, gast.Attribute):
                self._called(node)

    def holding(self, changed: Iterable[gast.expr]) -> set[str]:
        """The names that may hold one of the containers that the expressions mean, at any depth."""
        found = self._around(changed)
        return {name for name, place in self.names.items() if self._find(place) in found}

    def holding_inside(self, changed: Iterable[gast.expr]) -> set[str]:
        """The names of which a part may hold one of them."""
        found = self._around(changed)
        inside = {
            place
            for place in map(self._find, range(len(self.parent)))
            if any(self._find(part) in found for part in self.parts.get(place, {}).values())
        }
        return {name for name, place in self.names.items() if self._find(place) in inside}

    def _around(self, changed: Iterable[gast.expr]) -> set[int]:
        """The places of the containers that expressions mean, and of those that hold them."""
        found = {self._find(place) for place in map(self._of, changed) if place is not None}
        held: dict[int, set[int]] = {}
        for place in range(len(self.parent)):
            for part in self.parts.get(self._find(place), {}).values():
                held.setdefault(self._find(part), set()).add(self._find(place))
        waiting = list(found)
        while waiting:
            new = held.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    # Places

    def _new(self) -> int:
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def _find(self, place: int) -> int:
        parent = self.parent
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    def _name(self, name: str) -> int:
        if name not in self.names:
            self.names[name] = self._new()
        return self.names[name]

    def _part(self, whole: int | None, key: Any) -> int | None:
        """The place of a part; all parts are one once a key is not known."""
        if whole is None:
            return None
        parts = self.parts.setdefault(self._find(whole), {})
        if key is _ANY and _ANY not in parts:
            kept = list(parts.values())
            parts.clear()
            parts[_ANY] = self._new()
            for part in kept:
                self._unite(parts[_ANY], part)
            return self._part(whole, key)  # what was united may have been the whole itself
        key = _ANY if _ANY in parts else key
        if key not in parts:
            parts[key] = self._new()
        return parts[key]

    def _unite(self, first: int | None, second: int | None) -> None:
        waiting = [(first, second)]
        while waiting:
            first, second = waiting.pop()
            if first is None or second is None:
                continue
            first, second = self._find(first), self._find(second)
            if first == second:
                continue
            self.parent[second] = first
            lost = self.parts.pop(second, {})
            own = self.parts.setdefault(first, {})
            if _ANY in own or _ANY in lost:
                every = [*own.values(), *lost.values()]
                self.parts[first] = {_ANY: every[0]}
                waiting += [(every[0], part) for part in every[1:]]
                continue
            for key, part in lost.items():
                if key in own:
                    waiting.append((own[key], part))
                else:
                    own[key] = part

    # Expressions

    def _of(self, value: gast.expr) -> int | None:
        """The place of what an expression means; None for what is no part of any container."""
        handler = _VALUES.get(type(value))
        return None if handler is None else handler(self, value)

    def _of_subscript(self, value: gast.Subscript) -> int | None:
        base = self._of(value.value)
        # A slice of an array is a view of it; that of a list is a copy.
        return base if _is_sliced(value.slice) else self._part(base, _key(value.slice))

    def _of_display(self, value: gast.Tuple | gast.List) -> int:
        made = self._new()
        starred = any(isinstance(item, gast.Starred) for item in value.elts)
        for number, item in enumerate(value.elts):
            if isinstance(item, gast.Starred):
                held = self._part(self._of(item.value), _ANY)
            else:
                held = self._of(item)
            if held is not None:
                self._unite(self._part(made, _ANY if starred else number), held)
        return made

    def _of_table(self, value: gast.Dict) -> int:
        made = self._new()
        for key, item in zip(value.keys, value.values):
            if key is None:  # as it is copied
                self._unite(made, self._of(item))
            else:
                self._unite(self._part(made, _key(key)), self._of(item))
        return made

    def _of_sum(self, value: gast.BinOp) -> int | None:
        """`xs + ys` and `xs * n` hold what the lists hold; of numbers it says nothing."""
        if not isinstance(value.op, (gast.Add, gast.Mult)):
            return None
        sides = value.left, value.right
        if any(root(side) in self.arrays for side in sides):
            return None
        return self._of_either(*sides)

    def _of_either(self, *values: gast.expr) -> int | None:
        places = [place for place in map(self._of, values) if place is not None]
        for place in places[1:]:
            self._unite(places[0], place)
        return places[0] if places else None

    def _of_call(self, value: gast.Call) -> int | None:
        if isinstance(value.func, gast.Attribute):
            return self._of_method(value, value.func.attr, self._of(value.func.value))
        if not isinstance(value.func, gast.Name) or value.func.id not in _COPYING:
            return None
        given = [*value.args, *(keyword.value for keyword in value.keywords)]
        plain = (own.value if isinstance(own, gast.Starred) else own for own in given)
        made = self._of_either(*plain)
        return self._paired(made) if value.func.id not in _ALIKE else made

    def _paired(self, place: int | None) -> int | None:
        """The place of pairs of what a container holds, as `zip` and `items` make them."""
        pair = self._part(place, _ANY)
        self._unite(pair, self._part(pair, _ANY))
        return place

    def _of_method(self, value: gast.Call, method: str, base: int | None) -> int | None:
        if method in ("get", "pop", "setdefault"):
            found = self._part(base, _key(value.args[0]) if value.args else _ANY)
            if len(value.args) > 1:
                self._unite(found, self._of(value.args[1]))
            return found
        if method == "values" or method == "copy" and not value.args:
            return base
        return self._paired(base) if method in ("items", "popitem") else None

    # Statements

    def _bound(self, target: gast.expr, place: int | None) -> None:
        if isinstance(target, gast.Name):
            self._unite(self._name(target.id), place)
        elif isinstance(target, gast.Starred):
            self._unite(self._part(self._of(target.value), _ANY), self._part(place, _ANY))
        elif isinstance(target, (gast.Tuple, gast.List)):
            starred = any(isinstance(part, gast.Starred) for part in target.elts)
            for number, part in enumerate(target.elts):
                if isinstance(part, gast.Starred):
                    self._bound(part, place)
                else:
                    self._bound(part, self._part(place, _ANY if starred else number))
        elif isinstance(target, gast.Subscript) and _is_sliced(target.slice):
            self._unite(self._part(self._of(target.value), _ANY), self._part(place, _ANY))
        else:
            self._unite(self._of(target), place)

    def _assigned(self, statement: gast.Assign) -> None:
        target = statement.targets[0]
        if isinstance(target, (gast.Subscript, gast.Attribute)) and root(target) in self.arrays:
            return  # the numbers are copied
        self._bound(target, self._of(statement.value))

    def _called(self, call: gast.Call) -> None:
        base, method = self._of(call.func.value), call.func.attr
        if method in ("append", "insert", "setdefault"):
            for argument in call.args[-1:]:
                self._unite(self._part(base, _ANY), self._of(argument))
        elif method in ("extend", "update"):
            for argument in call.args:
                self._unite(self._part(base, _ANY), self._part(self._of(argument), _ANY))
            for keyword in call.keywords:
                self._unite(self._part(base, _ANY), self._of(keyword.value))


def _key(node: gast.expr) -> Any:
    """A constant position or key; negative positions are not told from others."""
    value = node.value if isinstance(node, gast.Constant) else None
    is_position = type(value) is int and value >= 0
    return value if is_position or isinstance(value, str) else _ANY


def _is_sliced(index: gast.expr) -> bool:
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return any(isinstance(part, gast.Slice) for part in parts)


_VALUES: dict[type, Any] = {
    gast.Name: lambda own, value: own._name(value.id),
    gast.Subscript: Whereabouts._of_subscript,
    gast.Attribute: lambda own, value: own._part(own._of(value.value), value.attr),
    gast.Tuple: Whereabouts._of_display,
    gast.List: Whereabouts._of_display,
    gast.Dict: Whereabouts._of_table,
    gast.IfExp: lambda own, value: own._of_either(value.body, value.orelse),
    gast.BoolOp: lambda own, value: own._of_either(*value.values),
    gast.BinOp: Whereabouts._of_sum,
    gast.Call: Whereabouts._of_call,
}

_ALIKE = frozenset("list tuple sorted reversed sequence".split())
"""Functions whose result holds what the container holds that they are given: one place for both."""

_COPYING = _ALIKE | {"dict", "zip", "enumerate"}
