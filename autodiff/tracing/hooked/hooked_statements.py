"""Statements with hooks in place of their operations."""

from __future__ import annotations

import ast
from typing import Any

from autodiff.core import NotYet
from autodiff.tracing.hooked.hooked_expressions import OPERATORS
from autodiff.tracing.hooked.hooked_patterns import HookedPatterns


class Hooked(HookedPatterns):
    """The rewriting of one function; what stands in it is visited with it."""

    # ---- comprehensions, loops, `with` --------------------------------------------------------

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        node.target, node.iter = self._drawn(node.target, node.iter, names=True)
        node.ifs = [self.visit(own) for own in node.ifs]
        return node

    def _drawn(self, target: ast.expr, source: ast.expr, names: bool) -> tuple[Any, ast.expr]:
        if names and not _is_of_names(target):
            raise NotYet("a comprehension that assigns something else than names")
        value = self.visit(source)
        if isinstance(target, (ast.Tuple, ast.List)):
            return target, self.hook("unpacked", source, value, _pattern(target))
        return target, self.hook("iterate", source, value)

    def visit_For(self, node: ast.For) -> Any:
        after: list[ast.stmt] = []
        if not _is_of_names(node.target):
            name = self.temporary()
            own = ast.copy_location(ast.Assign([node.target], ast.Name(name, ast.Load())), node)
            node.target, after = ast.Name(name, ast.Store()), self._assigned(own)
        node.target, node.iter = self._drawn(node.target, node.iter, names=False)
        node.body = [*after, *self.block(node.body)]
        node.orelse = self.block(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> Any:
        node.test = self.visit(node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def visit_With(self, node: ast.With) -> Any:
        after: list[ast.stmt] = []
        for item in node.items:
            item.context_expr = self.hook("manager", node, self.visit(item.context_expr))
            if item.optional_vars is not None and not isinstance(item.optional_vars, ast.Name):
                name = self.temporary()
                own = ast.Assign([item.optional_vars], ast.Name(name, ast.Load()))
                after += self._assigned(ast.copy_location(own, node))
                item.optional_vars = ast.Name(name, ast.Store())
        node.body = [*after, *self.block(node.body)]
        return node

    def visit_Try(self, node: Any) -> Any:
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        node.finalbody = self.block(node.finalbody)
        for handler in node.handlers:
            handler.type = self.expression(handler.type)
            handler.body = self.block(handler.body)
        return node

    visit_TryStar = visit_Try

    # ---- assignments --------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> Any:
        node.value = self.visit(node.value)
        return self._assigned(node)

    def _assigned(self, node: ast.Assign) -> list[ast.stmt]:
        """Statements that store a value, which is visited, in targets, which are not."""
        if len(node.targets) == 1:
            return self._stored(node, node.targets[0], node.value)
        name = self.temporary()
        first = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], node.value), node)
        made: list[ast.stmt] = [first]
        for target in node.targets:
            made += self._stored(node, target, ast.Name(name, ast.Load()))
        return made

    def _stored(self, at: ast.stmt, target: Any, value: ast.expr) -> list[ast.stmt]:
        if isinstance(target, ast.Attribute):
            own = self.visit(target.value), self.private(target.attr), value
            return self._stores("setattr", at, own)
        if isinstance(target, ast.Subscript):
            own = self.visit(target.value), self.index(target.slice), value
            return self._stores("setitem", at, own)
        if isinstance(target, ast.Name):
            return [ast.copy_location(ast.Assign([target], value), at)]
        if _is_of_names(target):
            value = self.hook("unpack", at, value, _pattern(target))
            return [ast.copy_location(ast.Assign([target], value), at)]
        names, made = [], list[ast.stmt]()
        for part in target.elts:
            name, inside = self.temporary(), part
            names.append(ast.Name(name, ast.Store()))
            if isinstance(part, ast.Starred):
                inside, names[-1] = part.value, ast.Starred(names[-1], ast.Store())  # type: ignore[call-overload]
            made += self._stored(at, inside, ast.Name(name, ast.Load()))
        whole = ast.Tuple([*names], ast.Store())
        value = self.hook("unpack", at, value, _pattern(whole))
        return [ast.copy_location(ast.Assign([whole], value), at), *made]

    def _stores(self, name: str, at: ast.stmt, arguments: tuple[ast.expr, ...]) -> list[ast.stmt]:
        """The value is computed before what it is stored into."""
        *places, value = arguments
        if isinstance(value, (ast.Name, ast.Constant)):
            return [ast.copy_location(ast.Expr(self.hook(name, at, *places, value)), at)]
        own = self.temporary()
        first = ast.Assign([ast.Name(own, ast.Store())], value)
        call = self.hook(name, at, *places, ast.Name(own, ast.Load()))
        return [ast.copy_location(first, at), ast.copy_location(ast.Expr(call), at)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
            if not isinstance(node.target, ast.Name):
                return self._stored(node, node.target, node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        op = ast.Constant(OPERATORS[type(node.op)])
        target, made = node.target, list[ast.stmt]()

        def kept(value: ast.expr) -> ast.expr:
            name = self.temporary()
            own = ast.Assign([ast.Name(name, ast.Store())], value)
            made.append(ast.copy_location(own, node))
            return ast.Name(name, ast.Load())

        if isinstance(target, ast.Name):
            old: ast.expr = ast.Name(target.id, ast.Load())
            value = self.hook("inplace", node, op, old, self.visit(node.value))
            return ast.copy_location(ast.Assign([target], value), node)
        whole = kept(self.visit(target.value))
        if isinstance(target, ast.Attribute):
            places, names = (whole, self.private(target.attr)), ("getattr", "setattr")
        else:
            places, names = (whole, kept(self.index(target.slice))), ("getitem", "setitem")
        old = kept(self.hook(names[0], node, *places))
        new = kept(self.hook("inplace", node, op, old, self.visit(node.value)))
        call = self.hook(names[1], node, *places, new)
        return [*made, ast.copy_location(ast.Expr(call), node)]

    def visit_Delete(self, node: ast.Delete) -> Any:
        made: list[ast.stmt] = []
        for target in node.targets:
            call: ast.expr
            if isinstance(target, ast.Attribute):
                call = self.hook(
                    "delattr", node, self.visit(target.value), self.private(target.attr)
                )
            elif isinstance(target, ast.Subscript):
                call = self.hook(
                    "delitem", node, self.visit(target.value), self.index(target.slice)
                )
            else:
                made.append(ast.copy_location(ast.Delete([target]), node))
                continue
            made.append(ast.copy_location(ast.Expr(call), node))
        return made


def _is_of_names(target: ast.expr) -> bool:
    """Whether a target is names, and tuples of them."""
    if isinstance(target, ast.Starred):
        return _is_of_names(target.value)
    if isinstance(target, (ast.Tuple, ast.List)):
        starred = any(isinstance(own, ast.Starred) for own in target.elts)
        if starred and any(isinstance(_inside(own), _SEVERAL) for own in target.elts):
            return False  # what is taken apart within has no place in a pattern
        return all(map(_is_of_names, target.elts))
    return isinstance(target, ast.Name)


_SEVERAL = (ast.Tuple, ast.List)


def _inside(target: ast.expr) -> ast.expr:
    return target.value if isinstance(target, ast.Starred) else target


def _pattern(target: ast.expr) -> ast.expr:
    """The form of a target of several names: a tuple of None and of tuples, as a constant."""
    return ast.Constant(_form(target))


def _form(target: ast.expr) -> Any:
    if not isinstance(target, (ast.Tuple, ast.List)):
        return None
    if any(isinstance(own, ast.Starred) for own in target.elts):
        return ()
    parts = tuple(map(_form, target.elts))
    return parts if any(part is not None for part in parts) else ()
