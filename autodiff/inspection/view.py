"""A page with a function on the left and its derivative on the right, in one file of HTML.

Lines that come from one statement have the same `data-key`; the page's script, in `view.html`,
links them. What the page says it says without the script, too, so that it can be printed.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from html import escape
from importlib import resources
from pathlib import PurePath
from string import Template
from types import FunctionType
from typing import Any

from autodiff.frontend.source import definition_in_text
from autodiff.inspection.made_for import said
from autodiff.inspection.recorded import Entry, reasons, recorded
from autodiff.loader import origins_of
from autodiff.pipeline.compiled import Compiled
from autodiff.syntax.sections import FORWARD, REVERSE

Key = tuple[str, int]
"""A line of the user's: file and number."""
_TITLES = _, _REVERSE = f"# {FORWARD}", f"# {REVERSE}"


def page(derivative: Any, compiled: Compiled) -> str:
    """The text of the page for the version of a derivative that was compiled last."""
    stages: Any = compiled.stages
    written = stages.written()
    keys = _keys(compiled.source)
    places = _Places(derivative.function, keys.values())
    before = compiled.source.count("\n") - written.emitted.text.count("\n")  # functions it calls
    entries = recorded(written)
    passes = [*stages]
    parts = {
        "title": escape(repr(derivative).strip("<>")),
        "left": "".join(places.shown()),
        "right": "".join(_right(compiled.source, keys, places, entries, before)),
        "tape": "".join(_tape(entries, before)) or "<p>Nothing is pushed.</p>",
        "kinds": "".join(
            f'<tr data-name="{escape(own)}"><td><code>{escape(own)}</code>'
            f"<td><code>{escape(said(kind))}</code>"
            for own, kind in sorted(written.kinds.items())
        ),
        "out": _left(compiled),
        "last": str(len(passes)),
        "names": escape(" ".join([*(name for name, _ in passes), "source"])),
        "passes": "".join(
            f'<div class="pass" hidden>{"".join(map(_row, _lines(text)))}</div>'
            for _, text in passes
        ),
        "colours": _colours(),
    }
    file = resources.files("autodiff.inspection").joinpath("view.html")
    return Template(file.read_text(encoding="utf-8")).substitute(parts)


def framed(derivative: Any, compiled: Compiled) -> str:
    """The page for a notebook, which has styles of its own."""
    text = escape(page(derivative, compiled))
    style = "width:100%;height:32em;border:0;resize:vertical"
    return f'<iframe srcdoc="{text}" title="derivative" style="{style}"></iframe>'


def _keys(source: str) -> dict[int, Key]:
    """For each line of a generated text the user's line that it comes from."""
    lines = source.split("\n")
    tree = ast.parse(source)
    found: dict[int, Key] = {}
    for function in tree.body:
        text = "\n".join(lines[function.lineno - 1 : function.end_lineno]) + "\n"
        for row, origin in origins_of(text).items():
            found[function.lineno + row - 1] = origin.file, origin.line
    for node in ast.walk(tree):  # statements of several lines
        if isinstance(node, ast.stmt) and node.lineno in found:
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or 0
            found.update((row, found[node.lineno]) for row in range(node.lineno + 1, end + 1))
    for row in range(len(lines) - 1, 0, -1):  # a comment heads what follows
        text = lines[row - 1].strip()
        if text.startswith("# ") and text not in _TITLES and row + 1 in found:
            found.setdefault(row, found[row + 1])
    return found


