"""Core as it prints, for debugging: `listings(grad(f), *args)` after each pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

from autodiff.core import Access, Apply, At, Block, Function, Named, Operation, Span, Value
from autodiff.pipeline import assembly


def show(function: Function) -> str:
    """One line for each operation, blocks indented; `m[i, 1:]` is a window of memory."""
    names: dict[Value, str] = {}

    def name(value: Value) -> str:
        if value.is_constant:
            return value.hint
        return names.setdefault(value, f"{value.hint or 't'}.{len(names)}")

    def label(op: Operation) -> str:
        if isinstance(op, Apply):
            return str(op.primitive.name)
        return type(op).__name__.lower()

    def part(op: Access, own: object) -> str:
        """A part of a window, as it is written in brackets."""
        if isinstance(own, At):
            return name(op.index[own.number])
        if isinstance(own, Span):
            ends = [own.low, own.high, *([] if own.step is None else [own.step])]
            return ":".join("" if end is None else part(op, end) for end in ends)
        return f".{own.name}" if isinstance(own, Named) else "..." if own is ... else repr(own)

    def operands(op: Operation) -> list[str]:
        if not isinstance(op, Access) or op.window is None:
            return [*map(name, op.operands)]
        others = op.operands[1 : len(op.operands) - len(op.index)]
        window = ", ".join(part(op, own) for own in op.window.parts)
        return [f"{name(op.base)}[{window}]", *map(name, others)]

    lines: list[str] = []

    def block(inner: Block, depth: int) -> None:
        for op in inner.operations:
            marks = " (reverse)" if op.reverse else " (shadow)" if op.shadow else ""
            results = ", ".join(map(name, op.results))
            given = " ".join(operands(op))
            text = f"{results + ' = ' if results else ''}{label(op)} {given}{marks}"
            lines.append("  " * depth + text)
            for nested in op.blocks:
                lines.append("  " * depth + f" ({', '.join(map(name, nested.parameters))}):")
                block(nested, depth + 1)
                lines.append("  " * (depth + 1) + f"next {', '.join(map(name, nested.results))}")

    block(function.body, 1)
    return "\n".join(lines)


def listings(derivative: Callable[..., Any], *args: Any) -> list[tuple[str, str]]:
    """Names of passes and of functions ("lower f_grad"), and what these are in Core after them."""
    found: list[tuple[str, str]] = []
    usual = assembly.passed

    def passed(unit: Any, after: str, watch: Any, again: bool = False) -> None:
        found.append((f"{after} {unit.function.name}", show(unit.function)))
        usual(unit, after, watch, again)

    with mock.patch.object(assembly, "passed", passed):
        derivative(*args)
    return found
