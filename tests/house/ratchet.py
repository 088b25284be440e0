"""Figures of the house that may only fall: `python -m tests.house.ratchet` writes down lower ones.

The rooms that were there before Core came must not get longer by what is mended there. In the
others the figures count what core.md forbids and is still there.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import networkx

from tests.house.modules import imports, modules

FILE = Path(__file__).with_suffix(".json")
OLD = ("instantiate", "kinds", "native", "normalize")
NEW = ("core", "dataflow", "emit", "lean", "lower", "primitives", "reversal", "tangent")
READING = ("emit", "lower")
"""New rooms that may ask what class of `gast` a node is of."""
WORDS = 4
"""So many strings in one display are a table of words."""


def room(module: str) -> str:
    """The room that a module of the package is in."""
    return (module.split(".") + [""])[1]


def in_rooms(rooms: tuple[str, ...]) -> dict[str, Path]:
    """The modules in these rooms."""
    return {name: file for name, file in modules().items() if room(name) in rooms}


def lines(file: Path) -> int:
    return file.read_text(encoding="utf-8").count("\n")


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def asked_classes(file: Path) -> int:
    """How often a file asks whether something is of a class of `gast`."""
    return sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        and "gast." in ast.unparse(node.args[1])
        for node in ast.walk(tree(file))
    )


def word_tables(file: Path) -> int:
    """How many tables of words a file has: displays of strings, or a text that is split."""
    return sum(_is_table(node) for node in ast.walk(tree(file)))


def _is_table(node: ast.AST) -> bool:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return len(node.elts) >= WORDS and all(map(_is_word, node.elts))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        text = node.func.value
        split = node.func.attr == "split" and _is_word(text)
        return split and len(ast.literal_eval(text).split()) >= WORDS
    return False


def _is_word(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def circles() -> Iterator[set[str]]:
    """Modules of the new rooms that import each other, inside of functions too."""
    files = in_rooms(NEW)
    graph = networkx.DiGraph()
    for module, file in files.items():
        for _, name in imports(file):
            target = name if name in files else name.rpartition(".")[0]
            if target in files and target != module:
                graph.add_edge(module, target)
    yield from (found for found in networkx.strongly_connected_components(graph) if len(found) > 1)


def figures() -> dict[str, int]:
    """All figures, as they are now."""
    new = in_rooms(NEW)
    deep = {name: file for name, file in new.items() if room(name) not in READING}
    elsewhere = {name: file for name, file in new.items() if room(name) != "primitives"}
    return {
        **{f"lines of {own}": sum(map(lines, in_rooms((own,)).values())) for own in OLD},
        "classes of gast asked about outside of lower and emit": sum(
            map(asked_classes, deep.values())
        ),
        "tables of words outside of primitives": sum(map(word_tables, elsewhere.values())),
        "modules in circles of imports": sum(map(len, circles())),
    }


def pinned() -> dict[str, int]:
    """The figures that were reached."""
    found: dict[str, int] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Writes down what has fallen."""
    before = pinned() if FILE.exists() else {}
    now = {name: min(value, before.get(name, value)) for name, value in figures().items()}
    FILE.write_text(json.dumps(now, indent=4) + "\n", encoding="utf-8")
    for name, value in now.items():
        print(f"{value:7} {name}")


if __name__ == "__main__":
    main()
