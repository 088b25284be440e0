"""Core as it prints, for debugging."""

from __future__ import annotations

from autodiff.core import Access, Apply, Block, Function, Operation, Value


def show(function: Function) -> str:
    """One line for each operation, blocks indented."""
    names: dict[Value, str] = {}

    def name(value: Value) -> str:
        if value.is_constant:
            return value.hint
        return names.setdefault(value, f"{value.hint or 't'}.{len(names)}")

    def label(op: Operation) -> str:
        if isinstance(op, Apply):
            return str(op.primitive.name)
        window = f" {op.window.parts}" if isinstance(op, Access) and op.window else ""
        return type(op).__name__.lower() + window

    lines: list[str] = []

    def block(inner: Block, depth: int) -> None:
        for op in inner.operations:
            marks = " (reverse)" if op.reverse else " (shadow)" if op.shadow else ""
            results = ", ".join(map(name, op.results))
            given = " ".join(map(name, op.operands))
            text = f"{results + ' = ' if results else ''}{label(op)} {given}{marks}"
            lines.append("  " * depth + text)
            for nested in op.blocks:
                lines.append("  " * depth + f" ({', '.join(map(name, nested.parameters))}):")
                block(nested, depth + 1)
                lines.append("  " * (depth + 1) + f"next {', '.join(map(name, nested.results))}")

    block(function.body, 1)
    return "\n".join(lines)
