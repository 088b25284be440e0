"""Which objects from outside the expressions of a text may be, or be a part of.

    w = STATE.w[1:]                 row = TABLE["a"]            def lend():
    w += 1.0      STATE             row[0] = x      TABLE           return W
                                                            lend()[0] = x       W

Names are followed to what they are assigned, calls of the user's functions to what these return.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator
from typing import Any, TypeVar

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.outer_reads import outer_reads
from autodiff.analysis.scope import Scope
from autodiff.errors import AutodiffError
from autodiff.frontend.source import Namespace, source
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import of_class

_LENDING = frozenset(
    "asarray asanyarray ascontiguousarray atleast_1d atleast_2d reshape ravel view transpose "
    "swapaxes moveaxis squeeze expand_dims diagonal flip getattr vars iter next enumerate zip "
    "reversed get setdefault pop items values __getitem__ einsum frombuffer nditer memoryview "
    "broadcast_to broadcast_arrays atleast_3d split array_split hsplit vsplit diag".split()
)
"""Functions and methods whose result may be a part of what they are called on, or with."""


_BINDING: dict[type, tuple[str, str]] = {
    gast.Assign: ("targets", "value"),
    gast.AnnAssign: ("target", "value"),
    gast.NamedExpr: ("target", "value"),
    gast.For: ("target", "iter"),
    gast.comprehension: ("target", "iter"),
    gast.withitem: ("optional_vars", "context_expr"),
}
"""Where the target is, and the value that it is, or is a part of."""


Windows = dict[str, list[tuple[gast.expr, bool]]]


def windows(body: list[Any]) -> Windows:
    """What a local name is (`w = STATE.w`), or what it is a part of, if True (`for w in ROWS`)."""
    found: Windows = {}
    for node in of_class(body, *_BINDING):
        targets, value = (getattr(node, field) for field in _BINDING[node.__class__])
        target = targets[0] if isinstance(targets, list) else targets
        inside = isinstance(node, (gast.For, gast.comprehension)) or isinstance(
            target, (gast.Tuple, gast.List)
        )
        for name in writes(targets) if targets and value else ():
            found.setdefault(name, []).append((value, inside))
    return found


class Reach:
    """Looks at one text; `found` are the objects from outside that were reached."""

    def __init__(
        self,
        sources: Windows,
        namespace: Namespace | Scope,
        defaults: dict[str, Any],
        local: frozenset[str],
    ) -> None:
        self.sources = sources
        self.namespace = namespace
        self.defaults = defaults
        self.local = local
        self.given: frozenset[str] = frozenset()
        self.reached: set[str] = set()
        self.asked: frozenset[int] = frozenset()
        """Functions, by id, of which it is being asked what they return."""
        self.found: list[Any] = []

    def value(self, node: gast.expr) -> Any:
        """What a dotted name from outside means; None where that is not known."""
        path: list[str] = []
        while isinstance(node, gast.Attribute):
            path.append(node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or node.id in self.local:
            return None
        found = self.outside(node.id)
        for attribute in reversed(path):
            found = _attribute(found, attribute)
        return found

    def outside(self, name: str) -> Any:
        with contextlib.suppress(KeyError, ValueError):
            return self.namespace.lookup(name)
        return None

    def reach(self, node: gast.expr) -> None:
        """Note what from outside an expression may be, or be a part of.

        What a list is made of is followed only into what the list holds: it is new itself.
        """
        todo = [(node, False)]
        seen: set[tuple[str, bool]] = set()
        while todo:
            for part, inside in _parts(*todo.pop()):
                if isinstance(part, gast.Call):
                    todo += self.lent(part)
                    continue
                base, attribute = part, ""
                while isinstance(base, gast.Attribute):
                    base, attribute, inside = base.value, base.attr, True
                if base.id in self.local:
                    if (base.id, inside) not in seen:
                        seen.add((base.id, inside))
                        self.reached.add(base.id)
                        sources = self.sources.get(base.id, ())
                        todo += [(value, inside or within) for value, within in sources]
                        self.found += [self.defaults[base.id]] if base.id in self.defaults else []
                    continue
                value = self.outside(base.id)
                is_module = isinstance(value, types.ModuleType)
                self.found.append(getattr(value, attribute, None) if is_module else value)


    def lent(self, call: gast.Call) -> list[tuple[gast.expr, bool]]:
        """Note what from outside a function of the user's may return; the arguments that it may."""
        function = self.value(call.func)
        receiver = getattr(function, "__self__", None)
        function = getattr(function, "__func__", function)
        if not isinstance(function, types.FunctionType) or is_library(module_of(function)):
            return []
        if registry.is_pure(function) or registry.rule_for(function) or id(function) in self.asked:
            return []
        look: Reach | None = None
        with contextlib.suppress(AutodiffError):  # no text: it may return whatever it gets at
            look, tree = looking(function, Reach)
            look.asked = self.asked | {id(function)}
            for node in of_class(tree.body, gast.Return, gast.Yield):
                if node.value is not None:
                    look.reach(gast.Starred(value=node.value, ctx=gast.Load()))
            self.found += look.found
            if look.given.isdisjoint(look.reached):
                return []
        self.found += [read.value for read in outer_reads([function])] if look is None else []
        self.found += [] if receiver is None else [receiver]
        return [(argument, True) for argument in (*call.args, *(k.value for k in call.keywords))]


