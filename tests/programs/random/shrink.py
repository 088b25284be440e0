"""Shrink a failing random program to its smallest part that fails in the same way.

    python -m tests.programs.random.shrink 17 23
    python -m tests.programs.random.shrink --memory 17 23

prints, for each seed, how its gradient fails and the least program found that still does;
`--memory` for the programs of `generate_memory`.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import itertools
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from autodiff import value_and_grad
from tests.language import oracle
from tests.programs.random.generator import RandomProgram, generate
from tests.programs.random.loading import load
from tests.programs.random.memory import generate_memory
from tests.programs.random.outcome import ENDLESS
from tests.programs.random.outcome import outcome as examine

Change = Callable[[ast.AST], Any]

_counter = itertools.count()


def outcome(text: str, args: tuple[Any, ...]) -> str:
    """How the derivative of the program fares: "right", "wrong ...", an error, or "invalid"."""
    wrt = tuple(range(len(args)))
    with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()):
        signal.setitimer(signal.ITIMER_REAL, 0.5)  # a loop whose counter was deleted
        try:
            # A new file name every time, since Python caches the lines of files.
            function = load(RandomProgram(next(_counter), text, args), Path(directory))
            primal = function(*oracle.copied(args))
            expected = oracle.gradients(function, args, {}, wrt)
        except Exception:
            return "invalid"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        given = oracle.copied(args)
        try:
            value, gradient = value_and_grad(function, wrt=wrt)(*given)
        except Exception as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0][:40]}"
    if not np.array_equal(np.asarray(value, dtype=object), np.asarray(primal, dtype=object)):
        return "wrong value"
    try:
        oracle.assert_same(given, args)
        for place in wrt:
            oracle.compare(gradient[place], args[place], expected[place], 1e-6)
    except AssertionError as difference:
        message = str(difference)
        form = "shape" in message.splitlines()[0] or "dtype" in message.splitlines()[0]
        return "wrong shape or dtype" if form else "wrong gradient"
    return "right"


def shrink(text: str, fails: Callable[[str], bool]) -> str:
    """The least text for which `fails` holds, trying deletions until none helps."""
    before = ""
    while before != text:
        before = text
        for changes in ((_delete, _unwrap, _otherwise), tuple(map(_part, range(3)))):
            text = _swept(text, changes, fails)
    return text


def _swept(text: str, changes: tuple[Change, ...], fails: Callable[[str], bool]) -> str:
    """One walk over the nodes; a change that keeps the failure is kept."""
    index = 0
    while index < len(list(ast.walk(ast.parse(text)))):
        for change in changes:
            smaller = _changed(text, index, change)
            if len(smaller) < len(text) and fails(smaller):
                text = smaller
                break
        else:
            index += 1
    return text


def _changed(text: str, index: int, change: Change) -> str:
    """The text with one node deleted, unwrapped or replaced by a part; as it is if that fails."""
    tree = ast.parse(text)
    parents = {
        id(child): (node, field)
        for node in ast.walk(tree)
        for field, value in ast.iter_fields(node)
        for child in (value if isinstance(value, list) else [value])
        if isinstance(child, ast.AST)
    }
    node = list(ast.walk(tree))[index]
    new = change(node) if id(node) in parents else None
    if new is None:
        return text
    parent, field = parents[id(node)]
    content = getattr(parent, field)
    if isinstance(content, list):
        at = next(i for i, item in enumerate(content) if item is node)
        content[at : at + 1] = new if isinstance(new, list) else [new]
        if not content and field == "body":
            content.append(ast.Pass())
    elif isinstance(new, list):
        return text
    else:
        setattr(parent, field, new)
    with contextlib.suppress(Exception):
        changed = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        ast.parse(changed)  # `x[:, None]` without its base is no expression
        return changed
    return text


def _delete(node: ast.AST) -> Any:
    deletable = isinstance(node, ast.stmt) and not isinstance(node, (ast.Return, ast.Import))
    return [] if deletable else None


def _unwrap(node: ast.AST) -> Any:
    return node.body if isinstance(node, (ast.If, ast.For, ast.While, ast.With)) else None


def _otherwise(node: ast.AST) -> Any:
    return node.orelse if isinstance(node, (ast.If, ast.For, ast.While)) and node.orelse else None


def _part(child: int) -> Change:
    """Replace an expression by its n-th operand; a call by an argument, not by the function."""

    def change(node: ast.AST) -> Any:
        if not isinstance(node, ast.expr) or isinstance(node, (ast.Name, ast.Constant)):
            return None
        parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        if isinstance(node, ast.Call):
            method = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) != "np"
            parts = [*([node.func.value] if method else []), *node.args]
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "np":
            return None
        return parts[child] if child < len(parts) else None

    return change


def sensible(text: str) -> bool:
    """Whether every name that is read is assigned somewhere."""
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    known = {name.id for name in names if isinstance(name.ctx, ast.Store)} | set(dir(builtins))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            known |= {node.name} | {argument.arg for argument in node.args.args}
        if isinstance(node, ast.ClassDef):
            known |= {node.name}
    return all(name.id in known | {"np"} for name in names)


def _too_long(signum: int, frame: Any) -> None:
    raise TimeoutError


def main(arguments: list[str]) -> None:
    signal.signal(signal.SIGALRM, _too_long)
    memory = "--memory" in arguments
    for seed in [int(argument) for argument in arguments if argument != "--memory"]:
        if memory:
            print(described(generate_memory(seed)))
            continue
        program = generate(seed)
        found = outcome(program.text, program.args)
        print(f"# seed {seed}: {found}")
        if found not in ("right", "invalid"):
            print(_smallest(program, found))


def _smallest(program: RandomProgram, found: str) -> str:
    return shrink(
        program.text,
        lambda text: sensible(text) and outcome(text, program.args) == found,
    )


def shrunk(program: RandomProgram) -> RandomProgram:
    """The smallest program with mutable memory that fares as this one does."""
    found = examine(program)
    unoptimized = found.kind.endswith("without optimisations")
    limit = 0.7 if found.detail == ENDLESS else 3.0

    def fails(text: str) -> bool:
        if not sensible(text):
            return False
        smaller = examine(RandomProgram(program.seed, text, program.args), unoptimized, limit)
        return smaller.key == found.key

    return RandomProgram(program.seed, shrink(program.text, fails), program.args)


def described(program: RandomProgram) -> str:
    """A failing program in its smallest form, with arguments, numbers and generated source."""
    found = examine(program)
    title = f"## memory seed {program.seed}: {found.kind}"
    if found.kind in ("right", "invalid"):
        return title
    small = shrunk(program)
    least = examine(small)
    given = "\n".join(map(repr, small.args))
    parts = [title, "```python", small.text.strip(), "```", "arguments", "```", given, "```"]
    parts += ["found", "```", least.detail.strip(), "```"]
    if least.source:
        parts += ["generated", "```python", least.source.strip(), "```"]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
