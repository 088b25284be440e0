"""From a tree to text: astor's statement layout behind one seam, with comments and line breaks."""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from autodiff.syntax.comment import comment, is_comment
from autodiff.syntax.expressions import arguments_of, expression, parameters_of, unparsed
from autodiff.syntax.literals import docstring
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.wrap import WIDTH, wrap

with warnings.catch_warnings():  # astor looks for node classes that Python is dropping
    warnings.simplefilter("ignore", DeprecationWarning)
    from astor.code_gen import SourceGenerator
    from astor.op_util import Precedence, get_op_symbol

__all__ = ["Emitted", "comment", "emit", "is_comment"]

_COMMA: int = Precedence.Comma


@dataclass(frozen=True, slots=True)
class Emitted:
    """A text, and for each line on which a statement with an origin starts, that origin; rows: on
    which line each statement of the tree starts, by its `id`.
    """

    text: str
    origins: dict[int, Origin]
    rows: dict[int, int]


def emit(tree: gast.FunctionDef | gast.Module) -> Emitted:
    """The text of a tree, at most 100 columns wide wherever Python allows a line break.

    Parsing the text gives the tree back, comments aside.

    >>> import gast
    >>> tree = gast.parse("def f(x):\\n  y=x[(1,2)]*2.\\n  return (x,y)")
    >>> tree.body[0].body.insert(1, comment("both"))
    >>> print(emit(tree).text, end="")
    def f(x):
        y = x[1, 2] * 2.0
        # both
        return x, y
    """
    printer = _Printer()
    printer.visit(tree)
    return printer.emitted()


