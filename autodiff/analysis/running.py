"""Running a text with, for each value, the objects from outside that it may be, share or hold.

What is not known to be new shares its operands. A text is run until no more is found (`Effects`).
"""

from __future__ import annotations

import sys
import types
from typing import Any

import gast
import numpy as np

from autodiff.analysis.by_kind import fitting, is_plain, of_container
from autodiff.analysis.classes import class_attribute
from autodiff.analysis.flow import TOLD
from autodiff.analysis.kind import Array, Bound, Local, OneOf, Static, classes_of
from autodiff.analysis.outer_values import (
    FIXED,
    FUNCTIONS,
    INSIDE,
    OF_CONTAINERS,
    Code,
    Inner,
    Made,
    Method,
    Refs,
    attribute,
    gives_number,
    held_by,
    is_outer,
    is_space,
    items,
    joined,
    refs,
    special_methods,
    written_class,
)
from autodiff.rules import registry
from autodiff.syntax.names import parameters
from autodiff.syntax.walk import children, of_class, shallow

_ARITHMETIC = (gast.Sub, gast.Div, gast.FloorDiv, gast.Pow, gast.MatMult)
"""Lists have no such operators."""


class Running:
    """What running code may change; `changed` are the objects from outside."""

    def __init__(self, before: Running | None = None) -> None:
        self.names: dict[Any, Refs] = {k: {**v} for k, v in before.names.items()} if before else {}
        self.stored: dict[int, Refs] = {**before.stored} if before else {}
        self.made: dict[Any, Any] = before.made if before else {}
        self.codes: dict[int, Any] = before.codes if before else {}
        self.read: dict[Any, Any] = before.read if before else {}
        """The attributes of objects: some are made anew whenever they are read."""
        self.results: dict[Any, Refs] = {}
        self.handed: dict[Any, Refs] = {}
        self.changed: Refs = {}
        self.ran: set[Any] = set()
        self.grew = False

    def called(
        self, function: Any, args: list[Refs], keywords: dict[str, Refs] | None = None,
        given: dict[str | int, Any] | None = None, place: Any = None,
    ) -> Refs:  # fmt: skip
        """Run a function, and what it may return."""
        raise NotImplementedError

    def call(self, node: gast.Call, code: Code) -> Refs:
        raise NotImplementedError

    def add(self, table: Refs, new: Refs) -> None:
        if not new.keys() <= table.keys():
            table.update(new)
            self.grew = True

    def place(self, cls: type | None, *key: Any) -> Made:
        """What is made at a place of the code."""
        return self.made.setdefault(key, Made(cls))  # type: ignore[no-any-return]

    def write(self, found: Refs, deep: bool = False) -> None:
        """Note that objects may change; `deep`: or what they hold."""
        found = self.everything(found) if deep else found
        fixed = (k for k, v in found.items() if isinstance(v, FIXED) or registry.is_receiver(v))
        self.add(self.changed, {k: found[k] for k in found.keys() - {*fixed}})

    def put(self, owners: Refs, value: Refs) -> None:
        """Note that objects may hold a value."""
        for key, owner in owners.items():
            inside = isinstance(owner, Made)
            self.add(owner.held if inside else self.stored.setdefault(key, {}), value)

    def items(self, found: Refs) -> Refs:
        parts = [refs(*items(value)) for value in found.values()]
        for value in found.values():  # generators run when they are iterated over
            if isinstance(value, Inner):
                parts.append(self.called(value, []))
        return joined([*parts, *(self.stored.get(key, {}) for key in found)])

    def everything(self, found: Refs) -> Refs:
        """Values, and what they hold."""
        seen: Refs = {}
        todo = [*found.values()]
        while todo:
            value = todo.pop()
            if id(value) not in seen:
                seen |= refs(value)
                if not isinstance(value, types.ModuleType):
                    todo += refs(*held_by(value)).values()
                    todo += self.stored.get(id(value), {}).values()
        return seen

    # Expressions and statements

    def of(self, node: Any, code: Code) -> Refs:
        """What a node may be; it is run on the way."""
        handler = _HANDLERS.get(node.__class__)
        if handler is None:
            return joined([self.of(child, code) for child in children(node)])
        found: Refs = handler(self, node, code)
        return found

    def name(self, node: gast.Name, code: Code) -> Refs:
        own = node.id
        binding, place = code.place(own)
        found = self.names.get((place, own), {})
        if binding is None or own in binding.loose:
            return found | refs(code.outside(own))
        kind = None if binding.kinds is None else binding.kinds.names.get(own)
        if kind is None:
            return found
        if is_plain(kind):
            return {}
        found, left = fitting(found, kind)
        if left:
            held = self.place(list, place, own, "held")
            self.put(refs(held), left)
            found |= refs(held)
        if isinstance(kind, Array):
            return found
        if isinstance(kind, Static):
            return found | refs(kind.value)
        classes: tuple[type | None, ...] = classes_of(kind)
        if not (classes or found or isinstance(kind, (Bound, OneOf, Local))):
            classes = (list if of_container(kind) else None,)  # None: a parameter, say
        return found | refs(*(self.place(cls, place, own, cls) for cls in classes))

    def bound(self, own: str, code: Code, value: Refs) -> None:
        """A name may be one more value."""
        self.add(self.names.setdefault((code.place(own)[1], own), {}), value)

    def attribute(self, node: gast.Attribute, code: Code) -> Refs:
        return self.attributes(self.of(node.value, code), node.attr)

    def attributes(self, owners: Refs, name: str) -> Refs:
        found: Refs = {}
        for key, owner in list(owners.items()) or [(0, None)]:
            if isinstance(owner, Made) and owner.cls in (None, list) and name in OF_CONTAINERS:
                found |= refs(self.made.setdefault((key, name), Method(owner, name)))
                continue
            if not isinstance(owner, (list, dict, set)):  # what these hold are no attributes
                found |= self.stored.get(key, {})
                found |= refs(*owner.held.values()) if isinstance(owner, Made) else {}
            made = owner is None or isinstance(owner, Made) and written_class(owner) is None
            if made and name in TOLD:
                continue
            if (key, name) not in self.read:
                values = [Method(None, name)] if owner is None else [*attribute(owner, name)]
                self.read[key, name] = owner, values
            for value in self.read[key, name][1]:
                if hasattr(type(value), "__get__") and written_class(owner) is not None:
                    if not isinstance(value, (types.FunctionType, types.MethodType)):
                        getters = [getattr(value, part, None) for part in ("fget", "func")]
                        getters.append(class_attribute(type(value), "__get__"))
                        for getter in getters:
                            if isinstance(getter, types.FunctionType):
                                found |= self.called(getter, [refs(owner)])
                        found |= refs(*held_by(owner))
                        continue
                found |= refs(value)
        return found

    def subscript(self, node: gast.Subscript, code: Code) -> Refs:
        self.of(node.slice, code)
        base = self.of(node.value, code)
        if is_outer(node.value, code) and gives_number(node.slice, base):
            return {}
        if isinstance(node.slice, gast.Constant):
            if base and all(map(is_space, base.values())):  # `globals()["W"]`
                return refs(*(space.get(node.slice.value) for space in base.values()))
        return joined([self.items(base), self.operated([base])])

    def operated(self, operands: list[Refs], *only: str) -> Refs:
        """What an operator gives, or a function that asks objects for their own methods."""
        found: Refs = {}
        together = joined(operands)
        for value in list(together.values()):
            cls = written_class(value)
            for method in special_methods(cls) if cls is not None else ():
                if not only or method.__name__ in only:
                    found |= self.called(method, [refs(value), together])
        return found

    def operator(self, node: Any, code: Code) -> Refs:
        """New numbers and arrays; lists that are joined hold what they held."""
        operands = [self.of(child, code) for child in children(node)]
        found = self.operated(operands)
        arrays = (np.ndarray, np.generic, *INSIDE[1:])
        held = {k: v for k, v in joined(operands).items() if not isinstance(v, arrays)}
        arithmetic = isinstance(getattr(node, "op", None), _ARITHMETIC) or any(
            isinstance(getattr(child, "value", None), float) for child in children(node)
        )
        if arithmetic or not held:
            return found
        new = self.place(None, id(code), id(node))
        self.put(refs(new), self.items(held))
        return found | refs(new)

    def display(self, node: Any, code: Code) -> Refs:
        held = [self.of(child, code) for child in children(node)]
        if isinstance(node, gast.Tuple) and not any(held):
            return {}
        new = self.place(list, id(code), id(node))
        self.put(refs(new), joined(held))
        return refs(new)

    def told(self, node: Any, code: Code) -> Refs:
        """A text, a number, a truth."""
        return self.operated([self.of(child, code) for child in children(node)])

    def starred(self, node: Any, code: Code) -> Refs:
        return self.items(self.of(node.value, code))

    def comprehension(self, node: Any, code: Code) -> Refs:
        for generator in node.generators:
            self.iterated(generator, code)
            for test in generator.ifs:
                self.operated([self.of(test, code)])
        values = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        found = joined([self.of(value, code) for value in values])
        new = self.place(list, id(code), id(node))
        self.put(refs(new), found)
        return refs(new)

    def iterated(self, node: Any, code: Code) -> Refs:
        value = self.of(node.iter, code)
        exact = is_outer(node.iter, code) and all(
            isinstance(v, np.ndarray) and v.ndim == 1 and v.dtype != object for v in value.values()
        )
        each = {} if exact else joined([self.items(value), self.operated([value])])
        self.assign(node.target, each, code)
        for part in [*getattr(node, "body", ()), *getattr(node, "orelse", ())]:
            self.of(part, code)
        return {}

    def later(self, node: Any, code: Code) -> Refs:
        """A function that is defined inside, or a generator: it runs when it is called."""
        if (id(code), id(node)) not in self.made:
            within = code
            if not isinstance(node, gast.GeneratorExp):
                within = Code(node, code.namespace, None, code)
            self.made[id(code), id(node)] = Inner(node, within)
        new = self.made[id(code), id(node)]
        if hasattr(node, "args"):
            given = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            values = joined([self.of(value, code) for value in given])
            for own in parameters(node.args) if values else ():
                self.bound(own, new.text, values)
        if hasattr(node, "name"):
            found = joined([
                refs(new),
                *(self.called(decorator, [refs(new)])
                  for part in node.decorator_list for decorator in self.of(part, code).values()),
            ])  # fmt: skip
            self.bound(node.name, code, found)
        return refs(new)

    def returned(self, node: Any, code: Code) -> Refs:
        found = {} if node.value is None else self.of(node.value, code)
        if not isinstance(node, gast.Return):
            found = found | self.items(found)
        self.add(self.results.setdefault(id(code), {}), found)
        return found

    def assigned(self, node: Any, code: Code) -> Refs:
        value = self.of(node.value, code) if node.value is not None else {}
        for target in getattr(node, "targets", None) or [node.target]:
            self.assign(target, value, code)
        return value

    def assign(self, target: Any, value: Refs, code: Code) -> None:
        if isinstance(target, gast.Name):
            self.bound(target.id, code, value)
        elif isinstance(target, gast.Starred):
            self.assign(target.value, value | self.items(value), code)
        elif isinstance(target, (gast.Tuple, gast.List)):
            inside = self.items(value)
            for part in target.elts:
                self.assign(part, inside, code)
        else:
            base = self.of(target.value, code)
            if isinstance(target, gast.Attribute):
                for owner in base.values():
                    cls = written_class(owner)
                    found = None if cls is None else class_attribute(cls, target.attr)
                    if isinstance(found, property) and found.fset is not None:
                        self.called(found.fset, [refs(owner), value])
                self.write({k: v for k, v in base.items() if isinstance(v, np.ndarray)})
            else:
                self.of(target.slice, code)
                self.write(base)
            self.operated([base, value], "__setattr__", "__setitem__", "__delitem__")
            self.put(base, value)

    def augmented(self, node: gast.AugAssign, code: Code) -> Refs:
        value = self.of(node.value, code)
        own = shallow(node.target)
        own.ctx = gast.Load()
        before = self.of(own, code)
        self.write({k: v for k, v in before.items() if not isinstance(v, tuple)})
        self.assign(node.target, before | self.operated([before, value]), code)
        lists = {k: v for k, v in before.items() if not isinstance(v, np.ndarray)}
        self.put(lists, self.items(value))
        return {}

    def deleted(self, node: gast.Delete, code: Code) -> Refs:
        for target in node.targets:
            if not isinstance(target, gast.Name):
                self.assign(target, {}, code)
        return {}

    def entered(self, node: gast.withitem, code: Code) -> Refs:
        value = self.of(node.context_expr, code)
        found = {**value}
        for owner in value.values():
            for name in ("__enter__", "__exit__"):
                method = class_attribute(written_class(owner) or object, name)
                if isinstance(method, types.FunctionType):
                    found |= self.called(method, [refs(owner)])
        if node.optional_vars is not None:
            self.assign(node.optional_vars, found | self.items(found), code)
        return {}

    def asked(self, node: Any, code: Code) -> Refs:
        self.operated([self.of(node.test, code)])
        parts = [node.body, node.orelse]
        each = [n for part in parts for n in (part if isinstance(part, list) else [part])]
        return joined([self.of(part, code) for part in each])

    def matched(self, node: Any, code: Code) -> Refs:
        """What a pattern binds may be any part of the subject."""
        value = self.everything(self.of(node.subject, code))
        for part in of_class(node.cases, gast.Name):
            if not isinstance(part.ctx, gast.Load):
                self.bound(part.id, code, value)
        for case in node.cases:
            for part in (case.guard, *case.body):
                if part is not None:
                    self.of(part, code)
        return {}

    def imported(self, node: Any, code: Code) -> Refs:
        for alias in node.names:
            own = alias.asname or alias.name.partition(".")[0]
            module = sys.modules.get(getattr(node, "module", None) or alias.name)
            value = getattr(module, alias.name, None) if hasattr(node, "module") else module
            self.bound(own, code, refs(value))
        return {}


