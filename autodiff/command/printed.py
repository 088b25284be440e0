"""What commands print: with colours by rich, where that is installed, on a terminal; else plain."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec


def print_code(text: str) -> None:
    """Prints Python's text."""
    if not _is_rich():
        print(text.rstrip())
        return
    from rich.console import Console  # noqa: PLC0415 (an optional extra)
    from rich.syntax import Syntax  # noqa: PLC0415

    shown = Syntax(text.rstrip(), "python", theme="ansi_dark", background_color="default")
    Console(soft_wrap=True).print(shown)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Prints rows of texts below each other; the first row has the titles."""
    if _is_rich():
        from rich.console import Console  # noqa: PLC0415 (an optional extra)
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        table = Table(box=None)
        for title in rows[0]:
            table.add_column(Text(title))
        for row in rows[1:]:
            table.add_row(*map(Text, row))
        Console().print(table)
        return
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def _is_rich() -> bool:
    return sys.stdout.isatty() and find_spec("rich") is not None
