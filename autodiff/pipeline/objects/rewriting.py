"""What is done with the parts of an object is done with the variables that hold them.

    p.x = p.x + dt * p.v            p_x = p_x + dt * p_v
"""

from __future__ import annotations

import types
from typing import Any

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Record, Static
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import (
    Parts,
    constant_key,
    contains_parts,
    fields_given,
    part_name,
)
from autodiff.errors import UnsupportedSyntaxError
from autodiff.normalize.build import assign, effect, method
from autodiff.normalize.inline import Inliner
from autodiff.normalize.making import make, new_name
from autodiff.normalize.sites import Made, Make, is_marker
from autodiff.pipeline.objects.latest import check_latest
from autodiff.pipeline.objects.listing import listed
from autodiff.pipeline.objects.opening import with_body
from autodiff.pipeline.objects.order import Order
from autodiff.pipeline.objects.reading import Reader, truth
from autodiff.pipeline.unit import Unit
from autodiff.syntax.names import name
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import shallow, walk

_COMPOUND = (gast.If, gast.For, gast.While, gast.With, gast.Try, gast.ExceptHandler)


def rewritten(unit: Unit, known: Kinds, inliner: Inliner) -> bool:
    """Replace the parts of objects in the whole function; whether there was anything to do."""
    if unit.scope.objects:
        check_latest(unit, known)
    rewriter = Rewriter(unit, known, inliner)
    rewriter.name_parts(unit.tree)
    body = rewriter.block(unit.tree.body)
    if rewriter.changed:
        unit.tree = with_body(unit.tree, body)
    return rewriter.changed


