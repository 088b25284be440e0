"""Which objects outside of it a function, or what it calls, may change in place.

    def refill():                   def restart():               def log(step):
        STATE.w += 1.0                  fill(TABLE["w"], 0.0)        STEPS.append(step)

Judged by the text: what is stored into, added to, given to a method or function that changes it is
followed back to the names from outside of which it may be a part. In doubt it is changed.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Iterable, Iterator
from typing import Any

import gast
import numpy as np

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Bound, Kind, Local, Static, Unknown
from autodiff.analysis.known import Kinds
from autodiff.analysis.outer_reads import outer_reads
from autodiff.analysis.purity import CHANGING, READING, may_change_arguments
from autodiff.analysis.scope import Scope
from autodiff.analysis.special import entering_changes, told_operands, truth_changes
from autodiff.errors import AutodiffError
from autodiff.frontend.source import Namespace, source
from autodiff.rules import registry
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.names import parameters, writes
from autodiff.syntax.walk import of_class, walk

_WRITERS = (np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal, setattr)

_LENDING = frozenset(
    "asarray asanyarray ascontiguousarray atleast_1d atleast_2d reshape ravel view transpose "
    "swapaxes moveaxis squeeze expand_dims diagonal flip getattr vars iter next enumerate zip "
    "reversed get setdefault pop items values __getitem__ einsum frombuffer nditer memoryview "
    "broadcast_to broadcast_arrays atleast_3d split array_split hsplit vsplit diag".split()
)
"""Functions and methods whose result may be a part of what they are called on, or with."""


_NEVER_CHANGING = (int, float, complex, str, tuple, np.generic)

_BINDING: dict[type, tuple[str, str]] = {
    gast.Assign: ("targets", "value"),
    gast.AnnAssign: ("target", "value"),
    gast.NamedExpr: ("target", "value"),
    gast.For: ("target", "iter"),
    gast.comprehension: ("target", "iter"),
    gast.withitem: ("optional_vars", "context_expr"),
}
"""Where the target is, and the value that it is, or is a part of."""


def outer_changes(roots: Iterable[Any]) -> list[Any]:
    """The objects outside that running these functions may change: arrays, lists, objects ..."""
    found: list[Any] = []
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        item = todo.pop()
        if isinstance(item, types.MethodType):
            if may_change_arguments(item.__func__, (type(item.__self__),)):
                found.append(item.__self__)
            item = item.__func__
        if isinstance(item, functools.partial):
            if item.func in _WRITERS or may_change_arguments(item.func):
                found += [*item.args, *item.keywords.values()]
            item = item.func
        item = getattr(item, "__wrapped__", item)  # `lru_cache`
        if isinstance(item, type):
            item = class_attribute(item, "__init__")
        elif not isinstance(item, types.FunctionType):
            method = class_attribute(type(item), "__call__")
            if isinstance(method, types.FunctionType):
                found += [item] if may_change_arguments(method, (type(item),)) else []
                item = method
        if not isinstance(item, types.FunctionType) or id(item) in seen:
            continue
        seen.add(id(item))
        if is_library(module_of(item)) or registry.is_pure(item) or registry.rule_for(item):
            continue
        try:
            look, tree = _of(item)
        except AutodiffError:  # no text: it may do anything with what it reads
            if "<string>" not in item.__code__.co_filename:  # as a dataclass's own `__init__` is
                found += [name.value for name in outer_reads([item])]
            continue
        look.changed(tree.body)
        found += look.found
        todo += look.called
    return found


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


def changed_by(node: gast.AST, sources: Windows, kinds: Kinds) -> list[Any]:
    """The objects outside of a function in normal form that a part of its text may change.

    sources: the `windows` of the function.
    """
    look = _Look(sources, kinds.scope, {}, kinds.local)
    look.stored([node])
    for part in walk(node):
        if isinstance(part, gast.Call):
            look.call(part, kinds.of(part.func))
            for argument in (part.func, *part.args, *(k.value for k in part.keywords)):
                look.handed(kinds.of(argument))
        operands = told_operands(part, kinds)
        if isinstance(part, gast.withitem) and entering_changes(part.context_expr, kinds):
            operands = [part.context_expr]
        for operand in operands:
            look.reach(operand)
    if isinstance(node, gast.expr) and truth_changes(node, kinds):  # it is a test
        look.reach(node)
    return [*look.found, *outer_changes(look.called)]


class _Look:
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
        self.called: list[Any] = []

    def changed(self, body: list[Any]) -> None:
        """Note what is stored into and called anywhere in a text."""
        self.stored(body)
        for node in of_class(body, gast.Call):
            self.call(node)

    def stored(self, body: list[Any]) -> None:
        for node in of_class(body, gast.Subscript, gast.AugAssign):
            if isinstance(node, gast.AugAssign):
                if not isinstance(self.value(node.target), _NEVER_CHANGING):
                    self.reach(node.target)
            elif isinstance(node.ctx, (gast.Store, gast.Del)):
                self.reach(node.value)

    def call(self, node: gast.Call, kind: Kind | None = None) -> None:
        """Note what a call may change; `kind` is that of what is called, where it is local."""
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        function = kind.value if isinstance(kind, Static) else self.value(node.func)
        for keyword in node.keywords:
            if keyword.arg == "out":
                self.reach(keyword.value)
        if isinstance(function, np.ufunc):
            for extra in node.args[function.nin :]:
                self.reach(extra)
        elif isinstance(node.func, gast.Attribute) and _is_unseen(function):
            if node.func.attr not in READING:
                self.reach(node.func.value)
        if _is_unbound(function) or any(function is writer for writer in _WRITERS):
            for argument in given[:1] if node.args else given:
                self.reach(argument)
        elif function is not None:
            self.called.append(function)
            plain = getattr(function, "__func__", function)
            if not is_library(module_of(function)) and may_change_arguments(plain):
                for argument in given:
                    if not _is_dotted(argument) or not callable(self.value(argument)):
                        self.reach(argument)
        elif isinstance(node.func, gast.Name) and (kind is None or type(kind) is Unknown):
            # what is called is only known when it runs
            for argument in given:
                self.reach(argument)
            for source, _ in self.sources.get(node.func.id, ()):
                if isinstance(source, gast.Attribute) and source.attr not in READING:
                    self.reach(source.value)  # `put = LOG.append`
        for argument in given:  # a function that is handed on may be run
            handed = self.value(argument) if _is_dotted(argument) else None
            if callable(handed):
                self.called.append(handed)

    def handed(self, kind: Kind | None) -> None:
        """A function that is defined inside, or bound to arguments: what it is given is run."""
        given: list[gast.expr] = []
        while isinstance(kind, Bound):
            given += [*kind.arguments, *(value for _, value in kind.keywords)]
            kind = kind.function
        if isinstance(kind, Local):
            self.changed([kind.node])
        elif given and isinstance(kind, Static):
            self.called.append(kind.value)
            values = [self.value(part) if _is_dotted(part) else None for part in given]
            classes = [None if value is None else type(value) for value in values]
            if not may_change_arguments(kind.value, classes):
                return
        for part in given:
            self.reach(part)

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
        look: _Look | None = None
        with contextlib.suppress(AutodiffError):  # no text: it may return whatever it gets at
            look, tree = _of(function)
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


def _of(function: types.FunctionType) -> tuple[_Look, gast.FunctionDef]:
    """What looks at the text of a function, and the text; `AutodiffError` where there is none."""
    read = source(function)
    args, scope = read.tree.args, read.namespace
    positional = [a.id for a in (*args.posonlyargs, *args.args)]
    defaults = dict(zip(reversed(positional), reversed(scope.defaults)))
    given = {**defaults, **scope.kwdefaults}
    look = _Look(windows(read.tree.body), scope, given, _bound(read.tree))
    look.given = frozenset(parameters(args))
    return look, read.tree


def _bound(tree: gast.FunctionDef) -> frozenset[str]:
    """The names that a function, or one inside of it, binds for itself."""
    outer = {n for node in of_class(tree.body, gast.Global, gast.Nonlocal) for n in node.names}
    bound = {n.id for n in of_class(tree, gast.Name) if not isinstance(n.ctx, gast.Load)}
    return frozenset(bound - outer)


def _parts(value: gast.expr, inside: bool) -> Iterator[tuple[gast.expr, bool]]:
    """The names, with attributes, that a value is, or is a part of; what it holds, if `inside`."""
    if _is_dotted(value):
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


def _is_unseen(function: Any) -> bool:
    """Whether a function is a method that is not written in Python, or not known."""
    if function is None:
        return True
    owner = getattr(function, "__self__", None)
    is_built_in = isinstance(function, (types.BuiltinMethodType, types.MethodWrapperType))
    return is_built_in and not isinstance(owner, (types.ModuleType, type(None)))


def _is_unbound(function: Any) -> bool:
    """Whether a function changes its first argument: `list.append`, `np.add.at`."""
    own = getattr(function, "__name__", "")
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return own == "at"
    if getattr(function, "__module__", None) == "_operator":
        return own in ("setitem", "delitem") or own[:1] == "i" and own not in _READING_OPERATORS
    return isinstance(function, types.MethodDescriptorType) and own in CHANGING


_READING_OPERATORS = ("is_", "is_not", "index", "indexOf", "inv", "invert", "itemgetter")


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


def _is_dotted(node: Any) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)
