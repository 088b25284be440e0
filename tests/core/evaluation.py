"""Skeletons of expressions, windows and paths of Core as values."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from types import CellType
from typing import Any

import gast

from autodiff.core.function import MARK
from autodiff.core.operation import Access, Apply, Operation
from autodiff.core.region import At, Span
from autodiff.core.statements import Verbatim
from autodiff.emit.compound import contexts_of
from autodiff.frontend.source import Namespace
from autodiff.lower.flow.frame import Unit
from autodiff.syntax.walk import map_children


class Evaluation:
    """Evaluates expressions in the scope of a unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.compiled: dict[Apply, tuple[Any, set[str]]] = {}

    def outer(self, path: str) -> Any:
        """What a path means outside: `np.pi`, `@table[0]`."""
        node = gast.parse(path.replace(MARK, "_ref_"), mode="eval").body
        code, names = self.code(node)
        found = eval(code, self.scope(names))
        return found.cell_contents if isinstance(found, CellType) else found

    def applied(self, op: Apply, operands: list[Any]) -> Any:
        """What an application gives."""
        if op not in self.compiled:
            self.compiled[op] = self.code(op.form)
        code, names = self.compiled[op]
        scope = self.scope(names)
        scope.update({f"_hole_{k}": value for k, value in enumerate(operands)})
        return eval(code, scope)

    def performed(self, op: Verbatim, operands: list[Any]) -> None:
        """Does what a statement does."""
        code, names = self.code(op.form, "exec")
        scope = self.scope(names)
        scope.update({f"_hole_{k}": value for k, value in enumerate(operands)})
        exec(code, scope)

    @contextlib.contextmanager
    def within(self, op: Operation) -> Iterator[None]:
        """The contexts that an operation runs in."""
        with contextlib.ExitStack() as stack:
            for context in contexts_of(op):
                code, names = self.code(context.form)
                stack.enter_context(eval(code, self.scope(names)))
                for first in context.setup:
                    code, names = self.code(first, "exec")
                    exec(code, self.scope(names))
            yield

    def code(self, form: gast.AST, mode: str = "eval") -> tuple[Any, set[str]]:
        """A skeleton, compiled, and the free names in it."""
        names: set[str] = set()

        def visit(node: gast.AST) -> gast.AST:
            if not isinstance(node, gast.Name):
                return map_children(visit, node)
            own = node.id
            if own[0].isdigit():
                own = f"_hole_{own}"
            else:
                own = own.replace(MARK, "_ref_")
                names.add(own)
            return gast.Name(id=own, ctx=node.ctx, annotation=None, type_comment=None)

        own = visit(form)
        whole = (
            gast.Expression(body=own)
            if mode == "eval"
            else gast.Module(body=[own], type_ignores=[])
        )
        tree = gast.gast_to_ast(whole)
        return compile(ast.fix_missing_locations(tree), "<core>", mode), names

    def scope(self, names: set[str]) -> dict[str, Any]:
        """What free names mean."""
        space: Namespace = self.unit.main
        found: dict[str, Any] = {}
        for name in names:
            if name.startswith("_ref_"):
                found[name] = self.unit.references.objects[name.replace("_ref_", MARK, 1)]
            else:
                try:
                    found[name] = space.lookup(name)
                except KeyError:
                    continue  # the variable of a comprehension
        return found


def key_of(op: Access, index: list[Any]) -> Any:
    """What stands in the brackets of an access, for the values of its operands."""

    def limit(part: Any) -> Any:
        return index[part.number] if isinstance(part, At) else part

    assert op.window is not None
    parts = tuple(
        slice(limit(part.low), limit(part.high), limit(part.step))
        if isinstance(part, Span)
        else limit(part)
        for part in op.window.parts
    )
    return parts if op.window.several or len(parts) != 1 else parts[0]
