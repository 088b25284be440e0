"""Which arguments, lists and dicts are changed part by part: from here on they are their parts."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.activity import varied
from autodiff.analysis.kind import Array, Kind, Record, Scalar, Span, Static, Text
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, constant_key, is_plain_class
from autodiff.analysis.purity import CHANGING
from autodiff.normalize.build import assign
from autodiff.normalize.inline import Inliner
from autodiff.normalize.making import make
from autodiff.normalize.sites import Made, Make, marker
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name, parameters, reads, rename, writes
from autodiff.syntax.walk import shallow, walk

_SHARING = (gast.Name, gast.Subscript, gast.Attribute, gast.Tuple, gast.List, gast.Dict, gast.IfExp)
_PARTS = (gast.Subscript, gast.Attribute)
_SETTING = frozenset({"update", "setdefault"})


def opened(unit: Unit, known: Kinds, inliner: Inliner) -> bool:
    """Open what is changed part by part and may carry a derivative; whether there was anything."""
    changes = Changes(unit, known)
    if not changes.groups:
        return False
    found = False
    for parameter in parameters(unit.tree.args):
        kind = known.names.get(parameter)
        if any(made.given == parameter for made in unit.scope.objects.values()):
            continue  # it is open, only objects that it holds are changed
        if isinstance(kind, Record) and changes.opens(parameter, kind):
            open_parameter(unit, parameter, kind, inliner)
            found = True
    body = displays(unit.tree.body, known, changes, inliner, unit)
    if body is not unit.tree.body:
        unit.tree = with_body(unit.tree, body)
        found = True
    return found


class Changes:
    """Which names may refer to a container that is changed, and in which ways."""

    def __init__(self, unit: Unit, known: Kinds) -> None:
        self.known = known
        self.parent: dict[str, str] = {}
        self.groups: set[str] = set()
        self.blocked: set[tuple[str, type]] = set()
        self.holders: dict[str, list[str]] = {}
        depends = varied(unit.tree, known, unit.inputs)
        nodes = walk(unit.tree)
        for node in nodes:
            if isinstance(node, gast.Assign) and isinstance(node.value, _SHARING):
                names = [n for n in sorted(writes(node) | reads(node.value)) if self.held(n)]
                for other in names[1:]:
                    self.parent[self.find(other)] = self.find(names[0])
        changed: list[str] = []
        concerned: set[str] = set()
        for node in nodes:
            if isinstance(node, gast.Assign) and isinstance(node.value, _PARTS):
                holders = [n for n in reads(node.value) if self.held(n)]
                for part in writes(node.targets[0]):
                    self.holders.setdefault(part, []).extend(holders)
                    if part in depends:
                        concerned |= {self.find(n) for n in holders}
        for node in nodes:
            changed.extend(self.change(node))
            if isinstance(node, gast.Call):
                names = sorted(reads(node))
                if depends & set(names):
                    concerned |= {self.find(n) for n in names if self.held(n)}
        concerned |= {self.find(n) for n in depends if self.held(n)}
        self.groups = {self.find(n) for n in changed} & concerned

    def held(self, identifier: str) -> bool:
        """Whether a name may refer to a container."""
        if identifier not in self.known.local:
            return False
        kind = self.known.names.get(identifier)
        return not isinstance(kind, (Scalar, Array, Span, Static, Text))

    def find(self, identifier: str) -> str:
        while self.parent.setdefault(identifier, identifier) != identifier:
            identifier = self.parent[identifier]
        return identifier

    def change(self, node: Any) -> list[str]:
        """The name of the container that a node changes."""
        if isinstance(node, (gast.Attribute, gast.Subscript)):
            if not isinstance(node.ctx, (gast.Store, gast.Del)):
                return []
            if not isinstance(node.value, gast.Name):
                return []
            if not self.held(node.value.id):
                return self.holders.get(node.value.id, [])
            base = node.value.id
            fixed = isinstance(node, gast.Attribute) or (
                constant_key(self.known, node.slice) is not None
            )
            if isinstance(node.ctx, gast.Del) or not fixed:
                self.block(base)
            return [base]
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            base_node = node.func.value
            if node.func.attr in CHANGING and isinstance(base_node, gast.Name):
                if self.held(base_node.id):
                    kind = self.known.names.get(base_node.id)
                    if isinstance(kind, (Record, Parts)) and not kind.indexed:
                        return []  # a method of that name
                    if node.func.attr not in _SETTING:
                        self.block(base_node.id)
                    return [base_node.id]
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.args:
            base_node = node.args[0]
            callee = self.known.known(node.func)
            if isinstance(callee, Static) and callee.value is setattr:
                if isinstance(base_node, gast.Name) and self.held(base_node.id):
                    return [base_node.id]
        return []

    def block(self, identifier: str) -> None:
        kind = self.known.names.get(identifier)
        cls = getattr(kind, "cls", None)
        for own in (list, dict) if cls is None else (cls,):
            self.blocked.add((self.find(identifier), own))

    def opens(self, identifier: str, kind: Kind | None) -> bool:
        """Whether a name refers to a container that is changed by constant keys only."""
        group = self.find(identifier)
        if group not in self.groups or not isinstance(kind, Record):
            return False
        if kind.cls in (list, dict):
            return not self.known.scope.whole and (group, kind.cls) not in self.blocked
        return issubclass(kind.cls, tuple) or is_plain_class(kind.cls)


def open_parameter(unit: Unit, parameter: str, kind: Record, inliner: Inliner) -> None:
    """The body speaks of the parts of an argument; the argument itself is only read on entry."""
    owner = unit.names.fresh(f"{parameter}_object")
    body = unit.tree.body
    entry: list[gast.stmt] = []
    if parameter in writes(body):
        renamed = unit.names.fresh(parameter)
        entry.append(assign(renamed, name(owner), None))
        body = renamed_body(body, parameter, renamed, inliner)
    else:
        body = renamed_body(body, parameter, owner, inliner)
    statements = entered(unit, owner, Made(kind.cls, parameter, parameter, kind), inliner)
    unit.tree = with_body(unit.tree, [*statements, *entry, *body])


def entered(unit: Unit, owner: str, made: Made, inliner: Inliner) -> list[gast.stmt]:
    """The statements that read the parts of an object of the caller's on entry."""
    unit.scope.objects[owner] = made
    made.certain = frozenset(made.kind.keys)
    unit.scope.opened.add(str(made.given))
    unit.temporaries.add(owner)
    inliner.local.add(owner)
    out: list[gast.stmt] = [assign(owner, marker(owner), None)]
    for key in made.kind.keys:
        held = made.fields[key] = unit.names.fresh(made.hint(key))
        inliner.local.add(held)
        unit.entries.add(held)
        out.append(assign(held, read(made, key), None))
    return out


