"""Which calls to inline, and what they call: functions, methods, closures, partials, properties."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.analysis.choosing import chooses_function
from autodiff.analysis.classes import class_attribute
from autodiff.analysis.constructors import (
    COPYING,
    attribute,
    class_called,
    construction,
    copy_of,
    replaced,
)
from autodiff.analysis.cycles import check_recursive, is_cyclic, takes_functions
from autodiff.analysis.entered import entering, entry_of
from autodiff.analysis.flat import flat_read
from autodiff.analysis.frozen import frozen_call
from autodiff.analysis.inside import derived_call
from autodiff.analysis.kind import (
    Array,
    Bound,
    Derived,
    Kind,
    Local,
    OneOf,
    Record,
    Sequence,
    Static,
)
from autodiff.analysis.known import Kinds
from autodiff.analysis.listed_operands import listed_operands
from autodiff.analysis.masked import check_masked
from autodiff.analysis.objects import Parts, is_object
from autodiff.analysis.offered import offered
from autodiff.analysis.operators import called_again, comes_again, operator_site
from autodiff.analysis.overview import Overview
from autodiff.analysis.overwritten import left_as_it_is
from autodiff.analysis.passed import named, positional
from autodiff.analysis.piecewise import piecewise
from autodiff.analysis.simplified import (
    calls_itself,
    makes_functions,
    simplified,
)
from autodiff.analysis.spread import spread
from autodiff.analysis.spread_displays import spread_display
from autodiff.analysis.unwound import partial_parts, unwound
from autodiff.analysis.written_out import (
    changing_method,
    only_called,
    stand_in,
    vectorized_for,
    written_out,
)
from autodiff.errors import SourceNotFoundError, UnsupportedSyntaxError
from autodiff.frontend.equivalents import extended, vectorized
from autodiff.frontend.jitted import plain
from autodiff.normalize.normal import normal_form, normal_node
from autodiff.normalize.sites import Callee, Direct, Dispatch, Replacement, Site
from autodiff.rules import registry
from autodiff.syntax.names import reads
from autodiff.syntax.origin import Entry, origin_of, place
from autodiff.syntax.yielding import yields

_DEEPEST = 60


class Resolver(Overview):
    """Says for each statement which user function its call would inline."""

    def __init__(
        self,
        tree: gast.FunctionDef,
        kinds: Kinds,
        inputs: tuple[str, ...],
        chains: dict[int, tuple[Any, ...]],
        main: Any,
        recursive: set[types.CodeType],
    ) -> None:
        super().__init__(tree, kinds, inputs)
        self.chains = chains
        self.main = main
        self.recursive = recursive
        self.assumed: dict[str, type] = {}
        self.checks: list[Callable[[], bool]] = []
        self.waits = False
        self.left_open = False  # operators of what may still turn out to be an object
        self.entries: dict[types.CodeType, Entry | None] = {}
        self.stands_alone: Callable[..., tuple[Any, tuple[str, ...], tuple[Any, ...]]] | None = None
        """Makes a function of its own of one that is defined here, and says what that reads, and
        the defaults that so many arguments leave to it."""
        self.stands_apart: Callable[..., Direct] | None = None
        """Makes the call of a recursive function that depends on others that the function being
        compiled defines one of a function of its own."""

    def resolve(self, statement: gast.stmt, value: gast.expr) -> Replacement | None:
        """The site of a call (or property) that carries a derivative, None for all others.

        A function that calls itself is called directly: `reverse` gives it a pullback.
        """
        if isinstance(value, gast.Attribute):
            return flat_read(self, value) or self.property(statement, value)
        if isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Subscript)):
            return operator_site(self, statement, value) or listed_operands(self, value)
        if isinstance(value, (gast.List, gast.Tuple)):
            return spread_display(self, value)
        if not isinstance(value, gast.Call):
            return None
        if isinstance(statement, gast.Expr):
            grown = self.extension(value)
            if grown is not None:
                return grown
        kind = self.kinds.of(value.func)
        if isinstance(kind, OneOf):
            return self.dispatch(kind, value)
        if isinstance(kind, Derived):
            return derived_call(self, kind, statement, value)
        site = offered(self, kind, statement, value)
        if site is not None:
            return site
        kinds = self.kinds
        simpler: Replacement | None = (
            simplified(value, kinds, self.tree) or spread(value, kinds) or replaced(value, kinds)
        )
        simpler = simpler or left_as_it_is(self, value)
        simpler = simpler or frozen_call(value, kinds) or listed_operands(self, value)
        if simpler is not None:
            return simpler
        if isinstance(statement, gast.Assign):
            copied = copy_of(value, self.kinds)
            if copied is not None and self.concerns(statement, value):
                return copied
        cls = class_called(kind)
        if cls is not None and self.concerns(statement, value):
            return construction(cls, value, origin_of(statement))
        if hasattr(getattr(kind, "cls", None), "__target__") and reads(value) & self.varied:
            raise UnsupportedSyntaxError(
                "a derivative is called inside the function that is differentiated",
                place(value, origin_of(statement)),
                why="what it calls is compiled when it runs",
                cure="take derivatives from outside: grad(grad(f)), hvp(f), jacobian(grad(f))",
            )
        found = stand_in(kind, value) or only_called(self, kind, value)
        found = found or self.function(kind, value.func)
        found = found or written_out(self, kind, value)
        if found is None:
            return piecewise(self, statement, value) or self.known_function(kind, value)
        function, leading, leading_keywords = found
        if function is vectorized:
            function = vectorized_for(value, kind, self.kinds)
            if function is None:
                return None
        sources = reads(value) | {n for e in leading for n in reads(e)}
        if isinstance(function, gast.AST):
            sources |= reads(function)
        held = any(isinstance(self.kinds.names.get(n), Parts) for n in sources)
        makes = self.kinds.scope.framing and makes_functions(function)
        if not (held or sources & self.varied or makes or self.chooses(function, value)):
            return None
        check_masked(function, place(value, origin_of(statement)))
        arguments = positional(self, value, statement)
        keywords = [*leading_keywords, *named(self, value, statement)]
        keywords = list(dict(keywords).items())
        if isinstance(function, gast.AST) and is_cyclic(function, self.kinds):
            return self.apart(function, arguments, keywords, statement, value)
        entry = entry_of(kind, function, statement, value)
        if self.is_recursive(function, statement, value):
            self.entries.setdefault(function.__code__, entry)
            given = [*leading, *arguments]
            if takes_functions(function, given, keywords, self.kinds):
                return self.apart(function, given, keywords, statement, value)
            check_recursive(normal_form(function).tree.args, place(value, origin_of(statement)))
            direct = isinstance(kind, Static) and kind.value is function and not leading
            spread_out = any(isinstance(a, gast.Starred) for a in value.args)
            if direct and not spread_out and all(k.arg is not None for k in value.keywords):
                return None
            return Direct(function, (*leading, *arguments), tuple(keywords))
        callee = self.callee(function, statement, value, entry)
        for receiver in leading[:1]:
            self.assume(receiver)
        return Site(callee, tuple(leading), tuple(arguments), tuple(keywords), entry)

    def apart(
        self,
        function: Any,
        arguments: list[gast.expr],
        keywords: list[tuple[str, gast.expr]],
        statement: gast.stmt,
        value: gast.Call,
    ) -> Direct:
        """The call of a recursive function that is nested, or is given functions that are."""
        assert self.stands_apart is not None
        where = place(value, origin_of(statement))
        is_node = isinstance(function, gast.AST)
        check_recursive(function.args if is_node else normal_form(function).tree.args, where)
        site = self.stands_apart(function, arguments, keywords, statement, where)
        self.recursive.add(site.function.__code__)
        self.entries.setdefault(site.function.__code__, entry_of(None, function, statement, value))
        return site

    def assume(self, receiver: gast.expr) -> None:
        """Note of what class a name has to be for what was resolved."""
        kind = self.kinds.of(receiver)
        if isinstance(receiver, gast.Name) and is_object(kind):
            self.assumed[receiver.id] = kind.cls  # type: ignore[union-attr]

    def chooses(self, function: Any, value: gast.Call) -> bool:
        given = [*value.args, *(keyword.value for keyword in value.keywords)]
        return chooses_function(function, [self.kinds.of(argument) for argument in given])

    def concerns(self, statement: gast.stmt, value: gast.Call) -> bool:
        """Whether an object that is made here has to do with what is differentiated."""
        target = self.targets.get(id(value))
        names = reads(value) | ({target} if target else set())
        if names & (self.varied | self.touched):
            return True
        return any(isinstance(self.kinds.names.get(n), Parts) for n in names)

    def dispatch(self, kind: OneOf, value: gast.Call) -> Dispatch | None:
        """A call of one of several functions: a chain of tests, one call for each."""
        if not reads(value) & self.varied:
            return None
        names = [self.reference(option) for option in kind.options]
        if any(name is None for name in names):
            return None
        return Dispatch(value.func, tuple(names))

    def reference(self, option: Kind) -> Any:
        """What a function is called by: itself, or the name of a local function."""
        if isinstance(option, Static):
            return option.value
        for name, kind in self.kinds.names.items():
            if kind == option:
                return name
        return None

    def extension(self, value: gast.Call) -> Site | None:
        """`xs.extend(ys)`: an append for each item; `x.sort()` of an array: a store."""
        function = value.func
        if not isinstance(function, gast.Attribute):
            return None
        kind = self.kinds.of(function.value)
        if isinstance(kind, Array):
            return changing_method(self, function, value)
        if not isinstance(kind, (Record, Sequence)) or kind.cls is not list:
            return None
        if function.attr != "extend" or not reads(value) & self.varied or len(value.args) != 1:
            return None
        body = normal_form(extended)  # type: ignore[arg-type]
        return Site(body, (function.value,), tuple(value.args), ())

    def known_function(self, kind: Kind | None, value: gast.Call) -> Direct | None:
        """A `functools.partial` of a function with a rule, or a method value of a library class."""
        kind, leading, keywords = unwound(kind, value.func)
        if not (leading or keywords) or not isinstance(kind, Static):
            return None
        if registry.rule_for(kind.value) is None and not registry.is_pure(kind.value):
            return None
        own_keywords = [(str(k.arg), k.value) for k in value.keywords]
        return Direct(kind.value, (*leading, *value.args), (*keywords, *own_keywords))

    def property(self, statement: gast.stmt, value: gast.Attribute) -> Site | Direct | None:
        base = self.kinds.of(value.value)
        if not isinstance(base, (Record, Parts)) or base.indexed:
            return None
        if isinstance(base, Record) and base.get(value.attr) is not None:
            return None
        found = class_attribute(base.cls, value.attr)
        if isinstance(found, functools.cached_property):
            if isinstance(base, Parts):
                raise UnsupportedSyntaxError(
                    f"the cached property `{value.attr}` of an object that is made or changed here",
                    place(value, origin_of(statement)),
                    why="it keeps its first value, whatever happens to the object",
                    cure="compute it in `__init__`, or use a plain property",
                )
            found = property(found.func)
        if not isinstance(found, property):
            return None
        if not isinstance(base, Parts) and not reads(value) & self.varied:
            return None
        if comes_again(self, found.fget, statement):
            return called_again(self, found.fget, (value.value,), statement, value)
        self.assume(value.value)
        callee = self.callee(found.fget, statement, value)
        return Site(callee, (value.value,), (), (), entry_of(None, found.fget, statement, value))

    def function(
        self, kind: Kind | None, node: gast.expr
    ) -> tuple[Any, list[gast.expr], list[tuple[str, gast.expr]]] | None:
        """The function behind a kind, and the arguments it already has."""
        if isinstance(kind, Local):
            return kind.node, [], []
        if isinstance(kind, Bound):
            inner = self.function(kind.function, node)
            if inner is None:
                return None
            function, leading, keywords = inner
            return function, [*leading, *kind.arguments], [*keywords, *kind.keywords]
        if isinstance(kind, (Record, Parts)):
            if kind.cls is np.vectorize:
                return vectorized, [attribute(node, "pyfunc")], []
            found = class_attribute(kind.cls, "__call__")
            if isinstance(found, types.FunctionType) and registry.rule_for(found) is None:
                return found, [node], []
            return None
        if isinstance(kind, Static):
            return self.static(kind.value, node)
        return None

    def static(
        self, value: Any, node: gast.expr
    ) -> tuple[Any, list[gast.expr], list[tuple[str, gast.expr]]] | None:
        if self.kinds.scope.forward:
            value = registry.original(value)
        if registry.rule_for(value) is not None or registry.is_nondifferentiable(value):
            return None
        if value in COPYING:
            return None
        module = getattr(value, "__module__", "") or ""
        helper = registry.is_transparent(value)
        if module.startswith("autodiff.") and not helper and module != extended.__module__:
            return None
        if isinstance(value, types.MethodType):
            if registry.is_receiver(value.__self__):
                return None  # a method of a library's object, one that has no rule
            inner = self.static(value.__func__, node)
            if inner is None:
                return None
            receiver = gast.Attribute(value=node, attr="__self__", ctx=gast.Load())
            return inner[0], [receiver], []
        if isinstance(value, functools.partial):
            function = gast.Attribute(value=node, attr="func", ctx=gast.Load())
            inner = self.static(value.func, function)
            if inner is None:
                return None
            leading, keywords = partial_parts(value, node)
            return inner[0], [*inner[1], *leading], [*inner[2], *keywords]
        value = plain(value)
        if isinstance(value, types.FunctionType) and (helper or not registry.is_pure(value)):
            return value, [], []
        return None

    def is_recursive(self, function: Any, statement: gast.stmt, value: gast.expr) -> bool:
        """Whether inlining would not end."""
        identity = function if isinstance(function, gast.AST) else function.__code__
        chain = (self.main, *self.chains.get(id(statement), ()))
        if identity not in chain and len(chain) < _DEEPEST:
            if isinstance(function, gast.AST):
                return False
            found = identity in self.recursive or calls_itself(function)
            if found:
                self.recursive.add(identity)
            return found
        if isinstance(function, gast.AST):
            raise UnsupportedSyntaxError(
                "a nested function that is called through too many others",
                place(value, origin_of(statement)),
                why="autodiff inlines functions, and this does not come to an end",
                cure="call it by the name of its `def`",
            )
        self.recursive.add(function.__code__)
        return True

    def callee(
        self, function: Any, statement: gast.stmt, value: gast.expr, entry: Entry | None = None
    ) -> Callee:
        is_def = isinstance(function, gast.FunctionDef)
        if yields(function) if is_def else inspect.isgeneratorfunction(function):
            raise UnsupportedSyntaxError(
                "a generator that carries a derivative",
                place(value, origin_of(statement)),
                why="autodiff inlines functions, and this one goes on after it has given an item",
                cure="let it return a list of the items",
            )
        if isinstance(function, gast.AST):
            return normal_node(function)
        try:
            with entering(entry):
                return normal_form(function)
        except SourceNotFoundError as error:
            raise SourceNotFoundError(
                f"the source of `{getattr(function, '__qualname__', function)}`, which carries a "
                "derivative, is not available",
                place(value, origin_of(statement)),
                why=str(error).splitlines()[0],
                cure="write a rule for it with @adjoint",
            ) from None
