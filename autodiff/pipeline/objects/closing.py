"""Objects as a whole, where one is needed: built from their parts if that is provably the same.

    return p                        p = assembled(Particle, x=p_x, v=p_v)
                                    return p

What is built is a copy. It stands for the object only if the object does not change any more, and
the copy is not changed either; else the function is refused.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import UNKNOWN, Bound, Local, Record
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import Parts, Super, contains_parts
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign
from autodiff.normalize.inline import Inliner
from autodiff.normalize.making import new_name
from autodiff.normalize.sites import Made, is_marker
from autodiff.pipeline.objects.copies import Copies, check_borrowed
from autodiff.pipeline.objects.latest import refused
from autodiff.pipeline.objects.naming import tidied
from autodiff.pipeline.objects.opening import read, with_body
from autodiff.pipeline.objects.order import Order
from autodiff.pipeline.unit import Unit
from autodiff.reverse.definitions import certain_before
from autodiff.runtime import assembled, distinct
from autodiff.syntax.names import captured, name, parameters, reads, substitute, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children, shallow, walk

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)
_LOOKING = frozenset({"print", "repr", "str", "format", "len", "id"})


def closed(unit: Unit, known: Kinds, inliner: Inliner) -> None:
    """Leave no object that is held by its parts; refuse where one cannot be built."""
    closing = _Closing(unit, known, inliner)
    unit.tree = with_body(unit.tree, closing.without_unused(unit.tree.body))
    closing.order = Order(unit.tree.body)
    certain_before(unit.tree.body, frozenset(parameters(unit.tree.args)), closing.certain)
    unit.tree = with_body(unit.tree, closing.block(unit.tree.body))
    closing.last = True
    unit.tree = with_body(unit.tree, closing.without_unused(unit.tree.body))
    closing.check_gone()
    closing.check_separate()
    if closing.built:
        Copies(unit, closing.built).check()
    check_borrowed(unit, closing.borrowed)
    tidied(unit, unit.scope.objects, inliner)
    unit.scope.objects.clear()


class _Closing:
    def __init__(self, unit: Unit, known: Kinds, inliner: Inliner) -> None:
        self.unit = unit
        self.known = known
        self.inliner = inliner
        self.objects: dict[str, Made] = unit.scope.objects
        self.certain: dict[int, frozenset[str]] = {}
        self.order = Order([])
        self.last = False
        self.built: dict[str, Any] = {}
        self.borrowed: dict[str, Any] = {}
        """Names of what a class holds for all its instances: nobody may change that."""
        self.variables = {
            variable: owner
            for owner, made in self.objects.items()
            for variable in made.fields.values()
        }

    def holder(self, identifier: str) -> Parts | None:
        kind = self.known.names.get(identifier)
        return kind if isinstance(kind, Parts) and identifier in self.known.local else None

    # What is not needed

    def without_unused(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The block without names of objects and methods that nobody reads any more."""
        while True:
            new = self.pruned(body, self.with_parts(reads(body)))
            if new is body:
                return body
            body = new

    def with_parts(self, loads: set[str]) -> set[str]:
        """The names, and the variables of the parts of those that are objects."""
        waiting = list(loads)
        while waiting:
            kind = self.holder(waiting.pop())
            held = set() if kind is None else set(self.objects[kind.owner].fields.values())
            waiting.extend(held - loads)
            loads = loads | held
        return loads

    def pruned(self, body: list[gast.stmt], loads: set[str]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        changed = False
        for statement in body:
            if isinstance(statement, _COMPOUND):
                new = shallow(statement)
                for field in ("body", "orelse", "finalbody", "handlers"):
                    inner = getattr(statement, field, None)
                    if inner:
                        made = self.pruned(inner, loads)
                        if made is not inner:
                            setattr(new, field, made or [gast.Pass()])
                            for part in getattr(new, field):
                                part.origin = origin_of(part) or origin_of(statement)
                            new_changed = True
                            changed = changed or new_changed
                            statement = new
                out.append(statement)
                continue
            if self.is_unused(statement, loads):
                changed = True
                continue
            out.append(statement)
        return out if changed else body

    def is_unused(self, statement: gast.stmt, loads: set[str]) -> bool:
        if isinstance(statement, gast.FunctionDef):
            return statement.name not in loads and bool(self.held(statement))
        if not isinstance(statement, gast.Assign):
            return False
        target = statement.targets[0]
        if not isinstance(target, gast.Name) or target.id in loads:
            return False
        if is_marker(statement.value):
            return True
        simple = isinstance(statement.value, (gast.Name, gast.Attribute, gast.Subscript))
        if target.id in self.unit.entries and simple:
            return self.last
        kind = self.known.of(statement.value)
        if isinstance(kind, Super) or isinstance(kind, Local) and self.held(statement):
            return True
        return simple and (isinstance(kind, Bound) or contains_parts(kind))

    # Whole objects

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for statement in body:
            out.extend(self.statement(statement))
        return out

    def statement(self, statement: Any) -> list[gast.stmt]:
        before: list[gast.stmt] = []
        if isinstance(statement, _COMPOUND):
            new = shallow(statement)
            for field in ("test", "iter", "type"):
                value = getattr(statement, field, None)
                if value is not None and self.held(value):
                    if isinstance(statement, (gast.While, gast.ExceptHandler)):
                        raise self.refused(statement, self.held(value)[0], "it is tested again")
                    before, changed = self.with_wholes(statement, value)
                    setattr(new, field, changed)
            if isinstance(statement, gast.With) and self.held(statement.items):
                raise self.refused(statement, self.held(statement.items)[0], "it is entered")
            for field in ("body", "orelse", "finalbody", "handlers"):
                if getattr(statement, field, None):
                    setattr(new, field, self.block(getattr(statement, field)))
            return [*before, new]
        if isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name):
            target = statement.targets[0].id
            if is_marker(statement.value):
                return [statement]
            own = self.holder(target)
            if own is not None and self.known.of(statement.value) == own:
                return [statement]
        if not self.held(statement):
            return [statement]
        if isinstance(statement, gast.Delete):
            raise self.refused(statement, self.held(statement)[0], "a part of it is deleted")
        before, changed = self.with_wholes(statement, statement)
        self.inliner.carry(statement, changed)
        return [*before, changed]

    def held(self, node: Any) -> list[str]:
        """The names of objects held by their parts that a piece of code reads."""
        return sorted(n for n in reads(node) if self.holder(n) is not None)

    def with_wholes(self, statement: Any, node: Any) -> tuple[list[gast.stmt], Any]:
        before: list[gast.stmt] = []
        mapping: dict[str, gast.expr] = {}
        for holder in self.held(node):
            kind = self.holder(holder)
            assert kind is not None
            constant = self.class_value(node, holder, kind)
            if constant is not None:
                if constant is not node and isinstance(statement, gast.Assign):
                    for target in writes(statement):
                        self.borrowed[target] = statement
                node = constant
                if holder not in reads(node):
                    continue
            if not self.looks_only(statement):
                self.check_unchanged(statement, holder, kind)
            if holder in captured([statement]):
                raise self.refused(statement, holder, "a nested function refers to it")
            mapping[holder] = name(self.build(kind, holder, statement, before))
        return before, substitute(node, mapping) if mapping else node

    def class_value(self, node: Any, holder: str, kind: Parts) -> Any:
        """The node with attributes that the object has from its class read from the class."""
        if kind.indexed:
            return None
        made = self.objects[kind.owner]
        found_one = False

        def visit(part: Any) -> Any:
            nonlocal found_one
            if isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name):
                if part.value.id == holder and part.attr not in made.fields:
                    found = class_attribute(kind.cls, part.attr)
                    if found is not None and not hasattr(found, "__get__"):
                        found_one = True
                        base = self.inliner.helper(kind.cls.__name__, kind.cls)
                        new = gast.Attribute(value=base, attr=part.attr, ctx=gast.Load())
                        return gast.copy_location(new, part)
            return map_children(visit, part)

        new_node = visit(node)
        return new_node if found_one else None

    def looks_only(self, statement: gast.stmt) -> bool:
        """Whether a statement prints an object, say, and keeps nothing of it."""
        value = getattr(statement, "value", None)
        if isinstance(statement, (gast.Assert, gast.Raise)):
            return True
        if isinstance(value, gast.JoinedStr):
            return True
        return (
            isinstance(value, gast.Call)
            and isinstance(value.func, gast.Name)
            and value.func.id in _LOOKING
        )

    def build(
        self, kind: Parts, holder: str, statement: Any, before: list[gast.stmt]
    ) -> str:
        """A name for the whole object, built before the statement."""
        made = self.objects[kind.owner]
        origin = origin_of(statement)
        values: dict[Any, gast.expr] = {}
        known = self.certain.get(id(statement), frozenset())
        for key, variable in made.fields.items():
            if variable not in known:
                raise self.refused(statement, holder, f"its part `{key}` may not be set yet")
            part = self.holder(variable)
            own = variable if part is None else self.build(part, variable, statement, before)
            values[key] = name(own)
        if made.kind is not None:
            for key in made.kind.keys:
                if key not in values:
                    values[key] = read(made, key)
        whole = new_name(self.inliner, made.prefix)
        before.append(assign(whole, self.display(kind.cls, values, statement, before), origin))
        for new in before:
            if not hasattr(new, "lineno"):
                gast.copy_location(new, statement)
        self.built[whole] = statement
        return whole

    def display(
        self, cls: type, values: dict[Any, gast.expr], statement: Any, before: list[gast.stmt]
    ) -> gast.expr:
        items = list(values.values())
        if cls is dict:
            keys = [constant(key) for key in values]
            return gast.Dict(keys=keys, values=items)
        if cls is list:
            return gast.List(elts=items, ctx=gast.Load())
        if cls is tuple:
            return gast.Tuple(elts=items, ctx=gast.Load())
        function = self.inliner.helper(cls.__name__, cls)
        if issubclass(cls, tuple):
            return gast.Call(func=function, args=items, keywords=[])
        keywords = [gast.keyword(arg=key, value=value) for key, value in values.items()]
        if cls is SimpleNamespace:
            return gast.Call(func=function, args=[], keywords=keywords)
        helper = self.inliner.helper("assembled", assembled)
        return gast.Call(func=helper, args=[function], keywords=keywords)

    def check_unchanged(self, statement: Any, holder: str, kind: Parts) -> None:
        """Refuse if the object, or one that it holds, may change after the statement."""
        made = self.objects[kind.owner]
        for variable in made.fields.values():
            for store in self.order.stores.get(variable, ()):
                if self.order.may_follow(store, statement, self.order.making.get(kind.owner)):
                    raise self.refused(
                        statement, holder, "it is changed later", origin_of(store)
                    )
            part = self.holder(variable)
            if part is not None:
                self.check_unchanged(statement, holder, part)

    def check_gone(self) -> None:
        """Refuse if something still refers to an object that is held by its parts."""
        for node in walk(self.unit.tree):
            if isinstance(node, gast.Assign) and is_marker(node.value):
                raise self.refused(node, node.targets[0].id, "not every use of it is understood")

    def check_separate(self) -> None:
        """Check on entry that objects of the caller's that are changed are not the same one."""
        opened = [made for made in self.objects.values() if made.given is not None]
        if not opened:
            return
        classes: list[type] = []
        for made in opened:
            if made.cls not in classes and not issubclass(made.cls, tuple):
                classes.append(made.cls)
        count = 0
        involved: list[str] = []
        for parameter in parameters(self.unit.tree.args):
            found = _instances(self.unit.given.get(parameter, UNKNOWN), tuple(classes))
            count += found
            if found:
                involved.append(parameter)
        if count < 2:
            return
        helper = self.inliner.helper("distinct", distinct)
        names = [self.inliner.helper(cls.__name__, cls) for cls in classes]
        call = gast.Call(
            func=helper,
            args=[gast.Tuple(elts=names, ctx=gast.Load()), *map(name, involved)],
            keywords=[],
        )
        check = gast.Expr(value=call)
        check.origin = None
        self.unit.tree = with_body(self.unit.tree, [check, *self.unit.tree.body])

    def refused(
        self, statement: Any, holder: str, why: str, other: Any = None
    ) -> UnsupportedSyntaxError:
        return refused(self.objects, self.holder(holder), holder, statement, why, other)


def _instances(kind: Any, classes: tuple[type, ...]) -> int:
    """How many objects of some classes a value may hold; 2 for any number."""
    if isinstance(kind, Record):
        own = int(issubclass(kind.cls, classes))
        return own + sum(_instances(item, classes) for item in kind.items)
    item = getattr(kind, "item", None)
    if item is not None:
        return 2 * _instances(item, classes)
    return 1 if kind == UNKNOWN else 0


def constant(key: Any) -> gast.expr:
    """A key of a dict as an expression."""
    if isinstance(key, tuple):
        return gast.Tuple(elts=[constant(part) for part in key], ctx=gast.Load())
    return gast.Constant(value=key, kind=None)
