"""Each statement of the primal, with its tangent beside it.

    y = x * w           y_dot = x_dot * w + w_dot * x
                        y = x * w

A name that carries a derivative has a tangent wherever it has a value: whoever assigns it, or
changes its memory, does the same to its tangent. So tangents share memory exactly as the primal
values do, and loops and branches need no tape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.analysis.alias import Aliases
from autodiff.analysis.changes import changed_in
from autodiff.analysis.consumption import read_at_once
from autodiff.analysis.kind import Kind
from autodiff.analysis.known import Kinds
from autodiff.errors import UnsupportedSyntaxError
from autodiff.forward import effects, guarded, values
from autodiff.forward.kinds import has_tangent, tangent_kind
from autodiff.reverse.bars import Bars
from autodiff.reverse.definitions import definitions
from autodiff.reverse.generators import check_generators
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.names import Names, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import map_children

Transpose = Callable[
    [gast.FunctionDef, str, dict[str, Kind], bool], tuple[gast.FunctionDef, Callable[[str], Any]]
]
"""The gradient of a function with respect to one parameter, and what its free names mean.

The last argument says whether the function is known to be linear in the parameter.
"""

Pair = Callable[[Any, tuple[str, ...], list[Kind | None]], tuple[gast.expr, tuple[str, ...]]]
"""Names the function that returns value and tangent of a recursive function, and its tangents."""


class Forward:
    """Everything that the tangent of a statement is made from.

    What depends on tangents being numbers are the methods under "Tangents": `Dependence` has
    others, for sets.
    """

    def __init__(
        self,
        tree: gast.FunctionDef,
        kinds: Kinds,
        names: Names,
        helpers: Helpers,
        active: frozenset[str],
        aliases: Aliases,
        transpose: Transpose,
        pair: Pair,
    ) -> None:
        self.tree = tree
        self.kinds = kinds
        self.names = names
        self.helpers = helpers
        self.active = active
        self.aliases = aliases
        self.transpose = transpose
        self.pair = pair
        self.dots: dict[str, str] = {}
        self.lent: set[str] = set()
        """Names whose tangent may be the memory of another tangent, though they are not."""
        self.depends_on_layout = False
        self.used_parts: dict[str, frozenset[int]] = {}
        """For tuples that are only taken apart: the parts that carry a derivative."""
        self.attempts = 0
        self.consumed: set[int] = set()
        self.definitions = definitions(tree)
        self.bars = Bars(kinds, names, frozenset())
        self.bars.helper = self.helper

    def helper(self, identifier: str) -> gast.expr:
        """A runtime helper (or NumPy) by its name."""
        if identifier == "np":
            return self.helpers.use("np", np)
        return self.helpers.use(identifier, getattr(runtime, identifier))

    def follow(self, identifier: str, dot: str | None = None) -> str:
        """The name of a tangent, which from now on is known."""
        if identifier not in self.dots:
            dot = dot or self.names.fresh(f"{identifier}_dot")
            self.dots[identifier] = dot
            self.kinds.names[dot] = tangent_kind(self.kinds.names.get(identifier))
            self.kinds.local |= {dot}
        return self.dots[identifier]

    def carries(self, identifier: str) -> bool:
        """Whether a name has a tangent."""
        return identifier in self.active and has_tangent(self.kinds.names.get(identifier))

    # Statements

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        """The statements of a block, each with its tangent."""
        out: list[gast.stmt] = []
        self.consumed |= read_at_once(statements, self.kinds)
        for statement in statements:
            found = self.statement(statement)
            origin = origin_of(statement)
            for new in found:
                if origin_of(new) is None:
                    new.origin = origin
            out.extend(found)
        return out

    def statement(self, statement: gast.stmt) -> list[gast.stmt]:
        reverse: Any = self
        check_generators(reverse, statement)
        handler = _STATEMENTS.get(type(statement))
        if handler is not None:
            return handler(self, statement)
        bound = sorted(n for n in writes(statement) if self.carries(n))
        if bound:
            raise UnsupportedSyntaxError(
                f"`{bound[0]}` carries a derivative, and autodiff cannot differentiate this "
                "statement",
                origin_of(statement),
                why=f"{type(statement).__name__} is only supported where no derivative flows",
                cure="compute the value by an assignment, or wrap it in stop_gradient",
            )
        self.check_unchanged(statement, statement)
        return [statement]

    def check_unchanged(self, statement: gast.stmt, node: gast.AST) -> None:
        """Refuse code that may change memory whose tangent would have to change with it."""
        for identifier in changed_in(node, self.kinds):
            is_stack = identifier in self.aliases.stacks  # what it holds does not change
            alike = [identifier] if is_stack else self.aliases.sharing(identifier)
            sharing = {n for n in alike if self.carries(n)}
            if sharing:
                raise UnsupportedSyntaxError(
                    f"this may change `{min(sharing)}`, which carries a derivative",
                    origin_of(statement),
                    why="autodiff does not know what the code does to it",
                    cure="pass a copy, or write a rule for the function with @adjoint",
                )

    def assign(self, statement: gast.Assign) -> list[gast.stmt]:
        target = statement.targets[0]
        if isinstance(target, (gast.Name, gast.Tuple)):
            if any(self.carries(n) for n in writes(target)):
                return values.defined(self, statement)
            moved = effects.moved(self, statement)
            if moved is None:
                self.check_unchanged(statement, statement)
            return moved or [statement]
        return effects.store(self, statement)

    def branch(self, statement: gast.If) -> list[gast.stmt]:
        self.check_unchanged(statement, statement.test)
        return [self.inside(statement)]

    def loop(self, statement: gast.For | gast.While) -> list[gast.stmt]:
        test = statement.iter if isinstance(statement, gast.For) else statement.test
        self.check_unchanged(statement, test)
        return [self.inside(statement)]

    def context(self, statement: gast.With) -> list[gast.stmt]:
        for item in statement.items:
            self.check_unchanged(statement, item)
        for bound in sorted(writes(statement.items)):
            if self.carries(bound):
                raise UnsupportedSyntaxError(
                    f"`{bound}` carries a derivative and is bound by `with`",
                    origin_of(statement),
                    why="what a context manager returns is not differentiated",
                    cure="use the value itself inside the block",
                )
        return [self.inside(statement)]

    def attempt(self, statement: gast.Try) -> list[gast.stmt]:
        for handler in statement.handlers:
            caught = handler.name if isinstance(handler.name, str) else None
            caught = caught or getattr(handler.name, "id", None)
            if caught is not None and caught in self.active and caught in reads(handler.body):
                raise UnsupportedSyntaxError(
                    f"the exception `{caught}` carries a derivative",
                    origin_of(statement),
                    why="what is raised has no tangent",
                    cure="assign the value to a name before raising",
                )
        self.attempts += 1
        body, late = guarded.guarded(self, self.block(statement.body), statement)
        self.attempts -= 1
        new = map_children(lambda child: child, statement)
        new.body = body
        new.orelse = [*late, *self.block(statement.orelse)]
        new.finalbody = self.block(statement.finalbody)
        new.handlers = [self.handler(handler) for handler in statement.handlers]
        new.origin = origin_of(statement)
        return [new]

    def handler(self, handler: gast.ExceptHandler) -> gast.ExceptHandler:
        new: gast.ExceptHandler = map_children(lambda child: child, handler)
        new.body = self.block(handler.body)
        return new

    def inside(self, statement: Any) -> Any:
        """A compound statement with the tangents of what it holds."""
        new = map_children(lambda child: child, statement)
        new.body = self.block(statement.body)
        if getattr(statement, "orelse", None):
            new.orelse = self.block(statement.orelse)
        new.origin = origin_of(statement)
        return new

    def delete(self, statement: gast.Delete) -> list[gast.stmt]:
        return effects.delete(self, statement)

    def expression(self, statement: gast.Expr) -> list[gast.stmt]:
        return effects.effect(self, statement)

    def verbatim(self, statement: gast.stmt) -> list[gast.stmt]:
        return [statement]

    def returned(self, statement: gast.Return) -> list[gast.stmt]:
        """`return y, y_dot`."""
        value = statement.value
        if value is None:
            value = gast.Constant(value=None, kind=None)
        tangent = values.returned(self, value)
        pair = gast.Tuple(elts=[value, tangent], ctx=gast.Load())
        new = gast.Return(value=pair)
        new.origin = origin_of(statement)
        return [new]


_STATEMENTS: dict[type, Callable[[Forward, Any], list[gast.stmt]]] = {
    gast.Assign: Forward.assign,
    gast.AugAssign: effects.store,
    gast.Expr: Forward.expression,
    gast.If: Forward.branch,
    gast.For: Forward.loop,
    gast.While: Forward.loop,
    gast.With: Forward.context,
    gast.Try: Forward.attempt,
    gast.Return: Forward.returned,
    gast.Delete: Forward.delete,
    gast.FunctionDef: Forward.verbatim,
    gast.ClassDef: Forward.verbatim,
}