class Rewriter(Reader):
    def __init__(self, unit: Unit, known: Kinds, inliner: Inliner) -> None:
        super().__init__(unit, known, inliner)
        self.known_order: Order | None = None
        self.certain: dict[int, frozenset[str]] = {}

    def name_parts(self, tree: gast.FunctionDef) -> None:
        """A variable for each part that is stored somewhere."""
        for node in walk(tree):
            if isinstance(node, (gast.Attribute, gast.Subscript)):
                if isinstance(node.ctx, gast.Store):
                    self.variable(node)

    def variable(self, node: Any) -> str | None:
        """The variable of the part that a target stores, made if it is new; None for others."""
        found = part_name(self.known, node)
        if found is None or self.is_setter(found[0], found[1]):
            return None
        return self.held(found[0], found[1])

    def held(self, kind: Parts, key: Any) -> str:
        made = self.objects[kind.owner]
        if key not in made.fields:
            made.fields[key] = new_name(self.inliner, made.hint(key))
            found = None if kind.indexed else class_attribute(kind.cls, key)
            if found is not None and not hasattr(found, "__get__"):
                made.inherited[key] = found
        return made.fields[key]

    def is_setter(self, kind: Parts, key: Any) -> bool:
        return not kind.indexed and isinstance(class_attribute(kind.cls, key), property)

    # Statements

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for statement in statements:
            out.extend(self.statement(statement))
        return out

    def statement(self, statement: Any) -> list[gast.stmt]:
        if isinstance(statement, _COMPOUND):
            return self.compound(statement)
        if isinstance(statement, gast.Assign):
            if is_marker(statement.value):
                return self.marked(statement)
            made = self.assigned(statement)
            if made is not None:
                return self.made(statement, made)
        elif isinstance(statement, gast.AugAssign):
            made = self.augmented(statement)
            if made is not None:
                return self.made(statement, made)
        elif isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
            made = self.effect(statement)
            if made is not None:
                return self.made(statement, made)
        new = self.parts(statement, frozenset())
        if new is not statement:
            self.inliner.carry(statement, new)
        return [new]

    def marked(self, statement: gast.Assign) -> list[gast.stmt]:
        """Where an object is made, what it has from its class is what its parts are at first."""
        made = self.objects[statement.targets[0].id]
        out: list[gast.stmt] = [statement]
        for key, value in made.inherited.items():
            default = self.inliner.default(f"{made.cls.__name__.lower()}_{key}", value)
            out.append(assign(made.fields[key], default, origin_of(statement)))
        if len(out) > 1:
            made.inherited.clear()
            return self.made(statement, out)
        return out

    def made(self, old: gast.stmt, new: list[gast.stmt]) -> list[gast.stmt]:
        self.changed = True
        for statement in new:
            if not hasattr(statement, "lineno"):
                gast.copy_location(statement, old)
            self.inliner.carry(old, statement)
        return new

    def compound(self, statement: Any) -> list[gast.stmt]:
        new = shallow(statement)
        for field in ("test", "iter", "items", "type"):
            value = getattr(statement, field, None)
            if isinstance(value, gast.AST):
                setattr(new, field, self.parts(value, frozenset()))
            elif isinstance(value, list):
                setattr(new, field, [self.parts(item, frozenset()) for item in value])
        for field in ("body", "orelse", "finalbody", "handlers"):
            if getattr(statement, field, None):
                setattr(new, field, self.block(getattr(statement, field)))
        if isinstance(new, gast.If) and new.test is not statement.test:
            answer = truth(new.test)
            if answer is not None:
                kept = new.body if answer else new.orelse
                return kept or [self.like(statement, gast.Pass())]
        return [new]

    def like(self, old: gast.stmt, new: gast.stmt) -> gast.stmt:
        gast.copy_location(new, old)
        new.origin = origin_of(old)
        return new

    def store(self, statement: gast.stmt, target: Any, value: gast.expr) -> gast.stmt | None:
        """`p.x = e` as an assignment of the variable, or as a call of the property."""
        found = self.part(target)
        if found is None:
            return None
        kind, key = found
        if self.is_setter(kind, key):
            setter = class_attribute(kind.cls, key).fset
            if setter is None:
                raise self.refused(statement, f"`{key}` is a property without a setter")
            function = self.inliner.helper(f"set_{key}", setter)
            call = gast.Call(func=function, args=[target.value, value], keywords=[])
            return effect(gast.copy_location(call, target), origin_of(statement))
        self.check_store(statement, kind, key)
        return assign(self.held(kind, key), value, origin_of(statement))

    def check_store(self, statement: gast.stmt, kind: Parts, key: Any) -> None:
        if kind.indexed:
            if kind.cls is not list and kind.cls is not dict:
                raise self.refused(statement, f"a {kind.cls.__name__} cannot be changed")
            return
        if getattr(getattr(kind.cls, "__dataclass_params__", None), "frozen", False):
            raise self.refused(statement, f"{kind.cls.__name__} is frozen")
        found = class_attribute(kind.cls, key)
        if isinstance(found, (types.FunctionType, classmethod, staticmethod)):
            raise self.refused(
                statement, f"`{key}` is a method of {kind.cls.__name__}, replaced on an instance"
            )
        if hasattr(type(found), "__set__") and not isinstance(found, types.MemberDescriptorType):
            raise self.refused(statement, f"`{key}` is a descriptor of {kind.cls.__name__}")

    def refused(self, statement: gast.stmt, why: str) -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(
            "cannot follow this store into an object",
            origin_of(statement),
            why=why,
            cure="keep what changes in a plain attribute of its own",
        )

    def assigned(self, statement: gast.Assign) -> list[gast.stmt] | None:
        target, value = statement.targets[0], statement.value
        if isinstance(target, (gast.Attribute, gast.Subscript)):
            stored = self.store(statement, target, self.parts(value, frozenset()))
            return None if stored is None else [stored]
        if isinstance(target, gast.Tuple) and isinstance(value, gast.Name):
            kind = self.known.of(value)
            if isinstance(kind, Parts) and issubclass(kind.cls, (tuple, list)):
                held = list(self.objects[kind.owner].fields.values())
                if len(held) == len(target.elts):
                    origin = origin_of(statement)
                    pairs = zip(target.elts, held)
                    return [assign(part.id, name(own), origin) for part, own in pairs]
        if isinstance(target, gast.Name) and isinstance(value, gast.Call):
            named = self.named_tuple(value)
            if named is not None:
                return make(self.inliner, statement, named)
        if isinstance(target, gast.Name) and isinstance(value, (gast.Tuple, gast.List, gast.Dict)):
            site = self.display(value)
            if site is not None:
                return make(self.inliner, statement, site)
        if isinstance(target, gast.Name) and isinstance(value, gast.Call):
            listed_items = listed(self, statement, value)
            if listed_items is not None:
                return [assign(target.id, listed_items, origin_of(statement))]
        return None

    @property
    def order(self) -> Order:
        if self.known_order is None:
            self.known_order = Order(self.unit.tree.body)
        return self.known_order

    def display(self, value: Any) -> Make | None:
        """A tuple, list or dict that refers to objects which are held by their parts."""
        items = value.values if isinstance(value, gast.Dict) else value.elts
        if any(isinstance(item, gast.Starred) for item in items):
            return None
        if not any(contains_parts(self.known.of(item)) for item in items):
            return None
        if isinstance(value, gast.Dict):
            keys = [None if k is None else constant_key(self.known, k) for k in value.keys]
            return None if None in keys else Make(Made(dict), tuple(zip(keys, items)))
        cls = tuple if isinstance(value, gast.Tuple) else list
        return Make(Made(cls), tuple(enumerate(items)))

    def named_tuple(self, value: gast.Call) -> Make | None:
        callee = self.known.of(value.func)
        cls = callee.value if isinstance(callee, Static) else None
        given = fields_given(cls, value) if isinstance(cls, type) else None
        if given is None:
            return None
        if not any(contains_parts(self.known.of(item)) for item in given.values()):
            return None
        assert cls is not None
        return Make(Made(cls), tuple(enumerate(given.values())))

    def augmented(self, statement: gast.AugAssign) -> list[gast.stmt] | None:
        target = statement.target
        value = self.parts(statement.value, frozenset())
        origin = origin_of(statement)
        found = self.part(target)
        if found is not None:
            if self.is_setter(*found):
                old = shallow(target)
                old.ctx = gast.Load()
                temporary = new_name(self.inliner, str(found[1]))
                total = gast.BinOp(left=name(temporary), op=statement.op, right=value)
                new = new_name(self.inliner, str(found[1]))
                last = self.store(statement, target, name(new))
                return [assign(temporary, old, origin), assign(new, total, origin), last]
            self.check_store(statement, *found)
            own = gast.Name(
                id=self.held(*found), ctx=gast.Store(), annotation=None, type_comment=None
            )
            return [self.like(statement, gast.AugAssign(target=own, op=statement.op, value=value))]
        kind = self.known.of(target) if isinstance(target, gast.Name) else None
        if isinstance(kind, (Parts, Record)) and not kind.indexed:
            word = type(statement.op).__name__.lower()
            word = {"mult": "mul", "div": "truediv"}.get(word, word)
            if class_attribute(kind.cls, f"__i{word}__") is not None:
                call = method(name(target.id), f"__i{word}__", value)
                return [assign(target.id, gast.copy_location(call, statement), origin)]
            total = gast.BinOp(left=name(target.id), op=statement.op, right=value)
            return [assign(target.id, gast.copy_location(total, statement), origin)]
        return None

    def effect(self, statement: gast.Expr) -> list[gast.stmt] | None:
        """`setattr(p, "x", e)`, `object.__setattr__(p, "x", e)`, `d.update(...)`."""
        call, origin = statement.value, origin_of(statement)
        callee = self.known.of(call.func)
        if isinstance(callee, Static) and callee.value in (setattr, object.__setattr__):
            base = self.known.of(call.args[0]) if len(call.args) == 3 else None
            key = self.known.of(call.args[1]) if len(call.args) == 3 else None
            if isinstance(base, Parts) and isinstance(key, Static) and isinstance(key.value, str):
                value = self.parts(call.args[2], frozenset())
                if callee.value is object.__setattr__:
                    return [assign(self.held(base, key.value), value, origin)]
                target = gast.Attribute(value=call.args[0], attr=key.value, ctx=gast.Store())
                stored = self.store(statement, gast.copy_location(target, statement), value)
                return None if stored is None else [stored]
        if not isinstance(call.func, gast.Attribute) or call.func.attr != "update":
            return None
        base = self.known.of(call.func.value)
        if not isinstance(base, Parts) or base.cls is not dict or len(call.args) > 1:
            return None
        out: list[gast.stmt] = []
        for argument in call.args:
            source = self.known.of(argument)
            if not isinstance(source, (Record, Parts)) or source.cls is not dict:
                return None
            keys = (
                source.keys if isinstance(source, Record) else self.objects[source.owner].fields
            )
            for key in list(keys):
                index = gast.Constant(value=key, kind=None)
                part = gast.Subscript(value=argument, slice=index, ctx=gast.Load())
                out.append(assign(self.held(base, key), self.parts(part, frozenset()), origin))
        for keyword in call.keywords:
            if keyword.arg is None:
                return None
            value = self.parts(keyword.value, frozenset())
            out.append(assign(self.held(base, keyword.arg), value, origin))
        return out