def read(made: Made, key: Any) -> gast.expr:
    """A part of the caller's own object."""
    base = name(str(made.given))
    if made.kind.indexed:
        index = gast.Constant(value=key, kind=None)
        return gast.Subscript(value=base, slice=index, ctx=gast.Load())
    return gast.Attribute(value=base, attr=key, ctx=gast.Load())


def renamed_body(
    body: list[gast.stmt], old: str, new: str, inliner: Inliner
) -> list[gast.stmt]:
    out = []
    for statement in body:
        copy = rename(statement, {old: new})
        inliner.carry(statement, copy)
        out.append(copy)
    return out


def displays(
    body: list[gast.stmt], known: Kinds, changes: Changes, inliner: Inliner, unit: Unit
) -> list[gast.stmt]:
    """The block with the lists and dicts that are changed made part by part."""
    out: list[gast.stmt] = []
    changed = False
    for statement in body:
        made: list[gast.stmt] | None = None
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            made = display(statement, known, changes, inliner, unit)
        elif isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
            new = inside(statement, known, changes, inliner, unit)
            made = None if new is statement else [new]
        changed = changed or made is not None
        out.extend([statement] if made is None else made)
    return out if changed else body


def inside(
    statement: Any, known: Kinds, changes: Changes, inliner: Inliner, unit: Unit
) -> Any:
    new = shallow(statement)
    changed = False
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if block:
            made = displays(block, known, changes, inliner, unit)
            changed = changed or made is not block
            setattr(new, field, made)
    if isinstance(statement, gast.Try):
        new.handlers = [inside(h, known, changes, inliner, unit) for h in statement.handlers]
        changed = changed or any(a is not b for a, b in zip(new.handlers, statement.handlers))
    return new if changed else statement


def display(
    statement: gast.Assign, known: Kinds, changes: Changes, inliner: Inliner, unit: Unit
) -> list[gast.stmt] | None:
    """`d = {"a": x}`, `pair = [x, y]`, or the entry of an object that an object holds."""
    target = statement.targets[0].id
    value = statement.value
    kind = known.of(value)
    if is_entry(unit, statement) and isinstance(kind, Record) and changes.opens(target, kind):
        unit.entries.discard(target)
        given = unit.names.fresh(f"{target}_given")
        unit.entries.add(given)
        unit.givens.add(given)
        inliner.local.add(given)
        owner = unit.names.fresh(f"{target}_object")
        first = assign(given, value, None)
        statements = entered(unit, owner, Made(kind.cls, target, given, kind), inliner)
        return [first, *statements, assign(target, name(owner), None)]
    if isinstance(value, gast.Dict):
        keys = [None if key is None else constant_key(known, key) for key in value.keys]
        tuples = any(isinstance(key, tuple) for key in keys)
        if None in keys or not tuples and not changes.opens(target, kind):
            return None
        parts = tuple(dict(zip(keys, value.values)).items())
        return make(inliner, statement, Make(Made(dict), parts))
    if isinstance(value, gast.List) and changes.opens(target, kind):
        if any(isinstance(item, gast.Starred) for item in value.elts):
            return None
        return make(inliner, statement, Make(Made(list), tuple(enumerate(value.elts))))
    return None


def is_entry(unit: Unit, statement: gast.Assign) -> bool:
    """Whether a statement reads, on entry, a part of an object of the caller's."""
    value = statement.value
    if not isinstance(value, (gast.Attribute, gast.Subscript)):
        return False
    if not isinstance(value.value, gast.Name) or statement.targets[0].id not in unit.entries:
        return False
    sources = {*unit.givens, *parameters(unit.tree.args)}
    return value.value.id in sources and statement.targets[0].id not in unit.givens


def with_body(tree: gast.FunctionDef, body: list[gast.stmt]) -> gast.FunctionDef:
    """The function with another body."""
    new = shallow(tree)
    new.body = body
    return new
