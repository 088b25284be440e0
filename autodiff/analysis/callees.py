"""Which calls to inline, and what they call: functions, methods, closures, partials, properties."""

from __future__ import annotations

import functools
import types
from typing import Any

import gast

from autodiff.analysis.kind import Bound, Kind, Local, Record, Static
from autodiff.analysis.kinds import Kinds, class_attribute
from autodiff.errors import SourceNotFoundError, UnsupportedSyntaxError
from autodiff.normalize.inline import Callee, Direct, Site
from autodiff.normalize.normal import normal_form, normal_node
from autodiff.rules import registry
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of, place

_DEEPEST = 60


class Resolver:
    """Says for each statement which user function its call would inline."""

    def __init__(
        self,
        kinds: Kinds,
        varied: frozenset[str],
        chains: dict[int, tuple[Any, ...]],
        main: Any,
        recursive: set[types.CodeType],
    ) -> None:
        self.kinds = kinds
        self.varied = varied
        self.chains = chains
        self.main = main
        self.recursive = recursive

    def resolve(self, statement: gast.stmt, value: gast.expr) -> Site | Direct | None:
        """The site of a call (or property) that carries a derivative, None for all others.

        A function that calls itself is called directly: `reverse` gives it a pullback.
        """
        if isinstance(value, gast.Attribute):
            return self.property(statement, value)
        if not isinstance(value, gast.Call):
            return None
        kind = self.kinds.of(value.func)
        found = self.function(kind, value.func)
        if found is None:
            return None
        function, leading, leading_keywords = found
        sources = reads(value) | {n for e in leading for n in reads(e)}
        if isinstance(function, gast.AST):
            sources |= reads(function)
        if not sources & self.varied:
            return None
        arguments = self.positional(value, statement)
        keywords = [*leading_keywords, *self.keywords(value, statement)]
        keywords = list(dict(keywords).items())
        if self.is_recursive(function, statement, value):
            direct = isinstance(kind, Static) and kind.value is function
            if direct and not leading and len(arguments) == len(value.args):
                return None
            return Direct(function, (*leading, *arguments), tuple(keywords))
        callee = self.callee(function, statement, value)
        return Site(callee, tuple(leading), tuple(arguments), tuple(keywords))

    def property(self, statement: gast.stmt, value: gast.Attribute) -> Site | None:
        base = self.kinds.of(value.value)
        if not isinstance(base, Record) or base.indexed or base.get(value.attr) is not None:
            return None
        found = class_attribute(base.cls, value.attr)
        if isinstance(found, functools.cached_property):
            found = property(found.func)
        if not isinstance(found, property) or not reads(value) & self.varied:
            return None
        callee = self.callee(found.fget, statement, value)
        return Site(callee, (value.value,), (), ())

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
        if isinstance(kind, Record):
            found = class_attribute(kind.cls, "__call__")
            if isinstance(found, types.FunctionType):
                return found, [node], []
            return None
        if isinstance(kind, Static):
            return self.static(kind.value, node)
        return None

    def static(
        self, value: Any, node: gast.expr
    ) -> tuple[Any, list[gast.expr], list[tuple[str, gast.expr]]] | None:
        if registry.rule_for(value) is not None or registry.is_nondifferentiable(value):
            return None
        if (getattr(value, "__module__", "") or "").startswith("autodiff."):
            return None
        if isinstance(value, types.MethodType):
            inner = self.static(value.__func__, node)
            if inner is None:
                return None
            receiver = gast.Attribute(value=node, attr="__self__", ctx=gast.Load())
            return inner[0], [receiver], []
        if isinstance(value, types.FunctionType) and not registry.is_pure(value):
            return value, [], []
        return None

    def is_recursive(self, function: Any, statement: gast.stmt, value: gast.expr) -> bool:
        """Whether inlining would not end."""
        identity = function if isinstance(function, gast.AST) else function.__code__
        chain = (self.main, *self.chains.get(id(statement), ()))
        if identity not in chain and len(chain) < _DEEPEST:
            found = not isinstance(function, gast.AST) and _calls_itself(function)
            if found:
                self.recursive.add(function.__code__)
            return found
        if isinstance(function, gast.AST):
            raise UnsupportedSyntaxError(
                "a nested function that calls itself",
                place(value, origin_of(statement)),
                why="it shares variables with the function around it, at every depth",
                cure="define it at module level and pass it what it needs",
            )
        self.recursive.add(function.__code__)
        return True

    def callee(self, function: Any, statement: gast.stmt, value: gast.expr) -> Callee:
        if isinstance(function, gast.AST):
            return normal_node(function)
        try:
            return normal_form(function)
        except SourceNotFoundError as error:
            raise SourceNotFoundError(
                f"the source of `{getattr(function, '__qualname__', function)}`, which carries a "
                "derivative, is not available",
                place(value, origin_of(statement)),
                why=str(error).splitlines()[0],
                cure="write a rule for it with @adjoint",
            ) from None

    def positional(self, call: gast.Call, statement: gast.stmt) -> list[gast.expr]:
        found: list[gast.expr] = []
        for argument in call.args:
            if not isinstance(argument, gast.Starred):
                found.append(argument)
                continue
            kind = self.kinds.of(argument.value)
            if not isinstance(kind, Record) or kind.cls is dict or not kind.indexed:
                raise self.unknown_arguments(argument, statement)
            for key in kind.keys:
                found.append(_item(argument.value, key))
        return found

    def keywords(self, call: gast.Call, statement: gast.stmt) -> list[tuple[str, gast.expr]]:
        found: list[tuple[str, gast.expr]] = []
        for keyword in call.keywords:
            if keyword.arg is not None:
                found.append((keyword.arg, keyword.value))
                continue
            kind = self.kinds.of(keyword.value)
            if not isinstance(kind, Record) or kind.cls is not dict:
                raise self.unknown_arguments(keyword.value, statement)
            found.extend((str(key), _item(keyword.value, key)) for key in kind.keys)
        return found

    def unknown_arguments(self, node: gast.expr, statement: gast.stmt) -> Exception:
        return UnsupportedSyntaxError(
            "starred arguments whose number is not known while compiling",
            place(node, origin_of(statement)),
            why="they carry a derivative into a function that is to be inlined",
            cure="pass the arguments one by one",
        )


def _calls_itself(function: types.FunctionType) -> bool:
    """Whether a function refers to itself by its own name."""
    name = function.__name__
    if name not in function.__code__.co_names and name not in function.__code__.co_freevars:
        return False
    if function.__globals__.get(name) is function:
        return True
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    try:
        return name in cells and cells[name].cell_contents is function
    except ValueError:  # the cell is empty
        return False


def _item(base: gast.expr, key: Any) -> gast.expr:
    index = gast.Constant(value=key, kind=None)
    return gast.Subscript(value=base, slice=index, ctx=gast.Load())


