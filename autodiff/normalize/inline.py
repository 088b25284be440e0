"""Calls of user functions become their bodies.

    y = scale(x, 2.0)          where    def scale(v, factor=3.0):
                                            return v * factor
becomes
    y = x * 2.0

The body is the function's own normal form, its names made fresh. What its globals and closure cells
mean is kept: names that mean something else here are reached through a compiler helper.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.errors import UnsupportedSyntaxError
from autodiff.frontend.source import MARK
from autodiff.normalize.making import make
from autodiff.normalize.settled import settled
from autodiff.normalize.sites import (
    Callee,
    Converted,
    Direct,
    Dispatch,
    Make,
    Replacement,
    Rewrite,
    Site,
)
from autodiff.normalize.sugar.grouping import may_suppress
from autodiff.normalize.sugar.inserting import asked_for
from autodiff.syntax.names import (
    Names,
    assigned_last,
    bound_inside,
    captured,
    name,
    parameters,
    reads,
    rename,
    store,
    substitute,
    writes,
)
from autodiff.syntax.origin import Entry, entered, origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, map_children, statements


class Inliner:
    """Replaces calls in one function; `resolve` says what a call calls, None to leave it."""

    def __init__(
        self,
        names: Names,
        scope: Any,
        local: set[str],
        resolve: Callable[[gast.stmt, gast.expr], Replacement | None],
    ) -> None:
        self.names = names
        self.scope = scope
        self.local = local
        self.resolve = resolve
        self.changed = False
        self.temporaries: set[str] = set()
        self.chains: dict[int, tuple[Any, ...]] = {}
        self.guards: list[tuple[Any, str, Any]] = []
        self.original: dict[str, str] = {}
        self.guarded = 0
        self.decide: Callable[..., bool | None] = lambda callee, test, given: None
        """Tells the outcome of a callee's test by the arguments in it, None if it is not known."""
        self.inside: set[str] = set()
        """What functions and comprehensions bind in the body that is being inlined."""

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """The block with its calls inlined, one level deep."""
        out: list[gast.stmt] = []
        for statement in statements:
            if isinstance(statement, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
                out.append(self.compound(statement))
                continue
            value = getattr(statement, "value", None)
            if isinstance(statement, (gast.Assign, gast.Expr)) and value is not None:
                site = self.resolve(statement, value)
                if site is not None:
                    self.changed = True
                    out.extend(_REPLACE[type(site)](self, statement, site))
                    continue
            out.append(statement)
        return out

    def compound(self, statement: gast.stmt) -> gast.stmt:
        new = map_children(lambda child: child, statement)
        guards = isinstance(new, gast.Try) or (isinstance(new, gast.With) and may_suppress(new))
        for field in ("body", "orelse", "finalbody"):
            if getattr(new, field, None):
                self.guarded += guards and field == "body"
                setattr(new, field, self.block(getattr(new, field)))
                self.guarded -= guards and field == "body"
        if isinstance(new, gast.Try):
            new.handlers = [self.compound(handler) for handler in new.handlers]
        return new

    def rewrite(self, statement: gast.stmt, site: Rewrite) -> list[gast.stmt]:
        """The same statement with a simpler value."""
        return [self.with_value(statement, site.value)]

    def with_value(self, statement: gast.stmt, value: gast.expr) -> gast.stmt:
        gast.copy_location(value, statement.value)
        new = map_children(lambda child: child, statement)
        new.value = value
        self.chains[id(new)] = self.chains.get(id(statement), ())
        return new

    def convert(self, statement: gast.stmt, site: Converted) -> list[gast.stmt]:
        """The operation on arrays that are made of lists."""
        out: list[gast.stmt] = []
        arrays: dict[str, gast.expr] = {}
        for operand in site.operands:
            own = self.names.fresh(f"{operand}_array")
            self.local.add(own)
            self.temporaries.add(own)
            arrays[operand] = name(own)
            value = quote("np.asarray(x)", np=self.helper("np", np), x=name(operand))
            assignment = gast.Assign(targets=[store(own)], value=value)
            gast.copy_location(assignment, statement)
            assignment.origin = origin_of(statement)
            self.chains[id(assignment)] = self.chains.get(id(statement), ())
            out.append(assignment)
        return [*out, self.with_value(statement, substitute(statement.value, arrays))]

    def dispatch(self, statement: gast.stmt, site: Dispatch) -> list[gast.stmt]:
        """`y = f(x)` as `if f is a: y = a(x)` and so on; the last option needs no test."""
        block: list[gast.stmt] = []
        for option in reversed(site.options):
            own = name(option) if isinstance(option, str) else self.helper(option.__name__, option)
            call = map_children(lambda child: child, statement.value)
            call.func = own
            last = self.with_value(clone(statement), call)
            if not block:
                block = [last]
                continue
            test = gast.Compare(left=clone(site.callee), ops=[gast.Is()], comparators=[own])
            branch = gast.If(test=test, body=[last], orelse=block)
            branch.origin = origin_of(statement)
            block = [branch]
        return block

    def direct(self, statement: gast.stmt, site: Direct) -> list[gast.stmt]:
        """The same statement, calling the function itself rather than a method or partial."""
        function = self.helper(site.function.__name__, site.function)
        keywords = [gast.keyword(arg=key, value=value) for key, value in site.keywords]
        call = gast.Call(func=function, args=list(site.arguments), keywords=keywords)
        return [self.with_value(statement, call)]

    def splice(self, statement: gast.stmt, site: Site) -> list[gast.stmt]:
        callee = site.callee
        before, bound = self.bind(statement, site)
        decide = partial(self.decide, callee)
        body, bound = settled(callee.body(statement), bound, decide, self.scope.by_kinds)
        returned = body.pop() if body and isinstance(body[-1], gast.Return) else None
        mapping, expressions = self.naming(statement, callee, body, returned, bound, before)
        chain = (*self.chains.get(id(statement), ()), callee.identity)
        out = list(before)
        for inner in body:
            new = rename(inner, mapping)
            if expressions:
                new = substitute(new, expressions)
            self.follow(new, chain, site.entry)
            out.append(new)
        value: gast.expr = gast.Constant(value=None, kind=None)
        if returned is not None and returned.value is not None:
            value = rename(returned.value, mapping)
            value = substitute(value, expressions) if expressions else value
        if isinstance(statement, gast.Assign):
            target = statement.targets[0]
            if not (isinstance(target, gast.Name) and isinstance(value, gast.Name)) or (
                target.id != value.id
            ):
                last = gast.Assign(targets=[clone(target)], value=value)
                gast.copy_location(last, statement)
                last.origin = origin_of(returned) if returned is not None else origin_of(statement)
                out.append(last)
        return out

    def carry(self, old: gast.stmt, new: gast.stmt) -> None:
        """What is known of the statements in `old` holds for their copies in `new`."""
        for before, after in zip(statements(old), statements(new)):
            if id(before) in self.chains:
                self.chains[id(after)] = self.chains[id(before)]

    def follow(
        self, statement: gast.stmt, chain: tuple[Any, ...], entry: Entry | None = None
    ) -> None:
        for inner in statements(statement):
            self.chains[id(inner)] = chain
            if entry is not None:
                inner.origin = entered(origin_of(inner), entry)

    def naming(
        self,
        statement: gast.stmt,
        callee: Callee,
        body: list[gast.stmt],
        returned: gast.Return | None,
        bound: dict[str, gast.expr],
        before: list[gast.stmt],
    ) -> tuple[dict[str, str], dict[str, gast.expr]]:
        """New names for the callee's own, and expressions for its parameters and globals."""
        own = writes(body)
        kept_alive, asked = captured(body), asked_for(body)
        self.inside = bound_inside([*body, returned] if returned is not None else body)
        self.names.taken |= self.inside
        mapping, expressions = dict[str, str](), dict[str, gast.expr]()
        result = self.result_name(statement, body, returned, own, bound)
        if result is not None:
            mapping[result[0]] = result[1]
        for parameter, value in bound.items():
            simple = isinstance(value, (gast.Name, gast.Constant, gast.Attribute))
            simple = simple and parameter not in own | kept_alive | asked
            if simple and not reads(value) & self.inside:
                expressions[parameter] = value
                continue
            fresh = self.fresh(parameter, callee)
            mapping[parameter] = fresh
            assignment = gast.Assign(targets=[store(fresh)], value=clone(value))
            gast.copy_location(assignment, statement)
            assignment.origin = origin_of(statement)
            self.chains[id(assignment)] = self.chains.get(id(statement), ())
            before.append(assignment)
        for identifier in sorted(own - set(mapping) - set(bound)):
            mapping[identifier] = self.fresh(identifier, callee)
        self.scope.framed |= {mapping[n] for n in kept_alive if n in mapping}
        free = reads(body) | (reads(returned) if returned is not None else set())
        for identifier in sorted(free - own - set(bound)):
            expression = None
            if identifier.startswith(MARK):
                word = identifier.removeprefix(MARK)
                expression = self.helper(word, getattr(runtime, word))
            elif callee.namespace is not None:
                expression = self.free(identifier, callee.namespace)
            if expression is not None:
                expressions[identifier] = expression
            else:  # read by its own name from here on, which no local may get
                self.names.taken.add(identifier)
        # Renaming comes first; what is to be substituted gets a name that no renamed local has.
        mapping.update({key: f"<{key}>" for key in expressions})
        return mapping, {f"<{key}>": value for key, value in expressions.items()}

    def result_name(
        self,
        statement: gast.stmt,
        body: list[gast.stmt],
        returned: gast.Return | None,
        own: set[str],
        bound: dict[str, gast.expr],
    ) -> tuple[str, str] | None:
        """The callee's result may be computed directly in the variable that receives it.

        In a `try` only if that is the last thing the callee does: should it raise, nothing is
        received.
        """
        if returned is None or not isinstance(statement, gast.Assign):
            return None
        target, value = statement.targets[0], returned.value
        if not (isinstance(target, gast.Name) and isinstance(value, gast.Name)):
            return None
        if value.id not in own or value.id in bound or target.id in self.inside:
            return None
        if any(target.id in reads(argument) for argument in bound.values()) or (
            self.guarded and not assigned_last(body, value.id)
        ):
            return None
        return value.id, target.id

    def fresh(self, identifier: str, callee: Callee) -> str:
        new = self.names.fresh(identifier)
        self.local.add(new)
        if identifier in callee.temporaries:
            self.temporaries.add(new)
        return new

    def free(self, identifier: str, namespace: Any) -> gast.expr | None:
        """What a global of the callee is here; None where its own name says it."""
        try:
            value = namespace.lookup(identifier)
        except (KeyError, ValueError):  # a global that a call is still to bind, if any
            is_same = namespace.globals is self.scope.namespace.globals
            return None if is_same else self.attribute(identifier, namespace)
        self.guards.append((namespace, identifier, value))
        if identifier == "__class__":
            return self.helper(value.__name__, value)
        if identifier not in self.local:
            try:
                if self.scope.lookup(identifier) is value:
                    return None
            except (KeyError, ValueError):
                pass
        cell = namespace.cells.get(identifier)
        if cell is None and not isinstance(value, (types.ModuleType, type)) and not callable(value):
            if (found := self.attribute(identifier, namespace)) is not None:
                return found
        return self.helper(identifier, value if cell is None else cell)

    def attribute(self, identifier: str, namespace: Any) -> gast.expr | None:
        """A global of another module, as that module's attribute."""
        module = sys.modules.get(namespace.globals.get("__name__", ""))
        if module is None or vars(module) is not namespace.globals:
            return None
        base = self.helper(module.__name__.rpartition(".")[2], module)
        return gast.Attribute(value=base, attr=identifier, ctx=gast.Load())

    def helper(self, identifier: str, value: Any) -> gast.expr:
        identifier = identifier if identifier.isidentifier() else "function"
        for other, present in self.scope.helpers.items():
            if present is value and other not in self.inside:
                return name(other)
        if identifier in self.names.taken:
            try:
                taken = identifier in self.local or self.scope.lookup(identifier) is not value
            except (KeyError, ValueError):
                taken = identifier in self.local
            new = self.names.fresh(identifier) if taken else identifier
        else:
            new = self.names.fresh(identifier)
        self.scope.helpers[new] = value
        return name(new)

    def bind(
        self, statement: gast.stmt, site: Site
    ) -> tuple[list[gast.stmt], dict[str, gast.expr]]:
        """The expression of each parameter, as Python binds a call."""
        arguments = site.callee.tree.args
        positional = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
        given: list[gast.expr] = [*site.leading, *site.arguments]
        spread = [number for number, g in enumerate(given) if isinstance(g, gast.Starred)]
        if spread and (spread != [len(positional)] or len(given) != len(positional) + 1):
            raise self.misfit(statement, site, "gets a starred argument of unknown length")
        bound: dict[str, gast.expr] = dict(zip(positional, given))
        rest = given[len(positional) :]
        extra: dict[str, gast.expr] = {}
        allowed = {a.id for a in (*arguments.args, *arguments.kwonlyargs)}
        for key, value in site.keywords:
            if key in allowed and key not in bound:
                bound[key] = value
            elif arguments.kwarg is not None and key not in allowed:
                extra[key] = value
            else:
                raise self.misfit(statement, site, f"got the argument `{key}` twice or in vain")
        if arguments.vararg is not None and len(rest) == 1 and isinstance(rest[0], gast.Starred):
            function = gast.Name(id="tuple", ctx=gast.Load(), annotation=None, type_comment=None)
            bound[arguments.vararg.id] = gast.Call(func=function, args=[rest[0].value], keywords=[])
        elif arguments.vararg is not None:
            bound[arguments.vararg.id] = gast.Tuple(elts=rest, ctx=gast.Load())
        elif rest:
            raise self.misfit(statement, site, f"takes {len(positional)} positional arguments")
        if arguments.kwarg is not None:
            keys = [gast.Constant(value=key, kind=None) for key in extra]
            bound[arguments.kwarg.id] = gast.Dict(keys=keys, values=list(extra.values()))
        for parameter in parameters(arguments):
            if parameter not in bound:
                if parameter not in site.callee.defaults:
                    raise self.misfit(statement, site, f"needs the argument `{parameter}`")
                bound[parameter] = self.default(parameter, site.callee.defaults[parameter])
        return [], bound

    def default(self, parameter: str, value: Any) -> gast.expr:
        if isinstance(value, gast.AST):
            return value
        if value is None or type(value) in (bool, int, float, complex, str):
            return gast.Constant(value=value, kind=None)
        if type(value) is tuple and not value:
            return gast.Tuple(elts=[], ctx=gast.Load())
        return self.helper(f"{parameter}_default", value)

    def misfit(self, statement: gast.stmt, site: Site, why: str) -> Exception:
        return UnsupportedSyntaxError(
            f"this call does not fit the function `{site.callee.tree.name}`",
            origin_of(statement),
            why=f"`{site.callee.tree.name}` {why}",
            cure="call it as its signature says",
        )


_REPLACE: dict[type, Callable[[Inliner, gast.stmt, Any], list[gast.stmt]]] = {
    Site: Inliner.splice,
    Direct: Inliner.direct,
    Dispatch: Inliner.dispatch,
    Rewrite: Inliner.rewrite,
    Converted: Inliner.convert,
    Make: make,
}
