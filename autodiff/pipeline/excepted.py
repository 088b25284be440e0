"""`try` statements whose course the kinds tell become the clause that runs.

    try:                            e is an array:
        e[abs(e) < tol] = 0.0           e[abs(e) < tol] = 0.0
    except TypeError:
        if abs(e) < tol:            e is a number:
            e = 0.0                     if abs(e) < tol:
                                            e = 0.0

So is code written that takes numbers and arrays. Both clauses together would leave the kind of `e`
open, and what half a body changed in place is refused. A NameError tells of a library that is not
installed: here it is.
"""

from __future__ import annotations

import builtins

import gast

from autodiff.analysis.kind import Record, Scalar, Static
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.mistyped import error_of, is_right, is_typed
from autodiff.normalize.rebind import shared, within
from autodiff.normalize.versions import versions
from autodiff.pipeline.unit import Unit
from autodiff.reverse.definitions import certain_before
from autodiff.rules.home import is_library, module_of
from autodiff.syntax.make import make
from autodiff.syntax.names import Names, caught, parameters, reads, store, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import COMPOUND, of_class, shallow, statements

_OF_TYPES = (TypeError, AttributeError)
_HEADER = ("test", "iter", "items")


def excepted(unit: Unit, known: Kinds) -> bool:
    """Replace such statements, outer ones first; whether there were any."""
    changed = False
    while any(_decide(unit, known, own) for own in of_class(unit.tree.body, gast.Try)):
        changed = True
        unit.tree, versioned = versions(unit.tree, unit.names)
        unit.temporaries |= {new for new, old in versioned.items() if old in unit.temporaries}
        known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
    return changed


def _decide(unit: Unit, known: Kinds, statement: gast.Try) -> bool:
    """Put what runs in the place of a `try`, if that is known."""
    classes = [_classes(handler, known) for handler in statement.handlers]
    if not classes or None in classes:
        return False
    caught_classes = [cls for own in classes for cls in own or ()]
    named = [cls for cls in caught_classes if issubclass(cls, NameError)]
    typed = [cls for cls in caught_classes if issubclass(cls, _OF_TYPES)]
    plain = len(named) + len(typed) == len(caught_classes)
    if plain:
        new = _replaced(unit.tree, statement, [*statement.body, *statement.orelse])
        found = kinds(new, unit.given, unit.scope, unit.recursion.result)
        right = not typed or all(is_typed(part, found) for part in statement.body)
        if right and (not named or _are_bound(unit, found, statement)):
            unit.tree = new
            return True
    for error in _OF_TYPES:
        catching = [any(issubclass(error, cls) for cls in own or ()) for own in classes]
        if True not in catching:
            continue
        handler = statement.handlers[catching.index(True)]
        raising = _Raising(known, handler, statement, error, plain)
        run = raising.block(statement.body)
        if run is not None and raising.handler is None:
            unit.tree = _replaced(unit.tree, statement, run)
            return True
        if not reads(handler.body) & caught(handler) and _raises(unit, statement, handler, error):
            unit.tree = _replaced(unit.tree, statement, handler.body)
            return True
    return False


def _raises(
    unit: Unit, statement: gast.Try, handler: gast.ExceptHandler, error: type[Exception]
) -> bool:
    """Whether the first statement of a `try` raises `error`, by the kinds that hold before it.

    `x = x.values` makes `x` something unknown, and so what the handler reads: `known` has one kind
    for a name. Here only the value is asked for, so that `x` stays what it was.
    """
    first = statement.body[0]
    if not isinstance(first, gast.Assign):
        return False
    if not isinstance(first.value, (gast.Attribute, gast.Call)):
        return False
    names = Names(unit.names.taken)
    asked = make(gast.Assign, targets=[store(names.fresh("asked"))], value=first.value)
    asked.origin = origin_of(first)
    tree, _ = versions(_replaced(unit.tree, statement, [asked, *handler.body]), names)
    found = kinds(tree, unit.given, unit.scope, unit.recursion.result)
    return any(
        error_of(part, found) is error
        for part in of_class(tree.body, gast.Assign)
        if writes(part) == writes(asked)
    )


