"""A `match` statement becomes a chain of `if` statements.

    match shape:                          if isinstance(shape, Circle):
        case Circle(radius=r):                r = shape.radius
            area = np.pi * r ** 2             area = np.pi * r ** 2
        case (w, h) if w > 0:             else:
            area = w * h                      ...

First a test without effects, then the names are bound, then the guard is asked: Python's order.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import gast

from autodiff.normalize.build import assign, branch, call, compare, constant, effect, item, method
from autodiff.normalize.sugar.context import IS_MAPPING, IS_SEQUENCE, Context
from autodiff.syntax.names import name, writes
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import clone

Statements = list[gast.stmt]
_WHOLE = {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str"}
_WHOLE.add("tuple")  # `case float(v)` binds the value itself


def matched(statement: Any, context: Context) -> Statements | None:
    """The whole `match` statement."""
    origin = origin_of(statement)
    subject = statement.subject
    made: Statements = []
    bound = {n for case in statement.cases for n in _captures(case.pattern)}
    changed = bound | {n for case in statement.cases if case.guard for n in writes(case.guard)}
    if not isinstance(subject, gast.Name) or subject.id in changed:
        is_atom = isinstance(subject, gast.Name)
        saved = context.temporary(f"{subject.id}_subject" if is_atom else "subject")
        made, subject = [assign(saved, subject, origin)], name(saved)
    return made + _cases(statement.cases, subject, context, origin)


def _cases(
    cases: list[Any], subject: gast.expr, context: Context, origin: Origin | None
) -> Statements:
    if not cases:
        return []
    case, *others = cases
    pattern = _Pattern(context, origin)
    tests = pattern.tests(case.pattern, subject)
    binds = pattern.binds(case.pattern, subject)
    guard = case.guard
    if guard is None or not binds:
        if guard is not None:
            tests = [*tests, guard]
        body = [*binds, *case.body]
        if not tests:
            return body
        return [branch(_all(tests), body, _cases(others, subject, context, origin), origin)]
    holds = context.temporary("matches")
    asked = [*binds, assign(holds, call("bool", guard), origin)]
    if tests:
        asked = [assign(holds, _all(tests), origin), branch(name(holds), asked, [], origin)]
    rest = _cases(others, subject, context, origin)
    return [*asked, branch(name(holds), case.body, rest, origin)]


def _all(tests: list[gast.expr]) -> gast.expr:
    return tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)


def _captures(pattern: Any) -> set[str]:
    found = {pattern.rest} if isinstance(pattern, gast.MatchMapping) and pattern.rest else set()
    return found | writes(pattern)


class _Pattern:
    """Tests and bindings of a pattern at a place, which is an expression without effects."""

    def __init__(self, context: Context, origin: Origin | None) -> None:
        self.context = context
        self.origin = origin

    def tests(self, pattern: Any, at: gast.expr) -> list[gast.expr]:
        """What must hold for the pattern to match, in order; nothing if it always does."""
        if isinstance(pattern, gast.MatchAs):
            return [] if pattern.pattern is None else self.tests(pattern.pattern, at)
        if isinstance(pattern, gast.MatchStar):
            return []
        if isinstance(pattern, gast.MatchValue):
            return [compare(clone(at), gast.Eq(), clone(pattern.value))]
        if isinstance(pattern, gast.MatchSingleton):
            return [compare(clone(at), gast.Is(), constant(pattern.value))]
        if isinstance(pattern, gast.MatchOr):
            alternatives = [self.tests(part, at) for part in pattern.patterns]
            if not all(alternatives):
                return []
            return [gast.BoolOp(op=gast.Or(), values=[_all(tests) for tests in alternatives])]
        own = self.own_tests(pattern, at)
        for part, place in self.parts(pattern, at):
            own.extend(self.tests(part, place))
        return own

    def own_tests(self, pattern: Any, at: gast.expr) -> list[gast.expr]:
        """The tests of the outermost layer: type, length, keys, attributes."""
        if isinstance(pattern, gast.MatchSequence):
            stars = sum(isinstance(part, gast.MatchStar) for part in pattern.patterns)
            wanted = constant(len(pattern.patterns) - stars)
            length = compare(call("len", clone(at)), gast.GtE() if stars else gast.Eq(), wanted)
            return [call(IS_SEQUENCE, clone(at)), length]
        if isinstance(pattern, gast.MatchMapping):
            inside = [compare(clone(key), gast.In(), clone(at)) for key in pattern.keys]
            return [call(IS_MAPPING, clone(at)), *inside]
        tests: list[gast.expr] = [call("isinstance", clone(at), clone(pattern.cls))]
        known = self.fields(pattern.cls)
        for attribute in pattern.kwd_attrs:
            if attribute not in known:
                tests.append(call("hasattr", clone(at), constant(attribute)))
        return tests

    def parts(self, pattern: Any, at: gast.expr) -> list[tuple[Any, gast.expr]]:
        """The patterns inside with their places."""
        if isinstance(pattern, gast.MatchSequence):
            return self.sequence_parts(pattern.patterns, at)
        if isinstance(pattern, gast.MatchMapping):
            return [
                (part, item(clone(at), clone(key)))
                for key, part in zip(pattern.keys, pattern.patterns)
            ]
        if isinstance(pattern, gast.MatchClass):
            positional = [
                (part, self.positional(pattern.cls, number, at))
                for number, part in enumerate(pattern.patterns)
            ]
            named = [
                (part, gast.Attribute(value=clone(at), attr=attribute, ctx=gast.Load()))
                for attribute, part in zip(pattern.kwd_attrs, pattern.kwd_patterns)
            ]
            return positional + named
        return []

    def sequence_parts(self, parts: list[Any], at: gast.expr) -> list[tuple[Any, gast.expr]]:
        """The items of a sequence pattern; those after a star are counted from the end."""
        found = []
        is_late = False
        for position, part in enumerate(parts):
            if isinstance(part, gast.MatchStar):
                is_late = True
                after = len(parts) - position - 1
                upper = gast.UnaryOp(op=gast.USub(), operand=constant(after)) if after else None
                lower = constant(position) if position else None
                place: gast.expr = gast.Slice(lower=lower, upper=upper, step=None)
            elif is_late:
                place = gast.UnaryOp(op=gast.USub(), operand=constant(len(parts) - position))
            else:
                place = constant(position)
            found.append((part, item(clone(at), place)))
        return found

    def binds(self, pattern: Any, at: gast.expr) -> Statements:
        """The assignments that a match makes."""
        if isinstance(pattern, gast.MatchStar):
            return (
                [assign(pattern.name, call("list", clone(at)), self.origin)] if pattern.name else []
            )
        if isinstance(pattern, gast.MatchAs):
            inner = [] if pattern.pattern is None else self.binds(pattern.pattern, at)
            own = [assign(pattern.name, clone(at), self.origin)] if pattern.name else []
            return inner + own
        if isinstance(pattern, gast.MatchOr):
            return self.alternatives(pattern.patterns, at)
        made = [s for part, place in self.parts(pattern, at) for s in self.binds(part, place)]
        if isinstance(pattern, gast.MatchMapping) and pattern.rest:
            made.extend(self.remaining(pattern, at))
        return made

    def alternatives(self, patterns: list[Any], at: gast.expr) -> Statements:
        """Whichever alternative matches says where the names come from."""
        if not _captures(patterns[0]):
            return []
        made: Statements = self.binds(patterns[-1], at)
        for part in reversed(patterns[:-1]):
            tests = self.tests(part, at)
            binds = self.binds(part, at)
            made = [branch(_all(tests), binds, made, self.origin)] if tests else binds
        return made

    def remaining(self, pattern: Any, at: gast.expr) -> Statements:
        """`**rest`: a new dictionary without the keys of the pattern."""
        rest = pattern.rest
        removed = [method(name(rest), "pop", clone(key)) for key in pattern.keys]
        return [
            assign(rest, call("dict", clone(at)), self.origin),
            *(effect(value, self.origin) for value in removed),
        ]

    def positional(self, cls: gast.expr, number: int, at: gast.expr) -> gast.expr:
        """Where the positional pattern of that number looks."""
        if isinstance(cls, gast.Name) and cls.id in _WHOLE and self.context.is_builtin(cls.id):
            return clone(at)
        known = getattr(self.resolved(cls), "__match_args__", None)
        if isinstance(known, tuple) and number < len(known):
            return gast.Attribute(value=clone(at), attr=known[number], ctx=gast.Load())
        arguments = gast.Attribute(value=clone(cls), attr="__match_args__", ctx=gast.Load())
        return call("getattr", clone(at), item(arguments, constant(number)))

    def resolved(self, cls: gast.expr) -> object:
        """The class that a pattern names, as far as the caller can tell; else None."""
        path = []
        while isinstance(cls, gast.Attribute):
            path.append(cls.attr)
            cls = cls.value
        lookup = self.context.lookup
        if lookup is None or not isinstance(cls, gast.Name) or cls.id in self.context.bound:
            return None
        try:
            found = lookup(cls.id)
        except KeyError:
            return None
        for attribute in reversed(path):
            found = getattr(found, attribute, None)
        return found

    def fields(self, cls: gast.expr) -> set[str]:
        """Attributes that every instance is known to have."""
        found = self.resolved(cls)
        if isinstance(found, type) and dataclasses.is_dataclass(found):
            return {field.name for field in dataclasses.fields(found)}
        return set()