class _Printer(SourceGenerator):  # type: ignore[misc]
    """Astor's layout of statements, filled with our expressions."""

    def __init__(self) -> None:
        super().__init__(" " * 4)
        self.marks: list[tuple[int, gast.AST | None, bool]] = []
        self.first = True

    def emitted(self) -> Emitted:
        """The lines of the result, broken where they are too long."""
        lines: list[str] = []
        origins: dict[int, Origin] = {}
        rows: dict[int, int] = {}
        stops = [index for index, _, _ in self.marks[1:]] + [len(self.result)]
        for (start, node, breakable), stop in zip(self.marks, stops):
            text = "".join(self.result[start:stop])
            content = text.lstrip("\n")
            if lines:
                lines.extend([""] * (len(text) - len(content) - 1))
            rows[id(node)] = len(lines) + 1
            origin = None if node is None else origin_of(node)
            if origin is not None:
                origins[len(lines) + 1] = origin
            if breakable and len(content) > WIDTH:
                lines.extend(wrap(content))
            else:
                lines.extend(content.split("\n"))
        return Emitted("\n".join([*lines, ""]), origins, rows)

    def statement(self, node: gast.AST | None, *parts: str, breakable: bool = True) -> None:
        self.newline()
        self.marks.append((len(self.result), node, breakable))
        self.write("".join(parts))

    def body(self, statements: Sequence[gast.stmt]) -> None:
        self.indentation += 1
        self.block(statements)
        if all(is_comment(statement) for statement in statements):
            self.statement(None, "pass")
        self.indentation -= 1

    def block(self, statements: Sequence[gast.stmt], first: bool = True) -> None:
        """Statements in a row; empty lines at both ends are left out."""
        statements = list(statements)
        while statements and _is_blank(statements[-1]):
            statements.pop()
        self.first = first
        for statement in statements:
            if self.first and _is_blank(statement):
                continue
            self.visit(statement)
            self.first = False

    def else_body(self, statements: Sequence[gast.stmt]) -> None:
        if statements:
            self.statement(None, "else:")
            self.body(statements)

    def documented(self, statements: Sequence[gast.stmt], gap: int) -> None:
        """A body that may begin with a docstring, after which come `gap` empty lines."""
        if not statements or is_comment(statements[0]) or not _is_text(statements[0]):
            self.body(statements)
            return
        self.indentation += 1
        self.documentation(statements[0], gap)
        self.block(statements[1:], first=False)
        self.indentation -= 1

    def documentation(self, statement: gast.stmt, gap: int) -> None:
        self.statement(statement, docstring(statement.value.value), breakable=False)
        self.newline(extra=gap)

    def visit_Module(self, node: gast.Module) -> None:
        if node.body and _is_text(node.body[0]) and not is_comment(node.body[0]):
            self.documentation(node.body[0], 1)
            self.block(node.body[1:], first=False)
        else:
            self.block(node.body)

    def definition(self, node: Any, head: str) -> None:
        """A function or class, with empty lines around it."""
        extra = 1 if self.indentation else 2
        after_comment = bool(self.marks) and is_comment(self.marks[-1][1] or node)
        if not self.first and not after_comment:
            self.newline(extra=extra)
        for decorator in node.decorator_list:
            self.statement(None, "@", expression(decorator))
        self.statement(node, head)
        self.documented(node.body, gap=int(isinstance(node, gast.ClassDef)))
        self.newline(extra=extra)

    def visit_FunctionDef(self, node: gast.FunctionDef, is_async: bool = False) -> None:
        prefix = "async def" if is_async else "def"
        returns = "" if node.returns is None else f" -> {expression(node.returns, _COMMA)}"
        parameters = parameters_of(node.args)
        self.definition(node, f"{prefix} {node.name}{_generic(node)}({parameters}){returns}:")

    def visit_ClassDef(self, node: gast.ClassDef) -> None:
        bases = arguments_of(node.bases, node.keywords)
        bases = f"({bases})" if bases else ""
        self.definition(node, f"class {node.name}{_generic(node)}{bases}:")

    def visit_Expr(self, node: gast.Expr) -> None:
        if not is_comment(node):
            self.statement(node, expression(node.value))
            return
        text = node.value.value
        if not text:
            self.newline(extra=1)
            return
        width = max(40, WIDTH - 4 * self.indentation - 2)
        for line in [text] if _is_line(text, width) else _lines(text, width):
            self.statement(node, f"# {line}", breakable=False)

    def visit_Assign(self, node: gast.Assign) -> None:
        targets = [expression(target) + " = " for target in node.targets]
        self.statement(node, *targets, expression(node.value, Precedence.Assign))

    def visit_AugAssign(self, node: gast.AugAssign) -> None:
        symbol = get_op_symbol(_python(node.op), " %s= ")
        self.statement(node, expression(node.target), symbol, expression(node.value))

    def visit_AnnAssign(self, node: gast.AnnAssign) -> None:
        target = expression(node.target)
        if isinstance(node.target, gast.Name) and not node.simple:
            target = f"({target})"
        value = "" if node.value is None else f" = {expression(node.value, _COMMA)}"
        self.statement(node, f"{target}: {expression(node.annotation, _COMMA)}{value}")

    def visit_Return(self, node: gast.Return) -> None:
        value = "" if node.value is None else f" {expression(node.value, Precedence.Return)}"
        self.statement(node, f"return{value}")

    def visit_Delete(self, node: gast.Delete) -> None:
        targets = ", ".join(expression(target, _COMMA) for target in node.targets)
        self.statement(node, f"del {targets}")

    def visit_Assert(self, node: gast.Assert) -> None:
        message = "" if node.msg is None else f", {expression(node.msg, _COMMA)}"
        self.statement(node, f"assert {expression(node.test, _COMMA)}{message}")

    def visit_Raise(self, node: gast.Raise) -> None:
        what = "" if node.exc is None else f" {expression(node.exc, _COMMA)}"
        cause = "" if node.cause is None else f" from {expression(node.cause, _COMMA)}"
        self.statement(node, f"raise{what}{cause}")

    def visit_If(self, node: gast.If, keyword: str = "if") -> None:
        self.statement(node, f"{keyword} {expression(node.test, _COMMA)}:")
        self.body(node.body)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], gast.If):
            self.visit_If(node.orelse[0], "elif")
        else:
            self.else_body(node.orelse)

    def visit_While(self, node: gast.While) -> None:
        self.statement(node, f"while {expression(node.test, _COMMA)}:")
        self.body_or_else(node)

    def visit_For(self, node: gast.For, is_async: bool = False) -> None:
        prefix = "async for" if is_async else "for"
        target, sequence = expression(node.target), expression(node.iter, _COMMA)
        self.statement(node, f"{prefix} {target} in {sequence}:")
        self.body_or_else(node)

    def visit_With(self, node: gast.With, is_async: bool = False) -> None:
        items = [
            expression(item.context_expr, _COMMA)
            + (
                ""
                if item.optional_vars is None
                else f" as {expression(item.optional_vars, _COMMA)}"
            )
            for item in node.items
        ]
        self.statement(node, f"{'async with' if is_async else 'with'} {', '.join(items)}:")
        self.body(node.body)

    def visit_Try(self, node: gast.Try, keyword: str = "except") -> None:
        self.statement(node, "try:")
        self.body(node.body)
        for handler in node.handlers:
            caught = "" if handler.type is None else f" {expression(handler.type, _COMMA)}"
            name = f" as {_identifier(handler.name)}" if handler.name else ""
            self.statement(None, f"{keyword}{caught}{name}:")
            self.body(handler.body)
        self.else_body(node.orelse)
        if node.finalbody:
            self.statement(None, "finally:")
            self.body(node.finalbody)

    def visit_TryStar(self, node: gast.TryStar) -> None:
        self.visit_Try(node, "except*")

    def visit_Match(self, node: gast.Match) -> None:
        self.statement(node, f"match {expression(node.subject)}:")
        self.indentation += 1
        for case in node.cases:
            guard = "" if case.guard is None else f" if {expression(case.guard, _COMMA)}"
            pattern = unparsed(case.pattern)
            self.statement(None, f"case {pattern}{guard}:")
            self.body(case.body)
        self.indentation -= 1

    def visit_TypeAlias(self, node: gast.AST) -> None:
        self.statement(node, unparsed(node))


def _is_line(text: str, width: int) -> bool:
    """Whether a comment stays as it is: it fits in a line by far, without tabs and the like."""
    return len(text) <= width - 4 and text.isprintable() and text == text.strip()


def _lines(text: str, width: int) -> list[str]:
    if any(len(word) > width - 4 for word in text.split()):
        text = text.replace(",", ", ").replace(",  ", ", ")  # written without spaces
    return textwrap.wrap(text, width, subsequent_indent="    ")


def _generic(node: Any) -> str:
    """The type parameters of a definition (Python 3.12)."""
    if not getattr(node, "type_params", None):
        return ""
    return f"[{', '.join(unparsed(p) for p in node.type_params)}]"


def _python(operator: gast.AST) -> ast.AST:
    return getattr(ast, type(operator).__name__)()  # type: ignore[no-any-return]


def _identifier(name: str | gast.Name) -> str:
    return name if isinstance(name, str) else name.id


def _is_text(statement: gast.stmt) -> bool:
    return (
        isinstance(statement, gast.Expr)
        and isinstance(statement.value, gast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_blank(statement: gast.stmt) -> bool:
    return is_comment(statement) and not statement.value.value