_HANDLERS: dict[type, Any] = {
    gast.Name: Running.name,
    gast.Attribute: Running.attribute,
    gast.Subscript: Running.subscript,
    gast.Call: lambda self, node, code: self.call(node, code),
    gast.Starred: Running.starred,
    gast.Match: Running.matched,
    gast.withitem: Running.entered,
    gast.Delete: Running.deleted,
    gast.AugAssign: Running.augmented,
    **dict.fromkeys((gast.BinOp, gast.UnaryOp), Running.operator),
    **dict.fromkeys((gast.Compare, gast.FormattedValue, gast.Assert), Running.told),
    **dict.fromkeys((gast.Tuple, gast.List, gast.Set, gast.Dict), Running.display),
    **dict.fromkeys((gast.ListComp, gast.SetComp, gast.DictComp), Running.comprehension),
    **dict.fromkeys((gast.Lambda, gast.GeneratorExp, *FUNCTIONS), Running.later),
    **dict.fromkeys((gast.Return, gast.Yield, gast.YieldFrom, gast.Await), Running.returned),
    **dict.fromkeys((gast.Assign, gast.AnnAssign, gast.NamedExpr), Running.assigned),
    **dict.fromkeys((gast.For, gast.AsyncFor), Running.iterated),
    **dict.fromkeys((gast.If, gast.While, gast.IfExp), Running.asked),
    **dict.fromkeys((gast.Import, gast.ImportFrom), Running.imported),
}
