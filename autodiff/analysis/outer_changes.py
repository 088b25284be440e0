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

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.harmless import Given, told, told_method
from autodiff.analysis.known import Kinds
from autodiff.analysis.outer_reads import outer_reads
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
from autodiff.analysis.running import Running
from autodiff.analysis.special import entering_changes, told_operands, truth_changes
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from autodiff.frontend.source import source
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import of_class, walk

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


class Effects(Running):
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
        given: Given = {k: _constant(part) for k, part in enumerate(node.args)}
        given |= {k.arg or "**": _constant(k.value) for k in node.keywords}
        if any(isinstance(part, gast.Starred) for part in node.args):
            keywords["*"], args = joined(args), []
            given = {"*": ..., **{k: v for k, v in given.items() if isinstance(k, str)}}
        known = [f for f in functions.values() if not isinstance(f, _NOT_CALLED)]
        if not known:  # a parameter that nobody gave, say
            return self.unknown([functions, *args, *keywords.values()])
        found: Refs = {}
        for function in known:
            if _sees_frame(function, len(given)):
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
                self.method(Method(owner, own), args[1:], keywords, _without_first(given))
                for owner in [*owners.values()] or [None]
            ])  # fmt: skip
        if isinstance(function, Method):
            return self.method(function, args, keywords, given)
        if isinstance(function, Made) and function.cls is None:
            return self.unknown([*args, *keywords.values(), refs(function)])
        count = 2 if function is functools.reduce else 1
        known = None if isinstance(function, type) else told(function, given)
        if known is not None:
            return self.library(known, args, keywords, {}, count)
        wrapped = getattr(function, "__wrapped__", None)
        if wrapped is not None and not isinstance(function, types.FunctionType):  # `lru_cache`
            return self.called(wrapped, args, keywords, given, place)
        if isinstance(function, type):
            return self.constructed(function, args, keywords, given, place)
        if hasattr(type(function), "__inlined__"):
            primal = getattr(function, "primal", None)
            return {} if primal is None else self.called(primal, args, keywords, given, place)
        if isinstance(function, types.FunctionType) and not _is_known(function):
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
        self, known: Any, args: list[Refs], keywords: dict[str, Refs], owner: Refs, count: int = 1
    ) -> Refs:
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
        found = joined([self.run_functions(run, count), self.operated([inside])])
        return found | inside if known.lends else found

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
        for name in ("__new__", "__init__", "__post_init__"):
            method = class_attribute(cls, name)
            method = getattr(method, "__func__", method)
            if isinstance(method, types.FunctionType):
                if "<string>" not in method.__code__.co_filename:  # as of a dataclass
                    self.called(method, [refs(made), *args], keywords, _without_first(given))
        return refs(made)

    def function(self, function: Any, args: list[Refs], keywords: dict[str, Refs]) -> Refs:
        """A function of the user's, by its text."""
        code, tree, defaults = self.text(function)
        if code is None:  # it may do anything with what it gets at
            if "<string>" in function.__code__.co_filename:
                return joined([*args, *keywords.values()])
            reads = [refs(read.value) for read in outer_reads([function])]
            return self.unknown([*args, *keywords.values(), *reads])
        self.bind(tree, code, args, keywords, defaults)
        found = self.body(tree.body, code)
        if of_class(tree.body, gast.Yield, gast.YieldFrom):  # it runs when it is iterated over
            found = found | refs(self.made.setdefault((id(code), 0), Inner(tree, code)))
        return found

    def text(self, function: Any) -> Any:
        found = self.codes.get(id(function))
        if found is None:
            try:
                read = source(function)
            except AutodiffError:
                found = (None, None, {}, function)
            else:
                scope = read.namespace
                positional = [a.id for a in (*read.tree.args.posonlyargs, *read.tree.args.args)]
                defaults = dict(zip(reversed(positional), reversed(scope.defaults)))
                defaults |= scope.kwdefaults
                found = (Code(read.tree, scope), read.tree, defaults, function)
            self.codes[id(function)] = found
        return found[:3]

    def inner(self, inner: Inner, args: list[Refs], keywords: dict[str, Refs]) -> Refs:
        """A function that is defined inside, a class, or a generator."""
        node, code = inner.node, inner.text
        if hasattr(node, "args"):
            self.bind(node, code, args, keywords, {})
            body = node.body if isinstance(node.body, list) else [node.body]
            return self.body(body, code)
        if id(node) in self.ran:
            return self.results.get(id(node), {})
        self.ran.add(id(node))
        if isinstance(node, gast.GeneratorExp):
            found = self.comprehension(node, code)
            self.add(self.results.setdefault(id(node), {}), self.items(found))
            return self.results[id(node)]
        for part in node.body:
            for value in self.of(part, code).values():
                self.called(value, [], {"*": joined([*args, *keywords.values()])})
        return joined([*args, *keywords.values()])

    def body(self, body: list[Any], code: Code) -> Refs:
        if id(code) not in self.ran:
            self.ran.add(id(code))
            for part in body:
                found = self.of(part, code)
                if isinstance(part, gast.expr):  # of a lambda
                    self.add(self.results.setdefault(id(code), {}), found)
        return self.results.get(id(code), {})

    def bind(
        self, tree: Any, code: Code, args: list[Refs], keywords: dict[str, Refs],
        defaults: dict[str, Any],
    ) -> None:  # fmt: skip
        """Give the parameters what they are called with."""
        own = tree.args
        positional = [a.id for a in (*own.posonlyargs, *own.args)]
        everything = joined([*args, *keywords.values()])
        for name, value in defaults.items():
            self.bound(name, code, refs(value))
        spread = "**" in keywords or "*" in keywords
        for k, name in enumerate([*positional, *(a.id for a in own.kwonlyargs)]):
            value = args[k] if k < min(len(args), len(positional)) else keywords.get(name, {})
            self.bound(name, code, everything if spread else value)
        for rest in filter(None, (own.vararg, own.kwarg)):
            new = self.place(None, id(code), rest.id)
            self.put(refs(new), everything)
            self.bound(rest.id, code, refs(new))


def _sees_frame(function: Any, given: int) -> bool:
    """Whether a call of a builtin looks at the names of the code that it is in."""
    if function is exec or function is eval:
        return given < 2  # else in the names that it is given
    return function is globals or function is locals or function is vars and not given


def _is_known(function: Any) -> bool:
    if is_library(module_of(function)) or registry.is_pure(function):
        return True
    return registry.rule_for(function) is not None


def _without_first(given: Given) -> Given:
    return {k - 1 if isinstance(k, int) else k: v for k, v in given.items() if k != 0}


def _constant(node: gast.expr) -> Any:
    if isinstance(node, gast.Constant):
        return node.value
    return object if isinstance(node, gast.Name) and node.id == "object" else ...