Looking = TypeVar("Looking", bound="Reach")


def looking(
    function: types.FunctionType, cls: type[Looking]
) -> tuple[Looking, gast.FunctionDef]:
    """What looks at the text of a function, and the text; `AutodiffError` where there is none."""
    read = source(function)
    args, scope = read.tree.args, read.namespace
    positional = [a.id for a in (*args.posonlyargs, *args.args)]
    defaults = dict(zip(reversed(positional), reversed(scope.defaults)))
    given = {**defaults, **scope.kwdefaults}
    look = cls(windows(read.tree.body), scope, given, _bound(read.tree))
    look.given = frozenset(parameters(args))
    return look, read.tree


def _bound(tree: gast.FunctionDef) -> frozenset[str]:
    """The names that a function, or one inside of it, binds for itself."""
    outer = {n for node in of_class(tree.body, gast.Global, gast.Nonlocal) for n in node.names}
    bound = {n.id for n in of_class(tree, gast.Name) if not isinstance(n.ctx, gast.Load)}
    return frozenset(bound - outer)


def _parts(value: gast.expr, inside: bool) -> Iterator[tuple[gast.expr, bool]]:
    """The names, with attributes, that a value is, or is a part of; what it holds, if `inside`."""
    if is_dotted(value):
        yield value, inside
    elif isinstance(value, (gast.Tuple, gast.List, gast.Dict)):
        for item in value.values if isinstance(value, gast.Dict) else value.elts:
            if inside:
                yield from _parts(item, True)
    elif isinstance(value, gast.IfExp):
        yield from _parts(value.body, inside)
        yield from _parts(value.orelse, inside)
    elif isinstance(value, gast.BoolOp):
        for item in value.values:
            yield from _parts(item, inside)
    elif isinstance(value, gast.NamedExpr):
        yield from _parts(value.value, inside)
    elif isinstance(value, (gast.Starred, gast.Attribute, gast.Subscript)):
        yield from _parts(value.value, True)
    elif isinstance(value, gast.Call):
        called = value.func
        if getattr(called, "attr", getattr(called, "id", "")) in _LENDING:
            if isinstance(called, gast.Attribute):
                yield from _parts(called.value, True)
            for argument in value.args:
                yield from _parts(argument, True)
        yield value, inside


def _attribute(value: Any, attribute: str) -> Any:
    """The attribute of a value, found without running a property."""
    if isinstance(value, (types.ModuleType, type)) or is_library(module_of(type(value))):
        return getattr(value, attribute, None)
    held = getattr(value, "__dict__", {})
    if attribute in held:
        return held[attribute]
    found = class_attribute(type(value), attribute)
    if isinstance(found, (staticmethod, classmethod)):
        return found.__func__
    if isinstance(found, types.FunctionType):
        return types.MethodType(found, value)
    return None if hasattr(found, "__get__") else found


def is_dotted(node: Any) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)