def _are_bound(unit: Unit, known: Kinds, statement: gast.Try) -> bool:
    """Whether all names in the body of a `try` have a value, and all that it calls is NumPy's."""
    certain: dict[int, frozenset[str]] = {}
    certain_before(unit.tree.body, frozenset(parameters(unit.tree.args)), certain)
    for part in statements(statement.body):
        held = part.__dict__
        header = [held[field] for field in _HEADER if field in held]
        read = reads(header) if part.__class__ in COMPOUND else reads(part)
        if not all(_is_known(unit, known, name) for name in read - certain[id(part)]):
            return False
    return all(_is_of_library(known, call) for call in of_class(statement.body, gast.Call))


def _is_known(unit: Unit, known: Kinds, name: str) -> bool:
    if name in known.local:
        return False
    try:
        unit.scope.lookup(name)
    except (KeyError, ValueError):
        return hasattr(builtins, name)
    return True


def _is_of_library(known: Kinds, call: gast.Call) -> bool:
    operation = known.operation(call)
    if operation is not None:
        return operation.pure or is_library(module_of(operation.function))
    kind = known.of(call.func)
    return isinstance(kind, Static) and is_library(module_of(kind.value))


class _Raising:
    """Puts a handler in the place of the statement that raises `error`, if no other raises one.

    `plain`: other errors are not caught, else nothing may come before that statement.
    """

    def __init__(
        self,
        known: Kinds,
        handler: gast.ExceptHandler,
        statement: gast.Try,
        error: type[Exception],
        plain: bool,
    ) -> None:
        self.known = known
        self.error = error
        self.plain = plain
        named = bool(reads(handler.body) & caught(handler))
        self.handler = None if named else handler.body
        self.orelse: list[gast.stmt] | None = statement.orelse

    def block(self, body: list[gast.stmt]) -> list[gast.stmt] | None:
        """What runs of a block at the end of the `try`, None where that is not known."""
        for place, statement in enumerate(body):
            error = error_of(statement, self.known)
            if error is not None:
                raised, self.handler = self.handler, None
                caught_here = error is self.error and raised is not None
                return [*body[:place], *(raised or [])] if caught_here else None
            is_last = place == len(body) - 1
            if is_last and isinstance(statement, gast.If) and self.is_sure(statement.test):
                return self.branch(body, statement)
            if not self.plain or not is_typed(statement, self.known):
                return None
        after, self.orelse = self.orelse, None if self.orelse else []
        return None if after is None else [*body, *after]

    def is_sure(self, test: gast.expr) -> bool:
        """Whether a test is certain to be true or false."""
        is_number = isinstance(self.known.of(test), Scalar)
        return is_right(test, self.known) and (self.plain or is_number)

    def branch(self, body: list[gast.stmt], last: gast.If) -> list[gast.stmt] | None:
        sides = [self.block(side) for side in (last.body, last.orelse)]
        new = shallow(last)
        new.body, new.orelse = (side or [] for side in sides)
        if None in sides:
            return None
        new.body = new.body or [gast.copy_location(gast.Pass(), last)]
        return [*body[:-1], new]


def _classes(handler: gast.ExceptHandler, known: Kinds) -> tuple[type, ...] | None:
    """The classes that a handler catches, None where they are not known."""
    if handler.type is None:
        return (BaseException,)
    kind = known.of(handler.type)
    parts = kind.items if isinstance(kind, Record) else (kind,)
    values = [part.value for part in parts if isinstance(part, Static)]
    found = tuple(value for value in values if isinstance(value, type))
    return found if len(found) == len(parts) else None


def _replaced(
    tree: gast.FunctionDef, statement: gast.Try, by: list[gast.stmt]
) -> gast.FunctionDef:
    """The function with what runs in the place of a `try`, before what runs in any case."""
    if statement.finalbody:
        last = shallow(statement)
        last.body, last.handlers, last.orelse = by, [], []
        by = [last]

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        new = [
            part
            for own in body
            for part in (by if own is statement else [within(own, block)])
        ]
        return shared(new, body)

    found: gast.FunctionDef = within(tree, block)
    return found
