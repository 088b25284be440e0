"""What could go if nothing asked the old compiler: `python -m tests.house.leaving [apply]`.

Reachability symbol by symbol: from all modules of the rooms that stay (without `compiler.py`, which
is the old compiler's list of passes) into the old ones. Prints what each old module has to keep;
with `apply` it deletes the rest, module by module and definition by definition (then `ruff check
--fix --select F401,I` takes the imports, and `ruff format` the empty lines). Methods are kept with
their classes. Names are to be imported from where they are defined.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house.modules import modules
from tests.house.ratchet import room

OLD = ("analysis", "forward", "normalize", "optimize", "pipeline", "reverse")
ALWAYS = ""
"""Stands for the statements of a module that run when it is imported."""
Symbol = tuple[str, str]


class Module:
    """Where the names of a module come from: imports, and the statements that define them."""

    def __init__(self, name: str, file: Path) -> None:
        self.name, self.file = name, file
        self.tree = ast.parse(file.read_text(encoding="utf-8"))
        self.imports: dict[str, Symbol] = {}
        self.defined: dict[str, list[ast.stmt]] = defaultdict(list)
        self.always: list[ast.stmt] = []
        self.read(self.tree.body)

    def read(self, body: list[ast.stmt]) -> None:
        """Sorts statements by what they define."""
        for statement in body:
            if isinstance(statement, ast.ImportFrom):
                for own, symbol in imported(statement):
                    self.imports[own] = symbol
            elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                self.defined[statement.name].append(statement)
            elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                for own in targets(statement):
                    self.defined[own].append(statement)
            elif isinstance(statement, ast.If):
                self.read([*statement.body, *statement.orelse])
            elif not isinstance(statement, ast.Import):
                self.always.append(statement)


def imported(statement: ast.ImportFrom) -> Iterator[tuple[str, Symbol]]:
    """The names that an import binds, and what they stand for; `*` for a module as a whole."""
    known = modules()
    for alias in statement.names:
        whole = f"{statement.module}.{alias.name}"
        symbol = (whole, "*") if whole in known else (statement.module or "", alias.name)
        yield alias.asname or alias.name, symbol


def targets(statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[str]:
    """The names that an assignment gives a value, or changes."""
    parts = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)]


def used(module: Module, node: ast.AST) -> Iterator[Symbol]:
    """The symbols that a statement refers to, in annotations and by imports inside, too."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            source, own = module.imports.get(part.value.id, ("", ""))
            if own == "*":
                yield source, part.attr
        if isinstance(part, ast.Name):
            if part.id in module.imports and module.imports[part.id][1] != "*":
                yield module.imports[part.id]
            elif part.id in module.defined:
                yield module.name, part.id
        if isinstance(part, ast.ImportFrom):
            yield from (symbol for _, symbol in imported(part))
        if (
            isinstance(part, ast.Constant)
            and isinstance(part.value, str)
            and part.value.isidentifier()
        ):
            if part.value in module.defined:
                yield module.name, part.value


def needed(read: dict[str, Module]) -> set[Symbol]:
    """The symbols of old modules that the others need."""
    found: set[Symbol] = set()
    staying = [m for m in read.values() if room(m.name) not in OLD]
    waiting = [symbol for module in staying for symbol in used(module, module.tree)]
    waiting += [symbol for module in staying for symbol in module.imports.values()]
    while waiting:
        source, own = waiting.pop()
        if (source, own) in found or source not in read or room(source) not in OLD:
            continue
        found.add((source, own))
        module = read[source]
        statements = module.always if own == ALWAYS else module.defined.get(own, [])
        if own != ALWAYS:
            waiting.append((source, ALWAYS))
        if own == "*":
            waiting += [(source, each) for each in module.defined]
        if own in module.imports:
            waiting.append(module.imports[own])
        waiting += [symbol for statement in statements for symbol in used(module, statement)]
    return found


def lines(statement: ast.stmt) -> set[int]:
    """The lines of a definition, with its decorators, counted from 0."""
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorators)])
    return set(range(first - 1, statement.end_lineno or first))


def main(word: str = "") -> None:
    """Prints what stays of each old module; deletes the rest if that is asked for."""
    read = {name: Module(name, file) for name, file in modules().items()}
    found = needed(read)
    total = 0
    for module in read.values():
        if room(module.name) not in OLD:
            continue
        own = {symbol for source, symbol in found if source == module.name}
        kept = {id(s) for symbol in own for s in module.defined.get(symbol, [])}
        rest = [s for each in module.defined.values() for s in each if id(s) not in kept]
        stays = {line for s in ast.walk(module.tree) if id(s) in kept for line in lines(s)}  # type: ignore[arg-type]
        total += len(stays)
        if own:
            print(f"{len(stays):5} {module.name}: {' '.join(sorted(own - {ALWAYS}))}")
        if word != "apply":
            continue
        if not own and module.file.name != "__init__.py":
            module.file.unlink()
        elif "*" not in own:
            gone = {line for s in rest for line in lines(s)}
            text = module.file.read_text(encoding="utf-8").splitlines(keepends=True)
            module.file.write_text("".join(t for k, t in enumerate(text) if k not in gone))
    print(f"{total:5} lines stay")


if __name__ == "__main__":
    main(*sys.argv[1:])
