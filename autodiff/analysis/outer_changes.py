"""Which objects outside of it a function, or what it calls, may change in place.

    def refill():                   def restart():               def log(step):
        STATE.w += 1.0                  fill(TABLE["w"], 0.0)        STEPS.append(step)

A call changes what it is given unless it is known to leave that alone (`harmless`), or its text
tells (`running`).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.bodies import Bodies
from autodiff.analysis.by_kind import is_container, is_copied, of_container
from autodiff.analysis.classes import class_attribute
from autodiff.analysis.harmless import (
    Given,
    constant,
    expands,
    is_known,
    is_outlined,
    sees_frame,
    told,
    told_method,
    without_first,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.outer_values import (
    OF_CONTAINERS,
    Code,
    Inner,
    Made,
    Method,
    Refs,
    is_built_in_method,
    joined,
    refs,
    written_class,
)
from autodiff.analysis.special import entering_changes, told_operands, truth_changes
from autodiff.errors import UnsupportedSyntaxError
from autodiff.rules.home import is_library, module_of
from autodiff.runtime import checkpointed_steps, copied, duplicates, expand
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import walk

_NOT_CALLED = (np.ndarray, list, dict, tuple, set, types.ModuleType)
_RUN = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodType, Inner, Method, type),
    *(functools.partial, np.ufunc, types.MethodDescriptorType, types.WrapperDescriptorType),
)


def outer_changes(roots: Iterable[Any]) -> list[Any]:
    """The objects outside that running these functions may change: arrays, lists, objects ..."""
    look = Effects()
    look.until_stable(lambda: [look.called(root, []) for root in roots])
    return [*look.changed.values()]


def changed_by(node: gast.AST, statement: gast.stmt, whole: Effects, code: Code) -> list[Any]:
    """The objects outside of a function in normal form that a part of its text may change."""
    look = Effects(whole)
    kinds = code.kinds
    assert kinds is not None
    asked: list[gast.AST] = []
    for part in walk(node):
        asked += told_operands(part, kinds)
        if isinstance(part, gast.withitem) and entering_changes(part.context_expr, kinds):
            asked.append(part.context_expr)
    if isinstance(node, gast.expr) and truth_changes(node, kinds):  # it is a test
        asked.append(node)

    if not asked and not whole.changed:
        return []

    def once() -> None:
        look.of(node, code)
        look.operated([look.of(node, code)] if isinstance(node, gast.expr) else [])
        for operand in asked:
            look.write(look.of(operand, code), deep=True)

    look.until_stable(once, statement)
    return [*look.changed.values()]


def effects(body: list[gast.stmt], kinds: Kinds) -> tuple[Effects, Code]:
    """What the names of a function in normal form may be; its text."""
    code, whole = Code(body, kinds.scope, kinds), Effects()
    whole.until_stable(lambda: [whole.of(node, code) for node in body], body[0])
    return whole, code


_MOST_WORK = 40_000
"""So many calls, and objects that unknown ones are given, are looked at: the look takes seconds."""


class Effects(Bodies):
    """What calls do, too."""

    work = 0

    def until_stable(self, once: Callable[[], Any], place: gast.AST | None = None) -> None:
        self.grew = True
        while self.grew:
            self.grew = False
            self.ran = set()
            try:
                once()
            except RecursionError:
                raise UnsupportedSyntaxError(
                    "this calls too much for us to tell what it changes outside of the function",
                    None if place is None else origin_of(place),
                    why="the reverse sweep would read its new content",
                    cure="write a rule for what it calls, with `adjoint` or `nondifferentiable`",
                ) from None

    def call(self, node: gast.Call, code: Code) -> Refs:
        functions = self.of(node.func, code)
        args = [self.of(argument, code) for argument in node.args]
        keywords = {k.arg or "**": self.of(k.value, code) for k in node.keywords}
        for key, value in keywords.items():
            keywords[key] = self.items(value) if key == "**" else value
        given: Given = {k: constant(part) for k, part in enumerate(node.args)}
        given |= {k.arg or "**": constant(k.value) for k in node.keywords}
        if any(isinstance(part, gast.Starred) for part in node.args):
            keywords["*"], args = joined(args), []
            given = {"*": ..., **{k: v for k, v in given.items() if isinstance(k, str)}}
        known = [f for f in functions.values() if not isinstance(f, _NOT_CALLED)]
        if not known:  # a parameter that nobody gave, say
            return self.unknown([functions, *args, *keywords.values()])
        found: Refs = {}
        for function in known:
            if sees_frame(function, len(given)):
                space = getattr(code.namespace, "namespace", code.namespace)
                cells = [code.outside(own) for own in getattr(space, "cells", ())]
                frame = refs(space.globals, *cells)
                found |= frame
                if function is exec or function is eval:
                    self.write(frame)
            elif function is getattr and isinstance(given.get(1), str):
                found |= self.attributes(args[0], given[1])
            elif function is vars:
                found |= self.attributes(args[0], "__dict__")
            elif function is setattr and len(node.args) == 3 and isinstance(given[1], str):
                target = gast.Attribute(value=node.args[0], attr=given[1], ctx=gast.Store())
                self.assign(target, args[2], code)
            elif function is copied or function is duplicates:
                new = [self.copied(part, own, code) for part, own in zip(node.args, args)]
                found |= self.called(function, new or args, keywords, given, (id(code), id(node)))
            elif function is expand and code.kinds and expands(node, code.kinds):
                pass
            elif function is checkpointed_steps and is_outlined(given, args):
                found |= self.stepped(node, args, given[3])
            elif function is type and len(args) == 1:
                found |= refs(*(written_class(v) or type(v) for v in args[0].values()))
            else:
                found |= self.called(function, args, keywords, given, (id(code), id(node)))
        return found

    def called(
        self, function: Any, args: list[Refs], keywords: dict[str, Refs] | None = None,
        given: Given | None = None, place: Any = None,
    ) -> Refs:  # fmt: skip
        """Run a function, and what it may return."""
        self.work += 1
        if self.work > _MOST_WORK:
            raise RecursionError
        keywords = keywords or {}
        if given is None:
            given = {**dict.fromkeys(range(len(args)), ...), **dict.fromkeys(keywords, ...)}
        if isinstance(function, Inner):
            return self.inner(function, args, keywords)
        if is_built_in_method(function):
            function = Method(function.__self__, function.__name__)
        if isinstance(function, types.MethodType):
            known = told(function, given)
            if known is not None:  # of an object of a library, as `scipy.stats.norm`
                return self.library(known, args, keywords, refs(function.__self__))
            return self.shifted(function.__func__, [refs(function.__self__)], args, keywords, given)
        if isinstance(function, functools.partial):
            first = [refs(value) for value in function.args]
            more = {key: refs(value) for key, value in function.keywords.items()}
            return self.shifted(function.func, first, args, {**more, **keywords}, given)
        if isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)):
            own = function.__name__
            owners = args[0] if args else keywords.get("*", {})
            return joined([
                self.method(Method(owner, own), args[1:], keywords, without_first(given))
                for owner in [*owners.values()] or [None]
            ])  # fmt: skip
        if isinstance(function, Method):
            return self.method(function, args, keywords, given)
        if isinstance(function, Made) and written_class(function) is None:
            values = [*args, *keywords.values(), refs(function)]
            return {} if function.cls is list else self.unknown(values)
        count = 2 if function is functools.reduce else 1
        known = None if isinstance(function, type) else told(function, given)
        if known is not None:
            return self.library(known, args, keywords, {}, count, place)
        wrapped = getattr(function, "__wrapped__", None)
        if wrapped is not None and not isinstance(function, types.FunctionType):  # `lru_cache`
            return self.called(wrapped, args, keywords, given, place)
        if isinstance(function, type):
            return self.constructed(function, args, keywords, given, place)
        if hasattr(type(function), "__inlined__"):
            primal = getattr(function, "primal", None)
            return {} if primal is None else self.called(primal, args, keywords, given, place)
        if isinstance(function, types.FunctionType) and not is_known(function):
            return self.function(function, args, keywords)
        if not isinstance(function, (types.FunctionType, types.BuiltinFunctionType)):
            method = class_attribute(written_class(function) or type(function), "__call__")
            if isinstance(method, types.FunctionType):
                return self.shifted(method, [refs(function)], args, keywords, given)
        return self.unknown([*args, *keywords.values()])

    def shifted(
        self, function: Any, first: list[Refs], args: list[Refs], keywords: dict[str, Refs],
        given: Given,
    ) -> Refs:  # fmt: skip
        count = len(first)
        moved = {k + count if isinstance(k, int) else k: v for k, v in given.items()}
        new: Given = {**dict.fromkeys(range(count), ...), **dict.fromkeys(keywords, ...), **moved}
        return self.called(function, [*first, *args], keywords, new)

    def method(
        self, method: Method, args: list[Refs], keywords: dict[str, Refs], given: Given
    ) -> Refs:
        owner = refs(method.owner)
        known = told_method(method.owner, method.name, given)
        if isinstance(method.owner, Made):
            known = told_method([], method.name, given) if method.name in OF_CONTAINERS else None
        if known is not None and known.stores:
            self.put(owner, joined([*args, *keywords.values()]))
        return self.library(known, args, keywords, owner)

    def library(
        self, known: Any, args: list[Refs], keywords: dict[str, Refs], owner: Refs, count: int = 1,
        place: Any = None,
    ) -> Refs:  # fmt: skip
        """What no text is looked at of: what is written to, run and returned."""
        values = [*args, *keywords.values(), owner]
        if known is None:
            return self.unknown(values)
        for key in known.writes:
            if key == "":
                self.write(owner)
            elif isinstance(key, int):
                self.write(joined(args[key : key + 1] or values), deep=True)
            else:
                self.write(keywords.get(key, joined(values)), deep=True)
        inside = self.everything(joined(values))
        run = {k: v for k, v in inside.items() if known.lends or not isinstance(v, type)}
        found = self.operated([inside])
        if known.runs:
            found |= self.run_functions(run, count)
        else:  # but generators
            self.items(joined(values))
        if known.lent is not None:
            named: dict[Any, Refs] = {**dict(enumerate(args)), **keywords}
            inside = self.everything(joined(named.get(key, {}) for key in known.lent))
            if any(map(is_container, joined(values).values())):
                new = refs(self.place(list, "new", place))
                self.put(new, inside)
                inside |= new
        return found | inside if known.lends else found

    def copied(self, node: gast.expr, found: Refs, code: Code) -> Refs:
        """What a copy of a value is, or holds, of what is outside."""
        kind = None if code.kinds is None else code.kinds.of(node)
        if not is_copied(kind):
            return found
        return refs(self.place(list, "copy", id(node))) if of_container(kind) else {}

    def stepped(self, node: gast.Call, args: list[Refs], width: int) -> Refs:
        """`state = step(t, *state, *constants)`, again and again.

        The steps work on a copy of the state, but what comes after may read what the loop changed.
        """
        state, constants = args[4 : 4 + width], args[4 + width :]
        new = refs(self.place(list, "state", id(node)))
        self.put(new, joined(state))
        for function in [*joined(args[:2]).values()]:  # the step, and the test of `while`
            given = [*(own | self.items(new) for own in state), *constants]
            given = [{}, *given] if id(function) in args[0] else given
            self.put(new, self.items(self.called(function, given)))
        return new

    def unknown(self, values: list[Refs]) -> Refs:
        """What may change all that it is given, store it there, and return it."""
        inside = self.everything(joined(values))
        self.work += len(inside)
        self.write(inside)
        self.put({k: v for k, v in inside.items() if not isinstance(v, _RUN)}, inside)
        for value in [*inside.values()]:
            cls = written_class(value)
            for base in () if cls is None else cls.__mro__:
                for method in vars(base).values() if not is_library(module_of(base)) else ():
                    if isinstance(method, types.FunctionType) and method.__name__ != "__init__":
                        self.called(method, [refs(value), inside])
        return inside | self.run_functions(inside)

    def run_functions(self, inside: Refs, count: int = 1) -> Refs:
        """What functions return that are handed on, and are run with anything of the rest."""
        functions = [v for v in inside.values() if isinstance(v, _RUN)]
        if not functions:
            return {}
        rest = {k: v for k, v in inside.items() if not isinstance(v, _RUN)}
        given: Given = dict.fromkeys(range(count), ...)
        found: Refs = {}
        for function in functions:
            key = (id(function), count)
            before = self.results.setdefault(key, {})
            handed = self.handed.setdefault(key, {})
            if key not in self.ran or not rest.keys() <= handed.keys():
                self.ran.add(key)
                handed |= rest
                args = [{**handed}] * count
                self.add(before, self.called(function, args, {"*": args[0]}, {**given}))
            found |= before
        return found

    def constructed(
        self, cls: type, args: list[Refs], keywords: dict[str, Refs], given: Given, place: Any
    ) -> Refs:
        """A new object of a class."""
        values = joined([*args, *keywords.values()])
        if is_library(module_of(cls)):
            known = told(cls, given)
            sequences = max(len(args) - 1, 1) if cls is map else 1
            found = self.library(known, args, keywords, {}, sequences)
            if known is None or known.lends:
                made = self.place(None, cls, place)
                self.put(refs(made), found)
                found = found | refs(made)
            return found
        made = self.place(cls, cls, place)
        self.put(refs(made), values)
        for name in ("__new__", "__init__", "__post_init__", "__del__"):
            method = class_attribute(cls, name)
            method = getattr(method, "__func__", method)
            code = getattr(method, "__code__", None)
            if code is not None and "<string>" not in code.co_filename:  # as of a dataclass
                self.called(method, [refs(made), *args], keywords, without_first(given))
        return refs(made)