class _Places:
    """The parts of the user's files from which a derivative comes: the function, and others."""

    def __init__(self, function: FunctionType, keys: Any) -> None:
        file = function.__code__.co_filename
        node = definition_in_text(function).node
        self.blocks = {(file, node.lineno, node.end_lineno or node.lineno): function.__name__}
        for key in dict.fromkeys(keys):
            if not any(own == key[0] and a <= key[1] <= b for own, a, b in self.blocks):
                block, name = _around(*key)
                self.blocks[block] = name
        self.known = {*keys}

    def shown(self) -> Iterator[str]:
        """Their lines."""
        for (file, start, end), name in self.blocks.items():
            yield f"<h3>{escape(name)} <small>{escape(PurePath(file).name)}:{start}</small></h3>"
            text = "".join(linecache.getlines(file)[start - 1 : end])
            for number, own in enumerate(_lines(text), start):
                key = (file, number)
                yield _row(own, number, _said(key) if key in self.known else "")


def _around(file: str, line: int) -> tuple[tuple[str, int, int], str]:
    """The lines of the innermost function around a line, and its name."""
    found, name = (file, line, line), PurePath(file).name
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:  # of a cell that is no Python alone
        return found, name
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            found, name = (file, node.lineno, node.end_lineno or 0), node.name
    return found, name


def _right(
    source: str, keys: dict[int, Key], places: _Places, entries: list[Entry], before: int
) -> Iterator[str]:
    """The lines of the derivative; what is pushed says why."""
    texts, sweep = source.rstrip("\n").split("\n"), "forward"
    for number, own in enumerate(_lines(source.rstrip("\n")), 1):
        if texts[number - 1].startswith("def "):
            sweep = "forward"
        if texts[number - 1].strip() == _REVERSE:
            sweep = "reverse"
        pushed = [each for each in entries if each.row + before == number]
        why = "\n".join(f"{each.name}: {why}" for each in pushed for why in reasons(each))
        yield _row(own, number, _said(keys[number]) if number in keys else "", sweep, why)


def _tape(entries: list[Entry], before: int) -> Iterator[str]:
    """What is pushed, and why."""
    for own in entries:
        whys = "".join(f"<li>{escape(why)}" for why in reasons(own))
        row = own.row + before
        yield (
            f'<p><a href="#r{row}">line {row}</a>: <code>{escape(own.name)}</code> '
            f"({escape(own.kind)})</p><ul>{whys}</ul>"
        )


def _left(compiled: Compiled) -> str:
    """The paths that were left out, if there are any."""
    out = "".join(f"<li><pre>{escape(str(error))}</pre>" for error in compiled.left)
    title = "<h2>Paths that were left out</h2>"
    return f'<section id="out">{title}<ul>{out}</ul></section>' if out else ""


def _row(own: str, number: int = 0, key: str = "", sweep: str = "", why: str = "") -> str:
    named = f' id="r{number}"' if sweep else ""
    about = f' data-why="{escape(why)}"' if why else ""
    linked = f' data-key="{escape(key)}" tabindex="0"' if key else ""
    shown = f"<i>{number}</i>" if number else ""
    return (
        f'<div class="row {sweep}"{named}{linked}{about}>{shown}<code>{own or " "}</code></div>\n'
    )


def _said(key: Key) -> str:
    return f"{PurePath(key[0]).name}:{key[1]}"


def _lines(text: str) -> list[str]:
    """The lines of a text as HTML, with the classes of pygments where that is installed."""
    try:
        from pygments import highlight  # noqa: PLC0415 (an optional extra)
        from pygments.formatters import HtmlFormatter  # noqa: PLC0415
        from pygments.lexers import PythonLexer  # noqa: PLC0415
    except ImportError:
        return [escape(line) for line in text.rstrip("\n").split("\n")]
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    made: str = highlight(text.rstrip("\n"), lexer, HtmlFormatter(nowrap=True))
    return made.rstrip("\n").split("\n")


def _colours() -> str:
    """The style of what pygments marks, for a light and for a dark screen."""
    try:
        from pygments.formatters import HtmlFormatter  # noqa: PLC0415 (an optional extra)
    except ImportError:
        return ""
    light, dark = (
        HtmlFormatter(style=style).get_style_defs("code") for style in ("default", "monokai")
    )
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"
