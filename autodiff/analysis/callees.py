"""Which calls to inline, and what they call: functions, methods, closures, partials, properties."""

from __future__ import annotations

import functools
import inspect
import types
from collections import Counter
from typing import Any

import gast

from autodiff.analysis.kind import Array, Bound, Kind, Local, OneOf, Record, Sequence, Static
from autodiff.analysis.known import Kinds, class_attribute
from autodiff.errors import SourceNotFoundError, UnsupportedSyntaxError
from autodiff.frontend.equivalents import equivalent, extended
from autodiff.normalize.inline import Callee, Direct, Dispatch, Rewrite, Site
from autodiff.normalize.normal import normal_form, normal_node
from autodiff.rules import registry
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of, place
from autodiff.syntax.walk import walk

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
        self.loads: Counter[str] = Counter()
        self.targets: dict[int, str] = {}

    def see(self, tree: gast.FunctionDef) -> None:
        """Count how often each name is read, and note which name receives which value."""
        for node in walk(tree):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                self.loads[node.id] += 1
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                self.targets[id(node.value)] = node.targets[0].id

    def resolve(
        self, statement: gast.stmt, value: gast.expr
    ) -> Site | Direct | Dispatch | Rewrite | None:
        """The site of a call (or property) that carries a derivative, None for all others.

        A function that calls itself is called directly: `reverse` gives it a pullback.
        """
        if isinstance(value, gast.Attribute):
            return self.property(statement, value)
        if not isinstance(value, gast.Call):
            return None
        if isinstance(statement, gast.Expr):
            grown = self.extension(value)
            if grown is not None:
                return grown
        kind = self.kinds.of(value.func)
        if isinstance(kind, OneOf):
            return self.dispatch(kind, value)
        simpler = simplified(value, self.kinds)
        if simpler is not None:
            return simpler
        found = self.function(kind, value.func) or self.written_out(kind, value)
        if found is None:
            return self.known_function(kind, value)
        function, leading, leading_keywords = found
        sources = reads(value) | {n for e in leading for n in reads(e)}
        if isinstance(function, gast.AST):
            sources |= reads(function)
        if not sources & self.varied and not _makes_functions(function):
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
        """`xs.extend(ys)`: an append for each item."""
        function = value.func
        if not isinstance(function, gast.Attribute) or function.attr != "extend":
            return None
        kind = self.kinds.of(function.value)
        if not isinstance(kind, (Record, Sequence)) or kind.cls is not list:
            return None
        if not reads(value) & self.varied or len(value.args) != 1:
            return None
        body = normal_form(extended)  # type: ignore[arg-type]
        return Site(body, (function.value,), tuple(value.args), ())

    def written_out(
        self, kind: Kind | None, value: gast.Call
    ) -> tuple[Any, list[gast.expr], list[tuple[str, gast.expr]]] | None:
        """The plain Python equivalent of `map`, `functools.reduce`, `max(..., key=...)` ..."""
        if not isinstance(kind, Static) or any(k.arg is None for k in value.keywords):
            return None
        if kind.value in (zip, map, filter) and not self.used_once(value):
            return None  # an iterator, which is empty when it is read a second time
        found = equivalent(kind.value, len(value.args), [str(k.arg) for k in value.keywords])
        return None if found is None else (found, [], [])

    def used_once(self, value: gast.Call) -> bool:
        """Whether the result of a call is read in one place only."""
        target = self.targets.get(id(value))
        return target is None or self.loads[target] <= 1

    def known_function(self, kind: Kind | None, value: gast.Call) -> Direct | None:
        """A `functools.partial` of a function with a rule, or a method value of a library class."""
        leading: list[gast.expr] = []
        keywords: list[tuple[str, gast.expr]] = []
        while True:
            if isinstance(kind, Bound):
                leading = [*kind.arguments, *leading]
                keywords = [*kind.keywords, *keywords]
                kind = kind.function
            elif isinstance(kind, Static) and isinstance(kind.value, functools.partial):
                own, own_keywords = partial_parts(kind.value, value.func)
                leading, keywords = [*own, *leading], [*own_keywords, *keywords]
                kind = Static(kind.value.func)
            else:
                break
        if not (leading or keywords) or not isinstance(kind, Static):
            return None
        if registry.rule_for(kind.value) is None and not registry.is_pure(kind.value):
            return None
        own_keywords = [(str(k.arg), k.value) for k in value.keywords]
        return Direct(kind.value, (*leading, *value.args), (*keywords, *own_keywords))

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
        module = getattr(value, "__module__", "") or ""
        if module.startswith("autodiff.") and module != equivalent.__module__:
            return None
        if isinstance(value, types.MethodType):
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
            if isinstance(kind, (Array, Sequence)) and argument is call.args[-1]:
                count = self.missing(call, len(found))
                if count == -1:
                    found.append(argument)
                    continue
                if count is not None:
                    found.extend(_item(argument.value, key) for key in range(count))
                    continue
            if not isinstance(kind, Record) or kind.cls is dict or not kind.indexed:
                raise self.unknown_arguments(argument, statement)
            for key in kind.keys:
                found.append(_item(argument.value, key))
        return found

    def missing(self, call: gast.Call, given: int) -> int | None:
        """How many positional parameters a call has left to fill.

        -1: none but `*args`, which takes any number; None where the number is not fixed.
        """
        found = self.function(self.kinds.of(call.func), call.func)
        if found is None or not isinstance(found[0], types.FunctionType):
            return None
        code = found[0].__code__
        if code.co_flags & inspect.CO_VARARGS:
            return -1 if given + len(found[1]) == code.co_argcount else None
        if found[0].__defaults__:
            return None
        return max(0, code.co_argcount - given - len(found[1]))

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


