"""`match` as tests with hooks: what a pattern compares, takes apart or asks is seen."""

from __future__ import annotations

import ast
from typing import Any

from autodiff.tracing.hooked.hooked_expressions import HookedExpressions


class HookedPatterns(HookedExpressions):
    """The rewriting of one function; names are bound once the whole of a pattern has matched.

    match x:                          subject = x
        case [a, 0]: f(a)             if (p := hooks.sequence(subject, 2, -1)) is not None and
        case _: g()                          (q := p[0], True)[1] and hooks.compare("eq", p[1], 0)
                                             and (a := q, True)[1]: f(a)
                                      else: g()
    """

    def visit_Match(self, node: Any) -> Any:
        subject = self.temporary()
        made: list[ast.stmt] = []
        rest: list[ast.stmt] = made
        self._put(rest, node, ast.Assign([_stored(subject)], self.visit(node.subject)))
        for case in node.cases:
            bound: dict[str, str] = {}
            tests = self._tests(case.pattern, subject, bound)
            tests += [_binding(name, _read(own)) for name, own in bound.items()]
            if case.guard is not None:
                tests.append(self.visit(case.guard))
            body = self.block(case.body)
            if not tests:
                rest += body
                break
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
            branch = ast.If(test, body, [])
            self._put(rest, case.pattern, branch)
            rest = branch.orelse
        return made

    @staticmethod
    def _put(statements: list[ast.stmt], at: Any, own: ast.stmt) -> None:
        statements.append(ast.copy_location(own, at))

    def _tests(self, pattern: Any, subject: str, bound: dict[str, str]) -> list[ast.expr]:
        """Whether a value, which has a name, is as a pattern says: all of these are true."""
        value = _read(subject)
        if isinstance(pattern, ast.MatchValue):
            own = self.visit(pattern.value)
            return [self.hook("compare", pattern, ast.Constant("eq"), value, own)]
        if isinstance(pattern, ast.MatchSingleton):
            return [ast.Compare(value, [ast.Is()], [ast.Constant(pattern.value)])]
        if isinstance(pattern, ast.MatchAs):
            tests = [] if pattern.pattern is None else self._tests(pattern.pattern, subject, bound)
            if pattern.name is not None:
                bound[pattern.name] = subject
            return tests
        if isinstance(pattern, ast.MatchOr):
            return [self._either(pattern, subject, bound)]
        parts = self.temporary()
        if isinstance(pattern, ast.MatchSequence):
            star = next((k for k, p in enumerate(pattern.patterns) if _is_star(p)), -1)
            count = ast.Constant(len(pattern.patterns))
            found = self.hook("sequence", pattern, value, count, ast.Constant(star))
            inside = [_whole(own) for own in pattern.patterns]
        elif isinstance(pattern, ast.MatchMapping):
            keys = ast.Tuple([self.visit(key) for key in pattern.keys], ast.Load())
            found = self.hook("mapped", pattern, value, keys)
            inside = [*pattern.patterns, ast.MatchAs(None, pattern.rest)]
        else:
            names = ast.Tuple([ast.Constant(own) for own in pattern.kwd_attrs], ast.Load())
            count = ast.Constant(len(pattern.patterns))
            found = self.hook("parts", pattern, value, self.visit(pattern.cls), count, names)
            inside = [*pattern.patterns, *pattern.kwd_patterns]
        given = ast.NamedExpr(_stored(parts), found)
        tests = [ast.Compare(given, [ast.IsNot()], [ast.Constant(None)])]
        for k, own in enumerate(inside):
            if isinstance(own, ast.MatchAs) and own.pattern is None and own.name is None:
                continue
            name = self.temporary()
            part = ast.Subscript(_read(parts), ast.Constant(k), ast.Load())
            tests += [_binding(name, part), *self._tests(own, name, bound)]
        return tests

    def _either(self, pattern: Any, subject: str, bound: dict[str, str]) -> ast.expr:
        """One pattern or another, which bind the same names."""
        ways: list[ast.expr] = []
        names: dict[str, str] = {}
        for own in pattern.patterns:
            inside: dict[str, str] = {}
            tests = self._tests(own, subject, inside)
            for name, held in inside.items():
                common = names.setdefault(name, self.temporary())
                tests.append(_binding(common, _read(held)))
            tests = tests or [ast.Constant(True)]
            ways.append(tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests))
        bound.update(names)
        return ast.BoolOp(ast.Or(), ways)


def _is_star(pattern: Any) -> bool:
    return isinstance(pattern, ast.MatchStar)


def _whole(pattern: Any) -> Any:
    """A pattern of one item; the items of a starred one are bound as they are."""
    return ast.MatchAs(None, pattern.name) if _is_star(pattern) else pattern


def _read(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _binding(name: str, value: ast.expr) -> ast.expr:
    """Binds a name, and is true."""
    pair = ast.Tuple([ast.NamedExpr(_stored(name), value), ast.Constant(True)], ast.Load())
    return ast.Subscript(pair, ast.Constant(1), ast.Load())
