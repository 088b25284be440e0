"""Calls of checkpointed functions, and of what computes their adjoints, as compiled functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autodiff.analysis.kind import UNKNOWN, Kind, Record, Scalar, Static
from autodiff.compiled import Compiled
from autodiff.native.helpers import UNCHANGING
from autodiff.native.source import Source
from autodiff.native.values import NativeKinds, wide
from autodiff.optimize.change import changed, map_parts
from autodiff.pipeline.request import Mode, Request
from autodiff.recursion import alike
from autodiff.reverse.helpers import Helpers
from autodiff.rules import registry
from autodiff.syntax.walk import walk


def recomputed(
    tree: gast.FunctionDef,
    known: NativeKinds,
    helpers: Helpers,
    source: Source,
    request: Request,
    compiled: Callable[..., Compiled],
) -> gast.FunctionDef:
    """What Python computes again by a pullback, compiled code computes by a function of the seed.

    y = layer(x, w)                                       y = layer_value(x, w)
    x_bar, w_bar = layer.adjoints(                        x_bar, w_bar = layer_adjoints(
        y_bar, y, x, w, wrt=("x", "w"))                       x, w, y_bar)
    """
    calls = _Calls(known, helpers, source, request, compiled)
    if not any(isinstance(n, gast.Call) and calls.original(_callee(n)) for n in walk(tree)):
        return tree
    result: gast.FunctionDef = calls.visit(tree)
    return result


def _callee(node: gast.Call) -> gast.expr:
    """The name of the checkpointed function, if it is one."""
    function = node.func
    inner = isinstance(function, gast.Attribute) and function.attr == "adjoints"
    return function.value if inner else function


class _Calls:
    def __init__(
        self,
        known: NativeKinds,
        helpers: Helpers,
        source: Source,
        request: Request,
        compiled: Callable[..., Compiled],
    ) -> None:
        self.known = known
        self.helpers = helpers
        self.source = source
        self.request = request
        self.compiled = compiled
        self.made: dict[tuple[object, ...], Any] = {}

    def original(self, function: gast.expr) -> Any:
        """The function that a checkpointed one computes; None for any other."""
        kind = self.known.of(function)
        if not isinstance(kind, Static):
            return None
        original = registry.original(kind.value)
        return None if original is kind.value else original

    def visit(self, node: Any) -> Any:
        new = map_parts(self.visit, node)
        if isinstance(node, gast.Assign):
            self.define(new.targets[0], self.known.of(new.value))
        original = self.original(_callee(node)) if isinstance(node, gast.Call) else None
        if original is None:
            return new
        own = [*inspect.signature(original).parameters]
        if _callee(node) is node.func:
            return self.value(node, new, original, own)
        return self.adjoints(node, new, original, own)

    def define(self, target: gast.expr, kind: Kind | None) -> None:
        """Names of unknown kind have one now if they are bound to adjoints."""
        if isinstance(target, gast.Tuple) and isinstance(kind, Record):
            for inner, item in zip(target.elts, kind.items):
                self.define(inner, item)
        elif isinstance(target, gast.Name) and kind is not None:
            if self.known.names.get(target.id) == UNKNOWN:
                self.known.names[target.id] = kind

    def value(self, node: gast.Call, new: gast.Call, original: Any, own: list[str]) -> gast.expr:
        given = dict(zip(own, new.args)) | {str(k.arg): k.value for k in new.keywords}
        if given.keys() != set(own):
            return new  # `fence` refuses it
        arguments = [given[parameter] for parameter in own]
        function = self.function(original, "value", tuple(own), arguments)
        return self.call(node, new, function, arguments, self.known.of(node))

    def adjoints(self, node: gast.Call, new: gast.Call, original: Any, own: list[str]) -> gast.expr:
        bar, _, *arguments = new.args
        wrt = tuple(item.value for item in new.keywords[0].value.elts)
        function = self.function(original, "adjoints", wrt, arguments)
        kinds = [_adjoint(self.known.known(arguments[own.index(name)])) for name in wrt]
        whole = Record(tuple, tuple(range(len(wrt))), tuple(kinds))
        if len(wrt) > 1:
            return self.call(node, new, function, [*arguments, bar], whole)
        call = self.call(node, new, function, [*arguments, bar], whole)
        part = gast.Subscript(value=call, slice=gast.Constant(0, None), ctx=gast.Load())
        self.known.given[id(part)] = part, kinds[0]
        return part

    def call(
        self,
        node: gast.Call,
        new: gast.Call,
        function: Any,
        arguments: list[gast.expr],
        kind: Kind | None,
    ) -> gast.expr:
        use = self.helpers.use(function.__name__, function)
        call: gast.expr = changed(new, func=use, args=arguments, keywords=[])
        self.known.given[id(call)] = call, kind
        return call

    def function(
        self, original: Any, mode: Mode, wrt: tuple[str, ...], arguments: list[gast.expr]
    ) -> Any:
        kinds = tuple(map(wide, alike([*map(self.known.known, arguments)])))
        key = (original, mode, wrt, kinds)
        if key not in self.made:
            asked = replace(self.request, mode=mode, wrt=wrt, has_aux=False, kinds=kinds)
            found = self.compiled(original, asked, titles=self.source.titles)
            self.source.include(found)
            UNCHANGING.add(found.native)
            self.made[key] = found.native
        return self.made[key]


def _adjoint(kind: Kind) -> Kind:
    return Scalar("float") if isinstance(kind, Scalar) else kind