def _makes_functions(function: Any) -> bool:
    """Whether a function defines functions, which it may return for others to call."""
    if isinstance(function, gast.AST):
        body = function.body if isinstance(function.body, list) else [function.body]
        inner = [node for part in body for node in walk(part)]
        return any(isinstance(node, (gast.FunctionDef, gast.Lambda)) for node in inner)
    names = [c.co_name for c in function.__code__.co_consts if isinstance(c, types.CodeType)]
    return any(not name.startswith("<") or name == "<lambda>" for name in names)


def partial_parts(
    value: functools.partial[Any], node: gast.expr
) -> tuple[list[gast.expr], list[tuple[str, gast.expr]]]:
    """The arguments that a partial object holds, as expressions that read them from it."""
    arguments = gast.Attribute(value=node, attr="args", ctx=gast.Load())
    keywords = gast.Attribute(value=node, attr="keywords", ctx=gast.Load())
    return (
        [_held(item, arguments, key) for key, item in enumerate(value.args)],
        [(key, _held(item, keywords, key)) for key, item in value.keywords.items()],
    )


def _held(item: Any, base: gast.expr, key: Any) -> gast.expr:
    if type(item) in (bool, int, float, complex, str, type(None)):
        return gast.Constant(value=item, kind=None)
    return _item(base, key)


def simplified(value: gast.Call, kinds: Kinds) -> Rewrite | None:
    """`d.get(k, default)` of a dict with known keys, `getattr(x, "name")`, as what they come to."""
    function = value.func
    if value.keywords:
        return None
    if isinstance(function, gast.Attribute) and function.attr == "get" and value.args:
        base = kinds.of(function.value)
        key = kinds.of(value.args[0])
        if isinstance(base, Record) and base.cls is dict and isinstance(key, Static):
            if base.get(key.value) is not None:
                return Rewrite(_item(function.value, key.value))
            default = value.args[1] if len(value.args) > 1 else gast.Constant(value=None, kind=None)
            return Rewrite(default)
    callee = kinds.of(function)
    if isinstance(callee, Static) and callee.value is getattr and len(value.args) == 2:
        key = kinds.of(value.args[1])
        if isinstance(key, Static) and isinstance(key.value, str):
            return Rewrite(gast.Attribute(value=value.args[0], attr=key.value, ctx=gast.Load()))
    return None


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


